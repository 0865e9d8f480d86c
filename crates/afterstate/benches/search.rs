//! Moves per second of a searching player on 4×4, one thread, at 1-, 2- and 3-ply.
//!
//! ```sh
//! cargo bench -p afterstate --bench search                # a 4×6 network that knows nothing
//! cargo bench -p afterstate --bench search -- MODEL [PLY] # a model file
//! ```
#![allow(clippy::print_stdout)]

use afterstate::game::Game;
use afterstate::game::twenty48::Twenty48;
use afterstate::grid::Shape;
use afterstate::network::{Network, Structure, file};
use afterstate::player::{Player, SearchPlayer};
use afterstate::random::Random;
use afterstate::search::Limits;
use std::time::Instant;

/// Moves of one round, by ply.
const MOVES: [u64; 3] = [400_000, 40_000, 2_000];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let network = match words.first().map(String::as_str) {
        None | Some("-") => Network::new(Structure::tuples(Shape::FOUR, "4x6", 16).expect("a network")),
        Some(path) => {
            let mut input = std::fs::File::open(path).expect("a file that can be read");
            file::read(&mut input).expect("a model").network
        }
    };
    let plies = words.get(1).map_or(vec![1, 2, 3], |ply| vec![ply.parse().expect("1, 2 or 3")]);
    let rounds = words.get(2).map_or(5, |rounds| rounds.parse().expect("a number"));
    for ply in plies {
        let mut rates: Vec<f64> = (0..rounds).map(|_| rate(&network, ply)).collect();
        rates.sort_by(f64::total_cmp);
        println!(
            "{ply}-ply {:.0} moves/s, best {:.0} , median and best of {rounds}",
            rates[rounds / 2],
            rates[rounds - 1]
        );
    }
}

/// Moves per second of a number of moves, over as many games as they take.
fn rate(network: &Network, ply: u8) -> f64 {
    let game = Twenty48::<16>::new(Shape::FOUR);
    let mut player = SearchPlayer::new(network, Limits::ply(ply));
    let most = MOVES[usize::from(ply - 1)];
    let mut moves = 0;
    let start = Instant::now();
    for number in 0.. {
        let mut random = Random::stream(1, number);
        let mut state = game.start(&mut random);
        player.begin(&game, random.clone());
        while let Some(choice) = player.choose(&game, &state) {
            moves += 1;
            if moves == most {
                return most as f64 / start.elapsed().as_secs_f64();
            }
            state = game.spawn(&choice.slide.afterstate, &mut random).state;
        }
    }
    unreachable!("games have moves")
}
