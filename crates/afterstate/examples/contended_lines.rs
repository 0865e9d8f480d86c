//! Cache lines that threads which learn together take from each other, counted move by move.
//!
//! `cargo run --release --example contended_lines -p afterstate`
//!
//! Games are played by turns, one for each thread, with the network that 8,000 games of temporal
//! coherence gave. Caches are endless: a line travels only where another thread has written it. A
//! move reads the lines of all its afterstates and writes those of the one that is chosen. Entries
//! whose ranks are all below 4 or 8 can be left out, as if every thread had its own.

#![allow(clippy::print_stdout, missing_docs)]

use afterstate::game::{Game, twenty48::Twenty48};
use afterstate::grid::Shape;
use afterstate::learn::Learner;
use afterstate::learn::step_size::{StepRule, StepSize};
use afterstate::network::{Active, Network, Structure};
use afterstate::random::Random;
use afterstate::train::{Method, Trainer};
use std::collections::HashMap;

/// The weights of a cache line.
const LINE: u32 = 16;
/// Moves of each thread before and while lines are counted.
const MOVES: (usize, usize) = (20_000, 40_000);

/// The caches of all threads.
#[derive(Default)]
struct Caches {
    /// By line: the threads that have it, a bit each, and whether it was ever written.
    lines: HashMap<u32, (u32, bool)>,
    /// Lines read that another thread had written, and lines written that another thread had.
    fetched: u64,
    taken: u64,
}

impl Caches {
    fn read(&mut self, line: u32, thread: usize) {
        let (holders, written) = self.lines.entry(line).or_default();
        self.fetched += u64::from(*written && *holders & 1 << thread == 0);
        *holders |= 1 << thread;
    }

    fn write(&mut self, line: u32, thread: usize) {
        let found = self.lines.entry(line).or_default();
        self.taken += u64::from(found.0 != 1 << thread);
        *found = (1 << thread, true);
    }
}

fn main() {
    let game = Twenty48::<16>::new(Shape::FOUR);
    let network = Network::new(Structure::tuples(Shape::FOUR, "4x6", 16).expect("a known network"));
    let step_size = StepSize::new(StepRule::Coherence { beta: 1.0, kept: 1.0 }, &network);
    let learner = Learner { network, step_size };
    Trainer::new(game.clone(), Method::default(), 1, 1).round(&learner, 8_000, &());

    println!("threads  own ranks  fetched a move  taken a move");
    for threads in [1, 2, 4, 16] {
        for below in [0u32, 4, 8] {
            let own = entries_below(&learner.network, below);
            let caches = play(&game, &learner.network, threads, &own);
            let moves = (threads * MOVES.1) as f64;
            let (fetched, taken) = (caches.fetched as f64 / moves, caches.taken as f64 / moves);
            println!("{threads:7}  {:>9}  {fetched:14.1}  {taken:12.1}", format!("below {below}"));
        }
    }
}

/// By entry: whether all its ranks are below this.
fn entries_below(network: &Network, below: u32) -> Vec<bool> {
    let mut all = vec![false; network.bank_len()];
    for table in 0..network.tables() {
        for (index, entry) in network.table_entries(table).enumerate() {
            all[entry as usize] = (0..6).all(|digit| (index as u32 >> (4 * digit)) & 15 < below);
        }
    }
    all
}

/// Greedy games by turns; entries that every thread has of its own are left out.
fn play(game: &Twenty48<16>, network: &Network, threads: usize, own: &[bool]) -> Caches {
    let mut random = Random::new(7);
    let mut states: Vec<_> = (0..threads).map(|_| game.start(&mut random)).collect();
    let (mut caches, mut active) = (Caches::default(), Active::default());
    for round in 0..MOVES.0 + MOVES.1 {
        if round == MOVES.0 {
            (caches.fetched, caches.taken) = (0, 0);
        }
        for (thread, state) in states.iter_mut().enumerate() {
            let mut best: Option<(f32, _, Vec<u32>)> = None;
            for slide in game.slides(state).into_iter().flatten() {
                network.activate(&game.view(&slide.afterstate), 0, &mut active);
                let value = slide.reward as f32 + network.sum(&active);
                let shared = active.entries().iter().filter(|&&entry| !own[entry as usize]);
                let mut lines: Vec<u32> = shared.map(|entry| entry / LINE).collect();
                lines.sort_unstable();
                lines.dedup();
                lines.iter().for_each(|&line| caches.read(line, thread));
                if best.as_ref().is_none_or(|&(most, ..)| value > most) {
                    best = Some((value, slide.afterstate, lines));
                }
            }
            *state = match best {
                Some((_, afterstate, lines)) => {
                    lines.iter().for_each(|&line| caches.write(line, thread));
                    game.spawn(&afterstate, &mut random).state
                }
                None => game.start(&mut random),
            };
        }
    }
    caches
}
