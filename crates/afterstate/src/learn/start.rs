//! Start positions of games.

use crate::network::stage::Stage;
use crate::task::Generator;

/// Start position of a training game.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Start<S> {
    /// The start position of the game.
    #[default]
    Fresh,
    /// The start position; then, after every game, the middle of its path, again and again until a
    /// game is short.
    ///
    /// The difficult part of a game is its end: this trains it most. A chain of games from
    /// one start counts as one game.
    Restart {
        /// A game of fewer moves ends the chain.
        shortest: usize,
    },
    /// The start position; then positions that a searching player comes to.
    ///
    /// Who looks ahead lives longer, and comes to boards that one-ply games, from which values are
    /// learned, hardly ever see. So after every game the network plays one with search, from which
    /// nothing is learned, and learning games start on its path.
    Searched {
        /// Its depth in plies.
        ply: u8,
        /// Number of games that start from random positions of its path.
        starts: u32,
    },
    /// These positions in turn, each with its stage and the score the game had there.
    Boards(Vec<StartPoint<S>>),
    /// Positions made to order.
    Generated(Generator),
}

/// A game already under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartPoint<S> {
    /// The position.
    pub state: S,
    /// Its stage.
    pub stage: Stage,
    /// Points so far.
    pub score: u64,
}
