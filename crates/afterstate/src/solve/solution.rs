//! A solved game as an oracle.

use super::backward::points;
use super::forward::Layer;
use super::symmetry::Symmetry;
use super::{Objective, Solvable, Summary, Values};
use crate::grid::Direction;

/// The exact value of every position of a small board.
///
/// Values are expected *future* points (or the probability of the tile): what a
/// position has scored already does not count.
pub struct Solution<G: Solvable> {
    symmetry: Symmetry<G>,
    objective: Objective,
    summary: Summary,
    layers: Vec<Layer<G>>,
}

impl<G: Solvable> Solution<G> {
    pub(super) fn new(game: &G, objective: Objective, summary: Summary, layers: Vec<Layer<G>>) -> Self {
        Self { symmetry: Symmetry::new(game), objective, summary, layers }
    }

    /// Counts, and the values of the start.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The values of a state, if play can reach it.
    pub fn value(&self, state: &G::State) -> Option<Values> {
        let layer = self.layer(self.symmetry.sum(state))?;
        layer.state_values(&self.symmetry.state(state))
    }

    /// The values of an afterstate, if play can reach it.
    pub fn afterstate_value(&self, afterstate: &G::Afterstate) -> Option<Values> {
        let layer = self.layer(self.symmetry.afterstate_sum(afterstate))?;
        layer.afterstate_values(&self.symmetry.afterstate(afterstate))
    }

    /// The best slide, the first of equals; `None` if there is none or play cannot get here.
    pub fn best(&self, state: &G::State) -> Option<Direction> {
        let mut best: Option<(Direction, f64)> = None;
        for direction in Direction::ALL {
            let Some(slide) = self.symmetry.game.slide(state, direction) else { continue };
            let after = self.afterstate_value(&slide.afterstate)?;
            let value = points(self.objective, slide.reward) + after.optimal;
            if best.is_none_or(|(_, so_far)| value > so_far) {
                best = Some((direction, value));
            }
        }
        best.map(|(direction, _)| direction)
    }

    /// The canonical states, by tile sum.
    pub fn states(&self) -> impl Iterator<Item = &G::State> {
        self.layers.iter().flat_map(|layer| &layer.states)
    }

    fn layer(&self, sum: u64) -> Option<&Layer<G>> {
        let index = self.layers.binary_search_by_key(&sum, |layer| layer.sum).ok()?;
        Some(&self.layers[index])
    }
}
