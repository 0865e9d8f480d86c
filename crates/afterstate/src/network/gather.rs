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
use super::index::{BlockDigits, JOIN_AFTER, JOIN_FIRST, Octet, Plan};
use super::memory::Memory;
use super::quantized::{StageWeights, Store, Weights, add_four};
use super::replica::Replica;
use crate::grid::Shape;
use std::arch::asm;
use std::arch::x86_64::*;
use std::sync::atomic::AtomicU32;

/// A network of clustered patterns of one number of ranks and eight images each, two at a time, on
/// a processor with AVX-512.
#[derive(Clone, Debug)]
pub(super) struct Gather {
    pairs: Vec<Pair>,
    /// The largest rank.
    top: u8,
    /// Every entry is below this.
    limit: usize,
}

/// Eight images each of two patterns, one to every 32 bits.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Pair {
    /// Which cell each byte takes: the first four cells, and those after them.
    first: [u8; 64],
    after: [u8; 64],
    /// The same for the odd cell of a table with a twin.
    pub(super) odd: [u8; 64],
    /// Whether there are such tables.
    has_twins: bool,
    /// By how many bits the number of the line is shifted, and the fourth bit of the odd cell's
    /// rank.
    within: [u32; 16],
    pub(super) odd_shift: [u32; 16],
    /// Where the table begins.
    pub(super) offset: [u32; 16],
    /// By how many bits the number of the block is shifted.
    shift: [u32; 16],
    /// The high part of each rank, twice for each pattern.
    high: [u8; 64],
    /// Where the hot part of the table lies in the first replica, and the number of its places.
    hot_offset: [u32; 16],
    hot: [u32; 16],
    /// Which images there are: all, or those of the first pattern only.
    lanes: u16,
    /// How high parts are joined, which depends on the number of ranks only.
    digits: BlockDigits,
}

impl Pair {
    pub(super) fn of([low, high]: &[Octet; 2]) -> Self {
        fn both<T: Copy + Default, const HALF: usize, const WHOLE: usize>(
            low: [T; HALF],
            high: [T; HALF],
        ) -> [T; WHOLE] {
            let mut whole = [T::default(); WHOLE];
            whole[..HALF].copy_from_slice(&low);
            whole[HALF..].copy_from_slice(&high);
            whole
        }
        let twice = |high: [u8; 16]| -> [u8; 32] { both(high, high) };
        Self {
            first: both(low.first, high.first),
            after: both(low.after, high.after),
            odd: both(low.odd, high.odd),
            within: both([low.within; 8], [high.within; 8]),
            odd_shift: both([low.odd_shift; 8], [high.odd_shift; 8]),
            offset: both(low.offsets, high.offsets),
            shift: both([low.block.shift; 8], [high.block.shift; 8]),
            high: both(twice(low.block.high), twice(high.block.high)),
            hot_offset: both(low.hot_offsets, high.hot_offsets),
            hot: both([low.hot; 8], [high.hot; 8]),
            has_twins: low.within > 0 || high.within > 0,
            lanes: u16::MAX,
            digits: low.block,
        }
    }
}

impl Gather {
    /// `None` where the network or the processor is of another kind.
    pub(super) fn of(structure: &Structure, plan: &Plan) -> Option<Self> {
        let fits = is_possible(structure, plan);
        let (octets, top) = plan.octets().filter(|_| fits)?;
        let (pairs, rest) = octets.as_chunks::<2>();
        let mut pairs: Vec<Pair> = pairs.iter().map(Pair::of).collect();
        if let [only] = rest {
            pairs.push(Pair { lanes: 0x00ff, ..Pair::of(&[only.clone(), only.clone()]) });
        }
        Some(Self { pairs, top, limit: plan.len })
    }

