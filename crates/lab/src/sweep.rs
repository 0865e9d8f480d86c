//! A set of runs: every point of a recipe's sweep in a run directory of its own, one after the
//! other.
//!
//! ```text
//! sweep.toml     the recipe with its lists, every choice written out
//! sweep.json     the axes and the runs, for readers
//! runs/NAME/     an ordinary run directory for every point
//! lock           held by the process that works here
//! ```
//!
//! The set has no state of its own: what is finished is read from the runs, so it can be killed at
//! any moment.

use crate::disk;
use crate::recipe::{Point, Recipe};
use crate::run::files::{Lock, RunError, at, remove_leftovers, write_whole};
use crate::run::{Finished, Place, Reporter, RunOptions, Status, result, space, train};
use afterstate::evaluate::Summary;
use serde_json::{Map, Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

pub use crate::run::files::{SET_INDEX as INDEX, SET_RECIPE as RECIPE, is_set};

/// The directory of a run in a set.
pub fn run_directory(place: &Path, name: &str) -> PathBuf {
    place.join("runs").join(name)
}

/// One run of a set, as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct PointResult {
    /// Its name.
    pub name: String,
    /// Settings that distinguish it from the others.
    pub settings: Vec<(String, String)>,
    /// Its result; nothing if it has not begun.
    pub finished: Option<Finished>,
}

/// A set of runs as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct SetResult {
    /// Its runs in order.
    pub runs: Vec<PointResult>,
    /// Its directory.
    pub place: PathBuf,
}

impl SetResult {
    /// True if all runs are finished.
    pub fn is_complete(&self) -> bool {
        self.runs.iter().all(|run| run.finished.as_ref().is_some_and(|finished| finished.complete))
    }
}

/// Trains every run of a recipe's sweep that is not finished.
pub fn train_set(
    recipe: &Recipe,
    place: &Path,
    options: RunOptions<'_>,
    reporter: &dyn Reporter,
) -> Result<SetResult, RunError> {
    let points = recipe.points().map_err(|error| RunError::Unusable(error.to_string()))?;
    let _lock = open(recipe, &points, place, options.resume)?;
    if !options.resume {
        let largest =
            points.iter().map(|point| (&point.recipe, point.recipe.build().expect("it was checked")));
        let largest = largest.max_by_key(|(recipe, built)| space::most_bytes(recipe, built));
        if let Some((recipe, built)) = largest {
            space::check(recipe, &built, place, points.len() as u64, reporter)?;
        }
    }
    let pace = Pace::new(&points, place);
    let began = Instant::now();
    let mut runs = Vec::new();
    for (i, point) in points.iter().enumerate() {
        let directory = run_directory(place, &point.name);
        let done = finished(point, &directory);
        let time = options.time.map(|time| time.saturating_sub(began.elapsed()));
        let over = reporter.stop() || time.is_some_and(|time| time.is_zero());
        let ended = match done {
            Some(done) => Some(done),
            None if over => result::read(&directory),
            None => {
                pace.begin(i);
                let watcher = OneOfMany { reporter, pace: &pace, name: &point.name, number: i + 1 };
                let resume = directory.join("config.toml").exists();
                reporter.note(&format!(
                    "run {} of {}: {}{}",
                    i + 1,
                    points.len(),
                    point.name,
                    if resume { ", going on" } else { "" }
                ));
                let trained =
                    train(&point.recipe, &directory, RunOptions { resume, time, ..options }, &watcher);
                let trained = trained.map_err(|error| within(&point.name, error))?;
                pace.end();
                Some(trained)
            }
        };
        runs.push(PointResult {
            name: point.name.clone(),
            settings: point.settings.clone(),
            finished: ended,
        });
    }
    Ok(SetResult { runs, place: place.into() })
}

/// Adds the name of the run to an error that does not name its path.
fn within(name: &str, error: RunError) -> RunError {
    match error {
        error @ (RunError::Unusable(_) | RunError::Damaged(_) | RunError::Changed(_)) => {
            RunError::OfSet { name: name.into(), source: Box::new(error) }
        }
        other => other, // these name the path
    }
}

/// The end of a run that needs no more work.
fn finished(point: &Point, directory: &Path) -> Option<Finished> {
    let config = fs::read_to_string(directory.join("config.toml")).ok()?;
    let same = config == point.recipe.to_toml();
    result::read(directory).filter(|ended| same && ended.complete && ended.model.exists())
}

