//! Positions as numbers: one number for all mirror images of a position.
//!
//! ```text
//! state       ranks of the cells, the first cell highest │ rest
//! afterstate  ranks of the cells, the first cell highest │ slots │ rest
//! ```
//!
//! The largest number among the mirror images stands for them all. A symmetry that
//! does not bring the largest of the corners to the first cell cannot give the
//! largest number, so of the eight images of a square one or two need be looked at.

use super::{Objective, Solvable};
use crate::grid::MAX_RANK;

/// The code of one game.
pub(super) struct Code<G> {
    pub(super) game: G,
    maps: Vec<Vec<u8>>,
    labels: [u64; 256],
    cells: usize,
    max_rank: u8,
    cell_bits: u32,
    rest_bits: u32,
}

impl<G: Solvable> Code<G> {
    /// The code of a game, if 64 bits hold its positions.
    pub(super) fn new(game: &G) -> Option<Self> {
        let growth = game.growth();
        let cells = game.shape().cells();
        let max_rank = growth.max_rank(cells);
        let cell_bits = u8::BITS - max_rank.leading_zeros();
        let bits = (cell_bits as usize + 1) * cells + growth.rest_bits as usize;
        let mut labels = [0; 256];
        for rank in 1..=MAX_RANK {
            labels[usize::from(rank)] = game.label(rank);
        }
        let maps = game.shape().symmetries();
        let rest_bits = growth.rest_bits;
        (bits <= 64).then(|| Self { game: game.clone(), maps, labels, cells, max_rank, cell_bits, rest_bits })
    }

    /// True if play can make all these tiles; other boards have no number.
    pub(super) fn holds(&self, cells: &[u8]) -> bool {
        cells.iter().all(|&rank| rank <= self.max_rank)
    }

    /// The number of a state and of its mirror images.
    #[inline]
    pub(super) fn state(&self, state: &G::State) -> u64 {
        let cells = self.game.state_view(state).cells;
        let board = self.leading(cells).map(|map| self.ranks(cells, map)).max();
        board.expect("the identity at least") << self.rest_bits | self.game.state_rest(state)
    }

    /// The number of an afterstate and of its mirror images.
    #[inline]
    pub(super) fn afterstate(&self, afterstate: &G::Afterstate) -> u64 {
        let cells = self.game.view(afterstate).cells;
        let slots = self.game.slots(afterstate);
        let image = |map: &Vec<u8>| self.ranks(cells, map) << self.cells | permuted(slots, map);
        let board = self.leading(cells).map(image).max();
        board.expect("the identity at least") << self.rest_bits | self.game.afterstate_rest(afterstate)
    }

    /// The state of a number.
    #[inline]
    pub(super) fn to_state(&self, number: u64) -> G::State {
        let (number, rest) = split(number, self.rest_bits);
        let ranks = self.unpacked(number);
        self.game.state_from(&ranks[..self.cells], rest)
    }

    /// The afterstate of a number.
    #[inline]
    pub(super) fn to_afterstate(&self, number: u64) -> G::Afterstate {
        let (number, rest) = split(number, self.rest_bits);
        let (number, slots) = split(number, self.cells as u32);
        let ranks = self.unpacked(number);
        self.game.afterstate_from(&ranks[..self.cells], slots, rest)
    }

    /// Number of different mirror images of a state, itself included.
    pub(super) fn orbit(&self, state: &G::State) -> u64 {
        let cells = self.game.state_view(state).cells;
        let fixed =
            |map: &&Vec<u8>| map.iter().zip(cells).all(|(&from, &rank)| cells[usize::from(from)] == rank);
        (self.maps.len() / self.maps.iter().filter(fixed).count()) as u64
    }

    /// The sum of the tiles: the layer of a position.
    #[inline]
    pub(super) fn sum(&self, cells: &[u8]) -> u64 {
        cells[..self.cells].iter().map(|&rank| self.labels[usize::from(rank)]).sum()
    }

    /// True if the objective is reached and play may stop.
    #[inline]
    pub(super) fn is_won(&self, state: &G::State, objective: Objective) -> bool {
        match objective {
            Objective::Score => false,
            Objective::Tile(rank) => self.game.state_view(state).cells.iter().any(|&r| r >= rank),
        }
    }

    /// The symmetries that bring the largest corner to the first cell.
    #[inline]
    fn leading<'a>(&'a self, cells: &'a [u8]) -> impl Iterator<Item = &'a Vec<u8>> {
        let first = |map: &Vec<u8>| cells[usize::from(map[0])];
        let largest = self.maps.iter().map(first).max().unwrap_or(0);
        self.maps.iter().filter(move |map| first(map) == largest)
    }

    #[inline]
    fn ranks(&self, cells: &[u8], map: &[u8]) -> u64 {
        map.iter().fold(0, |number, &from| number << self.cell_bits | u64::from(cells[usize::from(from)]))
    }

    #[inline]
    fn unpacked(&self, mut number: u64) -> [u8; 64] {
        let mut ranks = [0; 64];
        for rank in ranks[..self.cells].iter_mut().rev() {
            let (above, one) = split(number, self.cell_bits);
            *rank = one as u8;
            number = above;
        }
        ranks
    }
}

/// Splits a number into the part above the lowest `bits`, and those bits.
#[inline]
fn split(number: u64, bits: u32) -> (u64, u64) {
    (number >> bits, number & ((1 << bits) - 1))
}

/// A set of cells as a symmetry shows it.
#[inline]
fn permuted(set: u64, map: &[u8]) -> u64 {
    if set == 0 {
        return 0;
    }
    map.iter().enumerate().fold(0, |image, (to, &from)| image | (set >> from & 1) << to)
}
