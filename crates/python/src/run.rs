//! Recipes, and training by them in a run directory.

use crate::convert::{run_error, wrong};
use crate::watched::watched;
use afterstate_lab::recipe::{BUILT_IN, BuiltIn, Recipe};
use afterstate_lab::run::{Finished, Reporter, RunOptions, Status, train};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// The built-in recipes, each with what it is for.
///
/// >>> "tc-4x6" in dict(recipes())
/// True
#[pyfunction]
pub(crate) fn recipes() -> PyResult<Vec<(&'static str, String)>> {
    let about = |found: &BuiltIn| Ok((found.name, found.recipe(&[]).map_err(wrong)?.about));
    BUILT_IN.iter().map(about).collect()
}

/// The text of a recipe, a built-in one or a file, with every choice written out and some of them
/// changed.
///
/// >>> "beta = 0.5" in recipe("tc-4x6", ["learning.beta=0.5"])
/// True
/// >>> recipe("tc-4x6", ["learning.bet=0.5"])
/// Traceback (most recent call last):
/// ValueError: override learning.bet=0.5: unknown field `bet`, expected one of ...; did you mean
/// `beta`?
#[pyfunction]
#[pyo3(signature = (name, sets=vec![]))]
pub(crate) fn recipe(name: &str, sets: Vec<String>) -> PyResult<String> {
    find(name, &sets).map(|recipe| recipe.to_toml())
}

/// A built-in recipe, a file, or the text of one.
pub(crate) fn find(name: &str, sets: &[String]) -> PyResult<Recipe> {
    if name.contains('\n') {
        return Recipe::parse("recipe", name, sets).map_err(wrong);
    }
    if Path::new(name).is_file() {
        let text = std::fs::read_to_string(name)
            .map_err(|error| PyOSError::new_err(format!("cannot read {name}: {error}")))?;
        return Recipe::parse(name, &text, sets).map_err(wrong);
    }
    BuiltIn::find(name).and_then(|found| found.recipe(sets)).map_err(wrong)
}

/// Keeps the latest news of a run for the calling thread.
struct News<'a> {
    stop: &'a AtomicBool,
    status: &'a Mutex<Option<Status>>,
    notes: &'a Mutex<Vec<String>>,
}

impl Reporter for News<'_> {
    fn status(&self, status: &Status) {
        *lock(self.status) = Some(status.clone());
    }

    fn note(&self, text: &str) {
        lock(self.notes).push(text.into());
    }

    fn stop(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Trains in a run directory; `afterstate.train` is the function for users.
///
/// `callback` gets a dictionary now and then and stops the run by returning `False`.
#[pyfunction]
#[pyo3(signature = (recipe, run, *, resume=false, seconds=None, callback=None))]
pub(crate) fn run_recipe<'py>(
    py: Python<'py>,
    recipe: &str,
    run: PathBuf,
    resume: bool,
    seconds: Option<f64>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let recipe = find(recipe, &[])?;
    recipe.build().map_err(wrong)?;
    let time = seconds.map(Duration::try_from_secs_f64).transpose().map_err(wrong)?;
    let (status, notes) = (Mutex::new(None), Mutex::new(Vec::<String>::new()));
    let tell = |py: Python<'_>| {
        for note in std::mem::take(&mut *lock(&notes)) {
            let level = py.get_type::<pyo3::exceptions::PyUserWarning>();
            py.import("warnings")?.call_method1("warn", (note, level))?;
        }
        let (Some(status), Some(callback)) = (lock(&status).take(), &callback) else { return Ok(true) };
        let answer = callback.call1(py, (as_dict(py, &status)?,))?;
        Ok(answer.is_none(py) || answer.is_truthy(py)?)
    };
    let finished = watched(
        py,
        |stop| {
            let news = News { stop, status: &status, notes: &notes };
            train(&recipe, &run, RunOptions { resume, command: "afterstate.train", time }, &news)
        },
        tell,
    )?;
    tell(py)?;
    let Finished { games, moves, seconds, mean, model, complete, .. } = finished.map_err(run_error)?;
    let answer = PyDict::new(py);
    answer.set_item("games", games)?;
    answer.set_item("moves", moves)?;
    answer.set_item("seconds", seconds)?;
    answer.set_item("mean", mean)?;
    answer.set_item("model", model)?;
    answer.set_item("complete", complete)?;
    Ok(answer)
}

fn as_dict<'py>(py: Python<'py>, status: &Status) -> PyResult<Bound<'py, PyDict>> {
    let news = PyDict::new(py);
    let [games, total] = status.games;
    news.set_item("games", games)?;
    news.set_item("total", total)?;
    news.set_item("moves", status.moves)?;
    news.set_item("seconds", status.seconds)?;
    news.set_item("moves_per_second", status.moves_per_second)?;
    news.set_item("seconds_left", status.seconds_left)?;
    news.set_item("mean", status.recent.mean())?;
    news.set_item("curve", &status.curve)?;
    let tiles = PyDict::new(py);
    for (label, rate) in &status.tiles {
        tiles.set_item(label, rate)?;
    }
    news.set_item("tiles", tiles)?;
    Ok(news)
}
