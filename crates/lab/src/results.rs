//! Results of evaluations: the JSON of `evaluate`. Add fields, never rename them.

use crate::variant::Variant;
use afterstate::evaluate::{Reached, Summary};
use afterstate::statistics::{Distribution, Interval, Moments};
use serde::Serialize;
use std::collections::BTreeMap;

/// `[low, high]`.
pub type Ci95 = [f64; 2];

fn ci95(interval: Interval) -> Ci95 {
    [interval.low, interval.high]
}

/// A mean with its interval; the interval is missing below two values.
#[derive(Serialize)]
pub struct Mean {
    /// The average.
    pub mean: f64,
    /// Its 95 % interval.
    pub ci95: Option<Ci95>,
}

impl Mean {
    /// The mean of a sample, if it is not empty.
    pub fn of(moments: &Moments) -> Option<Self> {
        (moments.count() > 0).then(|| Self { mean: moments.mean(), ci95: moments.ci95().map(ci95) })
    }
}

/// One quantity over many games. `std` and `ci95` need two games, `max_of_100` a hundred.
#[derive(Serialize)]
pub struct Spread {
    mean: f64,
    ci95: Option<Ci95>,
    median: f64,
    std: Option<f64>,
    min: f64,
    max: f64,
    max_of_100: Option<Mean>,
}

impl Spread {
    /// Converts the numbers to another unit.
    pub fn scaled(d: &Distribution, unit: f64) -> Self {
        let m = &d.moments;
        Self {
            mean: m.mean() * unit,
            ci95: m.ci95().map(|i| [i.low * unit, i.high * unit]),
            median: d.median * unit,
            std: m.std().map(|s| s * unit),
            min: m.min().unwrap_or(0.0) * unit,
            max: m.max().unwrap_or(0.0) * unit,
            max_of_100: if unit == 1.0 { Mean::of(&d.max_of_100) } else { None },
        }
    }

    /// The numbers of a distribution.
    pub fn of(d: &Distribution) -> Self {
        Self::scaled(d, 1.0)
    }
}

/// The labels of the largest tiles.
#[derive(Serialize)]
pub struct Largest {
    median: f64,
    min: u64,
    max: u64,
    std: Option<f64>,
}

/// The share of games whose largest tile is this or a larger one.
#[derive(Serialize)]
pub struct Tile {
    /// The share.
    pub rate: f64,
    /// Its 95 % interval.
    pub ci95: Ci95,
    /// Games in which it was the largest.
    pub largest: u64,
}

impl Tile {
    /// Statistics of a tile.
    pub fn of(tile: &Reached) -> Self {
        Self { rate: tile.reached.rate(), ci95: ci95(tile.reached.ci95()), largest: tile.largest }
    }
}

/// The answer of `evaluate`.
#[derive(Serialize)]
pub struct Evaluation {
    /// The game with the version of its rules.
    pub game: String,
    /// Options in which it differs from the game's own rules; empty if it does not.
    pub variant: Variant,
    /// The player.
    pub player: String,
    /// The model that played: `builtin:2048`, a file, a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// Depth of its searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u8>,
    /// Instead of `ply`: the seconds for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_per_move: Option<f64>,
    games: u64,
    score: Spread,
    moves: Spread,
    largest: Largest,
    win_rate: f64,
    win_ci95: Ci95,
    tiles: BTreeMap<u64, Tile>,
    /// Moves per second of playing.
    pub moves_per_second: f64,
    /// Seconds of playing.
    pub seconds: f64,
    /// Durations of the games.
    pub seconds_per_game: Spread,
    /// Seed of all chance.
    pub seed: u64,
    /// True if it was stopped before all games were played.
    pub interrupted: bool,
    /// Rate of games that reached the goal of their task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<GoalRate>,
}

/// Rate of games that reached their goal.
#[derive(Serialize)]
pub struct GoalRate {
    /// The tiles of the goal.
    pub tiles: String,
    /// The share of games.
    pub rate: f64,
    /// Its 95 % interval.
    pub ci95: Ci95,
}

/// Circumstances of an evaluation.
#[derive(Clone, Debug)]
pub struct Circumstances {
    /// The game with the version of its rules.
    pub game: String,
    /// Its options.
    pub variant: Variant,
    /// The player.
    pub player: String,
    /// The model: `builtin:2048`, a file, a run.
    pub model: Option<String>,
    /// Depth of its searches.
    pub ply: Option<u8>,
    /// The seconds for each move.
    pub time_per_move: Option<f64>,
    /// Seed of all chance.
    pub seed: u64,
    /// Seconds of playing.
    pub seconds: f64,
    /// Durations of the games.
    pub nanoseconds_per_game: Distribution,
    /// True if it was stopped before all games were played.
    pub interrupted: bool,
    /// With which tiles games were cut.
    pub goal: Option<String>,
}

impl Evaluation {
    /// The report of these games.
    pub fn of(summary: &Summary, about: &Circumstances) -> Self {
        let largest = &summary.largest;
        let total_moves = summary.moves.moments.mean() * summary.games as f64;
        Self {
            game: about.game.clone(),
            variant: about.variant.clone(),
            player: about.player.clone(),
            model: about.model.clone(),
            ply: about.ply,
            time_per_move: about.time_per_move,
            games: summary.games,
            score: Spread::of(&summary.score),
            moves: Spread::of(&summary.moves),
            largest: Largest {
                median: largest.median,
                min: largest.moments.min().unwrap_or(0.0) as u64,
                max: largest.moments.max().unwrap_or(0.0) as u64,
                std: largest.moments.std(),
            },
            win_rate: summary.win.rate(),
            win_ci95: ci95(summary.win.ci95()),
            tiles: summary.tiles.iter().map(|t| (t.label, Tile::of(t))).collect(),
            moves_per_second: total_moves / about.seconds.max(1e-9),
            seconds: about.seconds,
            seconds_per_game: Spread::scaled(&about.nanoseconds_per_game, 1e-9),
            seed: about.seed,
            interrupted: about.interrupted,
            goal: about.goal.as_ref().map(|tiles| GoalRate {
                tiles: tiles.clone(),
                rate: summary.goal.rate(),
                ci95: ci95(summary.goal.ci95()),
            }),
        }
    }
}
