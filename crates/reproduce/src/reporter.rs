//! Progress of the work on a target, as a front end follows it.

use afterstate::evaluate::Summary;
use afterstate_lab::run::Status;
use std::path::Path;

/// Task under way.
#[derive(Clone, Copy, Debug)]
pub enum Task<'a> {
    /// A network is trained.
    Train {
        /// Its name.
        name: &'a str,
        /// Its run directory.
        place: &'a Path,
    },
    /// Games are played.
    Play {
        /// The player.
        who: &'a str,
        /// Number of games.
        games: u64,
    },
    /// Moves are timed.
    Time {
        /// Its purpose.
        what: &'a str,
    },
}

/// Follows what is done, and may stop it.
pub trait TargetReporter: Sync {
    /// From now on this is done.
    fn begin(&self, task: &Task<'_>) {
        let _ = task;
    }
    /// Status of a training.
    fn training(&self, status: &Status) {
        let _ = status;
    }
    /// Games were played without learning, looking that many moves ahead.
    fn evaluated(&self, ply: u8, games: u64, summary: &Summary) {
        let _ = (ply, games, summary);
    }
    /// So many of the games or measurements of a task are done.
    fn played(&self, done: u64, of: u64) {
        let _ = (done, of);
    }
    /// Something worth a line.
    fn note(&self, text: &str) {
        let _ = text;
    }
    /// True to save and stop.
    fn stop(&self) -> bool {
        false
    }
}
