//! The rules over HTTP: a new game, a position, a move, all that chance can do.

use crate::body::{Answer, Typed};
use crate::problem::Problem;
use afterstate_lab::api::{self, Look, Move, Moved, NewGame, Outcomes, Position};

pub(super) async fn new(Typed(asked): Typed<NewGame>) -> Result<Answer<Position>, Problem> {
    Ok(Answer(api::new_game(&asked)?))
}

pub(super) async fn look(Typed(asked): Typed<Look>) -> Result<Answer<Position>, Problem> {
    Ok(Answer(api::look(&asked)?))
}

pub(super) async fn slide(Typed(asked): Typed<Move>) -> Result<Answer<Moved>, Problem> {
    Ok(Answer(api::slide(&asked)?))
}

pub(super) async fn outcomes(Typed(asked): Typed<Move>) -> Result<Answer<Outcomes>, Problem> {
    Ok(Answer(api::outcomes(&asked)?))
}
