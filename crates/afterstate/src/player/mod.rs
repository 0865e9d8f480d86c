//! Players: each chooses a slide in a state.
//!
//! | to play | use |
//! |---|---|
//! | without a network, as a baseline | [`RandomPlayer`], [`GreedyPlayer`], [`CornerPlayer`] |
//! | a trained network of V(s′), V(s) or Q(s, a), as fast as possible | [`NetworkPlayer`]: greedy, the step of training |
//! | as well as possible, within a depth, a number of leaves or a time | [`SearchPlayer`] over any [`crate::value::Value`]; greedy at 1-ply |
//!
//! A player sees the state and nothing else. Whatever chance it needs comes from
//! the generator it is handed at the start of a game, so that it plays the same
//! game again when asked to.

mod network;
mod search;

pub use network::{NetworkPlayer, move_values};
pub use search::{SearchPlayer, Stop};

use crate::game::{Game, Slide};
use crate::grid::Direction;
use crate::random::Random;

/// A move a player decided on, with what it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice<A> {
    /// Direction of the slide.
    pub direction: Direction,
    /// Result of the slide.
    pub slide: Slide<A>,
}

/// Someone who plays a game.
pub trait Player<G: Game> {
    /// A new game begins: forget the last one, and take all chance from `random`.
    fn begin(&mut self, game: &G, random: Random) {
        let _ = (game, random);
    }

    /// Decides on a move; `None` if and only if no move is legal.
    fn choose(&mut self, game: &G, state: &G::State) -> Option<Choice<G::Afterstate>>;
}

impl<G: Game, P: Player<G> + ?Sized> Player<G> for Box<P> {
    fn begin(&mut self, game: &G, random: Random) {
        (**self).begin(game, random);
    }

    fn choose(&mut self, game: &G, state: &G::State) -> Option<Choice<G::Afterstate>> {
        (**self).choose(game, state)
    }
}

/// The legal moves of a state, in the order of [`Direction::ALL`].
#[inline]
pub fn legal<G: Game>(
    game: &G,
    state: &G::State,
) -> impl Iterator<Item = Choice<G::Afterstate>> + Clone + use<G> {
    let slides = game.slides(state);
    Direction::ALL
        .into_iter()
        .zip(slides)
        .filter_map(|(direction, slide)| slide.map(|slide| Choice { direction, slide }))
}

/// Every legal move with equal chance.
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    random: Random,
}

impl Default for RandomPlayer {
    fn default() -> Self {
        Self { random: Random::new(0) }
    }
}

impl<G: Game> Player<G> for RandomPlayer {
    fn begin(&mut self, _: &G, random: Random) {
        self.random = random;
    }

    fn choose(&mut self, game: &G, state: &G::State) -> Option<Choice<G::Afterstate>> {
        let mut choices = legal(game, state);
        match choices.clone().count() {
            0 => None,
            count => choices.nth(self.random.below(count as u64) as usize),
        }
    }
}

/// The move with the largest immediate reward; among equals the first of up, right, down, left.
#[derive(Clone, Copy, Debug, Default)]
pub struct GreedyPlayer;

impl<G: Game> Player<G> for GreedyPlayer {
    fn choose(&mut self, game: &G, state: &G::State) -> Option<Choice<G::Afterstate>> {
        legal(game, state)
            .reduce(|best, next| if next.slide.reward > best.slide.reward { next } else { best })
    }
}

/// Keeps the large tiles in the lower left corner: left and down by turns.
///
/// The beginner's strategy, Mayer-Hirshfeld's baseline *Corners*. Of the two
/// preferred directions it takes the one it did not take last, if that is legal,
/// else the other; right only when neither is, and up when nothing else is left.
#[derive(Clone, Copy, Debug)]
pub struct CornerPlayer {
    /// The preferred direction whose turn it is.
    turn: Direction,
}

impl Default for CornerPlayer {
    fn default() -> Self {
        Self { turn: Direction::Left }
    }
}

impl<G: Game> Player<G> for CornerPlayer {
    fn begin(&mut self, _: &G, _: Random) {
        *self = Self::default();
    }

    fn choose(&mut self, game: &G, state: &G::State) -> Option<Choice<G::Afterstate>> {
        let other = if self.turn == Direction::Left { Direction::Down } else { Direction::Left };
        let slides = game.slides(state);
        let choice = [self.turn, other, Direction::Right, Direction::Up]
            .into_iter()
            .find_map(|direction| slides[direction as usize].map(|slide| Choice { direction, slide }))?;
        self.turn = match choice.direction {
            Direction::Left => Direction::Down,
            Direction::Down => Direction::Left,
            _ => self.turn,
        };
        Some(choice)
    }
}
