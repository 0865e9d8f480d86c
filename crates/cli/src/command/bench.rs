//! `bench`: a fixed workload, timed, and the signature.

use crate::terminal::short;
use crate::{cli, output, wire};
use afterstate::evaluate::{Plan, evaluate};
use afterstate::game::Game;
use afterstate::game::catalogue::GameSpec;
use afterstate::game::twenty48::Twenty48;
use afterstate::grid::Shape;
use afterstate::learn::Learner;
use afterstate::learn::step_size::{StepRule, StepSize};
use afterstate::learn::target::Target;
use afterstate::network::{Network, Structure};
use afterstate::player::{GreedyPlayer, Player, RandomPlayer, SearchPlayer};
use afterstate::random::Random;
use afterstate::search::Limits;
use afterstate::signature::signature;
use afterstate::train::{Method, Trainer};
use afterstate_lab::{compat, model_source};
use anyhow::Context;
use std::time::Instant;

/// Games of training before the clock starts, and while it runs.
const GAMES: [u64; 2] = [200, 400];

pub(crate) fn run(args: &cli::Bench) -> anyhow::Result<()> {
    let four = GameSpec::parse("2048").context("the catalogue knows 2048")?;
    let given = match &args.model {
        Some(path) => {
            let model = model_source::load(path)?;
            let own = compat::own_game(&model);
            Some(compat::adapt(model.network, &own, &four).map_err(crate::failure::usage)?)
        }
        None => None,
    };
    let (trained, train_moves_per_second) = training_speed()?;
    let network = given.unwrap_or(trained);
    let speed = |(ply, moves)| (ply, search_speed(&network, ply, moves));
    let answer = wire::Bench {
        signature: format!("{:016x}", signature()),
        train_moves_per_second,
        evaluate_moves_per_second: evaluation_speed(),
        search: [(1, 50_000), (2, 5_000), (3, 300)].map(speed).into(),
    };
    if args.json {
        return output::json(&answer);
    }
    let mut text = format!(
        "signature    {}\ntraining     {} moves per second (4x6 network, temporal coherence)\n\
         evaluation   {} moves per second (random and greedy player)\n",
        answer.signature,
        short(answer.train_moves_per_second),
        short(answer.evaluate_moves_per_second)
    );
    let who = if args.model.is_some() { "the model" } else { "the network just trained" };
    for (ply, speed) in &answer.search {
        text += &format!("{ply}-ply search {} moves per second ({who})\n", short(*speed));
    }
    output::text(&(text + "all on 4x4 2048 with one thread\n"))
}

fn four() -> Twenty48<16> {
    Twenty48::new(Shape::FOUR)
}

/// Trains the 4×6 network by TC(0) from zero, one thread, always the same games; gives it back with
/// the speed.
fn training_speed() -> anyhow::Result<(Network, f64)> {
    let network = Network::new(Structure::tuples(Shape::FOUR, "4x6", 16)?);
    let step_size = StepSize::new(StepRule::Coherence { beta: 1.0, kept: 1.0 }, &network);
    let learner = Learner { network, step_size };
    let method = Method { target: Target::td0(), ..Method::default() };
    let mut trainer = Trainer::new(four(), method, 1, 1);
    trainer.round(&learner, GAMES[0], &());
    let before = trainer.progress().moves;
    let start = Instant::now();
    trainer.round(&learner, GAMES[1], &());
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    Ok((learner.network, (trainer.progress().moves - before) as f64 / seconds))
}

/// Moves per second of one thread that plays the same games every time.
fn evaluation_speed() -> f64 {
    let plan = Plan::new(5_000, 1);
    let start = Instant::now();
    let random = evaluate(&four(), RandomPlayer::default, &plan, &());
    let greedy = evaluate(&four(), || GreedyPlayer, &plan, &());
    let moves: u64 = random.iter().chain(&greedy).map(|played| played.moves).sum();
    moves as f64 / start.elapsed().as_secs_f64().max(1e-9)
}

/// Moves per second of the network on the states of fixed games, without a table.
fn search_speed(network: &Network, ply: u8, moves: usize) -> f64 {
    let game = four();
    let mut player = SearchPlayer::new(network, Limits::ply(ply));
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
