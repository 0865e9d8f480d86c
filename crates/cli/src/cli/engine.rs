//! The options of an engine, as `analyze`, `engine`, `play` and `watch` take them.

use super::{Variant, duration};
use crate::failure::usage;
use afterstate_lab::engine::{
    EngineOptions, Judging, PlayerName, SearchBudget, Tuning, depth_by_empty, probability,
};
use afterstate_lab::variant::ConfiguredGame;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;
use std::time::Duration;

/// Values of `--player`.
fn players() -> impl TypedValueParser<Value = PlayerName> {
    named(true)
}

/// Values of `--player` where moves are judged: the help leaves out players without values.
pub(super) fn judges() -> impl TypedValueParser<Value = PlayerName> {
    named(false)
}

fn named(blind: bool) -> impl TypedValueParser<Value = PlayerName> {
    use PlayerName::{Corner, Greedy, Heuristic, MayerHirshfeld, Model, Random};
    const ALL: [(PlayerName, &str); 6] = [
        (Model, "The network of --model"),
        (Random, "Every legal move with equal chance"),
        (Greedy, "The largest immediate reward; among equals the first of up, right, down, left"),
        (Corner, "Left and down by turns, right if neither is legal, up if nothing else is"),
        (Heuristic, "Expectimax with a hand-made evaluation of boards"),
        (
            MayerHirshfeld,
            "The expectimax of Mayer-Hirshfeld et al.: 9 moves ahead on 4x4, 7 on 5x5, 6 on larger boards",
        ),
    ];
    let named = ALL.map(|(player, help)| {
        PossibleValue::new(player.name()).help(help).hide(!blind && !player.has_values())
    });
    PossibleValuesParser::new(named)
        .map(|name| ALL.iter().find(|(player, _)| player.name() == name).map_or(Model, |(player, _)| *player))
}

/// Show the value of every move of a position, and its loss against the best one.
///
/// POSITION is a position, `-` for one position on each line of standard input (or CSV with the
/// position in the first column; the answer is CSV too), or a file: a replay, whose every move is
/// analysed, or such a list. Without --model the built-in model of the game is used, or where there
/// is none the heuristic player.
#[derive(Args)]
#[command(mut_arg("player", |player| player.value_parser(judges())))]
#[command(after_help = "Examples:
  afterstate analyze 1210/3302/0043/5512
  afterstate analyze 1210/3302/0043/5512 --model model.afterstate --ply 3 --rollouts 100
  afterstate analyze 1210/3302/0043/5512 --ply 3 --ply-by-empty 3:5 --cut-off 1e-4
  afterstate analyze - --model model.afterstate < boards.csv > values.csv
  afterstate analyze games.jsonl --model model.afterstate --ply 2 --json")]
pub(crate) struct Analyze {
    /// Positions, `-` for standard input, or files with replays or positions
    #[arg(required = true, num_args = 1.., value_name = "POSITION")]
    pub(crate) positions: Vec<String>,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// Play this many games on from each position, and summarise them
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) rollouts: Option<u64>,
    /// Seed of the rollouts
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of an engine: model or player, game, search budget.
#[derive(Args, Clone)]
pub(crate) struct EngineArgs {
    /// A model: a file of any format, a run directory, builtin, or one like builtin:2048
    #[arg(long, value_name = "M")]
    pub(crate) model: Option<PathBuf>,
    /// The player [default: model, where one is given or built in]
    #[arg(long, value_parser = players(), value_name = "P")]
    pub(crate) player: Option<PlayerName>,
    /// The game, see `afterstate games` [default: the replay's or the model's, else 2048]
    #[arg(long, value_name = "G")]
    pub(crate) game: Option<String>,
    #[command(flatten)]
    pub(crate) variant: Variant,
    /// Moves to look ahead [default: 3; `evaluate` takes 1 with a model, 2 for heuristic;
    /// mayer-hirshfeld 6 to 9]
    #[arg(long, value_name = "P", allow_negative_numbers = true, conflicts_with = "time_per_move")]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=i64::from(afterstate::search::MAX_PLY)))]
    pub(crate) ply: Option<u8>,
    /// Look ahead as far as this time allows, like 50ms or 1s
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = duration)]
    pub(crate) time_per_move: Option<Duration>,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Endgame tables to follow where they know the chances of the moves, as `endgames` makes them
    #[arg(long, value_name = "DIR")]
    pub(crate) endgames: Option<PathBuf>,
    /// Follow them only where this tile or a larger one is on the board, like 32768
    #[arg(long, value_name = "TILE", requires = "endgames")]
    pub(crate) endgames_from: Option<u64>,
    /// Threads [default: all processors]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) threads: Option<u64>,
}

