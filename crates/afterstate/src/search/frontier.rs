//! A frontier: the positions that a search expands together, and the links between them.
//!
//! ```text
//! parents ──outcomes──▶ states ──slides──▶ children
//! ```
//!
//! Children are listed once however often they are reached. States are not compared with
//! each other: in 3-ply play on 4×4 only one in twenty has a twin, but two in three
//! children. All are flat vectors; a parent's outcomes are those between the end of the parent
//! before it and its own. Buffers keep their memory from frontier to frontier.

use super::hash::{hash, hash_roughly};
use super::transposition::Key;
use crate::game::Game;
use crate::game::expand::{NO_SLIDE, OutcomeMoves};
use crate::value::Staged;

/// Marks the number of a child that a cut-off turned into a leaf.
pub(super) const CUT: u32 = 1 << 31;

/// Buffers of one thread, used again from search to search.
pub struct Workspace<G: Game> {
    pub(super) frontiers: Vec<Frontier<G>>,
    /// Those of the other threads.
    pub(super) others: Vec<Workspace<G>>,
}

impl<G: Game> Default for Workspace<G> {
    fn default() -> Self {
        Self { frontiers: Vec::new(), others: Vec::new() }
    }
}

impl<G: Game> std::fmt::Debug for Workspace<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workspace").field("frontiers", &self.frontiers.len()).finish()
    }
}

/// An afterstate of the frontier.
pub(super) enum Parent {
    /// Its value came from the table.
    Known(f32),
    /// Its value is to be computed, and stored under `key`.
    Searched { key: Option<Key>, total: f64, end: u32 },
}

/// Positions that are expanded together.
pub(super) struct Frontier<G: Game> {
    pub(super) parents: Vec<Parent>,
    pub(super) outcomes: Vec<OutcomeMoves>,
    pub(super) children: Children<G>,
    pub(super) values: Vec<f32>,
    pub(super) cut: Cut<G>,
}

impl<G: Game> Default for Frontier<G> {
    fn default() -> Self {
        Self {
            parents: Vec::new(),
            outcomes: Vec::new(),
            children: Children::default(),
            values: Vec::new(),
            cut: Cut { least: Vec::new(), list: Vec::new(), values: Vec::new() },
        }
    }
}

/// Additional data of a frontier under a cut-off.
pub(super) struct Cut<G: Game> {
    /// By outcome: the value of a state without slides; below all others if it has some.
    pub(super) least: Vec<f32>,
    /// Children that the cut-off turned into leaves.
    pub(super) list: Vec<Staged<G::Afterstate>>,
    pub(super) values: Vec<f32>,
}

impl<G: Game> Frontier<G> {
    /// Begins a new frontier.
    pub(super) fn clear(&mut self) {
        self.parents.clear();
        self.outcomes.clear();
        self.children.list.clear();
        self.children.probabilities.clear();
        self.cut.least.clear();
        self.cut.list.clear();
        self.cut.values.clear();
    }

    /// The values of the parents, appended in their order. `end` is that of a dead state.
    pub(super) fn back_up(&mut self, counts_rewards: bool, end: f32, values: &mut Vec<f32>) {
        // `NO_SLIDE` is clamped to a sentinel of ââ, so that illegal moves never win.
        let none = self.values.len() as u32;
        self.values.push(f32::NEG_INFINITY);
        let (known, cut) = (&self.values[..], &self.cut);
        let count = if counts_rewards { 1.0 } else { 0.0 };
        let best = |one: &OutcomeMoves, below: &dyn Fn(u32) -> f32, least: f32| {
            let mut best = least;
            for direction in 0..4 {
                let value = count * one.rewards[direction] + below(one.slides[direction]);
                best = if value > best { value } else { best };
            }
            count * one.reward + best
        };
        if self.cut.least.is_empty() {
            let below = |slide: u32| known[slide.min(none) as usize];
            self.means(values, |_, one| {
                let best = best(one, &below, f32::NEG_INFINITY);
                if best == f32::NEG_INFINITY { count * one.reward + end } else { best }
            });
        } else {
            let below = |slide: u32| match slide {
                NO_SLIDE => f32::NEG_INFINITY,
                _ if slide & CUT != 0 => cut.values[(slide & !CUT) as usize],
                _ => known[slide as usize],
            };
            self.means(values, |number, one| best(one, &below, cut.least[number]));
        }
    }

    /// The mean over each parent's outcomes, given what each outcome is worth.
    #[inline(always)]
    fn means(&self, values: &mut Vec<f32>, worth: impl Fn(usize, &OutcomeMoves) -> f32) {
        let mut next = 0;
        for parent in &self.parents {
            values.push(match *parent {
                Parent::Known(value) => value,
                Parent::Searched { total, end, .. } => {
                    let mut sum = 0.0;
                    for (number, one) in self.outcomes[..end as usize].iter().enumerate().skip(next) {
                        sum += f64::from(one.ways) * f64::from(worth(number, one));
                    }
                    next = end as usize;
                    (sum / total) as f32
                }
            });
        }
    }
}

/// Number of recent children that are remembered: more than a frontier has children.
const RECENT: usize = 1 << 13;

/// The children of a frontier.
pub(super) struct Children<G: Game> {
    pub(super) list: Vec<Staged<G::Afterstate>>,
    /// The probabilities of reaching them, under a cut-off.
    pub(super) probabilities: Vec<f32>,
    /// By hash: the number of a child, or its lowest 16 bits; it need not be one of this frontier.
    ///
    /// A child is compared with the one found here, so whatever stands here is safe; and it is
    /// overwritten, so a child whose place was taken in between is listed once more.
    recent: Box<[u16; RECENT]>,
}

impl<G: Game> Default for Children<G> {
    fn default() -> Self {
        Self { list: Vec::new(), probabilities: Vec::new(), recent: Box::new([0; RECENT]) }
    }
}

impl<G: Game> Children<G> {
    /// The number of a child, added unless it is found.
    ///
    /// There are no branches: whether a child is new cannot be predicted.
    #[inline(always)]
    pub(super) fn find_or_add(&mut self, at: Staged<G::Afterstate>) -> u32 {
        let place = &mut self.recent[hash_roughly(&at.afterstate, at.stage.into()) as usize % RECENT];
        let new = self.list.len() as u32;
        self.list.push(at);
        let found = u32::from(*place).min(new);
        let there = &self.list[found as usize];
        let same = (there.afterstate == at.afterstate) & (there.stage == at.stage);
        let number = if same { found } else { new };
        *place = number as u16;
        self.list.truncate(new as usize + usize::from(number == new));
        number
    }

    /// [`Children::find_or_add`] under a cut-off. Children with other probabilities are other
    /// children if `apart`.
    pub(super) fn find_or_add_likely(&mut self, at: Staged<G::Afterstate>, chance: f32, apart: bool) -> u32 {
        let seed = u64::from(at.stage) << 32 | if apart { u64::from(chance.to_bits()) } else { 0 };
        let place = &mut self.recent[hash(&at.afterstate, seed) as usize % RECENT];
        let found = usize::from(*place);
        let known = self.list.get(found) == Some(&at)
            && (!apart || self.probabilities[found].to_bits() == chance.to_bits());
        if known {
            return found as u32;
        }
        *place = self.list.len() as u16;
        self.list.push(at);
        self.probabilities.push(chance);
        self.list.len() as u32 - 1
    }

    /// The number of a child added without looking whether it is new.
    #[inline]
    pub(super) fn add(&mut self, at: Staged<G::Afterstate>) -> u32 {
        self.list.push(at);
        self.list.len() as u32 - 1
    }
}