/// Takes the directory and writes down what the set is.
fn open(recipe: &Recipe, points: &[Point], place: &Path, resume: bool) -> Result<Lock, RunError> {
    let path = place.join(RECIPE);
    if place.join("config.toml").exists() {
        return Err(RunError::SingleRun(place.into()));
    }
    match (path.exists(), resume) {
        (true, false) => return Err(RunError::Exists(place.into())),
        (false, true) => return Err(RunError::Nothing(place.into())),
        _ => {}
    }
    disk::create_dir_all(&place.join("runs")).map_err(at("cannot create", place))?;
    let lock = Lock::take(place)?;
    remove_leftovers(place);
    if resume {
        let text = fs::read_to_string(&path).map_err(at("cannot read", &path))?;
        let begun = Recipe::parse(&path.display().to_string(), &text, &[]);
        let begun = begun.map_err(|error| RunError::Unusable(error.to_string()))?;
        check_axes(&begun, recipe)?;
    }
    let index = index(recipe, points);
    write_whole(&path, |out| out.write_all(recipe.to_toml().as_bytes()))?;
    write_whole(&place.join(INDEX), |out| out.write_all(format!("{index:#}\n").as_bytes()))?;
    Ok(lock)
}

/// A set may grow by further values; its runs stay where they are, and each checks its own recipe.
fn check_axes(begun: &Recipe, now: &Recipe) -> Result<(), RunError> {
    let keys =
        |recipe: &Recipe| -> Vec<String> { recipe.sweep.axes.iter().map(|axis| axis.key.clone()).collect() };
    let refuse = |what: String| {
        Err(RunError::Changed(format!("{what}; a set may get more values, but not other axes")))
    };
    if keys(begun) != keys(now) {
        return refuse(format!("this set varies {}, not {}", keys(begun).join(", "), keys(now).join(", ")));
    }
    for (before, after) in begun.sweep.axes.iter().zip(&now.sweep.axes) {
        let after = after.texts();
        if let Some(lost) = before.texts().into_iter().find(|value| !after.contains(value)) {
            return refuse(format!("this set has runs with {} = {lost}, which is now missing", before.key));
        }
    }
    Ok(())
}

/// Contents of `sweep.json`.
fn index(recipe: &Recipe, points: &[Point]) -> Value {
    let axes = recipe.sweep.axes.iter().zip(recipe.axis_names());
    let axes: Vec<Value> =
        axes.map(|(axis, name)| json!({"key": axis.key, "name": name, "values": axis.texts()})).collect();
    let run = |point: &Point| {
        let settings: Map<String, Value> =
            point.settings.iter().map(|(key, value)| (key.clone(), value.as_str().into())).collect();
        json!({"name": point.name, "settings": settings, "seed": point.recipe.run.seed})
    };
    let runs: Vec<Value> = points.iter().map(run).collect();
    json!({"schema": "afterstate.sweep/1", "axes": axes, "runs": runs})
}

/// Speed of a set: the time left is estimated from the games already played.
struct Pace {
    /// Games of every run, those that were already played taken off.
    games: Vec<f64>,
    clock: Mutex<Clock>,
}

#[derive(Default)]
struct Clock {
    /// The run being trained.
    at: usize,
    /// Games and seconds of the runs that ended in this process.
    games: f64,
    seconds: f64,
    began: Option<Instant>,
}

impl Pace {
    fn new(points: &[Point], place: &Path) -> Self {
        let games = |point: &Point| {
            let done = finished(point, &run_directory(place, &point.name));
            if done.is_some() { 0.0 } else { point.recipe.run.games as f64 }
        };
        Self { games: points.iter().map(games).collect(), clock: Mutex::default() }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn begin(&self, at: usize) {
        let mut clock = self.lock();
        (clock.at, clock.began) = (at, Some(Instant::now()));
    }

    fn end(&self) {
        let mut clock = self.lock();
        let seconds = clock.began.take().map_or(0.0, |began| began.elapsed().as_secs_f64());
        clock.seconds += seconds;
        clock.games += self.games[clock.at];
    }

    /// Seconds to the end of the set, when the present run has `left` to go.
    fn left(&self, left: f64) -> f64 {
        let clock = self.lock();
        let present = clock.began.map_or(0.0, |began| began.elapsed().as_secs_f64()) + left;
        let per_game = (clock.seconds + present) / (clock.games + self.games[clock.at]).max(1.0);
        left + per_game * self.games[clock.at + 1..].iter().sum::<f64>()
    }
}

/// Passes on what a run reports, with its place in the set.
struct OneOfMany<'a> {
    reporter: &'a dyn Reporter,
    pace: &'a Pace,
    name: &'a str,
    number: usize,
}

impl Reporter for OneOfMany<'_> {
    fn status(&self, status: &Status) {
        let set = Place {
            name: self.name.into(),
            number: self.number,
            of: self.pace.games.len(),
            seconds_left: self.pace.left(status.seconds_left),
        };
        self.reporter.status(&Status { set: Some(set), ..status.clone() });
    }

    fn evaluated(&self, ply: u8, games: u64, summary: &Summary) {
        self.reporter.evaluated(ply, games, summary);
    }

    fn note(&self, text: &str) {
        self.reporter.note(text);
    }

    fn already_finished(&self, games: u64) {
        self.reporter.already_finished(games);
    }

    fn stop(&self) -> bool {
        self.reporter.stop()
    }
}