impl EngineArgs {
    /// The options of the lab; an unknown game is a usage error.
    pub(crate) fn options(&self) -> anyhow::Result<EngineOptions> {
        let variant = self.variant.plain();
        let game = self.game.as_deref().map(|name| ConfiguredGame::parse(name, variant.clone()));
        Ok(EngineOptions {
            player: self.player,
            model: self.model.clone(),
            game: game.transpose().map_err(usage)?,
            variant,
            budget: SearchBudget::of(self.ply, self.time_per_move),
            tuning: self.search.tuning(),
            judging: self.search.judging,
            endgames: self.endgames.clone(),
            endgames_from: self.endgames_from,
            mapped: None,
            table_bytes: None,
        })
    }
}

/// Limits of a search beside its depth and time.
#[derive(Args, Clone)]
pub(crate) struct SearchArgs {
    /// Judge positions reached with a smaller probability than this at once, like 1e-4
    #[arg(long, value_name = "PROBABILITY", allow_hyphen_values = true, value_parser = probability)]
    pub(crate) cut_off: Option<f32>,
    /// Other depths where few cells are empty: 3:5,6:4 is 5 moves up to 3 empty cells, 4 up to 6
    #[arg(long, value_name = "EMPTY:PLY", value_delimiter = ',', allow_hyphen_values = true)]
    #[arg(value_parser = depth_by_empty)]
    pub(crate) ply_by_empty: Vec<(u8, u8)>,
    /// Memory of the search in MiB [default: 64 beyond 2-ply]; it changes the speed, not the values
    #[arg(long, value_name = "MIB", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=1 << 16))]
    pub(crate) table: Option<u64>,
    /// The stage that judges leaves of a search: their own or the game's [default: the model's]
    #[arg(long, value_name = "WHOSE", value_parser = judging())]
    pub(crate) judging: Option<Judging>,
}

impl SearchArgs {
    /// The limits as the lab takes them.
    pub(crate) fn tuning(&self) -> Tuning {
        let table = self.table.map(|mib| (mib as usize) << 20);
        Tuning { cut_off: self.cut_off, by_empty: self.ply_by_empty.clone(), table }
    }
}

/// Values of `--judging`.
fn judging() -> impl TypedValueParser<Value = Judging> {
    PossibleValuesParser::new(["leaf", "game"])
        .map(|name| if name == "game" { Judging::Game } else { Judging::Leaf })
}

/// Answer other programs, line by line on standard input and output.
///
/// Lines in: `position POSITION`, `go ply 3`, `go time 50` (milliseconds), `go`, `game NAME`,
/// `newgame`, `isready`, `quit`. Lines out: `bestmove left value 1234.5 ply 3`, or `bestmove none`
/// where the game is over; `readyok`; `error` and what is wrong. A search cannot be stopped; give
/// it a time.
#[derive(Args)]
#[command(mut_arg("player", |player| player.value_parser(judges())))]
#[command(after_help = "Examples:
  afterstate engine --model model.afterstate
  printf 'position 1210/3302/0043/5512\\ngo ply 3\\n' | afterstate engine --player heuristic")]
pub(crate) struct Engine {
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}
