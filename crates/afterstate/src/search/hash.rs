//! One fast hash for everything the search must recognise again.
//!
//! The papers use Zobrist hashing: a random number for each tile in each cell, combined by
//! exclusive or. It pays where a move changes a few cells and the hash is kept along. A slide
//! changes whole lines and a spawn is one of many, so here the words of the position are
//! multiplied: less work than sixteen look-ups, and the bag, the hint and the stage need no numbers
//! of their own.
//!
//! Positions are a few words long, so two words at a time are folded in by one
//! 64 × 64 → 128-bit product whose halves are XORed. Against accidents the table compares a second,
//! independently seeded hash: 64 bits verified beside the bits that choose the bucket.

use std::hash::{Hash, Hasher};

/// Odd constants with irregular bits: fractional parts of √2 and √3.
const K: [u64; 2] = [0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b];

/// A hasher for positions: not for untrusted input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mixer(u64);

impl Mixer {
    #[inline]
    fn new(seed: u64) -> Self {
        Self(seed)
    }

    #[inline]
    fn fold(&mut self, a: u64, b: u64) {
        let product = u128::from(self.0 ^ a) * u128::from(K[0] ^ b);
        self.0 = (product as u64 ^ (product >> 64) as u64).wrapping_add(K[1]);
    }
}

impl Hasher for Mixer {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(16);
        for chunk in &mut chunks {
            let both = u128::from_le_bytes(chunk.try_into().expect("sixteen bytes"));
            self.fold(both as u64, (both >> 64) as u64);
        }
        let rest = chunks.remainder();
        if !rest.is_empty() {
            let mut last = [0; 16];
            last[..rest.len()].copy_from_slice(rest);
            let both = u128::from_le_bytes(last);
            self.fold(both as u64, (both >> 64) as u64 ^ (rest.len() as u64) << 56);
        }
    }

    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.fold(word.into(), 0);
    }

    #[inline]
    fn write_u16(&mut self, word: u16) {
        self.fold(word.into(), 0);
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.fold(word.into(), 0);
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.fold(word, 0);
    }

    /// The length of an array, constant in practice: no need to mix it well.
    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.0 = self.0.wrapping_add(word as u64);
    }

    /// Variant of an enum.
    #[inline]
    fn write_isize(&mut self, word: isize) {
        self.fold(word as u64, 0);
    }

    #[inline]
    fn finish(&self) -> u64 {
        let product = u128::from(self.0).wrapping_mul(u128::from(K[1]));
        product as u64 ^ (product >> 64) as u64
    }
}

/// The hash of a thing under a seed.
#[inline]
pub(crate) fn hash<T: Hash>(thing: &T, seed: u64) -> u64 {
    let mut mixer = Mixer::new(seed);
    thing.hash(&mut mixer);
    mixer.finish()
}

/// [`hash`] mixed less thoroughly, for tables of a few thousand entries.
#[inline]
pub(crate) fn hash_roughly<T: Hash>(thing: &T, seed: u64) -> u64 {
    let mut mixer = Mixer::new(seed);
    thing.hash(&mut mixer);
    mixer.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Board;
    use std::collections::HashSet;

    #[test]
    fn every_cell_and_rank_counts() {
        let mut seen = HashSet::new();
        let mut low = HashSet::new();
        for cell in 0..64 {
            for rank in 1..=60 {
                let h = hash(&Board::<64>::EMPTY.with(cell, rank), 1);
                assert!(seen.insert(h));
                low.insert(h & 0xfff);
            }
        }
        // 3,840 balls into 4,096 boxes fill about 4,096·(1 − e^−.9375) = 2,492 of them.
        assert!((2_350..2_650).contains(&low.len()), "{}", low.len());
        assert_ne!(hash(&1u8, 1), hash(&1u8, 2));
    }
}
