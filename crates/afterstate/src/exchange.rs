//! Several machines teach one network: what each has learned since the last exchange, and how that
//! is joined.
//!
//! Every machine has a learner of its own and a copy of what all of them had at the last exchange.
//! After some games it tells the *difference*: the entries it has changed, how far their weights
//! have moved, and how much its sums have grown. Differences are joined entry by entry, and every
//! machine applies the same joined one:
//!
//! ```text
//! E  ← E + Σ ΔEᵢ        A ← A + Σ ΔAᵢ        n ← n + Σ Δnᵢ         sums are sums
//! θ  ← θ + Σ aᵢ Δθᵢ / Σ aᵢ                                         weights are averaged by activity
//! ```
//!
//! The activity aᵢ of an entry is what machine `i` saw happen there: ΔAᵢ = Σ|δ| under temporal
//! coherence, the number of updates under visit counts, and 1 for a machine that changed the weight
//! under a fixed step. An entry that only one machine has visited therefore moves as far as it did
//! there; one that all have visited moves to the middle of where they want it, however many
//! machines there are. [`Join::Sum`] adds the moves instead, as if all updates had been made in one
//! place: right when exchanges are so frequent that no weight moves far between them, and unstable
//! when not.
//!
//! Learning marks the blocks of weights it changes ([`crate::learn::marks`]); only those are looked
//! at.

use crate::learn::Learner;
use crate::network::memory::Memory;
use std::sync::atomic::{AtomicU32, AtomicU64};
use thiserror::Error;

/// Rule that joins the updates of one weight by several machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Join {
    /// The average, weighted by activity.
    #[default]
    Average,
    /// The sum.
    Sum,
}

/// Changes of one bank of weights: entries in order, each with its difference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Difference {
    /// The entries, smallest first.
    pub entries: Vec<u32>,
    /// Δθ of each.
    pub weights: Vec<f32>,
    /// ΔE and ΔA of each under temporal coherence, else nothing.
    pub sums: Vec<[f32; 2]>,
    /// Δn of each under visit counts, else nothing.
    pub visits: Vec<f32>,
}

/// Weights of all machines at the last exchange.
pub struct Exchange {
    weights: Vec<Memory<AtomicU32>>,
    sums: Vec<Memory<AtomicU64>>,
    visits: Vec<Memory<AtomicU32>>,
}

impl Exchange {
    /// Remembers a learner as it is now; all machines must begin with the same one.
    pub fn new(learner: &Learner) -> Self {
        let (network, step) = (&learner.network, &learner.step_size);
        step.marks(network).clear();
        // Zeros are there already; writing them would take memory.
        let copy = |from: &Memory<AtomicU32>| {
            let to = Memory::lazy(from.len());
            let known = |&entry: &u32| from.get(entry).to_bits() != 0;
            (0..from.len() as u32).filter(known).for_each(|i| to.set(i, from.get(i)));
            to
        };
        let copy_pairs = |from: &Memory<AtomicU64>| {
            let to = Memory::lazy(from.len());
            let known = |&entry: &u32| from.get_pair(entry).map(f32::to_bits) != [0; 2];
            (0..from.len() as u32).filter(known).for_each(|i| to.set_pair(i, from.get_pair(i)));
            to
        };
        Self {
            weights: (0..network.structure().banks()).map(|bank| copy(network.bank(bank as u8))).collect(),
            sums: step.sums().iter().map(copy_pairs).collect(),
            visits: step.visits().iter().map(copy).collect(),
        }
    }

    /// Changes of the learner since the last exchange, bank by bank.
    pub fn differences(&self, learner: &Learner) -> Vec<Difference> {
        (0..self.weights.len()).map(|bank| self.difference(learner, bank)).collect()
    }

