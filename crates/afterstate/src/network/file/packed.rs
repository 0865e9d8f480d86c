//! Weights rounded to multiples of a step, those that are not zero, squeezed: for models that travel.
//!
//! Two numbers for every weight that is not zero: the gap to the one before it, and how many steps it is. Each number is
//! a *token* (its magnitude, in two classes per power of two, and for weights the sign) and the bits the token leaves
//! open. Tokens are coded by how often they occur, by a range variant of asymmetric numeral systems (rANS, Duda 2013): a
//! token of probability p costs −log₂ p bits. How large a weight is depends on its neighbour, so there is one
//! table of frequencies for every size of the weight before.

use super::FileError;
use super::stream::{In, Out};
use std::io::{self, Read, Write};

/// Frequencies of a distribution add up to this power of two.
const PRECISION: u32 = 12;
/// A state never falls below this; a byte comes or goes at a time.
const LOWEST: u32 = 1 << 23;
/// Tokens of magnitudes below 2³².
const GAPS: usize = 64;
/// The same with a sign.
const WEIGHTS: usize = 2 * GAPS;
/// Sizes of the weight before that are told apart.
const CONTEXTS: usize = 8;
/// The largest array that can be packed.
const MOST: u64 = 1 << 31;

/// The token of a number from 1 on, and the bits it leaves open with their count.
fn token(n: u32) -> (usize, u32, u32) {
    let power = n.ilog2();
    if power == 0 {
        return (0, 0, 0);
    }
    let open = power - 1;
    (2 * power as usize + (n >> open & 1) as usize, n & ((1 << open) - 1), open)
}

/// How many bits a token leaves open, and the number without them.
fn number(token: usize) -> (u32, u32) {
    match (token as u32 / 2).checked_sub(1) {
        None => (1, 0),
        Some(open) => ((2 | token as u32 & 1) << open, open),
    }
}

/// The distribution of a weight, by the token of the one before.
fn context(before: usize) -> usize {
    (before / 4).min(CONTEXTS - 1)
}

/// How often each token of an alphabet occurs.
struct Frequencies<const N: usize> {
    counts: [u64; N],
}

impl<const N: usize> Frequencies<N> {
    fn new() -> Self {
        Self { counts: [0; N] }
    }

    /// Shares of 2^[`PRECISION`], at least one for every token that occurs.
    fn shares(&self) -> [u16; N] {
        let total: u64 = self.counts.iter().sum();
        let mut shares = [0; N];
        if total == 0 {
            return shares;
        }
        let whole = 1u64 << PRECISION;
        for (share, &count) in shares.iter_mut().zip(&self.counts) {
            *share = if count == 0 { 0 } else { (count * whole / total).max(1) as u16 };
        }
        // What rounding left over or took too much goes to or comes from the largest.
        loop {
            let sum: i64 = shares.iter().map(|&share| i64::from(share)).sum();
            let largest = shares.iter_mut().max().expect("not an empty alphabet");
            match whole as i64 - sum {
                0 => return shares,
                more if more > 0 => *largest += more as u16,
                less => *largest -= (-less).min(i64::from(*largest) / 2) as u16,
            }
        }
    }
}

/// A distribution ready for use.
struct Shares<const N: usize> {
    share: [u16; N],
    /// Sum of the shares before.
    start: [u16; N],
    /// Which token owns each of the 2^[`PRECISION`] numbers; empty if there is no token at all.
    owner: Vec<u8>,
}

impl<const N: usize> Shares<N> {
    /// `None` if the shares do not add up.
    fn new(share: [u16; N]) -> Option<Self> {
        let (mut start, mut sum, mut owner) = ([0; N], 0u32, Vec::new());
        for (token, &share) in share.iter().enumerate() {
            start[token] = sum as u16;
            sum += u32::from(share);
            if sum > 1 << PRECISION {
                return None;
            }
            owner.resize(sum as usize, token as u8);
        }
        (sum == 0 || sum == 1 << PRECISION).then_some(Self { share, start, owner })
    }

