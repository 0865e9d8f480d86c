//! Weights rounded to multiples of a step, those that are not zero, squeezed: for models that
//! travel.
//!
//! Three numbers for every weight that is not zero: the gap to the one before it, its *grade*, and
//! its size. A weight of n steps is ±(2k − 1) · 2ᵍ of them: its grade g says how coarsely it was
//! rounded, its size is k. Gaps and sizes are *tokens* (the magnitude, in two classes per power of
//! two, and for sizes the sign) and the bits a token leaves open. Tokens and grades are coded by
//! how often they occur, by a range variant of asymmetric numeral systems (rANS, Duda 2013): a
//! token of probability p costs −log₂ p bits. What is near is alike, so there is a distribution of
//! gaps for every magnitude of the gap before, of grades for every grade before, and of sizes for
//! every grade.
//!
//! The first layout, which is still read, has no grades: a size is n, with a distribution for every
//! magnitude of the size before.

use super::FileError;
use super::rans::{Bits, Frequencies, LOWEST, Shares, number, token};
use super::stream::{In, Out};
use std::io::{self, Read, Write};

/// Tokens of magnitudes below 2³².
const GAPS: usize = 64;
/// Signed variant of the above.
const SIZES: usize = 2 * GAPS;
/// Grades of numbers below 2³².
const GRADES: usize = 32;
/// The largest array that can be packed.
const MOST: u64 = 1 << 31;

/// Coding of the numbers of an array.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// Without grades.
    First,
    /// As it is written now.
    Graded,
}

impl Layout {
    /// Numbers of distributions of gaps, grades and sizes.
    fn contexts(self) -> [usize; 3] {
        match self {
            Self::First => [1, 0, 8],
            Self::Graded => [16, GRADES, GRADES],
        }
    }
}

/// Token last read or written: the context of the next.
#[derive(Clone, Copy, Default)]
struct Before {
    gap: usize,
    grade: usize,
    size: usize,
}

impl Before {
    fn for_gap(self, layout: Layout) -> usize {
        if layout == Layout::First { 0 } else { self.gap.min(layout.contexts()[0] - 1) }
    }

    fn for_size(self, layout: Layout, grade: usize) -> usize {
        if layout == Layout::First { (self.size / 4).min(7) } else { grade }
    }
}

/// A weight in tokens.
struct Coded {
    gap: u8,
    gap_context: u8,
    grade: u8,
    grade_context: u8,
    size: u8,
}

/// Writes an array of floats, rounded to multiples of `step`.
pub(super) fn write<W: Write>(
    values: impl Iterator<Item = f32>,
    step: f32,
    out: &mut Out<'_, W>,
) -> io::Result<()> {
    let layout = Layout::Graded;
    let mut bits = Bits::default();
    let mut all = Vec::new();
    let [gap_contexts, grade_contexts, size_contexts] = layout.contexts();
    let mut gaps = vec![Frequencies::new(GAPS); gap_contexts];
    let mut grades = vec![Frequencies::new(GRADES); grade_contexts];
    let mut sizes = vec![Frequencies::new(SIZES); size_contexts];
    let (mut gap, mut before) = (0, Before::default());
    for value in values {
        gap += 1;
        let steps = (value / step).round();
        let n = steps.abs() as u32;
        if n == 0 {
            continue;
        }
        let (gap_token, open, count) = token(gap);
        bits.push(open, count);
        let grade = n.trailing_zeros() as usize;
        let (size, open, count) = token((n >> grade).div_ceil(2));
        bits.push(open, count);
        let signed = 2 * size + usize::from(steps < 0.0);
        let gap_context = before.for_gap(layout);
        gaps[gap_context].count(gap_token);
        grades[before.grade].count(grade);
        sizes[before.for_size(layout, grade)].count(signed);
        all.push(Coded {
            gap: gap_token as u8,
            gap_context: gap_context as u8,
            grade: grade as u8,
            grade_context: before.grade as u8,
            size: signed as u8,
        });
        (gap, before) = (0, Before { gap: gap_token, grade, size });
    }
    let shares = |all: Vec<Frequencies>| all.iter().map(Frequencies::shares).collect::<Vec<_>>();
    let (gaps, grades, sizes) = (shares(gaps), shares(grades), shares(sizes));
    // The last token coded is the first decoded.
    let (mut state, mut bytes) = (LOWEST, Vec::new());
    for coded in all.iter().rev() {
        state = sizes[usize::from(coded.grade)].encode(state, coded.size.into(), &mut bytes);
        state = grades[usize::from(coded.grade_context)].encode(state, coded.grade.into(), &mut bytes);
        state = gaps[usize::from(coded.gap_context)].encode(state, coded.gap.into(), &mut bytes);
    }
    bytes.extend_from_slice(&state.to_le_bytes());
    bytes.reverse();
    let bits = bits.finish();
    out.bytes(&step.to_le_bytes())?;
    for len in [all.len(), bytes.len(), bits.len()] {
        out.bytes(&(len as u64).to_le_bytes())?;
    }
    [gaps, grades, sizes].iter().flatten().try_for_each(|shares| shares.write(out))?;
    out.bytes(&bytes)?;
    out.bytes(&bits)
}

