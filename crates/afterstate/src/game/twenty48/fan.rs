//! What follows an afterstate of 4×4 2048, line by line instead of board by board.
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
use crate::game::fan::{Answered, Fan, NO_SLIDE};
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

/// The inverse.
#[inline]
fn unpack_half(packed: u64) -> u64 {
    let fours = (packed | packed << 16) & 0x0000_ffff_0000_ffff;
    let pairs = (fours | fours << 8) & 0x00ff_00ff_00ff_00ff;
    (pairs | pairs << 4) & 0x0f0f_0f0f_0f0f_0f0f
}

#[inline]
fn pack(cells: &[u8; 16]) -> u64 {
    let both = u128::from_le_bytes(*cells);
    pack_half(both as u64) | pack_half((both >> 64) as u64) << 32
}

#[inline]
fn unpack<const N: usize>(packed: u64) -> Board<N> {
    let both = u128::from(unpack_half(packed & 0xffff_ffff)) | u128::from(unpack_half(packed >> 32)) << 64;
    let mut board = Board::EMPTY;
    board.0[..16].copy_from_slice(&both.to_le_bytes());
    board
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

/// The rows of a board, or the columns of it as rows, slid towards both ends.
struct Axis {
    board: u64,
    /// Towards the first cells, and towards the last.
    slid: [u64; 2],
    /// By line: whether it moves.
    moves: [u8; 2],
    points: u32,
    /// The directions these slides are.
    directions: [usize; 2],
    transposed: bool,
}

impl Axis {
    #[inline]
    fn new(board: u64, directions: [usize; 2], transposed: bool) -> Self {
        let mut axis = Self { board, slid: [0; 2], moves: [0; 2], points: 0, directions, transposed };
        for line in 0..4 {
            let ranks = (board >> (16 * line)) as u16;
            let slid = lines()[usize::from(ranks)];
            axis.slid[0] |= u64::from(slid.low) << (16 * line);
            axis.slid[1] |= u64::from(slid.high) << (16 * line);
            axis.moves[0] |= u8::from(slid.low != ranks) << line;
            axis.moves[1] |= u8::from(slid.high != ranks) << line;
            axis.points += slid.points;
        }
        axis
    }

    /// Fills in the slides along this axis. `place` says which outcome a new tile in a cell is.
    #[inline]
    fn answer<const N: usize>(
        &self,
        fan: &mut Fan<Afterstate<N>>,
        tiles: &[(u8, u64)],
        halved: bool,
        place: &[u16; 16],
    ) {
        for line in 0..4 {
            let bits = 16 * line as u32;
            let ranks = (self.board >> bits) as u16;
            let rest = self.slid.map(|slid| slid & !(0xffff << bits));
            let others = self.moves.map(|moves| moves & !(1 << line) != 0);
            let points = self.points - lines()[usize::from(ranks)].points;
            for (number, &(rank, _)) in tiles.iter().enumerate() {
                let mut slid = Line::default();
                let mut known = [NO_SLIDE; 2];
                let mut gap = false;
                for cell in 0..4 {
                    if ranks >> (4 * cell) & 15 != 0 {
                        gap = false;
                        continue;
                    }
                    let with = ranks | u16::from(rank) << (4 * cell);
                    if !gap {
                        gap = true;
                        slid = lines()[usize::from(with)];
                        known = [NO_SLIDE; 2];
                    }
                    let at = if self.transposed { 4 * cell + line } else { 4 * line + cell };
                    let outcome = &mut fan.outcomes[usize::from(place[at]) + number];
                    let reward = ((points + slid.points) >> u32::from(halved)) as f32;
                    for (end, now) in [slid.low, slid.high].into_iter().enumerate() {
                        if !others[end] && now == with {
                            continue;
                        }
                        if known[end] == NO_SLIDE {
                            known[end] = fan.afterstates.len() as u32;
                            let board = rest[end] | u64::from(now) << bits;
                            let board = if self.transposed { transpose(board) } else { board };
                            fan.afterstates.push(Afterstate(unpack(board)));
                        }
                        outcome.slides[self.directions[end]] = known[end];
                        outcome.rewards[self.directions[end]] = reward;
                    }
                }
            }
        }
    }
}

/// What follows a 4×4 board; `false`, and nothing done, if its tiles are too large for the table.
#[inline]
pub(super) fn spread<const N: usize>(
    game: &Twenty48<N>,
    afterstate: &Afterstate<N>,
    fan: &mut Fan<Afterstate<N>>,
) -> bool {
    let cells: &[u8; 16] = afterstate.0.0.first_chunk().expect("at least 16 cells");
    let largest = cells.iter().fold(0, |max, &rank| max.max(rank));
    let tiles = game.spawn.tiles();
    let fits = game.cap_rank >= 15 && tiles.iter().all(|&(rank, _)| rank < 15);
    if !fits || largest > 15 || (largest == 15 && cells.iter().filter(|&&rank| rank == 15).count() > 1) {
        return false;
    }
    fan.clear();
    let mut place = [0u16; 16];
    let mut empty = afterstate.0.empty_cells(16);
    while empty != 0 {
        place[empty.trailing_zeros() as usize] = fan.outcomes.len() as u16;
        empty &= empty - 1;
        fan.outcomes.extend(tiles.iter().map(|&(_, ways)| Answered {
            ways: ways as f32,
            reward: 0.0,
            slides: [NO_SLIDE; 4],
            rewards: [0.0; 4],
        }));
    }
    let board = pack(cells);
    // Directions are up, right, down, left.
    Axis::new(board, [3, 1], false).answer(fan, tiles, game.halved, &place);
    Axis::new(transpose(board), [0, 2], true).answer(fan, tiles, game.halved, &place);
    true
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
