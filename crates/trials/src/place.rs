//! Run directories: starting the command in them, and looking at what it left.

use crate::{Setup, failed};
use afterstate_lab::model::{self, Model};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::Ordering::Relaxed;

/// A recipe that learns thousands of games in a second, with a checkpoint every 30 ms.
pub const SMALL: &str = r#"
game = "2048-3x3"
[network]
patterns = "squares 012 345"
alphabet = 10
[learning]
target = "backward"
step = "coherence"
[run]
games = 6000
threads = 1
[evaluate]
every = 2000
games = 40
[checkpoint]
minutes = 0.0005
"#;

/// A recipe in stages: train, collect, train the next.
pub const STAGED: &str = r#"
game = "2048-3x3"
[network]
patterns = "squares 012 345"
alphabet = 10
[learning]
target = "backward"
step = "coherence"
[stages]
split = "64 128"
procedure = "one-by-one"
boards = 1200
[run]
games = 2000
threads = 1
[evaluate]
every = 1000
games = 20
[checkpoint]
minutes = 0.0005
"#;

/// Three runs, one after the other.
pub const SWEPT: &str = r#"
game = "2048-3x3"
[network]
patterns = "squares 012 345"
alphabet = 10
[learning]
target = "backward"
step = "coherence"
[run]
games = 2000
threads = 1
[evaluate]
every = 500
games = 20
[final]
games = 20
[checkpoint]
minutes = 0.0005
[sweep]
run.seed = [1, 2, 3]
"#;

