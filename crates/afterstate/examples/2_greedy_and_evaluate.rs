//! Simple players, and how to say how good one is: many games, a mean and its error.
//!
//! `cargo run --release --example 2_greedy_and_evaluate -p afterstate`

#![allow(clippy::print_stdout, missing_docs)]

use afterstate::evaluate::{Plan, Summary, evaluate};
use afterstate::game::{Game, twenty48::Twenty48};
use afterstate::grid::Shape;
use afterstate::player::{Choice, CornerPlayer, GreedyPlayer, Player, RandomPlayer, legal};

/// A player of our own: the slide that leaves the most empty cells, the first of equals.
#[derive(Clone, Copy)]
struct RoomPlayer;

impl<G: Game> Player<G> for RoomPlayer {
    fn choose(&mut self, game: &G, state: &G::State) -> Option<Choice<G::Afterstate>> {
        let room = |choice: &Choice<G::Afterstate>| {
            let cells = &game.view(&choice.slide.afterstate).cells[..game.shape().cells()];
            cells.iter().filter(|&&rank| rank == 0).count()
        };
        legal(game, state).reduce(|best, next| if room(&next) > room(&best) { next } else { best })
    }
}

fn main() {
    println!("player    score, 95 % interval of the mean   moves   reached 512");
    report("random", RandomPlayer::default);
    report("greedy", || GreedyPlayer);
    report("corner", CornerPlayer::default);
    report("room", || RoomPlayer);
}

/// Plays 2,000 games; whichever thread plays it, game number i has the same luck.
fn report<P: Player<Twenty48<16>>>(name: &str, player: impl Fn() -> P + Sync) {
    let game = Twenty48::<16>::new(Shape::FOUR);
    let plan = Plan { threads: 2, ..Plan::new(2_000, 1) };
    let played = evaluate(&game, player, &plan, &());
    let summary = Summary::of(&game, &played).expect("at least one game");
    let interval = summary.score.moments.ci95().expect("at least two games");
    let reached = summary.tiles[8].reached; // rank 9, the tile 512
    println!(
        "{name:<8} {:>7.1}  [{:.1}, {:.1}] {:>17.1} {:>12.1} %",
        summary.score.moments.mean(),
        interval.low,
        interval.high,
        summary.moves.moments.mean(),
        100.0 * reached.rate(),
    );
}
