//! Expectimax with what was just learned: the same weights play better when they look further.
//!
//! `cargo run --release --example 5_search -p afterstate` (about half a minute)

#![allow(clippy::print_stdout, missing_docs)]

use afterstate::evaluate::{Plan, Summary, evaluate};
use afterstate::game::twenty48::Twenty48;
use afterstate::grid::Shape;
use afterstate::learn::Learner;
use afterstate::learn::step_size::{StepRule, StepSize};
use afterstate::learn::target::Target;
use afterstate::network::{Network, Structure};
use afterstate::player::SearchPlayer;
use afterstate::search::Limits;
use afterstate::train::{Method, Trainer};

fn main() {
    let game = Twenty48::<16>::new(Shape::FOUR);

    // 1. Learn as in example 4.
    let network = Network::new(Structure::tuples(Shape::FOUR, "4x6", 16).expect("a known set"));
    let step_size = StepSize::new(StepRule::Coherence { beta: 1.0, kept: 1.0 }, &network);
    let learner = Learner { network, step_size };
    let method = Method { target: Target::Backward { lambda: 0.5 }, ..Method::default() };
    Trainer::new(game.clone(), method, 1, 1).round(&learner, 5_000, &());

    // 2. Play without learning. p-ply: p of our moves with chance between them, V at the leaves.
    println!("ply  games  average ± half its 95 % interval   2048 reached");
    for (ply, games) in [(1, 200), (2, 100), (3, 20)] {
        let player = || SearchPlayer::new(&learner.network, Limits::ply(ply));
        let plan = Plan { threads: 2, ..Plan::new(games, 7) };
        let played = evaluate(&game, player, &plan, &());
        let summary = Summary::of(&game, &played).expect("at least one game");
        let margin = summary.score.moments.ci95().expect("at least two games").margin();
        let (mean, win) = (summary.score.moments.mean(), 100.0 * summary.win.rate());
        println!("{ply:>3}  {games:>5}  {mean:>7.0} ± {margin:<6.0} {win:>23.0} %");
    }
}
