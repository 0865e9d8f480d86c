//! `bench`: a fixed workload, timed, and the signature.

use crate::terminal::short;
use crate::{cli, output, wire};
use afterstate::evaluate::{Plan, evaluate};
use afterstate::game::twenty48::Twenty48;
use afterstate::grid::Shape;
use afterstate::player::{GreedyPlayer, RandomPlayer};
use afterstate::signature;
use std::time::Instant;

pub(crate) fn run(args: &cli::Bench) -> anyhow::Result<()> {
    let signature = format!("{:016x}", signature::rules());
    let answer = wire::Bench { signature, evaluate_moves_per_second: evaluation_speed() };
    if args.json {
        return output::json(&answer);
    }
    output::text(&format!(
        "signature   {}\nevaluation  {} moves per second (random and greedy player, 4x4, one thread)\n",
        answer.signature,
        short(answer.evaluate_moves_per_second)
    ))
}

/// Moves per second of one thread that plays the same games every time.
fn evaluation_speed() -> f64 {
    let game = Twenty48::<16>::new(Shape::FOUR);
    let plan = Plan::new(5_000, 1);
    let start = Instant::now();
    let random = evaluate(&game, RandomPlayer::default, &plan, &());
    let greedy = evaluate(&game, || GreedyPlayer, &plan, &());
    let moves: u64 = random.iter().chain(&greedy).map(|played| played.moves).sum();
    moves as f64 / start.elapsed().as_secs_f64().max(1e-9)
}
