//! Targets, towards which the value of a point moves.
//!
//! A rule is told each point of a game as it is visited, with the reward since the last
//! one, and the reward of the end. With R¹ₜ = rₜ₊₁ + V(xₜ₊₁), R²ₜ = rₜ₊₁ + rₜ₊₂ + V(xₜ₊₂) …
//! all of them are mixtures of these returns, learned at different times.

mod backward;
mod delayed;
mod expected;
mod returns;

use super::Learner;
use crate::network::Active;
pub use backward::Backward;
pub use delayed::Delayed;
pub use expected::learn_expectations;
pub use returns::{Returns, lambda_weights};

/// Learns nothing: games are played with frozen weights.
struct Nothing;

impl Rule for Nothing {
    #[inline]
    fn visit(&mut self, _: &Learner, _: &mut Active, _: f32, _: f32) {}
    fn end(&mut self, _: &Learner, _: f32) {}
}

/// A rule, with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// A weighted sum of the 1- to n-step returns.
    Returns {
        /// The weights of R¹ … Rⁿ; they add up to one.
        weights: Vec<f32>,
        /// True to wait for the end of the game (Yeh et al.), false to learn n steps behind play.
        after_game: bool,
    },
    /// TD(λ) backwards over a finished game.
    Backward {
        /// λ.
        lambda: f32,
    },
    /// Delayed TD(λ) (Jaśkowski 2016).
    Delayed {
        /// λ.
        lambda: f32,
        /// Number of errors that are collected before a point is updated.
        horizon: usize,
    },
    /// The mean over all outcomes of chance of the best answer's value, backwards over a finished
    /// game.
    ///
    /// It does not depend on the moves and outcomes of the game, so it is no [`Rule`] (see
    /// [`learn_expectations`]), and the player may explore.
    Expected {
        /// Share of moves that are any legal one, rather than the best, in half of the games.
        explore: f32,
    },
    /// Nothing is learned: the weights stay as they are.
    Nothing,
}

impl Target {
    /// TD(0): R¹ alone, one step behind play.
    pub fn td0() -> Self {
        Self::Returns { weights: vec![1.0], after_game: false }
    }

    /// n-step: Rⁿ alone.
    pub fn n_step(n: usize) -> Self {
        let mut weights = vec![0.0; n];
        weights[n - 1] = 1.0;
        Self::Returns { weights, after_game: false }
    }

    /// The rule, ready for a first game.
    pub fn rule(&self) -> Box<dyn Rule> {
        match self {
            Self::Returns { weights, after_game } => Box::new(Returns::new(weights.clone(), *after_game)),
            Self::Backward { lambda } => Box::new(Backward::new(*lambda)),
            Self::Delayed { lambda, horizon } => Box::new(Delayed::new(*lambda, *horizon)),
            Self::Expected { .. } | Self::Nothing => Box::new(Nothing),
        }
    }
}

/// Learns from one game after another.
pub trait Rule: Send {
    /// The next point of the game: `reward` since the last one (ignored for the first), `value` = V now.
    ///
    /// The rule may keep the entries by swapping them for others.
    fn visit(&mut self, learner: &Learner, point: &mut Active, reward: f32, value: f32);

    /// The game is over: `reward` since the last point, and nothing after it.
    fn end(&mut self, learner: &Learner, reward: f32);
}
