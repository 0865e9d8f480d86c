//! `result.json`: how a run ended. While a process works on it, the file is not there.

use super::files::{Directory, RunError, at, write_whole};
use super::train::Finished;
use crate::disk;
use afterstate::search::MAX_PLY;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::Path;

const FILE: &str = "result.json";
const SCHEMA: &str = "afterstate.result/1";

/// Contents of the file.
#[derive(Serialize, Deserialize)]
struct Ending {
    schema: String,
    complete: bool,
    games: u64,
    moves: u64,
    seconds: f64,
    score: Score,
}

#[derive(Serialize, Deserialize)]
struct Score {
    mean: f64,
}

/// Final evaluation in short.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct FinalScore {
    /// Depth of the search.
    pub ply: u8,
    /// Number of games.
    pub games: u64,
    /// Seed of the games.
    pub seed: u64,
    /// The average score.
    pub score: MeanScore,
}

/// An average with its interval.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct MeanScore {
    /// The average.
    pub mean: f64,
    /// Its 95 % interval; nothing below two games.
    pub ci95: Option<[f64; 2]>,
}

/// The final evaluations of a run, by their plies.
pub(super) fn finals(run: &Path) -> Vec<FinalScore> {
    let read = |ply| {
        let text = std::fs::read_to_string(run.join(format!("eval/final-ply{ply}.json"))).ok()?;
        serde_json::from_str(&text).ok()
    };
    (1..=MAX_PLY).filter_map(read).collect()
}

/// Writes down how a run ended.
pub(super) fn write(directory: &Directory, finished: &Finished) -> Result<(), RunError> {
    let Finished { games, moves, seconds, mean, complete, .. } = *finished;
    let result = Ending { schema: SCHEMA.into(), complete, games, moves, seconds, score: Score { mean } };
    let text = serde_json::to_string_pretty(&result).expect("plain data");
    write_whole(&directory.join(FILE), |out| out.write_all(format!("{text}\n").as_bytes()))
}

/// The run goes on.
pub(super) fn remove(directory: &Directory) -> Result<(), RunError> {
    let path = directory.join(FILE);
    match disk::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at("cannot remove", &path)(error)),
        _ => Ok(()),
    }
}

/// Result of the run in this directory, if it has ended.
pub fn read(run: &Path) -> Option<Finished> {
    let text = std::fs::read_to_string(run.join(FILE)).ok()?;
    let result: Ending = serde_json::from_str(&text).ok().filter(|found: &Ending| found.schema == SCHEMA)?;
    Some(Finished {
        games: result.games,
        moves: result.moves,
        seconds: result.seconds,
        mean: result.score.mean,
        model: std::path::absolute(run.join("model.afterstate")).ok()?,
        complete: result.complete,
        finals: finals(run),
    })
}
