//! The values of many 4×4 boards, as the leaves of a search need them: sixteen entries at a time.
//!
//! What [`super::index`] does with one pattern in 256 bits, this does with two in 512, and has the
//! processor *gather* the weights instead of storing entries and loading one after the other.
//! That pays where most weights are in the cache already: the leaves of a 3-ply search name
//! 35,000 entries, but only 7,500 different ones. So nothing is prefetched either.
//!
//! The sum runs in the order of [`super::Active::sum`], so that the values are the same to the bit.
#![allow(unsafe_code)]

use super::Structure;
use super::index::{Plan, Radix, above};
use super::memory::Memory;
use crate::grid::Shape;
use std::arch::asm;
use std::arch::x86_64::*;
use std::sync::atomic::AtomicU32;

/// A network of pairs of patterns with one even number of ranks and eight images each, on a processor with AVX-512.
#[derive(Clone, Debug)]
pub(super) struct Gather {
    pairs: Vec<Pair>,
    radix: Radix,
    /// Every entry is below this.
    limit: usize,
}

/// Eight images each of two patterns, one to every 32 bits.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Pair {
    /// Which cell each byte takes: the leading ones, and the last four.
    leading: [u8; 64],
    last: [u8; 64],
    /// Where the table begins.
    offset: [u32; 16],
    /// By what the upper bits of the last four are multiplied.
    above: [u32; 16],
}

/// In a shuffle: this byte becomes zero.
const NO_CELL: u8 = 0x80;

impl Gather {
    /// `None` where the network or the processor is of another kind.
    pub(super) fn of(structure: &Structure, plan: &Plan) -> Option<Self> {
        let patterns = &structure.patterns;
        let fits = structure.shape == Shape::FOUR
            && structure.shared
            && structure.features.is_empty()
            && patterns.len().is_multiple_of(2)
            && plan.len <= i32::MAX as usize
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw");
        let pair = || Pair { leading: [NO_CELL; 64], last: [NO_CELL; 64], offset: [0; 16], above: [0; 16] };
        let mut pairs = vec![pair(); if fits { patterns.len() / 2 } else { return None }];
        let alphabet = patterns.first()?.alphabet();
        for (number, (pattern, table)) in patterns.iter().zip(&plan.tables).enumerate() {
            let (images, digits) = (pattern.images(structure.shape), pattern.cells().len());
            // As many digits as 32 bits hold, and the order that this code knows.
            let known = plan.is_bits_first(number) && pattern.alphabet() == alphabet;
            if !known || digits > 8 || images.len() != 8 {
                return None;
            }
            let leading = digits - 4;
            let pair = &mut pairs[number / 2];
            for (lane, image) in images.iter().enumerate() {
                let lane = 8 * (number % 2) + lane;
                pair.leading[4 * lane..][..leading].copy_from_slice(&image[..leading]);
                pair.last[4 * lane..][..4].copy_from_slice(&image[leading..]);
                pair.offset[lane] = table.offset;
                pair.above[lane] = above(digits as u32, alphabet.into());
            }
        }
        Some(Self { pairs, radix: Radix::new(alphabet), limit: plan.len })
    }

