//! Who plays, by name.

use afterstate::search::MAX_PLY;
use thiserror::Error;

/// Why there is no such agent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AgentError {
    /// No player of this name.
    #[error("there is no player '{0}'; there are random, greedy, corner, heuristic and mayer-hirshfeld")]
    Unknown(String),
    /// A player who does not look ahead was asked to.
    #[error(
        "the {0} player does not look ahead; leave ply and time per move out, or use the heuristic player or a model"
    )]
    Blind(&'static str),
    /// A player who does not search was told how to.
    #[error("this player does not look ahead; leave out cut-off, depths by empty cells and the table")]
    Tuned,
    /// A depth nobody searches.
    #[error("{0} is not a depth; look from 1 to {MAX_PLY} moves ahead")]
    Ply(u8),
    /// Values that cannot be searched.
    #[error("the model holds values of {0}, which cannot be searched; leave ply and time per move out")]
    Values(&'static str),
}

/// Who plays.
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
    /// Expectimax with a hand-made judgement of boards.
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
    pub fn parse(name: &str) -> Result<Self, AgentError> {
        let all = [Self::Random, Self::Greedy, Self::Corner, Self::Heuristic, Self::MayerHirshfeld];
        all.into_iter().find(|player| player.name() == name).ok_or_else(|| AgentError::Unknown(name.into()))
    }

    /// Whether it searches without a model.
    pub fn is_heuristic(self) -> bool {
        matches!(self, Self::Heuristic | Self::MayerHirshfeld)
    }
}
