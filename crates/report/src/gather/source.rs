//! Sources of a report, read from their files.

use super::evaluation::Evaluation;
use super::log::{self, LogRow};
use super::{ReportError, name_of, results};
use afterstate::game::catalogue::GameSpec;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// One run, or one evaluation that stands alone.
#[derive(Clone, Debug, Default)]
pub(super) struct ReportedRun {
    pub(super) name: String,
    /// Every setting by its key, as it is written.
    pub(super) settings: BTreeMap<String, String>,
    /// The recipe as it stands in the file.
    pub(super) recipe: String,
    pub(super) seed: Option<u64>,
    pub(super) game: String,
    pub(super) spec: Option<GameSpec>,
    pub(super) command: Option<String>,
    /// Processor, threads and version.
    pub(super) circumstances: Vec<(String, String)>,
    pub(super) lines: Vec<LogRow>,
    /// By training games; the last word on the run is the last of its ply.
    pub(super) evaluations: Vec<Evaluation>,
    /// The model as it is now.
    pub(super) model: Option<PathBuf>,
    /// The file of games, where they were kept.
    pub(super) replays: Option<PathBuf>,
    /// Missing parts.
    pub(super) notes: Vec<String>,
    /// True if it was trained.
    pub(super) trained: bool,
}

/// All that was read.
pub(super) struct Read {
    pub(super) runs: Vec<ReportedRun>,
    pub(super) notes: Vec<String>,
}

/// Reads runs, sets of runs, and results.
pub(super) fn read(paths: &[PathBuf]) -> Result<Read, ReportError> {
    let mut all = Read { runs: Vec::new(), notes: Vec::new() };
    let mut files = Vec::new();
    for path in paths {
        let about = fs::metadata(path).map_err(|source| ReportError::Read { path: path.clone(), source })?;
        if about.is_file() {
            files.push(path.clone());
        } else if path.join("sweep.json").is_file() {
            set(&mut all, path)?;
        } else {
            all.runs.push(run(path)?);
        }
    }
    all.runs.extend(results::read(&files)?);
    if all.runs.is_empty() {
        let why = all.notes.first().cloned().unwrap_or_else(|| "name a run".into());
        return Err(ReportError::Nothing(why));
    }
    distinguish(&mut all.runs, paths);
    Ok(all)
}

/// Runs of the same name in different places get their places' names.
fn distinguish(runs: &mut [ReportedRun], paths: &[PathBuf]) {
    let names: Vec<String> = runs.iter().map(|run| run.name.clone()).collect();
    for (i, run) in runs.iter_mut().enumerate() {
        if names.iter().filter(|name| **name == run.name).count() > 1 {
            let parent = paths.get(i).and_then(|path| path.parent()).filter(|_| paths.len() == names.len());
            let parent = parent.map(name_of).unwrap_or_default();
            run.name = if parent.is_empty() {
                format!("{} ({})", run.name, i + 1)
            } else {
                format!("{parent}/{}", run.name)
            };
        }
    }
}

