//! A solved game as an oracle.

use super::backward::points;
use super::code::Code;
use super::forward::Layer;
use super::{Objective, Solvable, Summary, Values};
use crate::grid::Direction;

/// The exact value of every position of a small board.
///
/// Values are expected *future* points (or the probability of the tile): what a
/// position has scored already does not count.
pub struct Solution<G: Solvable> {
    code: Code<G>,
    objective: Objective,
    summary: Summary,
    layers: Vec<Layer>,
}

impl<G: Solvable> Solution<G> {
    pub(super) fn new(code: Code<G>, objective: Objective, summary: Summary, layers: Vec<Layer>) -> Self {
        Self { code, objective, summary, layers }
    }

    /// Counts, and the values of the start.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The values of a state, if play can reach it.
    pub fn value(&self, state: &G::State) -> Option<Values> {
        let layer = self.layer(self.code.game.state_view(state).cells)?;
        layer.state_values(self.code.state(state))
    }

    /// The values of an afterstate, if play can reach it.
    pub fn afterstate_value(&self, afterstate: &G::Afterstate) -> Option<Values> {
        let layer = self.layer(self.code.game.view(afterstate).cells)?;
        layer.afterstate_values(self.code.afterstate(afterstate))
    }

    /// The best slide, the first of equals.
    ///
    /// `None` if no slide is legal, if play cannot get here, or if the tile is made already.
    pub fn best(&self, state: &G::State) -> Option<Direction> {
        self.value(state)?;
        let mut best: Option<(Direction, f64)> = None;
        for direction in Direction::ALL {
            let Some(slide) = self.code.game.slide(state, direction) else { continue };
            let after = self.afterstate_value(&slide.afterstate)?;
            let value = points(self.objective, slide.reward) + after.optimal;
            if best.is_none_or(|(_, so_far)| value > so_far) {
                best = Some((direction, value));
            }
        }
        best.map(|(direction, _)| direction)
    }

    /// The canonical states, by tile sum.
    pub fn states(&self) -> impl Iterator<Item = G::State> {
        self.layers.iter().flat_map(|layer| &layer.states).map(|&number| self.code.to_state(number))
    }

    fn layer(&self, cells: &[u8]) -> Option<&Layer> {
        let sum = self.code.holds(cells).then(|| self.code.sum(cells))?;
        let index = self.layers.binary_search_by_key(&sum, |layer| layer.sum).ok()?;
        Some(&self.layers[index])
    }
}
