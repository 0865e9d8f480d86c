//! Reasons why an engine cannot be made.

use super::PlayerName;
use crate::compat::GameMismatch;
use crate::endgames::EndgamesError;
use crate::model::ModelError;
use crate::variant::VariantError;
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
    /// A built-in model is damaged.
    #[error(transparent)]
    Builtin(#[from] FileError),
    /// The model plays another game.
    #[error(transparent)]
    Mismatch(#[from] GameMismatch),
    /// The model cannot be loaded.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The endgame tables cannot be loaded.
    #[error(transparent)]
    Endgames(#[from] EndgamesError),
}

impl EngineError {
    /// True for options that do not fit together, false for files that cannot be read.
    pub fn is_usage(&self) -> bool {
        !matches!(self, Self::Model(_) | Self::Endgames(_))
    }
}
