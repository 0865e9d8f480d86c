//! Parts of a game played for themselves: where they start, and with which tiles they are done.
//!
//! "Make one more 4096 beside two large tiles" is a task of some thousand moves. Networks learn it
//! alone ([`crate::train::Method`]), players are measured by how often they succeed
//! ([`crate::evaluate::Plan`]).

mod generate;
mod goal;

pub use generate::Generator;
pub use goal::Goal;

/// Start and end of games, if not as the rules say.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Task {
    /// Generator of start positions; without it the game deals them.
    pub start: Option<Generator>,
    /// With which tiles a game is cut.
    pub goal: Option<Goal>,
}
