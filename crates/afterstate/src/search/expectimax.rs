//! The tree walk: expectimax over a whole frontier of positions at a time.
//!
//! The search is the textbook's,
//!
//! ```text
//! state(s, p)  = max over slides a of  reward + chance(a, p − 1)        dead: end value
//! chance(a, 0) = leaf(a)
//! chance(a, k) = Σ over outcomes o of  probability · (reward + state(s_o, k))
//! ```
//!
//! with these departures, none of which changes a value:
//!
//! 1. `chance` takes a *list* of afterstates of the same `k`. All their outcomes, and all
//!    slides of these, are collected first; the slides are the list of the next call.
//! 2. An afterstate met again within a frontier is recognised by hash and searched once. Most
//!    leaves are such repetitions, 55 % of them at 2-ply and 68 % at 3-ply on 4×4: a tile
//!    that appears anywhere in a gap slides to the same place, and two tiles may come in
//!    either order.
//! 3. Leaves are judged many at a time, so that a value function can prefetch.
//! 4. A frontier ends when it is large enough ([`FRONTIER_SIZE`]): the memory stays in the cache,
//!    and the stop predicate is asked often. High layers go one afterstate at a time and ask the
//!    transposition table.
//!
//! Values are 32-bit floats; the sum over outcomes runs in 64 bits and in the game's order,
//! so a value does not depend on the frontier it was computed in, on the table or on threads.

use super::frontier::{CUT, Frontier, Parent, Workspace};
use super::hash::hash;
use super::limits::Limits;
use super::transposition::{Key, TranspositionTable};
use crate::game::expand::OutcomeMoves;
use crate::game::{Game, Outcome};
use crate::value::{Stage, Staged, Value};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A frontier is closed when it holds so many children: for k = 1 (leaves), 2, and above.
const FRONTIER_SIZE: [usize; 3] = [2048, 512, 1];
/// Between the children of so few afterstates repetitions are rarer than looking for them is worth.
const FEW: usize = 4;
/// The table is asked for afterstates with at least so many layers of chance below them.
const TABLE_FROM: u8 = 2;

/// State that all threads of a search share.
pub(super) struct Context<'a, G: Game, L> {
    pub(super) game: &'a G,
    pub(super) leaf: &'a L,
    pub(super) limits: &'a Limits<'a>,
    pub(super) table: Option<&'a TranspositionTable>,
    /// Set when the search must give up; values computed since are worthless.
    pub(super) stopped: AtomicBool,
    /// Leaves judged so far.
    pub(super) leaves: AtomicU64,
    /// True if this iteration may be given up.
    pub(super) may_stop: bool,
}

/// Chance nodes whose values are asked for.
pub(super) struct Nodes<'a, G: Game> {
    pub(super) list: &'a [Staged<G::Afterstate>],
    /// Probabilities of reaching them; empty unless there is a cut-off.
    pub(super) probabilities: &'a [f32],
    /// Layers of chance below each.
    pub(super) layers: u8,
    /// Threads that share them.
    pub(super) threads: usize,
}

impl<'a, G: Game, L: Value<G>> Context<'a, G, L> {
    /// Asks the limits whether to give up.
    fn stop(&self) -> bool {
        if !self.may_stop {
            return false;
        }
        let enough = self.limits.nodes.is_some_and(|most| self.leaves.load(Relaxed) >= most);
        if enough || self.limits.stop.is_some_and(|ask| ask()) {
            self.stopped.store(true, Relaxed);
        }
        self.stopped.load(Relaxed)
    }

    fn cuts(&self) -> bool {
        self.limits.cut_off > 0.0
    }

    /// The table's key of an afterstate: all that its value depends on.
    fn key(&self, at: &Staged<G::Afterstate>, k: u8, probability: u32) -> Key {
        let ply = if self.limits.deeper_hits { 0 } else { k };
        let extra =
            u64::from(at.stage) | u64::from(ply) << 8 | u64::from(self.limits.cut_off.to_bits()) << 32;
        let whole = (extra, probability, &at.afterstate);
        Key { place: hash(&whole, 0x243f_6a88_85a3_08d3), check: hash(&whole, 0x1319_8a2e_0370_7344) }
    }

