//! Asymmetric numeral systems, their range variant (rANS, Duda 2013): a token of probability p
//! costs −log₂ p bits.
//!
//! Numbers of any size become a token, of which there are few, and the bits that it leaves open.

use super::FileError;
use super::stream::{In, Out};
use std::io::{self, Read, Write};

/// Frequencies of a distribution add up to this power of two.
const PRECISION: u32 = 12;
/// A state never falls below this; a byte comes or goes at a time.
pub(super) const LOWEST: u32 = 1 << 23;

/// The token of a number from 1 on, and the bits it leaves open with their count.
pub(super) fn token(n: u32) -> (usize, u32, u32) {
    let power = n.ilog2();
    if power == 0 {
        return (0, 0, 0);
    }
    let open = power - 1;
    (2 * power as usize + (n >> open & 1) as usize, n & ((1 << open) - 1), open)
}

/// The smallest number of a token, and how many bits the token leaves open.
pub(super) fn number(token: usize) -> (u32, u32) {
    match (token as u32 / 2).checked_sub(1) {
        None => (1, 0),
        Some(open) => ((2 | token as u32 & 1) << open, open),
    }
}

/// Frequencies of the tokens of an alphabet.
#[derive(Clone)]
pub(super) struct Frequencies(Vec<u64>);

impl Frequencies {
    pub(super) fn new(tokens: usize) -> Self {
        Self(vec![0; tokens])
    }

    pub(super) fn count(&mut self, token: usize) {
        self.0[token] += 1;
    }

    /// Shares of 2^[`PRECISION`], at least one for every token that occurs.
    pub(super) fn shares(&self) -> Shares {
        let total: u64 = self.0.iter().sum();
        let whole = 1u64 << PRECISION;
        let share = |&count: &u64| if count == 0 { 0 } else { (count * whole / total).max(1) as u16 };
        let mut shares: Vec<u16> = self.0.iter().map(share).collect();
        // What rounding left over or took too much goes to or comes from the largest.
        loop {
            let sum: i64 = shares.iter().map(|&share| i64::from(share)).sum();
            match if total == 0 { 0 } else { whole as i64 - sum } {
                0 => return Shares::new(shares).expect("shares of counts add up"),
                missing => {
                    let largest = shares.iter_mut().max().expect("not an empty alphabet");
                    *largest = (i64::from(*largest) + missing.max(-i64::from(*largest) / 2)) as u16;
                }
            }
        }
    }
}

/// A distribution ready for use.
pub(super) struct Shares {
    share: Vec<u16>,
    /// Sum of the shares before.
    start: Vec<u16>,
    /// Token that owns each of the 2^[`PRECISION`] numbers; empty if there is no token at all.
    owner: Vec<u8>,
}

impl Shares {
    /// `None` if the shares do not add up.
    fn new(share: Vec<u16>) -> Option<Self> {
        let (mut start, mut sum, mut owner) = (vec![0; share.len()], 0u32, Vec::new());
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

    /// Writes how many tokens occur, and each with its share.
    pub(super) fn write<W: Write>(&self, out: &mut Out<'_, W>) -> io::Result<()> {
        let some = || self.share.iter().enumerate().filter(|&(_, &share)| share > 0);
        out.bytes(&[some().count() as u8])?;
        some().try_for_each(|(token, share)| {
            let [low, high] = share.to_le_bytes();
            out.bytes(&[token as u8, low, high])
        })
    }

    /// Reads what [`Shares::write`] wrote.
    pub(super) fn read<R: Read>(tokens: usize, input: &mut In<'_, R>, from: u64) -> Result<Self, FileError> {
        let mut share = vec![0; tokens];
        let [count] = input.array()?;
        for _ in 0..count {
            let [token, low, high] = input.array()?;
            if let Some(share) = share.get_mut(usize::from(token)) {
                *share = u16::from_le_bytes([low, high]);
            }
        }
        Self::new(share).ok_or_else(|| input.damaged(from, "its frequencies do not add up"))
    }

    /// Reads the shares of all tokens, as the first layout has them.
    pub(super) fn read_all<R: Read>(
        tokens: usize,
        input: &mut In<'_, R>,
        from: u64,
    ) -> Result<Self, FileError> {
        let mut share = vec![0; tokens];
        for share in &mut share {
            *share = u16::from_le_bytes(input.array()?);
        }
        Self::new(share).ok_or_else(|| input.damaged(from, "its frequencies do not add up"))
    }

    /// Adds a token to a state; bytes that no longer fit go to `bytes`.
    pub(super) fn encode(&self, mut state: u32, token: usize, bytes: &mut Vec<u8>) -> u32 {
        let (share, start) = (u32::from(self.share[token]), u32::from(self.start[token]));
        while state >= ((LOWEST >> PRECISION) << 8) * share {
            bytes.push(state as u8);
            state >>= 8;
        }
        ((state / share) << PRECISION) + state % share + start
    }

    /// Takes a token out of a state; `None` if the distribution is empty.
    pub(super) fn decode(&self, state: &mut u32, bytes: &mut impl Iterator<Item = u8>) -> Option<usize> {
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
pub(super) struct Bits {
    bytes: Vec<u8>,
    open: u64,
    count: u32,
}

impl Bits {
    pub(super) fn push(&mut self, bits: u32, count: u32) {
        self.open |= u64::from(bits) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.open as u8);
            self.open >>= 8;
            self.count -= 8;
        }
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.bytes.push(self.open as u8);
        }
        self.bytes
    }

    /// The next bits of a stream; zeros after its end.
    pub(super) fn take(&mut self, bytes: &mut impl Iterator<Item = u8>, count: u32) -> u32 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn tokens_and_numbers_agree() {
        for n in (1..5000).chain([u32::MAX - 1, u32::MAX, 1 << 31]) {
            let (token, open, count) = token(n);
            assert!(token < 64 && number(token) == (n - open, count), "{n}: {token} {open} {count}");
        }
    }

    #[test]
    fn shares_add_up_whatever_the_counts() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            let mut some = Frequencies::new(64);
            (0..1 + random.below(64)).for_each(|i| {
                some.0[i as usize] = {
                    let bits = random.below(40);
                    random.below(1 << bits)
                }
            });
            some.0[0] += 1;
            let shares = some.shares().share;
            assert_eq!(shares.iter().map(|&share| u32::from(share)).sum::<u32>(), 1 << PRECISION);
            assert!(shares.iter().zip(some.0).all(|(&share, count)| (share > 0) == (count > 0)));
        }
    }
}
