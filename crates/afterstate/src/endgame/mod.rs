//! Endgame tables: exact chances of the last climbs, in which games are lost.
//!
//! When 16384, 8192, 4096, 2048, 1024 and 512 stand in order, ten cells are left to make one more
//! 512, which brings them all together. As long as the large tiles stay where they are nothing else
//! matters, and ten cells have so few boards that the chance can be computed from each of them
//! ([`Climb`]). The same ten cells serve whatever the large tiles are, so that a few tables serve
//! every climb of a game.
//!
//! ```text
//! 16384  2048  4096  8192      A [`Formation`] says which cells are held and which tile is to be made.
//!     .     .   512  1024      [`Endgames::advise`] finds it on a board, whichever way that is turned,
//!     2     4     8   128      and tells the chances of the moves.
//!     .     .     2     4
//! ```
//!
//! A chance says nothing about points, and the values of a network nothing about chances, so the
//! two are not mixed: either a table chooses a move or a search does.

mod advice;
mod climb;
pub mod file;
mod formation;
mod lines;
mod numbering;

pub use advice::{Advice, ENOUGH};
pub use climb::{Climb, ClimbObserver, EndgameError};
pub use formation::{Formation, MAX_CELLS, MAX_GOAL};

use std::sync::Arc;

/// Tables of one board, and all the ways in which their formations may be turned.
///
/// Copies share the tables.
#[derive(Clone, Debug, Default)]
pub struct Endgames {
    climbs: Vec<Arc<Turned>>,
    /// Boards without a tile of this rank are left to the search.
    from: u8,
}

/// A table and the images of its formation.
#[derive(Debug)]
struct Turned {
    climb: Climb,
    /// Held cells as they lie on a turned board, and the map that turns it back.
    images: Vec<(u16, Vec<u8>)>,
}

impl Endgames {
    /// One more table. Of several that know a position, the first is asked.
    pub fn add(&mut self, climb: Climb) {
        let formation = *climb.formation();
        let mut images: Vec<(u16, Vec<u8>)> = Vec::new();
        for map in formation.shape().symmetries() {
            let held = (0..map.len()).filter(|&cell| formation.holds(cell));
            let image = held.fold(0, |image, cell| image | 1 << map[cell]);
            if images.iter().all(|(known, _)| *known != image) {
                images.push((image, map));
            }
        }
        self.climbs.push(Arc::new(Turned { climb, images }));
    }

    /// These tables, to be followed only where a tile of this rank or a larger one is on the
    /// board.
    ///
    /// A search that is strong enough for small climbs is better left alone there, because it sees
    /// what comes after them.
    #[must_use]
    pub fn followed_from(&self, rank: u8) -> Self {
        Self { from: rank, ..self.clone() }
    }

    /// The tables.
    pub fn climbs(&self) -> impl ExactSizeIterator<Item = &Climb> {
        self.climbs.iter().map(|turned| &turned.climb)
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.climbs.is_empty()
    }
}
