//! The games the solver knows.

use super::{Growth, Solvable};
use crate::game::twenty48::{Afterstate, State, Twenty48};

impl<const N: usize> Solvable for Twenty48<N> {
    #[inline]
    fn state_image(&self, state: &State<N>, map: &[u8]) -> State<N> {
        State(state.0.permuted(map))
    }

    #[inline]
    fn afterstate_image(&self, afterstate: &Afterstate<N>, map: &[u8]) -> Afterstate<N> {
        Afterstate(afterstate.0.permuted(map))
    }

    fn growth(&self) -> Growth {
        let tiles = self.spawn.tiles();
        let ranks = || tiles.iter().map(|&(rank, _)| rank);
        Growth {
            smallest: ranks().min().unwrap_or(1),
            largest: ranks().max().unwrap_or(1),
            cap: self.cap_rank,
            share: 1.15 * 0.857f64.powi(self.shape.cells() as i32),
            companions: 1.0,
            afterstates: 0.7,
        }
    }
}
