//! The conformance kit: laws that every game obeys, as functions over [`Game`].
//!
//! Positions come from games played with a fixed seed, so a failure repeats.

#![allow(dead_code)] // each test uses its part

pub(crate) mod chance;
pub(crate) mod laws;
pub(crate) mod threes;

use afterstate::game::{Game, Slide};
use afterstate::grid::Direction;
use afterstate::random::Random;

/// One move of a game: where it was made, what it was, what chance answered.
pub(crate) struct Step<G: Game> {
    pub(crate) state: G::State,
    pub(crate) direction: Direction,
    pub(crate) slide: Slide<G::Afterstate>,
    /// The reward of the tile chance added.
    pub(crate) chance_reward: u64,
    pub(crate) next: G::State,
}

/// A whole game of legal moves, each drawn by `choose` out of the legal ones.
///
/// # Panics
/// If it does not end within `limit` moves.
pub(crate) fn play<G: Game>(
    game: &G,
    random: &mut Random,
    limit: usize,
    mut choose: impl FnMut(&[Direction], &mut Random) -> Direction,
) -> (G::State, Vec<Step<G>>) {
    let start = game.start(random);
    let mut state = start;
    let mut steps = Vec::new();
    loop {
        let slides = game.slides(&state);
        let legal: Vec<_> = Direction::ALL.into_iter().filter(|&d| slides[d as usize].is_some()).collect();
        assert_eq!(game.is_over(&state), legal.is_empty());
        if legal.is_empty() {
            return (start, steps);
        }
        assert!(steps.len() < limit, "{} does not end within {limit} moves", game.id());
        let direction = choose(&legal, random);
        let slide = slides[direction as usize].expect("a legal move");
        let outcome = game.spawn(&slide.afterstate, random);
        let next = outcome.state;
        steps.push(Step { state, direction, slide, chance_reward: outcome.reward, next });
        state = next;
    }
}

/// Any legal move, all equally likely.
pub(crate) fn any(legal: &[Direction], random: &mut Random) -> Direction {
    legal[random.below(legal.len() as u64) as usize]
}

/// The first legal of left, down, right, up: keeps a corner, so games get longer.
pub(crate) fn corner(legal: &[Direction], _: &mut Random) -> Direction {
    let order = [Direction::Left, Direction::Down, Direction::Right, Direction::Up];
    order.into_iter().find(|d| legal.contains(d)).expect("a legal move")
}

/// Some positions of the game: from `games` games by both policies, every fifth one and the last.
pub(crate) fn positions<G: Game>(game: &G, games: u64) -> Vec<Step<G>> {
    let mut kept = Vec::new();
    for index in 0..games {
        let mut random = Random::stream(2048, index);
        let policy = if index % 2 == 0 { any } else { corner };
        let (_, steps) = play(game, &mut random, 1_000_000, policy);
        let last = steps.len().saturating_sub(1);
        kept.extend(steps.into_iter().enumerate().filter(|(i, _)| i % 5 == 0 || *i == last).map(|(_, s)| s));
    }
    kept
}
