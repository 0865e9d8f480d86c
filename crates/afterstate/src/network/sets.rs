//! Several sets of weights within a stage: one for each action, or one for each announced tile.

use super::stage::Stage;
use crate::grid::{Direction, View};

/// Sets of weights within a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sets {
    /// Nothing: one set of weights judges every position of a stage.
    #[default]
    One,
    /// Each of the four actions, where actions are valued (Szubert & Jaśkowski 2014).
    Actions,
    /// The tile that Threes announces: 1, 2, 3, or a bonus.
    ///
    /// Where that tile may go depends on the tiles around, so no table of its own could tell what
    /// it is worth.
    Hints,
}

/// An [`super::Active`] names its bank by a byte.
const _: () = assert!(super::stage::MAX_STAGES * Sets::Hints.count() <= 256);

impl Sets {
    /// The number of sets of weights of a stage.
    #[inline]
    pub const fn count(self) -> usize {
        match self {
            Self::One => 1,
            Self::Actions | Self::Hints => 4,
        }
    }

    /// The bank that judges a position of this stage, where it is positions that are valued.
    #[inline(always)]
    pub fn bank(self, stage: Stage, view: &View<'_>) -> u8 {
        match self {
            Self::Hints => 4 * stage + view.hint.clamp(1, 4) - 1,
            Self::One | Self::Actions => stage,
        }
    }

    /// The stage of a bank.
    #[inline(always)]
    pub fn stage(self, bank: u8) -> Stage {
        match self {
            Self::One => bank,
            Self::Actions | Self::Hints => bank / 4,
        }
    }

    /// The bank that judges an action, where it is actions that are valued.
    #[inline(always)]
    pub fn action_bank(stage: Stage, direction: Direction) -> u8 {
        4 * stage + direction as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_announced_tile_chooses_the_set() {
        let bank = |sets: Sets, stage, hint| sets.bank(stage, &View { cells: &[0; 16], hint, bag: [0; 3] });
        assert_eq!([1, 2, 3, 4, 9].map(|hint| bank(Sets::Hints, 2, hint)), [8, 9, 10, 11, 11]);
        assert_eq!([0, 3, 9].map(|hint| bank(Sets::One, 2, hint)), [2; 3]);
    }
}
