//! `endgames`: the exact chances of the last climbs, in files.

use super::game;
use crate::failure::usage;
use crate::interrupt::Interrupt;
use crate::terminal::{Progress, grouped};
use crate::{cli, output, wire};
use afterstate::endgame::{Climb, Formation};
use afterstate::game::Game;
use afterstate::game::twenty48::Twenty48;
use afterstate_lab::endgames;
use std::ops::ControlFlow;

pub(crate) fn run(args: &cli::Endgames) -> anyhow::Result<()> {
    let any = game(&args.game, &args.variant)?;
    let rules = endgames::rules(&any).map_err(usage)?;
    let wanted = wanted(args, rules)?;
    let interrupt = Interrupt::watch()?;
    let mut made = Vec::new();
    for formation in wanted {
        let path = endgames::path(&args.out, rules, &formation);
        let boards = Climb::boards(&formation).unwrap_or(u64::MAX);
        let chance = if endgames::exists(&args.out, rules, &formation) {
            None
        } else {
            let progress = Progress::new(boards, "boards");
            let goal = rules.label(formation.goal());
            let chance =
                endgames::make(&args.out, rules, formation, cli::threads(args.threads), &mut |done, all| {
                    progress.at(done, all, format!("({formation}, {goal})"));
                    if interrupt.asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
            progress.clear();
            Some(chance?)
        };
        let (hold, goal) = (formation.to_string(), rules.label(formation.goal()));
        made.push(wire::Endgame { hold, goal, boards, chance, file: path.display().to_string() });
    }
    if args.json {
        return output::json(&wire::Endgames { game: any.id(), tables: made });
    }
    let mut text = String::new();
    for table in &made {
        let news = match table.chance {
            Some(chance) => format!("{:.1} % from an empty board", 100.0 * chance),
            None => "was there already".into(),
        };
        let boards = grouped(table.boards as f64, 0);
        text += &format!("{} {:>5}  {boards:>13} boards  {news}\n  {}\n", table.hold, table.goal, table.file);
    }
    output::text(&text)
}

/// The tables asked for, or the usual ones.
fn wanted(args: &cli::Endgames, rules: &Twenty48<16>) -> anyhow::Result<Vec<Formation>> {
    let shape = rules.shape;
    match (&args.hold, args.goal) {
        (Some(hold), Some(goal)) => {
            let rank = rules
                .rank_of(goal)
                .ok_or_else(|| usage(format!("{goal} is not a tile of {}", rules.id())))?;
            let formation = Formation::parse(shape, hold, rank).ok_or_else(|| {
                usage(format!(
                    "'{hold}' with a goal of {goal} is no formation of {shape}; write rows of # and . like ####/##../..../...., with a \
                     goal from {} to {}",
                    rules.label(3),
                    rules.label(afterstate::endgame::MAX_GOAL)
                ))
            })?;
            Ok(vec![formation])
        }
        _ => match endgames::usual(shape) {
            usual if usual.is_empty() => Err(usage(format!(
                "nobody knows yet which tables are worth their time on {shape}; say which with --hold and --goal"
            ))),
            usual => Ok(usual),
        },
    }
}
