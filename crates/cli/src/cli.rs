//! The command line. No other module knows `clap`.
//!
//! Long because: every option of every command is here, and nothing else.

use crate::failure::usage;
use afterstate_lab::mind::{PlayerName, Wish};
use afterstate_lab::recipe;
use afterstate_lab::shard::Part;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::time::Duration;

/// 2048, Threes! and their relatives: learn to play them, search, solve, measure.
///
/// Without a command: trains a network by the recipe `quick` for two to three minutes, and shows how well it plays.
#[derive(Parser)]
#[command(name = "afterstate", version, max_term_width = 100)]
#[command(after_help = "Examples:
  afterstate
  afterstate evaluate --player greedy --games 10000
  afterstate solve 2048-2x3
  afterstate COMMAND --help")]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Games(Games),
    Perft(Perft),
    Solve(Solve),
    Evaluate(Evaluate),
    Analyze(Analyze),
    Engine(Engine),
    Bench(Bench),
    Train(Train),
    Recipes(Recipes),
    Convert(Convert),
    Inspect(Inspect),
    Serve(Serve),
    Play(Play),
    Watch(Watch),
    Merge(Merge),
    Report(Report),
}

/// List the games, one name first on each line.
#[derive(Args)]
#[command(after_help = "Example:
  afterstate games")]
pub(crate) struct Games {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options that make variants of a game.
#[derive(Args, Clone, Default)]
pub(crate) struct Variant {
    /// Tiles on the board at the start
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) start_tiles: Option<usize>,
    /// New tiles with their probabilities, like 2:.8,4:.2 (2048 and 1024)
    #[arg(long, value_name = "TABLE")]
    pub(crate) spawn: Option<String>,
    /// The tile that no longer merges, like 2048
    #[arg(long, value_name = "V", allow_negative_numbers = true)]
    pub(crate) merge_cap: Option<u64>,
}

/// Count the tree of the rules below a position.
///
/// For every depth: leaves (move x outcome of chance), different states among them, legal moves and dead
/// nodes one level above, the sum of the moves' rewards, and the exact value of that many moves.
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
    /// How many moves deep
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

impl Variant {
    /// The same without the command line around it.
    pub(crate) fn plain(&self) -> recipe::Variant {
        recipe::Variant {
            start_tiles: self.start_tiles,
            spawn: self.spawn.clone(),
            merge_cap: self.merge_cap,
        }
    }
}

/// Who plays, as `--player` names them.
fn players() -> impl TypedValueParser<Value = PlayerName> {
    use PlayerName::{Corner, Greedy, Heuristic, Model, Random};
    const ALL: [(PlayerName, &str); 5] = [
        (Model, "The network of --model"),
        (Random, "Every legal move with equal chance"),
        (Greedy, "The largest immediate reward; among equals the first of up, right, down, left"),
        (Corner, "Left and down by turns, right if neither is legal, up if nothing else is"),
        (Heuristic, "Expectimax with a hand-made judgement of boards"),
    ];
    let named = ALL.map(|(player, help)| PossibleValue::new(player.name()).help(help));
    PossibleValuesParser::new(named)
        .map(|name| ALL.iter().find(|(player, _)| player.name() == name).map_or(Model, |(player, _)| *player))
}

/// Play many games and say how well, with error bars.
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
  afterstate evaluate --player corner --games 100 --save games.jsonl
  afterstate evaluate --model model.afterstate --games 100000 --shard 3/8 --json > part-3.json")]
