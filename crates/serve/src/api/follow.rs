//! A run as it learns: what is in its log already, then every new line as an event.
//!
//! Events: `line` (a line of `train.jsonl`), `evaluation` (a file of `eval/`), `state` (whether a
//! process works in the run), `reset` (the log was cut: forget what came before). The id of a
//! `line` is where it ends in the log; a client that reconnects with it as `Last-Event-ID` goes on
//! from there.

use super::runs::is_active;
use crate::Shared;
use crate::body::{Sender, stream as streamed};
use crate::problem::Problem;
use crate::run_path::directory;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use hyper::body::Bytes;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Interval at which files are read again.
const PAUSE: Duration = Duration::from_millis(500);
/// After this many pauses without news something is sent, so that a client who left is noticed.
const QUIET: u32 = 20;
/// Bytes of a log read at a time.
const PIECE: u64 = 256 << 10;
/// The most evaluations that are sent.
const EVALUATIONS: usize = 10_000;

pub(super) async fn stream(
    State(app): Shared,
    Path(run): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let place = Arc::clone(&app.followers).try_acquire_owned();
    let place = place.map_err(|_| Problem::busy("too many clients follow runs"))?;
    let root = app.options.runs.clone();
    let found = tokio::task::spawn_blocking(move || directory(&root, &run)).await;
    let path = found.map_err(Problem::defect)??;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(|id| id.parse().ok());
    let (sender, response) = streamed("text/event-stream");
    tokio::spawn(async move {
        let _place = place;
        follow(Follower::new(path, last.unwrap_or(0)), &sender).await;
    });
    Ok(response)
}

async fn follow(mut follower: Follower, sender: &Sender) {
    let mut quiet = 0;
    loop {
        let looked = tokio::task::spawn_blocking(move || {
            let news = follower.news();
            (follower, news)
        });
        let Ok((back, news)) = looked.await else { return };
        follower = back;
        let more = news.len() as u64 >= PIECE / 2;
        quiet = if news.is_empty() { quiet + 1 } else { 0 };
        let piece = match (news.is_empty(), quiet >= QUIET) {
            (false, _) => news,
            (true, true) => ": still here\n\n".into(),
            (true, false) => String::new(),
        };
        if !piece.is_empty() {
            quiet = 0;
            if sender.send(Bytes::from(piece)).await.is_err() {
                return;
            }
        }
        if !more && tokio::time::timeout(PAUSE, sender.closed()).await.is_ok() {
            return;
        }
    }
}

/// Part of a run that was sent already.
struct Follower {
    path: PathBuf,
    at: u64,
    evaluations: BTreeSet<String>,
    active: Option<bool>,
}

impl Follower {
    fn new(path: PathBuf, at: u64) -> Self {
        Self { path, at, evaluations: BTreeSet::new(), active: None }
    }

    /// The events since the last look.
    fn news(&mut self) -> String {
        let mut text = String::new();
        self.state(&mut text);
        self.lines(&mut text);
        self.new_evaluations(&mut text);
        text
    }

    fn state(&mut self, text: &mut String) {
        let active = is_active(&self.path);
        if self.active.replace(active) != Some(active) {
            let _ = write!(text, "event: state\ndata: {{\"active\":{active}}}\n\n");
        }
    }

    fn lines(&mut self, text: &mut String) {
        let Ok(mut log) = File::open(self.path.join("train.jsonl")) else { return };
        if log.metadata().is_ok_and(|meta| meta.len() < self.at) {
            self.at = 0;
            text.push_str("event: reset\ndata: {}\n\n");
        }
        let mut piece = Vec::new();
        if log.seek(SeekFrom::Start(self.at)).and_then(|_| log.take(PIECE).read_to_end(&mut piece)).is_err() {
            return;
        }
        // A line that is still being written waits for its end.
        let whole = piece.iter().rposition(|&b| b == b'\n').map_or(0, |end| end + 1);
        for line in piece[..whole].split_inclusive(|&b| b == b'\n') {
            self.at += line.len() as u64;
            let line = String::from_utf8_lossy(line);
            if serde_json::from_str::<Value>(&line).is_ok() {
                let _ = write!(text, "id: {}\nevent: line\ndata: {}\n\n", self.at, line.trim());
            }
        }
    }

    fn new_evaluations(&mut self, text: &mut String) {
        let Ok(entries) = fs::read_dir(self.path.join("eval")) else { return };
        let mut names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        for name in names.into_iter().filter(|name| name.ends_with(".json")) {
            if self.evaluations.len() >= EVALUATIONS || self.evaluations.contains(&name) {
                continue;
            }
            if let Some(found) = evaluation(&self.path.join("eval").join(&name)) {
                let _ = write!(text, "event: evaluation\ndata: {found}\n\n");
                self.evaluations.insert(name);
            }
        }
    }
}

fn evaluation(path: &FilePath) -> Option<Value> {
    let mut text = String::new();
    File::open(path).ok()?.take(8 << 20).read_to_string(&mut text).ok()?;
    let mut found: Value = serde_json::from_str(&text).ok()?;
    // Every single game is more than a page wants to know.
    found.as_object_mut()?.remove("shard");
    let stem = path.file_stem()?.to_str()?;
    let games = stem.split('-').next()?.parse::<u64>().ok().or(found["trained_games"].as_u64());
    found.as_object_mut()?.insert("after_games".into(), games.into());
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_told_line_by_line_and_again_when_it_was_cut() {
        let place = tempfile::tempdir().unwrap();
        let log = place.path().join("train.jsonl");
        fs::create_dir(place.path().join("eval")).unwrap();
        let mut follower = Follower::new(place.path().into(), 0);
        assert_eq!(follower.news(), "event: state\ndata: {\"active\":false}\n\n");
        fs::write(&log, "{\"games\":1}\n{\"games\":2").unwrap();
        assert_eq!(follower.news(), "id: 12\nevent: line\ndata: {\"games\":1}\n\n");
        fs::write(&log, "{\"games\":1}\n{\"games\":2}\n").unwrap();
        fs::write(place.path().join("eval/000000000002.json"), "{\"score\":7}").unwrap();
        let news = follower.news();
        assert!(news.contains("id: 24\nevent: line\ndata: {\"games\":2}\n\n"), "{news}");
        assert!(news.contains("{\"after_games\":2,\"score\":7}"), "{news}");
        assert_eq!(follower.news(), "");
        fs::write(&log, "{\"games\":9}\n").unwrap();
        let news = follower.news();
        assert!(news.starts_with("event: reset") && news.contains("{\"games\":9}"), "{news}");
    }
}
