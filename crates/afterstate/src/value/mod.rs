//! The contract of value functions, as players and searches use them.
//!
//! There are two schools, and one search serves both:
//!
//! - *expected points*, such as a [`crate::network::Network`]: rewards on the path are added, and a
//!   dead state has no future (0);
//! - *heuristics* ([`crate::search::heuristic`]): values say how good a position looks, rewards are
//!   not added, and a dead state is worth a fixed low number.

mod network;

pub use crate::network::stage::Stage;

use crate::game::Game;

/// An afterstate together with the stage its game is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Staged<A> {
    /// The position.
    pub afterstate: A,
    /// The stage that judges it.
    pub stage: Stage,
}

/// Value of afterstates: unless a method says otherwise, the points expected from them on.
pub trait Value<G: Game>: Sync {
    /// The value of an afterstate, such as the points from here to the end of the game.
    fn value(&self, game: &G, at: &Staged<G::Afterstate>) -> f32;

    /// The values of many afterstates: the place to overlap memory accesses.
    ///
    /// Must write exactly what [`Value::value`] would return for each.
    fn values(&self, game: &G, at: &[Staged<G::Afterstate>], values: &mut Vec<f32>) {
        values.clear();
        values.extend(at.iter().map(|one| self.value(game, one)));
    }

    /// The value of a state at which a probability cut-off stops a search.
    ///
    /// `None`: afterstates alone have values; the best slide by them is taken.
    fn state(&self, game: &G, state: &G::State) -> Option<f32> {
        let _ = (game, state);
        None
    }

    /// True if the rewards of slides and of chance outcomes are added.
    fn counts_rewards(&self) -> bool {
        true
    }

    /// The value of a state without a legal slide.
    fn end(&self) -> f32 {
        0.0
    }

    /// The stage of a game that was in `stage` and has now reached `afterstate`.
    fn advance(&self, game: &G, stage: Stage, afterstate: &G::Afterstate) -> Stage {
        let _ = (game, afterstate);
        stage
    }

    /// The stage that judges an afterstate when a player in `stage` looks ahead to it.
    fn judging(&self, game: &G, stage: Stage, afterstate: &G::Afterstate) -> Stage {
        self.advance(game, stage, afterstate)
    }

    /// The stage of a game that was in `stage` and is now in this position: another one only if the
    /// board alone says so.
    fn stage_of(&self, game: &G, stage: Stage, state: &G::State) -> Stage {
        let _ = (game, state);
        stage
    }

    /// The stage that a position without a history is taken to be in.
    fn implied(&self, game: &G, state: &G::State) -> Stage {
        let _ = (game, state);
        0
    }
}

impl<G: Game, V: Value<G> + ?Sized> Value<G> for &V {
    fn value(&self, game: &G, at: &Staged<G::Afterstate>) -> f32 {
        (**self).value(game, at)
    }

    #[inline]
    fn values(&self, game: &G, at: &[Staged<G::Afterstate>], values: &mut Vec<f32>) {
        (**self).values(game, at, values);
    }

    fn state(&self, game: &G, state: &G::State) -> Option<f32> {
        (**self).state(game, state)
    }

    #[inline]
    fn counts_rewards(&self) -> bool {
        (**self).counts_rewards()
    }

    fn end(&self) -> f32 {
        (**self).end()
    }

    #[inline]
    fn advance(&self, game: &G, stage: Stage, afterstate: &G::Afterstate) -> Stage {
        (**self).advance(game, stage, afterstate)
    }

    #[inline]
    fn judging(&self, game: &G, stage: Stage, afterstate: &G::Afterstate) -> Stage {
        (**self).judging(game, stage, afterstate)
    }

    fn stage_of(&self, game: &G, stage: Stage, state: &G::State) -> Stage {
        (**self).stage_of(game, stage, state)
    }

    fn implied(&self, game: &G, state: &G::State) -> Stage {
        (**self).implied(game, state)
    }
}