    /// Writes the entries of a board, those of hot parts in a replica, and returns their sum. All
    /// entries are below `limit`.
    #[inline(always)]
    pub(super) fn fill_and_sum(
        &self,
        cells: [u8; 16],
        weights: &Memory<AtomicU32>,
        replica: Option<Replica>,
        limit: usize,
        entries: &mut [u32],
    ) -> f32 {
        assert!(limit <= weights.room(), "entries of one network used with another");
        // SAFETY: the processor was found to have AVX-512 when this was made, and all entries are
        // below the limit that was compared with the length of the array.
        unsafe { self.fill_and_sum_checked(cells, weights, replica.map(|replica| replica.start), entries) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn fill_and_sum_checked(
        &self,
        cells: [u8; 16],
        weights: &Memory<AtomicU32>,
        replica: Option<u32>,
        entries: &mut [u32],
    ) -> f32 {
        let bits = RankBits::of(cells, self.top);
        let mut four = _mm_setzero_ps();
        for (pair, sixteen) in self.pairs.iter().zip(entries.chunks_mut(16)) {
            let index = bits.index(pair, replica);
            // SAFETY: the mask has a lane for every entry of the chunk at most.
            unsafe {
                let lanes = pair.lanes & (u32::MAX >> (32 - sixteen.len() as u32)) as u16;
                _mm512_mask_storeu_epi32(sixteen.as_mut_ptr().cast(), lanes, index);
            }
            // SAFETY: every lane is an entry of a table or replica; the caller has compared the
            // limit of the entries with the length of the array.
            four = add_quarters(four, unsafe { gather(weights, index, pair.lanes) });
        }
        sum_of_four(four)
    }

    /// Appends the values of boards, each with the weights that judge it.
    pub(super) fn values<'a>(
        &self,
        boards: impl Iterator<Item = ([u8; 16], &'a Memory<AtomicU32>)>,
        values: &mut Vec<f32>,
    ) {
        // SAFETY: the processor was found to have AVX-512 when this was made; the function is safe
        // code but for its vector loads and the gathers, which have arguments of their own.
        unsafe {
            // The common networks with loops of known length.
            match &self.pairs[..] {
                [a, b] => sum_all([a, b], self.top, self.limit, boards, values),
                [a, b, c, d] => sum_all([a, b, c, d], self.top, self.limit, boards, values),
                pairs => sum_all(pairs, self.top, self.limit, boards, values),
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sum_all<'a, 'p>(
    pairs: impl IntoIterator<Item = &'p Pair> + Copy,
    top: u8,
    limit: usize,
    boards: impl Iterator<Item = ([u8; 16], &'a Memory<AtomicU32>)>,
    values: &mut Vec<f32>,
) {
    for (cells, weights) in boards {
        assert!(limit <= weights.len(), "entries of one network used with another");
        let bits = RankBits::of(cells, top);
        let mut four = _mm_setzero_ps();
        for pair in pairs {
            let index = bits.index(pair, None);
            // SAFETY: every lane is an entry of a table below the limit, which was checked: cells
            // are at most the largest rank, so they and the table's offset cannot give another
            // number.
            four = add_quarters(four, unsafe { gather(weights, index, pair.lanes) });
        }
        values.push(sum_of_four(four));
    }
}

/// Adds sixteen weights to four sums, in the order of [`super::Active::sum`].
#[inline]
#[target_feature(enable = "avx512f")]
fn add_quarters(four: __m128, found: __m512) -> __m128 {
    let four = _mm_add_ps(four, _mm512_castps512_ps128(found));
    let four = _mm_add_ps(four, _mm512_extractf32x4_ps::<1>(found));
    let four = _mm_add_ps(four, _mm512_extractf32x4_ps::<2>(found));
    _mm_add_ps(four, _mm512_extractf32x4_ps::<3>(found))
}

/// (a + b) + (c + d).
#[inline]
#[target_feature(enable = "avx512f")]
fn sum_of_four(four: __m128) -> f32 {
    let sums = _mm_add_ps(four, _mm_movehdup_ps(four)); // a + b, …, c + d, …
    _mm_cvtss_f32(_mm_add_ss(sums, _mm_movehl_ps(sums, sums)))
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_bytes(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: 64 readable bytes.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_words(words: &[u32; 16]) -> __m512i {
    // SAFETY: 64 readable bytes.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

/// The ranks of a board, and the low parts of them that places are made of, four times side by
/// side.
#[derive(Clone, Copy)]
pub(super) struct RankBits {
    low: __m512i,
    board: __m512i,
}

impl RankBits {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn of(cells: [u8; 16], top: u8) -> Self {
        // SAFETY: 16 readable bytes.
        let board = unsafe { _mm_loadu_si128(cells.as_ptr().cast()) };
        let board = _mm_min_epu8(board, _mm_set1_epi8(top as i8));
        let four_times = |quarter: __m128i| _mm512_broadcast_i32x4(quarter);
        Self { low: four_times(_mm_and_si128(board, _mm_set1_epi8(3))), board: four_times(board) }
    }

    /// Where the lines of sixteen images begin in their tables.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn lines(self, pair: &Pair) -> __m512i {
        // Pairs of bytes, then pairs of pairs: four cells become one number in each 32-bit lane.
        let join = |cells: __m512i, bytes: i16, pairs: i32| {
            _mm512_madd_epi16(_mm512_maddubs_epi16(cells, _mm512_set1_epi16(bytes)), _mm512_set1_epi32(pairs))
        };
        let (first, after) = (load_bytes(&pair.first), load_bytes(&pair.after));
        let low = join(_mm512_shuffle_epi8(self.low, first), JOIN_FIRST.0, JOIN_FIRST.1);
        let low_after = join(_mm512_shuffle_epi8(self.low, after), JOIN_AFTER.0, JOIN_AFTER.1);
        let (high, digits) = (_mm512_shuffle_epi8(load_bytes(&pair.high), self.board), &pair.digits);
        let block = join(_mm512_shuffle_epi8(high, first), digits.bytes, digits.first);
        let block_after = join(_mm512_shuffle_epi8(high, after), digits.bytes, digits.after);
        let block = _mm512_sllv_epi32(_mm512_add_epi32(block, block_after), load_words(&pair.shift));
        let line = _mm512_add_epi32(_mm512_add_epi32(low, low_after), block);
        if pair.has_twins { _mm512_sllv_epi32(line, load_words(&pair.within)) } else { line }
    }

    /// What the odd cells of sixteen images add to the beginnings of their lines.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn odd(self, odd: &[u8; 64], shift: &[u32; 16]) -> __m512i {
        let odd = _mm512_shuffle_epi8(self.board, load_bytes(odd));
        let top_bit = _mm512_and_si512(odd, _mm512_set1_epi32(8));
        let low_bits = _mm512_and_si512(odd, _mm512_set1_epi32(7));
        _mm512_or_si512(low_bits, _mm512_sllv_epi32(top_bit, load_words(shift)))
    }

    /// The entries of sixteen images: every lane is below the length of the tables.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn index(self, pair: &Pair, replica: Option<u32>) -> __m512i {
        let mut place = self.lines(pair);
        if pair.has_twins {
            place = _mm512_add_epi32(place, self.odd(&pair.odd, &pair.odd_shift));
        }
        let mut offset = load_words(&pair.offset);
        if let Some(start) = replica {
            let is_hot = _mm512_cmplt_epu32_mask(place, load_words(&pair.hot));
            let start = _mm512_set1_epi32(start as i32);
            offset = _mm512_mask_add_epi32(offset, is_hot, load_words(&pair.hot_offset), start);
        }
        _mm512_add_epi32(place, offset)
    }
}

/// The fast way of a [`super::QuantizedNetwork`]. An odd pattern is paired with one that names a
/// zero only.
#[derive(Clone, Debug)]
pub(super) struct QuantizedGather {
    pairs: Vec<Pair>,
    /// The largest rank.
    top: u8,
    /// By stage and pair: by how many bits the weights are shifted.
    shifts: Vec<Vec<Lanes>>,
}

/// One number for every image of a pair.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Lanes([u32; 16]);

impl QuantizedGather {
    /// `None` where the network or the processor is of another kind.
    pub(super) fn of(structure: &Structure, plan: &Plan, stages: &[StageWeights]) -> Option<Self> {
        let (octets, top) = plan.octets().filter(|_| is_possible(structure, plan))?;
        let nothing = Octet {
            first: [0x80; 32],
            after: [0x80; 32],
            odd: [0x80; 32],
            offsets: [plan.len as u32; 8],
            ..octets.first()?.clone()
        };
        let pairs = octets.chunks(2).map(|two| match two {
            [one, other] => Pair::of(&[one.clone(), other.clone()]),
            _ => Pair::of(&[two[0].clone(), nothing.clone()]),
        });
        let lanes =
            |shifts: &[u32]| Lanes(std::array::from_fn(|lane| shifts.get(lane).copied().unwrap_or(0)));
        let shifts = stages.iter().map(|stage| stage.shifts.chunks(16).map(lanes).collect());
        let gather = Self { pairs: pairs.collect(), top, shifts: shifts.collect() };
        assert!(stages.iter().all(|stage| stage.holds(plan)), "a zero behind the last entry");
        Some(gather)
    }

    /// Appends the values of boards, each with the stage and the set that judge it.
    pub(super) fn values(
        &self,
        stages: &[StageWeights],
        factor: f32,
        boards: impl Iterator<Item = ([u8; 16], (usize, usize))>,
        values: &mut Vec<f32>,
    ) {
        let mut last: Option<([u8; 16], usize, [i32; 4])> = None;
        for (cells, (stage, set)) in boards {
            let sums = match last {
                Some((known, at, sums)) if at == stage && known == cells => sums,
                // SAFETY: the processor was found to have AVX-512 when this was made.
                _ => unsafe { self.sums(&stages[stage], &self.shifts[stage], cells) },
            };
            last = Some((cells, stage, sums));
            values.push(factor * stages[stage].value(sums[set]));
        }
    }

    /// The sums of all sets; one set gives the first number.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,popcnt")]
    fn sums(&self, stage: &StageWeights, shifts: &[Lanes], cells: [u8; 16]) -> [i32; 4] {
        let bits = RankBits::of(cells, self.top);
        let pairs = self.pairs.iter().zip(shifts);
        // SAFETY: 64 readable bytes at a multiple of 64.
        let load = |lanes: &Lanes| unsafe { _mm512_load_si512(lanes.0.as_ptr().cast()) };
        match &stage.weights {
            Weights::Single(Store::Sparse(weights)) => {
                let mut sum = 0;
                for (pair, shift) in pairs {
                    for (entry, shift) in lanes_of(bits.index(pair, None)).into_iter().zip(shift.0) {
                        sum += i32::from(weights.get(entry as usize) as i16) << shift;
                    }
                }
                [sum, 0, 0, 0]
            }
            Weights::Quad(Store::Sparse(weights)) => {
                let mut sums = [0; 4];
                for (pair, shift) in pairs {
                    for (entry, shift) in lanes_of(bits.index(pair, None)).into_iter().zip(shift.0) {
                        add_four(&mut sums, weights.get(entry as usize), shift);
                    }
                }
                sums
            }
            Weights::Single(Store::Whole(weights)) => {
                let start = weights.entries().as_ptr();
                let mut sum = _mm512_setzero_si512();
                for (pair, shift) in pairs {
                    let index = bits.index(pair, None);
                    // SAFETY: every lane is at most the number of entries, and behind that many
                    // there are zeros enough for 32 bits; nobody writes to the weights once they
                    // are made.
                    let found = unsafe { _mm512_i32gather_epi32::<2>(index, start.cast()) };
                    let weight = _mm512_srai_epi32::<16>(_mm512_slli_epi32::<16>(found));
                    sum = _mm512_add_epi32(sum, _mm512_sllv_epi32(weight, load(shift)));
                }
                [_mm512_reduce_add_epi32(sum), 0, 0, 0]
            }
            Weights::Quad(Store::Whole(weights)) => {
                let start = weights.entries().as_ptr();
                // Sets 0 and 2 of eight entries by turns, and sets 1 and 3.
                let (mut even, mut odd) = (_mm512_setzero_si512(), _mm512_setzero_si512());
                for (pair, shift) in pairs {
                    let index = bits.index(pair, None);
                    let halves = [_mm512_castsi512_si256(index), _mm512_extracti64x4_epi64::<1>(index)];
                    for (half, &shift) in halves.into_iter().zip([&shift.0[0], &shift.0[8]]) {
                        // SAFETY: as above.
                        let found = unsafe { _mm512_i32gather_epi64::<8>(half, start.cast()) };
                        let shift = _mm_cvtsi32_si128(shift as i32);
                        let low = _mm512_srai_epi32::<16>(_mm512_slli_epi32::<16>(found));
                        let high = _mm512_srai_epi32::<16>(found);
                        even = _mm512_add_epi32(even, _mm512_sll_epi32(low, shift));
                        odd = _mm512_add_epi32(odd, _mm512_sll_epi32(high, shift));
                    }
                }
                let fold = |lanes: __m512i| {
                    let half = _mm256_add_epi32(
                        _mm512_castsi512_si256(lanes),
                        _mm512_extracti64x4_epi64::<1>(lanes),
                    );
                    let quarter =
                        _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
                    _mm_cvtsi128_si64(_mm_add_epi32(quarter, _mm_unpackhi_epi64(quarter, quarter)))
                };
                let (even, odd) = (fold(even), fold(odd));
                [even as i32, odd as i32, (even >> 32) as i32, (odd >> 32) as i32]
            }
        }
    }
}

/// Whether the board, the features and the processor allow for sixteen entries at a time.
pub(super) fn is_possible(structure: &Structure, plan: &Plan) -> bool {
    structure.shape == Shape::FOUR
        && structure.features.is_empty()
        && plan.len < i32::MAX as usize
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("popcnt")
}

/// Sixteen numbers.
#[inline]
#[target_feature(enable = "avx512f")]
fn lanes_of(vector: __m512i) -> [u32; 16] {
    let mut lanes = [0; 16];
    // SAFETY: 64 writable bytes.
    unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), vector) };
    lanes
}

/// Sixteen weights, zero in the lanes that are not wanted.
///
/// Other threads may change them meanwhile. So this is not the library's gather, which would be a
/// data race, but the instruction: it stands for sixteen relaxed loads of aligned 32-bit words,
/// each of which the processor does at once.
///
/// # Safety
/// Every lane of `index` that is in `lanes` must be below the length of `weights`.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn gather(weights: &Memory<AtomicU32>, index: __m512i, lanes: u16) -> __m512 {
    let mut found = _mm512_setzero_ps();
    // SAFETY: the caller's promise; the memory is only read.
    unsafe {
        asm!(
            "vgatherdps {found} {{{lanes}}}, [{start} + 4*{index}]",
            found = inout(zmm_reg) found,
            lanes = inout(kreg) lanes => _,
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
    use std::sync::atomic::Ordering::Relaxed;

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
            ("01245", 16),
            ("01245 45689 01234", 14),
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
            assert_eq!(network.gather.is_some(), is_x86_feature_detected!("avx512bw"), "{patterns}");
            let Some(gather) = &network.gather else { continue };
            let banks = [0, 1].into_iter().cycle().map(|bank| network.bank(bank));
            gather.values(boards.iter().copied().zip(banks), &mut values);
            assert_eq!(values.len(), 1 + boards.len());
            let mut active = Active::default();
            for (number, (cells, &value)) in boards.iter().zip(&values[1..]).enumerate() {
                network.activate(&View { cells, hint: 0, bag: [0; 3] }, number as u8 % 2, &mut active);
                assert_eq!(network.sum(&active).to_bits(), value.to_bits(), "{cells:?}");
            }
        }
    }

    #[test]
    fn entries_and_sums_for_learning_are_those_of_the_definition() {
        let mut random = Random::new(5);
        for (patterns, alphabet) in [("4x6", 16), ("01245 45689 01234", 14), ("01245", 13), ("4x5", 12)] {
            let mut network = Network::new(Structure::tuples(Shape::FOUR, patterns, alphabet).unwrap());
            network.replicate(2);
            let all = network.bank(0).entries_with_room();
            for _ in 0..500_000 {
                let entry = random.below(all.len() as u64) as usize;
                all[entry].store((random.below(1 << 20) as f32 / 777.0).to_bits(), Relaxed);
            }
            for replica in [None, network.replica(0), network.replica(1)] {
                let (mut found, mut slow) = (Active::default(), Active::default());
                for round in 0..500 {
                    let top = [8, 18][round % 2];
                    let cells: [u8; 16] = std::array::from_fn(|_| random.below(top) as u8);
                    let view = View { cells: &cells, hint: 0, bag: [0; 3] };
                    network.activate_in(&view, 0, replica, &mut slow);
                    let value = network.activate_and_sum(&view, 0, replica, &mut found);
                    assert_eq!(found, slow, "{patterns}");
                    assert_eq!(value.to_bits(), network.sum(&slow).to_bits(), "{patterns}");
                }
            }
        }
    }

    #[test]
    fn other_networks_are_left_alone() {
        let of = |shape, patterns, alphabet| {
            let network = Network::new(Structure::tuples(shape, patterns, alphabet).unwrap());
            network.sums([([0; 16], 0)].iter().map(|(cells, bank)| (cells, *bank)), &mut Vec::new())
        };
        assert!(!of(Shape::FOUR, "0123", 18), "more than 16 ranks");
        assert!(!of(Shape::new(4, 5).unwrap(), "012567 5678ab", 16));
    }
}
