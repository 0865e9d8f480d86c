//! Successors of an afterstate of 4×4 2048, line by line instead of board by board.
//!
//! A new tile changes one row and one column. Slides to the left and right treat every row
//! for itself, so that after a tile in row 2 the other three rows slide as they would have
//! done without it; and likewise columns. So the four slides of the board before chance moves
//! are made once, and each new tile replaces one line in each of them.
//!
//! Within its line, a tile anywhere in a gap (empty cells side by side) slides to the same
//! place: one afterstate serves them all. Whether the line *moves* depends on the cell.
//!
//! Ranks are packed into four bits each, lines are looked up in a table of all 2¹⁶.

use super::{Afterstate, Twenty48};
use crate::game::expand::{NO_SLIDE, OutcomeMoves};
use crate::grid::Board;
use std::sync::OnceLock;

/// A slid line, and the points, which are the same at both ends.
#[derive(Clone, Copy, Default)]
struct Line {
    /// Slid towards its first cell, the lowest four bits.
    low: u16,
    /// Slid towards its last cell.
    high: u16,
    points: u32,
}

/// Lines by their ranks. Two tiles of rank 15 do not merge here: who has them must not ask.
fn lines() -> &'static [Line; 1 << 16] {
    static LINES: OnceLock<Box<[Line; 1 << 16]>> = OnceLock::new();
    LINES.get_or_init(|| {
        let all: Box<[Line]> = (0..=u16::MAX).map(Line::of).collect();
        all.try_into().unwrap_or_else(|_| unreachable!("65,536 lines"))
    })
}

impl Line {
    fn of(line: u16) -> Self {
        let ranks = [0, 4, 8, 12].map(|bits| line >> bits & 15);
        let (low, points) = slide(ranks.into_iter());
        let (high, _) = slide(ranks.into_iter().rev());
        let pack = |cells: [u16; 4]| cells[0] | cells[1] << 4 | cells[2] << 8 | cells[3] << 12;
        let [a, b, c, d] = high;
        Self { low: pack(low), high: pack([d, c, b, a]), points }
    }
}

/// A line given from the wall outwards, slid, and its points.
fn slide(ranks: impl Iterator<Item = u16>) -> ([u16; 4], u32) {
    let (mut slid, mut points) = ([0; 4], 0);
    let (mut at, mut open) = (0, 0);
    for rank in ranks.filter(|&rank| rank != 0) {
        if rank == open && rank < 15 {
            slid[at - 1] += 1;
            points += 2 << rank;
            open = 0;
        } else {
            slid[at] = rank;
            at += 1;
            open = rank;
        }
    }
    (slid, points)
}

/// Four bits of each of eight bytes.
#[inline]
fn pack_half(bytes: u64) -> u64 {
    let pairs = (bytes | bytes >> 4) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff;
    (fours | fours >> 16) & 0xffff_ffff
}

#[inline]
fn pack(cells: &[u8; 16]) -> u64 {
    let both = u128::from_le_bytes(*cells);
    pack_half(both as u64) | pack_half((both >> 64) as u64) << 32
}

/// The inverse.
#[inline(always)]
fn unpack<const N: usize>(packed: u64) -> Board<N> {
    let mut board = Board::EMPTY;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has SSE2; the function itself is safe code.
    #[allow(unsafe_code)]
    let cells = unsafe { spread_bytes(packed) };
    #[cfg(not(target_arch = "x86_64"))]
    let cells: [u8; 16] = std::array::from_fn(|cell| (packed >> (4 * cell)) as u8 & 15);
    board.0[..16].copy_from_slice(&cells);
    board
}

/// Four bits into each of sixteen bytes. The compiler would move them one at a time.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn spread_bytes(packed: u64) -> [u8; 16] {
    use std::arch::x86_64::*;
    let (packed, four_bits) = (_mm_cvtsi64_si128(packed as i64), _mm_set1_epi8(15));
    let even = _mm_and_si128(packed, four_bits);
    let odd = _mm_and_si128(_mm_srli_epi16::<4>(packed), four_bits);
    let all = _mm_unpacklo_epi8(even, odd);
    let (low, high) = (_mm_cvtsi128_si64(all), _mm_cvtsi128_si64(_mm_unpackhi_epi64(all, all)));
    (u128::from(low as u64) | u128::from(high as u64) << 64).to_le_bytes()
}

