//! Large tiles as walls: what a network is shown of tiles that only take room.

use super::Structure;
use super::index::Plan;
use super::stage::Stage;
use crate::grid::View;

/// How a network of a sub-goal sees large tiles.
///
/// All it tells apart is how many walls there are. Stage *k* sees the `apart` + *k* largest tiles as
/// walls, of rank `from` + 1, and every other large tile as one of rank `from`. So a board beside
/// 32768 and 16384 reads like one beside 16384 and 8192, and a goal just made reads like the tile
/// that the next round begins with.
///
/// ```
/// use afterstate::network::walls::Walls;
/// let walls = Walls { from: 12, apart: 1 };
/// let shown = |cells| walls.show(0, cells);
/// assert_eq!(shown([14, 12, 3, 0]), [13, 12, 3, 0]); // 16384 is the wall, 4096 the goal's half
/// assert_eq!(shown([14, 13, 3, 0]), [13, 12, 3, 0]); // 8192 is made: the next round begins
/// assert_eq!(shown([13, 13, 3, 0]), [13, 12, 3, 0]); // of equal tiles the first is the wall
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walls {
    /// Smallest rank of a large tile.
    pub from: u8,
    /// Number of walls that the first stage sees.
    pub apart: u8,
}

impl Walls {
    /// The number of ranks that boards are shown with.
    pub fn alphabet(self, stages: usize) -> u8 {
        let most = usize::from(self.apart) + stages - 1;
        self.from + if most == 0 { 1 } else { 2 }
    }

    /// Cells as a stage sees them.
    #[inline(always)]
    pub fn show<const N: usize>(self, stage: Stage, cells: [u8; N]) -> [u8; N] {
        let walls = self.apart + stage;
        let beyond = cells.iter().map(|&rank| u8::from(rank > self.from)).sum::<u8>();
        if walls == 0 {
            cells.map(|rank| rank.min(self.from))
        } else if beyond <= walls {
            cells.map(|rank| rank.min(self.from + 1))
        } else {
            self.show_largest(walls, cells)
        }
    }

    /// [`Walls::show`] where there are more tiles beyond `from` than walls.
    #[inline(never)]
    fn show_largest<const N: usize>(self, walls: u8, mut cells: [u8; N]) -> [u8; N] {
        let mut shown = cells.map(|rank| rank.min(self.from));
        for _ in 0..walls {
            let most = cells.iter().fold(0, |most, &rank| most.max(rank));
            if let Some(at) = cells.iter().position(|&rank| rank == most) {
                (shown[at], cells[at]) = (self.from + 1, 0);
            }
        }
        shown
    }
}

impl Plan {
    /// [`Plan::fill`] of the position as a bank sees it.
    #[inline(always)]
    pub(super) fn fill_shown(
        &self,
        structure: &Structure,
        view: &View<'_>,
        bank: u8,
        replica: Option<u32>,
        entries: &mut [u32],
    ) {
        if structure.walls.is_none() {
            self.fill(view, replica, entries);
        } else if let Ok(&cells) = <&[u8; 16]>::try_from(view.cells) {
            self.fill(&View { cells: &structure.shown(bank, cells), ..*view }, replica, entries);
        } else {
            let cells: [u8; 64] = view.cells.try_into().expect("a view has 16 or 64 cells");
            self.fill(&View { cells: &structure.shown(bank, cells), ..*view }, replica, entries);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition: a tile is a wall if fewer than `walls` others come before it, larger ones and
    /// equal ones in the order of the cells.
    fn by_definition(walls: Walls, bank: u8, cells: [u8; 16]) -> [u8; 16] {
        std::array::from_fn(|at| {
            let before = |&(i, &rank): &(usize, &u8)| rank > cells[at] || rank == cells[at] && i < at;
            let before = cells.iter().enumerate().filter(before).count();
            let is_wall = before < usize::from(walls.apart + bank) && cells[at] > walls.from;
            if is_wall { walls.from + 1 } else { cells[at].min(walls.from) }
        })
    }

    proptest! {
        #[test]
        fn boards_are_shown_as_defined(
            cells: [u8; 16], most in 1u8..30, from in 1u8..20, apart in 0u8..4, bank in 0u8..4
        ) {
            let cells = cells.map(|rank| rank % most);
            let walls = Walls { from, apart };
            prop_assert_eq!(walls.show(bank, cells), by_definition(walls, bank, cells));
        }
    }

    #[test]
    fn boards_are_shown_with_as_many_ranks_as_are_said() {
        assert_eq!(Walls { from: 12, apart: 0 }.alphabet(1), 13);
        assert_eq!(Walls { from: 12, apart: 0 }.alphabet(3), 14);
        assert_eq!(Walls { from: 12, apart: 2 }.alphabet(1), 14);
    }
}
