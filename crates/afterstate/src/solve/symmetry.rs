//! One position for all its mirror images, and the layer it belongs to.

use super::{Objective, Solvable};
use crate::grid::MAX_RANK;

/// A game with its symmetries and labels at hand.
pub(super) struct Symmetry<G> {
    pub(super) game: G,
    maps: Vec<Vec<u8>>,
    labels: Vec<u64>,
}

impl<G: Solvable> Symmetry<G> {
    pub(super) fn new(game: &G) -> Self {
        let labels = (0..=MAX_RANK).map(|rank| game.label(rank)).collect();
        Self { game: game.clone(), maps: game.shape().symmetries(), labels }
    }

    /// The least of a state's mirror images.
    #[inline]
    pub(super) fn state(&self, state: &G::State) -> G::State {
        self.maps[1..].iter().fold(*state, |least, map| least.min(self.game.state_image(state, map)))
    }

    /// The least of an afterstate's mirror images.
    #[inline]
    pub(super) fn afterstate(&self, afterstate: &G::Afterstate) -> G::Afterstate {
        let images = self.maps[1..].iter();
        images.fold(*afterstate, |least, map| least.min(self.game.afterstate_image(afterstate, map)))
    }

    /// How many different mirror images a state has, itself included.
    pub(super) fn orbit(&self, state: &G::State) -> u64 {
        let fixed = self.maps.iter().filter(|map| self.game.state_image(state, map) == *state).count();
        (self.maps.len() / fixed) as u64
    }

    /// The layer of a state.
    #[inline]
    pub(super) fn sum(&self, state: &G::State) -> u64 {
        self.sum_of(self.game.state_view(state).cells)
    }

    /// The layer of an afterstate.
    pub(super) fn afterstate_sum(&self, afterstate: &G::Afterstate) -> u64 {
        self.sum_of(self.game.view(afterstate).cells)
    }

    /// The sum of the tiles.
    #[inline]
    fn sum_of(&self, cells: &[u8]) -> u64 {
        cells.iter().filter(|&&rank| rank != 0).map(|&rank| self.labels[usize::from(rank)]).sum()
    }

    /// Whether the objective is reached and play may stop.
    #[inline]
    pub(super) fn is_won(&self, state: &G::State, objective: Objective) -> bool {
        match objective {
            Objective::Score => false,
            Objective::Tile(rank) => self.game.state_view(state).cells.iter().any(|&r| r >= rank),
        }
    }
}
