//! Durations of games that are played on several threads.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

thread_local! {
    /// Start of the game that this thread plays.
    static START: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Durations of the games of an evaluation, as its observer measures them.
#[derive(Debug, Default)]
pub struct GameTimes(Mutex<Vec<(u64, u64)>>);

impl GameTimes {
    /// Starts the clock of the game that this thread begins.
    pub fn begin(&self) {
        START.set(Some(Instant::now()));
    }

    /// Keeps the duration of the game that this thread ends, and returns it in nanoseconds.
    pub fn end(&self, game: u64) -> u64 {
        let time = START.get().map_or(0, |start| start.elapsed().as_nanos() as u64);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((game, time));
        time
    }

    /// Nanoseconds of all games, in the order of the games.
    pub fn in_order(self) -> Vec<u64> {
        let mut all = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        all.sort_unstable();
        all.into_iter().map(|(_, time)| time).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn durations_come_in_the_order_of_the_games() {
        let times = GameTimes::default();
        for game in [3, 1, 2] {
            times.begin();
            std::thread::sleep(Duration::from_millis(5 * u64::from(game == 1)));
            times.end(game);
        }
        let all = times.in_order();
        assert_eq!(all.len(), 3);
        assert!(all[0] >= 5_000_000 && all[1] < all[0] && all[2] < all[0], "{all:?}");
    }
}
