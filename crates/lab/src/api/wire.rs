//! JSON types of requests and answers. The fields are the contract; add, never rename.

use crate::analysis::{Analysed, Losses};
use crate::variant::Variant;
use serde::{Deserialize, Serialize};

/// The game of requests that do not name one.
fn usual() -> String {
    "2048".into()
}

/// Request of a new game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    #[serde(default = "usual")]
    pub(super) game: String,
    #[serde(default)]
    pub(super) variant: Variant,
    pub(super) seed: Option<u64>,
}

/// Request to describe a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    #[serde(default = "usual")]
    pub(super) game: String,
    #[serde(default)]
    pub(super) variant: Variant,
    pub(super) position: String,
}

/// A position and what can be done in it.
#[derive(Serialize)]
pub struct Position {
    /// The shortest name of the game.
    pub(super) game: String,
    /// The name with the version of the rules.
    pub(super) id: String,
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// In our notation.
    pub(super) position: String,
    /// The numbers on the tiles, row by row; 0 is empty.
    pub(super) tiles: Vec<u64>,
    /// The score a game that starts here has already.
    pub(super) score: u64,
    pub(super) legal: Vec<&'static str>,
    pub(super) over: bool,
    /// The tile that counts as a win.
    pub(super) win: u64,
}

/// Request of a slide: with what chance answers, or with all that it can.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    #[serde(default = "usual")]
    pub(super) game: String,
    #[serde(default)]
    pub(super) variant: Variant,
    pub(super) position: String,
    #[serde(rename = "move")]
    pub(super) direction: String,
    pub(super) seed: Option<u64>,
}

/// A slide and what chance answered.
#[derive(Serialize)]
pub struct Moved {
    /// The position after the new tile.
    pub(super) position: String,
    /// The points of the slide and of the new tile.
    pub(super) reward: u64,
    /// Cell, rank of the new tile, next hint (0 in 2048).
    pub(super) spawn: [u8; 3],
    pub(super) legal: Vec<&'static str>,
    pub(super) over: bool,
}

/// A slide and all that chance can do.
#[derive(Serialize)]
pub struct Outcomes {
    /// The points of the slide.
    pub(super) reward: u64,
    pub(super) outcomes: Vec<Outcome>,
}

/// One of them.
#[derive(Serialize)]
pub(super) struct Outcome {
    pub(super) cell: u8,
    pub(super) rank: u8,
    /// The number on the new tile.
    pub(super) tile: u64,
    /// The next hint as the notation writes it; empty in 2048.
    pub(super) hint: String,
    pub(super) probability: f64,
    pub(super) position: String,
}

/// Search budget and model of a request.
#[derive(Deserialize, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Effort {
    /// Moves to look ahead.
    pub(super) ply: Option<u64>,
    /// Time for one search instead.
    pub(super) time_ms: Option<u64>,
    /// The model asked for.
    pub model: Option<String>,
}

/// Request to judge every move of a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Analyze {
    #[serde(default = "usual")]
    pub(super) game: String,
    #[serde(default)]
    pub(super) variant: Variant,
    pub(super) position: String,
    pub(super) ply: Option<u64>,
    pub(super) time_ms: Option<u64>,
    /// The model asked for.
    pub model: Option<String>,
}

/// The answer, everything once.
#[derive(Serialize)]
pub struct Analysis {
    pub(super) game: String,
    /// Options of the game, where it is a variant.
    pub(super) variant: Variant,
    /// The model that judged.
    pub(super) model: String,
    /// The rules the model learned, where they are others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) warning: Option<String>,
    /// True if the request named no depth and no time.
    pub(super) usual: bool,
    #[serde(flatten)]
    pub(super) judged: Judged,
}

/// The answer as the first version of the API promises it: its one position also in a list, as
/// `afterstate analyze --json` tells it.
#[derive(Serialize)]
pub struct RepeatedAnalysis {
    #[serde(flatten)]
    once: Analysis,
    positions: [Judged; 1],
}

impl Analysis {
    /// The answer of the first version.
    #[must_use]
    pub fn repeated(self) -> RepeatedAnalysis {
        RepeatedAnalysis { positions: [self.judged.clone()], once: self }
    }
}

