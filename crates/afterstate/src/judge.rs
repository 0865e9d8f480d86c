//! A network as the judge of afterstates of any game.

use crate::game::Game;
use crate::network::{Active, Network};
use crate::processor::{Work, fastest};
use crate::value::{Stage, Staged, Value};
use std::cell::RefCell;

impl<G: Game> Value<G> for Network {
    fn value(&self, game: &G, at: &Staged<G::Afterstate>) -> f32 {
        BUFFERS.with_borrow_mut(|buffers| {
            let view = game.view(&at.afterstate);
            self.activate(&view, self.bank_of(&view, at.stage), &mut buffers[0]);
            self.sum(&buffers[0])
        })
    }

    /// Finds the entries of a few positions, then sums them: so the cache lines of all of them are under way together.
    fn values(&self, game: &G, at: &[Staged<G::Afterstate>], values: &mut Vec<f32>) {
        values.clear();
        let boards = at.iter().map(|one| {
            let view = game.view(&one.afterstate);
            let cells = view.cells.first_chunk().expect("a view has 16 or 64 cells");
            (cells, self.bank_of(&view, one.stage))
        });
        if !self.sums(boards, values) {
            BUFFERS.with_borrow_mut(|buffers| fastest(Values { network: self, game, at, values, buffers }));
        }
    }

    fn advance(&self, game: &G, stage: Stage, afterstate: &G::Afterstate) -> Stage {
        self.structure().stages.advance(stage, game.view(afterstate).cells)
    }

    fn judging(&self, game: &G, stage: Stage, afterstate: &G::Afterstate) -> Stage {
        self.structure().stages.judging(stage, game.view(afterstate).cells)
    }

    fn stage_of(&self, game: &G, stage: Stage, state: &G::State) -> Stage {
        self.structure().stages.standing(stage, game.state_view(state).cells)
    }

    fn implied(&self, game: &G, state: &G::State) -> Stage {
        self.structure().stages.implied(game.state_view(state).cells)
    }
}

/// See [`Value::values`].
struct Values<'a, G: Game> {
    network: &'a Network,
    game: &'a G,
    at: &'a [Staged<G::Afterstate>],
    values: &'a mut Vec<f32>,
    buffers: &'a mut [Active; TOGETHER],
}

impl<G: Game> Work for Values<'_, G> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let Self { network, game, at, values, buffers } = self;
        for some in at.chunks(TOGETHER) {
            for (next, active) in some.iter().zip(&mut *buffers) {
                let view = game.view(&next.afterstate);
                network.activate(&view, network.bank_of(&view, next.stage), active);
            }
            values.extend(buffers[..some.len()].iter().map(|active| network.sum(active)));
        }
    }
}

/// How many positions are judged together.
const TOGETHER: usize = 4;

thread_local! {
    /// Entry buffers of the thread, so that judging a position allocates nothing.
    static BUFFERS: RefCell<[Active; TOGETHER]> = RefCell::default();
}