pub(crate) struct Evaluate {
    /// The model that plays, of any format
    #[arg(long, value_name = "M")]
    pub(crate) model: Option<PathBuf>,
    /// Who plays [default: model, where one is given or built in]
    #[arg(long, value_parser = players(), value_name = "P")]
    pub(crate) player: Option<PlayerName>,
    /// The game, see `afterstate games` [default: the model's, else 2048]
    #[arg(long, value_name = "G")]
    pub(crate) game: Option<String>,
    #[command(flatten)]
    pub(crate) variant: Variant,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) games: u64,
    /// How many moves to look ahead [default: 1 with a model, 2 for the heuristic player]
    #[arg(long, value_name = "P", allow_negative_numbers = true, conflicts_with = "time_per_move")]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=i64::from(afterstate::search::MAX_PLY)))]
    pub(crate) ply: Option<u8>,
    /// Look ahead as far as this time allows, like 50ms or 1s
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = duration)]
    pub(crate) time_per_move: Option<Duration>,
    /// What all chance derives from
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Threads [default: all processors]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) threads: Option<u64>,
    /// Keep every game replayable in this file, one JSON object per line
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Play one part of the games, from 1/N to N/N; `merge` joins what `--json` prints of all parts
    #[arg(long, value_name = "I/N", allow_hyphen_values = true)]
    pub(crate) shard: Option<Part>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Join the parts of an evaluation into the report of the whole.
///
/// The parts are what `evaluate --shard I/N --json` printed. The result is what one machine would have reported,
/// but for the times: `seconds` is the time of all machines together.
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

/// Tables, figures and games of runs: one page of HTML, the same in Markdown, figures as SVG and PNG.
///
/// RUN is a run directory, a directory with a set of runs, or a file of results: games of `evaluate --save`, an answer
/// of `evaluate --json` or `merge --out`, shards. Runs that differ only by their seed are shown as one, with bands.
/// What is missing or damaged is said in the report.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate report runs/mine --out runs/mine
  afterstate report runs/alpha-* --out report --title 'How large a step?'
  afterstate report games.jsonl --out report")]
pub(crate) struct Report {
    /// Runs, sets of runs, or files of results
    #[arg(required = true, num_args = 1.., value_name = "RUN")]
    pub(crate) runs: Vec<PathBuf>,
    /// The directory to write report.html, report.md and figures/ to
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// The title of the report
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// Do not play the games worth watching again
    #[arg(long)]
    pub(crate) no_games: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// What every move of a position is worth, and what it loses against the best one.
///
/// POSITION is a position, `-` for one position on each line of standard input (or CSV with the position in the
/// first column; the answer is CSV too), or a file: a replay, whose every move is judged, or such a list.
/// Without --model the built-in model of the game is used, or where there is none the heuristic player's hand-made judgement.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate analyze 1210/3302/0043/5512
  afterstate analyze 1210/3302/0043/5512 --model model.afterstate --ply 3 --rollouts 100
  afterstate analyze - --model model.afterstate < boards.csv > values.csv
  afterstate analyze games.jsonl --model model.afterstate --ply 2 --json")]
pub(crate) struct Analyze {
    /// Positions, `-` for standard input, or files with replays or positions
    #[arg(required = true, num_args = 1.., value_name = "POSITION")]
    pub(crate) positions: Vec<String>,
    #[command(flatten)]
    pub(crate) thinker: Thinker,
    /// Play this many games on from each position, and say how they end
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) rollouts: Option<u64>,
    /// What all chance of the rollouts derives from
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Who judges, which game, how far ahead.
#[derive(Args, Clone)]
pub(crate) struct Thinker {
    /// The model that judges, of any format
    #[arg(long, value_name = "M")]
    pub(crate) model: Option<PathBuf>,
    /// Who judges: model or heuristic [default: model, where one is given or built in]
    #[arg(long, value_parser = players(), value_name = "P")]
    pub(crate) player: Option<PlayerName>,
    /// The game, see `afterstate games` [default: the replay's or the model's, else 2048]
    #[arg(long, value_name = "G")]
    pub(crate) game: Option<String>,
    #[command(flatten)]
    pub(crate) variant: Variant,
    /// How many moves to look ahead [default: 1 with a model, 2 for the heuristic player]
    #[arg(long, value_name = "P", allow_negative_numbers = true, conflicts_with = "time_per_move")]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=i64::from(afterstate::search::MAX_PLY)))]
    pub(crate) ply: Option<u8>,
    /// Look ahead as far as this time allows, like 50ms or 1s
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = duration)]
    pub(crate) time_per_move: Option<Duration>,
    /// Threads [default: all processors]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) threads: Option<u64>,
}

