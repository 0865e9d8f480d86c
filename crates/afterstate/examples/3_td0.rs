//! TD(0) of afterstates, written out: the network plays greedily and learns from its own next
//! opinion.
//!
//! `cargo run --release --example 3_td0 -p afterstate` (10 to 20 seconds)

#![allow(clippy::print_stdout, missing_docs)]

use afterstate::game::{Game, twenty48::Twenty48};
use afterstate::grid::Shape;
use afterstate::network::{Active, Network, Structure};
use afterstate::player::{Choice, legal};
use afterstate::random::Random;

/// Per weight: each of the m active weights moves by this share of the error.
const ALPHA: f32 = 0.0025;

type Board = Twenty48<16>;
type Move = Choice<<Board as Game>::Afterstate>;

fn main() {
    let game = Board::new(Shape::FOUR);
    let network = Network::new(Structure::tuples(Shape::FOUR, "4x6", 16).expect("a known set"));
    println!("4x6: {} weights, m = {} of them active", network.structure().weights(), network.active());
    let mut random = Random::new(1);
    for round in 1..=16 {
        let (games, mut sum, mut wins) = (1_000u32, 0, 0);
        for _ in 0..games {
            let (score, largest) = learn_a_game(&game, &network, &mut random);
            sum += score;
            wins += u32::from(largest >= game.win_rank());
        }
        let rate = 100.0 * f64::from(wins) / f64::from(games);
        println!("games {:>5}: average {:>6}, 2048 in {rate:.1} %", round * games, sum / u64::from(games));
    }
}

/// Plays one game and learns from it, one step behind play; returns score and largest rank.
fn learn_a_game(game: &Board, network: &Network, random: &mut Random) -> (u64, u8) {
    let mut state = game.start(random);
    let mut score = 0;
    let (mut last, mut next) = (Active::default(), Active::default()); // φ of s′ and of the s′ that follows
    let mut begun = false;
    while let Some((choice, value)) = best(game, network, &state, &mut next) {
        score += choice.slide.reward;
        if begun {
            // δ = r_next + V(s′_next) − V(s′);   θ[φ] += α δ
            let error = choice.slide.reward as f32 + value - network.sum(&last);
            network.add(&last, ALPHA * error);
        }
        std::mem::swap(&mut last, &mut next);
        begun = true;
        state = game.spawn(&choice.slide.afterstate, random).state;
    }
    // Nothing comes after the last afterstate: its target is 0.
    let error = 0.0 - network.sum(&last);
    network.add(&last, ALPHA * error);
    (score, state.0.max_rank())
}

/// The slide with the largest r + V(s′) and its V(s′); its active entries are left in `kept`.
fn best(
    game: &Board,
    network: &Network,
    state: &<Board as Game>::State,
    kept: &mut Active,
) -> Option<(Move, f32)> {
    let mut best: Option<(Move, f32)> = None;
    let mut active = Active::default();
    for choice in legal(game, state) {
        network.activate(&game.view(&choice.slide.afterstate), 0, &mut active);
        let value = network.sum(&active);
        let worth = |(choice, value): (Move, f32)| choice.slide.reward as f32 + value;
        if best.is_none_or(|so_far| worth((choice, value)) > worth(so_far)) {
            best = Some((choice, value));
            std::mem::swap(kept, &mut active);
        }
    }
    best
}
