//! Requests that are not answered as asked.

use std::fmt::Display;
use thiserror::Error;

/// Reason why a request is not answered. Front ends add where to look.
#[derive(Debug, Error)]
pub enum Refusal {
    /// It cannot be understood at all.
    #[error("the body is not JSON: {0}")]
    NotJson(serde_json::Error),
    /// It is JSON of another kind.
    #[error("the request: {0}")]
    Shape(serde_json::Error),
    /// It asks for a move that cannot be made.
    #[error("that move is not legal here: nothing would slide")]
    Illegal,
    /// It asks for something that makes no sense.
    #[error("{0}")]
    Wrong(String),
}

impl Refusal {
    pub(super) fn wrong(message: impl Display) -> Self {
        Self::Wrong(message.to_string())
    }
}
