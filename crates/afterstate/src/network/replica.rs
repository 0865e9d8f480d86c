//! Replicas of the hot parts of a network, one for each thread that learns.
//!
//! Threads that learn together share their weights. Most entries are met by one of them now and
//! then, but those of boards with small tiles only ([`super::index`]) by all of them on every
//! move: their cache lines would travel from one processor to the other all the time. So every
//! thread learns in a replica of these entries, and now and then, while all threads pause, the
//! replicas are joined:
//!
//! ```text
//! weight      w ← w + mean of (wᵢ − w) over the replicas that changed it
//! sums        s ← s + Σ (sᵢ − s)
//! ```
//!
//! A weight that is met often has come to rest in every replica, so the mean is right for it; one
//! that a single thread met moves as far as it would have moved alone. Replicas lie behind the
//! array of their bank ([`super::memory::Memory`]), so an entry of a replica is an entry like any
//! other to all that sums and updates.

use super::Network;
use super::memory::{Entry, Memory};

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

    /// Makes all replicas what the array itself is.
    pub(crate) fn distribute<T: Entry>(&self, array: &Memory<T>) {
        let all = array.entries_with_room();
        for part in self.hot_parts() {
            for number in 0..self.replicas {
                let start = self.replica_start(number) + part.within;
                let own = &all[start..start + part.len];
                own.iter().zip(&all[part.start..]).for_each(|(own, other)| own.copy(other));
            }
        }
    }

    /// Joins what was learned in the replicas of an array: `join` makes the new value of an entry
    /// of the old one and those of all replicas, unless none of them differs.
    pub(crate) fn join<T: Entry>(&self, array: &Memory<T>, join: impl Fn(T::Bits, &[T::Bits]) -> T::Bits) {
        let all = array.entries_with_room();
        let mut changed = vec![T::Bits::default(); self.replicas];
        for part in self.hot_parts() {
            for index in 0..part.len {
                let entry = &all[part.start + index];
                let old = entry.bits();
                let mut differs = false;
                for (number, bits) in changed.iter_mut().enumerate() {
                    *bits = all[self.replica_start(number) + part.within + index].bits();
                    differs |= *bits != old;
                }
                if differs {
                    let new = join(old, &changed);
                    entry.set_bits(new);
                    for number in 0..self.replicas {
                        all[self.replica_start(number) + part.within + index].set_bits(new);
                    }
                }
            }
        }
    }
}

/// The new weight: moved by the mean of how far the replicas that changed it moved it.
pub(crate) fn join_weight(old: u32, replicas: &[u32]) -> u32 {
    let base = f32::from_bits(old);
    let moved = replicas.iter().filter(|&&bits| bits != old);
    let (sum, count) = moved.fold((0.0, 0), |(sum, n), &bits| (sum + (f32::from_bits(bits) - base), n + 1));
    (base + sum / count.max(1) as f32).to_bits()
}

/// The new count: what all replicas added.
pub(crate) fn join_count(old: u32, replicas: &[u32]) -> u32 {
    let base = f32::from_bits(old);
    replicas.iter().fold(base, |sum, &bits| sum + (f32::from_bits(bits) - base)).to_bits()
}

/// The new pair of sums: what all replicas added to each.
pub(crate) fn join_pair(old: u64, replicas: &[u64]) -> u64 {
    let half = |shift: u32| {
        let parts: Vec<u32> = replicas.iter().map(|&bits| (bits >> shift) as u32).collect();
        u64::from(join_count((old >> shift) as u32, &parts)) << shift
    };
    half(0) | half(32)
}

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
            network.distribute(network.bank(0));
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
                    network.join(network.bank(0), join_weight);
                    let joined = before + step;
                    assert!((network.sum(&shared) - joined).abs() < 0.01 * joined.abs().max(1.0));
                    assert_eq!(network.sum(&other), network.sum(&shared));
                    assert_eq!(network.sum(&own), network.sum(&shared));
                }
            }
        }
    }

    #[test]
    fn means_are_of_those_that_moved_and_sums_of_all() {
        let bits = |values: &[f32]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        let weight = |old: f32, new: &[f32]| f32::from_bits(join_weight(old.to_bits(), &bits(new)));
        assert_eq!(weight(1.0, &[3.0, 1.0]), 3.0);
        assert_eq!(weight(1.0, &[3.0, 5.0]), 4.0);
        assert_eq!(weight(1.0, &[1.0, 1.0]), 1.0);
        assert_eq!(f32::from_bits(join_count(1.0f32.to_bits(), &bits(&[3.0, 5.0]))), 7.0);
        let pair = |e: f32, a: f32| u64::from(e.to_bits()) | u64::from(a.to_bits()) << 32;
        assert_eq!(join_pair(pair(1.0, 1.0), &[pair(0.0, 2.0), pair(2.5, 2.5)]), pair(1.5, 3.5));
    }

    #[test]
    fn networks_without_hot_parts_have_no_replicas() {
        let mut network = Network::new(Structure::tuples(Shape::FOUR, "4x5", 12).unwrap());
        network.replicate(2);
        assert_eq!((network.replicas(), network.replica(0)), (0, None));
    }
}
