//! Checkpoints: a run as it stood between two games, in one file with checksums.

use super::boards;
use super::files::{Directory, RunError, at, write_whole};
use super::phase::Phase;
use super::saturation::Saturation;
use super::window::Window;
use crate::recipe::Recipe;
use crate::{disk, model};
use afterstate::budget::OutOfMemory;
use afterstate::learn::Learner;
use afterstate::network::file::{self, Contents, Encoding, FileError, Loaded};
use afterstate::train::Progress;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

/// Everything about a run that is not in the weights and sums.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunState {
    /// Games played.
    pub games: u64,
    /// Moves made.
    pub moves: u64,
    /// Seconds of playing and learning.
    pub seconds: f64,
    /// The next board to start from.
    pub next_board: u64,
    /// The generators of the threads.
    pub randoms: Vec<[u64; 4]>,
    /// The factor on every step.
    pub factor: f32,
    /// The test of saturation.
    pub saturation: Saturation,
    /// The unfinished windows of 1,000 and of 100,000 games.
    pub windows: [Window; 2],
    /// The last full window of 1,000 games.
    #[serde(default)]
    pub last: Window,
    /// The best average of an evaluation so far.
    pub best: Option<f64>,
    /// After how many training games the last evaluation was.
    #[serde(default)]
    pub evaluated: u64,
    /// Phase of the run.
    #[serde(default)]
    pub phase: Phase,
    /// True if boards are kept in a file beside the checkpoint.
    #[serde(default)]
    pub boards: bool,
}

impl RunState {
    /// The part the trainer needs.
    pub fn progress(&self) -> Progress {
        Progress {
            games: self.games,
            moves: self.moves,
            next_board: self.next_board,
            randoms: self.randoms.clone(),
        }
    }
}

/// The metadata of a model or checkpoint.
pub fn metadata(recipe: &Recipe, state: &RunState) -> BTreeMap<String, String> {
    let state_text = serde_json::to_string(state).expect("plain data");
    BTreeMap::from([
        (model::GAME.into(), recipe.game.clone()),
        (model::RECIPE.into(), recipe.to_toml()),
        (model::TRAINED_GAMES.into(), state.phase.training_games(state.games).to_string()),
        ("trained_moves".into(), state.moves.to_string()),
        (model::STATE.into(), state_text),
    ])
}

/// Saves a checkpoint and removes those no longer wanted; returns its path.
pub fn save(
    directory: &Directory,
    learner: &Learner,
    metadata: &BTreeMap<String, String>,
    games: u64,
    keep: usize,
) -> Result<PathBuf, RunError> {
    let path = checkpoint_path(directory, games);
    let contents = Contents {
        network: &learner.network,
        metadata,
        sums: learner.step_size.sums(),
        visits: learner.step_size.visits(),
    };
    write_whole(&path, |out| file::write(&contents, Encoding::Sparse, out))?;
    let all = list(directory)?;
    for old in all.iter().rev().skip(keep) {
        remove(old)?;
        remove(&beside(old))?;
    }
    Ok(path)
}

fn remove(path: &Path) -> Result<(), RunError> {
    match disk::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at("cannot remove", path)(error)),
        _ => Ok(()),
    }
}

/// The file of boards that goes with a checkpoint.
fn beside(checkpoint: &Path) -> PathBuf {
    checkpoint.with_extension("boards")
}

/// The file of boards that goes with the checkpoint after so many games.
pub fn boards_path(directory: &Directory, games: u64) -> PathBuf {
    beside(&checkpoint_path(directory, games))
}

fn checkpoint_path(directory: &Directory, games: u64) -> PathBuf {
    directory.join(&format!("checkpoints/{games:012}.afterstate"))
}

/// Saves the weights alone.
pub fn save_model(
    path: &Path,
    learner: &Learner,
    metadata: &BTreeMap<String, String>,
) -> Result<(), RunError> {
    let contents = Contents { metadata, ..Contents::of(&learner.network) };
    write_whole(path, |out| file::write(&contents, Encoding::Sparse, out))
}

