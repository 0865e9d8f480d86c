//! Reports as files.

use super::{Document, Figure};
use crate::atomic;
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
        Self { name: figure.name.clone(), svg: String::new(), png: Vec::new() }
    }
}

/// What was written.
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
#[error("cannot write {}: {source}; choose a directory you may write to, with room for it, with --out", path.display())]
pub struct WriteError {
    /// The file or directory.
    pub path: PathBuf,
    /// Why not.
    pub source: io::Error,
}

impl Document {
    /// Writes `report.html`, `report.md`, `figures/*.svg` and `figures/*.png`. Every file is written whole or not at
    /// all, the two pages last.
    pub fn write(&self, directory: &Path) -> Result<Written, WriteError> {
        let at = |path: &Path| {
            let path = path.to_path_buf();
            move |source| WriteError { path, source }
        };
        let place = directory.join("figures");
        fs::create_dir_all(&place).map_err(at(&place))?;
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
