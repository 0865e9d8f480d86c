//! Reasons why an engine cannot be made.

use super::PlayerName;
use crate::compat::GameMismatch;
use crate::endgames::EndgamesError;
use crate::mapped::{BuiltinError, MapError};
use crate::model::ModelError;
use crate::model_source::SourceError;
use crate::variant::VariantError;
use afterstate::budget::OutOfMemory;
use afterstate::network::file::FileError;
use afterstate::search::MAX_PLY;
use thiserror::Error;

/// Reason why an engine cannot be made. Front ends add what to do about it in their own terms.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The game or its options are unknown.
    #[error(transparent)]
    Game(#[from] VariantError),
    /// No player of this name.
    #[error("there is no player '{0}'; there are random, greedy, corner, heuristic and mayer-hirshfeld")]
    UnknownPlayer(String),
    /// A model was given to a player who uses none.
    #[error("the {} player needs no model", .0.name())]
    NeedsNoModel(PlayerName),
    /// Endgame tables were given to a player who cannot follow them.
    #[error("the {} player has no use for endgame tables", .0.name())]
    NeedsNoEndgames(PlayerName),
    /// Endgame tables were given to a network of V(s) or Q(s, a).
    #[error("endgame tables need a model that values afterstates")]
    EndgamesNeedAfterstates,
    /// Values were asked of a player who has none.
    #[error("the {} player has no values to show", .0.name())]
    NoValues(PlayerName),
    /// A player who does not look ahead was asked to.
    #[error(
        "the {} player does not look ahead; leave ply and time per move out, or use the heuristic player or a model",
        .0.name()
    )]
    NoSearch(PlayerName),
    /// A player who does not search was told how to.
    #[error("this player does not look ahead; leave out cut-off, depths by empty cells and the table")]
    NotTunable,
    /// A player without stages was told whose stage judges.
    #[error("the {} player has no stages", .0.name())]
    NoStages(PlayerName),
    /// The built-in model was told whose stage judges.
    #[error("the built-in model is shared by all who play with it, so its judging stays as it is")]
    SharedJudging,
    /// A model that counts walls was told whose stage judges.
    #[error("this model counts walls, which the game's stage judges")]
    JudgedByWalls,
    /// A depth out of range.
    #[error("{0} is not a depth; look from 1 to {MAX_PLY} moves ahead")]
    Ply(u8),
    /// A network of V(s) or Q(s, a) was asked to search.
    #[error("the model holds values of {0}, which cannot be searched; leave ply and time per move out")]
    Unsearchable(&'static str),
    /// No built-in model plays this game.
    #[error("no built-in model of {0} ships")]
    NoBuiltin(String),
    /// There is no memory for it.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// A built-in model is damaged.
    #[error(transparent)]
    Builtin(#[from] FileError),
    /// The model plays another game.
    #[error(transparent)]
    Mismatch(#[from] GameMismatch),
    /// The model cannot be loaded.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The name of the model leads to none.
    #[error(transparent)]
    Source(SourceError),
    /// The network cannot be shared with other processes.
    #[error(transparent)]
    Mapped(#[from] MapError),
    /// The endgame tables cannot be loaded.
    #[error(transparent)]
    Endgames(#[from] EndgamesError),
}

impl EngineError {
    /// True for options that do not fit together, false for files that cannot be read.
    pub fn is_usage(&self) -> bool {
        let unknown = |source: &SourceError| matches!(source, SourceError::UnknownBuiltIn { .. });
        match self {
            Self::Model(_) | Self::Endgames(_) | Self::Memory(_) | Self::Builtin(_) | Self::Mapped(_) => {
                false
            }
            Self::Source(source) => unknown(source),
            _ => true,
        }
    }

    /// The refusal of memory, if that is why.
    pub fn out_of_memory(&self) -> Option<OutOfMemory> {
        match self {
            Self::Memory(error) | Self::Builtin(FileError::Memory(error)) => Some(*error),
            Self::Model(error) => error.out_of_memory(),
            Self::Endgames(error) => error.out_of_memory(),
            _ => None,
        }
    }
}

impl From<BuiltinError> for EngineError {
    fn from(error: BuiltinError) -> Self {
        match error {
            BuiltinError::Model(error) => error.into(),
            BuiltinError::Map(error) => error.into(),
        }
    }
}

impl From<SourceError> for EngineError {
    fn from(error: SourceError) -> Self {
        match error {
            SourceError::Model(error) => error.into(),
            SourceError::BuiltIn(error) => error.into(),
            named => Self::Source(named),
        }
    }
}
