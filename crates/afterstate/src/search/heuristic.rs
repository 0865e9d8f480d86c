//! Playing by the look of the board, without learning.
//!
//! A board of 2048 looks good if it has empty cells, if its lines rise or fall in one
//! direction, if neighbours are equal, and if the largest tile lies in a corner: the four
//! parts of Mayer-Hirshfeld's heuristic. [`Heuristic::look`] adds them up, and a fifth of
//! ours, a charge for every tile by its rank, which values few large tiles over many small.
//!
//! ```text
//! look = Σ over lines  ½ empty · empties + merge · (equal neighbours)
//!                      − monotone · min(rises, falls) − ½ tile · Σ rankᵗ
//!      + corner · (largest rank) if the largest tile lies in a corner
//! rises, falls = Σ over neighbours a, b  |aᵐ − bᵐ|, where b > a, where a > b
//! ```
//!
//! Two searches use it. [`Heuristic`] itself is a [`Value`] that looks at *afterstates*;
//! what the next tile does is left to chance. [`MayerHirshfeld`] is the published search: leaves
//! are *states*, depth falls at each chance node, a dead state is worth −100, unlikely states are
//! cut off. Neither adds rewards. The paper gives no weights and no formula for monotonicity, so
//! those are ours in both.

use super::limits::Limits;
use crate::game::Game;
use crate::grid::{MAX_RANK, Shape};
use crate::value::{Staged, Value};

/// Weights of the parts of the heuristic.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// Per empty cell.
    pub empty: f32,
    /// Per pair of equal neighbours.
    pub merge: f32,
    /// Against lines that rise as well as fall.
    pub monotone: f32,
    /// The power of a rank in that.
    pub monotone_power: f32,
    /// Per rank of the largest tile, if it lies in a corner.
    pub corner: f32,
    /// Against tiles.
    pub tile: f32,
    /// The power of a rank in that.
    pub tile_power: f32,
    /// The value of a dead state.
    pub end: f32,
}

impl Weights {
    /// Tuned for boards of up to 16 cells, by a random search: steps were taken by games at
    /// 2-ply on 4×4, and of the points on that path the one that played best at 3-ply was kept.
    pub const SMALL: Self = Self {
        empty: 100.0,
        merge: 207.0,
        monotone: 15.6,
        monotone_power: 2.64,
        corner: 131.0,
        tile: 6.1,
        tile_power: 2.88,
        end: -276_000.0,
    };

    /// For larger boards: the end of that path, less strict about large tiles. It is worse on
    /// 4×4 at 3-ply, and was better on 5×5 and 6×6 in the few games that were compared.
    pub const LARGE: Self = Self {
        empty: 100.0,
        merge: 84.0,
        monotone: 9.5,
        monotone_power: 2.23,
        corner: 230.0,
        tile: 8.6,
        tile_power: 2.5,
        end: -76_000.0,
    };

    /// The best we know for this shape.
    pub fn tuned(shape: Shape) -> Self {
        if shape.cells() <= 16 { Self::SMALL } else { Self::LARGE }
    }

    /// Four plain parts on the scale of Mayer-Hirshfeld's end value of −100.
    pub const PLAIN: Self = Self {
        empty: 2.0,
        merge: 1.0,
        monotone: 1.0,
        monotone_power: 1.0,
        corner: 1.0,
        tile: 0.0,
        tile_power: 1.0,
        end: -100.0,
    };
}

const RANKS: usize = MAX_RANK as usize + 1;

/// Contribution of a pair of neighbours to its line.
#[derive(Clone, Copy, Default)]
struct Pair {
    rise: f32,
    fall: f32,
    merge: f32,
}

/// The look of a board as a number, for boards of any shape.
pub struct Heuristic {
    shape: Shape,
    weights: Weights,
    /// By rank: a tile's half in each of its two lines.
    cell: Vec<f32>,
    /// By two ranks.
    pair: Vec<Pair>,
    /// On 4×4: whole lines of ranks below 16, four bits each.
    line: Vec<f32>,
}

