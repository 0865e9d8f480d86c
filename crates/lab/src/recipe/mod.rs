//! Recipes: experiments as a page of TOML.
//!
//! ```
//! use afterstate_lab::recipe::Recipe;
//! let recipe = Recipe::parse("mine.toml", r#"
//!     game = "2048"
//!     [network]
//!     patterns = "4x6"
//!     [learning]
//!     step = "coherence"
//!     [run]
//!     games = 1000
//! "#, &["run.seed=7".into()]).unwrap();
//! assert_eq!(recipe.run.seed, 7);
//! ```

mod build;
mod builtin;
mod evaluate;
mod parse;
mod schedule;
mod stages;
mod sweep;

pub use build::{BuildError, Built};
pub use builtin::{BUILT_IN, BuiltIn};
pub use evaluate::{Evaluate, Final, PerPly};
pub use parse::RecipeError;
pub use schedule::Schedule;
pub use stages::{Collect, Judging, Procedure, StageWeights, Stages, Until, begins};
pub use sweep::{Axis, Point, Sweep};

pub use crate::variant::Variant;

use afterstate::learn::greedy;
use serde::{Deserialize, Serialize};

/// Everything that defines a training run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Its purpose, in a sentence.
    #[serde(default)]
    pub about: String,
    /// The game, as the catalogue names it.
    #[serde(default = "defaults::game")]
    pub game: String,
    /// Options that make variants of the game.
    #[serde(default)]
    pub variant: Variant,
    /// The value function.
    pub network: Network,
    /// Its stages.
    #[serde(default)]
    pub stages: Stages,
    /// The learning rule.
    #[serde(default)]
    pub learning: Learning,
    /// Length of the training, and its seed.
    pub run: Run,
    /// Games played greedily in between, to see what has been learned.
    #[serde(default)]
    pub evaluate: Evaluate,
    /// Games played when learning is over.
    #[serde(default, rename = "final", skip_serializing_if = "Final::is_default")]
    pub last: Final,
    /// When to save.
    #[serde(default)]
    pub checkpoint: Checkpoint,
    /// Lists of values, whose product is a set of runs.
    #[serde(default, skip_serializing_if = "Sweep::is_empty")]
    pub sweep: Sweep,
}

/// The value function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// A named set, or lists of cells.
    pub patterns: String,
    /// Ranks that a cell can show.
    #[serde(default = "defaults::alphabet")]
    pub alphabet: u8,
    /// Other features, each with a table of its own.
    #[serde(default)]
    pub features: Vec<String>,
    /// True if symmetric images of a pattern share its weights.
    #[serde(default = "defaults::yes")]
    pub shared: bool,
    /// True if there is a set of weights for each tile that Threes announces.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hint: bool,
    /// Number of the largest tiles that are shown as walls, of the last rank of the alphabet; all
    /// other large tiles are shown as the rank below. With 0 the last rank is that of all large tiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walls: Option<u8>,
    /// [`Stages::split`] of older recipes.
    #[serde(default, skip_serializing)]
    pub(super) stages: Vec<String>,
}

/// Kind of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueKind {
    /// V(s′).
    #[default]
    Afterstates,
    /// V(s).
    States,
    /// Q(s, a).
    Actions,
}

impl From<ValueKind> for greedy::ValueKind {
    fn from(values: ValueKind) -> Self {
        match values {
            ValueKind::Afterstates => Self::Afterstates,
            ValueKind::States => Self::States,
            ValueKind::Actions => Self::Actions,
        }
    }
}

/// Target of the updates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// The next value.
    #[default]
    Td0,
    /// The value `steps` moves on.
    NStep,
    /// The λ-return cut off after `steps`, after the game.
    Truncated,
    /// The λ-return, backwards over a finished game.
    Backward,
    /// Errors of `steps` moves, discounted by λ.
    Delayed,
    /// The mean over all new tiles of the value of the best answer, backwards over a finished game.
    Expected,
}

/// Step size of an update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepRule {
    /// α.
    #[default]
    Fixed,
    /// Temporal coherence.
    Coherence,
    /// Temporal coherence that gives an error to those weights that are not settled.
    Credit,
    /// One over the root of the number of visits.
    #[serde(rename = "visits")]
    VisitCount,
}

impl StepRule {
    /// Bytes of memory that a weight takes, with all that the rule keeps beside it.
    pub fn bytes(self) -> u64 {
        match self {
            Self::Fixed => 4,
            Self::VisitCount => 8,
            Self::Coherence | Self::Credit => 12,
        }
    }
}

/// Start positions of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// At the start position.
    #[default]
    Fresh,
    /// And again from the middle of the last game, until it is short.
    Restart,
    /// And again from random positions of a game played with search, from which nothing is learned.
    Searched,
    /// From given positions in turn.
    Boards,
    /// From positions made to order: see [`Generated`].
    Generated,
}

