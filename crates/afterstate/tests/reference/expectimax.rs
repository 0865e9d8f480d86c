//! Naive searches, written like their definitions: the oracles of the fast one.

use afterstate::game::Game;
use afterstate::grid::Direction;
use afterstate::value::{Stage, Staged, Value};

/// The value of each slide by `ply`-ply expectimax, with an optional probability cut-off.
#[expect(clippy::too_many_arguments, reason = "as the formula has them")]
pub(crate) fn moves<G: Game>(
    game: &G,
    value: &impl Value<G>,
    state: &G::State,
    stage: Stage,
    ply: u8,
    cut_off: f32,
    chance: f32,
) -> [Option<f64>; 4] {
    Direction::ALL.map(|direction| {
        let slide = game.slide(state, direction)?;
        let stage = value.advance(game, stage, &slide.afterstate);
        let at = Staged { afterstate: slide.afterstate, stage };
        let mut future = f64::from(value.value(game, &at));
        if ply > 1 && chance >= cut_off {
            future = 0.0;
            let total = game.ways(&at.afterstate);
            game.outcomes(&at.afterstate, |outcome| {
                let probability = outcome.ways as f64 / total as f64;
                let deeper = moves(
                    game,
                    value,
                    &outcome.state,
                    stage,
                    ply - 1,
                    cut_off,
                    chance / total as f32 * outcome.ways as f32,
                );
                let best = deeper.into_iter().flatten().reduce(f64::max).unwrap_or(0.0);
                future += probability * (outcome.reward as f64 + best);
            });
        }
        Some(slide.reward as f64 + future)
    })
}

/// Mayer-Hirshfeld's recurrence for a state in which the agent moves.
#[allow(dead_code)]
pub(crate) fn mayer_hirshfeld<G: Game>(
    game: &G,
    heuristic: &dyn Fn(&G::State) -> f64,
    state: &G::State,
    depth: u8,
    cut_off: f32,
    chance: f32,
) -> f64 {
    if game.is_over(state) {
        return -100.0;
    }
    if depth == 0 || chance < cut_off {
        return heuristic(state);
    }
    let mut best = f64::NEG_INFINITY;
    for slide in game.slides(state).into_iter().flatten() {
        let total = game.ways(&slide.afterstate);
        let mut sum = 0.0;
        game.outcomes(&slide.afterstate, |outcome| {
            let chance = chance / total as f32 * outcome.ways as f32;
            let deeper = mayer_hirshfeld(game, heuristic, &outcome.state, depth - 1, cut_off, chance);
            sum += outcome.ways as f64 / total as f64 * deeper;
        });
        best = best.max(sum);
    }
    best
}
