//! `solve`: exact values of small boards.

use super::game;
use crate::failure::usage;
use crate::interrupt::Interrupt;
use crate::terminal::{Progress, grouped};
use crate::{cli, output, wire};
use afterstate::solve::{Objective, Phase, Solvable, SolveOptions, summarize};
use afterstate::with_game;

use std::ops::ControlFlow;

pub(crate) fn run(args: &cli::Solve) -> anyhow::Result<()> {
    let any = game(&args.game, &args.variant)?;
    let answer = with_game!(&any, game => answer(game, args))?;
    if args.json {
        return output::json(&answer);
    }
    let count = |n: u64| grouped(n as f64, 0);
    let mut text = format!(
        "{}\n\n  states        {} ({} of them terminal, {} counting mirror images)\n  afterstates   {}\n",
        answer.game,
        count(answer.states),
        count(answer.terminal),
        count(answer.raw_states),
        count(answer.afterstates)
    );
    text += &match (answer.probability, args.tile) {
        (Some(probability), Some(tile)) => {
            format!("\n  largest probability of making {tile}   {probability:.12}\n")
        }
        _ => format!("\n  optimal play  {:.9}\n  random play   {:.9}\n", answer.optimal, answer.random),
    };
    output::text(&text)
}

fn answer<G: Solvable>(game: &G, args: &cli::Solve) -> anyhow::Result<wire::Solved> {
    let objective = match args.tile {
        None => Objective::Score,
        Some(label) => Objective::Tile(game.rank_of(label).ok_or_else(|| {
            usage(format!("{label} is not a tile of {}; write one like {}", game.id(), game.label(5)))
        })?),
    };
    let memory = args.memory.map_or_else(default_memory, |gib| gib << 30);
    let options = SolveOptions { objective, memory, threads: cli::threads(args.threads) };
    let interrupt = Interrupt::watch()?;
    let progress = Progress::new(0, "states");
    let solved = summarize(game, &options, &mut |now| {
        let pass = if now.phase == Phase::Forward { "listing positions" } else { "computing values" };
        progress.at(now.states, now.total as u64, format!("({pass}, tile sum {})", now.layer));
        if interrupt.asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    progress.clear();
    let s = solved?;
    Ok(wire::Solved {
        game: game.id(),
        states: s.states,
        afterstates: s.afterstates,
        terminal: s.terminal,
        raw_states: s.raw_states,
        optimal: s.optimal,
        random: s.random,
        tile: args.tile,
        probability: args.tile.map(|_| s.optimal),
    })
}

/// 12 GiB, or 80 % of the free memory if that is less.
fn default_memory() -> u64 {
    let free = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    });
    free.map_or(u64::MAX, |kib| kib / 10 * 8 * 1024).min(12 << 30)
}