impl Thinker {
    /// What these options say.
    pub(crate) fn wish(&self) -> Wish {
        Wish {
            player: self.player,
            model: self.model.clone(),
            game: self.game.clone(),
            variant: self.variant.plain(),
            ply: self.ply,
            time: self.time_per_move,
        }
    }
}

/// Answer other programs, line by line on standard input and output.
///
/// Lines in: `position POSITION`, `go ply 3`, `go time 50` (milliseconds), `go`, `game NAME`, `newgame`,
/// `isready`, `quit`. Lines out: `bestmove left value 1234.5 ply 3`, or `bestmove none` where the game is over;
/// `readyok`; `error` and what is wrong. A search cannot be stopped; give it a time.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate engine --model model.afterstate
  printf 'position 1210/3302/0043/5512\\ngo ply 3\\n' | afterstate engine --player heuristic")]
pub(crate) struct Engine {
    #[command(flatten)]
    pub(crate) thinker: Thinker,
}

/// Learn to play: train a network by a recipe, with live progress and checkpoints.
///
/// Ctrl-C or SIGTERM saves first; --resume goes on from the last checkpoint.
#[derive(Args, Default)]
#[command(after_help = "Examples:
  afterstate train
  afterstate train tc-4x6 --games 50000
  afterstate train strong-8x6 --run ~/runs/strong --time 8h
  afterstate train --run ~/runs/strong --resume --time 8h
  afterstate train td-4x6 --set learning.alpha=0.001 --set run.seed=2")]
pub(crate) struct Train {
    /// A built-in recipe (see `afterstate recipes`) or a file [default: quick; with --resume the run's own]
    pub(crate) recipe: Option<String>,
    /// Change a value of the recipe
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Multiply the number of games
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
    /// What all chance derives from
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// Go on from the last checkpoint of the run directory
    #[arg(long)]
    pub(crate) resume: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// List the built-in recipes, one name first on each line.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate recipes
  afterstate recipes --show tc-4x6")]
pub(crate) struct Recipes {
    /// Print the whole recipe
    #[arg(long, value_name = "NAME")]
    pub(crate) show: Option<String>,
}

/// Measure speed on a fixed workload, and print the signature of the program.
///
/// The signature changes if and only if a game, a player, chance, learning or search behaves differently: quote it
/// in commits that touch them. Search runs with a network trained on the spot.
#[derive(Args)]
#[command(after_help = "Example:
  afterstate bench --json")]
pub(crate) struct Bench {
    /// Measure search with this model of 4x4 2048 instead
    #[arg(long, value_name = "M")]
    pub(crate) model: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Convert a model or replays from one format to another.
///
/// The input is recognised by its contents, the output's format is chosen by its name: for models .safetensors,
/// .w (TDL2048), .bin.special (aszczepanski), anything else is our own; for replays .jsonl (our own), .league
/// (2048league, old 2048verse), .verse (2048verse) and .episode (course frameworks).
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate convert weights.w model.afterstate
  afterstate convert model.afterstate model.safetensors
  afterstate convert model.afterstate small.afterstate --sparse
  afterstate convert redundant.afterstate faster.afterstate --fold
  afterstate convert checkpoint.afterstate to-share.afterstate --pack 24
  afterstate convert games.jsonl games.verse")]
pub(crate) struct Convert {
    /// The model or the replays to read
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The file to write
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Which game replays are of, where they do not say it (course episodes)
    #[arg(long, value_name = "G")]
    pub(crate) game: Option<String>,
    /// Leave out zeros (our own format of models only)
    #[arg(long)]
    pub(crate) sparse: bool,
    /// Keep the most important weights, rounded and squeezed, so that the file has at most this many MiB; for play only
    #[arg(long, value_name = "MIB", conflicts_with = "sparse")]
    pub(crate) pack: Option<f64>,
    /// Fold small tuples into the larger ones that contain them: the same values from fewer weights, for play only
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
  afterstate inspect runs/yeh2016-2048-3stage/model.afterstate --jumps")]
pub(crate) struct Inspect {
    /// The model
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

/// Play a game on this terminal: colours, hints, values of moves, undo, and the AI plays if you like.
///
/// Keys: arrows, WASD or HJKL slide; space lets the AI play, + and - set its speed; t hint; v values;
/// u undo; y redo; n new game; p and P look further or less far ahead; g next game; b next board; q quits.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate play
  afterstate play --game threes
  afterstate play --game 2048-5x5 --model model.afterstate --ply 2")]
pub(crate) struct Play {
    #[command(flatten)]
    pub(crate) thinker: Thinker,
    /// What all chance derives from [default: the clock]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// Moves a second when the AI plays
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) speed: u32,
}

/// Watch the AI play on this terminal; the keys of `play` work here too.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate watch
  afterstate watch --game threes --ply 3 --speed 5
  afterstate watch --model model.afterstate --time-per-move 50ms")]
pub(crate) struct Watch {
    #[command(flatten)]
    pub(crate) play: Play,
}

/// Open the page and the HTTP API: play, watch, analyse.
///
/// Listens on this machine only, unless --addr says otherwise. Ctrl-C ends it.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate serve
  afterstate serve --model model.afterstate --runs runs
  afterstate serve --addr 0.0.0.0:8080 --host box.lan")]
pub(crate) struct Serve {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:2048")]
    pub(crate) addr: std::net::SocketAddr,
    /// A model that judges, of any format; may be given several times, for several games
    #[arg(long, value_name = "M")]
    pub(crate) model: Vec<PathBuf>,
    /// How many moves to look ahead where a request does not say
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=i64::from(afterstate::search::MAX_PLY)))]
    pub(crate) ply: Option<u8>,
    /// The directory whose runs may be watched; nothing outside it is read
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub(crate) runs: PathBuf,
    /// A name under which clients may call this server, besides localhost and plain addresses
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
    /// Searches at a time [default: one for each processor]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) searches: Option<u16>,
    /// Requests that may wait for their search before others are told that the server is busy [default: 128]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=10_000))]
    pub(crate) queue: Option<u16>,
}

