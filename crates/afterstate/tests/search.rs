//! The fast search computes what the naive one does, whatever helps or limits it.

#[path = "reference/expectimax.rs"]
mod naive;

use afterstate::game::{Game, twenty48::SpawnTable, twenty48::Twenty48};
use afterstate::grid::Shape;
use afterstate::random::{Random, split_mix};
use afterstate::search::{Answer, Limits, Points, Search, Table, Workspace};
use afterstate::value::{Stage, Staged, Value};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Unpredictable values of all that a value function sees, so that any mistake shows.
struct Noise {
    staged: bool,
}

fn digest<G: Game>(game: &G, afterstate: &G::Afterstate) -> u64 {
    let view = game.view(afterstate);
    let mut hash = u64::from(view.hint) << 32
        | u64::from(view.bag[0]) << 16
        | u64::from(view.bag[1]) << 8
        | u64::from(view.bag[2]);
    for &cell in view.cells {
        hash ^= u64::from(cell);
        hash = split_mix(&mut hash);
    }
    hash
}

impl<G: Game> Value<G> for Noise {
    fn value(&self, game: &G, at: &Staged<G::Afterstate>) -> f32 {
        let mut hash = digest(game, &at.afterstate) ^ u64::from(at.stage) << 7;
        (split_mix(&mut hash) >> 40) as f32 / 1024.0
    }

    fn advance(&self, game: &G, stage: Stage, afterstate: &G::Afterstate) -> Stage {
        if self.staged && digest(game, afterstate).is_multiple_of(5) { (stage + 1).min(3) } else { stage }
    }
}

/// Positions from random games: all of a game's, so that dead and nearly dead ones occur.
fn positions<G: Game>(game: &G, count: usize, seed: u64) -> Vec<G::State> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut state = game.start(&mut random);
        loop {
            if random.below(4) == 0 {
                found.push(state);
            }
            let slides: Vec<_> = game.slides(&state).into_iter().flatten().collect();
            if slides.is_empty() {
                found.push(state);
                break;
            }
            let slide = slides[random.below(slides.len() as u64) as usize];
            state = game.spawn(&slide.afterstate, &mut random).state;
        }
    }
    // A long game has more positions than asked for: take them from all of it.
    let step = found.len() / count;
    found.into_iter().step_by(step.max(1)).take(count).collect()
}

fn close(found: &Answer, expected: &[Option<f64>; 4]) {
    for (found, expected) in found.moves.iter().zip(expected) {
        match (found, expected) {
            (None, None) => {}
            (Some(found), Some(expected)) => {
                let error = (f64::from(found.value) - expected).abs();
                assert!(error <= 1e-6 * expected.abs().max(1.0), "{found:?} instead of {expected}");
            }
            _ => panic!("{found:?} instead of {expected:?}"),
        }
    }
    let best = expected.iter().flatten().copied().reduce(f64::max);
    assert_eq!(found.best.is_some(), best.is_some());
    if let (Some(value), Some(best)) = (found.value(), best) {
        assert!(f64::from(value) >= best - 1e-6 * best.abs().max(1.0));
    }
}

/// Compares on `count` positions: plain, with a table, with two threads and both.
fn compare<G: Game>(game: &G, ply: u8, count: usize, cut_off: f32) {
    let table = Table::new(1 << 16);
    let mut work = Workspace::default();
    for staged in [false, true] {
        let value = Noise { staged };
        table.clear();
        for state in positions(game, count, u64::from(ply)) {
            let expected = naive::moves(game, &value, &state, 0, ply, cut_off, 1.0);
            let plain = Search::new(game, Points(&value));
            let tabled = plain.clone().with_table(&table);
            for threads in [1, 2] {
                if threads == 2 && ply < 3 {
                    continue;
                }
                let limits = Limits { cut_off, threads, ..Limits::ply(ply) };
                let first = plain.run(&state, 0, &limits, &mut work);
                close(&first, &expected);
                // Not nearly the same but the same.
                let second = tabled.run(&state, 0, &limits, &mut work);
                assert_eq!(first.moves, second.moves);
                let again = tabled.run(&state, 0, &limits, &mut work);
                assert_eq!(first.moves, again.moves);
                let one = Limits { threads: 1, ..limits };
                assert_eq!(first.moves, plain.run(&state, 0, &one, &mut work).moves);
            }
        }
    }
}

fn twenty48<const N: usize>(rows: usize, cols: usize) -> Twenty48<N> {
    Twenty48::new(Shape::new(rows, cols).unwrap())
}

