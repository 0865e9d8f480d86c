//! Laws of chance: outcomes, their ways, and sampling.

use super::positions;
use afterstate::game::Game;
use afterstate::random::Random;
use std::collections::HashMap;

/// The ways of the outcomes add up, no outcome is impossible, and `outcome(way)` is the
/// outcome that owns the way when one walks through the list.
pub(crate) fn ways_add_up<G: Game>(game: &G) {
    let mut random = Random::new(5);
    for step in positions(game, 6) {
        let after = &step.slide.afterstate;
        let ways = game.ways(after);
        let mut owners = Vec::new();
        let mut sum = 0;
        game.outcomes(after, |outcome| {
            assert!(outcome.ways > 0, "an impossible outcome of {after:?}");
            sum += outcome.ways;
            owners.push((sum, outcome));
        });
        assert_eq!(sum, ways, "{} {after:?}", game.id());
        let edges = owners.iter().flat_map(|&(end, outcome)| [end - outcome.ways, end - 1]);
        let some: Vec<u64> = edges.chain((0..20).map(|_| random.below(ways))).collect();
        for way in some {
            let owner = owners[owners.partition_point(|&(end, _)| end <= way)].1;
            assert_eq!(game.outcome(after, way), owner, "{} way {way} of {ways}, {after:?}", game.id());
        }
    }
}

/// Start positions, where the list is short enough to be walked: the ways of all starts are
/// shared out as `start` deals them.
pub(crate) fn starts_follow_the_list<G: Game>(game: &G) {
    let mut weights: HashMap<G::State, u64> = HashMap::new();
    game.starts(&mut |state, ways| *weights.entry(state).or_default() += ways);
    let mut random = Random::new(11);
    fits(&game.id(), &weights, 40 * weights.len() as u64, || game.start(&mut random));
}

/// `spawn` follows the distribution of `outcomes`.
pub(crate) fn sampling_follows_the_outcomes<G: Game>(game: &G) {
    let mut random = Random::new(7);
    let steps = positions(game, 2);
    let every = (steps.len() / 8).max(1);
    for step in steps.iter().step_by(every).take(10) {
        let after = &step.slide.afterstate;
        let mut weights: HashMap<G::State, u64> = HashMap::new();
        game.outcomes(after, |outcome| *weights.entry(outcome.state).or_default() += outcome.ways);
        fits(&game.id(), &weights, 20_000, || game.spawn(after, &mut random).state);
    }
}

/// A chi-square test of draws against weights.
///
/// Cells expected fewer than five times are pooled. The limit is the Wilson–Hilferty
/// approximation at 4.75 standard deviations: a false alarm in about one of a million
/// tests. Seeds are fixed, so the answer is the same every time; the rate says how lucky
/// the choice of seed had to be.
fn fits<T: Eq + std::hash::Hash + std::fmt::Debug>(
    name: &str,
    weights: &HashMap<T, u64>,
    draws: u64,
    mut draw: impl FnMut() -> T,
) {
    let mut counts: HashMap<T, u64> = HashMap::new();
    for _ in 0..draws {
        let drawn = draw();
        assert!(weights.contains_key(&drawn), "{name}: {drawn:?} is not on the list");
        *counts.entry(drawn).or_default() += 1;
    }
    let total: u64 = weights.values().sum();
    let (mut pooled_expected, mut pooled_count) = (0.0, 0);
    let mut cells = Vec::new();
    for (item, &weight) in weights {
        let expected = draws as f64 * weight as f64 / total as f64;
        let count = counts.get(item).copied().unwrap_or(0);
        if expected < 5.0 {
            pooled_expected += expected;
            pooled_count += count;
        } else {
            cells.push((expected, count));
        }
    }
    if pooled_expected > 5.0 {
        cells.push((pooled_expected, pooled_count));
    }
    if cells.len() < 2 {
        return;
    }
    let chi2: f64 = cells.iter().map(|&(e, n)| (n as f64 - e).powi(2) / e).sum();
    let freedom = (cells.len() - 1) as f64;
    let spread = 2.0 / (9.0 * freedom);
    let limit = freedom * (1.0 - spread + 4.75 * spread.sqrt()).powi(3);
    assert!(chi2 < limit, "{name}: chi-square {chi2:.1}, limit {limit:.1}, {freedom} degrees of freedom");
}

/// The test of the test: it passes fair draws and stops draws a little unfair.
pub(crate) fn the_test_can_fail() {
    let weights = HashMap::from([("two", 9), ("four", 1)]);
    let tile = |four: u64, random: &mut Random| if random.below(1000) < four { "four" } else { "two" };
    let mut random = Random::new(1);
    fits("fair", &weights, 20_000, || tile(100, &mut random));
    let unfair = std::panic::catch_unwind(|| {
        let mut random = Random::new(1);
        fits("unfair", &HashMap::from([("two", 9), ("four", 1)]), 20_000, || tile(115, &mut random));
    });
    assert!(unfair.is_err(), "11.5 % fours passed for 10 %");
}
