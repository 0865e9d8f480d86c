//! Scenarios of [`kills`](crate::kills): a table, and what must hold after every kill and in the
//! end.

use crate::Setup;
use crate::place::{self, SMALL, STAGED, SWEPT, get, load, numbers, succeed, tree, word};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Progress so far and work lost, in seconds; or the failure.
pub type Progress = Result<(u64, f64), String>;

/// Something that is killed.
pub struct Scenario {
    /// Its name.
    pub name: &'static str,
    /// The recipe it needs, written to `PLACE/recipe.toml`.
    pub recipe: &'static str,
    /// Makes in `PLACE` what is needed besides; what is put into `PLACE/before` is in every `RUN`
    /// from the start.
    pub prepare: fn(&Setup, &Path) -> Result<(), String>,
    /// The words of the command; `RUN` and `PLACE` stand for paths.
    pub start: &'static [&'static str],
    /// The words that go on with it.
    pub resume: &'static [&'static str],
    /// The file below `RUN` that says there is something to go on with.
    pub begun: &'static str,
    /// Condition after every kill, beside the undisturbed run.
    pub left: fn(&Path, &Path) -> Progress,
    /// Condition in the end: this run, and the undisturbed one.
    pub same: fn(&Path, &Path) -> Result<(), String>,
    /// The longest time before a kill.
    pub longest: Duration,
    /// Number of kills, in a short trial and in a whole one.
    pub kills: [u64; 2],
}

const TRAIN: &[&str] = &["train", "PLACE/recipe.toml", "--run", "RUN", "--json"];
const RESUME: &[&str] = &["train", "--run", "RUN", "--resume", "--json"];
const CONVERT: &[&str] = &["convert", "PLACE/big.afterstate", "RUN/model.safetensors"];
const SHARE: &[&str] = &[
    "evaluate",
    "--model",
    "PLACE/big.afterstate",
    "--games",
    "20",
    "--threads",
    "1",
    "--mapped",
    "RUN",
    "--json",
];
const REPORT: &[&str] = &["report", "PLACE/set", "--out", "RUN"];
const SITE: &[&str] =
    &["site", "--out", "RUN", "--engine", "PLACE/engine.wasm", "--model", "PLACE/model.afterstate"];
const PATIENCE: Duration = Duration::from_millis(300);

/// The plain one, which others change.
const TRAINING: Scenario = Scenario {
    name: "training, with evaluations in between",
    recipe: SMALL,
    prepare: nothing,
    start: TRAIN,
    resume: RESUME,
    begun: "config.toml",
    left: trained,
    same: place::same,
    longest: PATIENCE,
    kills: [6, 100],
};

/// Commands that are killed. A line more is a trial more.
pub const SCENARIOS: [Scenario; 8] = [
    TRAINING,
    Scenario { name: "training of stages, collections in between", recipe: STAGED, ..TRAINING },
    Scenario {
        name: "training of stages, boards collected meanwhile",
        recipe: STAGED,
        start: &["train", "PLACE/recipe.toml", "--run", "RUN", "--json", "--set", "stages.collect=during"],
        kills: [0, 50],
        ..TRAINING
    },
    Scenario {
        name: "a sweep of three runs",
        recipe: SWEPT,
        begun: "sweep.toml",
        left: swept,
        same: swept_the_same,
        kills: [4, 100],
        ..TRAINING
    },
    Scenario {
        name: "a report of a sweep over an older one",
        recipe: SWEPT,
        prepare: older_report,
        start: REPORT,
        resume: REPORT,
        begun: "report.html",
        left: reported,
        same: reported_the_same,
        longest: Duration::from_millis(200),
        kills: [4, 100],
    },
    Scenario {
        name: "conversion of a model over an older one",
        recipe: SMALL,
        prepare: older_model,
        start: CONVERT,
        resume: CONVERT,
        begun: "model.safetensors",
        left: converted,
        same: converted_the_same,
        longest: Duration::from_millis(60),
        kills: [4, 50],
    },
    Scenario {
        name: "an evaluation that shares its network",
        recipe: SMALL,
        prepare: older_model,
        start: SHARE,
        resume: SHARE,
        begun: "afterstate.lock",
        left: shared,
        same: shared_the_same,
        longest: Duration::from_millis(60),
        kills: [4, 50],
    },
    Scenario {
        name: "a page without a server over an older one",
        recipe: SMALL,
        prepare: older_site,
        start: SITE,
        resume: SITE,
        begun: "sw.js",
        left: site_written,
        same: site_the_same,
        longest: Duration::from_millis(60),
        kills: [4, 50],
    },
];