impl std::fmt::Debug for Heuristic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Heuristic").field("shape", &self.shape).field("weights", &self.weights).finish()
    }
}

impl Heuristic {
    /// Tables for boards of this shape.
    pub fn new(shape: Shape, weights: Weights) -> Self {
        // With all bits, then rounded: powers of floats differ in the last bit from system to system.
        let power = |rank: usize, power: f32| (rank as f64).powf(power.into()) as f32;
        let cell = (0..RANKS).map(|rank| match rank {
            0 => 0.5 * weights.empty,
            _ => -0.5 * weights.tile * power(rank, weights.tile_power),
        });
        let pair = (0..RANKS * RANKS).map(|both| {
            let (a, b) = (both / RANKS, both % RANKS);
            let step =
                weights.monotone * (power(b, weights.monotone_power) - power(a, weights.monotone_power));
            let merge = if a == b && a != 0 { weights.merge } else { 0.0 };
            Pair { rise: step.max(0.0), fall: (-step).max(0.0), merge }
        });
        let mut new = Self { shape, weights, cell: cell.collect(), pair: pair.collect(), line: Vec::new() };
        if shape == Shape::FOUR {
            let ranks = |line: u32| [0, 4, 8, 12].map(|bits| (line >> bits) as u8 & 15);
            new.line = (0..1 << 16).map(|line| new.slow_line(ranks(line).into_iter())).collect();
        }
        new
    }

    /// The best we know for this shape.
    pub fn tuned(shape: Shape) -> Self {
        Self::new(shape, Weights::tuned(shape))
    }

    /// The look of a board given by its ranks, row by row.
    pub fn look(&self, cells: &[u8]) -> f32 {
        let cells = &cells[..self.shape.cells()];
        let largest = cells.iter().fold(0, |max, &rank| max.max(rank));
        let lines = match <&[u8; 16]>::try_from(cells) {
            Ok(cells) if !self.line.is_empty() && largest < 16 => self.fast_lines(cells),
            _ => self.slow_lines(cells),
        };
        let (rows, cols) = (self.shape.rows(), self.shape.cols());
        let corners = [0, cols - 1, (rows - 1) * cols, rows * cols - 1];
        let cornered = corners.iter().any(|&corner| cells[corner] == largest);
        lines + if cornered { self.weights.corner * f32::from(largest) } else { 0.0 }
    }

    fn fast_lines(&self, cells: &[u8; 16]) -> f32 {
        let at = |i: usize| usize::from(cells[i]);
        let mut sum = 0.0;
        for i in 0..4 {
            let row = at(4 * i) | at(4 * i + 1) << 4 | at(4 * i + 2) << 8 | at(4 * i + 3) << 12;
            let col = at(i) | at(i + 4) << 4 | at(i + 8) << 8 | at(i + 12) << 12;
            sum += self.line[row & 0xffff] + self.line[col & 0xffff];
        }
        sum
    }

    fn slow_lines(&self, cells: &[u8]) -> f32 {
        let (rows, cols) = (self.shape.rows(), self.shape.cols());
        let of_rows: f32 = (0..rows).map(|r| self.slow_line(cells[r * cols..][..cols].iter().copied())).sum();
        let of_cols: f32 = (0..cols).map(|c| self.slow_line(cells[c..].iter().copied().step_by(cols))).sum();
        of_rows + of_cols
    }

    fn slow_line(&self, ranks: impl Iterator<Item = u8>) -> f32 {
        let mut before: Option<usize> = None;
        let (mut sum, mut rises, mut falls) = (0.0, 0.0, 0.0);
        for rank in ranks.map(|rank| usize::from(rank.min(MAX_RANK))) {
            sum += self.cell[rank];
            if let Some(before) = before {
                let pair = &self.pair[before * RANKS + rank];
                sum += pair.merge;
                rises += pair.rise;
                falls += pair.fall;
            }
            before = Some(rank);
        }
        sum - f32::min(rises, falls)
    }
}

/// Looks at afterstates.
impl<G: Game> Value<G> for Heuristic {
    fn value(&self, game: &G, at: &Staged<G::Afterstate>) -> f32 {
        self.look(game.view(&at.afterstate).cells)
    }