/// The learning rule: independent choices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Learning {
    /// Kind of values.
    pub values: ValueKind,
    /// Target of the updates.
    pub target: Target,
    /// For `n-step`, `truncated` and `delayed`.
    pub steps: usize,
    /// For `truncated`, `backward` and `delayed`.
    pub lambda: f32,
    /// Step size.
    pub step: StepRule,
    /// For `fixed`: α per weight, as in the papers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f32>,
    /// For `fixed`: α divided by the number of active weights; instead of `alpha`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha_total: Option<f32>,
    /// For `expected`: how often a move is any legal one, in half of the training games.
    pub explore: f32,
    /// For `coherence` and `credit`.
    pub beta: f32,
    /// For `coherence` and `credit`: the visits of a weight that its sums remember, as a decaying
    /// mean; 0 remembers all.
    pub memory: f32,
    /// For `visits`.
    pub eta: f32,
    /// The factor on every step once learning is saturated; 1 leaves it alone.
    pub decay: f32,
    /// Averages of 1,000 games in a span of the test of saturation.
    pub saturation: usize,
    /// The value every position starts with.
    pub optimistic: f32,
    /// A model whose weights learning begins with, instead of zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Share of that model's coherence sums, read or assumed, that is kept: less adapts sooner.
    pub keep_sums: f32,
    /// If that model has no coherence sums: the coherence its weights are taken to have; with 1
    /// sums begin anew.
    pub coherence: f32,
    /// True if weights that model never met begin as the mean of their neighbours, instead of zero.
    pub guess: bool,
    /// Start positions of games.
    pub start: Start,
    /// For `restart`: a game of fewer moves ends the chain.
    pub restart_shortest: usize,
    /// For `searched`: how far that game looks ahead.
    pub search_ply: u8,
    /// For `searched`: how many games start on its path.
    pub search_starts: u32,
    /// For `boards`: a file of positions, one on each line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boards: Option<String>,
    /// For `generated`: how positions are made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generated: Option<Generated>,
    /// Tiles with which a game is cut, like `16384+8192`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// The factor on every step by the share of games played: `1 .2@.8 .04@.96` is 1, from 80 % on
    /// .2, from 96 % on .04.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Schedule>,
    /// True if losing costs the whole score.
    pub forfeit: bool,
}

impl Default for Learning {
    fn default() -> Self {
        Self {
            values: ValueKind::default(),
            target: Target::default(),
            steps: 5,
            lambda: 0.5,
            step: StepRule::default(),
            alpha: None,
            alpha_total: None,
            explore: 0.0,
            beta: 1.0,
            memory: 0.0,
            eta: 1.0,
            decay: 1.0,
            saturation: 100,
            optimistic: 0.0,
            from: None,
            keep_sums: 1.0,
            coherence: 1.0,
            guess: false,
            start: Start::default(),
            restart_shortest: 16,
            search_ply: 2,
            search_starts: 20,
            boards: None,
            generated: None,
            goal: None,
            schedule: None,
            forfeit: false,
        }
    }
}

/// Generated start positions: large tiles along a snake from a corner, small ones anywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Generated {
    /// The large tiles in the order of the snake, like `16384+4096`.
    pub tiles: String,
    /// Tiles built next, largest first, like `2048+1024+512`: the first k of them are there too, k
    /// uniform from none to all.
    pub way: String,
    /// The share of positions whose tiles lie anywhere.
    pub anywhere: f64,
    /// The largest of the small tiles.
    pub small: u64,
    /// So many positions are used again and again; 0 makes a new one for every game.
    pub pool: u64,
    /// After so many games the oldest position of the pool gives way to a new one; 0 keeps them
    /// all.
    pub renew: u64,
}

impl Default for Generated {
    fn default() -> Self {
        Self { tiles: String::new(), way: String::new(), anywhere: 0.1, small: 16, pool: 0, renew: 0 }
    }
}

/// Duration and chance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Games from the start position.
    pub games: u64,
    /// Seed of all chance.
    #[serde(default = "defaults::seed")]
    pub seed: u64,
    /// Threads; 0 for one per processor.
    #[serde(default)]
    pub threads: usize,
    /// Logs besides `train.jsonl` and TensorBoard's events.
    #[serde(default = "defaults::logs")]
    pub logs: Vec<LogFormat>,
}

/// A log for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogFormat {
    /// `train.csv`: the learning curve, a row for every 1,000 games.
    Csv,
    /// `train.log`: what TDL2048 prints every 1,000 games.
    Tdl2048,
}

/// When to save, and what to keep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Checkpoint {
    /// Minutes between checkpoints.
    pub minutes: f64,
    /// Number to keep, besides the best.
    pub keep: usize,
}

impl Default for Checkpoint {
    fn default() -> Self {
        Self { minutes: 10.0, keep: 2 }
    }
}

impl Recipe {
    /// Multiplies what the recipe costs: its numbers of games and of collected boards, and with
    /// them the distance between evaluations.
    pub fn scale(&mut self, factor: f64) {
        let scaled = |n: u64| ((n as f64 * factor).round() as u64).max(1);
        self.run.games = scaled(self.run.games);
        self.stages.games = self.stages.games.map(scaled);
        if self.stages.procedure == Procedure::OneByOne {
            self.stages.boards = scaled(self.stages.boards);
        }
        self.stages.limit = self.stages.limit.map(scaled);
        if self.evaluate.every > 0 {
            self.evaluate.every = scaled(self.evaluate.every);
        }
        self.sweep.scale(scaled);
    }
}

mod defaults {
    pub(super) fn game() -> String {
        "2048".into()
    }
    pub(super) fn alphabet() -> u8 {
        16
    }
    pub(super) fn yes() -> bool {
        true
    }
    pub(super) fn seed() -> u64 {
        1
    }
    pub(super) fn logs() -> Vec<super::LogFormat> {
        vec![super::LogFormat::Csv]
    }
}
