//! The transposition table: values of afterstates already searched, shared by threads.
//!
//! Entries are two 64-bit words, `check = key ^ data` and `data`, each a relaxed atomic.
//! Two threads may write the two words of one entry at the same time; the words then do
//! not belong together, `check ^ data` is no key anybody asks for, and the entry is a
//! miss. So there are no locks and nothing undefined: a torn entry is only a lost one.
//!
//! ```text
//! data   bits 0–31 value (f32) · 32–39 ply · 40–47 generation · 48–63 always 1
//! bucket four entries, one cache line, chosen by the first hash; the key is the second
//! ```
//!
//! A key covers the whole afterstate (board, bag, hint …), the stage, and what of the
//! limits matters, so one table serves one game and one value function;
//! [`TranspositionTable::clear`] it when either changes. Within that, old entries stay true for
//! ever: generations only decide which entry makes room.

use crate::budget::{self, OutOfMemory, Reserved};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

const MARK: u64 = 1 << 48;

/// Place of an entry in the table, and the check that recognises it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// Chooses the bucket.
    pub place: u64,
    /// Identifies the entry.
    pub check: u64,
}

#[derive(Default)]
struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Entry; 4]);

/// A fixed amount of memory that remembers the values of searched afterstates.
pub struct TranspositionTable {
    buckets: Box<[Bucket]>,
    generation: AtomicU8,
    _reserved: Reserved,
}

impl std::fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TranspositionTable").field("bytes", &self.bytes()).finish()
    }
}

impl TranspositionTable {
    /// A table of about this many bytes, at least one bucket of 64.
    ///
    /// # Panics
    /// If there is no memory for it; [`TranspositionTable::try_new`] says so instead.
    pub fn new(bytes: usize) -> Self {
        Self::try_new(bytes).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A table of about this many bytes, reserved in the [budget].
    pub fn try_new(bytes: usize) -> Result<Self, OutOfMemory> {
        let count = (bytes / size_of::<Bucket>()).max(1);
        let size = count * size_of::<Bucket>();
        // A single bucket is the table of those who need none.
        let reserved = budget::reserve(if count > 1 { size as u64 } else { 0 })?;
        let mut buckets = Vec::new();
        let refused = |_| OutOfMemory { wanted: size as u64, taken: budget::taken(), limit: u64::MAX };
        buckets.try_reserve_exact(count).map_err(refused)?;
        buckets.resize_with(count, Bucket::default);
        let generation = AtomicU8::new(0);
        Ok(Self { buckets: buckets.into_boxed_slice(), generation, _reserved: reserved })
    }

    /// The memory taken.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Forgets everything: needed when the game or the value function changes.
    pub fn clear(&self) {
        for entry in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            entry.check.store(0, Relaxed);
            entry.data.store(0, Relaxed);
        }
    }

    /// Starts a new search: entries of earlier ones are the first to make room.
    pub fn age(&self) {
        self.generation.fetch_add(1, Relaxed);
    }

    fn bucket(&self, place: u64) -> &Bucket {
        let index = (u128::from(place) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// The value stored under this key with this ply, or with a larger one if `deeper`.
    #[inline]
    pub fn get(&self, key: Key, ply: u8, deeper: bool) -> Option<f32> {
        for entry in &self.bucket(key.place).0 {
            let data = entry.data.load(Relaxed);
            if entry.check.load(Relaxed) ^ data == key.check && data & MARK != 0 {
                let stored = (data >> 32) as u8;
                if stored == ply || (deeper && stored > ply) {
                    return Some(f32::from_bits(data as u32));
                }
            }
        }
        None
    }

    /// Stores a value: over the same key, else over an empty, old or shallow entry.
    pub fn put(&self, key: Key, ply: u8, value: f32) {
        let generation = self.generation.load(Relaxed);
        let bucket = self.bucket(key.place);
        let mut victim = &bucket.0[0];
        let mut least = i32::MAX;
        for entry in &bucket.0 {
            let data = entry.data.load(Relaxed);
            let stored_ply = (data >> 32) as u8;
            let same = entry.check.load(Relaxed) ^ data == key.check && data & MARK != 0;
            if same && stored_ply == ply {
                victim = entry;
                break;
            }
            // Worth of an entry: its depth; every search that went by takes two plies off.
            let age = generation.wrapping_sub((data >> 40) as u8);
            let worth = if data & MARK == 0 { i32::MIN } else { i32::from(stored_ply) - 2 * i32::from(age) };
            if worth < least {
                least = worth;
                victim = entry;
            }
        }
        let data = u64::from(value.to_bits()) | u64::from(ply) << 32 | u64::from(generation) << 40 | MARK;
        victim.data.store(data, Relaxed);
        victim.check.store(key.check ^ data, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(check: u64) -> Key {
        Key { place: 0, check }
    }

    #[test]
    fn finds_what_was_stored_and_nothing_else() {
        let table = TranspositionTable::new(0);
        assert_eq!(table.bytes(), 64);
        assert_eq!(table.get(key(0), 0, true), None, "an empty entry is not the key 0");
        table.put(key(7), 2, 1.5);
        assert_eq!(table.get(key(7), 2, false), Some(1.5));
        assert_eq!(table.get(key(8), 2, false), None);
        assert_eq!(table.get(key(7), 3, true), None);
        assert_eq!(table.get(key(7), 1, false), None);
        assert_eq!(table.get(key(7), 1, true), Some(1.5));
        table.put(key(7), 2, 2.5);
        assert_eq!(table.get(key(7), 2, false), Some(2.5));
        table.clear();
        assert_eq!(table.get(key(7), 2, false), None);
    }

    #[test]
    fn shallow_entries_go_first_and_old_ones_before_them() {
        let table = TranspositionTable::new(64);
        for (check, ply) in [(1, 4), (2, 2), (3, 3), (4, 5)] {
            table.put(key(check), ply, check as f32);
        }
        table.put(key(5), 1, 5.0);
        assert_eq!(table.get(key(2), 2, false), None);
        assert_eq!(table.get(key(5), 1, false), Some(5.0));
        assert_eq!(table.get(key(1), 4, false), Some(1.0));
        for _ in 0..3 {
            table.age();
        }
        for check in 6..10 {
            table.put(key(check), 1, check as f32);
        }
        for check in 6..10 {
            assert_eq!(table.get(key(check), 1, false), Some(check as f32));
        }
    }

    #[test]
    fn one_key_may_hold_several_plies() {
        let table = TranspositionTable::new(64);
        table.put(key(1), 2, 2.0);
        table.put(key(1), 3, 3.0);
        assert_eq!(table.get(key(1), 2, false), Some(2.0));
        assert_eq!(table.get(key(1), 3, false), Some(3.0));
    }

    #[test]
    fn torn_writes_are_misses() {
        let table = TranspositionTable::new(64);
        table.put(key(9), 1, 1.0);
        let entry = &table.buckets[0].0[0];
        let data = entry.data.load(Relaxed);
        entry.data.store(data ^ 1, Relaxed);
        assert_eq!(table.get(key(9), 1, true), None);
    }

    #[test]
    fn racing_threads_never_read_a_mixture() {
        let table = TranspositionTable::new(64);
        std::thread::scope(|scope| {
            for t in 0..2u64 {
                let table = &table;
                scope.spawn(move || {
                    for i in 0..200_000u64 {
                        let check = (i * 7 + t) % 11 + 1;
                        if let Some(value) = table.get(key(check << 32 | check), 1, false) {
                            assert_eq!(value, check as f32);
                        }
                        table.put(key(check << 32 | check), 1, check as f32);
                    }
                });
            }
        });
    }
}