/// The checkpoints of a run, oldest first: files named by at least twelve digits, so that nobody
/// else's are touched.
fn list(directory: &Directory) -> Result<Vec<PathBuf>, RunError> {
    let place = directory.join("checkpoints");
    let mut all = Vec::new();
    for entry in fs::read_dir(&place).map_err(at("cannot read", &place))? {
        let path = entry.map_err(at("cannot read", &place))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let digits = name.strip_suffix(".afterstate").filter(|stem| stem.len() >= 12);
        let digits = digits.filter(|stem| stem.bytes().all(|byte| byte.is_ascii_digit()));
        if let Some(games) = digits.and_then(|stem| stem.parse::<u64>().ok())
            && path.is_file()
        {
            all.push((games, path));
        }
    }
    all.sort();
    Ok(all.into_iter().map(|(_, path)| path).collect())
}

/// True if there are checkpoints at all.
pub fn any(directory: &Directory) -> Result<bool, RunError> {
    Ok(!list(directory)?.is_empty())
}

/// A run as it stood.
#[derive(Debug)]
pub struct LoadedCheckpoint {
    /// Weights and sums.
    pub loaded: Loaded,
    /// Everything else.
    pub state: RunState,
    /// Complaints about newer checkpoints that were set aside.
    pub complaints: Vec<String>,
}

/// The newest checkpoint that is whole; `None` if none was ever written.
///
/// Damaged newer ones are renamed, so that they are not counted among the last few.
pub fn load(directory: &Directory) -> Result<Option<LoadedCheckpoint>, RunError> {
    let mut damaged: Vec<(PathBuf, String)> = Vec::new();
    for path in list(directory)?.iter().rev() {
        match load_one(path) {
            Ok((loaded, state)) => {
                let complaints = damaged.iter().map(|(bad, why)| set_aside(bad, why, path)).collect();
                return Ok(Some(LoadedCheckpoint { loaded, state, complaints }));
            }
            // A whole checkpoint for which there is no room is not damaged.
            Err(Unusable::Memory(error)) => return Err(error.into()),
            Err(Unusable::Damaged(complaint)) => damaged.push((path.clone(), complaint)),
        }
    }
    if damaged.is_empty() {
        return Ok(None);
    }
    let complaints: Vec<String> = damaged.into_iter().map(|(_, complaint)| complaint).collect();
    Err(RunError::Damaged(format!("no checkpoint can be used: {}", complaints.join("; "))))
}

/// Renames a damaged checkpoint, and says so.
fn set_aside(bad: &Path, why: &str, instead: &Path) -> String {
    let aside = bad.with_extension("damaged");
    let going_on = format!("going on from the older {}", instead.display());
    match disk::rename(bad, &aside) {
        Ok(()) => format!("{why}; {going_on}; the damaged file is now {}", aside.display()),
        Err(error) => format!("{why}; {going_on}; the damaged file cannot be renamed: {error}"),
    }
}

/// Reason why a checkpoint cannot be used.
enum Unusable {
    Damaged(String),
    Memory(OutOfMemory),
}

impl From<String> for Unusable {
    fn from(complaint: String) -> Self {
        Self::Damaged(complaint)
    }
}

fn load_one(path: &Path) -> Result<(Loaded, RunState), Unusable> {
    let name = path.display();
    let opened = File::open(path).map_err(|e| format!("cannot open {name}: {e}"))?;
    let mut opened = BufReader::with_capacity(1 << 20, opened);
    let loaded = file::read_limited(&mut opened, model::memory_limit()).map_err(|error| match error {
        FileError::Memory(error) => Unusable::Memory(error),
        other => Unusable::Damaged(format!("{name}: {other}")),
    })?;
    let text =
        loaded.metadata.get(model::STATE).ok_or_else(|| format!("{name} is a model, not a checkpoint"))?;
    let state: RunState =
        serde_json::from_str(text).map_err(|e| format!("{name} holds no state of a run: {e}"))?;
    if state.boards {
        boards::whole(&beside(path))?;
    }
    Ok((loaded, state))
}
