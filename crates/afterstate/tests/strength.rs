//! Strength of the classic recipes on 4×4: minutes of learning, only with `./test --long`.

use afterstate::evaluate::{Plan, Summary, evaluate};
use afterstate::game::twenty48::Twenty48;
use afterstate::grid::Shape;
use afterstate::learn::Learner;
use afterstate::learn::greedy::ValueKind;
use afterstate::learn::step_size::{StepRule, StepSize};
use afterstate::learn::target::Target;
use afterstate::network::{Network, Structure};
use afterstate::player::NetworkPlayer;
use afterstate::train::{Method, Trainer};

/// The average of 2,000 greedy games after learning on one thread with the 4×6 network.
fn average(target: Target, step: StepRule, games: u64, seed: u64) -> f64 {
    let game = Twenty48::<16>::new(Shape::FOUR);
    let network = Network::new(Structure::tuples(Shape::FOUR, "4x6", 16).unwrap());
    let step_size = StepSize::new(step, &network);
    let learner = Learner { network, step_size };
    let method = Method { target, ..Method::default() };
    Trainer::new(game.clone(), method, 1, seed).round(&learner, games, &());
    let player = || NetworkPlayer::new(&learner.network, ValueKind::Afterstates);
    let played = evaluate(&game, player, &Plan { threads: 2, ..Plan::new(2_000, 1) }, &());
    Summary::of(&game, &played).unwrap().score.moments.mean()
}

#[test]
fn backward_coherence_passes_80000_after_20000_games() {
    let mean =
        average(Target::Backward { lambda: 0.5 }, StepRule::Coherence { beta: 1.0, kept: 1.0 }, 20_000, 1);
    assert!(mean >= 80_000.0, "{mean}");
}

#[test]
fn td0_passes_60000_after_100000_games() {
    // Runs differ by a thousand points, more than the games of one run tell: the mean of three is
    // asked for.
    let runs =
        [1, 2, 3].map(|seed| average(Target::td0(), StepRule::Fixed { per_weight: 0.0025 }, 100_000, seed));
    let mean = runs.iter().sum::<f64>() / 3.0;
    assert!(mean >= 60_000.0, "{runs:?}");
}
