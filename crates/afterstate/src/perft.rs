//! Counting the tree of the rules, to compare one implementation with another.
//!
//! From a position all moves and all outcomes of chance are followed, depth by depth;
//! a *node* of depth d is a state reached by d moves, each followed by one outcome.
//! Numbers that agree to depth 3 leave little room for a wrong rule; the value, an
//! expectation, leaves as little for a wrong probability.
//!
//! Nodes that are the same state are expanded once and counted as often as they occur,
//! and so are moves that lead to the same afterstate: the work grows with the number of
//! different positions and not with the tree.

use crate::game::Game;
use crate::random::split_mix;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use thiserror::Error;

/// The counts of one depth d. Tree counts stop at `u128::MAX` instead of overflowing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Depth {
    /// Nodes of depth d.
    pub leaves: u128,
    /// Different states among them.
    pub distinct: usize,
    /// Legal moves of all nodes of depth d − 1.
    pub legal: u128,
    /// Nodes of depth d − 1 without a legal move.
    pub dead: u128,
    /// Sum of the rewards of those moves, without the worth of the tiles chance adds.
    pub reward: u128,
    /// The exact value of d moves: the largest expected sum of the rewards of moves, 0 beyond.
    pub value: f64,
}

/// A tree with more different states than the caller wanted to hold in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("depth {depth} has more than {limit} different states; ask for a smaller depth")]
pub struct TooLarge {
    /// The depth at which the limit was reached.
    pub depth: usize,
    /// The limit.
    pub limit: usize,
}

/// Counts the depths 1 … `depth` below `root`, unless one of them has more than `limit` different
/// states.
///
/// ```
/// use afterstate::game::{Game, Setup, twenty48::Twenty48};
/// use afterstate::{grid::Shape, perft::perft};
///
/// let game = Twenty48::<16>::new(Shape::FOUR);
/// #[rustfmt::skip]
/// let ranks = vec![0, 0, 0, 0,
///                  0, 1, 0, 0,
///                  0, 0, 0, 0,
///                  0, 0, 0, 1];
/// let root = game.position(&Setup { ranks, ..Setup::default() }).unwrap();
/// let depths = perft(&game, &root, 2, 10_000).unwrap();
/// assert_eq!((depths[0].leaves, depths[0].distinct), (112, 111)); // 4 moves × 14 cells × {2, 4}
/// assert_eq!((depths[1].leaves, depths[1].distinct), (11_448, 1_969));
/// assert!((depths[1].value - 139.0 / 35.0).abs() < 1e-12);
/// ```
pub fn perft<G: Game>(game: &G, root: &G::State, depth: usize, limit: usize) -> Result<Vec<Depth>, TooLarge> {
    let mut counts = Vec::new();
    let mut levels = vec![Map::from_iter([(*root, 1)])];
    for d in 1..=depth {
        let (below, count) = expand(game, &levels[d - 1], limit).ok_or(TooLarge { depth: d, limit })?;
        let over = below.is_empty();
        levels.push(below);
        counts.push(count);
        if over {
            // Nothing moves any more: the remaining depths are empty.
            let empty = Depth { leaves: 0, distinct: 0, legal: 0, dead: 0, reward: 0, value: 0.0 };
            counts.resize(depth, empty);
            break;
        }
    }
    let values = values(game, root, &levels);
    for (d, count) in counts.iter_mut().enumerate() {
        count.value = values[(d + 1).min(values.len() - 1)];
    }
    Ok(counts)
}

/// The states of one depth, each with the number of nodes it stands for.
type Level<S> = Map<S, u128>;

/// The next level and its counts, without the value; `None` beyond the limit.
fn expand<G: Game>(game: &G, level: &Level<G::State>, limit: usize) -> Option<(Level<G::State>, Depth)> {
    let mut count = Depth { leaves: 0, distinct: 0, legal: 0, dead: 0, reward: 0, value: 0.0 };
    let add = |sum: &mut u128, more: u128| *sum = sum.saturating_add(more);
    let mut afterstates: Map<G::Afterstate, u128> = Map::default();
    for (state, &nodes) in level {
        let slides = game.slides(state);
        if slides.iter().all(Option::is_none) {
            add(&mut count.dead, nodes);
        }
        for slide in slides.into_iter().flatten() {
            add(&mut count.legal, nodes);
            add(&mut count.reward, nodes.saturating_mul(slide.reward.into()));
            add(afterstates.entry(slide.afterstate).or_default(), nodes);
        }
    }
    let mut below = Level::default();
    for (afterstate, &nodes) in &afterstates {
        game.outcomes(afterstate, |outcome| {
            add(&mut count.leaves, nodes);
            add(below.entry(outcome.state).or_default(), nodes);
        });
        if below.len() > limit {
            return None;
        }
    }
    count.distinct = below.len();
    Some((below, count))
}

/// The values of the root with 0, 1, 2, … moves to go, one for each level.
///
/// From the leaves up: with V₀ = 0, a state with j moves to go is worth
/// `V_j(s) = max over slides of (reward + E[V_{j−1}(next state)])`, and 0 without a slide.
/// A state k levels down is asked for V₀ … V_{D−k}, so all of them are kept.
fn values<G: Game>(game: &G, root: &G::State, levels: &[Level<G::State>]) -> Vec<f64> {
    let mut below: Map<G::State, Vec<f64>> = Map::default();
    for (moves_to_go, level) in levels.iter().rev().enumerate().skip(1) {
        let mut expected: Map<G::Afterstate, Vec<f64>> = Map::default();
        let mut here = Map::default();
        for state in level.keys() {
            let mut values = vec![0.0; moves_to_go + 1];
            for slide in game.slides(state).into_iter().flatten() {
                let after = slide.afterstate;
                let expected =
                    expected.entry(after).or_insert_with(|| expectation(game, &after, moves_to_go, &below));
                for (value, expected) in values[1..].iter_mut().zip(expected) {
                    *value = f64::max(*value, slide.reward as f64 + *expected);
                }
            }
            here.insert(*state, values);
        }
        below = here;
    }
    below.remove(root).unwrap_or_else(|| vec![0.0])
}

/// The expected V₀ … V_{n−1} of the state that follows an afterstate; V₀ is 0 and looked up
/// nowhere.
fn expectation<G: Game>(
    game: &G,
    afterstate: &G::Afterstate,
    n: usize,
    below: &Map<G::State, Vec<f64>>,
) -> Vec<f64> {
    let mut sums = vec![0.0; n];
    if n > 1 {
        game.outcomes(afterstate, |outcome| {
            for (sum, value) in sums.iter_mut().zip(&below[&outcome.state]) {
                *sum += outcome.ways as f64 * value;
            }
        });
    }
    let ways = game.ways(afterstate) as f64;
    sums.iter().map(|sum| sum / ways).collect()
}

/// A map of positions. Nobody attacks it, so it hashes faster than the standard one.
type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;

/// Mixes eight bytes at a time.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = split_mix(&mut (self.0 ^ u64::from_le_bytes(word)));
        }
    }

    /// The lengths of arrays of fixed size, which tell nothing.
    fn write_usize(&mut self, _: usize) {}

    fn finish(&self) -> u64 {
        self.0
    }
}
