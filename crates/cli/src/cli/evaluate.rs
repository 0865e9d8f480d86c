//! The options of `evaluate`, and of commands on its games: `merge` and `climbs`.

use super::EngineArgs;
use afterstate_lab::shard::ShardIndex;
use clap::Args;
use std::path::PathBuf;

/// Play many games and report scores and tiles with error bars.
///
/// The numbers depend on the seed, not on the number of threads. Ctrl-C stops and reports the games
/// played so far.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate evaluate --player greedy --games 10000
  afterstate evaluate --game threes --player random --games 1000 --json
  afterstate evaluate --model runs/quick/model.afterstate --games 1000
  afterstate evaluate --model model.afterstate --ply 3 --games 100
  afterstate evaluate --player heuristic --ply 2 --games 10
  afterstate evaluate --ply 2 --ply-by-empty 3:4,6:3 --games 10
  afterstate evaluate --player corner --games 100 --save games.jsonl
  afterstate evaluate --model model.afterstate --games 100000 --shard 3/8 --json > part-3.json
  afterstate evaluate --model model.afterstate --shard 3/8 --mapped /dev/shm/model --json > part-3.json")]
pub(crate) struct Evaluate {
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) games: u64,
    /// Play the task of a recipe or run: from its start positions until its goal is made
    #[arg(long, value_name = "R", conflicts_with_all = ["shard", "save"])]
    pub(crate) task: Option<String>,
    /// Seed of all chance
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Keep every game replayable in this file, one JSON object per line
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Play one part of the games, from 1/N to N/N; `merge` joins what `--json` prints of all parts
    #[arg(long, value_name = "I/N", allow_hyphen_values = true)]
    pub(crate) shard: Option<ShardIndex>,
    /// Share the network with other processes of this machine, by files in this directory
    ///
    /// The first process writes the network there, all of them map it into memory, where it is once.
    /// The files stay: remove them when you are done.
    #[arg(long, value_name = "DIR")]
    pub(crate) mapped: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Join the parts of an evaluation into the report of the whole.
///
/// The parts are what `evaluate --shard I/N --json` printed. The result is what one machine would
/// have reported, but for the times: `seconds` is the time of all machines together.
#[derive(Args)]
#[command(after_help = "Example:
  afterstate merge part-*.json --out whole.json")]
pub(crate) struct Merge {
    /// The files of all parts, in any order
    #[arg(required = true, num_args = 1.., value_name = "SHARD")]
    pub(crate) shards: Vec<PathBuf>,
    /// The file to write the report to, as `evaluate --json` prints it
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Count how often games go on from one split to the next, and what those score that do not.
///
/// A game often ends when it has nearly made a large tile, and goes on for long once it has made
/// it. FILE holds games that `evaluate --save` kept, or replays of other programs. Without --split:
/// every tile up to the largest any game made, and before it the tiles that have to come together.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate evaluate --ply 2 --games 1000 --save games.jsonl && afterstate climbs games.jsonl
  afterstate climbs games.jsonl --split '8192 16384 16384+8192 32768' --json")]
pub(crate) struct Climbs {
    /// Files of games, one on each line
    #[arg(required = true, num_args = 1.., value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Splits in order: sets of tiles that are on the board together
    #[arg(long, value_name = "TILES")]
    pub(crate) split: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
