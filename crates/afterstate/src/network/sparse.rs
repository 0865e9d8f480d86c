//! Weights most of which are zero, for play: only the others are there.
//!
//! ```text
//! entry = block · 512 + line · 64 + bit
//! ```
//!
//! A *line* of 64 entries has a bit for each that is not zero, and counts those of all lines before
//! it: the weight of an entry lies behind as many as have a bit before its own (Jacobson's rank). A
//! *block* of 64 lines without a bit has no lines. So a line takes 16 bytes, and a weight what it
//! takes by itself; looking one up reads a number of a block, a line and a weight.

use super::index::Plan;
use super::memory::{Entry, Memory};
use crate::budget::OutOfMemory;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Entries of a line.
const LINE: usize = 64;
/// Lines of a block.
const LINES: usize = 8;
/// Arrays below this many bytes are small enough as they are.
const SMALL: usize = 8 << 20;
/// So many times smaller must they become.
const GAIN: usize = 3;

/// Weights that are not zero, by table, each with its index in the order of the definition. Tables
/// are shared by those who read a file and those who make of it what is played.
pub(super) type Listed = Vec<Arc<Vec<(u32, f32)>>>;

/// Entries that are not zero, as a bit for each.
pub(super) struct Outline {
    words: Vec<u64>,
}

impl Outline {
    /// The entries of one or several sets.
    pub(super) fn of(plan: &Plan, sets: &[Listed]) -> Self {
        // One more, which has never a weight: vector code may name it.
        let mut words = vec![0u64; (plan.len + 1).div_ceil(LINE).next_multiple_of(LINES)];
        for set in sets {
            for (table, list) in set.iter().enumerate() {
                let mut place = plan.ascending(table);
                for &(index, _) in list.iter() {
                    let entry = place(index);
                    words[entry / LINE] |= 1 << (entry % LINE);
                }
            }
        }
        Self { words }
    }

    /// Numbers of blocks that are not empty, and of entries.
    fn counts(&self) -> (usize, usize) {
        let blocks = self.words.chunks(LINES).filter(|block| block.iter().any(|&word| word != 0)).count();
        (blocks, self.words.iter().map(|word| word.count_ones() as usize).sum())
    }

    /// True if weights of so many bytes take much less room when the zeros are left out.
    pub(super) fn is_thin(&self, bytes: usize) -> bool {
        let (blocks, entries) = self.counts();
        let whole = self.words.len() * LINE * bytes;
        whole > SMALL && GAIN * (16 * LINES * blocks + bytes * entries) < whole
    }
}

/// Weights without their zeros.
pub(super) struct Sparse<T: Entry> {
    /// The first line of each block.
    blocks: Memory<AtomicU32>,
    /// Of each line its bits, then the number of weights before it.
    lines: Memory<AtomicU64>,
    /// The first is zero, for entries that have none.
    weights: Memory<T>,
}

impl<T: Entry> Sparse<T> {
    /// Zeros for the entries of an outline.
    pub(super) fn new(outline: &Outline) -> Result<Self, OutOfMemory> {
        let (count, entries) = outline.counts();
        let found = Self {
            blocks: Memory::try_new(outline.words.len() / LINES)?,
            // The first block is that of all without a bit.
            lines: Memory::try_new(2 * LINES * (count + 1))?,
            weights: Memory::try_new(entries + 1)?,
        };
        let (mut line, mut before) = (LINES, 1);
        for (block, words) in outline.words.chunks(LINES).enumerate() {
            if words.iter().all(|&word| word == 0) {
                continue;
            }
            found.blocks.entries()[block].store(line as u32, Relaxed);
            for &word in words {
                found.lines.entries()[2 * line].store(word, Relaxed);
                found.lines.entries()[2 * line + 1].store(before, Relaxed);
                before += u64::from(word.count_ones());
                line += 1;
            }
        }
        Ok(found)
    }

