//! Statistics of a window of training games.

use afterstate::train::Played;
use serde::{Deserialize, Serialize};

/// Sums over training games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// Games.
    pub games: u64,
    /// Sum of scores.
    pub score: u64,
    /// The largest score.
    pub max: u64,
    /// Moves of the games themselves, restarts not counted.
    pub moves: u64,
    /// Number of games by their largest rank.
    pub largest: Vec<u64>,
    /// Number of games that reached their goal.
    #[serde(default)]
    pub goals: u64,
    /// First games that compare with another stage's; 0 for all.
    #[serde(default)]
    pub comparable: u64,
    /// The largest score of those.
    #[serde(default)]
    pub comparable_max: u64,
}

impl Window {
    /// No games yet; of those to come, so many of the first compare with another stage's.
    pub fn comparing(comparable: u64) -> Self {
        Self { comparable, ..Self::default() }
    }

    /// One more game.
    pub fn add(&mut self, played: &Played) {
        self.games += 1;
        self.score += played.score;
        self.max = self.max.max(played.score);
        if self.comparable == 0 || self.games <= self.comparable {
            self.comparable_max = self.max;
        }
        self.moves += played.moves;
        self.goals += u64::from(played.goal);
        let rank = usize::from(played.largest);
        if self.largest.len() <= rank {
            self.largest.resize(rank + 1, 0);
        }
        self.largest[rank] += 1;
    }

    /// The average score; 0 without games.
    pub fn mean(&self) -> f64 {
        self.score as f64 / self.games.max(1) as f64
    }

    /// The share of games whose largest tile was of this rank or a larger one.
    pub fn reached(&self, rank: u8) -> f64 {
        let from = usize::from(rank).min(self.largest.len());
        self.largest[from..].iter().sum::<u64>() as f64 / self.games.max(1) as f64
    }

    /// The share of games that came to their goal.
    pub fn goal_rate(&self) -> f64 {
        self.goals as f64 / self.games.max(1) as f64
    }

    /// The largest rank seen.
    pub fn top(&self) -> u8 {
        self.largest.iter().rposition(|&n| n > 0).unwrap_or(0) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_up() {
        let mut window = Window::default();
        for (score, largest) in [(100, 5), (300, 7)] {
            window.add(&Played { score, largest, moves: 10, extra_moves: 3, goal: largest > 5 });
        }
        assert_eq!((window.mean(), window.max, window.moves), (200.0, 300, 20));
        assert_eq!([window.reached(5), window.reached(6), window.reached(8)], [1.0, 0.5, 0.0]);
        assert_eq!((window.top(), window.goal_rate()), (7, 0.5));
    }

    #[test]
    fn the_comparable_maximum_is_over_the_first_games() {
        let played = |score| Played { score, ..Played::default() };
        let (mut some, mut all) = (Window::comparing(2), Window::default());
        for score in [10, 30, 90, 20] {
            some.add(&played(score));
            all.add(&played(score));
        }
        assert_eq!((some.comparable_max, some.max), (30, 90));
        assert_eq!(all.comparable_max, 90);
    }
}
