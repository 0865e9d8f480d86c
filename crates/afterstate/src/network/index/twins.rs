//! Tables that share their cache lines.
//!
//! Two tuples that have all cells but one in common, such as `012345` and `012456`, are looked up
//! together, again and again. So their tables lie in one another, a line for the cells that both
//! have, and within the line first the ranks of the cell that only one has, then those of the cell
//! that only the other has:
//!
//! ```text
//! place = rank of the odd cell, its three low bits | 8 for the second table
//!         | 16 · place of the common cells | the fourth bit of the odd cell's rank on top
//! ```
//!
//! Every position then names half as many lines. The ranks below 8 still come first. This is done
//! where every table of a network has a twin, as in `4x6`, and its ranks have four bits. (Where
//! only some have one, as in `8x6`, it brings less than it costs.)

use super::super::pattern::Pattern;
use super::{BITWISE, Kind, clustered_at, hot_len, position};
use crate::grid::Shape;

/// The entries of a line of twins that belong to one table.
pub(in crate::network) const HALF_LINE: usize = 8;

/// The bits of a place within its line.
pub(super) const WITHIN: u32 = 4;

/// Which digits of a clustered table stand where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Order {
    /// By digit: its position among those that make the line; `None` for the odd one.
    pub(super) positions: Vec<Option<u8>>,
    alphabet: u32,
}

impl Order {
    /// The order of a table by itself.
    pub(super) fn alone(digits: usize, alphabet: u8) -> Self {
        let positions = (0..digits as u32).map(|digit| Some(position(digit, digits as u32) as u8)).collect();
        Self { positions, alphabet: alphabet.into() }
    }

    /// The orders of two twins.
    fn of_twins(both: &Match, alphabet: u8) -> [Self; 2] {
        let digits = both.digits.len();
        let mut orders = [(); 2].map(|()| Self { positions: vec![None; digits], alphabet: alphabet.into() });
        let common = both.digits.iter().enumerate().filter_map(|(first, &second)| Some((first, second?)));
        for (position, (first, second)) in common.enumerate() {
            orders[0].positions[first] = Some(position as u8);
            orders[1].positions[usize::from(second)] = Some(position as u8);
        }
        orders
    }

    /// True if the table shares its lines with another.
    pub(super) fn is_twin(&self) -> bool {
        self.odd().is_some()
    }

    /// The digit that the twin does not have.
    pub(super) fn odd(&self) -> Option<usize> {
        self.positions.iter().position(Option::is_none)
    }

    /// The number of digits that make the line.
    pub(super) fn common(&self) -> u32 {
        self.positions.iter().flatten().count() as u32
    }

    /// What a rank in a digit adds to a place.
    pub(super) fn adds(&self, digit: usize, rank: u32) -> u32 {
        let common = self.common();
        match self.positions[digit] {
            None => rank & 7 | rank >> 3 << (WITHIN + 4 * common),
            Some(position) => {
                let place = clustered_at(rank, position.into(), common, self.alphabet);
                if self.is_twin() { place << WITHIN } else { place }
            }
        }
    }

    /// The number of places whose ranks are all below 8, where they come first; those of the twin
    /// are counted too.
    pub(super) fn hot_len(&self) -> usize {
        let twins = if self.is_twin() { 2 } else { 1 };
        twins * hot_len(self.positions.len() as u32, self.alphabet)
    }
}

/// How two patterns lie on one another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Match {
    /// By digit of the first: the digit of the second that shows the same cell.
    digits: Vec<Option<u8>>,
}

/// By pattern: the first of its twins, if that is another, and its order. Those that are not
/// clustered have none.
pub(super) fn orders(shape: Shape, patterns: &[Pattern], shared: bool) -> Vec<Option<(usize, Order)>> {
    let clustered =
        |pattern: &Pattern| Kind::of(shape, pattern.cells().len(), pattern.alphabet()) == Kind::Clustered;
    let alone = |(table, pattern): (usize, &Pattern)| {
        clustered(pattern).then(|| (table, Order::alone(pattern.cells().len(), pattern.alphabet())))
    };
    let each_alone: Vec<_> = patterns.iter().enumerate().map(alone).collect();
    let mut orders = each_alone.clone();
    let mut has_twin = vec![false; patterns.len()];
    for first in 0..patterns.len() {
        for second in first + 1..patterns.len() {
            let free = !has_twin[first] && !has_twin[second] && orders[first].is_some();
            let pair = [&patterns[first], &patterns[second]];
            let Some(both) = (if free { find(shape, pair, shared) } else { None }) else { continue };
            let [one, other] = Order::of_twins(&both, patterns[first].alphabet());
            (orders[first], orders[second]) = (Some((first, one)), Some((first, other)));
            (has_twin[first], has_twin[second]) = (true, true);
        }
    }
    if has_twin.contains(&false) { each_alone } else { orders }
}

/// How all cells but one of each pattern lie on one another, in the same way however the board is
/// turned.
fn find(shape: Shape, [first, second]: [&Pattern; 2], shared: bool) -> Option<Match> {
    let len = first.cells().len();
    let fits = (second.cells().len(), second.alphabet()) == (len, first.alphabet())
        && i32::from(first.alphabet().div_ceil(4)) == BITWISE;
    let images = if shared { second.images(shape) } else { vec![second.cells().to_vec()] };
    let of_image = |image: Vec<u8>| {
        let same = |cell: &u8| image.iter().position(|other| other == cell).map(|digit| digit as u8);
        Match { digits: first.cells().iter().map(same).collect() }
    };
    let matches = images.into_iter().map(of_image);
    matches.filter(|both| fits && both.digits.iter().flatten().count() == len - 1).min()
}
