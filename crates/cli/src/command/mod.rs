//! One file per command.

mod analyze;
mod bench;
mod climbs;
mod compare;
mod completions;
mod convert;
mod endgames;
mod engine;
mod evaluate;
mod games;
mod health;
mod inspect;
mod man;
mod merge;
mod perft;
mod play;
mod recipes;
mod report;
mod reproduce;
mod serve;
mod site;
mod solve;
mod train;
mod welcome;

use crate::cli::{Command, Variant};
use crate::failure::{complain, usage};
use afterstate::game::catalogue::AnyGame;
use afterstate_lab::endgames::EndgamesError;
use afterstate_lab::engine::{Engine, EngineError, EngineOptions};
use afterstate_lab::run::{Remedy, RunError};
use afterstate_lab::variant::ConfiguredGame;

/// Does what was asked.
pub(crate) fn run(command: Option<Command>) -> anyhow::Result<()> {
    match command {
        None => welcome::run(),
        Some(Command::Games(args)) => games::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Endgames(args)) => endgames::run(&args),
        Some(Command::Evaluate(args)) => evaluate::run(&args),
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Engine(args)) => engine::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Train(args)) => train::run(&args),
        Some(Command::Recipes(args)) => recipes::run(&args),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Inspect(args)) => inspect::run(&args),
        Some(Command::Serve(args)) => serve::run(&args),
        Some(Command::Site(args)) => site::run(&args),
        Some(Command::Play(args)) => play::run(&args, false),
        Some(Command::Watch(args)) => play::run(&args.play, true),
        Some(Command::Merge(args)) => merge::run(&args),
        Some(Command::Climbs(args)) => climbs::run(&args),
        Some(Command::Compare(args)) => compare::run(&args),
        Some(Command::Reproduce(args)) => reproduce::run(&args),
        Some(Command::Report(args)) => report::run(&args),
        Some(Command::Health(args)) => health::run(&args),
        Some(Command::Completions(args)) => completions::run(&args),
        Some(Command::Man(args)) => man::run(&args),
    }
}

/// The game of this name with these options; a usage error if there is none.
pub(crate) fn game(name: &str, variant: &Variant) -> anyhow::Result<AnyGame> {
    Ok(ConfiguredGame::parse(name, variant.plain()).map_err(usage)?.rules)
}

/// Opens an engine; options that do not fit together are a usage error.
pub(crate) fn open(options: &EngineOptions) -> anyhow::Result<Engine> {
    Engine::open(options).map_err(advised).inspect(warn)
}

/// Opens an engine for commands that show values of moves.
pub(crate) fn open_for_analysis(options: &EngineOptions) -> anyhow::Result<Engine> {
    Engine::open_for_analysis(options).map_err(advised).inspect(warn)
}

/// A model that plays by other rules than it learned does so with a warning.
fn warn(engine: &Engine) {
    if let Some(other) = &engine.other_rules {
        complain(&format!("warning: {other}"));
    }
}

/// An error of the engine with the options of the command line that mend it.
pub(crate) fn advised(error: EngineError) -> anyhow::Error {
    let advice = match &error {
        EngineError::NeedsNoModel(_) => "leave out --model or --player",
        EngineError::NeedsNoEndgames(_) => "leave out --endgames or --player",
        EngineError::EndgamesNeedAfterstates => "leave out --endgames",
        EngineError::NoStages(_) => "leave out --judging or --player",
        EngineError::SharedJudging => {
            "--judging needs a model of its own; give a file, like --model models/2048.afterstate"
        }
        EngineError::JudgedByWalls => "leave out --judging",
        EngineError::NoValues(_) => "use --model FILE or --player heuristic",
        EngineError::NoBuiltin(_) => "give --model FILE, or --player random, greedy, corner or heuristic",
        EngineError::Endgames(EndgamesError::Nothing { place, game }) => {
            let place = place.display();
            return anyhow::anyhow!("{error}; make some with `afterstate endgames {game} --out {place}`");
        }
        EngineError::Mismatch(mismatch) => {
            return usage(format!("{error}; or give --game {}", mismatch.model));
        }
        error if error.is_usage() => return usage(error),
        _ => return error.into(),
    };
    usage(format!("{error}; {advice}"))
}

/// Remedies for failures of runs, in the words of one command.
pub(crate) struct Remedies {
    /// The option that names the directory.
    pub(crate) directory: &'static str,
    /// A way to resume.
    pub(crate) resume: &'static str,
}

impl Remedies {
    /// The failure with its remedy.
    pub(crate) fn add_to(&self, error: RunError) -> anyhow::Error {
        let Self { directory, resume } = self;
        let advice = match error.remedy() {
            None => return error.into(),
            Some(Remedy::FreeDisk) => format!("the disk is full: free some room, then {resume}"),
            Some(Remedy::FreeQuota) => {
                format!("your share of the disk is used up: free some room, then {resume}")
            }
            Some(Remedy::AllowLargerFiles) => {
                format!("files may not grow so large: raise the limit (ulimit -f), then {resume}")
            }
            Some(Remedy::WritableDirectory) => {
                format!("choose a directory you may write to with {directory}")
            }
            Some(Remedy::OtherPath) => {
                format!("a part of this path is a file: choose another with {directory}")
            }
            Some(Remedy::Wait) => format!("wait for it, or choose another directory with {directory}"),
            Some(Remedy::Resume) => format!("{resume}, or choose another directory with {directory}"),
            Some(Remedy::OtherDirectory) => format!("choose another directory with {directory}"),
            Some(Remedy::Start) => "start it without --resume".into(),
            Some(Remedy::OtherDisk) => format!("make room, or choose another disk with {directory}"),
            Some(Remedy::Restore) => format!("copy it back, or begin another run with {directory}"),
            Some(Remedy::BeginAnother) => {
                format!("leave that as it was, or begin another run with {directory}")
            }
            Some(Remedy::LessMemory) => "use a smaller network, or allow more memory".into(),
            Some(Remedy::SmallerSteps) => format!(
                "nothing of it was saved: make the steps ten times smaller with --set, and begin another run with \
                 {directory}"
            ),
        };
        let text = format!("{error}; {advice}");
        anyhow::Error::new(error).context(text)
    }
}
