//! All four slides of a 4×4 board at once, without branches.
//!
//! On lanes (see [`crate::game::lanes`]), as in 2048. A line has one *break*: the first
//! position that is empty or merges with the next one. Up to it nothing changes; from
//! there on everything moves up by one cell:
//!
//! ```text
//! for p in 0, 1, 2:   break   = at[p] is empty, or at[p] and at[p + 1] fit
//!                     new[p]  = beyond an earlier break: at[p + 1]
//!                               at the break: at[p + 1], or what the two make
//!                               before it: at[p]
//! ```

use super::rules::SlotRule;
use super::slide::{Slid, merge_gain};
use crate::game::lanes::{Lanes, any_above, gather, mask, scatter, sum_lines};
use crate::grid::Board;

/// Ranks up to here keep every sum of gains within 32 bits.
const FAST_RANKS: u8 = 20;

/// The gain of making a tile of this rank; rank 0 stands for no merge.
const GAIN: [u32; 32] = {
    let mut table = [0; 32];
    let mut made = 3;
    while made <= FAST_RANKS + 1 {
        table[made as usize] = merge_gain(made) as u32;
        made += 1;
    }
    table
};

/// Boards, gains and slots of the four slides; no slots means that nothing moves.
type Four = ([Lanes; 4], [u32; 4], [u16; 4]);

/// The four slides of a 4×4 board, indexed by direction.
///
/// `None` if a tile is too large for 32-bit gains. `N` may be 16 or 64; only the
/// first 16 cells are used.
#[inline]
pub fn slide_four<const N: usize>(
    board: &Board<N>,
    cap_rank: u8,
    rule: SlotRule,
) -> Option<[Option<Slid<N>>; 4]> {
    let cells: &Lanes = board.0.first_chunk().expect("at least 16 cells");
    if any_above(cells, FAST_RANKS) {
        return None;
    }
    let (boards, points, slots) = dispatch(cells, cap_rank, rule);
    let mut slides = [None; 4];
    for d in 0..4 {
        if slots[d] != 0 {
            let mut board = Board::EMPTY;
            board.0[..16].copy_from_slice(&boards[d]);
            slides[d] = Some(Slid { board, points: points[d].into(), slots: slots[d].into() });
        }
    }
    Some(slides)
}

/// Calls the one function below, compiled for what this processor can do.
#[inline]
fn dispatch(cells: &Lanes, cap_rank: u8, rule: SlotRule) -> Four {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn with_avx2(cells: &Lanes, cap_rank: u8, rule: SlotRule) -> Four {
            slide_lanes(cells, cap_rank, rule)
        }
        // SAFETY: the processor has just been found to have AVX2; the function itself is safe code.
        #[allow(unsafe_code)]
        return unsafe { with_avx2(cells, cap_rank, rule) };
    }
    slide_lanes(cells, cap_rank, rule)
}

#[inline(always)]
fn slide_lanes(cells: &Lanes, cap_rank: u8, rule: SlotRule) -> Four {
    let mut at = gather(cells);
    let mut beyond = [0; 16]; // an earlier position was the break
    let mut moved = [0; 16]; // something changed
    let mut made = [0; 16]; // the rank a merge made
    for p in 0..3 {
        for i in 0..16 {
            let (tile, next) = (at[p][i], at[p + 1][i]);
            let gap = mask(tile == 0);
            let equal = mask(tile == next) & mask(tile >= 3) & mask(tile < cap_rank);
            let one_two = mask(tile ^ next == 3) & mask(tile.max(next) == 2);
            let merge = (equal | one_two) & !gap & !beyond[i];
            let merged = tile.max(next).wrapping_add(1) & merge;
            let follow = (gap | beyond[i]) & !merge;
            at[p][i] = merged | (next & follow) | (tile & !(follow | merge));
            made[i] |= merged;
            moved[i] |= mask(at[p][i] != tile);
            beyond[i] |= gap | merge;
        }
    }
    for i in 0..16 {
        moved[i] |= beyond[i] & mask(at[3][i] != 0);
        at[3][i] &= !beyond[i];
    }

    let mut gain = [0u32; 16];
    for i in 0..16 {
        gain[i] = GAIN[usize::from(made[i] & 31)];
    }
    let points = sum_lines(&gain);

    let mut slots = trailing_cells(&moved);
    if rule == SlotRule::EmptyEdgeCell {
        let mut empty = [0; 16];
        for i in 0..16 {
            empty[i] = mask(at[3][i] == 0);
        }
        let empty = trailing_cells(&empty);
        for d in 0..4 {
            slots[d] = if slots[d] == 0 { 0 } else { empty[d] };
        }
    }

    (scatter(&at), points, slots)
}

/// The cells farthest from the wall of the chosen lanes, as a bit set for each direction.
#[inline(always)]
fn trailing_cells(lanes: &Lanes) -> [u16; 4] {
    // The four lanes of a direction as a number of four bits: byte i has weight 2^i after the
    // product.
    let chosen = |d: usize| {
        let bytes = [lanes[4 * d], lanes[4 * d + 1], lanes[4 * d + 2], lanes[4 * d + 3]];
        (u32::from_le_bytes(bytes) & 0x0101_0101).wrapping_mul(0x0102_0408) >> 24 & 15
    };
    let column = |d: usize| COLUMN[chosen(d) as usize];
    [(chosen(0) as u16) << 12, column(1), chosen(2) as u16, column(3) << 3]
}

/// The cells of the first column in the rows of a set of four bits.
const COLUMN: [u16; 16] = {
    let mut table = [0; 16];
    let mut rows = 0;
    while rows < 16 {
        table[rows] = (rows & 1 | (rows & 2) << 3 | (rows & 4) << 6 | (rows & 8) << 9) as u16;
        rows += 1;
    }
    table
};
