//! Values of moves as JSON, for `analyze` and the server. Add fields, never rename them.

use afterstate::grid::Direction;
use afterstate::search::Answer;
use serde::Serialize;

/// A move that loses more than this share of what the best is worth is a mistake.
const MISTAKE: f32 = 0.01;

/// One position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysed {
    /// In our notation.
    pub position: String,
    /// The first of the best moves; `None` where the game is over.
    pub best: Option<&'static str>,
    /// Its value.
    pub value: Option<f32>,
    /// The depth that was reached.
    pub ply: u8,
    /// Leaves evaluated.
    pub leaves: u64,
    /// The tile of which an endgame table knows the chance to make one more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endgame_tile: Option<u64>,
    /// Always four: up, right, down, left.
    pub moves: Vec<AnalysedMove>,
}

/// One of the four moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysedMove {
    /// Its name.
    #[serde(rename = "move")]
    pub direction: &'static str,
    /// True if it can be made.
    pub legal: bool,
    /// The points it brings at once.
    pub reward: Option<u64>,
    /// Its value.
    pub value: Option<f32>,
    /// Loss against the best move.
    pub loss: Option<f32>,
    /// The chance of making one more [`Analysed::endgame_tile`], where an endgame table knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f32>,
}

impl Analysed {
    /// Adds what an endgame table knows: the chances of the four moves, and the tile they are for.
    #[must_use]
    pub fn with_chances(mut self, chances: [Option<f32>; 4], tile: u64) -> Self {
        self.endgame_tile = Some(tile);
        for (made, chance) in self.moves.iter_mut().zip(chances) {
            made.chance = chance;
        }
        self
    }

    /// The answer of a search.
    pub fn of(position: String, answer: &Answer) -> Self {
        let value = answer.value();
        let moves = Direction::ALL.into_iter().zip(answer.moves).map(|(direction, found)| AnalysedMove {
            direction: direction.name(),
            legal: found.is_some(),
            reward: found.map(|found| found.reward),
            value: found.map(|found| found.value),
            loss: found.zip(value).map(|(found, best)| best - found.value),
            chance: None,
        });
        Self {
            position,
            best: answer.best.map(Direction::name),
            value,
            ply: answer.ply,
            leaves: answer.leaves,
            endgame_tile: None,
            moves: moves.collect(),
        }
    }
}

/// Losses of the moves of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Losses {
    /// All of them together.
    pub total_loss: f64,
    /// Moves that were the best or as good.
    pub best_moves: usize,
    /// The numbers of the moves that lost at least 1 % of what the best was worth.
    pub mistakes: Vec<usize>,
}

/// Loss of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Its size.
    pub loss: f32,
    /// True if that is a mistake.
    pub mistake: bool,
}

impl Losses {
    /// Takes in a move by its number in the game: what the best was worth, and what the one that
    /// was played.
    pub fn add(&mut self, number: usize, best: Option<f32>, played: Option<f32>) -> Loss {
        let best = best.unwrap_or(0.0);
        let loss = played.map_or(0.0, |played| best - played);
        let mistake = loss > MISTAKE * best.abs();
        self.total_loss += f64::from(loss);
        self.best_moves += usize::from(loss <= 0.0);
        if mistake {
            self.mistakes.push(number);
        }
        Loss { loss, mistake }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundredth_is_a_mistake() {
        let mut losses = Losses::default();
        let told = [(1, 100.0, 100.0), (2, 100.0, 99.5), (3, 100.0, 98.0), (4, -100.0, -102.0)];
        let mistakes =
            told.map(|(number, best, played)| losses.add(number, Some(best), Some(played)).mistake);
        assert_eq!(mistakes, [false, false, true, true]);
        assert!(!losses.add(5, None, None).mistake);
        assert_eq!((losses.total_loss, losses.best_moves, &losses.mistakes[..]), (4.5, 2, &[3, 4][..]));
    }
}
