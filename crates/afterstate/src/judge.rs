//! A network as the judge of afterstates of any game.

use crate::game::Game;
use crate::network::{Active, Network};
use crate::value::{Stage, Staged, Value};
use std::cell::RefCell;

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
        let boards = at.iter().map(|one| {
            let cells = game.view(&one.afterstate).cells;
            (cells.first_chunk().expect("a view has 16 or 64 cells"), one.stage)
        });
        if self.sums(boards, values) {
            return;
        }
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
