//! What players and searches ask of a value function.

use crate::game::Game;
use crate::network::{Active, Network};
use std::cell::RefCell;

/// Which set of weights judges a position: history that only grows during a game.
///
/// A value function without stages stays in stage 0 for ever.
pub type Stage = u8;

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
    ///
    /// Never smaller than `stage`.
    fn advance(&self, game: &G, stage: Stage, afterstate: &G::Afterstate) -> Stage {
        let _ = (game, afterstate);
        stage
    }
}

impl<G: Game> Value<G> for Network {
    fn value(&self, game: &G, at: &Staged<G::Afterstate>) -> f32 {
        BUFFERS.with_borrow_mut(|buffers| {
            self.activate(&game.view(&at.afterstate), at.stage, &mut buffers[0]);
            self.sum(&buffers[0])
        })
    }

    /// Finds the entries of a few positions ahead, so that their cache lines arrive while others are summed.
    fn values(&self, game: &G, at: &[Staged<G::Afterstate>], values: &mut Vec<f32>) {
        values.clear();
        BUFFERS.with_borrow_mut(|buffers| {
            for i in 0..at.len() + AHEAD {
                if let Some(next) = at.get(i) {
                    self.activate(&game.view(&next.afterstate), next.stage, &mut buffers[i % (AHEAD + 1)]);
                }
                if let Some(done) = i.checked_sub(AHEAD) {
                    values.push(self.sum(&buffers[done % (AHEAD + 1)]));
                }
            }
        });
    }

    fn advance(&self, game: &G, stage: Stage, afterstate: &G::Afterstate) -> Stage {
        self.structure().stages.advance(stage, game.view(afterstate).cells)
    }
}

/// How many positions ahead of the sum the cache lines are asked for.
const AHEAD: usize = 5;

thread_local! {
    /// Entry buffers of the thread, so that judging a position allocates nothing.
    static BUFFERS: RefCell<[Active; AHEAD + 1]> = RefCell::default();
}
