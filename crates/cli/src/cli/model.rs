//! The options of `convert` and `inspect`.

use clap::Args;
use std::path::PathBuf;

/// Convert a model or replays from one format to another.
///
/// The input is recognised by its contents, the output's format is chosen by its name: for models
/// .safetensors, .w (TDL2048), .bin.special (aszczepanski), anything else is our own; for replays
/// .jsonl (our own), .league (2048league, old 2048verse), .verse (2048verse) and .episode (course
/// frameworks).
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate convert weights.w model.afterstate
  afterstate convert model.afterstate model.safetensors
  afterstate convert model.afterstate small.afterstate --sparse
  afterstate convert redundant.afterstate faster.afterstate --fold
  afterstate convert checkpoint.afterstate to-share.afterstate --pack 24
  afterstate convert --join one.afterstate two.afterstate three.afterstate joined.afterstate
  afterstate convert games.jsonl games.verse")]
pub(crate) struct Convert {
    /// The model or the replays to read, and the file to write; with --join several models, then
    /// the file to write
    #[arg(value_names = ["IN", "OUT"], num_args = 2.., required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Join networks that were trained apart: the first for boards with at most one wall, the next
    /// for two, and so on
    #[arg(long, conflicts_with = "fold")]
    pub(crate) join: bool,
    /// Game of replays that do not name it (course episodes)
    #[arg(long, value_name = "G")]
    pub(crate) game: Option<String>,
    /// Leave out zeros (our own format of models only)
    #[arg(long)]
    pub(crate) sparse: bool,
    /// Keep the most important weights, rounded as finely as each matters and squeezed, so that the
    /// file has at most this many MiB; for play only
    #[arg(long, value_name = "MIB", conflicts_with = "sparse")]
    pub(crate) pack: Option<f64>,
    /// Fold small tuples into the larger ones that contain them: the same values from fewer
    /// weights, for play only
    #[arg(long)]
    pub(crate) fold: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Show what a model is made of and where it comes from, and check that it is whole.
#[derive(Args)]
#[command(after_help = "Example:
  afterstate inspect model.afterstate
  afterstate inspect runs/yeh2016-2048-3stage --jumps
  afterstate inspect builtin:2048")]
pub(crate) struct Inspect {
    /// The model: a file, a run directory, or a built-in one like builtin:2048
    pub(crate) model: PathBuf,
    /// Measure how far the value jumps where stages meet
    #[arg(long)]
    pub(crate) jumps: bool,
    /// For --jumps: greedy games to find boards in, where the model's run has collected none
    #[arg(long, value_name = "N", default_value_t = 200, requires = "jumps")]
    pub(crate) games: u64,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