#[test]
fn four_by_four() {
    let game = twenty48::<16>(4, 4);
    compare(&game, 1, 2000, 0.0);
    compare(&game, 2, 1000, 0.0);
    compare(&game, 3, 40, 0.0);
}

#[test]
fn other_boards() {
    compare(&twenty48::<16>(2, 2), 6, 300, 0.0);
    compare(&twenty48::<16>(2, 3), 4, 300, 0.0);
    compare(&twenty48::<16>(3, 3), 3, 200, 0.0);
    compare(&twenty48::<16>(1, 6), 4, 300, 0.0);
    compare(&twenty48::<64>(4, 4), 2, 200, 0.0);
    compare(&twenty48::<64>(5, 5), 2, 100, 0.0);
    compare(&twenty48::<64>(3, 6), 2, 100, 0.0);
    compare(&twenty48::<64>(8, 8), 1, 50, 0.0);
}

#[test]
fn other_spawns() {
    let spawn = SpawnTable::parse("2:.5,4:.3,8:.2").unwrap();
    let game = Twenty48 { spawn, cap_rank: 4, ..twenty48::<16>(2, 3) };
    compare(&game, 3, 200, 0.0);
}

#[test]
fn a_probability_cut_off() {
    compare(&twenty48::<16>(2, 3), 4, 200, 0.0131);
    compare(&twenty48::<16>(4, 4), 3, 40, 0.0431);
    compare(&twenty48::<64>(4, 5), 2, 100, 0.0731);
}

#[test]
fn stages_are_history() {
    let game = twenty48::<16>(3, 3);
    let value = Noise { staged: true };
    let mut differ = 0;
    for state in positions(&game, 50, 8) {
        let search = Search::new(&game, Points(&value));
        let late = search.run(&state, 2, &Limits::ply(2), &mut Workspace::default());
        close(&late, &naive::moves(&game, &value, &state, 2, 2, 0.0, 1.0));
        let early = search.run(&state, 0, &Limits::ply(2), &mut Workspace::default());
        differ += u32::from(late.moves != early.moves);
    }
    assert!(differ > 20);
}

#[test]
fn a_stopped_search_is_a_complete_shallower_one() {
    let game = twenty48::<16>(4, 4);
    let value = Noise { staged: false };
    let search = Search::new(&game, Points(&value));
    let mut work = Workspace::default();
    for (i, state) in positions(&game, 60, 4).into_iter().enumerate() {
        for threads in [1, 2] {
            let asked = AtomicU64::new(0);
            let stop = || asked.fetch_add(1, Relaxed) as usize >= i;
            let limits = Limits { stop: Some(&stop), threads, ..Limits::ply(4) };
            let answer = search.run(&state, 0, &limits, &mut work);
            if answer.best.is_none() {
                assert!(game.is_over(&state));
                continue;
            }
            assert!(answer.ply >= 1, "one ply is always completed");
            assert!(answer.complete == (answer.ply == 4) || answer.leaves < 100);
            let same = search.run(&state, 0, &Limits::ply(answer.ply), &mut work);
            assert_eq!(answer.moves, same.moves);
        }
    }
}

#[test]
fn a_node_limit_ends_the_search_soon() {
    let game = twenty48::<16>(4, 4);
    let value = Noise { staged: false };
    let search = Search::new(&game, Points(&value));
    let mut work = Workspace::default();
    let mut reached = [0; 7];
    for state in positions(&game, 60, 5) {
        let limits = Limits { nodes: Some(3_000), ..Limits::ply(6) };
        let answer = search.run(&state, 0, &limits, &mut work);
        assert!(answer.leaves < 3_000 + 4_096, "{}", answer.leaves);
        reached[usize::from(answer.ply)] += 1;
    }
    assert!(reached[2] + reached[3] > 30 && reached[1] < 10, "{reached:?}");
}

#[test]
fn depth_by_empty_cells() {
    let game = twenty48::<16>(3, 3);
    let value = Noise { staged: false };
    let search = Search::new(&game, Points(&value));
    for state in positions(&game, 200, 6) {
        let empty = state.0.empty_cells(9).count_ones() as u8;
        let limits = Limits { by_empty: vec![(2, 4), (4, 3)], ..Limits::ply(1) };
        let answer = search.run(&state, 0, &limits, &mut Workspace::default());
        let expected = if empty <= 2 {
            4
        } else if empty <= 4 {
            3
        } else {
            1
        };
        assert!(answer.best.is_none() || answer.ply == expected);
    }
}
