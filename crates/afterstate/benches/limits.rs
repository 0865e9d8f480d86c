//! Lateness of searches under a time limit, on one thread: by leaf and limit, the share of moves
//! within T + 2 ms and the lateness of the median, of 99 % and of the latest move.
//!
//! ```sh
//! cargo bench -p afterstate --bench limits
//! ```
#![allow(clippy::print_stdout)]

use afterstate::game::Game;
use afterstate::game::twenty48::{State, Twenty48};
use afterstate::grid::Shape;
use afterstate::network::{Network, Structure};
use afterstate::random::Random;
use afterstate::search::heuristic::Heuristic;
use afterstate::search::{Limits, MAX_PLY, Search, TranspositionTable, Workspace};
use afterstate::value::Value;
use std::time::{Duration, Instant};

/// Milliseconds, and how many moves.
const LIMITS: [(u64, usize); 6] = [(1, 1000), (3, 500), (10, 200), (30, 100), (100, 40), (1000, 5)];

fn main() {
    let four = Twenty48::<16>::new(Shape::FOUR);
    let six = Twenty48::<64>::new(Shape::new(6, 6).expect("a board"));
    let network = |patterns| Network::new(Structure::tuples(Shape::FOUR, patterns, 16).expect("a network"));
    measure("4×4, 4×6", &four, &network("4x6"));
    measure("4×4, 8×6", &four, &network("8x6"));
    measure("4×4, heuristic", &four, &Heuristic::tuned(Shape::FOUR));
    measure("6×6, heuristic", &six, &Heuristic::tuned(six.shape));
}

fn measure<const N: usize>(name: &str, game: &Twenty48<N>, leaf: &impl Value<Twenty48<N>>) {
    let table = TranspositionTable::new(64 << 20);
    let search = Search::new(game, leaf).with_table(&table);
    let mut work = Workspace::default();
    let mut random = Random::new(1);
    let mut state = game.start(&mut random);
    for (limit, moves) in LIMITS {
        let limit = Duration::from_millis(limit);
        let (mut late, mut plies) = (Vec::new(), 0);
        while late.len() < moves {
            let begin = Instant::now();
            let stop = || begin.elapsed() >= limit;
            let limits = Limits { stop: Some(&stop), ..Limits::ply(MAX_PLY) };
            let answer = search.run(&state, 0, &limits, &mut work);
            let took = begin.elapsed();
            let Some(best) = answer.best else {
                state = game.start(&mut random);
                continue;
            };
            late.push(took.saturating_sub(limit).as_secs_f64() * 1e3);
            plies += usize::from(answer.ply);
            state = next(game, &state, best, &mut random);
        }
        late.sort_by(f64::total_cmp);
        let kept = late.iter().filter(|&&late| late <= 2.0).count();
        println!(
            "{name:15} {:>7.3} s: {:5.1} % within 2 ms, late by {:.2} · {:.2} · {:.2} ms, {:.1} plies",
            limit.as_secs_f64(),
            100.0 * kept as f64 / moves as f64,
            late[moves / 2],
            late[(moves - 1) * 99 / 100],
            late[moves - 1],
            plies as f64 / moves as f64,
        );
    }
}

fn next<const N: usize>(
    game: &Twenty48<N>,
    state: &State<N>,
    best: afterstate::grid::Direction,
    random: &mut Random,
) -> State<N> {
    let slide = game.slide(state, best).expect("a legal move");
    game.spawn(&slide.afterstate, random).state
}
