//! Replicas of the hot parts of a network, one for each thread that learns.
//!
//! Threads that learn together share their weights. Most entries are met by one of them now and
//! then, but those of boards with small tiles only ([`super::index`]) by all of them on every
//! move: their cache lines would travel from one processor to the other all the time. So every
//! thread learns in a replica of these entries, and now and then, while all threads pause, the
//! replicas are joined:
//!
//! ```text
//! w ← w + Σ (wᵢ − w)
//! ```
//!
//! so that all steps count, as they do where threads share the weight itself. Replicas lie behind
//! the array of their bank ([`super::memory::Memory`]), so an entry of a replica is an entry like
//! any other to all that sums and updates.

use super::Network;
use super::memory::Entry;

/// One thread's copy of the hot parts of all banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Replica {
    pub(super) number: usize,
    /// Where it begins in the array of each bank.
    pub(super) start: u32,
}

/// The hot part of one table: where it lies in the array, within a replica, and its length.
struct HotPart {
    start: usize,
    within: usize,
    len: usize,
}

impl Network {
    /// Gives every bank `count` replicas of its hot parts; none where that is of no use or not
    /// possible: without hot parts, or where stages read the weights of others.
    pub(crate) fn replicate(&mut self, count: usize) {
        let more = count * self.plan.replica_len;
        if more == 0 || !self.promoted.is_empty() || self.plan.len + more >= i32::MAX as usize {
            return;
        }
        self.banks = std::mem::take(&mut self.banks).into_iter().map(|bank| bank.extended(more)).collect();
        self.replicas = count;
    }

    /// The number of replicas.
    pub(crate) fn replicas(&self) -> usize {
        self.replicas
    }

    /// The number of entries that all replicas take behind the array of a bank.
    pub(crate) fn replica_room(&self) -> usize {
        self.replicas * self.plan.replica_len
    }

    /// The replica of a thread, if there is one.
    pub(crate) fn replica(&self, number: usize) -> Option<Replica> {
        (number < self.replicas).then(|| Replica { number, start: self.replica_start(number) as u32 })
    }

    fn replica_start(&self, number: usize) -> usize {
        self.plan.len + number * self.plan.replica_len
    }

    fn hot_parts(&self) -> impl Iterator<Item = HotPart> + '_ {
        self.plan.tables.iter().filter(|table| table.hot > 0).map(|table| HotPart {
            start: table.offset as usize,
            within: table.hot_offset as usize,
            len: table.hot,
        })
    }

    /// Makes all replicas of a bank what the bank itself is.
    pub(crate) fn distribute(&self, bank: u8) {
        let all = self.bank(bank).entries_with_room();
        for part in self.hot_parts() {
            for number in 0..self.replicas {
                let start = self.replica_start(number) + part.within;
                let own = &all[start..start + part.len];
                own.iter().zip(&all[part.start..]).for_each(|(own, other)| own.copy(other));
            }
        }
    }

    /// Joins what was learned in the replicas of a bank.
    pub(crate) fn join_replicas(&self, bank: u8) {
        let all = self.bank(bank).entries_with_room();
        for part in self.hot_parts() {
            let starts: Vec<usize> =
                (0..self.replicas).map(|number| self.replica_start(number) + part.within).collect();
            for index in (0..part.len).step_by(LINE) {
                // Most lines were not met since the last time.
                let differs = |start: &usize| {
                    (index..index + LINE).fold(0, |bits, entry| {
                        bits | (all[part.start + entry].bits() ^ all[start + entry].bits())
                    }) != 0
                };
                if !starts.iter().any(differs) {
                    continue;
                }
                for entry in index..index + LINE {
                    let shared = &all[part.start + entry];
                    let old = f32::from_bits(shared.bits());
                    let steps = starts.iter().map(|start| f32::from_bits(all[start + entry].bits()) - old);
                    let new = (old + steps.sum::<f32>()).to_bits();
                    shared.set_bits(new);
                    starts.iter().for_each(|start| all[start + entry].set_bits(new));
                }
            }
        }
    }
}

/// The entries of a cache line; the length of a hot part is a multiple of it.
const LINE: usize = 16;

#[cfg(test)]
mod tests {
    use super::super::{Active, Structure};
    use super::*;
    use crate::grid::{Shape, View};
    use crate::random::Random;

    fn board(random: &mut Random, top: u64) -> [u8; 16] {
        std::array::from_fn(|_| random.below(top) as u8)
    }

    #[test]
    fn a_replica_says_what_the_network_says_until_it_learns() {
        let mut random = Random::new(3);
        for (patterns, alphabet) in [("4x6", 16), ("01245 012456", 14), ("4x5", 13)] {
            let mut network = Network::new(Structure::tuples(Shape::FOUR, patterns, alphabet).unwrap());
            for _ in 0..100_000 {
                let entry = random.below(network.bank_len() as u64) as u32;
                network.bank(0).set(entry, random.below(1000) as f32);
            }
            network.replicate(2);
            network.distribute(0);
            let (mut shared, mut own, mut other) = (Active::default(), Active::default(), Active::default());
            for round in 0..500 {
                let cells = board(&mut random, [8, 17][round % 2]);
                let view = View { cells: &cells, hint: 0, bag: [0; 3] };
                network.activate(&view, 0, &mut shared);
                network.activate_in(&view, 0, network.replica(0), &mut own);
                network.activate_in(&view, 0, network.replica(1), &mut other);
                let before = network.sum(&shared);
                assert_eq!((network.sum(&own), network.sum(&other)), (before, before));
                if round % 2 == 0 {
                    // All ranks are below 8: what one learns, nobody else sees until they are joined.
                    network.add(&own, 1.0);
                    let step = network.sum(&own) - before;
                    assert_eq!((network.sum(&shared), network.sum(&other)), (before, before));
                    network.join_replicas(0);
                    let joined = before + step;
                    assert!((network.sum(&shared) - joined).abs() < 0.01 * joined.abs().max(1.0));
                    assert_eq!(network.sum(&other), network.sum(&shared));
                    assert_eq!(network.sum(&own), network.sum(&shared));
                }
            }
        }
    }

    #[test]
    fn all_steps_count() {
        let mut network = Network::new(Structure::tuples(Shape::FOUR, "4x5", 16).unwrap());
        network.replicate(3);
        network.distribute(0);
        let cells = std::array::from_fn::<u8, 16, _>(|cell| cell as u8 % 8);
        let view = View { cells: &cells, hint: 0, bag: [0; 3] };
        let mut active = Active::default();
        for (number, step) in [1.0, 0.5, 0.0].into_iter().enumerate() {
            network.activate_in(&view, 0, network.replica(number), &mut active);
            network.add(&active, step);
        }
        network.join_replicas(0);
        network.activate(&view, 0, &mut active);
        let joined = network.sum(&active);
        let alone = Network::new(Structure::tuples(Shape::FOUR, "4x5", 16).unwrap());
        alone.activate(&view, 0, &mut active);
        alone.add(&active, 1.0);
        alone.add(&active, 0.5);
        assert_eq!(joined, alone.sum(&active));
    }

    #[test]
    fn networks_without_hot_parts_have_no_replicas() {
        let mut network = Network::new(Structure::tuples(Shape::FOUR, "4x5", 12).unwrap());
        network.replicate(2);
        assert_eq!((network.replicas(), network.replica(0)), (0, None));
    }
}
