//! One wave of a search: its positions, each once, and how they hang together.
//!
//! ```text
//! parents ──outcomes──▶ states ──edges──▶ children
//! ```
//!
//! All are flat vectors; a node's arcs are those between the end of the node before it
//! and its own. Buffers keep their memory from wave to wave.

use super::hash::hash;
use super::table::Key;
use crate::game::Game;
use crate::value::{Stage, Staged};

/// Marks an edge to a child that a cut-off turned into a leaf.
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

/// Something chance can do.
pub(super) struct Branch {
    pub(super) ways: f32,
    pub(super) reward: f32,
    pub(super) state: u32,
}

/// A slide.
pub(super) struct Edge {
    pub(super) child: u32,
    pub(super) reward: f32,
}

/// What makes two states the same; `probability` only where it matters, as bits.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct StateNode<S> {
    pub(super) state: S,
    pub(super) stage: Stage,
    pub(super) probability: u32,
}

/// Where a state's edges end, and its value if it has none.
pub(super) struct StateEnd {
    pub(super) edges: u32,
    pub(super) least: f32,
}

/// A wave.
pub(super) struct Layer<G: Game> {
    pub(super) parents: Vec<Parent>,
    pub(super) outcomes: Vec<Branch>,
    states: Vec<StateNode<G::State>>,
    state_index: Index,
    pub(super) ends: Vec<StateEnd>,
    state_values: Vec<f32>,
    pub(super) edges: Vec<Edge>,
    pub(super) children: Vec<Staged<G::Afterstate>>,
    child_index: Index,
    pub(super) child_probabilities: Vec<f32>,
    pub(super) values: Vec<f32>,
    pub(super) cut: Vec<Staged<G::Afterstate>>,
    pub(super) cut_values: Vec<f32>,
}

impl<G: Game> Default for Layer<G> {
    fn default() -> Self {
        Self {
            parents: Vec::new(),
            outcomes: Vec::new(),
            states: Vec::new(),
            state_index: Index::default(),
            ends: Vec::new(),
            state_values: Vec::new(),
            edges: Vec::new(),
            children: Vec::new(),
            child_index: Index::default(),
            child_probabilities: Vec::new(),
            values: Vec::new(),
            cut: Vec::new(),
            cut_values: Vec::new(),
        }
    }
}

impl<G: Game> Layer<G> {
    /// Begins a new wave.
    pub(super) fn clear(&mut self) {
        self.parents.clear();
        self.outcomes.clear();
        self.states.clear();
        self.state_index.clear();
        self.ends.clear();
        self.edges.clear();
        self.children.clear();
        self.child_index.clear();
        self.child_probabilities.clear();
        self.cut.clear();
        self.cut_values.clear();
    }

    /// The number of a state: a known one's, or the number it has got now as a new one.
    #[inline]
    pub(super) fn find_state(&mut self, node: &StateNode<G::State>) -> Result<u32, u32> {
        let seed = u64::from(node.stage) << 32 | u64::from(node.probability);
        let new = self.states.len() as u32;
        let states = &self.states;
        let number =
            self.state_index.find_or_insert(hash(&node.state, seed), |i| states[i as usize] == *node);
        if number == new {
            self.states.push(*node);
            return Err(new);
        }
        Ok(number)
    }

    /// The number of a child, added if it is new.
    #[inline]
    pub(super) fn add_child(&mut self, at: Staged<G::Afterstate>, apart: u32, chance: Option<f32>) -> u32 {
        let seed = u64::from(at.stage) << 32 | u64::from(apart);
        let new = self.children.len() as u32;
        let (children, probabilities) = (&self.children, &self.child_probabilities);
        let number = self.child_index.find_or_insert(hash(&at.afterstate, seed), |i| {
            children[i as usize] == at && (apart == 0 || probabilities[i as usize].to_bits() == apart)
        });
        if number == new {
            self.children.push(at);
            self.child_probabilities.extend(chance);
        }
        number
    }

    /// The values of the parents, appended in their order.
    pub(super) fn back_up(&mut self, values: &mut Vec<f32>) {
        let mut edges = self.edges.iter();
        let mut from = 0;
        self.state_values.clear();
        self.state_values.extend(self.ends.iter().map(|end| {
            let count = (end.edges - from) as usize;
            from = end.edges;
            edges.by_ref().take(count).fold(end.least, |best, edge| {
                let below = match edge.child & CUT {
                    0 => self.values[edge.child as usize],
                    _ => self.cut_values[(edge.child & !CUT) as usize],
                };
                best.max(edge.reward + below)
            })
        }));
        let mut from = 0;
        for parent in &self.parents {
            values.push(match *parent {
                Parent::Known(value) => value,
                Parent::Searched { total, end, .. } => {
                    let branches = &self.outcomes[from..end as usize];
                    from = end as usize;
                    let sum: f64 = branches
                        .iter()
                        .map(|b| {
                            f64::from(b.ways) * f64::from(b.reward + self.state_values[b.state as usize])
                        })
                        .sum();
                    (sum / total) as f32
                }
            });
        }
    }
}

/// Finds the numbers of things by their hash: open addressing in a power of two of slots.
///
/// A slot holds an epoch and a number; a new epoch empties all slots at once.
struct Index {
    slots: Vec<(u32, u32)>,
    epoch: u32,
    /// By number: the hash of a thing, for when the slots must grow.
    tags: Vec<u32>,
}

impl Default for Index {
    fn default() -> Self {
        Self { slots: vec![(0, 0); 64], epoch: 1, tags: Vec::new() }
    }
}

impl Index {
    fn clear(&mut self) {
        self.tags.clear();
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.slots.fill((0, 0));
            self.epoch = 1;
        }
    }

    /// The number of an equal thing; else a new number, the count of things so far.
    #[inline]
    fn find_or_insert(&mut self, hash: u64, same: impl Fn(u32) -> bool) -> u32 {
        let tag = hash as u32;
        let mask = self.slots.len() - 1;
        let mut at = tag as usize & mask;
        loop {
            let (epoch, number) = self.slots[at];
            if epoch != self.epoch {
                break;
            }
            if self.tags[number as usize] == tag && same(number) {
                return number;
            }
            at = (at + 1) & mask;
        }
        let new = self.tags.len() as u32;
        self.slots[at] = (self.epoch, new);
        self.tags.push(tag);
        if self.tags.len() * 2 > self.slots.len() {
            self.grow();
        }
        new
    }

    #[cold]
    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        self.slots = vec![(0, 0); mask + 1];
        self.epoch = 1;
        for (number, &tag) in self.tags.iter().enumerate() {
            let mut at = tag as usize & mask;
            while self.slots[at].0 == self.epoch {
                at = (at + 1) & mask;
            }
            self.slots[at] = (self.epoch, number as u32);
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
