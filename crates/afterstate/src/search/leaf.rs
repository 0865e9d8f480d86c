//! Evaluation of the leaves of a search, and how values add up on the way to them.

use crate::game::Game;
use crate::value::{Stage, Staged, Value};
use std::ops::Deref;

/// Evaluates the positions at which a search stops.
///
/// There are two schools, and one search serves both:
///
/// - *expected points* ([`ValueLeaf`] over any [`Value`]): leaves are afterstates, rewards on
///   the path are added, a dead state has no future (0);
/// - *heuristics* ([`super::heuristic`]): leaves say how good a position looks, rewards are
///   not added, a dead state is worth a fixed low number.
pub trait LeafEvaluator<G: Game>: Sync {
    /// Judges many afterstates at once: the place to overlap memory accesses.
    fn afterstates(&self, game: &G, at: &[Staged<G::Afterstate>], values: &mut Vec<f32>);

    /// Judges a state at which a probability cut-off stops the search.
    ///
    /// `None`: this leaf judges afterstates only; the best slide by them is taken.
    fn state(&self, game: &G, state: &G::State) -> Option<f32> {
        let _ = (game, state);
        None
    }

    /// True if the rewards of slides and of chance outcomes count.
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

    /// The stage that judges an afterstate when the search of a position in `stage` comes to it.
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

/// Leaves that are expected points, by a [`Value`] behind any kind of pointer.
#[derive(Clone, Copy, Debug)]
pub struct ValueLeaf<P>(pub P);

impl<G: Game, P: Deref + Sync> LeafEvaluator<G> for ValueLeaf<P>
where
    P::Target: Value<G>,
{
    #[inline]
    fn afterstates(&self, game: &G, at: &[Staged<G::Afterstate>], values: &mut Vec<f32>) {
        self.0.values(game, at, values);
    }

    #[inline]
    fn advance(&self, game: &G, stage: Stage, afterstate: &G::Afterstate) -> Stage {
        self.0.advance(game, stage, afterstate)
    }

    #[inline]
    fn judging(&self, game: &G, stage: Stage, afterstate: &G::Afterstate) -> Stage {
        self.0.judging(game, stage, afterstate)
    }

    fn stage_of(&self, game: &G, stage: Stage, state: &G::State) -> Stage {
        self.0.stage_of(game, stage, state)
    }

    fn implied(&self, game: &G, state: &G::State) -> Stage {
        self.0.implied(game, state)
    }
}

impl<G: Game, L: LeafEvaluator<G> + ?Sized> LeafEvaluator<G> for &L {
    fn afterstates(&self, game: &G, at: &[Staged<G::Afterstate>], values: &mut Vec<f32>) {
        (**self).afterstates(game, at, values);
    }

    fn state(&self, game: &G, state: &G::State) -> Option<f32> {
        (**self).state(game, state)
    }

    fn counts_rewards(&self) -> bool {
        (**self).counts_rewards()
    }

    fn end(&self) -> f32 {
        (**self).end()
    }

    fn advance(&self, game: &G, stage: Stage, afterstate: &G::Afterstate) -> Stage {
        (**self).advance(game, stage, afterstate)
    }

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
