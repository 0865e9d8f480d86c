//! An exact solution as an oracle: how far from perfect is a learner on 2×3, not sampled but
//! computed?
//!
//! `cargo run --release --example 6_solve -p afterstate` (a few seconds)

#![allow(clippy::print_stdout, missing_docs)]

use afterstate::game::{Game, twenty48::Twenty48};
use afterstate::grid::{Direction, Shape};
use afterstate::learn::Learner;
use afterstate::learn::greedy::ValueKind;
use afterstate::learn::start::{Start, StartPoint};
use afterstate::learn::step_size::{StepRule, StepSize};
use afterstate::network::{Network, Structure};
use afterstate::player::{NetworkPlayer, Player};
use afterstate::random::Random;
use afterstate::solve::{Solution, SolveOptions, solve};
use afterstate::train::{Method, Trainer};
use std::collections::HashMap;

type Small = Twenty48<16>;
type State = <Small as Game>::State;

fn main() {
    let game = Small::new(Shape::new(2, 3).expect("a board"));

    // 1. The oracle.
    let solution = solve(&game, &SolveOptions::default()).expect("a small board");
    let known = solution.summary();
    println!("{} states; perfect play {:.3}, random play {:.3}", known.states, known.optimal, known.random);

    // 2. Games from everywhere the oracle knows, in a shuffled order: nothing stays unseen.
    let mut states: Vec<State> = solution.states().filter(|state| !game.is_over(state)).collect();
    let mut random = Random::new(1);
    (1..states.len()).rev().for_each(|i| states.swap(i, random.below(i as u64 + 1) as usize));
    let everywhere =
        Start::Boards(states.iter().map(|&state| StartPoint { state, stage: 0, score: 0 }).collect());

    // 3. A network of one tuple of all six cells can tell all positions apart; optimism tries every
    //    move. It learns in phases, each going on from the weights of the one before: first large
    //    steps by coherence, then small fixed ones that average out what is left of luck.
    let mut network = Network::new(Structure::tuples(game.shape, "012345", 8).expect("six cells"));
    network.fill(600.0);
    let coherence = StepRule::Coherence { beta: 0.25, kept: 1.0 };
    let fixed = |per_weight| StepRule::Fixed { per_weight };
    println!("games from  step         exact worth   of perfect   best moves");
    for (seed, (name, start, kind, games)) in [
        ("the start", Start::Fresh, coherence, 20_000),
        ("everywhere", everywhere.clone(), coherence, 300_000),
        ("everywhere", everywhere, fixed(0.02), 100_000),
        ("the start", Start::Fresh, fixed(0.01), 30_000),
    ]
    .into_iter()
    .enumerate()
    {
        let step_size = StepSize::new(kind, &network);
        let learner = Learner { network, step_size };
        let method = Method { start, ..Method::default() };
        Trainer::new(game.clone(), method, 1, seed as u64).round(&learner, games, &());
        network = learner.network;

        let worth = exact_worth(&game, &network);
        let right = states.iter().filter(|state| is_best(&game, &network, &solution, state)).count();
        println!(
            "{name:<11} {:<12} {worth:>11.3} {:>10.2} % {:>10.2} %",
            if kind == coherence { "coherence" } else { "fixed" },
            100.0 * worth / known.optimal,
            100.0 * right as f64 / states.len() as f64,
        );
    }
}

fn choose(game: &Small, network: &Network, state: &State) -> Option<Direction> {
    NetworkPlayer::new(network, ValueKind::Afterstates).choose(game, state).map(|choice| choice.direction)
}

/// True if the learner's move is worth as much as the oracle's.
fn is_best(game: &Small, network: &Network, solution: &Solution<Small>, state: &State) -> bool {
    let worth = |direction: Direction| {
        let slide = game.slide(state, direction)?;
        Some(slide.reward as f64 + solution.afterstate_value(&slide.afterstate)?.optimal)
    };
    let best = solution.best(state).and_then(worth);
    let mine = choose(game, network, state).and_then(worth);
    matches!((mine, best), (Some(mine), Some(best)) if mine >= best - 1e-9)
}

/// The expected score of greedy play from the start, by going through all positions it can meet.
fn exact_worth(game: &Small, network: &Network) -> f64 {
    let mut known = HashMap::new();
    let (mut sum, mut all) = (0.0, 0.0);
    game.starts(&mut |state, ways| {
        sum += ways as f64 * worth(game, network, &state, &mut known);
        all += ways as f64;
    });
    sum / all
}

fn worth(game: &Small, network: &Network, state: &State, known: &mut HashMap<State, f64>) -> f64 {
    if let Some(&worth) = known.get(state) {
        return worth;
    }
    let slide = choose(game, network, state).and_then(|direction| game.slide(state, direction));
    let value = slide.map_or(0.0, |slide| {
        let mut sum = 0.0;
        game.outcomes(&slide.afterstate, |outcome| {
            sum += outcome.ways as f64 * worth(game, network, &outcome.state, known);
        });
        slide.reward as f64 + sum / game.ways(&slide.afterstate) as f64
    });
    known.insert(*state, value);
    value
}