/// The command with these words, its output kept.
pub fn command(setup: &Setup, words: &[&str]) -> Command {
    let mut command = Command::new(&setup.program);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Begins the command.
pub fn start(setup: &Setup, words: &[&str]) -> Result<Child, String> {
    command(setup, words).spawn().map_err(failed(setup.program.display()))
}

/// Runs the command to its end.
pub fn finish(setup: &Setup, words: &[&str]) -> Result<Output, String> {
    command(setup, words).output().map_err(failed(setup.program.display()))
}

/// Runs a command that must succeed, and returns what it printed.
pub fn succeed(setup: &Setup, words: &[&str]) -> Result<String, String> {
    let output = finish(setup, words)?;
    if !output.status.success() {
        return Err(format!("{words:?}: {}: {}", output.status, complaint(&output)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Standard error of a command.
pub fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim_end().to_string()
}

/// Sends a signal by name: `TERM`.
pub fn signal(child: &Child, name: &str) -> Result<(), String> {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    sent.map_err(failed("kill"))
        .and_then(|status| if status.success() { Ok(()) } else { Err("kill failed".into()) })
}

/// A path as a word of a command.
pub fn word(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// A temporary directory.
pub fn temporary() -> Result<tempfile::TempDir, String> {
    tempfile::tempdir().map_err(failed("a temporary directory"))
}

/// A place in memory, where the system offers that: for many small files, and where nothing hangs
/// on a real disk.
pub fn temporary_in_memory() -> Result<tempfile::TempDir, String> {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).map_err(failed("a temporary directory"))
}

/// Writes a file.
pub fn put(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), String> {
    fs::write(path, contents).map_err(failed(path.display()))
}

/// Reads a file.
pub fn get(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(failed(path.display()))
}

/// The files of a directory whose names end so, by name; none if there is no such directory.
pub fn files(directory: &Path, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> =
        entries.filter(|path| path.is_file() && path.to_string_lossy().ends_with(end)).collect();
    found.sort();
    found
}

/// All files below a directory, those of its directories first, each by name.
pub fn tree(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut below: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    below.sort();
    let mut found: Vec<PathBuf> = below.iter().flat_map(|place| tree(place)).collect();
    found.extend(files(directory, ""));
    found
}

/// Copies a directory with all that is below it.
pub fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(failed(to.display()))?;
    for path in tree(from) {
        let target = to.join(path.strip_prefix(from).unwrap_or(&path));
        let place = target.parent().unwrap_or(to);
        fs::create_dir_all(place)
            .and_then(|()| fs::copy(&path, &target))
            .map_err(failed(target.display()))?;
    }
    Ok(())
}

/// The checkpoints of a run by their number of games, oldest first.
pub fn checkpoints(run: &Path) -> Vec<(u64, PathBuf)> {
    let games = |path: &Path| path.file_stem()?.to_str()?.parse().ok();
    let all = files(&run.join("checkpoints"), ".afterstate");
    all.into_iter().filter_map(|path| Some((games(&path)?, path))).collect()
}

/// All weights, sums and counts, bit for bit.
pub fn numbers(model: &Model) -> Vec<u64> {
    let banks = 0..model.network.structure().banks() as u8;
    let weights = banks.flat_map(|bank| model.network.bank(bank).entries()).map(|w| w.load(Relaxed).into());
    let sums = model.sums.iter().flat_map(|bank| bank.entries()).map(|sum| sum.load(Relaxed));
    let visits = model.visits.iter().flat_map(|bank| bank.entries()).map(|n| n.load(Relaxed).into());
    weights.chain(sums).chain(visits).collect()
}

/// JSON without what depends on the clock.
pub fn timeless(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|key, _| !["second", "time", "started"].iter().any(|word| key.contains(word)));
            fields.values_mut().for_each(|field| *field = timeless(field.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = timeless(item.take())),
        _ => {}
    }
    value
}

fn json(text: &str, path: &Path) -> Result<Value, String> {
    serde_json::from_str(text).map(timeless).map_err(|error| format!("{}: {error}: {text:?}", path.display()))
}

/// Checks that two runs learned, logged and kept the same; else names the difference.
pub fn same(one: &Path, other: &Path) -> Result<(), String> {
    let differs = |what: &str| format!("{what} differs between {} and {}", one.display(), other.display());
    let log = |run: &Path| -> Result<Vec<Value>, String> {
        let path = run.join("train.jsonl");
        let text = String::from_utf8_lossy(&get(&path)?).into_owned();
        text.lines().map(|line| json(line, &path)).collect()
    };
    if log(one)? != log(other)? {
        return Err(differs("train.jsonl"));
    }
    let beside = |run: &Path, place: &str, end: &str| -> Vec<PathBuf> { files(&run.join(place), end) };
    let name = |path: &PathBuf| path.file_name().map(ToOwned::to_owned);
    for (place, end) in [
        ("eval", ".json"),
        ("boards", ".boards"),
        ("checkpoints", "best.afterstate"),
        ("", "model.afterstate"),
    ] {
        let (mine, theirs) = (beside(one, place, end), beside(other, place, end));
        if !mine.iter().map(name).eq(theirs.iter().map(name)) {
            return Err(differs(&format!("the list of {place}/*{end}")));
        }
        for (a, b) in mine.iter().zip(&theirs) {
            let equal = match end {
                ".json" => {
                    let read = |path: &Path| json(&String::from_utf8_lossy(&get(path)?), path);
                    read(a)? == read(b)?
                }
                ".boards" => get(a)? == get(b)?,
                _ => numbers(&load(a)?) == numbers(&load(b)?),
            };
            if !equal {
                return Err(differs(&a.display().to_string()));
            }
        }
    }
    let newest =
        |run: &Path| checkpoints(run).pop().ok_or_else(|| format!("no checkpoint in {}", run.display()));
    let (mine, theirs) = (newest(one)?, newest(other)?);
    if mine.0 != theirs.0 || numbers(&load(&mine.1)?) != numbers(&load(&theirs.1)?) {
        return Err(differs("the last checkpoint"));
    }
    let left = ["", "checkpoints", "eval", "boards"].map(|place| beside(one, place, ".tmp")).concat();
    if left.is_empty() { Ok(()) } else { Err(format!("left over: {left:?}")) }
}

/// A model, or why it is none.
pub fn load(path: &Path) -> Result<Model, String> {
    model::load(path).map_err(|error| error.to_string())
}

/// State of a run that was just killed: its newest checkpoint is whole; how many games it holds,
/// and how many seconds of playing the log tells of that it does not.
pub fn left(run: &Path) -> Result<(u64, f64), String> {
    let Some((games, path)) = checkpoints(run).pop() else { return Ok((0, 0.0)) };
    let model = load(&path)?;
    let state = model.metadata.get("state").ok_or_else(|| format!("{} holds no state", path.display()))?;
    let state: Value = serde_json::from_str(state).map_err(|error| error.to_string())?;
    let log = fs::read_to_string(run.join("train.jsonl")).unwrap_or_default();
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let logged = lines.filter_map(|line| line["seconds"].as_f64()).fold(0.0, f64::max);
    Ok((games, (logged - state["seconds"].as_f64().unwrap_or(0.0)).max(0.0)))
}

/// A figure of a process from its `/proc/N/status`, in MiB; 0 where there is none.
pub fn memory(process: u32, figure: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(figure)?.strip_prefix(':'));
    line.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<f64>().ok()).unwrap_or(0.0)
        / 1024.0
}
