//! Replicas of the hot parts of a network, one for each thread that learns.
//!
//! Threads that learn together share their weights. Most entries are met by one of them now and
//! then, but those of boards with small tiles only ([`super::index`]) by all of them on every
//! move: their cache lines would travel from one processor to the other all the time. So every
//! thread learns in a replica of these entries, and joins it with the shared ones a cache line at
//! a time, without a pause of anybody. Beside each replica lies its *base*, which is what the line
//! was when it was joined last:
//!
//! ```text
//! shared ← shared + (own − base),   own, base ← shared
//! ```
//!
//! so that all steps count, as they do where threads share the weight itself; the same is done
//! with the sums that a step size keeps ([`crate::learn::replicas`]). Replicas and bases lie behind the
//! array of their bank ([`super::memory::Memory`]), so an entry of a replica is an entry like any
//! other to all that sums and updates.

use super::Network;
use super::index::HOT_BLOCK;
use super::memory::{Joined, Memory};

/// One thread's copy of the hot parts of all banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Replica {
    pub(super) number: usize,
    /// Its start in the array of each bank.
    pub(super) start: u32,
    /// Distance from it to its base, which lies behind it.
    base: u32,
}

/// The entries of a cache line of weights; the length of a hot part is a multiple of it.
pub(crate) const LINE: usize = 16;

/// A line of a replica: where it begins in the replica, in its base, and in the shared array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HotLine {
    pub(crate) bank: u8,
    own: u32,
    base: u32,
    shared: u32,
}

impl Network {
    /// Gives every bank `count` replicas of its hot parts; `false` where that is of no use or not
    /// possible: without hot parts, or where stages read the weights of others.
    pub(crate) fn replicate(&mut self, count: usize) -> bool {
        let more = 2 * count * self.plan.replica_len;
        if more == 0 || !self.promoted.is_empty() || self.plan.len + more >= i32::MAX as usize {
            return false;
        }
        // Without memory for them the threads learn in the arrays themselves, more slowly.
        let extended = self.banks.iter_mut().all(|bank| bank.extend(more));
        self.replicas = if extended { count } else { 0 };
        extended
    }

    /// Has no replicas any more.
    pub(crate) fn forget_replicas(&mut self) {
        self.replicas = 0;
    }

    /// The number of replicas.
    pub(crate) fn replicas(&self) -> usize {
        self.replicas
    }

    /// The number of entries that all replicas and their bases take behind the array of a bank.
    pub(crate) fn replica_room(&self) -> usize {
        2 * self.replicas * self.plan.replica_len
    }

    /// The replica of a thread, if there is one.
    pub(crate) fn replica(&self, number: usize) -> Option<Replica> {
        let start = self.plan.len + number * self.plan.replica_len;
        let base = self.replicas * self.plan.replica_len;
        (number < self.replicas).then_some(Replica { number, start: start as u32, base: base as u32 })
    }

    /// The line of an entry, if that belongs to the replica.
    #[inline(always)]
    pub(crate) fn hot_line(&self, replica: Replica, bank: u8, entry: u32) -> Option<HotLine> {
        let within = entry.checked_sub(replica.start)? / LINE as u32 * LINE as u32;
        let block = self.plan.hot_blocks.get(within as usize / HOT_BLOCK)?;
        let own = replica.start + within;
        let shared = block + within % HOT_BLOCK as u32;
        Some(HotLine { bank, own, base: own + replica.base, shared })
    }

    /// All lines of a replica in a bank.
    pub(crate) fn hot_lines(&self, replica: Replica, bank: u8) -> impl Iterator<Item = HotLine> {
        let entries = (0..self.plan.replica_len as u32).step_by(LINE);
        entries.filter_map(move |within| self.hot_line(replica, bank, replica.start + within))
    }
}

impl HotLine {
    /// Asks for the line in all three places.
    #[inline(always)]
    pub(crate) fn prefetch<T: Joined>(self, memory: &Memory<T>) {
        for start in [self.shared, self.base, self.own] {
            let lines = (0..LINE as u32).step_by(64 / size_of::<T>());
            lines.for_each(|entry| memory.prefetch(start + entry));
        }
    }

    /// Adds what was learned in the replica to what all share, and takes over their sum.
    #[inline(always)]
    pub(crate) fn join<T: Joined>(self, memory: &Memory<T>) {
        memory.join::<LINE>([self.own, self.base, self.shared]);
    }

    /// Makes the replica what all share.
    pub(crate) fn distribute<T: Joined>(self, memory: &Memory<T>) {
        let [own, base, shared] = self.places(memory);
        for ((own, base), shared) in own.iter().zip(base).zip(shared) {
            own.copy(shared);
            base.copy(shared);
        }
    }

    /// True if something was learned in the replica since the line was joined.
    #[inline(always)]
    pub(crate) fn has_learned<T: Joined>(self, memory: &Memory<T>) -> bool {
        let [own, base, _] = self.places(memory);
        own.iter().zip(base).any(|(own, base)| own.bits() != base.bits())
    }

    /// True if the replica differs from what all share.
    #[inline(always)]
    pub(crate) fn is_outdated<T: Joined>(self, memory: &Memory<T>) -> bool {
        let [own, _, shared] = self.places(memory);
        own.iter().zip(shared).any(|(own, shared)| own.bits() != shared.bits())
    }

    #[inline(always)]
    fn places<T: Joined>(self, memory: &Memory<T>) -> [&[T]; 3] {
        let all = memory.entries_with_room();
        [self.own, self.base, self.shared].map(|start| &all[start as usize..][..LINE])
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Active, Structure};
    use super::*;
    use crate::grid::{Shape, View};
    use crate::random::Random;

    fn distribute(network: &Network) {
        for replica in (0..network.replicas()).map(|number| network.replica(number).unwrap()) {
            network.hot_lines(replica, 0).for_each(|line| line.distribute(network.bank(0)));
        }
    }

    /// Joins all replicas, and makes all of them what that gives.
    fn join(network: &Network) {
        for replica in (0..network.replicas()).map(|number| network.replica(number).unwrap()) {
            network.hot_lines(replica, 0).for_each(|line| line.join(network.bank(0)));
        }
        distribute(network);
    }

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
            distribute(&network);
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
                    // All ranks are below 8: what one thread learns, no other sees until they are joined.
                    network.add(&own, 1.0);
                    let step = network.sum(&own) - before;
                    assert_eq!((network.sum(&shared), network.sum(&other)), (before, before));
                    // Only where it learned.
                    let lines = |number| network.hot_lines(network.replica(number).unwrap(), 0);
                    assert!(lines(0).any(|line| line.has_learned(network.bank(0))));
                    assert!(!lines(1).any(|line| line.has_learned(network.bank(0))));
                    join(&network);
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
        distribute(&network);
        let cells = std::array::from_fn::<u8, 16, _>(|cell| cell as u8 % 8);
        let view = View { cells: &cells, hint: 0, bag: [0; 3] };
        let mut active = Active::default();
        for (number, step) in [1.0, 0.5, 0.0].into_iter().enumerate() {
            network.activate_in(&view, 0, network.replica(number), &mut active);
            network.add(&active, step);
        }
        join(&network);
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
        assert!(!network.replicate(2));
        assert_eq!((network.replicas(), network.replica(0)), (0, None));
    }
}