    /// Where the weight of an entry lies; 0 if it has none.
    #[inline(always)]
    fn rank(&self, entry: usize) -> usize {
        let first = self.blocks.entries()[entry / (LINE * LINES)].load(Relaxed) as usize;
        let line = first + entry / LINE % LINES;
        let [bits, before] =
            self.lines.entries().as_chunks().0[line].each_ref().map(|half| half.load(Relaxed));
        let bit = entry % LINE;
        let below = (bits & ((1 << bit) - 1)).count_ones() as usize;
        // Whether there is a bit is hard to foresee: no branch.
        (before as usize + below) * (bits >> bit & 1) as usize
    }

    /// The weight of an entry.
    #[inline(always)]
    pub(super) fn get(&self, entry: usize) -> T::Bits {
        self.weights.entries()[self.rank(entry)].bits()
    }

    /// The weight of an entry of the outline, to be written.
    #[inline]
    pub(super) fn at(&self, entry: usize) -> &T {
        &self.weights.entries()[self.rank(entry)]
    }

    /// Asks for the lines of entries.
    #[inline(always)]
    pub(super) fn prefetch(&self, entries: &[u32]) {
        for &entry in entries {
            let entry = entry as usize;
            let first = self.blocks.entries()[entry / (LINE * LINES)].load(Relaxed);
            self.lines.prefetch(2 * (first + (entry / LINE % LINES) as u32));
        }
    }

    /// Every entry that has a weight, in order.
    pub(super) fn each(&self, mut work: impl FnMut(usize, T::Bits)) {
        for (block, first) in self.blocks.entries().iter().enumerate() {
            let first = first.load(Relaxed) as usize;
            for line in (0..LINES).filter(|_| first > 0) {
                let mut bits = self.lines.entries()[2 * (first + line)].load(Relaxed);
                while bits != 0 {
                    let entry = (block * LINES + line) * LINE + bits.trailing_zeros() as usize;
                    work(entry, self.get(entry));
                    bits &= bits - 1;
                }
            }
        }
    }

    /// True if every entry up to `last` can be asked for.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn holds(&self, last: usize) -> bool {
        self.blocks.len() * LINES * LINE > last
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> u64 {
        self.blocks.reserved_bytes() + self.lines.reserved_bytes() + self.weights.reserved_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Shape;
    use crate::network::Structure;
    use crate::random::Random;
    use std::sync::atomic::AtomicU16;

    #[test]
    fn what_is_listed_is_there_and_nothing_else() {
        let plan = Structure::tuples(Shape::FOUR, "01245 012", 16).expect("patterns").plan();
        let mut random = Random::new(2);
        for one_in in [1, 3, 1000, 1 << 40] {
            let set: Listed = (0..2)
                .map(|table| {
                    let all = 0..plan.tables[table].len as u32;
                    all.filter(|_| random.below(one_in) == 0)
                        .map(|index| (index, 1.0))
                        .collect::<Vec<_>>()
                        .into()
                })
                .collect();
            let outline = Outline::of(&plan, std::slice::from_ref(&set));
            let sparse = Sparse::<AtomicU16>::new(&outline).expect("memory");
            let mut wanted = vec![0u16; plan.len];
            for (table, list) in set.iter().enumerate() {
                for &(index, _) in list.iter() {
                    let entry = plan.tables[table].offset as usize + plan.place(table, index as usize);
                    wanted[entry] = 1 + random.below(60_000) as u16;
                    sparse.at(entry).store(wanted[entry], Relaxed);
                }
            }
            assert!((0..plan.len).all(|entry| sparse.get(entry) == wanted[entry]), "one in {one_in}");
            let mut left = wanted.iter().enumerate().filter(|(_, weight)| **weight != 0);
            sparse.each(|entry, weight| assert_eq!(left.next(), Some((entry, &weight))));
            assert!(left.next().is_none());
            assert!(!outline.is_thin(2), "a small array stays as it is");
            assert_eq!(outline.is_thin(64), one_in >= 1000, "one in {one_in}");
        }
    }
}
