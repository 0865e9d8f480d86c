//! The solver against brute force: recursion over all positions, without layers or symmetry.

use crate::assert_close;
use afterstate::game::threes::{Rules, Threes};
use afterstate::game::twenty48::{SpawnTable, Twenty48};
use afterstate::game::{Game, Setup};
use afterstate::grid::{Direction, Shape};
use afterstate::solve::{Objective, Solvable, SolveOptions, solve};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

/// Optimal and random values of every state met.
struct Brute<'g, G: Game> {
    game: &'g G,
    /// Stop at this rank and count 1, else count points.
    tile: Option<u8>,
    values: HashMap<G::State, [f64; 2]>,
    terminal: HashSet<G::State>,
}

impl<'g, G: Game> Brute<'g, G> {
    fn new(game: &'g G, tile: Option<u8>) -> Self {
        Self { game, tile, values: HashMap::new(), terminal: HashSet::new() }
    }

    fn points(&self, points: u64) -> f64 {
        if self.tile.is_some() { 0.0 } else { points as f64 }
    }

    fn start(&mut self) -> [f64; 2] {
        let mut starts = Vec::new();
        self.game.starts(&mut |state, ways| starts.push((state, ways as f64)));
        let all: f64 = starts.iter().map(|(_, ways)| ways).sum();
        let mut mean = [0.0; 2];
        for (state, ways) in starts {
            let score = self.points(self.game.start_score(&state));
            let value = self.value(state);
            mean = [0, 1].map(|i| mean[i] + ways / all * (score + value[i]));
        }
        mean
    }

    fn value(&mut self, state: G::State) -> [f64; 2] {
        if let Some(&known) = self.values.get(&state) {
            return known;
        }
        let largest = self.game.state_view(&state).cells.iter().max().copied();
        let value = if self.tile.is_some() && largest >= self.tile {
            [1.0; 2]
        } else {
            let moves: Vec<_> = Direction::ALL.iter().filter_map(|&d| self.game.slide(&state, d)).collect();
            let values: Vec<[f64; 2]> = moves
                .iter()
                .map(|slide| self.after(&slide.afterstate).map(|v| v + self.points(slide.reward)))
                .collect();
            if values.is_empty() {
                self.terminal.insert(state);
                [0.0; 2]
            } else {
                let best = values.iter().map(|v| v[0]).fold(f64::MIN, f64::max);
                [best, values.iter().map(|v| v[1]).sum::<f64>() / values.len() as f64]
            }
        };
        self.values.insert(state, value);
        value
    }

    fn after(&mut self, afterstate: &G::Afterstate) -> [f64; 2] {
        let mut outcomes = Vec::new();
        self.game.outcomes(afterstate, |outcome| outcomes.push(outcome));
        let all: u64 = outcomes.iter().map(|o| o.ways).sum();
        outcomes.into_iter().fold([0.0; 2], |sum, outcome| {
            let share = outcome.ways as f64 / all as f64;
            let value = self.value(outcome.state);
            [0, 1].map(|i| sum[i] + share * (self.points(outcome.reward) + value[i]))
        })
    }
}

/// Every position has the same value both ways, and both find the same positions.
fn agree<G: Solvable>(game: &G, tile: Option<u8>) {
    let mut brute = Brute::new(game, tile);
    let start = brute.start();
    let objective = tile.map_or(Objective::Score, Objective::Tile);
    let solution = solve(game, &SolveOptions { objective, ..SolveOptions::default() }).unwrap();
    let summary = solution.summary();
    let tolerance = 1e-12 * (1.0 + start[0]);
    assert_close(summary.optimal, start[0], tolerance);
    assert_close(summary.random, start[1], tolerance);
    assert_eq!(summary.raw_states, brute.values.len() as u64);
    for (state, expected) in &brute.values {
        let found = solution.value(state).expect("reachable");
        assert_close(found.optimal, expected[0], 1e-12 * (1.0 + expected[0]));
        assert_close(found.random, expected[1], 1e-12 * (1.0 + expected[1]));
    }
    for state in solution.states() {
        let expected = brute.values[&state][0];
        let Some(best) = solution.best(&state) else {
            assert!(brute.terminal.contains(&state) || tile.is_some() && expected == 1.0);
            continue;
        };
        if tile.is_none() {
            let slide = game.slide(&state, best).unwrap();
            let after = solution.afterstate_value(&slide.afterstate).unwrap();
            assert_close(slide.reward as f64 + after.optimal, expected, 1e-12 * (1.0 + expected));
        }
    }
}

fn tiny_shape() -> impl Strategy<Value = Shape> {
    let sides = [(1, 2), (1, 3), (1, 4), (2, 1), (3, 1), (4, 1), (2, 2)];
    prop::sample::select(sides.to_vec()).prop_map(|(rows, cols)| Shape::new(rows, cols).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_2048(
        shape in tiny_shape(),
        ranks in prop::collection::btree_map(1u8..5, 1u64..10, 1..4),
        cap_rank in prop_oneof![Just(60u8), 1u8..6],
        start_tiles in 0usize..=2,
        tile in prop::option::of(1u8..7),
    ) {
        let spawn = SpawnTable::new(ranks.into_iter().collect()).unwrap();
        agree(&Twenty48::<16> { spawn, cap_rank, start_tiles, ..Twenty48::new(shape) }, tile);
    }

    #[test]
    fn any_threes(
        shape in tiny_shape(),
        rules in prop::sample::select(vec![Rules::PAPER, Rules::APP, Rules::COURSE]),
        copies in 1u8..=4,
        cap_rank in prop_oneof![Just(14u8), 3u8..6],
        start_tiles in 1usize..=2,
        tile in prop::option::of(1u8..7),
    ) {
        let rules = Rules { copies, cap_rank, ..rules };
        agree(&Threes::<16> { start_tiles, ..Threes::new(shape, rules) }, tile);
    }
}

#[test]
fn two_by_three() {
    let shape = Shape::new(2, 3).unwrap();
    agree(&Twenty48::<16>::new(shape), None);
    agree(&Threes::<16>::new(shape, Rules::COURSE), None);
}

/// Five cells are enough for bonus tiles; a cap keeps the ranks down.
#[test]
fn bonus_tiles() {
    let shape = Shape::new(1, 5).unwrap();
    for rules in [Rules::PAPER, Rules::APP] {
        let rules = Rules { cap_rank: 8, copies: 1, ..rules };
        let game = Threes::<16>::new(shape, rules);
        agree(&game, None);
        let bonus = solve(&game, &SolveOptions::default()).unwrap().states().any(|s| s.next.is_bonus());
        assert!(bonus, "the test should meet bonus tiles");
    }
}

#[test]
fn what_play_cannot_reach_has_no_value() {
    let game = Twenty48::<16>::new(Shape::new(2, 2).unwrap());
    let solution = solve(&game, &SolveOptions::default()).unwrap();
    for ranks in [[5, 5, 0, 0], [9, 1, 1, 1], [6, 1, 0, 0], [0, 0, 0, 0], [60, 60, 60, 60]] {
        let state = game.position(&Setup { ranks: ranks.to_vec(), ..Setup::default() }).unwrap();
        assert_eq!(solution.value(&state), None);
        assert_eq!(solution.best(&state), None);
    }
}
