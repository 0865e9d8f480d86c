//! `perft`: counting the tree of the rules.

use super::game;
use crate::failure::usage;
use crate::terminal::{Table, grouped, short};
use crate::{cli, output, wire};
use afterstate::game::{Game, notation};
use afterstate::perft::{Depth, perft};
use afterstate::with_game;
use anyhow::bail;

/// The most different states of one depth we are willing to hold: about 2 GB.
const LIMIT: usize = 20_000_000;

/// So many are counted in no time: enough to estimate the rest from.
const PILOT: usize = 100_000;

pub(crate) fn run(args: &cli::Perft) -> anyhow::Result<()> {
    let any = game(&args.game, &args.variant)?;
    let answer = with_game!(&any, game => count(game, &args.position.join(" "), args.depth as usize))?;
    if args.json {
        return output::json(&answer);
    }
    let mut table = Table::new(["depth", "leaves", "distinct", "legal", "dead", "reward", "value"]);
    for d in &answer.depths {
        table.row([
            d.depth.to_string(),
            grouped(d.leaves as f64, 0),
            grouped(d.distinct as f64, 0),
            grouped(d.legal as f64, 0),
            grouped(d.dead as f64, 0),
            grouped(d.reward as f64, 0),
            format!("{:.9}", d.value),
        ]);
    }
    output::text(&format!("{} {}\n\n{}", answer.game, answer.position, table.render()))
}

fn count<G: Game>(game: &G, position: &str, depth: usize) -> anyhow::Result<wire::Perft> {
    let root = notation::read(game, position).map_err(usage)?;
    let depths = match perft(game, &root, depth, PILOT) {
        Ok(depths) => depths,
        Err(reached) => {
            let pilot = perft(game, &root, reached.depth - 1, PILOT)?;
            let expected = extrapolate(&pilot, depth);
            if expected > LIMIT as f64 {
                bail!(
                    "depth {depth} has about {} different states, more than the {} that fit in memory; try --depth {}",
                    short(expected),
                    short(LIMIT as f64),
                    (1..depth).rev().find(|&d| extrapolate(&pilot, d) <= LIMIT as f64).unwrap_or(1)
                );
            }
            perft(game, &root, depth, 2 * LIMIT)?
        }
    };
    let depths = depths.iter().zip(1..).map(|(d, depth)| wire::PerftDepth {
        depth,
        leaves: d.leaves,
        distinct: d.distinct,
        legal: d.legal,
        dead: d.dead,
        reward: d.reward,
        value: d.value,
    });
    Ok(wire::Perft { game: game.id(), position: notation::write(game, &root), depths: depths.collect() })
}

/// The different states of a depth, if each further depth multiplies them as the last counted one
/// did.
fn extrapolate(counted: &[Depth], depth: usize) -> f64 {
    let distinct = |d: usize| if d == 0 { 1.0 } else { counted[d - 1].distinct as f64 };
    let last = counted.len();
    if depth <= last {
        return distinct(depth);
    }
    let growth = if last == 0 { PILOT as f64 } else { distinct(last) / distinct(last - 1).max(1.0) };
    distinct(last) * growth.powi((depth - last) as i32)
}
