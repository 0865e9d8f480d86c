//! Every JSON type of the API. The fields are the contract; add, never rename.

use afterstate_lab::analysis::{Analysed, Losses};
use afterstate_lab::recipe::Variant;
use serde::{Deserialize, Serialize};

/// The game of requests that do not name one.
fn usual() -> String {
    "2048".into()
}

/// `POST /api/v1/game`: a new game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    #[serde(default = "usual")]
    pub(crate) game: String,
    #[serde(default)]
    pub(crate) variant: Variant,
    pub(crate) seed: Option<u64>,
}

/// `POST /api/v1/position`: what a position is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Look {
    #[serde(default = "usual")]
    pub(crate) game: String,
    #[serde(default)]
    pub(crate) variant: Variant,
    pub(crate) position: String,
}

/// A position and what can be done in it.
#[derive(Serialize)]
pub(crate) struct Position {
    /// The shortest name of the game.
    pub(crate) game: String,
    /// The name with the version of the rules.
    pub(crate) id: String,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    /// In our notation.
    pub(crate) position: String,
    /// The numbers on the tiles, row by row; 0 is empty.
    pub(crate) tiles: Vec<u64>,
    /// The score a game that starts here has already.
    pub(crate) score: u64,
    pub(crate) legal: Vec<&'static str>,
    pub(crate) over: bool,
    /// The tile that counts as a win.
    pub(crate) win: u64,
}

/// `POST /api/v1/move`: a slide and what chance answers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Move {
    #[serde(default = "usual")]
    pub(crate) game: String,
    #[serde(default)]
    pub(crate) variant: Variant,
    pub(crate) position: String,
    #[serde(rename = "move")]
    pub(crate) direction: String,
    pub(crate) seed: Option<u64>,
}

/// The answer.
#[derive(Serialize)]
pub(crate) struct Moved {
    /// The position after the new tile.
    pub(crate) position: String,
    /// The points of the slide and of the new tile.
    pub(crate) reward: u64,
    /// Cell, rank of the new tile, next hint (0 in 2048).
    pub(crate) spawn: [u8; 3],
    pub(crate) legal: Vec<&'static str>,
    pub(crate) over: bool,
}

/// The answer of `POST /api/v1/outcomes`: a slide and all that chance can do.
#[derive(Serialize)]
pub(crate) struct Outcomes {
    /// The points of the slide.
    pub(crate) reward: u64,
    pub(crate) outcomes: Vec<Outcome>,
}

/// One of them.
#[derive(Serialize)]
pub(crate) struct Outcome {
    pub(crate) cell: u8,
    pub(crate) rank: u8,
    /// The number on the new tile.
    pub(crate) tile: u64,
    /// The next hint as the notation writes it; empty in 2048.
    pub(crate) hint: String,
    pub(crate) probability: f64,
    pub(crate) position: String,
}

/// Search budget and model of a request.
#[derive(Deserialize, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Effort {
    pub(crate) ply: Option<u64>,
    pub(crate) time_ms: Option<u64>,
    pub(crate) model: Option<String>,
}

/// `POST /api/v1/analyze`: what every move is worth.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Analyze {
    #[serde(default = "usual")]
    pub(crate) game: String,
    #[serde(default)]
    pub(crate) variant: Variant,
    pub(crate) position: String,
    pub(crate) ply: Option<u64>,
    pub(crate) time_ms: Option<u64>,
    pub(crate) model: Option<String>,
}

/// The answer: as `afterstate analyze --json` tells it, and its one position once more at the top.
#[derive(Serialize)]
pub(crate) struct Analysis {
    pub(crate) game: String,
    /// The model.
    pub(crate) model: String,
    #[serde(flatten)]
    pub(crate) first: Judged,
    pub(crate) positions: [Judged; 1],
}

/// One position.
#[derive(Serialize, Clone)]
pub(crate) struct Judged {
    #[serde(flatten)]
    pub(crate) analysed: Analysed,
    /// True if the depth asked for was reached.
    pub(crate) complete: bool,
}

/// `POST /api/v1/play`: moves of the player, in a batch.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Play {
    #[serde(default = "usual")]
    pub(crate) game: String,
    #[serde(default)]
    pub(crate) variant: Variant,
    /// Position to continue; without it a new game begins.
    pub(crate) position: Option<String>,
    /// Largest number of moves.
    pub(crate) moves: u64,
    pub(crate) ply: Option<u64>,
    pub(crate) time_ms: Option<u64>,
    pub(crate) model: Option<String>,
    pub(crate) seed: Option<u64>,
}