    fn write<W: Write>(&self, out: &mut Out<'_, W>) -> io::Result<()> {
        self.share.iter().try_for_each(|share| out.bytes(&share.to_le_bytes()))
    }

    fn read<R: Read>(input: &mut In<'_, R>, from: u64) -> Result<Self, FileError> {
        let mut share = [0; N];
        for share in &mut share {
            *share = u16::from_le_bytes(input.array()?);
        }
        Self::new(share).ok_or_else(|| input.damaged(from, "its frequencies do not add up"))
    }

    /// Adds a token to a state; bytes that no longer fit go to `bytes`.
    fn encode(&self, mut state: u32, token: usize, bytes: &mut Vec<u8>) -> u32 {
        let (share, start) = (u32::from(self.share[token]), u32::from(self.start[token]));
        while state >= ((LOWEST >> PRECISION) << 8) * share {
            bytes.push(state as u8);
            state >>= 8;
        }
        ((state / share) << PRECISION) + state % share + start
    }

    /// Takes a token out of a state; `None` if the distribution is empty.
    fn decode(&self, state: &mut u32, bytes: &mut impl Iterator<Item = u8>) -> Option<usize> {
        let slot = *state & ((1 << PRECISION) - 1);
        let token = usize::from(*self.owner.get(slot as usize)?);
        *state = u32::from(self.share[token]) * (*state >> PRECISION) + slot - u32::from(self.start[token]);
        while *state < LOWEST {
            *state = *state << 8 | u32::from(bytes.next()?);
        }
        Some(token)
    }
}

/// Bits one after the other, the lowest of each byte first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    open: u64,
    count: u32,
}

impl Bits {
    fn push(&mut self, bits: u32, count: u32) {
        self.open |= u64::from(bits) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.open as u8);
            self.open >>= 8;
            self.count -= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.bytes.push(self.open as u8);
        }
        self.bytes
    }

    /// The next bits of a stream; zeros after its end.
    fn take(&mut self, bytes: &mut impl Iterator<Item = u8>, count: u32) -> u32 {
        while self.count < count {
            self.open |= u64::from(bytes.next().unwrap_or(0)) << self.count;
            self.count += 8;
        }
        let bits = self.open & ((1 << count) - 1);
        self.open >>= count;
        self.count -= count;
        bits as u32
    }
}

/// Writes an array of floats, rounded to multiples of `step`.
pub(super) fn write<W: Write>(
    values: impl Iterator<Item = f32>,
    step: f32,
    out: &mut Out<'_, W>,
) -> io::Result<()> {
    let mut bits = Bits::default();
    let mut tokens = Vec::new();
    let (mut gaps, mut sizes) =
        (Frequencies::<GAPS>::new(), [(); CONTEXTS].map(|()| Frequencies::<WEIGHTS>::new()));
    let (mut gap, mut before) = (0, 0);
    for value in values {
        gap += 1;
        let steps = (value / step).round();
        if steps == 0.0 {
            continue;
        }
        let (gap_token, open, count) = token(gap);
        bits.push(open, count);
        gaps.counts[gap_token] += 1;
        let (size, open, count) = token(steps.abs() as u32);
        bits.push(open, count);
        let signed = 2 * size + usize::from(steps < 0.0);
        sizes[context(before)].counts[signed] += 1;
        tokens.push((gap_token as u8, context(before) as u8, signed as u8));
        (gap, before) = (0, size);
    }
    let valid = "shares of counts add up";
    let gaps = Shares::new(gaps.shares()).expect(valid);
    let sizes = sizes.map(|sizes| Shares::new(sizes.shares()).expect(valid));
    // The last token coded is the first decoded.
    let (mut state, mut bytes) = (LOWEST, Vec::new());
    for &(gap, context, size) in tokens.iter().rev() {
        state = sizes[usize::from(context)].encode(state, size.into(), &mut bytes);
        state = gaps.encode(state, gap.into(), &mut bytes);
    }
    bytes.extend_from_slice(&state.to_le_bytes());
    bytes.reverse();
    let bits = bits.finish();
    out.bytes(&step.to_le_bytes())?;
    for len in [tokens.len(), bytes.len(), bits.len()] {
        out.bytes(&(len as u64).to_le_bytes())?;
    }
    gaps.write(out)?;
    sizes.iter().try_for_each(|sizes| sizes.write(out))?;
    out.bytes(&bytes)?;
    out.bytes(&bits)
}

