//! The command line. No module outside this one knows `clap`.

mod compare;
mod engine;
mod evaluate;
mod install;
mod live;
mod model;
mod reproduce;
mod rules;
mod train;

pub(crate) use compare::Compare;
pub(crate) use engine::{Analyze, Engine, EngineArgs};
pub(crate) use evaluate::{Climbs, Evaluate, Merge};
pub(crate) use install::{Completions, Health, Man};
pub(crate) use live::{Play, Serve, Site, Watch};
pub(crate) use model::{Convert, Inspect};
pub(crate) use reproduce::Reproduce;
pub(crate) use rules::{Endgames, Perft, Solve};
pub(crate) use train::Train;

use crate::failure::usage;
use afterstate_lab::variant;
use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::time::Duration;

/// 2048, Threes! and their relatives: learn to play them, search, solve, measure.
///
/// Without a command: trains a network by the recipe `quick` for two to three minutes, and shows
/// how well it plays.
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

/// Commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    Games(Games),
    Perft(Perft),
    Solve(Solve),
    Endgames(Endgames),
    Evaluate(Evaluate),
    Analyze(Analyze),
    Engine(Engine),
    Bench(Bench),
    Train(Train),
    Recipes(Recipes),
    Convert(Convert),
    Inspect(Inspect),
    Serve(Serve),
    Site(Site),
    Play(Play),
    Watch(Watch),
    Merge(Merge),
    Climbs(Climbs),
    Compare(Compare),
    Reproduce(Reproduce),
    Report(Report),
    Health(Health),
    Completions(Completions),
    Man(Man),
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

impl Variant {
    /// The options as the lab knows them.
    pub(crate) fn plain(&self) -> variant::Variant {
        variant::Variant {
            start_tiles: self.start_tiles,
            spawn: self.spawn.clone(),
            merge_cap: self.merge_cap,
        }
    }
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

/// Write a report of runs: tables, figures and games as a page of HTML, as Markdown, and as SVG and
/// PNG.
///
/// RUN is a run directory, a directory with a set of runs, or a file of results: games of
/// `evaluate --save`, an answer of `evaluate --json` or `merge --out`, shards. Runs that differ
/// only by their seed are shown as one, with bands. The report names what is missing or damaged.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate report runs/mine
  afterstate report runs/alpha-* --out report --title 'How large a step?'
  afterstate report games.jsonl --out report")]
pub(crate) struct Report {
    /// Runs, sets of runs, or files of results
    #[arg(required = true, num_args = 1.., value_name = "RUN")]
    pub(crate) runs: Vec<PathBuf>,
    /// The directory to write report.html, report.md and figures/ to [default: a single RUN, if that
    /// is a directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// The title of the report
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// Leave out the replays of games worth watching
    #[arg(long)]
    pub(crate) no_games: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Measure speed on a fixed workload, and print the signature of the program.
///
/// The signature changes if and only if a game, a player, chance, learning or search behaves
/// differently: quote it in commits that touch them. Search runs with a network trained on the
/// spot.
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

/// Parses the command line; `None` for no command. Help and version are printed here.
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
        || format!("'{text}' is not a time from 10us to 100 days; write one like 50ms, 1.5s, 30m or 8h");
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let number: f64 = text[..split].parse().map_err(|_| wrong())?;
    let unit = match &text[split..] {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let seconds = number * unit;
    if (1e-5..=8.64e6).contains(&seconds) { Ok(Duration::from_secs_f64(seconds)) } else { Err(wrong()) }
}

/// Number of threads: as asked, else one for each processor.
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

    /// Whoever judges has values.
    #[test]
    fn help_shows_only_the_players_a_command_accepts() {
        let mut cli = Cli::command();
        for (name, blind) in
            [("evaluate", true), ("analyze", false), ("engine", false), ("play", false), ("watch", false)]
        {
            let help = cli.find_subcommand_mut(name).unwrap().render_long_help().to_string();
            assert_eq!(help.contains("- greedy"), blind, "{name}");
            assert!(help.contains("- heuristic"), "{name}");
        }
    }

    #[test]
    fn times_are_read() {
        assert_eq!(duration("50ms"), Ok(Duration::from_millis(50)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("100us"), Ok(Duration::from_micros(100)));
        for wrong in ["", "50", "s", "-1s", "1e99s", "0ms", "9us", "nans", "2 s", "5y"] {
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