/// Some moves of a game: one entry of each list per move.
#[derive(Serialize, Default)]
pub(crate) struct Track {
    pub(crate) game: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) variant: Option<Variant>,
    pub(crate) start: String,
    /// The score at `start`: none in 2048, its tiles in Threes.
    pub(crate) start_score: u64,
    /// One letter per move: `u r d l`.
    pub(crate) moves: String,
    /// Cell, rank of the new tile, next hint.
    pub(crate) spawns: Vec<[u8; 3]>,
    /// The positions after each move.
    pub(crate) positions: Vec<String>,
    /// The points of each move and its new tile.
    pub(crate) rewards: Vec<u64>,
    /// True if no move is possible at the end.
    pub(crate) over: bool,
}

/// `POST /api/v1/replay/read`: a game in any format.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadReplay {
    pub(crate) text: String,
    /// The game, where the format does not name it.
    pub(crate) game: Option<String>,
}

/// A whole game: the moves, and what chance did.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    #[serde(default = "usual")]
    pub(crate) game: String,
    #[serde(default)]
    pub(crate) variant: Variant,
    pub(crate) start: String,
    pub(crate) moves: String,
    pub(crate) spawns: Vec<[u8; 3]>,
    /// `POST /api/v1/replay/write`: the format.
    pub(crate) format: Option<String>,
    /// `POST /api/v1/replay/analyze`: how far to look ahead.
    #[serde(default)]
    pub(crate) effort: Effort,
}

/// One line of `POST /api/v1/replay/analyze`.
#[derive(Serialize)]
pub(crate) struct JudgedMove {
    /// Counted from 1.
    pub(crate) number: usize,
    #[serde(rename = "move")]
    pub(crate) direction: &'static str,
    pub(crate) best: Option<&'static str>,
    /// Value of the best move.
    pub(crate) value: Option<f32>,
    /// Values of the moves: up, right, down, left.
    pub(crate) values: [Option<f32>; 4],
    pub(crate) loss: f32,
    pub(crate) mistake: bool,
}

/// Its last line.
#[derive(Serialize)]
pub(crate) struct JudgedGame {
    pub(crate) done: bool,
    pub(crate) moves: usize,
    pub(crate) model: String,
    #[serde(flatten)]
    pub(crate) losses: Losses,
}

/// One entry of `GET /api/v1/models`.
#[derive(Serialize)]
pub(crate) struct Model {
    pub(crate) id: String,
    pub(crate) kind: &'static str,
    /// The game it was made for; null for all.
    pub(crate) game: Option<String>,
    /// Default depth of its searches.
    pub(crate) ply: u8,
    /// True if it can look further than one move.
    pub(crate) searches: bool,
}

/// One entry of `GET /api/v1/runs`.
#[derive(Serialize)]
pub(crate) struct Run {
    /// Its directory below the directory of runs.
    pub(crate) name: String,
    pub(crate) games: Option<u64>,
    pub(crate) mean: Option<f64>,
    /// True if a process works in it.
    pub(crate) active: bool,
    /// When its log last grew, in seconds since 1970.
    pub(crate) changed: u64,
    pub(crate) report: bool,
}

/// `GET /api/v1/runs/{run}`.
#[derive(Serialize)]
pub(crate) struct RunDetails {
    pub(crate) name: String,
    pub(crate) config: String,
    pub(crate) meta: serde_json::Value,
    /// Files that may be fetched: `report.html`, `figures/…`.
    pub(crate) files: Vec<String>,
    /// The game it learned.
    pub(crate) game: Option<String>,
    /// The name under which its model can be asked to play, once it has one.
    pub(crate) model: Option<String>,
}

/// The beginning of names of models that runs ended with: `run:NAME`.
pub(crate) const RUN: &str = "run:";

/// Query of `/move` and `/analyze`. Clients add keys of their own, which are ignored.
#[derive(Deserialize)]
pub(crate) struct ClassicMove {
    pub(crate) board: Option<String>,
    #[serde(rename = "move")]
    pub(crate) direction: Option<String>,
}
