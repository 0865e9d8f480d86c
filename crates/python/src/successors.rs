//! Successors of many games at once: afterstates of all moves, and all that chance can do.

use crate::any::Known;
use afterstate::batch::Batch;
use afterstate::grid::Direction;

/// Afterstates of all four moves of every game; zeros where a move is not legal.
#[derive(Default)]
pub(crate) struct Afterstates {
    pub(crate) cells: Vec<u8>,
    pub(crate) rewards: Vec<f64>,
    pub(crate) legal: Vec<i8>,
}

/// All outcomes of a move in every game, one after the other.
#[derive(Default)]
pub(crate) struct Outcomes {
    /// Number of the game.
    pub(crate) index: Vec<i64>,
    pub(crate) cells: Vec<u8>,
    pub(crate) hints: Vec<i64>,
    pub(crate) bags: Vec<u8>,
    /// Reward of the move and of the new tile.
    pub(crate) rewards: Vec<f64>,
    pub(crate) probabilities: Vec<f64>,
}

pub(crate) fn afterstates<G: Known>(batch: &Batch<G>) -> Afterstates {
    let game = batch.game();
    let size = game.shape().cells();
    let mut all = Afterstates::default();
    for lane in batch.lanes() {
        for slide in game.slides(lane.state()) {
            match slide {
                Some(slide) => all.cells.extend_from_slice(&game.view(&slide.afterstate).cells[..size]),
                None => all.cells.resize(all.cells.len() + size, 0),
            }
            all.rewards.push(slide.map_or(0.0, |slide| slide.reward as f64));
            all.legal.push(slide.is_some().into());
        }
    }
    all
}

/// The outcomes of one action in every game; none where it is not legal.
pub(crate) fn outcomes<G: Known>(batch: &Batch<G>, actions: &[i64], threes: bool) -> Outcomes {
    let game = batch.game();
    let size = game.shape().cells();
    let mut all = Outcomes::default();
    for (index, (lane, &action)) in (0..).zip(batch.lanes().iter().zip(actions)) {
        let direction = usize::try_from(action).ok().and_then(|action| Direction::ALL.get(action));
        let Some(slide) = direction.and_then(|&direction| game.slide(lane.state(), direction)) else {
            continue;
        };
        let ways = game.ways(&slide.afterstate) as f64;
        game.outcomes(&slide.afterstate, |outcome| {
            let view = game.state_view(&outcome.state);
            all.index.push(index);
            all.cells.extend_from_slice(&view.cells[..size]);
            if threes {
                all.hints.push(view.hint.into());
                all.bags.extend_from_slice(&view.bag);
            }
            all.rewards.push((slide.reward + outcome.reward) as f64);
            all.probabilities.push(outcome.ways as f64 / ways);
        });
    }
    all
}
