//! Stages: once a 1024 is on the board, the game is another one, and gets weights of its own.
//!
//! What a stage has not learned yet it reads from the one before (weight promotion, Jaśkowski
//! 2016).
//!
//! `cargo run --release --example 7_stages -p afterstate` (about half a minute)

#![allow(clippy::print_stdout, missing_docs)]

use afterstate::evaluate::{Plan, Summary, evaluate};
use afterstate::game::{Game, twenty48::Twenty48};
use afterstate::grid::Shape;
use afterstate::learn::Learner;
use afterstate::learn::greedy::ValueKind;
use afterstate::learn::step_size::{StepRule, StepSize};
use afterstate::learn::target::Target;
use afterstate::network::stage::Stages;
use afterstate::network::{Network, Structure};
use afterstate::player::NetworkPlayer;
use afterstate::train::{Method, Trainer};

fn main() {
    let game = Twenty48::<16>::new(Shape::FOUR);
    let rank = game.rank_of(1024).expect("a tile of the game");
    // A stage begins when its tiles are there, and never goes back: the second from 1024, the third
    // from 1024 + 512.
    let three = Stages::new(vec![vec![rank], vec![rank, rank - 1]]).promoting(|_| true);

    println!("stages   weights     games  average ± half its 95 % interval   2048 reached");
    for stages in [Stages::default(), three] {
        let mut structure = Structure::tuples(Shape::FOUR, "4x6", 16).expect("a known set");
        structure.stages = stages;
        let network = Network::new(structure);
        let step_size = StepSize::new(StepRule::Coherence { beta: 1.0, kept: 1.0 }, &network);
        let learner = Learner { network, step_size };
        let method = Method { target: Target::Backward { lambda: 0.5 }, ..Method::default() };
        let mut trainer = Trainer::new(game.clone(), method, 1, 1);
        for _ in 0..3 {
            trainer.round(&learner, 2_000, &());
            let network = &learner.network;
            // The player keeps the stage of its game, as the trainer does.
            let player = || NetworkPlayer::new(network, ValueKind::Afterstates);
            let played = evaluate(&game, player, &Plan { threads: 2, ..Plan::new(300, 7) }, &());
            let summary = Summary::of(&game, &played).expect("at least one game");
            let score = &summary.score.moments;
            println!(
                "{:>6} {:>11} {:>7}  {:>7.0} ± {:<6.0} {:>23.0} %",
                network.structure().stages.count(),
                network.structure().weights(),
                trainer.progress().games,
                score.mean(),
                score.ci95().expect("at least two games").margin(),
                100.0 * summary.win.rate()
            );
        }
    }
}
