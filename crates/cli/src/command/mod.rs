//! One file per command.

mod analyze;
mod bench;
mod convert;
mod engine;
mod evaluate;
mod games;
mod inspect;
mod merge;
mod page;
mod perft;
mod recipes;
mod saving;
mod solve;
mod train;
mod welcome;

use crate::cli::{Command, Variant};
use crate::failure::usage;
use afterstate::game::catalogue::{AnyGame, GameSpec};
use afterstate::game::twenty48::SpawnTable;

/// Does what was asked.
pub(crate) fn run(command: Option<Command>) -> anyhow::Result<()> {
    match command {
        None => welcome::run(),
        Some(Command::Games(args)) => games::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Evaluate(args)) => evaluate::run(&args),
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Engine(args)) => engine::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Train(args)) => train::run(&args),
        Some(Command::Recipes(args)) => recipes::run(&args),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Inspect(args)) => inspect::run(&args),
        Some(Command::Merge(args)) => merge::run(&args),
    }
}

/// The game of this name with these options; a usage error if there is none.
pub(crate) fn game(name: &str, variant: &Variant) -> anyhow::Result<AnyGame> {
    let mut spec = GameSpec::parse(name).map_err(usage)?;
    spec.start_tiles = variant.start_tiles;
    spec.spawn = variant.spawn.as_deref().map(SpawnTable::parse).transpose().map_err(usage)?;
    spec.merge_cap = variant.merge_cap;
    spec.build().map_err(usage)
}