/// Reads an array of `len` floats; `set` is told every one that is not zero.
pub(super) fn read<R: Read>(
    len: usize,
    layout: Layout,
    input: &mut In<'_, R>,
    mut set: impl FnMut(usize, f32) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let from = input.at();
    let step = f32::from_le_bytes(input.array()?);
    let mut lengths = [0u64; 3];
    for length in &mut lengths {
        *length = u64::from_le_bytes(input.array()?);
    }
    let [count, tokens, bits] = lengths;
    let possible = count <= len as u64 && tokens.max(bits) <= MOST && step.is_finite() && step > 0.0;
    if !possible {
        return Err(input.damaged(from, "its lengths are impossible"));
    }
    let mut shares = |tokens: usize, contexts: usize| {
        let one = |_| match layout {
            Layout::First => Shares::read_all(tokens, input, from),
            Layout::Graded => Shares::read(tokens, input, from),
        };
        (0..contexts).map(one).collect::<Result<Vec<_>, _>>()
    };
    let [gap_contexts, grade_contexts, size_contexts] = layout.contexts();
    let gaps = shares(GAPS, gap_contexts)?;
    let grades = shares(GRADES, grade_contexts)?;
    let sizes = shares(SIZES, size_contexts)?;
    let tokens = input.vec(tokens as usize)?;
    let bits = input.vec(bits as usize)?;
    let (mut tokens, mut bits) = (tokens.into_iter(), bits.into_iter());
    let wrong = |input: &In<'_, R>| input.damaged(from, "its numbers make no sense");
    let mut state = 0;
    for _ in 0..4 {
        state = state << 8 | u32::from(tokens.next().ok_or_else(|| wrong(input))?);
    }
    let mut open = Bits::default();
    let (mut at, mut before) = (0usize, Before::default());
    for _ in 0..count {
        let mut decode = |shares: &Shares| shares.decode(&mut state, &mut tokens).ok_or_else(|| wrong(input));
        let gap = decode(&gaps[before.for_gap(layout)])?;
        let grade = if layout == Layout::First { 0 } else { decode(&grades[before.grade])? };
        let signed = decode(&sizes[before.for_size(layout, grade)])?;
        let size = signed / 2;
        let (base, count) = number(gap);
        at += (base + open.take(&mut bits, count)) as usize;
        let (base, count) = number(size);
        let k = base + open.take(&mut bits, count);
        let n = match layout {
            Layout::First => u64::from(k),
            Layout::Graded => (2 * u64::from(k) - 1) << grade,
        };
        if at > len {
            return Err(wrong(input));
        }
        let steps = n as f32;
        set(at - 1, if signed % 2 == 1 { -steps } else { steps } * step)?;
        before = Before { gap, grade, size };
    }
    if state == LOWEST && tokens.next().is_none() { Ok(()) } else { Err(wrong(input)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn there_and_back(values: &[f32], step: f32) -> (Vec<f32>, usize) {
        let mut bytes = Vec::new();
        write(values.iter().copied(), step, &mut Out::new(&mut bytes)).unwrap();
        let mut got = vec![0.0; values.len()];
        read(values.len(), Layout::Graded, &mut In::new(&mut &bytes[..]), |i, value| {
            got[i] = value;
            Ok(())
        })
        .unwrap();
        (got, bytes.len())
    }

    #[test]
    fn what_is_read_is_what_was_written_rounded() {
        let mut random = Random::new(5);
        for (len, rare) in [(0, 1), (1, 1), (1000, 1), (5000, 50), (40_000, 3)] {
            let mut value = || {
                let size = (random.unit() * 12.0).exp() as f32;
                if random.below(rare) > 0 { 0.0 } else { size - 20.0 }
            };
            let values: Vec<f32> = (0..len).map(|_| value()).collect();
            let (got, bytes) = there_and_back(&values, 0.5);
            for (value, got) in values.iter().zip(&got) {
                assert!((value - got).abs() <= 0.25 + value.abs() * 1e-6, "{value} became {got}");
            }
            assert_eq!(there_and_back(&got, 0.5), (got.clone(), bytes), "rounding again changes nothing");
        }
    }

    #[test]
    fn a_thin_array_of_small_numbers_takes_few_bits() {
        let mut random = Random::new(6);
        let values: Vec<f32> = (0..1_000_000)
            .map(|_| if random.below(10) == 0 { random.below(8) as f32 - 4.0 } else { 0.0 })
            .collect();
        let kept = values.iter().filter(|&&value| value != 0.0).count();
        let bits = there_and_back(&values, 1.0).1 as f64 * 8.0 / kept as f64;
        // log₂ 7 for the number and 4.7 for a gap of ten on average; the tables of frequencies, and
        // gaps of one class being taken as equally frequent, cost a little more.
        assert!(bits < 2.9 + 4.8 + 0.5, "{bits} bits per number");
    }

    #[test]
    fn coarse_numbers_among_fine_ones_take_fewer_bits() {
        let mut random = Random::new(7);
        let mut values = |coarse: bool| -> Vec<f32> {
            let one = |i: usize| {
                let n = 1 + random.below(4096) as u32;
                (if coarse && (i / 1000).is_multiple_of(2) { n.next_multiple_of(256) } else { n }) as f32
            };
            (0..100_000).map(one).collect()
        };
        let [fine, mixed] = [false, true].map(|coarse| there_and_back(&values(coarse), 1.0).1 as f64);
        // Half of the numbers have 4 bits instead of 12.
        assert!((12.0 - (fine - mixed) * 8.0 / 50_000.0 - 4.0).abs() < 0.6, "{fine} {mixed}");
    }

    #[test]
    fn damage_is_found_or_harmless() {
        let values: Vec<f32> = (0..3000).map(|i| if i % 3 == 0 { (i % 17) as f32 } else { 0.0 }).collect();
        let mut bytes = Vec::new();
        write(values.iter().copied(), 1.0, &mut Out::new(&mut bytes)).unwrap();
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1 << (at % 8);
            // The checksum of the section finds every flip; here it is enough not to fall over.
            let _ = read(values.len(), Layout::Graded, &mut In::new(&mut &bytes[..]), |i, _| {
                assert!(i < values.len());
                Ok(())
            });
            let cut = read(values.len(), Layout::Graded, &mut In::new(&mut &bytes[..at]), |_, _| Ok(()));
            assert!(cut.is_err(), "cut at {at}");
        }
    }
}
