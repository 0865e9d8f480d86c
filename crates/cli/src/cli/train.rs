//! The command line of `train`.

use super::duration;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// Learn to play: train a network by a recipe, with live progress and checkpoints.
///
/// Ctrl-C or SIGTERM saves first; --resume goes on from the last checkpoint. Lists of values
/// (--sweep, or [sweep] in the recipe) make a set of runs of their product.
#[derive(Args, Default)]
#[command(after_help = "Examples:
  afterstate train
  afterstate train tc-4x6 --games 50000
  afterstate train strong-8x6 --run ~/runs/strong --time 8h
  afterstate train --run ~/runs/strong --resume --time 8h
  afterstate train td-4x6 --set learning.alpha=0.001 --set run.seed=2
  afterstate train td-4x6 --sweep learning.alpha=0.001,0.0025 --sweep run.seed=1,2,3 --dry-run")]
pub(crate) struct Train {
    /// A built-in recipe (see `afterstate recipes`) or a file [default: quick; with --resume the
    /// run's own]
    pub(crate) recipe: Option<String>,
    /// Change a value of the recipe
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Train once with each of these values; several such lists make the product of runs
    #[arg(long, value_name = "KEY=V,V")]
    pub(crate) sweep: Vec<String>,
    /// Check everything, say what would be trained, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Multiply the number of games, and of boards to collect; a shorter run has lower splits
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    pub(crate) scale: Option<f64>,
    /// The run directory [default: runs/RECIPE, numbered if it exists]
    #[arg(long, value_name = "DIR")]
    pub(crate) run: Option<PathBuf>,
    /// Threads [default: as the recipe says, else all processors]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) threads: Option<u64>,
    /// Games from the start position
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub(crate) games: Option<u64>,
    /// Stop after this much playing and learning: 90s, 30m, 8h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// Seed of all chance
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// Go on from the last checkpoint of the run directory
    #[arg(long)]
    pub(crate) resume: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
