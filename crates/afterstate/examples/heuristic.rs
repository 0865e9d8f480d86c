//! Games of the heuristic expectimax on a board, with the average and its 95 % interval.
//!
//! `cargo run --release --example heuristic -- ROWSxCOLS GAMES PLY CUT_OFF [part=weight]…
//! [published]`

#![allow(clippy::print_stdout, missing_docs)]

use afterstate::game::{Game, twenty48::Twenty48};
use afterstate::grid::Shape;
use afterstate::player::{Player, SearchPlayer};
use afterstate::random::Random;
use afterstate::search::heuristic::{Heuristic, MayerHirshfeld, Weights};
use afterstate::search::{Limits, TranspositionTable};
use afterstate::value::Value;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let sides: Vec<usize> = arguments[0].split('x').map(|n| n.parse().expect("a number")).collect();
    let shape = Shape::new(sides[0], sides[1]).expect("a board");
    let games: u64 = arguments[1].parse().expect("a number of games");
    let mut limits = Limits::ply(arguments[2].parse().expect("a ply"));
    limits.cut_off = arguments[3].parse().expect("a probability");
    limits.any_probability_hits = true;
    let published = arguments.iter().any(|a| a == "published");
    let mut weights = if published { Weights::PLAIN } else { Weights::tuned(shape) };
    for (part, weight) in arguments.iter().filter_map(|a| a.split_once('=')) {
        let weight: f32 = weight.parse().expect("a weight");
        match part {
            "empty" => weights.empty = weight,
            "merge" => weights.merge = weight,
            "monotone" => weights.monotone = weight,
            "monotone_power" => weights.monotone_power = weight,
            "corner" => weights.corner = weight,
            "tile" => weights.tile = weight,
            "tile_power" => weights.tile_power = weight,
            "end" => weights.end = weight,
            _ => panic!("no part {part}"),
        }
    }
    let heuristic = Heuristic::new(shape, weights);
    match (shape.cells() <= 16, published) {
        (true, true) => play::<16>(shape, &MayerHirshfeld(heuristic), &limits, games),
        (true, false) => play::<16>(shape, &heuristic, &limits, games),
        (false, true) => play::<64>(shape, &MayerHirshfeld(heuristic), &limits, games),
        (false, false) => play::<64>(shape, &heuristic, &limits, games),
    }
}

fn play<const N: usize>(shape: Shape, leaf: &impl Value<Twenty48<N>>, limits: &Limits<'_>, games: u64) {
    let game = Twenty48::<N>::new(shape);
    let table = TranspositionTable::new(1 << 24);
    let mut player = SearchPlayer::new(leaf, limits.clone()).with_table(&table);
    let mut scores = Vec::new();
    let mut largest = Vec::new();
    let mut moves = 0u64;
    let begin = Instant::now();
    for number in 0..games {
        let mut random = Random::stream(7, number);
        player.begin(&game, random.clone());
        let mut state = game.start(&mut random);
        let mut score = 0;
        while let Some(choice) = player.choose(&game, &state) {
            score += choice.slide.reward;
            moves += 1;
            state = game.spawn(&choice.slide.afterstate, &mut random).state;
        }
        scores.push(score as f64);
        largest.push(state.0.max_rank());
    }
    let n = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / n;
    let variance = scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    largest.sort_unstable();
    println!(
        "{mean:.0} ± {:.0} ({games} games), largest tile median 2^{}, best 2^{}, {:.0} moves/s wall clock",
        1.96 * (variance / n).sqrt(),
        largest[largest.len() / 2],
        largest[largest.len() - 1],
        moves as f64 / begin.elapsed().as_secs_f64()
    );
}
