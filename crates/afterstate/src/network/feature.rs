//! The other features of the papers: counts over the whole board, each with a table of its own.

use crate::grid::{Shape, View};
use std::fmt;

/// A feature of a position that is not a tuple of cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Feature {
    /// Number of tiles of each of five consecutive ranks, all five counts as one index
    /// (Wu et al. 2014). 2048: ranks 11 to 15, tiles 2048 to 32768; Threes: 10 to 14, 384 to 6144.
    /// Counts above 7 read as 7, ranks above the fifth as the fifth.
    LargeTiles {
        /// The smallest of the five ranks.
        from: u8,
    },
    /// The number of empty cells (Yeh et al. 2016, IV.E).
    EmptyCells,
    /// The number of different tiles on the board (Yeh et al. 2016).
    DistinctTiles,
    /// The number of neighbouring pairs that can merge (Yeh et al. 2016): equal tiles, in Threes
    /// from 3 to 3072, and 1 with 2.
    MergeablePairs {
        /// True if the rules of Threes apply.
        threes: bool,
    },
    /// The number of neighbouring pairs of a tile *v* and its double 2*v* (Yeh et al. 2016): in
    /// Threes 2 and 3 are none.
    DoublePairs {
        /// Set where the tiles are those of Threes.
        threes: bool,
    },
    /// The announced tile of Threes: 1, 2, 3 or the size of the bonus.
    Hint,
    /// The tiles left in the bag of Threes, together with the hint.
    Bag,
}

/// Values of [`View::hint`] from here on read as the largest.
const HINTS: usize = 16;
/// A bag holds up to this many of each tile.
const BAG: usize = 5;
/// The rank of Threes' 6144, whose pairs do not merge (Yeh et al. 2016, II.A).
const LAST_OF_THREES: u8 = 14;

impl Feature {
    /// The number of weights in its table.
    pub fn table_len(self, shape: Shape) -> usize {
        match self {
            Self::LargeTiles { .. } => 8usize.pow(5),
            Self::EmptyCells | Self::DistinctTiles => shape.cells() + 1,
            Self::MergeablePairs { .. } | Self::DoublePairs { .. } => 2 * shape.cells(),
            Self::Hint => HINTS,
            Self::Bag => BAG.pow(3) * HINTS,
        }
    }

    /// The index into its table.
    #[inline]
    pub fn index(self, shape: Shape, view: &View<'_>) -> usize {
        let cells = &view.cells[..shape.cells()];
        match self {
            Self::LargeTiles { from } => {
                let mut counts = [0usize; 5];
                for &rank in cells.iter().filter(|&&rank| rank >= from) {
                    let count = &mut counts[usize::from((rank - from).min(4))];
                    *count = (*count + 1).min(7);
                }
                counts.iter().rev().fold(0, |index, count| index * 8 + count)
            }
            Self::EmptyCells => cells.iter().filter(|&&rank| rank == 0).count(),
            Self::DistinctTiles => {
                let seen = cells.iter().fold(0u64, |set, &rank| set | 1 << (rank & 63));
                (seen & !1).count_ones() as usize
            }
            Self::MergeablePairs { threes: false } => pairs(cells, shape, |a, b| a == b && a > 0),
            Self::MergeablePairs { threes: true } => pairs(cells, shape, |a, b| {
                (a == b && (3..LAST_OF_THREES).contains(&a)) || (a + b == 3 && a != 0 && b != 0)
            }),
            Self::DoublePairs { threes } => pairs(cells, shape, |a, b| {
                // Ranks 1, 2, 3, 4, … of Threes are the tiles 1, 2, 3, 6, …
                a != 0 && b != 0 && a.abs_diff(b) == 1 && !(threes && a + b == 5)
            }),
            Self::Hint => usize::from(view.hint).min(HINTS - 1),
            Self::Bag => {
                let bag =
                    view.bag.iter().rev().fold(0, |index, &n| index * BAG + usize::from(n).min(BAG - 1));
                bag * HINTS + usize::from(view.hint).min(HINTS - 1)
            }
        }
    }

