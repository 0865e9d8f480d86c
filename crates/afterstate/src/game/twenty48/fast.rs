//! All four slides of a 4×4 board at once, without tables or branches.
//!
//! On lanes (see [`super::super::lanes`]) a slide is:
//!
//! ```text
//! close gaps   for p in 2, 1, 0:    lanes empty at p move everything beyond p inwards
//! merge        for p in 0, 1, 2:    lanes with equal tiles at p and p + 1 merge them,
//!                                   and move everything beyond inwards
//! ```
//!
//! A line merges at most twice, and the second merge is at p = 1 (after one at p = 0)
//! or alone at p = 1 or 2; so merges at p = 0 and at p > 0 fill one vector each.

use crate::game::lanes::{Lanes, any_above, gather, mask, scatter, sum_lines};
use crate::grid::Board;

/// Ranks up to here keep every sum of rewards within 32 bits.
const FAST_RANKS: u8 = 27;

/// The four slides of a 4×4 board, indexed by direction, each made of its board and its points.
///
/// `None` if a tile is too large for 32-bit points (rank 28: 268,435,456).
/// `N` may be 16 or 64; only the first 16 cells are used.
#[inline(always)]
pub fn slide_four<const N: usize, T: Copy>(
    board: &Board<N>,
    cap_rank: u8,
    make: impl Fn(Board<N>, u32) -> T,
) -> Option<[Option<T>; 4]> {
    let cells: &Lanes = board.0.first_chunk().expect("at least 16 cells");
    if any_above(cells, FAST_RANKS) {
        return None;
    }
    let (boards, points) = dispatch(cells, cap_rank);
    let mut slides = [None; 4];
    for d in 0..4 {
        if boards[d] != *cells {
            let mut moved = Board::EMPTY;
            moved.0[..16].copy_from_slice(&boards[d]);
            slides[d] = Some(make(moved, points[d]));
        }
    }
    Some(slides)
}

/// The vector instructions of this processor if it has them, else plain loops over lanes.
#[inline(always)]
fn dispatch(cells: &Lanes, cap_rank: u8) -> ([Lanes; 4], [u32; 4]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just been found to have AVX2; the function itself is safe code.
        #[allow(unsafe_code)]
        return unsafe { super::avx2::slide_lanes(cells, cap_rank) };
    }
    slide_lanes(cells, cap_rank)
}

/// The slide on lanes, in plain loops.
fn slide_lanes(cells: &Lanes, cap_rank: u8) -> ([Lanes; 4], [u32; 4]) {
    let mut at = gather(cells);

    // Close gaps, from the far end inwards.
    for p in [2, 1, 0] {
        let mut gap = [0; 16];
        for i in 0..16 {
            gap[i] = mask(at[p][i] == 0);
        }
        pull(&mut at, p, &gap);
    }

    // Merge, from the wall outwards.
    let mut first = [0; 16];
    let mut later = [0; 16];
    for p in 0..3 {
        let mut merge = [0; 16];
        for i in 0..16 {
            let rank = at[p][i];
            merge[i] = mask(rank == at[p + 1][i]) & mask(rank != 0) & mask(rank < cap_rank);
        }
        pull(&mut at, p, &merge);
        for i in 0..16 {
            at[p][i] += merge[i] & 1;
        }
        let merged = if p == 0 { &mut first } else { &mut later };
        for i in 0..16 {
            merged[i] |= at[p][i] & merge[i];
        }
    }

    // Points: 2^rank of every merged tile; rank 0 stands for none.
    let mut each = [0u32; 16];
    for i in 0..16 {
        each[i] = ((1u32 << (first[i] & 31)) & !1) + ((1u32 << (later[i] & 31)) & !1);
    }
    (scatter(&at), sum_lines(&each))
}

/// Where `which` is set, every tile beyond position `p` moves one position inwards, onto `p`.
#[inline(always)]
fn pull(at: &mut [Lanes; 4], p: usize, which: &Lanes) {
    for q in p..3 {
        for i in 0..16 {
            at[q][i] = (at[q][i] & !which[i]) | (at[q + 1][i] & which[i]);
        }
    }
    for i in 0..16 {
        at[3][i] &= !which[i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn vector_instructions_give_what_plain_loops_give() {
        let mut random = Random::new(1);
        for round in 0..20_000 {
            let top = 1 + round % u64::from(FAST_RANKS);
            let cells: Lanes = std::array::from_fn(|_| random.below(top + 1) as u8 * random.below(2) as u8);
            for cap_rank in [3, 11, 60] {
                assert_eq!(dispatch(&cells, cap_rank), slide_lanes(&cells, cap_rank), "{cells:?}");
            }
        }
    }
}
