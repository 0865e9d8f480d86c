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
use super::index::{Octet, Plan, Radix, SPREAD};
use super::memory::Memory;
use crate::grid::Shape;
use std::arch::asm;
use std::arch::x86_64::*;
use std::sync::atomic::AtomicU32;

/// A network of pairs of clustered patterns of one number of ranks and eight images each, on a processor with AVX-512.
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
    /// Which cell each byte takes: the first four cells, and those after them.
    first: [u8; 64],
    after: [u8; 64],
    /// Where the table begins.
    offset: [u32; 16],
    /// By how many bits the number of the block is shifted.
    shift: [u32; 16],
}

impl Pair {
    fn of([low, high]: &[Octet; 2]) -> Self {
        fn both<T: Copy + Default, const HALF: usize, const WHOLE: usize>(
            low: [T; HALF],
            high: [T; HALF],
        ) -> [T; WHOLE] {
            let mut whole = [T::default(); WHOLE];
            whole[..HALF].copy_from_slice(&low);
            whole[HALF..].copy_from_slice(&high);
            whole
        }
        Self {
            first: both(low.first, high.first),
            after: both(low.after, high.after),
            offset: both(low.offsets, high.offsets),
            shift: both([low.shift; 8], [high.shift; 8]),
        }
    }
}

impl Gather {
    /// `None` where the network or the processor is of another kind.
    pub(super) fn of(structure: &Structure, plan: &Plan) -> Option<Self> {
        let fits = structure.shape == Shape::FOUR
            && structure.features.is_empty()
            && plan.len <= i32::MAX as usize
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw");
        let (octets, radix) = plan.octets().filter(|(octets, _)| fits && octets.len().is_multiple_of(2))?;
        let (pairs, _) = octets.as_chunks::<2>();
        Some(Self { pairs: pairs.iter().map(Pair::of).collect(), radix, limit: plan.len })
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
    let join = |cells: __m512i, bytes: i16, pairs: i32| {
        _mm512_madd_epi16(_mm512_maddubs_epi16(cells, _mm512_set1_epi16(bytes)), _mm512_set1_epi32(pairs))
    };
    // SAFETY: 16 readable bytes.
    let spread = unsafe { _mm_loadu_si128(SPREAD.as_ptr().cast()) };
    for (cells, weights) in boards {
        assert!(limit <= weights.len(), "entries of one network used with another");
        // SAFETY: 16 readable bytes.
        let board = unsafe { _mm_loadu_si128(cells.as_ptr().cast()) };
        let board = _mm_min_epu8(board, _mm_set1_epi8(radix.top as i8));
        let four_times = |quarter: __m128i| _mm512_broadcast_i32x4(quarter);
        let spread_bits = four_times(_mm_shuffle_epi8(spread, board));
        let low_bits = four_times(_mm_and_si128(board, _mm_set1_epi8(3)));
        let high = four_times(_mm_and_si128(_mm_srli_epi16::<2>(board), _mm_set1_epi8(3)));
        let mut four = _mm_setzero_ps();
        for pair in pairs {
            let (first, after) = (load_bytes(&pair.first), load_bytes(&pair.after));
            let low = join(_mm512_shuffle_epi8(spread_bits, first), Radix::BITS.0, Radix::BITS.1);
            let low_after = join(_mm512_shuffle_epi8(low_bits, after), Radix::PAIRS.0, Radix::PAIRS.1);
            let block = join(_mm512_shuffle_epi8(high, first), radix.bytes, radix.first);
            let block_after = join(_mm512_shuffle_epi8(high, after), radix.bytes, radix.after);
            let block = _mm512_sllv_epi32(_mm512_add_epi32(block, block_after), load_words(&pair.shift));
            let index = _mm512_add_epi32(_mm512_add_epi32(low, low_after), block);
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
            ("4x5", 13),
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
        assert!(!of(Shape::FOUR, "0123", 16), "four images");
        assert!(!of(Shape::FOUR, "012456", 16), "one pattern");
        assert!(!of(Shape::new(4, 5).unwrap(), "012567 5678ab", 16));
    }
}