/// Rows become columns: first within the 2×2 quarters, then quarters change places.
#[inline]
fn transpose(board: u64) -> u64 {
    let quarters = board & 0xf0f0_0f0f_f0f0_0f0f
        | (board & 0x0000_f0f0_0000_f0f0) << 12
        | (board & 0x0f0f_0000_0f0f_0000) >> 12;
    let keep = quarters & 0xff00_ff00_00ff_00ff;
    keep | (quarters & 0x00ff_00ff_0000_0000) >> 24 | (quarters & 0x0000_0000_ff00_ff00) << 24
}

/// Bit 4·i for every cell i that is empty.
#[inline]
fn empty_cells(board: u64) -> u64 {
    let pairs = board | board >> 1;
    !(pairs | pairs >> 2) & 0x1111_1111_1111_1111
}

/// The rows of a board, or the columns of it as rows, slid towards both ends.
struct Axis {
    /// Towards the first cells, and towards the last.
    slid: [u64; 2],
    /// By line, bit 16·line: whether it moves.
    moves: [u64; 2],
    points: u32,
}

impl Axis {
    #[inline]
    fn new(board: u64, lines: &[Line; 1 << 16]) -> Self {
        let mut axis = Self { slid: [0; 2], moves: [0; 2], points: 0 };
        for bits in [0, 16, 32, 48] {
            let ranks = (board >> bits) as u16;
            let slid = lines[usize::from(ranks)];
            axis.slid[0] |= u64::from(slid.low) << bits;
            axis.slid[1] |= u64::from(slid.high) << bits;
            axis.moves[0] |= u64::from(slid.low != ranks) << bits;
            axis.moves[1] |= u64::from(slid.high != ranks) << bits;
            axis.points += slid.points;
        }
        axis
    }
}

/// True if all tiles that may appear on this board are small enough for the table of lines.
#[inline]
pub(super) fn fits<const N: usize>(game: &Twenty48<N>, afterstate: &Afterstate<N>) -> bool {
    let cells: &[u8; 16] = afterstate.0.0.first_chunk().expect("at least 16 cells");
    let largest = cells.iter().fold(0, |max, &rank| max.max(rank));
    let alone = || cells.iter().filter(|&&rank| rank == 15).count() == 1;
    game.cap_rank >= 15
        && (largest < 15 || (largest == 15 && alone()))
        && game.spawn.tiles().iter().all(|&(rank, _)| rank < 15)
}

/// Successors of a 4×4 board that [`fits`].
#[inline]
pub(super) fn expand_four<const N: usize>(
    game: &Twenty48<N>,
    afterstate: &Afterstate<N>,
    outcomes: &mut Vec<OutcomeMoves>,
    mut number: impl FnMut(Afterstate<N>) -> u32,
) {
    let lines = lines();
    let tiles = game.spawn.tiles();
    let board = pack(afterstate.0.0.first_chunk().expect("at least 16 cells"));
    // By cell: its first outcome.
    let mut place = [0; 16];
    let begin = outcomes.len();
    let mut empty = empty_cells(board);
    while empty != 0 {
        place[empty.trailing_zeros() as usize / 4] = outcomes.len() - begin;
        empty &= empty - 1;
        for &(_, ways) in tiles {
            outcomes.push(OutcomeMoves::dead(ways, 0));
        }
    }
    let scene = Scene { tiles, halved: game.halved, place, lines };
    let outcomes = &mut outcomes[begin..];
    scene.answer::<N, false>(board, outcomes, &mut number);
    scene.answer::<N, true>(transpose(board), outcomes, &mut number);
}

/// Data that both axes share.
struct Scene<'a> {
    tiles: &'a [(u8, u64)],
    halved: bool,
    /// By cell: its first outcome.
    place: [usize; 16],
    lines: &'a [Line; 1 << 16],
}