    fn counts_rewards(&self) -> bool {
        false
    }

    fn end(&self) -> f32 {
        self.weights.end
    }
}

/// The published search: leaves are states, which an afterstate at the horizon averages.
#[derive(Debug)]
pub struct MayerHirshfeld(pub Heuristic);

impl MayerHirshfeld {
    /// Their search with the plain weights.
    pub fn new(shape: Shape) -> Self {
        Self(Heuristic::new(shape, Weights::PLAIN))
    }

    /// Their depth and cut-off: 9 and 1e-6 up to 16 cells, 7 and 5e-5 up to 25, else 6 and 1e-4.
    ///
    /// Their depth counts moves *and* the spawn after each: ours has the last spawn in the
    /// leaf, so the number is the same. Like theirs, the table takes a position for known
    /// whatever the probability of reaching it.
    pub fn limits(shape: Shape) -> Limits<'static> {
        let (ply, cut_off) = match shape.cells() {
            0..=16 => (9, 1e-6),
            17..=25 => (7, 5e-5),
            _ => (6, 1e-4),
        };
        Limits { cut_off, any_probability_hits: true, ..Limits::ply(ply) }
    }
}

impl<G: Game> Value<G> for MayerHirshfeld {
    fn value(&self, game: &G, at: &Staged<G::Afterstate>) -> f32 {
        let mut sum = 0.0;
        game.outcomes(&at.afterstate, |outcome| {
            let cells = &game.state_view(&outcome.state).cells[..self.0.shape.cells()];
            // A state with an empty cell always has a move.
            let over = !cells.contains(&0) && game.is_over(&outcome.state);
            let look = if over { self.0.weights.end } else { self.0.look(cells) };
            sum += outcome.ways as f64 * f64::from(look);
        });
        (sum / game.ways(&at.afterstate) as f64) as f32
    }

    fn state(&self, game: &G, state: &G::State) -> Option<f32> {
        Some(self.0.look(game.state_view(state).cells))
    }

    fn counts_rewards(&self) -> bool {
        false
    }

    fn end(&self) -> f32 {
        self.0.weights.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn line_tables_and_pairs_agree() {
        for weights in [Weights::SMALL, Weights::LARGE, Weights::PLAIN] {
            let heuristic = Heuristic::new(Shape::FOUR, weights);
            let mut random = Random::new(2);
            for _ in 0..1000 {
                let cells: [u8; 16] = std::array::from_fn(|_| random.below(16) as u8);
                let (fast, slow) = (heuristic.fast_lines(&cells), heuristic.slow_lines(&cells));
                assert!((fast - slow).abs() <= 1e-5 * slow.abs().max(1.0), "{fast} {slow}");
            }
        }
    }

    #[test]
    fn the_four_parts_by_hand() {
        // 3 2 1      rows fall: 0 against them; columns: 3 0, 2 1, 1 1 fall too
        // 0 1 1      but the second row rises by 1
        let shape = Shape::new(2, 3).unwrap();
        let weights = Weights { corner: 10.0, empty: 100.0, merge: 1000.0, ..Weights::PLAIN };
        let look = Heuristic::new(shape, weights).look(&[3, 2, 1, 0, 1, 1]);
        // One empty cell, two equal pairs (the 1s in the row, and in the column), corner 3.
        assert_eq!(look, 100.0 + 2000.0 + 30.0);
        let look = Heuristic::new(shape, weights).look(&[2, 3, 2, 1, 1, 2]);
        // Row 2 3 2 rises 1 and falls 1; row 1 1 2 rises: 1 against; three columns fall or stay.
        assert_eq!(look, 2000.0 - 1.0);
    }

    #[test]
    fn large_ranks_do_not_break_the_tables() {
        let heuristic = Heuristic::tuned(Shape::FOUR);
        let mut cells = [0; 16];
        cells[0] = 17;
        cells[1] = 16;
        assert!(heuristic.look(&cells).is_finite());
    }
}
