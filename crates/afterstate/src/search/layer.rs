//! One wave of a search: its positions, and how they hang together.
//!
//! ```text
//! parents ──outcomes──▶ states ──slides──▶ children
//! ```
//!
//! Children are listed once however often they are reached. States are not compared with
//! each other: in 3-ply play on 4×4 only one in twenty has a twin, but two in three
//! children. All are flat vectors; a parent's outcomes are those between the end of the parent
//! before it and its own. Buffers keep their memory from wave to wave.

use super::hash::hash;
use super::table::Key;
use crate::game::Game;
use crate::game::fan::{Fan, NO_SLIDE};
use crate::value::Staged;

/// Marks the number of a child that a cut-off turned into a leaf.
pub(super) const CUT: u32 = 1 << 31;

/// Buffers of one thread, used again from search to search.
pub struct Workspace<G: Game> {
    pub(super) layers: Vec<Layer<G>>,
    /// Those of the other threads.
    pub(super) others: Vec<Workspace<G>>,
}

impl<G: Game> Default for Workspace<G> {
    fn default() -> Self {
        Self { layers: Vec::new(), others: Vec::new() }
    }
}

impl<G: Game> std::fmt::Debug for Workspace<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workspace").field("layers", &self.layers.len()).finish()
    }
}

/// An afterstate of the wave.
pub(super) enum Parent {
    /// Its value came from the table.
    Known(f32),
    /// Its value is to be computed, and stored under `key`.
    Searched { key: Option<Key>, total: f64, end: u32 },
}

/// Something chance can do, and the slides of the state it leads to.
pub(super) struct Branch {
    pub(super) ways: f32,
    pub(super) reward: f32,
    /// The value of a state without slides; below all others if it has some.
    pub(super) least: f32,
    /// By direction: the number of a child, or [`NO_SLIDE`].
    pub(super) children: [u32; 4],
    pub(super) rewards: [f32; 4],
}

/// A wave.
pub(super) struct Layer<G: Game> {
    pub(super) parents: Vec<Parent>,
    pub(super) outcomes: Vec<Branch>,
    pub(super) children: Children<G>,
    pub(super) values: Vec<f32>,
    pub(super) cut: Vec<Staged<G::Afterstate>>,
    pub(super) cut_values: Vec<f32>,
    /// What follows the parent just looked at, and the numbers of its afterstates in the wave.
    pub(super) fan: Fan<G::Afterstate>,
    pub(super) numbers: Vec<u32>,
}

impl<G: Game> Default for Layer<G> {
    fn default() -> Self {
        Self {
            parents: Vec::new(),
            outcomes: Vec::new(),
            children: Children { list: Vec::new(), probabilities: Vec::new(), index: Index::default() },
            values: Vec::new(),
            cut: Vec::new(),
            cut_values: Vec::new(),
            fan: Fan::default(),
            numbers: Vec::new(),
        }
    }
}

impl<G: Game> Layer<G> {
    /// Begins a new wave.
    pub(super) fn clear(&mut self) {
        self.parents.clear();
        self.outcomes.clear();
        self.children.clear();
        self.cut.clear();
        self.cut_values.clear();
    }

    /// The values of the parents, appended in their order.
    pub(super) fn back_up(&mut self, values: &mut Vec<f32>) {
        // A slide that there is not leads to the last value, below all others.
        let none = self.values.len() as u32;
        self.values.push(f32::NEG_INFINITY);
        let known = &self.values[..];
        if self.cut.is_empty() {
            back_up(&self.parents, &self.outcomes, values, |child| known[child.min(none) as usize]);
        } else {
            back_up(&self.parents, &self.outcomes, values, |child| match child {
                NO_SLIDE => f32::NEG_INFINITY,
                _ if child & CUT != 0 => self.cut_values[(child & !CUT) as usize],
                _ => known[child as usize],
            });
        }
    }
}

#[inline]
fn back_up(parents: &[Parent], outcomes: &[Branch], values: &mut Vec<f32>, below: impl Fn(u32) -> f32) {
    let mut next = 0;
    for parent in parents {
        values.push(match *parent {
            Parent::Known(value) => value,
            Parent::Searched { total, end, .. } => {
                let mut sum = 0.0;
                for branch in &outcomes[next..end as usize] {
                    let mut best = branch.least;
                    for direction in 0..4 {
                        let value = branch.rewards[direction] + below(branch.children[direction]);
                        best = if value > best { value } else { best };
                    }
                    sum += f64::from(branch.ways) * f64::from(branch.reward + best);
                }
                next = end as usize;
                (sum / total) as f32
            }
        });
    }
}

