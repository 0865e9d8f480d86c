//! All four slides of many positions: the slow reference, the general way and the fast one, in one
//! alternating run.
//!
//! ```sh
//! cargo bench -p afterstate --bench slides
//! ```
#![allow(clippy::print_stdout, dead_code)]

#[path = "../tests/reference/twenty48.rs"]
mod reference;

use afterstate::game::Game;
use afterstate::game::twenty48::{State, Twenty48, slide_board};
use afterstate::grid::{Direction, MAX_RANK, Shape};
use afterstate::random::Random;
use std::hint::black_box;
use std::time::Instant;

const POSITIONS: usize = 1000;
const ROUNDS: usize = 9;

fn main() {
    four();
    for (rows, cols) in [(3, 3), (5, 5), (6, 6)] {
        general(Shape::new(rows, cols).expect("a board"));
    }
}

/// Positions of random play, and the same as grids of numbers.
fn positions<const N: usize>(game: &Twenty48<N>) -> Vec<(State<N>, reference::Grid)> {
    let mut random = Random::new(1);
    let mut state = game.start(&mut random);
    let mut all = Vec::new();
    while all.len() < POSITIONS {
        let slides: Vec<_> = game.slides(&state).into_iter().flatten().collect();
        state = match slides.len() {
            0 => game.start(&mut random),
            n => game.spawn(&slides[random.below(n as u64) as usize].afterstate, &mut random).state,
        };
        let number = |&rank: &u8| if rank == 0 { 0 } else { 1u64 << rank };
        let cells: Vec<u64> = state.0.0[..game.shape.cells()].iter().map(number).collect();
        all.push((state, cells.chunks(game.shape.cols()).map(<[u64]>::to_vec).collect()));
    }
    all
}

/// The median over rounds of the nanoseconds per position, for each of several ways taken by turns.
fn alternate(ways: &mut [&mut dyn FnMut()]) -> Vec<f64> {
    let mut times = vec![Vec::new(); ways.len()];
    for _ in 0..ROUNDS {
        for (way, times) in ways.iter_mut().zip(&mut times) {
            let start = Instant::now();
            way();
            times.push(start.elapsed().as_nanos() as f64 / POSITIONS as f64);
        }
    }
    for times in &mut times {
        times.sort_by(f64::total_cmp);
    }
    times.iter().map(|times| times[ROUNDS / 2]).collect()
}

fn by_reference(grid: &reference::Grid) {
    for step in reference::STEPS {
        black_box(reference::slide(grid, step, u64::MAX));
    }
}

fn by_general<const N: usize>(state: &State<N>, shape: Shape) {
    for direction in Direction::ALL {
        black_box(slide_board(&state.0, shape, direction, MAX_RANK));
    }
}

fn four() {
    let game = Twenty48::<16>::new(Shape::FOUR);
    let all = positions(&game);
    let times = alternate(&mut [
        &mut || all.iter().for_each(|(_, grid)| by_reference(grid)),
        &mut || all.iter().for_each(|(state, _)| by_general(state, Shape::FOUR)),
        &mut || {
            for (state, _) in &all {
                black_box(game.slides(black_box(state)));
            }
        },
    ]);
    println!(
        "4x4  reference {:.0} ns, general {:.0} ns ({:.1} times as fast), fast {:.0} ns ({:.1} times as fast)",
        times[0],
        times[1],
        times[0] / times[1],
        times[2],
        times[0] / times[2]
    );
}

fn general(shape: Shape) {
    let game = Twenty48::<64>::new(shape);
    let all = positions(&game);
    let times = alternate(&mut [&mut || all.iter().for_each(|(_, grid)| by_reference(grid)), &mut || {
        all.iter().for_each(|(state, _)| by_general(state, shape))
    }]);
    println!(
        "{shape}  reference {:.0} ns, general {:.0} ns ({:.1} times as fast)",
        times[0],
        times[1],
        times[0] / times[1]
    );
}