    fn difference(&self, learner: &Learner, bank: usize) -> Difference {
        let (before, now) = (&self.weights[bank], learner.network.bank(bank as u8));
        let sums = self.sums.get(bank).zip(learner.step_size.sums().get(bank));
        let visits = self.visits.get(bank).zip(learner.step_size.visits().get(bank));
        let mut found = Difference::default();
        for entry in learner.step_size.marks(&learner.network).blocks(bank).flatten() {
            let weight = now.get(entry) - before.get(entry);
            let sum = sums.map(|(before, now)| {
                let ([e, a], [f, b]) = (before.get_pair(entry), now.get_pair(entry));
                [f - e, b - a]
            });
            let count = visits.map(|(before, now)| now.get(entry) - before.get(entry));
            if weight != 0.0 || sum.is_some_and(|sum| sum != [0.0; 2]) || count.is_some_and(|n| n != 0.0) {
                found.entries.push(entry);
                found.weights.push(weight);
                found.sums.extend(sum);
                found.visits.extend(count);
            }
        }
        found
    }

    /// Takes the learner back to the last exchange.
    pub fn rewind(&self, learner: &Learner) {
        let marks = learner.step_size.marks(&learner.network);
        for bank in 0..self.weights.len() {
            marks.blocks(bank).flatten().for_each(|entry| self.restore(learner, bank, entry));
        }
        marks.clear();
    }

    /// Takes the learner back to the last exchange and applies what all machines together have
    /// learned since.
    ///
    /// # Errors
    /// If the differences are those of another network or another rule; then nothing is changed.
    pub fn apply(&mut self, learner: &Learner, joined: &[Difference]) -> Result<(), Mismatch> {
        let fits = |bank: usize, d: &Difference| {
            let count = d.entries.len();
            let beside = |kept: usize, given: usize| given == if kept > bank { count } else { 0 };
            d.weights.len() == count
                && beside(self.sums.len(), d.sums.len())
                && beside(self.visits.len(), d.visits.len())
                && d.entries.windows(2).all(|pair| pair[0] < pair[1])
                && d.entries.last().is_none_or(|&entry| (entry as usize) < self.weights[bank].len())
        };
        let same = Exchange::lengths(learner) == self.own_lengths();
        if !same || joined.len() != self.weights.len() || !joined.iter().enumerate().all(|(i, d)| fits(i, d))
        {
            return Err(Mismatch);
        }
        self.rewind(learner);
        for (bank, joined) in joined.iter().enumerate() {
            for (i, &entry) in joined.entries.iter().enumerate() {
                let weights = &self.weights[bank];
                weights.set(entry, weights.get(entry) + joined.weights[i]);
                if let (Some(sums), Some([e, a])) = (self.sums.get(bank), joined.sums.get(i)) {
                    let [old_e, old_a] = sums.get_pair(entry);
                    sums.set_pair(entry, [old_e + e, old_a + a]);
                }
                if let (Some(visits), Some(n)) = (self.visits.get(bank), joined.visits.get(i)) {
                    visits.set(entry, visits.get(entry) + n);
                }
                self.restore(learner, bank, entry);
            }
        }
        Ok(())
    }

    /// Gives the learner what is remembered of one entry.
    fn restore(&self, learner: &Learner, bank: usize, entry: u32) {
        learner.network.bank(bank as u8).set(entry, self.weights[bank].get(entry));
        if let Some(sums) = self.sums.get(bank) {
            learner.step_size.sums()[bank].set_pair(entry, sums.get_pair(entry));
        }
        if let Some(visits) = self.visits.get(bank) {
            learner.step_size.visits()[bank].set(entry, visits.get(entry));
        }
    }

    fn own_lengths(&self) -> [Vec<usize>; 3] {
        let lengths = |all: &[Memory<AtomicU32>]| all.iter().map(Memory::len).collect();
        [lengths(&self.weights), self.sums.iter().map(Memory::len).collect(), lengths(&self.visits)]
    }

    fn lengths(learner: &Learner) -> [Vec<usize>; 3] {
        let (network, step) = (&learner.network, &learner.step_size);
        [
            (0..network.structure().banks()).map(|bank| network.bank(bank as u8).len()).collect(),
            step.sums().iter().map(Memory::len).collect(),
            step.visits().iter().map(Memory::len).collect(),
        ]
    }
}

