//! `bench`: a fixed workload, timed, and the signature.

use crate::terminal::short;
use crate::{cli, output, wire};
use afterstate::evaluate::{Plan, evaluate};
use afterstate::game::Game;
use afterstate::game::twenty48::Twenty48;
use afterstate::grid::Shape;
use afterstate::lookahead::SearchPlayer;
use afterstate::player::{GreedyPlayer, Player, RandomPlayer};
use afterstate::random::Random;
use afterstate::search::Limits;
use afterstate::search::heuristic::Heuristic;
use afterstate::signature::signature;
use std::time::Instant;

pub(crate) fn run(args: &cli::Bench) -> anyhow::Result<()> {
    let answer = wire::Bench {
        signature: format!("{:016x}", signature()),
        evaluate_moves_per_second: evaluation_speed(),
        search: [(1, 8_000), (2, 2_000), (3, 200)].map(|(ply, moves)| (ply, search_speed(ply, moves))).into(),
    };
    if args.json {
        return output::json(&answer);
    }
    let mut text = format!(
        "signature    {}\nevaluation   {} moves per second (random and greedy player)\n",
        answer.signature,
        short(answer.evaluate_moves_per_second)
    );
    for (ply, speed) in &answer.search {
        text += &format!("{ply}-ply search {} moves per second (heuristic player)\n", short(*speed));
    }
    output::text(&(text + "all on 4x4 2048 with one thread\n"))
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

/// Moves per second of the heuristic player on the states of one fixed game, without a table.
fn search_speed(ply: u8, moves: usize) -> f64 {
    let game = Twenty48::<16>::new(Shape::FOUR);
    let judge = Heuristic::tuned(game.shape);
    let mut player = SearchPlayer::new(&judge, Limits::ply(ply));
    let mut random = Random::new(1);
    let mut state = game.start(&mut random);
    let start = Instant::now();
    for _ in 0..moves {
        state = match player.choose(&game, &state) {
            Some(choice) => game.spawn(&choice.slide.afterstate, &mut random).state,
            None => game.start(&mut random),
        };
    }
    moves as f64 / start.elapsed().as_secs_f64().max(1e-9)
}
