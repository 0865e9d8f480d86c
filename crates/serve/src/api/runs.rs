//! Run directories: which there are, what they hold. Nothing outside the directory of runs is ever
//! read.

use crate::Shared;
use crate::body::Answer;
use crate::problem::Problem;
use crate::run_path::{DEEPEST, below, directory, is_plain, model};
use crate::wire::{RUN, Run, RunDetails};
use afterstate::game::catalogue::GameSpec;
use axum::extract::{Path, State};
use axum::http::{HeaderName, header};
use axum::response::IntoResponse;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path as FilePath;
use std::time::UNIX_EPOCH;

/// Most runs and files that are listed.
const MOST: usize = 500;
/// The largest file that is sent.
const LARGEST: u64 = 32 << 20;

/// Content policy of reports: no scripts, no requests, no links out of their frame.
const REPORT_POLICY: &str =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'";

/// Runs work on files, which would block the runtime.
async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(Problem::defect)?
}

pub(super) async fn list(State(app): Shared) -> Result<Answer<Value>, Problem> {
    let root = app.options.runs.clone();
    let runs = off_the_runtime(move || {
        let mut found = Vec::new();
        visit(&root, "", 0, &mut found);
        found.sort_by_key(|run: &Run| std::cmp::Reverse(run.changed));
        Ok(found)
    });
    Ok(Answer(json!({ "runs": runs.await? })))
}

fn visit(directory: &FilePath, name: &str, deep: usize, found: &mut Vec<Run>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten().take(10_000) {
        let part = entry.file_name().to_string_lossy().into_owned();
        let name = if name.is_empty() { part.clone() } else { format!("{name}/{part}") };
        let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if found.len() >= MOST || !is_directory || !is_plain(&name) {
            continue;
        }
        let path = entry.path();
        if path.join("config.toml").is_file() {
            found.push(summary(&path, name));
        } else if deep + 1 < DEEPEST {
            visit(&path, &name, deep + 1, found);
        }
    }
}

fn summary(path: &FilePath, name: String) -> Run {
    let log = path.join("train.jsonl");
    let changed = fs::metadata(&log).and_then(|meta| meta.modified()).ok();
    let changed =
        changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |time| time.as_secs());
    let last = last_line(&log);
    let number = |key: &str| last.as_ref().and_then(|line| line.get(key)).and_then(Value::as_f64);
    Run {
        name,
        games: number("games").map(|games| games as u64),
        mean: number("mean"),
        active: is_active(path),
        changed,
        report: path.join("report.html").is_file(),
    }
}

/// True if a process works in a run: it holds the lock. Only looked at, never taken, so that nobody
/// is kept out.
pub(super) fn is_active(run: &FilePath) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let Ok(lock) = fs::metadata(run.join("lock")) else { return false };
        let held = fs::read_to_string("/proc/locks").unwrap_or_default();
        let file = format!(":{}", lock.ino());
        held.lines()
            .any(|line| line.contains("FLOCK") && line.split_whitespace().any(|word| word.ends_with(&file)))
    }
    #[cfg(not(unix))]
    {
        let _ = run;
        false
    }
}

/// The last whole line of a log; of those about 1,000 games, if there is one.
fn last_line(path: &FilePath) -> Option<Value> {
    let mut file = File::open(path).ok()?;
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
    let details = off_the_runtime(move || {
        let path = directory(&root, &run)?;
        let text =
            |name: &str| small(&path.join(name)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let mut files = Vec::new();
        for (place, endings) in [("", &["html"][..]), ("figures", &["svg", "png"]), ("eval", &["json"])] {
            let Ok(entries) = fs::read_dir(path.join(place)) else { continue };
            for entry in entries.flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let known = endings.iter().any(|ending| name.ends_with(&format!(".{ending}")));
                if known && is_plain(&name) && files.len() < MOST {
                    files.push(if place.is_empty() { name } else { format!("{place}/{name}") });
                }
            }
        }
        files.sort();
        let meta = text("meta.json").and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(Value::Null);
        let game = meta["game"].as_str().and_then(|id| GameSpec::parse(id).ok()).map(|spec| spec.name());
        let model = model(&path).map(|_| format!("{RUN}{run}"));
        let config = text("config.toml").unwrap_or_default();
        Ok(RunDetails { name: run, config, meta, files, game, model })
    });
    details.await.map(Answer)
}

/// A file that is not too large to send.
fn small(path: &FilePath) -> Option<Vec<u8>> {
    let file = File::open(path).ok()?;
    let meta = file.metadata().ok()?;
    if !meta.is_file() || meta.len() > LARGEST {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
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
) -> Result<impl IntoResponse, Problem> {
    let root = app.options.runs.clone();
    let sent = off_the_runtime(move || {
        let missing = || Problem::missing("there is no such file; /api/v1/runs/RUN lists those of a run");
        let kind = kind(&file).ok_or_else(missing)?;
        let path = below(&directory(&root, &run)?, &file).ok_or_else(missing)?;
        Ok((kind, small(&path).ok_or_else(missing)?))
    });
    let (kind, bytes) = sent.await?;
    let policy = HeaderName::from_static("content-security-policy");
    let frame = HeaderName::from_static("x-frame-options");
    Ok(([(header::CONTENT_TYPE, kind), (policy, REPORT_POLICY), (frame, "SAMEORIGIN")], bytes))
}