fn nothing(_: &Setup, _: &Path) -> Result<(), String> {
    Ok(())
}

fn trained(run: &Path, _: &Path) -> Progress {
    place::left(run)
}

/// The runs of a set, by name.
fn runs(set: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(set.join("runs")).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    found.sort();
    found
}

/// Of every run of a set the newest checkpoint is whole; what counts are the games of all.
fn swept(set: &Path, _: &Path) -> Progress {
    runs(set).iter().try_fold((0, 0.0f64), |(games, lost), run| {
        let (more, seconds) = place::left(run)?;
        Ok((games + more, lost.max(seconds)))
    })
}

fn swept_the_same(one: &Path, other: &Path) -> Result<(), String> {
    for name in ["sweep.toml", "sweep.json"] {
        if get(&one.join(name))? != get(&other.join(name))? {
            return Err(format!("{name} differs"));
        }
    }
    let (mine, theirs) = (runs(one), runs(other));
    if !names(one, &mine).eq(names(other, &theirs)) {
        return Err("other runs".into());
    }
    mine.iter().zip(&theirs).try_for_each(|(mine, theirs)| place::same(mine, theirs))?;
    no_leftovers(one)
}

/// Paths as they are called below a directory.
fn names(place: &Path, paths: &[PathBuf]) -> impl Iterator<Item = PathBuf> {
    paths.iter().map(move |path| path.strip_prefix(place).unwrap_or(path).to_path_buf())
}

fn no_leftovers(place: &Path) -> Result<(), String> {
    let left: Vec<PathBuf> = tree(place).into_iter().filter(|path| word(path).ends_with(".tmp")).collect();
    if left.is_empty() { Ok(()) } else { Err(format!("left over: {left:?}")) }
}

/// A set whose report is written, and an older report, of the set when it was smaller.
fn older_report(setup: &Setup, place: &Path) -> Result<(), String> {
    let at = |name: &str| word(&place.join(name));
    succeed(setup, &["train", &at("recipe.toml"), "--run", &at("set")])?;
    succeed(setup, &["report", &at("set"), "--out", &at("before")])?;
    let more = ["--sweep", "run.seed=1,2,3,4"];
    succeed(setup, &[&["train", "--run", &at("set"), "--resume"], &more[..]].concat()).map(drop)
}

/// Every file is of the old report or of the new one; the pages are new only if all before them
/// are. What counts are the files of the new one.
fn reported(out: &Path, whole: &Path) -> Progress {
    let older = whole.with_file_name("before");
    let all = tree(whole);
    // In the order of writing: figures, report.html, report.md.
    let mut new = Vec::new();
    for name in names(whole, &all) {
        let now = get(&out.join(&name))?;
        let is_new = now == get(&whole.join(&name))?;
        if !is_new && now != get(&older.join(&name))? {
            return Err(format!("{} is neither of the old report nor of the new one", name.display()));
        }
        if is_new && name.starts_with("report.html") && new.contains(&false) {
            return Err("a new page with old figures".into());
        }
        new.push(is_new);
    }
    Ok((new.iter().filter(|new| **new).count() as u64, 0.0))
}