/// What the user typed; `None` for nothing at all. Help and version are printed here.
pub(crate) fn parse() -> anyhow::Result<Option<Command>> {
    let error = match Cli::try_parse() {
        Ok(cli) => return Ok(cli.command),
        Err(error) => error,
    };
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        crate::output::text(&error.render().to_string())?;
        std::process::exit(0);
    }
    Err(usage(one_line(&error.render().to_string())))
}

/// The message of an error page without its usage and its pointer to the help.
fn one_line(page: &str) -> String {
    let kept = page.lines().take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
    let text = kept.map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
    let text = text.strip_prefix("error: ").unwrap_or(&text).replace(":;", ":");
    format!("{text}; see --help")
}

/// A time like `50ms`, `1.5s` or `2m`.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong =
        || format!("'{text}' is not a time from 1ms to 100 days; write one like 50ms, 1.5s, 30m or 8h");
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let number: f64 = text[..split].parse().map_err(|_| wrong())?;
    let unit = match &text[split..] {
        "ms" => 1e-3,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let seconds = number * unit;
    if (1e-3..=8.64e6).contains(&seconds) { Ok(Duration::from_secs_f64(seconds)) } else { Err(wrong()) }
}

/// How many threads: as asked, else one for each processor.
pub(crate) fn threads(asked: Option<u64>) -> usize {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or(all, |n| usize::try_from(n).unwrap_or(all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_makes_sense_and_every_command_has_an_example() {
        let mut cli = Cli::command();
        cli.clone().debug_assert();
        for command in cli.get_subcommands_mut() {
            let name = command.get_name().to_string();
            let help = command.render_long_help().to_string();
            assert!(help.contains(&format!("  afterstate {name}")), "{name} has no example");
        }
    }

    #[test]
    fn times_are_read() {
        assert_eq!(duration("50ms"), Ok(Duration::from_millis(50)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        for wrong in ["", "50", "s", "-1s", "1e99s", "0ms", "nans", "2 s", "5y"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn errors_take_one_line() {
        let error = Cli::try_parse_from(["afterstate", "perft", "2048"]).map(|_| ()).unwrap_err();
        let line = one_line(&error.render().to_string());
        assert!(!line.contains('\n') && line.contains("<POSITION>"), "{line}");
    }
}
