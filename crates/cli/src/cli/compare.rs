//! The command line of `compare`.

use clap::Args;

/// Compare two models, runs, players or results: the difference, its interval, and a verdict.
///
/// A and B are models, run directories, built-in models (`builtin`, `builtin:2048`), players
/// (random, greedy, corner, heuristic), or results: what `evaluate --shard 1/1 --json` or `evaluate
/// --save` wrote, or a file of a run's eval/. A side without results plays --games games. Each side
/// has its own seed: a common one would not make the answer more precise.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate compare runs/one runs/two
  afterstate compare runs/one builtin
  afterstate compare model.afterstate other.w --ply 2 --games 500
  afterstate compare runs/set/runs/alpha=0.01,seed=1 runs/set/runs/alpha=0.1,seed=1 --stored
  afterstate compare before.json after.json --json")]
pub(crate) struct Compare {
    /// The first
    pub(crate) a: String,
    /// The second
    pub(crate) b: String,
    /// Games of each side
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(2..=100_000_000))]
    pub(crate) games: u64,
    /// Moves to look ahead [default: 1 with a model, 2 for the heuristic player]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=i64::from(afterstate::search::MAX_PLY)))]
    pub(crate) ply: Option<u8>,
    /// The game, see `afterstate games` [default: the models']
    #[arg(long, value_name = "G")]
    pub(crate) game: Option<String>,
    /// Of run directories: take the final games they hold (at --ply, else 1) rather than play
    #[arg(long)]
    pub(crate) stored: bool,
    /// Seed of all chance: A plays with this one, B with the next
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Threads [default: all processors]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) threads: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
