//! Moves per second of 1-, 2- and 3-ply play on 4×4 with a nearly free value function:
//! what the search itself costs.
//!
//! `cargo run --release --example search_speed [seconds per depth]`

#![allow(clippy::print_stdout, missing_docs)]

use afterstate::game::{Game, twenty48::Twenty48};
use afterstate::grid::Shape;
use afterstate::random::Random;
use afterstate::search::{Limits, Search, TranspositionTable, Workspace};
use afterstate::value::{Staged, Value};
use std::time::Instant;

/// Likes empty cells and large tiles along the first row: plays to 1024 or so.
struct Toy {
    rows: Vec<f32>,
}

impl Toy {
    fn new() -> Self {
        let rows = (0..1usize << 16).map(|row| {
            let r = [row & 15, row >> 4 & 15, row >> 8 & 15, row >> 12].map(|r| r as f32);
            let empty = r.iter().filter(|&&r| r == 0.0).count() as f32;
            let rough: f32 = r.windows(2).map(|w| (w[0] - w[1]).abs()).sum();
            let left: f32 = r.windows(2).map(|w| (w[1] - w[0]).max(0.0).powi(2)).sum();
            200.0 * empty - 30.0 * rough - 30.0 * left
        });
        Self { rows: rows.collect() }
    }
}

impl Value<Twenty48<16>> for Toy {
    fn value(&self, _: &Twenty48<16>, at: &Staged<<Twenty48<16> as Game>::Afterstate>) -> f32 {
        let cell = |i: usize| usize::from(at.afterstate.0.0[i] & 15);
        let line = |i: usize, step: usize| {
            self.rows[cell(i) | cell(i + step) << 4 | cell(i + 2 * step) << 8 | cell(i + 3 * step) << 12]
        };
        let mut sum = 0.0;
        for i in 0..4 {
            sum += line(4 * i, 1) + line(i, 4);
        }
        sum
    }
}

/// Seconds this process has been running on a processor (Linux), else wall-clock seconds.
fn cpu_seconds(begin: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|text| text.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begin.elapsed().as_secs_f64(), |ns| ns * 1e-9)
}

fn main() {
    let seconds: f64 = std::env::args().nth(1).map_or(2.0, |text| text.parse().expect("a number of seconds"));
    let game = Twenty48::<16>::new(Shape::FOUR);
    let toy = Toy::new();
    let table = TranspositionTable::new(1 << 24);
    for (ply, with_table) in [(1, false), (2, false), (3, false), (3, true), (4, false), (4, true)] {
        let mut search = Search::new(&game, &toy);
        if with_table {
            search = search.with_table(&table);
        }
        let limits = Limits::ply(ply);
        let mut work = Workspace::default();
        let (mut moves, mut leaves, mut games, mut score) = (0u64, 0u64, 0u64, 0u64);
        let begin = Instant::now();
        let cpu = cpu_seconds(begin);
        'time: loop {
            let mut random = Random::stream(1, games);
            let mut state = game.start(&mut random);
            games += 1;
            loop {
                let answer = search.run(&state, 0, &limits, &mut work);
                let Some(best) = answer.best else { break };
                moves += 1;
                leaves += answer.leaves;
                let slide = game.slides(&state)[best as usize].expect("legal");
                score += slide.reward;
                state = game.spawn(&slide.afterstate, &mut random).state;
                if moves % 64 == 0 && cpu_seconds(begin) - cpu > seconds {
                    break 'time;
                }
            }
        }
        let time = cpu_seconds(begin) - cpu;
        println!(
            "{ply}-ply{}: {:.0} moves/s, {:.1} leaves/move, {:.1} ns/leaf, {games} games, average {}",
            if with_table { " with table" } else { "" },
            moves as f64 / time,
            leaves as f64 / moves as f64,
            1e9 * time / leaves as f64,
            score / games,
        );
    }
}
