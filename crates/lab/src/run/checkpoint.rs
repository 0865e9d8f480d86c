//! Checkpoints: a run as it stood between two games, in one file with checksums.

use super::files::{Directory, RunError, at, write_whole};
use super::saturation::Saturation;
use super::window::Window;
use crate::model;
use crate::recipe::Recipe;
use afterstate::learn::Learner;
use afterstate::network::file::{self, Contents, Encoding, Loaded};
use afterstate::train::Progress;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Everything about a run that is not in the weights and sums.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
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
    /// The best average of an evaluation so far.
    pub best: Option<f64>,
}

impl State {
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
pub fn metadata(recipe: &Recipe, state: &State) -> BTreeMap<String, String> {
    let state_text = serde_json::to_string(state).expect("plain data");
    BTreeMap::from([
        (model::GAME.into(), recipe.game.clone()),
        (model::RECIPE.into(), recipe.to_toml()),
        (model::TRAINED_GAMES.into(), state.games.to_string()),
        ("trained_moves".into(), state.moves.to_string()),
        ("state".into(), state_text),
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
    let path = directory.join(&format!("checkpoints/{games:012}.afterstate"));
    let contents = Contents {
        network: &learner.network,
        metadata,
        sums: learner.step_size.sums(),
        visits: learner.step_size.visits(),
    };
    write_whole(&path, |out| file::write(&contents, Encoding::Sparse, out))?;
    let all = list(directory)?;
    for old in all.iter().rev().skip(keep) {
        fs::remove_file(old).map_err(at("cannot remove", old))?;
    }
    Ok(path)
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

/// The checkpoints of a run, oldest first.
fn list(directory: &Directory) -> Result<Vec<PathBuf>, RunError> {
    let place = directory.join("checkpoints");
    let mut all = Vec::new();
    for entry in fs::read_dir(&place).map_err(at("cannot read", &place))? {
        let path = entry.map_err(at("cannot read", &place))?.path();
        let numbered = path.file_stem().is_some_and(|name| name.to_string_lossy().parse::<u64>().is_ok());
        if numbered && path.extension().is_some_and(|e| e == "afterstate") {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

/// The newest checkpoint that is whole, and what was wrong with newer ones.
pub fn load(directory: &Directory) -> Result<(Loaded, State, Vec<String>), RunError> {
    let mut complaints = Vec::new();
    for path in list(directory)?.iter().rev() {
        match load_one(path) {
            Ok((loaded, state)) => return Ok((loaded, state, complaints)),
            Err(complaint) => complaints.push(complaint),
        }
    }
    match complaints.len() {
        0 => Err(RunError::Nothing(directory.path().into())),
        _ => Err(RunError::Unusable(format!("no checkpoint can be used: {}", complaints.join("; ")))),
    }
}

fn load_one(path: &Path) -> Result<(Loaded, State), String> {
    let name = path.display();
    let opened = File::open(path).map_err(|e| format!("cannot open {name}: {e}"))?;
    let loaded =
        file::read(&mut BufReader::with_capacity(1 << 20, opened)).map_err(|e| format!("{name}: {e}"))?;
    let text = loaded.metadata.get("state").ok_or_else(|| format!("{name} is a model, not a checkpoint"))?;
    let state = serde_json::from_str(text).map_err(|e| format!("{name} holds no state of a run: {e}"))?;
    Ok((loaded, state))
}