    /// The values of chance nodes.
    ///
    /// Several threads take the whole list as one frontier and share its children.
    pub(super) fn chance_nodes(&self, work: &mut Workspace<G>, nodes: &Nodes<'_, G>, values: &mut Vec<f32>) {
        let Nodes { list, probabilities, layers: k, threads } = *nodes;
        if k == 0 {
            self.leaf.values(self.game, list, values);
            self.leaves.fetch_add(list.len() as u64, Relaxed);
            return;
        }
        values.clear();
        let level = usize::from(k);
        if work.frontiers.len() <= level {
            work.frontiers.resize_with(level + 1, Frontier::default);
        }
        let mut frontier = std::mem::take(&mut work.frontiers[level]);
        let shared = threads > 1 && k >= 2;
        let most = if shared { usize::MAX } else { FRONTIER_SIZE[level.min(FRONTIER_SIZE.len()) - 1] };
        let mut next = 0;
        while next < list.len() && !self.stop() {
            // 1. Collect a frontier: outcomes, their slides, every position once.
            frontier.clear();
            let first = next;
            while next < list.len() && (next == first || frontier.children.list.len() < most) {
                let probability = probabilities.get(next).copied().unwrap_or(1.0);
                self.expand(&mut frontier, k, &list[next], probability, list.len() > FEW);
                next += 1;
            }
            // 2. Value its children, and those that a cut-off made leaves.
            let Frontier { children, values: below, cut, .. } = &mut frontier;
            let (list, probabilities) = (&children.list[..], &children.probabilities[..]);
            if shared {
                let nodes = Nodes { list, probabilities, layers: k - 1, threads };
                self.chance_nodes_parallel(work, &nodes, below);
            } else {
                let nodes = Nodes { list, probabilities, layers: k - 1, threads: 1 };
                self.chance_nodes(work, &nodes, below);
            }
            if !cut.list.is_empty() {
                let nodes = Nodes { list: &cut.list, probabilities: &[], layers: 0, threads: 1 };
                self.chance_nodes(work, &nodes, &mut cut.values);
            }
            if self.stopped.load(Relaxed) {
                break;
            }
            // 3. Back up: the best slide of each state, the mean of each afterstate.
            frontier.back_up(self.leaf.counts_rewards(), self.leaf.end(), values);
            if let Some(table) = self.table {
                for (parent, &value) in frontier.parents.iter().zip(&values[first..]) {
                    if let Parent::Searched { key: Some(key), .. } = parent {
                        table.put(*key, k, value);
                    }
                }
            }
        }
        work.frontiers[level] = frontier;
    }

    /// Adds one afterstate to a frontier, unless the table knows its value.
    ///
    /// Its children are compared with those of the frontier's other afterstates if `compared`.
    fn expand(
        &self,
        frontier: &mut Frontier<G>,
        k: u8,
        at: &Staged<G::Afterstate>,
        probability: f32,
        compared: bool,
    ) {
        // Positions reached with different probabilities are cut differently: they may
        // be shared only if the limits allow it.
        let apart = self.cuts() && !self.limits.any_probability_hits;
        let mut key = None;
        if let Some(table) = self.table
            && k >= TABLE_FROM
        {
            let found = self.key(at, k, if apart { probability.to_bits() } else { 0 });
            if let Some(value) = table.get(found, k, self.limits.deeper_hits) {
                frontier.parents.push(Parent::Known(value));
                return;
            }
            key = Some(found);
        }
        let total = self.game.ways(&at.afterstate) as f64;
        if self.cuts() {
            let share = probability / total as f32;
            self.game.outcomes(&at.afterstate, |outcome| {
                self.add_outcome(frontier, k, &outcome, at.stage, share * outcome.ways as f32);
            });
        } else {
            let Frontier { children, outcomes, .. } = frontier;
            let staged = |afterstate| {
                let stage = self.leaf.judging(self.game, at.stage, &afterstate);
                Staged { afterstate, stage }
            };
            if compared || k > 1 {
                self.game.expand(&at.afterstate, outcomes, |after| children.find_or_add(staged(after)));
            } else {
                self.game.expand(&at.afterstate, outcomes, |after| children.add(staged(after)));
            }
        }
        frontier.parents.push(Parent::Searched { key, total, end: frontier.outcomes.len() as u32 });
    }

    /// Adds what chance does with this probability, under a cut-off, and its slides to a frontier.
    fn add_outcome(
        &self,
        frontier: &mut Frontier<G>,
        k: u8,
        outcome: &Outcome<G::State>,
        stage: Stage,
        chance: f32,
    ) {
        let mut moves = OutcomeMoves::dead(outcome.ways, outcome.reward);
        let mut least = self.leaf.end();
        let cut = chance < self.limits.cut_off;
        let look = if cut { self.leaf.state(self.game, &outcome.state) } else { None };
        if let Some(look) = look {
            if !self.game.is_over(&outcome.state) {
                least = look;
            }
        } else {
            let apart = k > 1 && !self.limits.any_probability_hits;
            for (direction, slide) in self.game.slides(&outcome.state).iter().enumerate() {
                let Some(slide) = slide else { continue };
                let stage = self.leaf.judging(self.game, stage, &slide.afterstate);
                let at = Staged { afterstate: slide.afterstate, stage };
                moves.slides[direction] = if cut && k > 1 {
                    frontier.cut.list.push(at);
                    CUT | (frontier.cut.list.len() as u32 - 1)
                } else {
                    frontier.children.find_or_add_likely(at, chance, apart)
                };
                moves.rewards[direction] = slide.reward as f32;
                least = f32::NEG_INFINITY;
            }
        }
        frontier.outcomes.push(moves);
        frontier.cut.least.push(least);
    }
}
