//! The values of many 4×4 boards where gathers are slow: sixteen entries are found at a time, as
//! [`super::gather`] does, their lines asked for, and the weights loaded one by one.
//!
//! Tables that share their lines ([`super::index`]) are found together.
//!
//! The sum runs in the order of [`super::Active::sum`], so that the values are the same to the bit.
#![allow(unsafe_code)]

use super::Structure;
use super::gather::{Pair, RankBits, is_possible, load_words};
use super::index::{HALF_LINE, Octet, Plan};
use super::memory::Memory;
use std::arch::asm;
use std::arch::x86_64::*;
use std::sync::atomic::AtomicU32;

/// Boards whose lines are asked for together.
const TOGETHER: usize = 32;

/// The entries of eight images.
type Eight = [u32; 8];

/// A network of clustered patterns of one number of ranks and eight images each, on a processor
/// with AVX-512.
#[derive(Clone, Debug)]
pub(super) struct Loads {
    blocks: Vec<Block>,
    /// Eight images each.
    octets: usize,
    /// The largest rank.
    top: u8,
    /// Every entry is below this.
    limit: usize,
}

/// Sixteen images, and those of the tables that share their lines.
#[derive(Clone, Debug)]
struct Block {
    pair: Pair,
    /// Which octets these are.
    octets: [usize; 2],
    twins: Option<Twins>,
}

/// Sixteen images whose lines are those of others.
#[derive(Clone, Debug)]
struct Twins {
    pair: Pair,
    /// Which of the other images has the line of each.
    order: [u32; 16],
    octets: [usize; 2],
}

impl Loads {
    /// `None` where the network or the processor is of another kind.
    pub(super) fn of(structure: &Structure, plan: &Plan) -> Option<Self> {
        let (octets, top) = plan.octets().filter(|_| is_possible(structure, plan))?;
        let twin = |first: usize| {
            let offset = octets[first].offsets[0] + HALF_LINE as u32;
            octets.iter().position(|second| second.offsets[0] == offset)
        };
        let seconds: Vec<usize> = (0..octets.len()).filter_map(twin).collect();
        let own = (0..octets.len()).filter(|octet| !seconds.contains(octet));
        let (firsts, alone): (Vec<usize>, Vec<usize>) = own.partition(|&octet| twin(octet).is_some());
        let pairs = firsts.chunks(2).chain(alone.chunks(2));
        let blocks: Vec<Block> = pairs.map(|pair| Block::of(octets, pair, twin)).collect::<Option<_>>()?;
        Some(Self { blocks, octets: octets.len(), top, limit: plan.len })
    }

    /// Appends the values of boards, each with the weights that judge it.
    pub(super) fn values<'a>(
        &self,
        mut boards: impl Iterator<Item = ([u8; 16], &'a Memory<AtomicU32>)>,
        values: &mut Vec<f32>,
    ) {
        let mut entries = vec![[0; 8]; TOGETHER * self.octets];
        while let Some((first, judge)) = boards.next() {
            let (mut some, mut judges, mut count) = ([first; TOGETHER], [judge; TOGETHER], 1);
            for (cells, judge) in boards.by_ref().take(TOGETHER - 1) {
                (some[count], judges[count]) = (cells, judge);
                count += 1;
            }
            let (some, judges) = (&some[..count], &judges[..count]);
            let fits = judges.iter().all(|weights| self.limit <= weights.len());
            assert!(fits, "entries of one network used with another");
            // SAFETY: the processor was found to have AVX-512 when this was made; all entries are
            // below the limit, which was compared with the length of the arrays.
            unsafe { self.sums(some, judges, &mut entries, values) };
        }
    }

    /// Appends the values of some boards. Their entries are stored for all of them before the
    /// first is read: a number read from a vector that was just stored would wait for it.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn sums(
        &self,
        boards: &[[u8; 16]],
        judges: &[&Memory<AtomicU32>],
        entries: &mut [Eight],
        values: &mut Vec<f32>,
    ) {
        for block in &self.blocks {
            for (&cells, entries) in boards.iter().zip(entries.chunks_exact_mut(self.octets)) {
                block.find(RankBits::of(cells, self.top), entries);
            }
        }
        for (entries, weights) in entries.chunks_exact(self.octets).zip(judges) {
            for &entry in entries.as_flattened() {
                weights.prefetch(entry);
            }
        }
        for (entries, weights) in entries.chunks_exact(self.octets).zip(judges) {
            values.push(sum(entries, weights));
        }
    }
}

impl Block {
    /// One or two octets, which both have twins or have none; `None` where the images of twins do
    /// not lie on one another.
    fn of(octets: &[Octet], numbers: &[usize], twin: impl Fn(usize) -> Option<usize>) -> Option<Self> {
        let first = [numbers[0], numbers[numbers.len() - 1]];
        let pair = |numbers: [usize; 2]| Pair::of(&numbers.map(|number| octets[number].clone()));
        let twins = match first.map(twin) {
            [Some(one), Some(other)] => {
                let second = [one, other];
                Some(Twins { pair: pair(second), order: order(octets, first, second)?, octets: second })
            }
            _ => None,
        };
        Some(Self { pair: pair(first), octets: first, twins })
    }

