//! The games the solver knows.

use super::{Growth, Solvable};
use crate::game::threes::{self, BONUS_FROM, BonusRule, Next, Threes, WindowRule};
use crate::game::twenty48::{self, Twenty48};
use crate::grid::Board;

/// A position of 2048 is its board.
impl<const N: usize> Solvable for Twenty48<N> {
    #[inline]
    fn state_rest(&self, _: &twenty48::State<N>) -> u64 {
        0
    }

    #[inline]
    fn state_from(&self, cells: &[u8], _: u64) -> twenty48::State<N> {
        twenty48::State(Board::from_cells(cells))
    }

    #[inline]
    fn slots(&self, _: &twenty48::Afterstate<N>) -> u64 {
        0
    }

    #[inline]
    fn afterstate_rest(&self, _: &twenty48::Afterstate<N>) -> u64 {
        0
    }

    #[inline]
    fn afterstate_from(&self, cells: &[u8], _: u64, _: u64) -> twenty48::Afterstate<N> {
        twenty48::Afterstate(Board::from_cells(cells))
    }

    /// The share is fitted to 2×2, 2×3, 2×4, 3×3 and 4×3.
    fn growth(&self) -> Growth {
        let ranks = || self.spawn.tiles().iter().map(|&(rank, _)| rank);
        Growth {
            smallest: ranks().min().unwrap_or(1),
            largest: ranks().max().unwrap_or(1),
            cap: self.cap_rank,
            share: 1.15 * 0.857f64.powi(self.shape.cells() as i32),
            companions: 1.0,
            afterstates: 0.7,
            rest_bits: 0,
        }
    }
}

/// A rank of Threes fits in this many bits.
const RANK_BITS: u32 = 4;

impl<const N: usize> Threes<N> {
    /// Bits for the number of tiles of one kind in the bag.
    fn count_bits(&self) -> u32 {
        u8::BITS - self.rules.copies.leading_zeros()
    }

    fn rest(&self, bag: threes::Bag, next: Next) -> u64 {
        let counts = bag.iter().fold(0, |rest, &count| rest << self.count_bits() | u64::from(count));
        (counts << RANK_BITS | u64::from(next.low)) << RANK_BITS | u64::from(next.high)
    }

    fn bag_and_next(&self, rest: u64) -> (threes::Bag, Next) {
        let rank = |rest: u64| (rest & ((1 << RANK_BITS) - 1)) as u8;
        let next = Next { low: rank(rest >> RANK_BITS), high: rank(rest) };
        let bits = self.count_bits();
        let counts = rest >> (2 * RANK_BITS);
        let count = |k: u32| (counts >> (k * bits) & ((1 << bits) - 1)) as u8;
        ([count(2), count(1), count(0)], next)
    }
}

/// A position of Threes has a bag and an announced tile, and its afterstate cells where that may
/// enter.
///
/// Boards with a quota of bonus tiles (16 cells and more) do not fit in the code, so no credit is
/// kept.
impl<const N: usize> Solvable for Threes<N> {
    #[inline]
    fn state_rest(&self, state: &threes::State<N>) -> u64 {
        self.rest(state.bag, state.next)
    }

    #[inline]
    fn state_from(&self, cells: &[u8], rest: u64) -> threes::State<N> {
        let (bag, next) = self.bag_and_next(rest);
        threes::State { board: Board::from_cells(cells), bag, next, credit: 0 }
    }

    #[inline]
    fn slots(&self, afterstate: &threes::Afterstate<N>) -> u64 {
        afterstate.slots
    }

    #[inline]
    fn afterstate_rest(&self, afterstate: &threes::Afterstate<N>) -> u64 {
        self.rest(afterstate.bag, afterstate.next)
    }

    #[inline]
    fn afterstate_from(&self, cells: &[u8], slots: u64, rest: u64) -> threes::Afterstate<N> {
        let (bag, next) = self.bag_and_next(rest);
        threes::Afterstate { board: Board::from_cells(cells), slots, bag, next, credit: 0 }
    }

    /// A 48 needs five cells. From then on bonus tiles, down to three ranks below the largest, let
    /// four cells make ever larger tiles, until they no longer merge.
    ///
    /// Bag and hint must fit the tile sum: modulo a whole bag, or modulo 6 if there are bonus
    /// tiles. The shares are fitted to 2×2 and 2×3.
    fn growth(&self) -> Growth {
        let cells = self.shape.cells();
        let cap = self.rules.cap_rank;
        let copies = f64::from(self.rules.copies);
        let bonus = matches!(self.rules.bonus, BonusRule::Chance { .. }) && cells + 2 >= BONUS_FROM.into();
        let tile_hints = 3.0 * copies * (copies + 1.0).powi(2);
        let bags = (copies + 1.0).powi(3) - 1.0;
        let windows = match self.rules.window {
            WindowRule::UpToEighth => 1.0,
            WindowRule::ThreeInARow => f64::from(cap.max(9) - 8),
        };
        let (largest, share, companions) = if bonus {
            (cap.max(6) - 3, 0.5, (tile_hints + windows * bags) / 6.0)
        } else {
            (3, 1.1 * 0.8f64.powi(cells as i32), tile_hints / (6.0 * copies))
        };
        Growth {
            smallest: 1,
            largest,
            cap,
            share,
            companions,
            afterstates: 0.8,
            rest_bits: 3 * self.count_bits() + 2 * RANK_BITS,
        }
    }
}
