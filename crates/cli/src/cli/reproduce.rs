//! The options of `reproduce`.

use clap::Args;
use std::path::PathBuf;

/// Make a table or figure of the papers again, ours beside theirs; without a target, list them all.
///
/// Networks are trained, games are played, and a report is written to OUT/TARGET: report.html,
/// report.md and figures. Runs are kept in OUT/runs and shared by targets; stopped by Ctrl-C and
/// called again it goes on where it was. --scale 1 is the paper's budget. At smaller scales stages
/// begin at lower tiles, because the paper's are out of reach; the report says so. The target
/// `claims` trains and plays nothing: it says for each claim of the papers whether the runs there
/// are confirm it.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate reproduce
  afterstate reproduce yeh2016-table2 --miniature
  afterstate reproduce yeh2016-table2 --scale 0.02
  afterstate reproduce szubert2014-comparison --scale 0.1 --seeds 3 --out reproduced
  afterstate reproduce claims
  afterstate reproduce tournament --model runs/quick/model.afterstate
  afterstate reproduce tournament --game threes")]
pub(crate) struct Reproduce {
    /// The table or figure, like yeh2016-table1
    pub(crate) target: Option<String>,
    /// The share of the paper's training games and evaluation games
    #[arg(long, value_name = "F", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) scale: f64,
    /// Everything as small as it can be, in seconds: small networks, low splits, at most 2,000
    /// games a stage
    #[arg(long)]
    pub(crate) miniature: bool,
    /// Directory of runs and reports
    #[arg(long, value_name = "DIR", default_value = "reproduced")]
    pub(crate) out: PathBuf,
    /// Train everything so often, with seeds 1 to N
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) seeds: u64,
    /// Games of each evaluation, or those at 1-ply, 2-ply, … as 1000,500,100 [default: the paper's
    /// times the scale, at least 100]
    #[arg(long, value_name = "N", value_delimiter = ',', allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) games: Vec<u64>,
    /// Ranks added to the tiles that begin stages, like -2 [default: what the scale calls for]
    #[arg(long, value_name = "RANKS", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(i32).range(-12..=0))]
    pub(crate) shift: Option<i32>,
    /// Threads of evaluations [default: all processors]; a training has one, so that it can be
    /// repeated
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) threads: Option<u64>,
    /// For the tournament card: the model that plays [default: the built-in one]
    #[arg(long, value_name = "M")]
    pub(crate) model: Option<PathBuf>,
    /// Depth of the expectimax of Mayer-Hirshfeld et al. [default: 9, 7 and 6, as published]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=i64::from(afterstate::search::MAX_PLY)))]
    pub(crate) ply: Option<u8>,
    /// For the tournament card: the game [default: the model's, else 2048]
    #[arg(long, value_name = "G")]
    pub(crate) game: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
