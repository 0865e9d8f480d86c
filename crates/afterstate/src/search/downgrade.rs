//! Tile downgrading: lets a value function play on with tiles it has never seen.
//!
//! Take a rank that is missing on the board, below the largest: every tile above the hole
//! may move down by one and the board stays what it was, tile for tile the same moves and
//! merges at once. So a board with a 65536 and no 8192 looks like one with a 32768 that the
//! value function knows. The search runs on that copy, the move is played on the real board.

use crate::game::Game;

/// Lowers ranks into holes, the largest hole first, until none is above `largest`.
///
/// Returns how many holes were filled, 0 if nothing had to change, or `None` (the cells
/// lowered as far as possible) if the board has too few holes.
///
/// ```
/// use afterstate::search::downgrade;
/// let mut cells = [16, 15, 12, 11, 3, 2, 1, 0];
/// assert_eq!(downgrade(&mut cells, 15), Some(1)); // 14 is the largest hole
/// assert_eq!(cells, [15, 14, 12, 11, 3, 2, 1, 0]);
/// assert_eq!(downgrade(&mut cells, 15), Some(0));
/// ```
pub fn downgrade(cells: &mut [u8], largest: u8) -> Option<u32> {
    let mut holes = 0;
    loop {
        let present = cells.iter().fold(0u64, |set, &rank| set | 1 << rank);
        let max = 63 - (present | 1).leading_zeros() as u8;
        if max <= largest {
            return Some(holes);
        }
        let hole = (1..max).rev().find(|&rank| present & 1 << rank == 0)?;
        for rank in cells.iter_mut().filter(|rank| **rank > hole) {
            *rank -= 1;
        }
        holes += 1;
    }
}

/// The state to search instead of this one, if it has ranks above `largest`.
///
/// `None` if the state can be searched as it is.
pub fn downgraded<G: Game>(game: &G, state: &G::State, largest: u8) -> Option<G::State> {
    let cells = &game.state_view(state).cells[..game.shape().cells()];
    if cells.iter().all(|&rank| rank <= largest) {
        return None;
    }
    let mut setup = game.setup(state);
    downgrade(&mut setup.ranks, largest);
    game.position(&setup).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::twenty48::{State, Twenty48};
    use crate::grid::{Board, Shape};
    use crate::random::Random;

    #[test]
    fn several_holes() {
        // Holes below 17: 16, 14, 13 …: two are needed to bring 17 down to 15.
        let mut cells = [17, 15, 12, 2, 1, 0];
        assert_eq!(downgrade(&mut cells, 15), Some(2));
        assert_eq!(cells, [15, 14, 12, 2, 1, 0]);
        let mut full = [4, 3, 2, 1];
        assert_eq!(downgrade(&mut full, 3), None);
        assert_eq!(full, [4, 3, 2, 1]);
        assert_eq!(downgrade(&mut [0, 0], 3), Some(0));
    }

    #[test]
    fn a_lowered_board_has_the_same_moves() {
        let game = Twenty48::<16>::new(Shape::FOUR);
        let mut random = Random::new(5);
        let mut lowered = 0;
        for _ in 0..10_000 {
            let state = State(Board(std::array::from_fn(|_| random.below(19) as u8)));
            let Some(copy) = downgraded(&game, &state, 15) else { continue };
            lowered += u32::from(copy != state);
            let legal = |state| game.slides(state).map(|slide| slide.is_some());
            assert_eq!(legal(&state), legal(&copy));
        }
        assert!(lowered > 1000);
    }
}
