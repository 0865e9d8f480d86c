//! Trainings in their run directories: made once, taken up where they stopped, shared by targets.

use super::ReproduceError;
use super::reporter::{TargetReporter, Task};
use super::setting::Setting;
use super::target::Training;
use afterstate::evaluate::Summary;
use afterstate_lab::recipe::Recipe;
use afterstate_lab::run::files::{at, write_whole};
use afterstate_lab::run::{self, Finished, Reporter, RunOptions, Status};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A finished run.
#[derive(Clone, Debug)]
pub(super) struct TrainedRun {
    pub(super) place: PathBuf,
    pub(super) recipe: Recipe,
    pub(super) done: Done,
}

/// Contents of `finished.json`, written when a run is finished.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Done {
    /// Training games of all stages.
    pub(super) games: u64,
    /// Moves.
    pub(super) moves: u64,
    /// Seconds of playing and learning.
    pub(super) seconds: f64,
}

impl TrainedRun {
    /// The model it made.
    pub(super) fn model(&self) -> PathBuf {
        self.place.join("model.afterstate")
    }
}

/// The file that says that a run is finished.
const MARK: &str = "finished.json";

/// A run that is finished already.
pub(super) fn finished(
    setting: &Setting,
    out: &Path,
    training: &Training,
    seed: u64,
) -> Result<Option<TrainedRun>, ReproduceError> {
    let recipe = setting.recipe(training, seed)?;
    let place = setting.place(out, training, seed);
    let text = fs::read_to_string(place.join(MARK)).ok();
    let done = text.and_then(|text| serde_json::from_str::<Done>(&text).ok());
    let done = done.filter(|_| place.join("model.afterstate").exists());
    Ok(done.map(|done| TrainedRun { place, recipe, done }))
}

/// Trains, goes on training, or finds it done; `None` if it was asked to stop.
pub(super) fn trained(
    setting: &Setting,
    out: &Path,
    training: &Training,
    seed: u64,
    command: &str,
    reporter: &dyn TargetReporter,
) -> Result<Option<TrainedRun>, ReproduceError> {
    if let Some(run) = finished(setting, out, training, seed)? {
        return Ok(Some(run));
    }
    let recipe = setting.recipe(training, seed)?;
    let place = setting.place(out, training, seed);
    reporter.begin(&Task::Train { name: &training.name(), place: &place });
    let options = RunOptions { resume: place.join("config.toml").exists(), command, time: None };
    let finished = run::train(&recipe, &place, options, &Through(reporter))?;
    let Finished { games, moves, seconds, complete, .. } = finished;
    if !complete {
        return Ok(None);
    }
    let done = Done { games, moves, seconds };
    let text = serde_json::to_string(&done).expect("plain data");
    write_whole(&place.join(MARK), |out| out.write_all(text.as_bytes()))?;
    remove_checkpoints(&place)?;
    Ok(Some(TrainedRun { place, recipe, done }))
}

/// A finished run needs its model only; checkpoints of several stages take gigabytes.
fn remove_checkpoints(place: &Path) -> Result<(), ReproduceError> {
    let checkpoints = place.join("checkpoints");
    for entry in fs::read_dir(&checkpoints).map_err(at("cannot read", &checkpoints))? {
        let path = entry.map_err(at("cannot read", &checkpoints))?.path();
        fs::remove_file(&path).map_err(at("cannot remove", &path))?;
    }
    Ok(())
}

/// Hands everything on.
struct Through<'a>(&'a dyn TargetReporter);

impl Reporter for Through<'_> {
    fn status(&self, status: &Status) {
        self.0.training(status);
    }

    fn evaluated(&self, ply: u8, games: u64, summary: &Summary) {
        self.0.evaluated(ply, games, summary);
    }

    fn note(&self, text: &str) {
        self.0.note(text);
    }

    /// A run that was finished elsewhere is what we wanted.
    fn already_finished(&self, _: u64) {}

    fn stop(&self) -> bool {
        self.0.stop()
    }
}
