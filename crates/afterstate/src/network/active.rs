//! The active entries of a position, φ, and what is done with them.
//!
//! The inner loops of learning and play are here. They index without a bounds check per
//! entry: the entries of an [`Active`] are private, are written only by the network that
//! found them, and are all below its [`Active::limit`], which is compared once with the
//! length of the array. This is one of the few files with `unsafe`.
#![allow(unsafe_code)]

use super::memory::{Entry, Memory, Unchecked};
use std::sync::atomic::{AtomicU32, AtomicU64};

/// So many entries at a time are worked on without asking in between whether there are more: four
/// tuples of eight images each, which is what the common networks consist of.
const RUN: usize = 32;

/// The entries one position activates in one bank of weights: φ.
///
/// A board with symmetries of its own may name an entry several times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Active {
    bank: u8,
    /// Every entry is below this.
    limit: u32,
    entries: Vec<u32>,
}

impl Active {
    /// Number of the bank.
    #[inline]
    pub fn bank(&self) -> u8 {
        self.bank
    }

    /// One entry per image of a pattern and per feature.
    #[inline]
    pub fn entries(&self) -> &[u32] {
        &self.entries
    }

    /// Room for `len` entries, which the network writes before it [`Active::seal`]s them.
    ///
    /// Until then the limit is one that no array satisfies, so that a panic on the way leaves
    /// nothing behind that could be used.
    #[inline(always)]
    pub(super) fn open(&mut self, bank: u8, len: usize) -> &mut [u32] {
        self.bank = bank;
        self.limit = u32::MAX;
        if self.entries.len() != len {
            self.entries.resize(len, 0);
        }
        &mut self.entries
    }

    /// All entries are written, all of them below `limit`.
    #[inline(always)]
    pub(super) fn seal(&mut self, limit: u32) {
        self.limit = limit;
    }

    #[inline(always)]
    fn check<'a, T: Entry>(&self, memory: &'a Memory<T>) -> Unchecked<'a, T> {
        let inside = self.limit as usize <= memory.room();
        assert!(inside, "entries of one network used with another");
        memory.unchecked()
    }

    /// Asks for the cache lines of these entries.
    #[inline(always)]
    pub fn prefetch<T: Entry>(&self, memory: &Memory<T>) {
        self.each(|entry| memory.prefetch(entry));
    }

    /// Σ over the entries, in a fixed order.
    #[inline(always)]
    pub fn sum(&self, memory: &Memory<AtomicU32>) -> f32 {
        let memory = self.check(memory);
        // SAFETY: all entries are below the limit, which was checked.
        let get = |entry: u32| unsafe { memory.get(entry) };
        // Four sums side by side, so that no addition waits for the one before.
        let (mut a, mut b, mut c, mut d) = (0.0, 0.0, 0.0, 0.0);
        let (fours, rest) = self.entries.as_chunks::<4>();
        for four in fours {
            a += get(four[0]);
            b += get(four[1]);
            c += get(four[2]);
            d += get(four[3]);
        }
        for &entry in rest {
            a += get(entry);
        }
        (a + b) + (c + d)
    }

    /// [`Active::sum`], or `None` if a weight is exactly zero.
    #[inline(always)]
    pub(super) fn sum_of_known(&self, memory: &Memory<AtomicU32>) -> Option<f32> {
        let checked = self.check(memory);
        // SAFETY: all entries are below the limit, which was checked.
        let known = |entry: &u32| unsafe { checked.get(*entry) }.to_bits() != 0;
        self.entries.iter().fold(true, |all, entry| all & known(entry)).then(|| self.sum(memory))
    }

    /// Σ over the entries of what `of` makes of the pair beside each: eight sums side by side, the
    /// rest added to the first.
    #[inline(always)]
    pub fn sum_of_pairs(&self, pairs: &Memory<AtomicU64>, of: impl Fn([f32; 2]) -> f32) -> f32 {
        let pairs = self.check(pairs);
        let mut sums = [0.0; 8];
        let (eights, rest) = self.entries.as_chunks::<8>();
        for eight in eights {
            for (sum, &entry) in sums.iter_mut().zip(eight) {
                // SAFETY: all entries are below the limit, which was checked.
                *sum += of(unsafe { pairs.get_pair(entry) });
            }
        }
        for &entry in rest {
            // SAFETY: as above.
            sums[0] += of(unsafe { pairs.get_pair(entry) });
        }
        sums.iter().sum()
    }

    /// Does something with every entry, in order.
    #[inline(always)]
    fn each(&self, mut work: impl FnMut(u32)) {
        let (runs, rest) = self.entries.as_chunks::<RUN>();
        for run in runs {
            run.iter().for_each(|&entry| work(entry));
        }
        rest.iter().for_each(|&entry| work(entry));
    }

    /// Replaces every entry's weight, one after the other.
    #[inline(always)]
    pub fn update(&self, weights: &Memory<AtomicU32>, new: impl Fn(f32) -> f32) {
        let weights = self.check(weights);
        self.each(|entry| {
            // SAFETY: all entries are below the limit, which was checked.
            unsafe { weights.set(entry, new(weights.get(entry))) };
        });
    }

    /// Replaces every entry's weight and the number kept beside it.
    #[inline(always)]
    pub fn update_both(
        &self,
        weights: &Memory<AtomicU32>,
        beside: &Memory<AtomicU32>,
        new: impl Fn(f32, f32) -> (f32, f32),
    ) {
        let (weights, beside) = (self.check(weights), self.check(beside));
        self.each(|entry| {
            // SAFETY: all entries are below the limit, which was checked for both.
            unsafe {
                let (weight, other) = new(weights.get(entry), beside.get(entry));
                weights.set(entry, weight);
                beside.set(entry, other);
            }
        });
    }

    /// Replaces every entry's weight and the pair of numbers kept beside it.
    #[inline(always)]
    pub fn update_with_pairs(
        &self,
        weights: &Memory<AtomicU32>,
        pairs: &Memory<AtomicU64>,
        new: impl Fn(f32, [f32; 2]) -> (f32, [f32; 2]),
    ) {
        let (weights, pairs) = (self.check(weights), self.check(pairs));
        self.each(|entry| {
            // SAFETY: all entries are below the limit, which was checked for both.
            unsafe {
                let (weight, pair) = new(weights.get(entry), pairs.get_pair(entry));
                weights.set(entry, weight);
                pairs.set_pair(entry, pair);
            }
        });
    }
}

