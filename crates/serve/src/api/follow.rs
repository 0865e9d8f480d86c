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
use crate::wire::WithoutGames;
use crate::{App, run_files};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use hyper::body::Bytes;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
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
    let name = run.clone();
    let seen = root.clone();
    app.files.run(move || run_files::check(&seen, &name)).await?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(|id| id.parse().ok());
    let (sender, response) = streamed("text/event-stream");
    tokio::spawn(async move {
        let _place = place;
        follow(&app, Follower::new(root, run, last.unwrap_or(0)), &sender).await;
    });
    Ok(response)
}

async fn follow(app: &App, mut follower: Follower, sender: &Sender) {
    let mut quiet = 0;
    loop {
        let looked = app.files.run(move || {
            let news = follower.news();
            Ok((follower, news))
        });
        let Ok((back, news)) = looked.await else { return };
        follower = back;
        quiet = if news.text.is_empty() { quiet + 1 } else { 0 };
        let piece = match (news.text.is_empty(), quiet >= QUIET) {
            (false, _) => news.text,
            (true, true) => ": still here\n\n".into(),
            (true, false) => String::new(),
        };
        if !piece.is_empty() {
            quiet = 0;
            if sender.send(Bytes::from(piece)).await.is_err() {
                return;
            }
        }
        if !news.more && tokio::time::timeout(PAUSE, sender.closed()).await.is_ok() {
            return;
        }
    }
}

/// Events, and whether there are more at once.
#[derive(Default)]
struct News {
    text: String,
    more: bool,
}

/// Part of a run that was sent already.
struct Follower {
    root: PathBuf,
    run: String,
    at: u64,
    evaluations: BTreeSet<String>,
    active: Option<bool>,
}

impl Follower {
    fn new(root: PathBuf, run: String, at: u64) -> Self {
        Self { root, run, at, evaluations: BTreeSet::new(), active: None }
    }

    /// The events since the last look; a large piece of them at most.
    fn news(&mut self) -> News {
        let mut news = News::default();
        self.state(&mut news.text);
        self.lines(&mut news);
        self.new_evaluations(&mut news);
        news
    }

    fn state(&mut self, text: &mut String) {
        let active = is_active(&self.root, &self.run);
        if self.active.replace(active) != Some(active) {
            let _ = write!(text, "event: state\ndata: {{\"active\":{active}}}\n\n");
        }
    }

    fn lines(&mut self, news: &mut News) {
        let Ok(mut log) = run_files::open(&self.root, &format!("{}/train.jsonl", self.run)) else { return };
        if log.metadata().is_ok_and(|meta| meta.len() < self.at) {
            self.at = 0;
            news.text.push_str("event: reset\ndata: {}\n\n");
        }
        let mut piece = Vec::new();
        if log.seek(SeekFrom::Start(self.at)).and_then(|_| log.take(PIECE).read_to_end(&mut piece)).is_err() {
            return;
        }
        news.more = piece.len() as u64 == PIECE;
        // A line that is still being written waits for its end. One longer than a piece is left out.
        let whole = match piece.iter().rposition(|&byte| byte == b'\n') {
            Some(end) => end + 1,
            None if news.more => {
                self.at += PIECE;
                return;
            }
            None => 0,
        };
        for line in piece[..whole].split_inclusive(|&b| b == b'\n') {
            self.at += line.len() as u64;
            let line = String::from_utf8_lossy(line);
            if serde_json::from_str::<Value>(&line).is_ok() {
                let _ = write!(news.text, "id: {}\nevent: line\ndata: {}\n\n", self.at, line.trim());
            }
        }
    }

