//! The options of `perft`, `solve` and `endgames`.

use super::Variant;
use clap::Args;
use std::path::PathBuf;

/// Count the tree of the rules below a position.
///
/// For every depth: leaves (move x outcome of chance), different states among them, legal moves and
/// dead nodes one level above, the sum of the moves' rewards, and the exact value of that many
/// moves.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate perft 2048 0000/0100/0000/0001 --depth 3
  afterstate perft threes '1020/0310/2003/0312 bag=0,1,1 hint=3' --depth 2 --json")]
pub(crate) struct Perft {
    /// The game, see `afterstate games`
    pub(crate) game: String,
    /// The position: rows of ranks joined by '/', or another dialect; in Threes with bag= and hint=
    #[arg(required = true, num_args = 1..)]
    pub(crate) position: Vec<String>,
    /// Depth in moves
    #[arg(long, value_name = "D", default_value_t = 3, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=64))]
    pub(crate) depth: u64,
    #[command(flatten)]
    pub(crate) variant: Variant,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Solve a small board exactly: best possible play and uniform random play.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate solve 2048-2x3
  afterstate solve 2048-2x3 --tile 64
  afterstate solve threes-2x2 --start-tiles 2 --json")]
pub(crate) struct Solve {
    /// The game, see `afterstate games`
    pub(crate) game: String,
    /// Maximise the probability of making this tile, instead of the score
    #[arg(long, value_name = "V", allow_negative_numbers = true)]
    pub(crate) tile: Option<u64>,
    #[command(flatten)]
    pub(crate) variant: Variant,
    /// The most memory to use, in GiB [default: 12, or 80 % of what is free]
    #[arg(long, value_name = "GIB", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub(crate) memory: Option<u64>,
    /// Threads [default: all processors]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) threads: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Compute endgame tables: the exact chances of the last climbs, when the large tiles stay where
/// they are.
///
/// Without --hold and --goal, on 4x4, the tables that hold six tiles, for goals of 512, 256 and
/// 128: some 5.3 GB and six minutes of two processors. `evaluate`, `analyze`, `play` and others use
/// them by --endgames DIR.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate endgames 2048 --out endgames
  afterstate endgames 2048 --out endgames --hold '####/##../..../....' --goal 128
  afterstate evaluate --ply 2 --endgames endgames")]
pub(crate) struct Endgames {
    /// The game, see `afterstate games`
    pub(crate) game: String,
    /// The directory to write the tables to; those that are there already are left
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Tiles that stay: rows of # (held) and . (free) joined by '/'; goes with --goal
    #[arg(long, value_name = "ROWS", requires = "goal")]
    pub(crate) hold: Option<String>,
    /// The smallest held tile, which is to be made once more; goes with --hold
    #[arg(long, value_name = "V", requires = "hold", allow_negative_numbers = true)]
    pub(crate) goal: Option<u64>,
    #[command(flatten)]
    pub(crate) variant: Variant,
    /// Threads [default: all processors]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) threads: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
