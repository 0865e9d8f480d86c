//! Moves per second of a searching player with a 4×6 network, at 1-, 2- and 3-ply, with leaves judged per move.
//!
//! ```sh
//! cargo bench -p afterstate --bench search                # a network that learned for a few seconds
//! cargo bench -p afterstate --bench search -- MODEL [PLY] # a model file
//! ```
#![allow(clippy::print_stdout)]

use afterstate::game::Game;
use afterstate::game::twenty48::Twenty48;
use afterstate::grid::Shape;
use afterstate::lookahead::SearchPlayer;
use afterstate::network::{Network, file};
use afterstate::player::Player;
use afterstate::random::Random;
use afterstate::search::{Limits, Points};
use std::time::Instant;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let path = words.first().expect("path");
    let network: Network =
        file::read(&mut std::fs::File::open(path).expect("a file")).expect("a model").network;
    let plies: Vec<u8> = match words.get(1) {
        Some(ply) => vec![ply.parse().expect("a number")],
        None => vec![1, 2, 3],
    };
    let rounds: u64 = words.get(2).map_or(3, |w| w.parse().unwrap());
    let game = Twenty48::<16>::new(Shape::FOUR);
    let leaf = Points(&network);
    for ply in plies {
        let mut rates = Vec::new();
        let mut leaves = 0.0;
        for _ in 0..rounds {
            let mut player = SearchPlayer::new(&leaf, Limits::ply(ply));
            let mut moves = 0u64;
            let most = [400_000, 40_000, 2_000][usize::from(ply - 1)];
            let mut total = 0u64;
            let mut score = 0;
            let start = Instant::now();
            'games: for number in 0.. {
                let mut random = Random::stream(1, number);
                let mut state = game.start(&mut random);
                player.begin(&game, random.clone());
                while let Some(choice) = player.choose(&game, &state) {
                    moves += 1;
                    score += choice.slide.reward;
                    if moves == most {
                        break 'games;
                    }
                    state = game.spawn(&choice.slide.afterstate, &mut random).state;
                }
            }
            rates.push(moves as f64 / start.elapsed().as_secs_f64());
            total += score;
            leaves = total as f64;
        }
        rates.sort_by(f64::total_cmp);
        println!(
            "{ply}-ply {:.0} moves/s  best {:.0} score {}",
            rates[rates.len() / 2],
            rates[rates.len() - 1],
            leaves
        );
    }
}
