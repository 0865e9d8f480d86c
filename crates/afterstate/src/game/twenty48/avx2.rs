//! The slide of [`super::fast`] in AVX2 instructions, step by step the same.
//!
//! The compiler vectorises the plain loops, but moves bytes between vectors one at a
//! time; this is twice as fast.

use crate::game::lanes::{BACK, CELL, Lanes};
use std::arch::x86_64::*;

// Whole vectors go to memory and back in one piece: a vector read from two halves that were just written waits for
// both to reach the cache.

#[inline]
#[target_feature(enable = "avx2")]
fn load(lanes: &Lanes) -> __m128i {
    // SAFETY: 16 readable bytes.
    #[allow(unsafe_code)]
    unsafe {
        _mm_loadu_si128(lanes.as_ptr().cast())
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(vector: __m128i) -> Lanes {
    let mut lanes = [0; 16];
    // SAFETY: 16 writable bytes.
    #[allow(unsafe_code)]
    unsafe {
        _mm_storeu_si128(lanes.as_mut_ptr().cast(), vector);
    }
    lanes
}

/// The four boards and their points.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn slide_lanes(cells: &Lanes, cap_rank: u8) -> ([Lanes; 4], [u32; 4]) {
    let board = load(cells);
    let zero = _mm_setzero_si128();
    let cap = _mm_set1_epi8(cap_rank as i8);
    let mut a = _mm_shuffle_epi8(board, load(&CELL[0]));
    let mut b = _mm_shuffle_epi8(board, load(&CELL[1]));
    let mut c = _mm_shuffle_epi8(board, load(&CELL[2]));
    let mut d = _mm_shuffle_epi8(board, load(&CELL[3]));

    // Close gaps, from the far end inwards.
    let gap = _mm_cmpeq_epi8(c, zero);
    c = _mm_blendv_epi8(c, d, gap);
    d = _mm_andnot_si128(gap, d);
    let gap = _mm_cmpeq_epi8(b, zero);
    b = _mm_blendv_epi8(b, c, gap);
    c = _mm_blendv_epi8(c, d, gap);
    d = _mm_andnot_si128(gap, d);
    let gap = _mm_cmpeq_epi8(a, zero);
    a = _mm_blendv_epi8(a, b, gap);
    b = _mm_blendv_epi8(b, c, gap);
    c = _mm_blendv_epi8(c, d, gap);
    d = _mm_andnot_si128(gap, d);

    // Merge, from the wall outwards; subtracting a mask adds one.
    let fits = |near: __m128i, far: __m128i| {
        let mergeable = _mm_and_si128(_mm_cmpgt_epi8(near, zero), _mm_cmpgt_epi8(cap, near));
        _mm_and_si128(_mm_cmpeq_epi8(near, far), mergeable)
    };
    let merge = fits(a, b);
    a = _mm_sub_epi8(a, merge);
    b = _mm_blendv_epi8(b, c, merge);
    c = _mm_blendv_epi8(c, d, merge);
    d = _mm_andnot_si128(merge, d);
    let first = _mm_and_si128(a, merge);
    let merge = fits(b, c);
    b = _mm_sub_epi8(b, merge);
    c = _mm_blendv_epi8(c, d, merge);
    d = _mm_andnot_si128(merge, d);
    let second = _mm_and_si128(b, merge);
    let merge = fits(c, d);
    c = _mm_sub_epi8(c, merge);
    d = _mm_andnot_si128(merge, d);
    let later = _mm_or_si128(second, _mm_and_si128(c, merge));

    // Points: 2^rank of every merged tile; rank 0 stands for none.
    let one = _mm256_set1_epi32(1);
    let powers =
        |ranks: __m128i| _mm256_andnot_si256(one, _mm256_sllv_epi32(one, _mm256_cvtepu8_epi32(ranks)));
    let upper = |ranks: __m128i| _mm_unpackhi_epi64(ranks, ranks);
    let up_right = _mm256_add_epi32(powers(first), powers(later));
    let down_left = _mm256_add_epi32(powers(upper(first)), powers(upper(later)));
    // In each half: the sums of two lanes, then of four: up, down | right, left.
    let pairs = _mm256_hadd_epi32(up_right, down_left);
    let sums = _mm256_hadd_epi32(pairs, pairs);
    let (low, high) = (_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    let (up_down, right_left) = (_mm_cvtsi128_si64(low) as u64, _mm_cvtsi128_si64(high) as u64);
    let points = [up_down as u32, right_left as u32, (up_down >> 32) as u32, (right_left >> 32) as u32];

    // Back to boards: the four positions of each direction in a row, then each cell from its place.
    let (ab, cd) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
    let (up, right) = (_mm_unpacklo_epi64(ab, cd), _mm_unpackhi_epi64(ab, cd));
    let (ab, cd) = (_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
    let (down, left) = (_mm_unpacklo_epi64(ab, cd), _mm_unpackhi_epi64(ab, cd));
    let boards = [
        store(_mm_shuffle_epi8(up, load(&BACK[0]))),
        store(_mm_shuffle_epi8(right, load(&BACK[1]))),
        store(_mm_shuffle_epi8(down, load(&BACK[2]))),
        store(_mm_shuffle_epi8(left, load(&BACK[3]))),
    ];
    (boards, points)
}
