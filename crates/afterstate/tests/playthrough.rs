//! One recorded game per kind of game, compared line by line.
//!
//! A change of rules, of chance or of the random numbers shows here, and so does the exact
//! move at which it starts. If the change is meant, the version in the game's name changes
//! with it; `PLAYTHROUGH=write cargo test -p afterstate --test playthrough` records anew.

mod kit;

use afterstate::game::threes::{Rules, Threes};
use afterstate::game::twenty48::{SpawnTable, Twenty48};
use afterstate::game::{Game, notation};
use afterstate::grid::Shape;
use afterstate::random::Random;
use std::fmt::Write as _;

/// The game of seed 1 under the corner policy: number, move, score, and the state after it.
fn record<G: Game>(game: &G) -> String {
    let (start, steps) = kit::play(game, &mut Random::new(1), 100_000, kit::corner);
    let mut score = game.start_score(&start);
    let mut text = format!("{}\n0 start {score} {}\n", game.id(), notation::write(game, &start));
    for (i, step) in steps.iter().enumerate() {
        score += step.slide.reward + step.chance_reward;
        writeln!(text, "{} {} {score} {}", i + 1, step.direction, notation::write(game, &step.next)).unwrap();
    }
    text
}

fn compare<G: Game>(name: &str, game: &G) {
    let path = format!("{}/tests/data/playthrough/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let found = record(game);
    if std::env::var("PLAYTHROUGH").as_deref() == Ok("write") {
        std::fs::write(&path, &found).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    let expected = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{path}: {error}; record it with PLAYTHROUGH=write"));
    for (number, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "line {} of {name}", number + 1);
    }
    assert_eq!(found.lines().count(), expected.lines().count(), "lines of {name}");
}

#[test]
fn of_2048() {
    compare("2048-4x4", &Twenty48::<16>::new(Shape::FOUR));
    // The same game on the general board: the same record to the letter.
    compare("2048-4x4", &Twenty48::<64>::new(Shape::FOUR));
}

#[test]
fn of_1024() {
    compare("1024-4x4", &Twenty48::<16>::halved(Shape::FOUR));
}

#[test]
fn of_2048_on_other_boards() {
    compare("2048-2x3", &Twenty48::<16>::new(Shape::new(2, 3).unwrap()));
    compare("2048-3x6", &Twenty48::<64>::new(Shape::new(3, 6).unwrap()));
}

#[test]
fn of_a_variant() {
    let spawn = SpawnTable::parse("2:.6,4:.3,8:.1").unwrap();
    let game = Twenty48::<16> { spawn, cap_rank: 6, start_tiles: 4, ..Twenty48::new(Shape::FOUR) };
    compare("2048-4x4-variant", &game);
}

#[test]
fn of_threes() {
    for (name, rules) in
        [("threes", Rules::PAPER), ("threes-app", Rules::APP), ("threes-course", Rules::COURSE)]
    {
        compare(&format!("{name}-4x4"), &Threes::<16>::new(Shape::FOUR, rules));
        compare(&format!("{name}-4x4"), &Threes::<64>::new(Shape::FOUR, rules));
    }
    compare("threes-course-2x3", &Threes::<16>::new(Shape::new(2, 3).unwrap(), Rules::COURSE));
    compare("threes-3x3", &Threes::<16>::new(Shape::new(3, 3).unwrap(), Rules::PAPER));
}
