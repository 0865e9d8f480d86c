//! Clustered tables: which they are, and what a rank adds to a place; see [`super`].

use super::super::pattern::Pattern;
use crate::grid::Shape;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// At most 16 ranks and at least four cells: ordered as the module's documentation says.
    Clustered,
    /// Anything else, in the order of the definition.
    Strides,
}

/// On 4×4 boards, where it makes training faster, a clustered table may leave most of so many
/// places unused.
const MOST_PLACES: u64 = 1 << 24;

impl Kind {
    pub(super) fn of(shape: Shape, digits: usize, alphabet: u8) -> Self {
        let places = clustered_len(digits as u32, alphabet.into());
        let full = places <= u64::from(alphabet).pow(digits as u32) / 4 * 5;
        let fits = shape == Shape::FOUR && places <= MOST_PLACES || full && places <= 1 << 31;
        if alphabet <= 16 && digits >= 4 && fits { Self::Clustered } else { Self::Strides }
    }
}

/// The number of places of a clustered table.
pub(super) fn clustered_len(digits: u32, alphabet: u32) -> u64 {
    u64::from(4 * alphabet.div_ceil(4)).pow(digits)
}

/// The number of places that the table of a pattern lies in, on a board of this shape.
pub(in crate::network) fn room(shape: Shape, pattern: &Pattern) -> usize {
    let (digits, alphabet) = (pattern.cells().len(), pattern.alphabet());
    match Kind::of(shape, digits, alphabet) {
        Kind::Clustered => clustered_len(digits as u32, alphabet.into()) as usize,
        Kind::Strides => pattern.table_len(),
    }
}

/// With so many values of the high part of a rank, its two bits are kept apart.
pub(super) const BITWISE: i32 = 4;

/// The high part of a rank as it is multiplied for the number of a block: its third and fourth
/// bit, `digits` places apart, or both as one digit.
pub(super) fn high_part(rank: u32, digits: u32, alphabet: u32) -> u32 {
    let high = rank >> 2;
    if alphabet.div_ceil(4) == BITWISE as u32 { (high & 1) | (high >> 1) << digits } else { high }
}

/// The length of every hot part is a multiple of this: clustered tables have at least four digits.
pub(in crate::network) const HOT_BLOCK: usize = 8usize.pow(4);

/// The number of places whose ranks are all below 8, where they come first.
pub(super) fn hot_len(digits: u32, alphabet: u32) -> usize {
    if alphabet.div_ceil(4) == BITWISE as u32 { 8usize.pow(digits) } else { 0 }
}

/// Where a digit of a clustered table stands among the others: the third and the last come first.
pub(super) fn position(digit: u32, digits: u32) -> u32 {
    match digit {
        2 => 0,
        last if last + 1 == digits => 1,
        before if before < 2 => before + 2,
        after => after + 1,
    }
}

/// What a rank adds to a place of a clustered table, in the digit that is the `position`-th of
/// `digits`.
pub(super) fn clustered_at(rank: u32, position: u32, digits: u32, alphabet: u32) -> u32 {
    let base = alphabet.div_ceil(4);
    let step = if base == BITWISE as u32 { 2u32 } else { base };
    let block = high_part(rank, digits, alphabet) * step.pow(position);
    ((rank & 3) << (2 * position)) + (block << (2 * digits))
}
