//! TD learning with the library's parts: a `Method` chooses what to learn, a `StepSize` how far.
//! Two algorithms, the same number of games: TD(0) with fixed steps, and TC(0.5) backwards.
//!
//! `cargo run --release --example 4_temporal_coherence -p afterstate` (10 to 20 seconds)

#![allow(clippy::print_stdout, missing_docs)]

use afterstate::game::twenty48::Twenty48;
use afterstate::grid::Shape;
use afterstate::learn::Learner;
use afterstate::learn::step_size::{StepRule, StepSize};
use afterstate::learn::target::Target;
use afterstate::network::{Network, Structure};
use afterstate::train::{Method, Played, TrainObserver, Trainer};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Adds up the scores of a round. The library tells each game and prints none.
#[derive(Default)]
struct Sum(AtomicU64);

impl TrainObserver for Sum {
    fn game(&self, played: &Played) {
        self.0.fetch_add(played.score, Relaxed);
    }
}

fn main() {
    curve("TD(0), α = .0025 per weight", Target::td0(), StepRule::Fixed { per_weight: 0.0025 });
    curve(
        "TC(0.5), backward",
        Target::Backward { lambda: 0.5 },
        StepRule::Coherence { beta: 1.0, kept: 1.0 },
    );
}

/// Learns 5,000 games and prints the average of every thousand.
fn curve(name: &str, target: Target, kind: StepRule) {
    let network = Network::new(Structure::tuples(Shape::FOUR, "4x6", 16).expect("a known set"));
    let step_size = StepSize::new(kind, &network);
    let learner = Learner { network, step_size };
    // Afterstates, every game from the start: the default. Only the target is chosen here.
    let method = Method { target, ..Method::default() };
    let mut trainer = Trainer::new(Twenty48::<16>::new(Shape::FOUR), method, 1, 1);
    println!("{name}");
    for _ in 0..5 {
        let sum = Sum::default();
        trainer.round(&learner, 1_000, &sum);
        let progress = trainer.progress();
        let average = sum.0.load(Relaxed) / 1_000;
        println!("games {:>5}, moves {:>8}: average {average:>6}", progress.games, progress.moves);
    }
}
