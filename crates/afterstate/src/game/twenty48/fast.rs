//! All four slides of a 4×4 board at once, without tables or branches.
//!
//! The four slides have 16 lines together: one *lane* each. Position `p` of all 16
//! lines, counted from the wall, is one vector of 16 bytes, so a slide is element-wise
//! arithmetic on four vectors, which the compiler turns into vector instructions:
//!
//! ```text
//! close gaps   for p in 2, 1, 0:    lanes empty at p move everything beyond p inwards
//! merge        for p in 0, 1, 2:    lanes with equal tiles at p and p + 1 merge them,
//!                                   and move everything beyond inwards
//! ```
//!
//! A line merges at most twice, and the second merge is at p = 1 (after one at p = 0)
//! or alone at p = 1 or 2; so merges at p = 0 and at p > 0 fill one vector each.

use crate::grid::Board;

/// One position of all 16 lines.
type Lanes = [u8; 16];

/// Lane `4·direction + line` at position `p` is cell `CELL[p][lane]`.
const CELL: [Lanes; 4] = {
    let mut table = [[0; 16]; 4];
    let mut p = 0;
    while p < 4 {
        let mut line = 0;
        while line < 4 {
            table[p][line] = (4 * p + line) as u8; // up
            table[p][4 + line] = (4 * line + 3 - p) as u8; // right
            table[p][8 + line] = (4 * (3 - p) + line) as u8; // down
            table[p][12 + line] = (4 * line + p) as u8; // left
            line += 1;
        }
        p += 1;
    }
    table
};

/// Ranks up to here keep every sum of rewards within 32 bits.
const FAST_RANKS: u8 = 27;

/// The four slides of a 4×4 board with their points, indexed by direction.
///
/// `None` if a tile is too large for 32-bit points (rank 28: 268,435,456).
/// `N` may be 16 or 64; only the first 16 cells are used.
#[inline]
pub fn slide_four<const N: usize>(board: &Board<N>, cap_rank: u8) -> Option<[Option<(Board<N>, u32)>; 4]> {
    let cells: &Lanes = board.0.first_chunk().expect("at least 16 cells");
    if cells.iter().fold(0, |max, &rank| max.max(rank)) > FAST_RANKS {
        return None;
    }
    let (boards, points) = dispatch(cells, cap_rank);
    let mut slides = [None; 4];
    for d in 0..4 {
        if boards[d] != *cells {
            let mut moved = Board::EMPTY;
            moved.0[..16].copy_from_slice(&boards[d]);
            slides[d] = Some((moved, points[d]));
        }
    }
    Some(slides)
}

/// Calls the one function below, compiled for what this processor can do.
#[inline]
fn dispatch(cells: &Lanes, cap_rank: u8) -> ([Lanes; 4], [u32; 4]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn with_avx2(cells: &Lanes, cap_rank: u8) -> ([Lanes; 4], [u32; 4]) {
            slide_lanes(cells, cap_rank)
        }
        // SAFETY: the processor has just been found to have AVX2; the function itself is safe code.
        #[allow(unsafe_code)]
        return unsafe { with_avx2(cells, cap_rank) };
    }
    slide_lanes(cells, cap_rank)
}

#[inline(always)]
fn slide_lanes(cells: &Lanes, cap_rank: u8) -> ([Lanes; 4], [u32; 4]) {
    let mut at: [Lanes; 4] = CELL.map(|from| from.map(|cell| cells[usize::from(cell & 15)]));

    // Close gaps, from the far end inwards.
    for p in [2, 1, 0] {
        let gap = map(&at[p], |rank| mask(rank == 0));
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
            let merged = at[p][i] & merge[i];
            if p == 0 {
                first[i] = merged;
            } else {
                later[i] |= merged;
            }
        }
    }

    // Points: 2^rank of every merged tile (never rank 0, so bit 0 marks "none").
    let mut each = [0u32; 16];
    for i in 0..16 {
        each[i] = ((1u32 << (first[i] & 31)) & !1) + ((1u32 << (later[i] & 31)) & !1);
    }
    let points = [0, 4, 8, 12].map(|d| each[d] + each[d + 1] + each[d + 2] + each[d + 3]);

    // Back to boards.
    let mut boards = [[0; 16]; 4];
    for (d, board) in boards.iter_mut().enumerate() {
        for p in 0..4 {
            for line in 0..4 {
                let lane = 4 * d + line;
                board[usize::from(CELL[p][lane] & 15)] = at[p][lane];
            }
        }
    }
    (boards, points)
}

/// Where `which` is set, every tile beyond position `p` moves one position inwards, onto `p`.
#[inline(always)]
fn pull(at: &mut [Lanes; 4], p: usize, which: &Lanes) {
    for q in p..4 {
        for i in 0..16 {
            let beyond = if q == 3 { 0 } else { at[q + 1][i] };
            at[q][i] = (at[q][i] & !which[i]) | (beyond & which[i]);
        }
    }
}

#[inline(always)]
fn map(lanes: &Lanes, f: impl Fn(u8) -> u8) -> Lanes {
    let mut result = [0; 16];
    for i in 0..16 {
        result[i] = f(lanes[i]);
    }
    result
}

/// All ones for true.
#[inline(always)]
fn mask(condition: bool) -> u8 {
    0u8.wrapping_sub(u8::from(condition))
}
