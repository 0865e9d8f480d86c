//! Weight promotion: what a stage has not learned yet, it reads from the stage before (Jaśkowski
//! 2016).
//!
//! An entry is taken to be untouched while it is exactly zero. So promotion needs no memory of its
//! own, files stay sparse, and a stage that was never trained plays as the one before it.

use super::stage::Stage;
use super::{Active, Network};
use crate::budget::OutOfMemory;
use crate::threads;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Entries that a thread fills at a time.
const PART: usize = 1 << 16;

impl Network {
    /// Banks that read through to the stage before, by bank; empty if none does.
    pub(super) fn promoted_banks(&self) -> Vec<bool> {
        let (stages, each) = (&self.structure.stages, self.structure.sets.count());
        let promoted: Vec<bool> =
            (0..self.structure.banks()).map(|bank| stages.is_promoted((bank / each) as u8)).collect();
        if promoted.contains(&true) { promoted } else { Vec::new() }
    }

    /// Chooses the promoted stages: those for which this holds.
    pub fn promote(&mut self, promoted: impl Fn(u8) -> bool) {
        self.structure.stages = std::mem::take(&mut self.structure.stages).promoting(promoted);
        self.promoted = self.promoted_banks();
    }

    /// True if zeros of this bank read the stage before.
    #[inline(always)]
    pub(crate) fn reads_through(&self, bank: u8) -> bool {
        !self.promoted.is_empty() && self.promoted[usize::from(bank)]
    }

    /// The weight of an entry, its own or an earlier stage's.
    fn read_through(&self, bank: u8, entry: u32) -> f32 {
        let mut bank = usize::from(bank);
        loop {
            let weight = self.banks[bank].get(entry);
            if weight.to_bits() != 0 || !self.promoted[bank] {
                return weight;
            }
            bank -= self.structure.sets.count();
        }
    }

    /// V of a point in a promoted bank.
    #[inline]
    pub(super) fn sum_promoted(&self, active: &Active) -> f32 {
        active.sum_of_known(self.bank(active.bank())).unwrap_or_else(|| self.sum_through(active))
    }

    #[cold]
    fn sum_through(&self, active: &Active) -> f32 {
        // In the order of any other sum, so that a settled network says the same to the last bit.
        let get = |entry: &u32| self.read_through(active.bank(), *entry);
        let (fours, rest) = active.entries().as_chunks::<4>();
        let mut sums = [0.0; 4];
        for four in fours {
            four.iter().zip(&mut sums).for_each(|(entry, sum)| *sum += get(entry));
        }
        rest.iter().for_each(|entry| sums[0] += get(entry));
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// Makes the entries of a point in a promoted bank its own, before they change.
    #[inline]
    pub(crate) fn touch(&self, active: &Active) {
        if active.sum_of_known(self.bank(active.bank())).is_none() {
            self.copy_from_before(active);
        }
    }

    #[cold]
    fn copy_from_before(&self, active: &Active) {
        let bank = self.bank(active.bank());
        for &entry in active.entries() {
            bank.set(entry, self.read_through(active.bank(), entry));
        }
    }

    /// Fills what is zero in a bank with what the bank before it says. All processors take part:
    /// this is a part of loading a model, and there are hundreds of millions of weights.
    fn settle_bank(&self, bank: usize, before: usize) -> Result<(), OutOfMemory> {
        self.banks[bank].reserve_as(&self.banks[before])?;
        let (own, from) = (self.banks[bank].entries(), self.banks[before].entries());
        let reads_on = self.promoted[before];
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let next = AtomicUsize::new(0);
        threads::together(threads, || {
            loop {
                let first = next.fetch_add(PART, Relaxed);
                if first >= own.len() {
                    return;
                }
                let part = first..own.len().min(first + PART);
                for (entry, (own, from)) in part.clone().zip(own[part.clone()].iter().zip(&from[part])) {
                    if own.load(Relaxed) == 0 {
                        let read = match from.load(Relaxed) {
                            0 if reads_on => self.read_through(before as u8, entry as u32).to_bits(),
                            weight => weight,
                        };
                        if read != 0 {
                            own.store(read, Relaxed);
                        }
                    }
                }
            }
        });
        Ok(())
    }

    /// Copies what these stages would read from the stages before, and ends their promotion: the
    /// same values, and from now on as fast as any.
    pub fn materialize_promotions(&mut self, stages: Range<Stage>) -> Result<(), OutOfMemory> {
        if self.promoted.is_empty() {
            return Ok(());
        }
        let each = self.structure.sets.count();
        // The first stages first: what the stage before would read, it has by then.
        for bank in usize::from(stages.start) * each..usize::from(stages.end) * each {
            if self.promoted[bank] {
                self.settle_bank(bank, bank - each)?;
                self.promoted[bank] = false;
            }
        }
        let before = self.structure.stages.clone();
        self.promote(|stage| before.is_promoted(stage) && !stages.contains(&stage));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Shape, View};
    use crate::network::Structure;
    use crate::network::stage::Stages;

    fn three_stages() -> Network {
        let mut structure = Structure::tuples(Shape::new(2, 3).unwrap(), "012", 6).unwrap();
        structure.stages = Stages::new(vec![vec![3], vec![4]]);
        Network::new(structure)
    }

    fn point(network: &Network, bank: u8) -> Active {
        let mut active = Active::default();
        let mut cells = [0; 16];
        cells[..6].copy_from_slice(&[1, 2, 3, 4, 5, 0]);
        network.activate(&View { cells: &cells, hint: 0, bag: [0; 3] }, bank, &mut active);
        active
    }

    #[test]
    fn untouched_entries_read_the_stage_before_and_touched_ones_their_own() {
        let mut network = three_stages();
        network.promote(|_| true);
        let [first, second, third] = [0, 1, 2].map(|bank| point(&network, bank));
        network.add(&first, 1.5);
        assert_eq!([&first, &second, &third].map(|point| network.sum(point)), [6.0; 3]);
        network.touch(&second);
        network.add(&second, 1.0);
        assert_eq!([&first, &second, &third].map(|point| network.sum(point)), [6.0, 10.0, 10.0]);
        // The stage before goes on learning; what was touched no longer follows it.
        network.add(&first, 0.5);
        assert_eq!([&first, &second, &third].map(|point| network.sum(point)), [8.0, 10.0, 10.0]);
    }

    #[test]
    fn without_promotion_zero_is_zero() {
        let network = three_stages();
        network.add(&point(&network, 0), 1.0);
        assert_eq!(network.sum(&point(&network, 1)), 0.0);
    }

    #[test]
    fn settled_stages_say_the_same_without_reading_through() {
        let mut network = three_stages();
        network.promote(|_| true);
        network.add(&point(&network, 0), 2.0);
        network.materialize_promotions(1..2).unwrap();
        assert!(!network.structure().stages.is_promoted(1) && network.structure().stages.is_promoted(2));
        assert_eq!([1, 2].map(|bank| network.sum(&point(&network, bank))), [8.0; 2]);
        network.add(&point(&network, 0), 1.0);
        assert_eq!([0, 1, 2].map(|bank| network.sum(&point(&network, bank))), [12.0, 8.0, 8.0]);
        network.materialize_promotions(0..3).unwrap();
        assert_eq!(network.sum(&point(&network, 2)), 8.0);
        assert!(!network.reads_through(2));
    }
}
