//! Work one search may do.

use afterstate::grid::Shape;
use afterstate::search::MAX_PLY;
use std::time::Duration;

/// Asked again and again while a search runs; `true` ends it with the deepest answer so far.
pub type Cancelled<'a> = Option<&'a (dyn Fn() -> bool + Sync)>;

/// Work one search may do: depth, time, threads, and a way to call it off.
#[derive(Clone, Copy)]
pub struct SearchBudget<'a> {
    /// Moves to look ahead.
    pub ply: u8,
    /// Time for one move.
    pub time: Option<Duration>,
    /// Threads that share one search, from 4-ply on: a shallower one is over before they start.
    pub threads: usize,
    /// Cancellation, from 3-ply on.
    pub cancelled: Cancelled<'a>,
}

impl<'a> SearchBudget<'a> {
    /// A fixed depth on one thread.
    pub fn ply(ply: u8) -> Self {
        Self { ply, time: None, threads: 1, cancelled: None }
    }

    /// The depth at which games are played and moves are judged where nobody says otherwise: three
    /// moves ahead, fewer on large boards, where that takes too long.
    pub fn usual(shape: Shape) -> Self {
        Self::ply(match shape.cells() {
            0..=20 => 3,
            21..=36 => 2,
            _ => 1,
        })
    }

    /// As deep as the time for one move allows, on one thread.
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::ply(MAX_PLY) }
    }

    /// The budget of two options of a front end; `None` where neither is given.
    pub fn of(ply: Option<u8>, time: Option<Duration>) -> Option<Self> {
        let timed = time.map(Self::time);
        ply.map_or(timed, |ply| Some(Self { time, ..Self::ply(ply) }))
    }

    /// Shares the search between threads.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Ends the search early once `cancelled` says so.
    #[must_use]
    pub fn unless(self, cancelled: Cancelled<'a>) -> Self {
        Self { cancelled, ..self }
    }
}