/// The active entries of many positions of one network, one after the other: a game to learn from.
#[derive(Debug, Default)]
pub struct ActiveList {
    limit: u32,
    banks: Vec<u8>,
    entries: Vec<u32>,
}

impl ActiveList {
    /// The number of positions.
    pub fn len(&self) -> usize {
        self.banks.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.banks.is_empty()
    }

    /// One more position.
    ///
    /// # Panics
    /// If it comes from another network than the others.
    #[inline]
    pub fn push(&mut self, active: &Active) {
        if self.is_empty() {
            self.limit = active.limit;
        }
        assert_eq!(self.limit, active.limit, "entries of two networks in one list");
        self.banks.push(active.bank);
        self.entries.extend_from_slice(&active.entries);
    }

    /// Copies position `index` into `active`.
    #[inline]
    pub fn load(&self, index: usize, active: &mut Active) {
        let each = self.entries.len() / self.banks.len();
        active.bank = self.banks[index];
        active.limit = self.limit;
        active.entries.clear();
        active.entries.extend_from_slice(&self.entries[index * each..(index + 1) * each]);
    }

    /// Forgets all positions, and keeps the room.
    pub fn clear(&mut self) {
        self.banks.clear();
        self.entries.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn active(limit: u32, entries: &[u32]) -> Active {
        let mut active = Active::default();
        active.open(0, entries.len()).copy_from_slice(entries);
        active.seal(limit);
        active
    }

    #[test]
    fn sums_and_updates_touch_exactly_the_entries() {
        let (weights, pairs) = (Memory::<AtomicU32>::new(8), Memory::<AtomicU64>::new(8));
        let some = active(8, &[1, 3, 3, 5, 7]);
        some.update(&weights, |w| w + 1.0);
        assert_eq!(
            (0..8).map(|i| weights.get(i)).collect::<Vec<_>>(),
            [0.0, 1.0, 0.0, 2.0, 0.0, 1.0, 0.0, 1.0]
        );
        assert_eq!(some.sum(&weights), 1.0 + 2.0 + 2.0 + 1.0 + 1.0);
        assert_eq!(some.sum_of_known(&weights), Some(7.0));
        assert_eq!(active(8, &[1, 3, 2]).sum_of_known(&weights), None);
        some.update_with_pairs(&weights, &pairs, |w, [a, b]| (w, [a + 1.0, b - 1.0]));
        assert_eq!((pairs.get_pair(3), pairs.get_pair(0)), ([2.0, -2.0], [0.0, 0.0]));
        assert_eq!(some.sum_of_pairs(&pairs, |[a, b]| 10.0 * a + b), 63.0); // 9 for each of 1, 5, 7 and 18 twice for 3
        let many = active(8, &[1; 19]);
        assert_eq!(many.sum_of_pairs(&pairs, |[a, _]| a), 19.0);
    }

    #[test]
    #[should_panic(expected = "entries of one network used with another")]
    fn entries_of_a_larger_network_are_refused() {
        active(9, &[8]).sum(&Memory::new(8));
    }

    #[test]
    fn entries_that_were_not_sealed_are_not_used() {
        let mut some = active(100, &[99]);
        some.open(0, 1);
        let used = std::panic::catch_unwind(|| some.sum(&Memory::new(8)));
        assert!(used.is_err(), "entry 99 of 8 must be refused");
    }

    #[test]
    fn a_list_gives_back_what_was_pushed() {
        let mut list = ActiveList::default();
        list.push(&active(9, &[1, 2]));
        list.push(&active(9, &[3, 8]));
        let mut got = Active::default();
        list.load(1, &mut got);
        assert_eq!((got.entries(), list.len()), (&[3, 8][..], 2));
        list.clear();
        assert!(list.is_empty());
    }
}
