//! A game played at random, drawn: state, slide, afterstate, chance.
//!
//! `cargo run --release --example 1_play -p afterstate`

#![allow(clippy::print_stdout, missing_docs)]

use afterstate::game::{Game, notation, twenty48::Twenty48};
use afterstate::grid::{Direction, Shape};
use afterstate::random::Random;

fn main() {
    let game = Twenty48::<16>::new(Shape::FOUR);
    let mut random = Random::new(2048); // all chance: the same seed gives the same game
    let mut state = game.start(&mut random);
    let (mut score, mut moves) = (0, 0);
    println!(
        "The start, {}:\n{}",
        notation::write(&game, &state),
        drawn(&game, game.state_view(&state).cells)
    );

    loop {
        // 1. The player: any slide that moves something.
        let slides = game.slides(&state);
        let legal: Vec<Direction> =
            Direction::ALL.into_iter().filter(|&direction| slides[direction as usize].is_some()).collect();
        if legal.is_empty() {
            break;
        }
        let direction = legal[random.below(legal.len() as u64) as usize];
        let slide = slides[direction as usize].expect("a legal slide");
        score += slide.reward;
        moves += 1;

        // 2. Chance: one of the outcomes, each as likely as its share of the ways.
        let outcome = game.spawn(&slide.afterstate, &mut random);
        state = outcome.state;

        if moves <= 3 {
            let after = drawn(&game, game.view(&slide.afterstate).cells);
            println!("Move {moves}, {}, earns {} and leads to\n{after}", direction.name(), slide.reward);
            let ways = game.ways(&slide.afterstate);
            println!("and chance, by {} of {ways} ways, to\n{}", outcome.ways, drawn(&game, &state.0.0));
        }
    }
    println!("After {moves} moves nothing moves any more:\n{}", drawn(&game, &state.0.0));
    println!("Score {score}. Try another seed.");
}

/// The board as people know it.
fn drawn(game: &Twenty48<16>, cells: &[u8]) -> String {
    let cell =
        |&rank: &u8| if rank == 0 { format!("{:>6}", ".") } else { format!("{:>6}", game.label(rank)) };
    let row = |ranks: &[u8]| ranks.iter().map(cell).collect::<String>() + "\n";
    cells[..game.shape.cells()].chunks(game.shape.cols()).map(row).collect()
}