/// Reads an array of `len` floats; `set` is told every one that is not zero.
pub(super) fn read<R: Read>(
    len: usize,
    input: &mut In<'_, R>,
    mut set: impl FnMut(usize, f32),
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
    let gaps = Shares::<GAPS>::read(input, from)?;
    let mut sizes = Vec::with_capacity(CONTEXTS);
    for _ in 0..CONTEXTS {
        sizes.push(Shares::<WEIGHTS>::read(input, from)?);
    }
    let tokens = input.vec(tokens as usize)?;
    let bits = input.vec(bits as usize)?;
    let (mut tokens, mut bits) = (tokens.into_iter(), bits.into_iter());
    let wrong = |input: &In<'_, R>| input.damaged(from, "its numbers make no sense");
    let mut state = 0;
    for _ in 0..4 {
        state = state << 8 | u32::from(tokens.next().ok_or_else(|| wrong(input))?);
    }
    let mut open = Bits::default();
    let (mut at, mut before) = (0usize, 0);
    for _ in 0..count {
        let gap = gaps.decode(&mut state, &mut tokens).ok_or_else(|| wrong(input))?;
        let (base, count) = number(gap);
        at += (base + open.take(&mut bits, count)) as usize;
        let signed = sizes[context(before)].decode(&mut state, &mut tokens).ok_or_else(|| wrong(input))?;
        before = signed / 2;
        let (base, count) = number(before);
        let steps = (base + open.take(&mut bits, count)) as f32;
        if at > len {
            return Err(wrong(input));
        }
        set(at - 1, if signed % 2 == 1 { -steps } else { steps } * step);
    }
    if state == LOWEST && tokens.next().is_none() { Ok(()) } else { Err(wrong(input)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn tokens_and_numbers_agree() {
        for n in (1..5000).chain([u32::MAX - 1, u32::MAX, 1 << 31]) {
            let (token, open, count) = token(n);
            assert!(token < GAPS && number(token) == (n - open, count), "{n}: {token} {open} {count}");
        }
    }

    #[test]
    fn shares_add_up_whatever_the_counts() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            let mut some = Frequencies::<64>::new();
            (0..1 + random.below(64)).for_each(|i| {
                some.counts[i as usize] = {
                    let bits = random.below(40);
                    random.below(1 << bits)
                }
            });
            some.counts[0] += 1;
            let shares = some.shares();
            assert_eq!(shares.iter().map(|&share| u32::from(share)).sum::<u32>(), 1 << PRECISION);
            assert!(shares.iter().zip(some.counts).all(|(&share, count)| (share > 0) == (count > 0)));
        }
    }

    fn there_and_back(values: &[f32], step: f32) -> (Vec<f32>, usize) {
        let mut bytes = Vec::new();
        write(values.iter().copied(), step, &mut Out::new(&mut bytes)).unwrap();
        let mut got = vec![0.0; values.len()];
        read(values.len(), &mut In::new(&mut &bytes[..]), |i, value| got[i] = value).unwrap();
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
        // log₂ 7 for the number and 4.7 for a gap of ten on average; the tables of frequencies, and gaps of one class
        // being taken as equally frequent, cost a little more.
        assert!(bits < 2.9 + 4.8 + 0.5, "{bits} bits per number");
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
            let _ = read(values.len(), &mut In::new(&mut &bytes[..]), |i, _| assert!(i < values.len()));
            let cut = read(values.len(), &mut In::new(&mut &bytes[..at]), |_, _| ());
            assert!(cut.is_err(), "cut at {at}");
        }
    }
}
