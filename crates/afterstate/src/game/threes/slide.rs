//! Tiles and the slide of Threes on any board, line by line.

use super::rules::SlotRule;
use crate::grid::{Board, Direction, Shape};

/// The result of a slide before anyone asks what enters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slid<const N: usize> {
    /// The board after the slide.
    pub board: Board<N>,
    /// The gain of all merges.
    pub points: u64,
    /// The cells where a tile may enter, as a bit set.
    pub slots: u64,
}

/// The number on a tile: 1, 2, 3, 6, 12, 24 …
///
/// ```
/// use afterstate::game::threes::label;
/// assert_eq!([0, 1, 2, 3, 4, 15].map(label), [0, 1, 2, 3, 6, 12288]);
/// ```
pub const fn label(rank: u8) -> u64 {
    if rank < 3 { rank as u64 } else { 3 << (rank - 3) }
}

/// The score of a tile: nothing for 1 and 2, then 3, 9, 27 … (`3^(rank − 2)`).
///
/// ```
/// use afterstate::game::threes::score;
/// assert_eq!([2, 3, 4, 14].map(score), [0, 3, 9, 531_441]);
/// ```
pub const fn score(rank: u8) -> u64 {
    if rank < 3 { 0 } else { 3u64.saturating_pow(rank as u32 - 2) }
}

/// Gain of a merge that makes a tile of rank `made`: its score less the scores of its two parts.
///
/// So 1 + 2 gains 3, and r + r gains `3^(r − 2)`.
pub const fn merge_gain(made: u8) -> u64 {
    score(made).saturating_sub(2 * score(made - 1))
}

/// New rank of the cell `ahead` when `tile` pushes against it; `None` if the tile stays.
fn push(ahead: u8, tile: u8, cap_rank: u8) -> Option<u8> {
    match (ahead, tile) {
        (_, 0) => None,
        (0, _) => Some(tile),
        (1, 2) | (2, 1) => Some(3),
        _ if ahead == tile && tile >= 3 && tile < cap_rank => Some(tile + 1),
        _ => None,
    }
}

/// Slides a board, or `None` if nothing moves.
///
/// Each line is read from the wall outwards, and every tile pushes once against the
/// cell ahead of it. Behind the first tile that gives way there is a gap, so all
/// others follow by one cell.
pub fn slide_board<const N: usize>(
    board: &Board<N>,
    shape: Shape,
    direction: Direction,
    cap_rank: u8,
    rule: SlotRule,
) -> Option<Slid<N>> {
    let mut slid = Slid { board: *board, points: 0, slots: 0 };
    let cells = &mut slid.board.0;
    let (mut moved_lines, mut empty_edge) = (0u64, 0u64);
    for line in 0..shape.lines(direction) {
        let mut moved = false;
        let mut ahead = None;
        for cell in shape.line(direction, line) {
            if let Some(ahead) = ahead
                && let Some(rank) = push(cells[ahead], cells[cell], cap_rank)
            {
                if cells[ahead] != 0 {
                    slid.points += merge_gain(rank);
                }
                cells[ahead] = rank;
                cells[cell] = 0;
                moved = true;
            }
            ahead = Some(cell);
        }
        let trailing = ahead.expect("a line has cells");
        moved_lines |= u64::from(moved) << trailing;
        empty_edge |= u64::from(cells[trailing] == 0) << trailing;
    }
    slid.slots = match rule {
        SlotRule::MovedLine => moved_lines,
        SlotRule::EmptyEdgeCell => empty_edge,
    };
    (moved_lines != 0).then_some(slid)
}
