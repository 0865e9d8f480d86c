//! Players by name.

use super::EngineError;

/// A kind of player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerName {
    /// The network of a model.
    Model,
    /// Every legal move with equal chance.
    Random,
    /// The largest immediate reward.
    Greedy,
    /// Left and down by turns.
    Corner,
    /// Expectimax with a hand-made evaluation of boards.
    Heuristic,
    /// The expectimax of Mayer-Hirshfeld et al., with their depths and cut-offs.
    MayerHirshfeld,
}

impl PlayerName {
    /// The name as it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Corner => "corner",
            Self::Heuristic => "heuristic",
            Self::MayerHirshfeld => "mayer-hirshfeld",
        }
    }

    /// The player of this name, if it needs no model.
    pub fn parse(name: &str) -> Result<Self, EngineError> {
        let all = [Self::Random, Self::Greedy, Self::Corner, Self::Heuristic, Self::MayerHirshfeld];
        let found = all.into_iter().find(|player| player.name() == name);
        found.ok_or_else(|| EngineError::UnknownPlayer(name.into()))
    }

    /// True for players that search without a model.
    pub fn is_heuristic(self) -> bool {
        matches!(self, Self::Heuristic | Self::MayerHirshfeld)
    }

    /// True for players that can say what moves are worth.
    pub fn has_values(self) -> bool {
        self == Self::Model || self.is_heuristic()
    }
}