    fn new_evaluations(&mut self, news: &mut News) {
        let place = format!("{}/eval", self.run);
        for name in run_files::list(&self.root, &place, false) {
            if !name.ends_with(".json")
                || self.evaluations.len() >= EVALUATIONS
                || self.evaluations.contains(&name)
            {
                continue;
            }
            // What is sent together stays small, however large the files are.
            if news.text.len() as u64 >= PIECE {
                news.more = true;
                return;
            }
            if let Some(found) = evaluation(&self.root, &format!("{place}/{name}")) {
                let _ = write!(news.text, "event: evaluation\ndata: {found}\n\n");
                self.evaluations.insert(name);
            }
        }
    }
}

/// The largest evaluation that is read, with all its games, and what of it is told at most.
const LARGEST_EVALUATION: u64 = 8 << 20;
const LARGEST_TOLD: usize = 64 << 10;

fn evaluation(root: &FilePath, path: &str) -> Option<Value> {
    let text = run_files::read(root, path, LARGEST_EVALUATION).ok()?;
    let mut found = serde_json::from_slice::<WithoutGames>(&text).ok()?.0;
    drop(text);
    let stem = FilePath::new(path).file_stem()?.to_str()?;
    let games = stem.split('-').next()?.parse::<u64>().ok();
    let games = games.or_else(|| found.get("trained_games")?.as_u64());
    found.insert("after_games".into(), games.into());
    let found = Value::Object(found);
    (found.to_string().len() <= LARGEST_TOLD).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_log_is_told_line_by_line_and_again_when_it_was_cut() {
        let place = tempfile::tempdir().unwrap();
        let run = place.path().join("x");
        let log = run.join("train.jsonl");
        fs::create_dir_all(run.join("eval")).unwrap();
        let mut follower = Follower::new(place.path().into(), "x".into(), 0);
        assert_eq!(follower.news().text, "event: state\ndata: {\"active\":false}\n\n");
        fs::write(&log, "{\"games\":1}\n{\"games\":2").unwrap();
        assert_eq!(follower.news().text, "id: 12\nevent: line\ndata: {\"games\":1}\n\n");
        fs::write(&log, "{\"games\":1}\n{\"games\":2}\n").unwrap();
        fs::write(run.join("eval/000000000002.json"), "{\"score\":7}").unwrap();
        let news = follower.news().text;
        assert!(news.contains("id: 24\nevent: line\ndata: {\"games\":2}\n\n"), "{news}");
        assert!(news.contains("{\"after_games\":2,\"score\":7}"), "{news}");
        assert_eq!(follower.news().text, "");
        fs::write(&log, "{\"games\":9}\n").unwrap();
        let news = follower.news().text;
        assert!(news.starts_with("event: reset") && news.contains("{\"games\":9}"), "{news}");
    }

    #[test]
    fn a_line_longer_than_a_piece_does_not_stop_the_others() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir_all(place.path().join("x/eval")).unwrap();
        let long = format!("{{\"long\":\"{}\"}}\n{{\"games\":2}}\n", "x".repeat(600 << 10));
        fs::write(place.path().join("x/train.jsonl"), long).unwrap();
        let mut follower = Follower::new(place.path().into(), "x".into(), 0);
        let mut told = String::new();
        for _ in 0..5 {
            told += &follower.news().text;
        }
        assert!(told.contains("{\"games\":2}") && !told.contains("xxx"), "{} bytes", told.len());
    }

    #[test]
    fn large_evaluations_are_told_one_by_one_and_without_their_games() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir_all(place.path().join("x/eval")).unwrap();
        for number in 0..40 {
            let text = format!(
                "{{\"shard\":[{}7],\"score\":{number},\"note\":\"{}\"}}",
                "7,".repeat(9000),
                "y".repeat(40_000)
            );
            fs::write(place.path().join(format!("x/eval/{number:012}.json")), text).unwrap();
        }
        let mut follower = Follower::new(place.path().into(), "x".into(), 0);
        let mut scores = 0;
        for _ in 0..20 {
            let news = follower.news().text;
            assert!(news.len() < 2 * PIECE as usize && !news.contains("shard"));
            scores += news.matches("event: evaluation").count();
        }
        assert_eq!(scores, 40);
    }
}
