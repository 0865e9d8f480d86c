//! Run directories: which there are, what they hold. Nothing outside the directory of runs is ever
//! read.

use crate::Shared;
use crate::body::{Answer, stream};
use crate::problem::Problem;
use crate::run_files;
use crate::run_path::{DEEPEST, is_plain};
use crate::wire::{RUN, Run, RunDetails};
use afterstate::game::catalogue::GameSpec;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path as FilePath;
use std::time::UNIX_EPOCH;

/// Most runs and files that are listed.
const MOST: usize = 500;
/// The largest file that is sent.
const LARGEST: u64 = 32 << 20;
/// The largest text that is told as a part of an answer.
const LARGEST_TEXT: u64 = 1 << 20;
/// Bytes of a file that are read and sent together.
const PIECE: u64 = 64 << 10;

/// Content policy of reports: no scripts, no requests, no links out of their frame.
const REPORT_POLICY: &str =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'";

pub(super) async fn list(State(app): Shared) -> Result<Answer<Value>, Problem> {
    let root = app.options.runs.clone();
    let runs = app.files.run(move || Ok(found(&root)));
    Ok(Answer(json!({ "runs": runs.await? })))
}

/// The runs below a directory, those that changed last first.
pub(super) fn found(root: &FilePath) -> Vec<Run> {
    let mut found = Vec::new();
    visit(root, "", 0, &mut found);
    found.sort_by_key(|run: &Run| std::cmp::Reverse(run.changed));
    found
}

fn visit(root: &FilePath, place: &str, deep: usize, found: &mut Vec<Run>) {
    for part in run_files::list(root, place, true) {
        let name = if place.is_empty() { part } else { format!("{place}/{part}") };
        if found.len() >= MOST || !is_plain(&name) {
            continue;
        }
        if run_files::open(root, &format!("{name}/config.toml")).is_ok() {
            found.push(summary(root, name));
        } else if deep + 1 < DEEPEST {
            visit(root, &name, deep + 1, found);
        }
    }
}

fn summary(root: &FilePath, name: String) -> Run {
    let log = run_files::open(root, &format!("{name}/train.jsonl")).ok();
    let changed = log.as_ref().and_then(|log| log.metadata().ok()?.modified().ok());
    let changed =
        changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |time| time.as_secs());
    let last = log.and_then(last_line);
    let number = |key: &str| last.as_ref().and_then(|line| line.get(key)).and_then(Value::as_f64);
    Run {
        games: number("games").map(|games| games as u64),
        mean: number("mean"),
        active: is_active(root, &name),
        changed,
        report: run_files::open(root, &format!("{name}/report.html")).is_ok(),
        name,
    }
}

/// True if a process works in a run: it holds the lock. Only looked at, never taken, so that nobody
/// is kept out.
pub(super) fn is_active(root: &FilePath, run: &str) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let lock = run_files::open(root, &format!("{run}/lock")).and_then(|lock| lock.metadata());
        let Ok(lock) = lock else { return false };
        let held = fs::read_to_string("/proc/locks").unwrap_or_default();
        let file = format!(":{}", lock.ino());
        held.lines()
            .any(|line| line.contains("FLOCK") && line.split_whitespace().any(|word| word.ends_with(&file)))
    }
    #[cfg(not(unix))]
    {
        let _ = (root, run);
        false
    }
}

/// The last whole line of a log; of those about 1,000 games, if there is one.
fn last_line(mut file: File) -> Option<Value> {
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(8192))).ok()?;
    let mut end = Vec::new();
    file.take(8192).read_to_end(&mut end).ok()?;
    let text = String::from_utf8_lossy(&end);
    let lines: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let fine = lines.iter().rev().find(|line| line.get("window").and_then(Value::as_u64) == Some(1000));
    fine.or(lines.last()).cloned()
}

pub(super) async fn details(
    State(app): Shared,
    Path(run): Path<String>,
) -> Result<Answer<RunDetails>, Problem> {
    let root = app.options.runs.clone();
    let details = app.files.run(move || {
        run_files::check(&root, &run)?;
        let text = |name: &str| {
            let bytes = run_files::read(&root, &format!("{run}/{name}"), LARGEST_TEXT).ok();
            bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        };
        let mut files = Vec::new();
        for (place, endings) in [("", &["html"][..]), ("figures", &["svg", "png"]), ("eval", &["json"])] {
            let all = run_files::list(&root, format!("{run}/{place}").trim_end_matches('/'), false);
            for name in all {
                let known = endings.iter().any(|ending| name.ends_with(&format!(".{ending}")));
                if known && files.len() < MOST {
                    files.push(if place.is_empty() { name } else { format!("{place}/{name}") });
                }
            }
        }
        files.sort();
        let meta = text("meta.json").and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(Value::Null);
        let game = meta["game"].as_str().and_then(|id| GameSpec::parse(id).ok()).map(|spec| spec.name());
        let model = run_files::open(&root, &run_files::model(&run)).is_ok().then(|| format!("{RUN}{run}"));
        let config = text("config.toml").unwrap_or_default();
        Ok(RunDetails { name: run, config, meta, files, game, model })
    });
    details.await.map(Answer)
}

/// The kind of a file that may be sent, by its name.
fn kind(file: &str) -> Option<&'static str> {
    let place = file.split_once('/').map_or("", |(place, _)| place);
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    match (place, ending) {
        ("", "html") => Some("text/html; charset=utf-8"),
        ("figures", "svg") => Some("image/svg+xml"),
        ("figures", "png") => Some("image/png"),
        ("eval", "json") => Some("application/json"),
        _ => None,
    }
}

pub(super) async fn file(
    State(app): Shared,
    Path((run, file)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let root = app.options.runs.clone();
    let opened = app.files.run(move || {
        let missing = || Problem::missing("there is no such file; /api/v1/runs/RUN lists those of a run");
        let kind = kind(&file).ok_or_else(missing)?;
        run_files::check(&root, &run)?;
        let file = run_files::open(&root, &format!("{run}/{file}")).map_err(|_| missing())?;
        let length = file.metadata().map_or(u64::MAX, |meta| meta.len());
        if length > LARGEST { Err(missing()) } else { Ok((kind, file)) }
    });
    let (kind, file) = opened.await?;
    // In pieces: whoever reads slowly has a few of them waiting, not all.
    let (sender, mut response) = stream(kind);
    tokio::spawn(async move {
        let mut rest = file.take(LARGEST);
        loop {
            let read = app.files.run(move || {
                let mut piece = Vec::new();
                rest.by_ref().take(PIECE).read_to_end(&mut piece).map_err(Problem::defect)?;
                Ok((rest, piece))
            });
            let Ok((back, piece)) = read.await else { return };
            rest = back;
            if piece.is_empty() || sender.send(piece.into()).await.is_err() {
                return;
            }
        }
    });
    let policy = HeaderName::from_static("content-security-policy");
    let frame = HeaderName::from_static("x-frame-options");
    response.headers_mut().insert(policy, HeaderValue::from_static(REPORT_POLICY));
    response.headers_mut().insert(frame, HeaderValue::from_static("SAMEORIGIN"));
    Ok(response)
}
