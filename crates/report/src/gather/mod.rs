//! From run directories, sets of runs and results of evaluations to a document.
//!
//! What is read is in `source` and `log`, what belongs together in `group`; `tables`, `curves` and
//! `watch` are what is said about it. Whatever is missing or damaged is said in the report; only
//! what is no run at all is an error.

mod curves;
mod evaluation;
mod group;
mod log;
mod results;
mod source;
mod tables;
mod watch;

use super::{Block, Document};
use group::Group;
use source::ReportedRun;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why there is no report.
#[derive(Debug, Error)]
pub enum ReportError {
    /// Something that cannot be read.
    #[error("cannot read {}: {source}; name run directories, sets of runs, or files of `evaluate`", path.display())]
    Read {
        /// The file or directory.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A directory that holds no run.
    #[error("{} is no run: it has neither config.toml nor sweep.json; name a directory that `train` made", .0.display())]
    NoRun(PathBuf),
    /// A file that holds no results.
    #[error("{} holds no results: {why}; name saved games, or the JSON of an evaluation", path.display())]
    NoResults {
        /// The file.
        path: PathBuf,
        /// The defect.
        why: String,
    },
    /// A file of a run that cannot be understood.
    #[error("{} is damaged: {why}; copy it back from where the run was made", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The defect.
        why: String,
    },
    /// Nothing to report on.
    #[error("there is nothing to report on: {0}")]
    Nothing(String),
}

/// Options of a report.
#[derive(Clone, Debug)]
pub struct ReportOptions {
    /// Its title; one is made if there is none.
    pub title: Option<String>,
    /// True if to play games worth watching again.
    pub games: bool,
    /// Threads to play them with.
    pub threads: usize,
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self { title: None, games: true, threads: 1 }
    }
}

/// Sources of a report: run directories, sets of runs, and files of results.
pub struct Sources {
    paths: Vec<PathBuf>,
    read: source::Read,
}

impl Sources {
    /// Reads them.
    pub fn read(paths: &[PathBuf]) -> Result<Self, ReportError> {
        Ok(Self { paths: paths.to_vec(), read: source::read(paths)? })
    }

    /// The report.
    pub fn report(self, options: &ReportOptions) -> Document {
        let mut groups = group::groups(self.read.runs);
        let watched = if options.games { watch::play(&mut groups, options.threads) } else { Vec::new() };
        let title = options.title.clone().unwrap_or_else(|| title(&self.paths, &groups));
        let mut document = Document::new(title, tables::summary(&groups, &self.read.notes));
        tables::differences(&mut document, &groups);
        tables::results(&mut document, &groups);
        curves::figures(&mut document, &groups);
        watch::show(&mut document, &groups, watched);
        tables::configuration(&mut document, &groups);
        missing(&mut document, &groups, &self.read.notes);
        document
    }
}

fn title(paths: &[PathBuf], groups: &[Group]) -> String {
    let runs: usize = groups.iter().map(|group| group.runs.len()).sum();
    match (paths, runs) {
        ([path], 1) => name_of(path),
        ([path], _) => format!("{}: {runs} runs", name_of(path)),
        _ if groups.len() <= 4 => {
            groups.iter().map(|group| group.name.as_str()).collect::<Vec<_>>().join(", ")
        }
        _ => format!("{runs} runs"),
    }
}

/// The last part of a path.
fn name_of(path: &Path) -> String {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    whole.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Notes on what is missing or damaged: after what there is, which the summary points at.
fn missing(document: &mut Document, groups: &[Group], notes: &[String]) {
    let of_runs = groups.iter().flat_map(|group| &group.runs);
    let of_runs =
        of_runs.flat_map(|run: &ReportedRun| run.notes.iter().map(|note| format!("`{}`: {note}", run.name)));
    let all: Vec<String> = notes.iter().cloned().chain(of_runs).collect();
    if !all.is_empty() {
        document.push(Block::Heading("What is missing".into()));
        for note in all {
            document.text(note);
        }
    }
}

#[cfg(test)]
mod tests;
