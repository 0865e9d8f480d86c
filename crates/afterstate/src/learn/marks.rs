//! Marks on the blocks of weights that learning has changed, so that a comparison need not read
//! all of them.

use crate::network::Active;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Entries of a block: 4 KiB of weights, and 64 Ki marks for four tuples of six cells.
pub const BLOCK: usize = 1024;

/// A mark for every block of every bank.
pub struct Marks {
    banks: Vec<Vec<AtomicBool>>,
    /// Entries of a bank.
    len: usize,
}

impl Marks {
    /// No marks yet on this many banks of `len` entries.
    pub fn new(banks: usize, len: usize) -> Self {
        let bank = || (0..len.div_ceil(BLOCK)).map(|_| AtomicBool::new(false)).collect();
        Self { banks: (0..banks).map(|_| bank()).collect(), len }
    }

    /// Marks the blocks of a point. What is marked already is only read, so that threads do not
    /// take it from each other.
    #[inline]
    pub fn mark(&self, point: &Active) {
        let bank = &self.banks[usize::from(point.bank())];
        for &entry in point.entries() {
            let mark = &bank[entry as usize / BLOCK];
            if !mark.load(Relaxed) {
                mark.store(true, Relaxed);
            }
        }
    }

    /// The entries of a bank in marked blocks, smallest first.
    pub fn blocks(&self, bank: usize) -> impl Iterator<Item = Range<u32>> {
        let marked = self.banks[bank].iter().enumerate().filter(|(_, mark)| mark.load(Relaxed));
        marked.map(|(block, _)| (block * BLOCK) as u32..((block + 1) * BLOCK).min(self.len) as u32)
    }

    /// Takes all marks away.
    pub fn clear(&self) {
        self.banks.iter().flatten().for_each(|mark| mark.store(false, Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Shape, View};
    use crate::network::{Network, Structure};

    #[test]
    fn exactly_the_blocks_of_a_point_are_marked_until_they_are_cleared() {
        let network = Network::new(Structure::tuples(Shape::FOUR, "01234 4567", 11).unwrap());
        let marks = Marks::new(1, network.bank_len());
        assert_eq!(marks.blocks(0).count(), 0);
        let mut point = Active::default();
        let cells = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 6];
        network.activate(&View { cells: &cells, hint: 0, bag: [0; 3] }, 0, &mut point);
        marks.mark(&point);
        let inside = |entry: &u32| marks.blocks(0).any(|block| block.contains(entry));
        assert!(point.entries().iter().all(inside));
        assert!(marks.blocks(0).all(|block| point.entries().iter().any(|entry| block.contains(entry))));
        assert!(marks.blocks(0).all(|block| block.end as usize <= network.bank_len()));
        marks.clear();
        assert_eq!(marks.blocks(0).count(), 0);
    }
}