fn reported_the_same(one: &Path, other: &Path) -> Result<(), String> {
    let (mine, theirs) = (tree(one), tree(other));
    if !names(one, &mine).eq(names(other, &theirs)) {
        return Err(format!("other files: {mine:?}"));
    }
    for (mine, theirs) in mine.iter().zip(&theirs) {
        if get(mine)? != get(theirs)? {
            return Err(format!("{} differs", mine.display()));
        }
    }
    Ok(())
}

/// A model to convert, and what an older one was converted to.
fn older_model(setup: &Setup, place: &Path) -> Result<(), String> {
    let at = |name: &str| word(&place.join(name));
    let large = ["--set", "network.alphabet=14", "--games"];
    for (run, games) in [("older", "100"), ("newer", "1000")] {
        let words = ["train", &at("recipe.toml"), "--run", &at(run)];
        succeed(setup, &[&words, &large[..], &[games]].concat())?;
    }
    let moved = std::fs::copy(place.join("newer/model.afterstate"), place.join("big.afterstate"));
    moved.and(std::fs::create_dir(place.join("before"))).map_err(|error| error.to_string())?;
    succeed(setup, &["convert", &at("older/model.afterstate"), &at("before/model.safetensors")]).map(drop)
}

/// An engine and a model, and a page with an older model.
fn older_site(setup: &Setup, place: &Path) -> Result<(), String> {
    let at = |name: &str| word(&place.join(name));
    std::fs::write(place.join("engine.wasm"), b"\0asm").map_err(|error| error.to_string())?;
    let (model, out) = (at("model.afterstate"), at("before"));
    for games in ["200", "100"] {
        let run = at(games);
        succeed(setup, &["train", &at("recipe.toml"), "--run", &run, "--games", games])?;
        let trained = Path::new(&run).join("model.afterstate");
        std::fs::copy(trained, &model).map_err(|error| error.to_string())?;
        if games == "200" {
            let engine = at("engine.wasm");
            succeed(setup, &["site", "--out", &out, "--engine", &engine, "--model", &model])?;
        }
    }
    Ok(())
}

/// A service worker that is the new one names files that are all there.
fn site_written(out: &Path, whole: &Path) -> Progress {
    if get(&out.join("sw.js"))? != get(&whole.join("sw.js"))? {
        return Ok((0, 0.0));
    }
    for path in tree(whole) {
        let name = path.strip_prefix(whole).map_err(|error| error.to_string())?;
        if std::fs::read(&path).ok() != std::fs::read(out.join(name)).ok() {
            return Err(format!("{} is not the new one", name.display()));
        }
    }
    Ok((1, 0.0))
}

fn site_the_same(one: &Path, other: &Path) -> Result<(), String> {
    if site_written(one, other)?.0 == 1 { no_leftovers(one) } else { Err("another page".into()) }
}

/// A converted model is the old one or the new one, whole.
fn converted(run: &Path, whole: &Path) -> Progress {
    let read = |place: PathBuf| load(&place.join("model.safetensors")).map(|model| numbers(&model));
    let now = read(run.into())?;
    match (now == read(whole.into())?, now == read(whole.with_file_name("before"))?) {
        (true, _) => Ok((1, 0.0)),
        (_, true) => Ok((0, 0.0)),
        _ => Err("a model that is neither the old one nor the new one".into()),
    }
}

fn converted_the_same(one: &Path, other: &Path) -> Result<(), String> {
    if converted(one, other)?.0 == 1 { no_leftovers(one) } else { Err("another model".into()) }
}

/// The network that processes share is there as a whole, or not at all.
fn shared(run: &Path, whole: &Path) -> Progress {
    let of = |place: &Path| tree(place).into_iter().find(|path| word(path).ends_with(".map"));
    let wanted = of(whole).ok_or("no network was shared")?;
    match of(run) {
        None => Ok((0, 0.0)),
        Some(found) if get(&found)? == get(&wanted)? => Ok((1, 0.0)),
        Some(_) => Err("another network".into()),
    }
}

fn shared_the_same(one: &Path, other: &Path) -> Result<(), String> {
    if shared(one, other)?.0 == 1 { no_leftovers(one) } else { Err("no network".into()) }
}