/// One position.
#[derive(Serialize, Clone)]
pub(super) struct Judged {
    #[serde(flatten)]
    pub(super) analysed: Analysed,
    /// True if the depth asked for was reached.
    pub(super) complete: bool,
}

/// Request of moves of the player, in a batch.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    #[serde(default = "usual")]
    pub(super) game: String,
    #[serde(default)]
    pub(super) variant: Variant,
    /// Position to continue; without it a new game begins.
    pub(super) position: Option<String>,
    /// Largest number of moves.
    pub(super) moves: u64,
    pub(super) ply: Option<u64>,
    pub(super) time_ms: Option<u64>,
    /// The model asked for.
    pub model: Option<String>,
    pub(super) seed: Option<u64>,
}

/// Some moves of a game: one entry of each list per move.
#[derive(Serialize, Default)]
pub struct Track {
    pub(super) game: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<String>,
    /// The rules the model learned, where they are others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) warning: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) variant: Option<Variant>,
    pub(super) start: String,
    /// The score at `start`: none in 2048, its tiles in Threes.
    pub(super) start_score: u64,
    /// One letter per move: `u r d l`.
    pub(super) moves: String,
    /// Cell, rank of the new tile, next hint.
    pub(super) spawns: Vec<[u8; 3]>,
    /// The positions after each move.
    pub(super) positions: Vec<String>,
    /// The points of each move and its new tile.
    pub(super) rewards: Vec<u64>,
    /// True if no move is possible at the end.
    pub(super) over: bool,
}

impl Track {
    /// Number of moves.
    pub fn len(&self) -> usize {
        self.rewards.len()
    }

    /// True if nothing was played.
    pub fn is_empty(&self) -> bool {
        self.rewards.is_empty()
    }
}

/// Request to read a game in any format.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadReplay {
    pub(super) text: String,
    /// The game, where the format does not name it.
    pub(super) game: Option<String>,
}

/// A whole game: the moves, and what chance did.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    #[serde(default = "usual")]
    pub(super) game: String,
    #[serde(default)]
    pub(super) variant: Variant,
    pub(super) start: String,
    pub(super) moves: String,
    pub(super) spawns: Vec<[u8; 3]>,
    /// The format to write it in.
    pub(super) format: Option<String>,
    /// The effort to judge it with.
    #[serde(default)]
    pub effort: Effort,
}

/// A game as the text of some format.
#[derive(Serialize)]
pub struct Written {
    pub(super) format: &'static str,
    pub(super) text: String,
}

/// One line of the analysis of a game.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Line {
    /// A move.
    Move(JudgedMove),
    /// The last line, about the whole game.
    Game(JudgedGame),
}

/// One move of a game, judged.
#[derive(Serialize)]
pub struct JudgedMove {
    /// Counted from 1.
    pub(super) number: usize,
    #[serde(rename = "move")]
    pub(super) direction: &'static str,
    pub(super) best: Option<&'static str>,
    /// Value of the best move.
    pub(super) value: Option<f32>,
    /// Values of the moves: up, right, down, left.
    pub(super) values: [Option<f32>; 4],
    pub(super) loss: f32,
    pub(super) mistake: bool,
}

/// A game, judged.
#[derive(Serialize, Clone)]
pub struct JudgedGame {
    /// True if it was judged to its end.
    pub(super) done: bool,
    /// Moves that were judged.
    pub moves: usize,
    pub(super) model: String,
    /// The rules the model learned, where they are others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) warning: Option<String>,
    #[serde(flatten)]
    pub(super) losses: Losses,
}

/// One entry of the list of models.
#[derive(Serialize)]
pub struct Model {
    /// The name to ask for it.
    pub id: String,
    /// `model` of a file, `builtin`, `run`, or the kind of a player without one.
    pub kind: &'static str,
    /// The game it was made for; null for all.
    pub game: Option<String>,
    /// Default depth of its searches.
    pub ply: u8,
    /// True if it can look further than one move.
    pub searches: bool,
    /// Bytes of its file; null where there is none.
    pub bytes: Option<u64>,
    /// True if it answers without being loaded first.
    pub loaded: bool,
    /// Bytes of memory its weights take, while it is loaded.
    pub memory: Option<u64>,
}