/// A file that can be read as text; damage is not our business yet.
fn text(path: &Path) -> Result<String, ReportError> {
    let bytes = fs::read(path).map_err(|source| ReportError::Read { path: path.into(), source })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The runs of a set that have begun.
fn set(all: &mut Read, path: &Path) -> Result<(), ReportError> {
    let file = path.join("sweep.json");
    let damaged = |why: &str| ReportError::Damaged { path: file.clone(), why: why.into() };
    let index: Value = serde_json::from_str(&text(&file)?).map_err(|error| damaged(&error.to_string()))?;
    let runs =
        index.get("runs").and_then(Value::as_array).ok_or_else(|| damaged("it has no list of runs"))?;
    for entry in runs {
        let name = entry.get("name").and_then(Value::as_str).ok_or_else(|| damaged("a run has no name"))?;
        let place = path.join("runs").join(name);
        if place.join("config.toml").is_file() {
            let mut found = run(&place)?;
            found.name = name.into();
            all.runs.push(found);
        } else {
            all.notes.push(format!("`{name}` of {} has not begun", name_of(path)));
        }
    }
    if all.runs.is_empty() && runs.is_empty() {
        return Err(damaged("its list of runs is empty"));
    }
    Ok(())
}

/// One run directory.
fn run(path: &Path) -> Result<ReportedRun, ReportError> {
    let config = path.join("config.toml");
    if !config.is_file() {
        return Err(ReportError::NoRun(path.into()));
    }
    let recipe = text(&config)?;
    let table: toml::Table = toml::from_str(&recipe)
        .map_err(|error| ReportError::Damaged { path: config.clone(), why: error.message().to_string() })?;
    let mut run = ReportedRun { name: name_of(path), trained: true, ..ReportedRun::default() };
    flatten(&mut run.settings, "", &table);
    run.recipe = recipe;
    run.seed = run.settings.get("run.seed").and_then(|seed| seed.parse().ok());
    about(&mut run, path);
    let name = run.settings.get("game").cloned().unwrap_or_else(|| "2048".into());
    run.spec = GameSpec::parse(if run.game.is_empty() { &name } else { &run.game }).ok();
    let (lines, note) = log::read(&path.join("train.jsonl"));
    run.lines = lines;
    run.notes.extend(note);
    evaluations(&mut run, &path.join("eval"));
    run.model = Some(path.join("model.afterstate")).filter(|model| model.is_file());
    let wanted = run.settings.get("run.games").and_then(|games| games.parse::<u64>().ok());
    let staged = run.settings.get("stages.procedure").is_some_and(|how| how == "one-by-one");
    let played = run.lines.last().map_or(0, |line| line.games);
    match wanted {
        Some(wanted) if !staged && played < wanted / 1_000 * 1_000 => {
            let note =
                format!("it has played {played} of its {wanted} games: what follows is what it knew then");
            run.notes.push(note);
        }
        _ => {}
    }
    Ok(run)
}

/// Contents of `meta.json`.
fn about(run: &mut ReportedRun, path: &Path) {
    let meta =
        fs::read(path.join("meta.json")).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    let Some(meta) = meta else {
        run.notes.push("its meta.json is missing or damaged: command and machine are not known".into());
        return;
    };
    let word = |key: &str| match meta.get(key) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    run.command = word("command");
    run.game = word("game").unwrap_or_default();
    let facts =
        [("processor", "cpu"), ("threads", "threads"), ("program version", "version"), ("commit", "commit")];
    run.circumstances = facts.iter().filter_map(|(name, key)| Some((name.to_string(), word(key)?))).collect();
}

/// All evaluations of a run.
fn evaluations(run: &mut ReportedRun, place: &Path) {
    let mut wrong = 0;
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let path = entry.path();
        let hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
        if hidden || path.extension().is_none_or(|end| end != "json") {
            continue;
        }
        match fs::read_to_string(&path)
            .map_err(|error| error.to_string())
            .and_then(|text| Evaluation::parse(&text))
        {
            Ok(found) => run.evaluations.push(found),
            Err(_) => wrong += 1,
        }
    }
    if wrong > 0 {
        run.notes.push(format!("{wrong} of its evaluations cannot be read and were left out"));
    }
    run.evaluations.sort_by_key(|found| (found.trained, found.last, found.ply));
    if run.evaluations.is_empty() {
        let what = "it made no evaluations: its scores and tile rates are those of its last 1,000 training games, \
                    without intervals; `evaluate.every` makes some";
        run.notes.push(what.into());
    }
}

/// Every setting by its whole key.
fn flatten(settings: &mut BTreeMap<String, String>, prefix: &str, table: &toml::Table) {
    for (key, value) in table {
        let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            toml::Value::Table(inside) => flatten(settings, &key, inside),
            toml::Value::String(text) => drop(settings.insert(key, text.clone())),
            other => drop(settings.insert(key, other.to_string())),
        }
    }
}
