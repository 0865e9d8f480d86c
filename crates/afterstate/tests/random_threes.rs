//! Uniform random play of Threes by the library and by the slow reference: the same average score.

#[allow(dead_code)]
#[path = "reference/threes.rs"]
mod reference;

use afterstate::evaluate::{Plan, Summary, evaluate};
use afterstate::game::threes::{Rules, Threes};
use afterstate::grid::Shape;
use afterstate::player::RandomPlayer;
use afterstate::random::Random;
use reference::{Position, Version, draws, full, outcomes, slide, tile_score};

/// Picks from a list by exact fractions.
fn pick<T>(list: Vec<(T, reference::Fraction)>, random: &mut Random) -> T {
    let mut left = random.unit();
    let last = list.len() - 1;
    for (i, (item, reference::Fraction(part, whole))) in list.into_iter().enumerate() {
        left -= part as f64 / whole as f64;
        if left < 0.0 || i == last {
            return item;
        }
    }
    unreachable!("a list of nothing")
}

/// Nine tiles of the bag on nine random cells, then the first announcement.
fn deal(version: Version, random: &mut Random) -> Position {
    let mut position =
        Position { grid: vec![vec![0; 4]; 4], bag: full(version), next: Vec::new(), bonuses: 0, draws: 0 };
    for _ in 0..9 {
        position = pick(draws(version, &position), random);
        let empty: Vec<usize> = (0..16).filter(|cell| position.grid[cell / 4][cell % 4] == 0).collect();
        let cell = empty[random.below(empty.len() as u64) as usize];
        position.grid[cell / 4][cell % 4] = position.next[0];
    }
    pick(draws(version, &position), random)
}

/// The final score of one game of uniform random moves.
fn game(version: Version, random: &mut Random) -> f64 {
    let mut position = deal(version, random);
    loop {
        let legal: Vec<_> =
            (0..4).filter_map(|direction| slide(version, &position.grid, direction)).collect();
        if legal.is_empty() {
            return position.grid.iter().flatten().map(|&tile| tile_score(tile) as f64).sum();
        }
        let slid = &legal[random.below(legal.len() as u64) as usize];
        (position, _) = pick(outcomes(version, &position, slid).into_iter().collect(), random);
    }
}

#[test]
fn both_engines_score_alike() {
    for (version, rules) in
        [(Version::Paper, Rules::PAPER), (Version::App, Rules::APP), (Version::Course, Rules::COURSE)]
    {
        let mut random = Random::new(1);
        let scores: Vec<f64> = (0..600).map(|_| game(version, &mut random)).collect();
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        let variance = scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / (scores.len() - 1) as f64;

        let ours = Threes::<16>::new(Shape::FOUR, rules);
        let plan = Plan { threads: 2, ..Plan::new(20_000, 2) };
        let summary = Summary::of(&ours, &evaluate(&ours, RandomPlayer::default, &plan, &())).unwrap();
        let score = &summary.score.moments;
        let error =
            (variance / scores.len() as f64 + score.std().unwrap().powi(2) / score.count() as f64).sqrt();
        // Four standard errors: a false alarm in 16,000 seeds; a wrong bonus or slot rule is far
        // outside.
        assert!((mean - score.mean()).abs() < 4.0 * error, "{version:?}: {mean} against {}", score.mean());
    }
}
