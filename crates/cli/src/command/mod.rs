//! One file per command.

mod analyze;
mod bench;
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
mod solve;
mod train;
mod welcome;

use crate::cli::{Command, Variant};
use crate::failure::usage;
use afterstate::game::catalogue::AnyGame;
use afterstate_lab::mind::{self, Mind, MindError, Wish};

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
        Some(Command::Play(args)) => play::run(&args, false),
        Some(Command::Watch(args)) => play::run(&args.play, true),
        Some(Command::Merge(args)) => merge::run(&args),
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
    mind::game(name, &variant.plain()).map_err(sorted)
}

/// Somebody who plays as wished; a wish that makes no sense is a usage error.
pub(crate) fn open(wish: &Wish) -> anyhow::Result<Mind> {
    Mind::open(wish).map_err(sorted)
}

/// The same for commands that need to know what moves are worth.
pub(crate) fn open_judge(wish: &Wish) -> anyhow::Result<Mind> {
    Mind::open_judge(wish).map_err(sorted)
}

fn sorted(error: MindError) -> anyhow::Error {
    match error {
        MindError::Wish(what) => usage(what),
        MindError::Model(error) => error.into(),
        MindError::Endgames(error) => error.into(),
    }
}