/// The children of a wave.
pub(super) struct Children<G: Game> {
    pub(super) list: Vec<Staged<G::Afterstate>>,
    /// The probabilities of reaching them, under a cut-off.
    pub(super) probabilities: Vec<f32>,
    index: Index,
}

impl<G: Game> Children<G> {
    fn clear(&mut self) {
        self.list.clear();
        self.probabilities.clear();
        self.index.clear();
    }

    /// The number of a child, added if it is new.
    #[inline]
    pub(super) fn find_or_add(&mut self, at: Staged<G::Afterstate>) -> u32 {
        let Self { list, index, .. } = self;
        let number = index.find_or_insert(hash(&at.afterstate, at.stage.into()), |i| list[i as usize] == at);
        if number as usize == list.len() {
            list.push(at);
        }
        number
    }

    /// The same under a cut-off. Children with other probabilities are other children if `apart`.
    pub(super) fn find_or_add_likely(&mut self, at: Staged<G::Afterstate>, chance: f32, apart: bool) -> u32 {
        let Self { list, probabilities, index } = self;
        let seed = u64::from(at.stage) << 32 | if apart { u64::from(chance.to_bits()) } else { 0 };
        let number = index.find_or_insert(hash(&at.afterstate, seed), |i| {
            let i = i as usize;
            list[i] == at && (!apart || probabilities[i].to_bits() == chance.to_bits())
        });
        if number as usize == list.len() {
            list.push(at);
            probabilities.push(chance);
        }
        number
    }

    /// The number of a child added without looking whether it is new.
    #[inline]
    pub(super) fn add(&mut self, at: Staged<G::Afterstate>) -> u32 {
        self.list.push(at);
        self.list.len() as u32 - 1
    }
}

/// Finds the numbers of things by their hash: open addressing in a power of two of slots.
///
/// A slot holds an epoch with 16 bits of the hash, and a number; a new epoch empties all slots.
struct Index {
    slots: Vec<(u32, u32)>,
    epoch: u32,
    /// By number: the hash of a thing, for when the slots must grow.
    hashes: Vec<u64>,
}

impl Default for Index {
    fn default() -> Self {
        Self { slots: vec![(0, 0); 64], epoch: 1, hashes: Vec::new() }
    }
}

impl Index {
    fn clear(&mut self) {
        self.hashes.clear();
        self.epoch += 1;
        if self.epoch == 1 << 16 {
            self.slots.fill((0, 0));
            self.epoch = 1;
        }
    }

    /// How a thing of this hash is marked in its slot.
    #[inline]
    fn mark(&self, hash: u64) -> u32 {
        self.epoch << 16 | (hash >> 48) as u32
    }

    /// The number of an equal thing; else a new number, the count of things so far.
    #[inline]
    fn find_or_insert(&mut self, hash: u64, same: impl Fn(u32) -> bool) -> u32 {
        let mark = self.mark(hash);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let (found, number) = self.slots[at];
            if found == mark && same(number) {
                return number;
            }
            if found >> 16 != self.epoch {
                break;
            }
            at = (at + 1) & mask;
        }
        let new = self.hashes.len() as u32;
        self.slots[at] = (mark, new);
        self.hashes.push(hash);
        if self.hashes.len() * 2 > self.slots.len() {
            self.grow();
        }
        new
    }

    #[cold]
    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        self.slots = vec![(0, 0); mask + 1];
        for (number, &hash) in self.hashes.iter().enumerate() {
            let mut at = hash as usize & mask;
            while self.slots[at].0 != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = (self.mark(hash), number as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_numbers_things_in_order_of_appearance() {
        let mut index = Index::default();
        for round in 0..3u64 {
            index.clear();
            let mut things: Vec<u64> = Vec::new();
            for i in 0..500u64 {
                let thing = i * i % 257 + round;
                let number = index.find_or_insert(thing % 40, |n| things[n as usize] == thing);
                if number as usize == things.len() {
                    assert!(!things.contains(&thing));
                    things.push(thing);
                }
                assert_eq!(things[number as usize], thing);
            }
        }
    }
}
