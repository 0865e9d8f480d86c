//! The contract of value functions, as players and searches use them.

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

/// Expected future points, seen from an afterstate.
pub trait Value<G: Game>: Sync {
    /// The points expected from here to the end of the game.
    fn value(&self, game: &G, at: &Staged<G::Afterstate>) -> f32;

    /// The values of many afterstates: the place to overlap memory accesses.
    ///
    /// Must write exactly what [`Value::value`] would return for each.
    fn values(&self, game: &G, at: &[Staged<G::Afterstate>], values: &mut Vec<f32>) {
        values.clear();
        values.extend(at.iter().map(|one| self.value(game, one)));
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