/// Differences of another network, or of another rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("what was learned belongs to another network or step size; all machines need the same recipe")]
pub struct Mismatch;

/// Joins what several machines have learned in one bank.
pub fn join(all: &[&Difference], rule: Join) -> Difference {
    let mut next = vec![0; all.len()];
    let mut joined = Difference::default();
    while let Some(entry) = all.iter().zip(&next).filter_map(|(d, &at)| d.entries.get(at).copied()).min() {
        let (mut moved, mut weighted, mut activity) = (0.0f64, 0.0f64, 0.0f64);
        let (mut sum, mut count) = ([0.0f32; 2], 0.0f32);
        let (mut has_sums, mut has_visits) = (false, false);
        for (d, at) in all.iter().zip(&mut next) {
            if d.entries.get(*at) != Some(&entry) {
                continue;
            }
            let mut active = 1.0;
            if let Some([e, a]) = d.sums.get(*at) {
                sum = [sum[0] + e, sum[1] + a];
                active = f64::from(*a);
                has_sums = true;
            } else if let Some(n) = d.visits.get(*at) {
                count += n;
                active = f64::from(*n);
                has_visits = true;
            }
            // An activity lost to rounding still counts for something.
            let active = active.max(1e-9);
            let step = f64::from(d.weights[*at]);
            moved += step;
            weighted += active * step;
            activity += active;
            *at += 1;
        }
        joined.entries.push(entry);
        joined.weights.push(match rule {
            Join::Average => weighted / activity,
            Join::Sum => moved,
        } as f32);
        joined.sums.extend(has_sums.then_some(sum));
        joined.visits.extend(has_visits.then_some(count));
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::twenty48::Twenty48;
    use crate::grid::Shape;
    use crate::learn::step_size::{StepRule, StepSize};
    use crate::network::{Network, Structure};
    use crate::train::{Method, Trainer};

    const SHAPE: (usize, usize) = (2, 3);

    fn learner(kind: StepRule) -> Learner {
        let shape = Shape::new(SHAPE.0, SHAPE.1).unwrap();
        let network = Network::new(Structure::tuples(shape, "012 0134", 11).unwrap());
        let step_size = StepSize::new(kind, &network);
        Learner { network, step_size }
    }

    fn train(learner: &Learner, games: u64, seed: u64) {
        let game = Twenty48::<16>::new(Shape::new(SHAPE.0, SHAPE.1).unwrap());
        Trainer::new(game, Method::default(), 1, seed).round(learner, games, &());
    }

    fn everything(learner: &Learner) -> (Vec<f32>, Vec<[f32; 2]>, Vec<f32>) {
        let bank = learner.network.bank(0);
        let weights = (0..bank.len() as u32).map(|i| bank.get(i)).collect();
        let sums = learner.step_size.sums();
        let visits = learner.step_size.visits();
        (
            weights,
            sums.iter().flat_map(|s| (0..s.len() as u32).map(|i| s.get_pair(i))).collect(),
            visits.iter().flat_map(|v| (0..v.len() as u32).map(|i| v.get(i))).collect(),
        )
    }

    const KINDS: [StepRule; 4] = [
        StepRule::Fixed { per_weight: 0.01 },
        StepRule::Coherence { beta: 1.0, kept: 1.0 },
        StepRule::Credit { beta: 1.0, kept: 1.0 },
        StepRule::VisitCount { eta: 1.0 },
    ];

    #[test]
    fn alone_an_exchange_changes_nothing_but_rounding() {
        for kind in KINDS {
            let one = learner(kind);
            let mut exchange = Exchange::new(&one);
            train(&one, 20, 1);
            let before = everything(&one);
            let told = exchange.differences(&one);
            assert!(!told[0].entries.is_empty());
            let joined = vec![join(&[&told[0]], Join::Average)];
            exchange.apply(&one, &joined).unwrap();
            let after = everything(&one);
            for (a, b) in before.0.iter().zip(&after.0) {
                assert!((a - b).abs() <= 1e-4 * a.abs().max(1.0), "{a} {b}");
            }
            assert_eq!(before.2, after.2);
            // Nothing happened since.
            assert!(exchange.differences(&one)[0].entries.is_empty());
        }
    }

    #[test]
    fn two_machines_are_the_same_after_an_exchange_and_sums_add_up() {
        for kind in KINDS {
            let (a, b) = (learner(kind), learner(kind));
            let (mut at_a, mut at_b) = (Exchange::new(&a), Exchange::new(&b));
            for round in 0..3 {
                train(&a, 10, 2 * round + 1);
                train(&b, 10, 2 * round + 2);
                let (sums_a, sums_b) = (everything(&a).1, everything(&b).1);
                let (from_a, from_b) = (at_a.differences(&a), at_b.differences(&b));
                let joined = vec![join(&[&from_a[0], &from_b[0]], Join::Average)];
                at_a.apply(&a, &joined).unwrap();
                at_b.apply(&b, &joined).unwrap();
                assert_eq!(everything(&a), everything(&b));
                if round == 0 {
                    for ((x, y), z) in sums_a.iter().zip(&sums_b).zip(&everything(&a).1) {
                        assert!((x[1] + y[1] - z[1]).abs() < 1e-3 * z[1].max(1.0));
                    }
                }
            }
        }
    }

    #[test]
    fn everything_that_changed_is_in_a_marked_block() {
        for kind in KINDS {
            let one = learner(kind);
            let exchange = Exchange::new(&one);
            let before = everything(&one);
            train(&one, 20, 1);
            let after = everything(&one);
            let told: Vec<u32> = exchange.differences(&one).swap_remove(0).entries;
            // Without marks: all entries, one by one.
            let changed = |&i: &usize| {
                before.0[i] != after.0[i]
                    || before.1.get(i) != after.1.get(i)
                    || before.2.get(i) != after.2.get(i)
            };
            let all: Vec<u32> = (0..before.0.len()).filter(changed).map(|i| i as u32).collect();
            assert_eq!(told, all);
            exchange.rewind(&one);
            assert_eq!(everything(&one), before);
            assert!(exchange.differences(&one)[0].entries.is_empty());
        }
    }

    #[test]
    fn who_was_more_active_counts_more_and_one_who_was_alone_counts_fully() {
        let a = Difference {
            entries: vec![1, 5],
            weights: vec![4.0, 7.0],
            sums: vec![[1.0, 3.0], [0.0, 2.0]],
            ..Difference::default()
        };
        let b = Difference {
            entries: vec![1, 9],
            weights: vec![8.0, 1.0],
            sums: vec![[2.0, 1.0], [0.0, 2.0]],
            ..Difference::default()
        };
        let joined = join(&[&a, &b], Join::Average);
        assert_eq!((joined.entries, joined.weights), (vec![1, 5, 9], vec![5.0, 7.0, 1.0]));
        assert_eq!(joined.sums, [[3.0, 4.0], [0.0, 2.0], [0.0, 2.0]]);
        assert_eq!(join(&[&a, &b], Join::Sum).weights, [12.0, 7.0, 1.0]);
    }

    #[test]
    fn what_belongs_to_another_network_is_refused_and_changes_nothing() {
        let one = learner(KINDS[1]);
        let mut exchange = Exchange::new(&one);
        train(&one, 3, 1);
        let before = everything(&one);
        let good = exchange.differences(&one);
        let mut far = good.clone();
        *far[0].entries.last_mut().unwrap() = u32::MAX;
        let mut unsorted = good.clone();
        unsorted[0].entries.reverse();
        let mut short = good.clone();
        short[0].sums.pop();
        for wrong in [vec![], far, unsorted, short] {
            assert_eq!(exchange.apply(&one, &wrong), Err(Mismatch));
        }
        assert_eq!(everything(&one), before);
        assert_eq!(exchange.apply(&learner(KINDS[0]), &good), Err(Mismatch));
    }
}
