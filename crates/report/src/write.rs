//! Reports as files.

use super::chart::Layout;
use super::{Document, Figure};
use afterstate_lab::{atomic, disk};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A figure as pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The name of its files.
    pub name: String,
    /// For browsers and papers.
    pub svg: String,
    /// For everything else.
    pub png: Vec<u8>,
}

impl Picture {
    /// Draws a figure.
    pub fn of(figure: &Figure) -> Self {
        let scene = figure.scene(Layout::Wide).padded(12.0);
        Self { name: figure.name.clone(), svg: scene.to_svg(), png: scene.to_png(2.0) }
    }
}

/// Files that were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The page.
    pub html: PathBuf,
    /// The Markdown.
    pub markdown: PathBuf,
    /// The figures, as SVG and as PNG.
    pub figures: Vec<PathBuf>,
}

/// Why a report could not be written.
#[derive(Debug, Error)]
#[error("cannot write {}: {source}; choose a directory you may write to, with room for it", path.display())]
pub struct WriteError {
    /// The file or directory.
    pub path: PathBuf,
    /// Why not.
    pub source: io::Error,
}

/// Turns an I/O error into a [`WriteError`] that says where.
fn at(path: &Path) -> impl FnOnce(io::Error) -> WriteError + use<> {
    let path = path.to_path_buf();
    move |source| WriteError { path, source }
}

/// Makes a place for a report, or says why there is none. What a killed process left of an earlier
/// one is removed.
pub fn prepare(directory: &Path) -> Result<(), WriteError> {
    let place = directory.join("figures");
    disk::create_dir_all(&place).map_err(at(&place))?;
    for place in [directory, &place] {
        for entry in fs::read_dir(place).map_err(at(place))?.flatten() {
            if atomic::is_leftover(&entry.file_name().to_string_lossy(), &[".html", ".md", ".svg", ".png"]) {
                let _ = fs::remove_file(entry.path());
            }
        }
        // Probes that the place can be written to; the name is among those cleaned up after a
        // crash.
        let trial = place.join(format!(".trial.html.{}.tmp", std::process::id()));
        disk::File::create(&trial).and_then(|_| disk::remove_file(&trial)).map_err(at(place))?;
    }
    Ok(())
}

impl Document {
    /// Writes `report.html`, `report.md`, `figures/*.svg` and `figures/*.png`. Every file is
    /// written whole or not at all, the two pages last.
    pub fn write(&self, directory: &Path) -> Result<Written, WriteError> {
        prepare(directory)?;
        let place = directory.join("figures");
        let file = |path: PathBuf, contents: &[u8]| {
            atomic::write(&path, |out| out.write_all(contents)).map_err(at(&path))?;
            Ok(path)
        };
        let (markdown, pictures) = self.to_markdown();
        let mut figures = Vec::new();
        for picture in &pictures {
            figures.push(file(place.join(format!("{}.svg", picture.name)), picture.svg.as_bytes())?);
            figures.push(file(place.join(format!("{}.png", picture.name)), &picture.png)?);
        }
        Ok(Written {
            html: file(directory.join("report.html"), self.to_html().as_bytes())?,
            markdown: file(directory.join("report.md"), markdown.as_bytes())?,
            figures,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Chart, Series};
    use super::*;

    fn document() -> Document {
        let mut document = Document::new("t", "s");
        let series = vec![Series::new("a", [(0.0, 1.0), (1.0, 2.0)])];
        let chart = Chart::Lines { x: Axis::new("x"), y: Axis::new("y"), series };
        document.push(Figure { name: "f".into(), caption: "c".into(), chart });
        document
    }

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_report_is_these_files_and_no_others() {
        let place = tempfile::tempdir().unwrap();
        let out = place.path().join("new/report");
        fs::create_dir_all(out.join("figures")).unwrap();
        for left in [".trial.html.99999.tmp", ".report.html.99999.tmp", "figures/.f.svg.99999.tmp"] {
            fs::write(out.join(left), "half of one that was killed").unwrap();
        }
        let written = document().write(&out).unwrap();
        assert_eq!(names(&out), ["figures", "report.html", "report.md"]);
        assert_eq!(names(&out.join("figures")), ["f.png", "f.svg"]);
        assert_eq!(written.figures.len(), 2);
    }

    #[test]
    fn no_place_for_a_report_is_said_with_what_to_do() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        fs::write(&file, "mine").unwrap();
        for error in [prepare(&file).unwrap_err(), document().write(&file).unwrap_err()] {
            let error = error.to_string();
            assert!(error.contains("cannot write") && error.contains("choose a directory"), "{error}");
        }
        assert_eq!(fs::read(&file).unwrap(), b"mine");
    }
}