impl Scene<'_> {
    /// Fills in the slides along one axis: the rows, or the columns of a board that was `TURNED`.
    #[inline(always)]
    fn answer<const N: usize, const TURNED: bool>(
        &self,
        board: u64,
        outcomes: &mut [OutcomeMoves],
        number: &mut impl FnMut(Afterstate<N>) -> u32,
    ) {
        // Directions are up, right, down, left.
        let (low, high) = if TURNED { (0, 2) } else { (3, 1) };
        let mut afterstate =
            |board| number(Afterstate(unpack(if TURNED { transpose(board) } else { board })));
        let axis = Axis::new(board, self.lines);
        let empty = empty_cells(board);
        // A gap begins at an empty cell that is the first of its line or has a tile before it.
        let mut starts = empty & !(empty << 4 & 0x1110_1110_1110_1110);
        while starts != 0 {
            let first = starts.trailing_zeros();
            starts &= starts - 1;
            // All in bits, four to a cell.
            let (line, inside) = (first & 48, first & 15);
            let length = (!(empty >> first) & 0x1111 | 1 << (16 - inside)).trailing_zeros();
            let last = first + length - 4;
            let ranks = (board >> line) as u16;
            let others = 0xffff << line ^ u64::MAX;
            let (rest_low, rest_high) = (axis.slid[0] & others, axis.slid[1] & others);
            let (moves_low, moves_high) = (axis.moves[0] & others != 0, axis.moves[1] & others != 0);
            let points = axis.points - self.lines[usize::from(ranks)].points;
            for (tile, &(rank, _)) in self.tiles.iter().enumerate() {
                let with = ranks | u16::from(rank) << inside;
                let with_last = ranks | u16::from(rank) << (last & 15);
                let slid = self.lines[usize::from(with)];
                // A tile moves unless it is at that end of its gap; there the others must.
                let (ends_low, ends_high) =
                    (moves_low | (slid.low != with), moves_high | (slid.high != with_last));
                let (mut to_low, mut to_high) = (NO_SLIDE, NO_SLIDE);
                if ends_low | (length > 4) {
                    to_low = afterstate(rest_low | u64::from(slid.low) << line);
                }
                if ends_high | (length > 4) {
                    to_high = afterstate(rest_high | u64::from(slid.high) << line);
                }
                let reward = ((points + slid.points) >> u32::from(self.halved)) as i32 as f32;
                let mut bits = first;
                while bits <= last {
                    let cell = if TURNED { (bits & 12) + (bits >> 4) } else { bits >> 2 } as usize;
                    let outcome = &mut outcomes[self.place[cell & 15] + tile];
                    outcome.slides[low] = if ends_low | (bits != first) { to_low } else { NO_SLIDE };
                    outcome.slides[high] = if ends_high | (bits != last) { to_high } else { NO_SLIDE };
                    outcome.rewards[low] = reward;
                    outcome.rewards[high] = reward;
                    bits += 4;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Shape;

    #[test]
    fn packing_and_transposing_move_every_cell_to_its_place() {
        let cells: [u8; 16] = std::array::from_fn(|cell| cell as u8);
        assert_eq!(pack(&cells), 0xfedc_ba98_7654_3210);
        assert_eq!(unpack::<16>(pack(&cells)).0, cells);
        let turned: [u8; 16] = std::array::from_fn(|cell| (cell % 4 * 4 + cell / 4) as u8);
        assert_eq!(unpack::<16>(transpose(pack(&cells))).0, turned);
    }

    #[test]
    fn every_line_slides_as_a_board_of_one_row_does() {
        let shape = Shape::new(1, 4).expect("a row");
        for line in 0..=u16::MAX {
            let ranks = [0, 4, 8, 12].map(|bits| (line >> bits & 15) as u8);
            let board = Board::<16>::from_cells(&ranks);
            let found = lines()[usize::from(line)];
            use crate::grid::Direction::{Left, Right};
            for (direction, now) in [(Left, found.low), (Right, found.high)] {
                let expected = super::super::slide_board(&board, shape, direction, 15);
                let (slid, points) = expected.unwrap_or((board, 0));
                assert_eq!(slid.0[..4], [0, 4, 8, 12].map(|bits| (now >> bits & 15) as u8));
                assert_eq!(u64::from(found.points), points);
            }
        }
    }
}