    /// Appends the values of boards, each with the weights that judge it.
    pub(super) fn values<'a>(
        &self,
        boards: impl Iterator<Item = (&'a [u8; 16], &'a Memory<AtomicU32>)>,
        values: &mut Vec<f32>,
    ) {
        // SAFETY: the processor was found to have AVX-512 when this was made; the function is safe code but for
        // its vector loads and the gathers, which have arguments of their own.
        unsafe {
            // The common networks with loops of known length.
            match &self.pairs[..] {
                [a, b] => sum_all([a, b], self.radix, self.limit, boards, values),
                [a, b, c, d] => sum_all([a, b, c, d], self.radix, self.limit, boards, values),
                pairs => sum_all(pairs, self.radix, self.limit, boards, values),
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sum_all<'a, 'p>(
    pairs: impl IntoIterator<Item = &'p Pair> + Copy,
    radix: Radix,
    limit: usize,
    boards: impl Iterator<Item = (&'a [u8; 16], &'a Memory<AtomicU32>)>,
    values: &mut Vec<f32>,
) {
    // SAFETY: 64 readable bytes at a multiple of 64.
    let load_bytes = |bytes: &[u8; 64]| unsafe { _mm512_load_si512(bytes.as_ptr().cast()) };
    // SAFETY: as above.
    let load_words = |words: &[u32; 16]| unsafe { _mm512_load_si512(words.as_ptr().cast()) };
    // Pairs of bytes, then pairs of pairs: four cells become one number in each 32-bit lane.
    let join = |cells: __m512i, (pairs, pairs_of_pairs): (i16, i32)| {
        let pairs = _mm512_maddubs_epi16(cells, _mm512_set1_epi16(pairs));
        _mm512_madd_epi16(pairs, _mm512_set1_epi32(pairs_of_pairs))
    };
    for (cells, weights) in boards {
        assert!(limit <= weights.len(), "entries of one network used with another");
        // SAFETY: 16 readable bytes.
        let board = _mm512_broadcast_i32x4(unsafe { _mm_loadu_si128(cells.as_ptr().cast()) });
        let board = _mm512_min_epu8(board, _mm512_set1_epi8(radix.top as i8));
        let lowest_bits = _mm512_and_si512(board, _mm512_set1_epi8(1));
        let upper_bits = _mm512_and_si512(_mm512_srli_epi16::<1>(board), _mm512_set1_epi8(7));
        let mut four = _mm_setzero_ps();
        for pair in pairs {
            let last = load_bytes(&pair.last);
            let lowest = join(_mm512_shuffle_epi8(lowest_bits, last), Radix::LOWEST);
            let upper = join(_mm512_shuffle_epi8(upper_bits, last), radix.upper);
            let leading = join(_mm512_shuffle_epi8(board, load_bytes(&pair.leading)), radix.whole);
            let index = _mm512_or_si512(lowest, _mm512_slli_epi32::<4>(leading));
            let index = _mm512_add_epi32(index, _mm512_mullo_epi32(upper, load_words(&pair.above)));
            let index = _mm512_add_epi32(index, load_words(&pair.offset));
            // SAFETY: every lane is an entry of a table below the limit, which was checked: cells are at most the
            // largest rank, so they and the table's offset cannot give another number.
            let found = unsafe { gather(weights, index) };
            four = _mm_add_ps(four, _mm512_castps512_ps128(found));
            four = _mm_add_ps(four, _mm512_extractf32x4_ps::<1>(found));
            four = _mm_add_ps(four, _mm512_extractf32x4_ps::<2>(found));
            four = _mm_add_ps(four, _mm512_extractf32x4_ps::<3>(found));
        }
        let odd = _mm_movehdup_ps(four);
        let sums = _mm_add_ps(four, odd); // a + b, …, c + d, …
        values.push(_mm_cvtss_f32(_mm_add_ss(sums, _mm_movehl_ps(sums, sums))));
    }
}

/// Sixteen weights.
///
/// Other threads may change them meanwhile. So this is not the library's gather, which would be a
/// data race, but the instruction: it stands for sixteen relaxed loads of aligned 32-bit words,
/// each of which the processor does at once.
///
/// # Safety
/// Every lane of `index` must be below the length of `weights`.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn gather(weights: &Memory<AtomicU32>, index: __m512i) -> __m512 {
    let mut found = _mm512_setzero_ps();
    // SAFETY: the caller's promise; the memory is only read.
    unsafe {
        asm!(
            "vgatherdps {found} {{{all}}}, [{start} + 4*{index}]",
            found = inout(zmm_reg) found,
            all = inout(kreg) u16::MAX => _,
            start = in(reg) weights.entries().as_ptr(),
            index = in(zmm_reg) index,
            options(nostack, readonly, preserves_flags),
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::{Active, Network};
    use super::*;
    use crate::grid::View;
    use crate::network::stage::Stages;
    use crate::random::Random;

    #[test]
    fn values_are_those_of_single_boards_to_the_bit() {
        let mut random = Random::new(4);
        for (patterns, alphabet) in [
            ("4x5", 16),
            ("01245 45689", 16),
            ("01245 45689 01234 45678 0124 0126", 16),
            ("0126 01245", 16),
            ("012456 45689a", 14),
            ("4x5", 12),
            ("01245678 01245", 4),
        ] {
            let stages = Stages::new(vec![vec![9]]);
            let structure =
                Structure { stages, ..Structure::tuples(Shape::FOUR, patterns, alphabet).unwrap() };
            let network = Network::new(structure);
            for bank in 0..2 {
                for _ in 0..500_000 {
                    let entry = random.below(network.bank_len() as u64) as u32;
                    network.bank(bank).set(entry, random.below(1 << 20) as f32 / 777.0);
                }
            }
            let boards: Vec<[u8; 16]> =
                (0..2000).map(|_| std::array::from_fn(|_| random.below(18) as u8)).collect();
            let mut values = vec![-1.0];
            let known = network.sums(boards.iter().zip([0, 1].into_iter().cycle()), &mut values);
            assert_eq!(known, is_x86_feature_detected!("avx512bw"), "{patterns}");
            if !known {
                continue;
            }
            assert_eq!(values.len(), 1 + boards.len());
            let mut active = Active::default();
            for (number, (cells, &value)) in boards.iter().zip(&values[1..]).enumerate() {
                network.activate(&View { cells, hint: 0, bag: [0; 3] }, number as u8 % 2, &mut active);
                assert_eq!(network.sum(&active).to_bits(), value.to_bits(), "{cells:?}");
            }
        }
    }

    #[test]
    fn other_networks_are_left_alone() {
        let of = |shape, patterns, alphabet| {
            let network = Network::new(Structure::tuples(shape, patterns, alphabet).unwrap());
            network.sums([([0; 16], 0)].iter().map(|(cells, bank)| (cells, *bank)), &mut Vec::new())
        };
        assert!(!of(Shape::FOUR, "4x6", 13));
        assert!(!of(Shape::FOUR, "0123", 16), "four images");
        assert!(!of(Shape::FOUR, "012456", 16), "one pattern");
        assert!(!of(Shape::new(4, 5).unwrap(), "012567 5678ab", 16));
    }
}