    /// Finds entries of a board.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn find(&self, bits: RankBits, entries: &mut [Eight]) {
        let Pair { odd, odd_shift, offset, .. } = &self.pair;
        let lines = _mm512_add_epi32(bits.lines(&self.pair), load_words(offset));
        let first = _mm512_add_epi32(lines, bits.odd(odd, odd_shift));
        store(first, self.octets, entries);
        if let Some(twins) = &self.twins {
            let lines = _mm512_permutexvar_epi32(load_words(&twins.order), lines);
            let odd = bits.odd(&twins.pair.odd, &twins.pair.odd_shift);
            let second = _mm512_add_epi32(lines, _mm512_add_epi32(odd, _mm512_set1_epi32(HALF_LINE as i32)));
            store(second, twins.octets, entries);
        }
    }
}

/// For each image of the octets `second`: which image of the octets `first` has its line.
fn order(octets: &[Octet], first: [usize; 2], second: [usize; 2]) -> Option<[u32; 16]> {
    let line = |octet: &Octet, image: usize, before: usize| {
        let cells = [octet.first, octet.after].map(|cells| cells.as_chunks::<4>().0[image]);
        (cells, octet.offsets[image] - before as u32)
    };
    let mut order = [0; 16];
    for (at, place) in order.iter_mut().enumerate() {
        let (half, image) = (at / 8, at % 8);
        let (first, own) = (&octets[first[half]], line(&octets[second[half]], image, HALF_LINE));
        let other = (0..8).find(|&other| line(first, other, 0) == own)?;
        *place = (8 * half + other) as u32;
    }
    Some(order)
}

/// Stores the entries of two octets.
#[inline]
#[target_feature(enable = "avx512f")]
fn store(sixteen: __m512i, octets: [usize; 2], entries: &mut [Eight]) {
    let halves = [_mm512_castsi512_si256(sixteen), _mm512_extracti64x4_epi64::<1>(sixteen)];
    for (octet, half) in octets.into_iter().zip(halves) {
        // SAFETY: 32 writable bytes.
        unsafe { _mm256_storeu_si256(entries[octet].as_mut_ptr().cast(), half) };
    }
}

/// The sum of these weights.
#[inline]
#[target_feature(enable = "avx512f")]
fn sum(entries: &[Eight], weights: &Memory<AtomicU32>) -> f32 {
    let start = weights.entries().as_ptr();
    let [mut a, mut b, mut c, mut d] = [0.0f32; 4];
    for eight in entries {
        let pair = |at: usize| u64::from(eight[at]) | u64::from(eight[at + 1]) << 32;
        let halves = |pair: u64| [u64::from(pair as u32), pair >> 32];
        let [[e, f], [g, h], [i, j], [k, l]] =
            [halves(pair(0)), halves(pair(2)), halves(pair(4)), halves(pair(6))];
        // SAFETY: all entries are below the limit, which was compared with the length of the
        // array; the memory is only read.
        unsafe {
            asm!(
                "vaddss {a}, {a}, dword ptr [{start} + 4*{e}]",
                "vaddss {b}, {b}, dword ptr [{start} + 4*{f}]",
                "vaddss {c}, {c}, dword ptr [{start} + 4*{g}]",
                "vaddss {d}, {d}, dword ptr [{start} + 4*{h}]",
                "vaddss {a}, {a}, dword ptr [{start} + 4*{i}]",
                "vaddss {b}, {b}, dword ptr [{start} + 4*{j}]",
                "vaddss {c}, {c}, dword ptr [{start} + 4*{k}]",
                "vaddss {d}, {d}, dword ptr [{start} + 4*{l}]",
                a = inout(xmm_reg) a,
                b = inout(xmm_reg) b,
                c = inout(xmm_reg) c,
                d = inout(xmm_reg) d,
                start = in(reg) start,
                e = in(reg) e,
                f = in(reg) f,
                g = in(reg) g,
                h = in(reg) h,
                i = in(reg) i,
                j = in(reg) j,
                k = in(reg) k,
                l = in(reg) l,
                options(nostack, readonly, preserves_flags),
            );
        }
    }
    (a + b) + (c + d)
}

#[cfg(test)]
mod tests {
    use super::super::{Active, Network};
    use super::*;
    use crate::grid::{Shape, View};
    use crate::network::stage::Stages;
    use crate::random::Random;

    /// With twins and without, an odd number of both, and more boards than are worked on together.
    #[test]
    fn values_are_those_of_single_boards_to_the_bit() {
        let mut random = Random::new(4);
        for (patterns, alphabet) in [
            ("4x6", 16),
            ("8x6", 14),
            ("4x5", 16),
            ("4x5", 12),
            ("01245 45689", 16),
            ("01245 01234 0126 0124", 13),
            ("01245 01234", 14),
            ("01245 45689 01234 45678 0126", 16),
            ("01245", 16),
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
            let boards: Vec<[u8; 16]> = (0..2 * TOGETHER + 7)
                .map(|round| {
                    let top = [8, 18][round % 2];
                    std::array::from_fn(|_| random.below(top) as u8)
                })
                .collect();
            assert_eq!(network.loads.is_some(), is_x86_feature_detected!("avx512bw"), "{patterns}");
            let Some(loads) = &network.loads else { continue };
            let mut active = Active::default();
            for count in [0, 1, TOGETHER, boards.len()] {
                let mut values = vec![-1.0];
                let banks = [0, 1].into_iter().cycle().map(|bank| network.bank(bank));
                loads.values(boards[..count].iter().copied().zip(banks), &mut values);
                assert_eq!(values.len(), 1 + count);
                for (number, (cells, &value)) in boards.iter().zip(&values[1..]).enumerate() {
                    network.activate(&View { cells, hint: 0, bag: [0; 3] }, number as u8 % 2, &mut active);
                    assert_eq!(network.sum(&active).to_bits(), value.to_bits(), "{patterns}: {cells:?}");
                }
            }
        }
    }
}
