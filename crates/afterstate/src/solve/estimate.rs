//! Size of a board, known before it is solved.
//!
//! A tile of rank `k` is made of two of rank `k − 1`, one of which must wait while
//! the other is made. With `q` the largest new tile, `i` cells can therefore hold no
//! more than one tile of rank `q + i − 1`; in ascending order the ranks of a board
//! obey
//!
//! ```text
//! b₁ ≤ q,   b₂ ≤ q + 1,   …,   bₙ ≤ q + n − 1
//! ```
//!
//! The number of such boards (the generalised parking functions) is an upper bound
//! found in n² steps per rank. Play reaches a share of them that shrinks with
//! every cell at a steady rate, which each game measures ([`Growth::share`]).

use super::{Solvable, forward::bytes_of};
use crate::grid::MAX_RANK;

/// Growth of the number of positions with the board.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Growth {
    /// The smallest rank that appears.
    pub smallest: u8,
    /// The largest rank that appears from nothing.
    pub largest: u8,
    /// Tiles of this rank no longer merge.
    pub cap: u8,
    /// The share of boards within the bound that play reaches.
    pub share: f64,
    /// States per board: the tiles to come and the bags that go with it.
    pub companions: f64,
    /// Afterstates per state.
    pub afterstates: f64,
    /// Bits for what a position holds besides its board.
    pub rest_bits: u32,
}

impl Growth {
    /// The largest rank that the `i`-th smallest tile can have, `i` from 0.
    fn bound(&self, i: usize) -> usize {
        (usize::from(self.largest) + i).min(self.cap.max(self.largest).into())
    }

    /// The largest rank on a board of this many cells.
    pub(super) fn max_rank(&self, cells: usize) -> u8 {
        self.bound(cells - 1).min(u8::MAX.into()) as u8
    }
}

/// The size of a solution, to within a small factor.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SolveEstimate {
    /// States, mirror images counted once.
    pub states: f64,
    /// Memory in bytes.
    pub bytes: f64,
}

impl SolveEstimate {
    /// The estimate for a game; with `keep` for [`solve`](super::solve), else for
    /// [`summarize`](super::summarize).
    pub fn of<G: Solvable>(game: &G, keep: bool) -> Self {
        let shape = game.shape();
        let growth = game.growth();
        let boards = boards_within_bound(shape.cells(), &growth) * growth.share;
        let states = boards * growth.companions / shape.symmetries().len() as f64;
        let per_thousand = bytes_of(1000, (1000.0 * growth.afterstates) as usize, keep);
        Self { states, bytes: states * per_thousand as f64 / 1000.0 }
    }
}

/// The number of boards of `n` cells whose ranks in ascending order obey the bound.
///
/// Ranks are dealt out from the smallest on: `ways[k]` counts the ways in which `k`
/// of the cells hold ranks so far. Before rank `v` is dealt the cells whose bound is
/// below `v` must all have their rank.
fn boards_within_bound(n: usize, growth: &Growth) -> f64 {
    let choose = binomials(n);
    let mut ways = vec![0.0; n + 1];
    ways[0] = 1.0;
    for v in (0..=usize::from(MAX_RANK)).filter(|&v| v == 0 || v >= usize::from(growth.smallest)) {
        let needed = (0..n).filter(|&i| growth.bound(i) < v).count();
        if needed == n {
            break;
        }
        let mut more = vec![0.0; n + 1];
        for k in needed..=n {
            for add in 0..=n - k {
                more[k + add] += ways[k] * choose[n - k][add];
            }
        }
        ways = more;
    }
    ways[n]
}

/// Pascal's triangle.
fn binomials(n: usize) -> Vec<Vec<f64>> {
    let mut rows: Vec<Vec<f64>> = vec![vec![1.0]];
    for i in 1..=n {
        let last = &rows[i - 1];
        let row = (0..=i).map(|j| if j == 0 || j == i { 1.0 } else { last[j - 1] + last[j] }).collect();
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Growth = Growth {
        smallest: 1,
        largest: 2,
        cap: 60,
        share: 1.0,
        companions: 1.0,
        afterstates: 0.7,
        rest_bits: 0,
    };

    #[test]
    fn the_bound_is_the_count_of_parking_functions() {
        for n in 1..=12 {
            let formula = 3.0 * ((n + 3) as f64).powi(n as i32 - 1);
            let count = boards_within_bound(n, &PLAIN);
            assert!((count / formula - 1.0).abs() < 1e-9, "{n}: {count} {formula}");
        }
    }

    #[test]
    fn a_cap_leaves_few_ranks() {
        assert_eq!(boards_within_bound(16, &Growth { cap: 2, ..PLAIN }), 3f64.powi(16));
        assert_eq!(boards_within_bound(3, &Growth { smallest: 2, cap: 2, ..PLAIN }), 8.0);
    }
}