    /// Reads the name [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "empty" => Self::EmptyCells,
            "distinct" => Self::DistinctTiles,
            "mergeable" => Self::MergeablePairs { threes: false },
            "mergeable-threes" => Self::MergeablePairs { threes: true },
            "doubles" => Self::DoublePairs { threes: false },
            "doubles-threes" => Self::DoublePairs { threes: true },
            "hint" => Self::Hint,
            "bag" => Self::Bag,
            _ => Self::LargeTiles { from: text.strip_prefix("large-")?.parse().ok().filter(|&r| r <= 40)? },
        })
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LargeTiles { from } => write!(f, "large-{from}"),
            Self::EmptyCells => f.write_str("empty"),
            Self::DistinctTiles => f.write_str("distinct"),
            Self::MergeablePairs { threes: false } => f.write_str("mergeable"),
            Self::MergeablePairs { threes: true } => f.write_str("mergeable-threes"),
            Self::DoublePairs { threes: false } => f.write_str("doubles"),
            Self::DoublePairs { threes: true } => f.write_str("doubles-threes"),
            Self::Hint => f.write_str("hint"),
            Self::Bag => f.write_str("bag"),
        }
    }
}

/// Number of horizontally or vertically neighbouring pairs that satisfy a condition.
fn pairs(cells: &[u8], shape: Shape, fits: impl Fn(u8, u8) -> bool) -> usize {
    let cols = shape.cols();
    let mut count = 0;
    for (i, &rank) in cells.iter().enumerate() {
        count += usize::from((i + 1) % cols != 0 && fits(rank, cells[i + 1]));
        count += usize::from(i + cols < cells.len() && fits(rank, cells[i + cols]));
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(cells: &[u8]) -> View<'_> {
        View { cells, hint: 3, bag: [4, 0, 2] }
    }

    #[test]
    fn counts_by_hand() {
        #[rustfmt::skip]
        let cells = [
            11, 11, 12, 0,
            1,  2,  2,  0,
            15, 16, 3,  3,
            0,  0,  1,  2,
        ];
        let index = |feature: Feature| feature.index(Shape::FOUR, &view(&cells));
        assert_eq!(index(Feature::LargeTiles { from: 11 }), 2 + 8 + 2 * 8usize.pow(4));
        assert_eq!(index(Feature::EmptyCells), 4);
        assert_eq!(index(Feature::DistinctTiles), 7);
        assert_eq!(index(Feature::MergeablePairs { threes: false }), 3);
        assert_eq!(index(Feature::MergeablePairs { threes: true }), 4);
        assert_eq!(index(Feature::DoublePairs { threes: false }), 6);
        assert_eq!(index(Feature::Hint), 3);
        assert_eq!(index(Feature::Bag), (4 + 2 * 25) * 16 + 3);
    }

    /// 6144 and 6144 stay apart, and 3 is not the double of 2.
    #[test]
    fn pairs_of_threes() {
        #[rustfmt::skip]
        let cells = [
            14, 14, 0, 13,
            0,  0,  0, 13,
            2,  3,  4, 0,
            1,  2,  5, 0,
        ];
        let index = |feature: Feature| feature.index(Shape::FOUR, &view(&cells));
        // 3072 + 3072, 1 + 2 beside each other and 1 + 2 above each other.
        assert_eq!(index(Feature::MergeablePairs { threes: true }), 3);
        assert_eq!(index(Feature::MergeablePairs { threes: false }), 2);
        // 3 and 6, 6 and 12, 1 and 2 twice; not 2 and 3, which lie beside and above each other.
        assert_eq!(index(Feature::DoublePairs { threes: true }), 4);
        assert_eq!(index(Feature::DoublePairs { threes: false }), 6);
        for name in ["mergeable", "mergeable-threes", "doubles", "doubles-threes", "large-11"] {
            assert_eq!(Feature::parse(name).unwrap().to_string(), name);
        }
    }
}
