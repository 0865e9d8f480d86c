//! Networks as value functions of afterstates, whatever the game.

use super::{Stage, Staged, Value};
use crate::game::Game;
use crate::network::{Active, Network, QuantizedNetwork};
use crate::processor::{Work, fastest};
use std::cell::RefCell;

/// [`Value`] for a type with the methods of [`Network`].
macro_rules! value_of_network {
    ($network:ty) => {
        impl<G: Game> Value<G> for $network {
            fn value(&self, game: &G, at: &Staged<G::Afterstate>) -> f32 {
                BUFFERS.with_borrow_mut(|buffers| {
                    let view = game.view(&at.afterstate);
                    self.activate(&view, self.bank_of(&view, at.stage), &mut buffers[0]);
                    self.sum(&buffers[0])
                })
            }

            /// Finds the entries of a few positions, asks for their cache lines, then sums them.
            fn values(&self, game: &G, at: &[Staged<G::Afterstate>], values: &mut Vec<f32>) {
                values.clear();
                let boards = at.iter().map(|one| {
                    let view = game.view(&one.afterstate);
                    let cells = view.cells.first_chunk().expect("a view has 16 or 64 cells");
                    (cells, self.bank_of(&view, one.stage))
                });
                if !self.sums(boards, values) {
                    let activate = |one: &Staged<G::Afterstate>, active: &mut Active| {
                        let view = game.view(&one.afterstate);
                        self.activate(&view, self.bank_of(&view, one.stage), active);
                        self.prefetch_if_large(active);
                    };
                    let sum = |active: &Active| self.sum(active);
                    BUFFERS.with_borrow_mut(|buffers| fastest(Values { at, values, buffers, activate, sum }));
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
    };
}

value_of_network!(Network);
value_of_network!(QuantizedNetwork);

/// The portable way of [`Value::values`].
struct Values<'a, S, A, V> {
    at: &'a [S],
    values: &'a mut Vec<f32>,
    buffers: &'a mut [Active; TOGETHER],
    activate: A,
    sum: V,
}

impl<S, A: Fn(&S, &mut Active), V: Fn(&Active) -> f32> Work for Values<'_, S, A, V> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let Self { at, values, buffers, activate, sum } = self;
        for some in at.chunks(TOGETHER) {
            some.iter().zip(&mut *buffers).for_each(|(next, active)| activate(next, active));
            values.extend(buffers[..some.len()].iter().map(&sum));
        }
    }
}

/// Number of positions whose cache lines are asked for together.
const TOGETHER: usize = 16;

thread_local! {
    /// Entry buffers of the thread, so that judging a position allocates nothing.
    static BUFFERS: RefCell<[Active; TOGETHER]> = RefCell::default();
}
