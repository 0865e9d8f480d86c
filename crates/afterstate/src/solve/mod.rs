//! Exact values of small boards, by layers of the tile sum.
//!
//! A merge keeps the sum of the tiles and a new tile raises it, so the positions of
//! a game fall into layers that play passes in one direction only:
//!
//! ```text
//!            slide                 new tile (2 or 4)
//! states S ─────────▶ afterstates S ─────────▶ states S + 2, states S + 4
//! ```
//!
//! The *forward* pass lists the positions that play can reach, layer by layer. The
//! *backward* pass starts at the last layer and gives each position its value from
//! the values of later ones:
//!
//! ```text
//! V(afterstate) = Σ p · (r + V(state))            over the outcomes of chance
//! V(state)      = max (r + V(afterstate))         over the legal slides; 0 if there is none
//! ```
//!
//! and, for uniform random play, with the mean in place of the maximum. Positions
//! that are mirror images of each other have the same value, so only one of them, the
//! *canonical* one, is kept, as a number of 64 bits.
//!
//! ```
//! use afterstate::game::twenty48::Twenty48;
//! use afterstate::grid::Shape;
//! use afterstate::solve::{SolveOptions, solve};
//!
//! let game = Twenty48::<16>::new(Shape::new(2, 2).unwrap());
//! let solution = solve(&game, &SolveOptions::default()).unwrap();
//! assert_eq!(solution.summary().states, 110);
//! assert!((solution.summary().optimal - 66.964149457).abs() < 1e-9);
//! ```

mod backward;
mod code;
mod estimate;
mod forward;
mod games;
mod parallel;
mod solution;

pub use estimate::{Growth, SolveEstimate};
pub use solution::Solution;

use crate::game::Game;
use code::Code;
use forward::Layer;
use std::ops::ControlFlow;
use thiserror::Error;

/// Needs of the solver beyond the rules: taking a position apart and putting it together.
///
/// Besides the board, which symmetries turn about, there may be a set of cells, which
/// they turn about too, and a rest, which they leave alone.
pub trait Solvable: Game {
    /// Contents of a state besides its board, in [`Growth::rest_bits`] bits.
    fn state_rest(&self, state: &Self::State) -> u64;

    /// The inverse of [`Game::state_view`] and [`Solvable::state_rest`].
    fn state_from(&self, cells: &[u8], rest: u64) -> Self::State;

    /// The set of cells an afterstate holds, 0 if it holds none.
    fn slots(&self, afterstate: &Self::Afterstate) -> u64;

    /// Contents of an afterstate besides its board and that set, in [`Growth::rest_bits`] bits.
    fn afterstate_rest(&self, afterstate: &Self::Afterstate) -> u64;

    /// The inverse of [`Game::view`], [`Solvable::slots`] and [`Solvable::afterstate_rest`].
    fn afterstate_from(&self, cells: &[u8], slots: u64, rest: u64) -> Self::Afterstate;

    /// Growth of the number of positions with the board, to refuse what cannot be solved.
    fn growth(&self) -> Growth;
}

/// Objective that is maximised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objective {
    /// The expected final score.
    Score,
    /// The probability of ever having a tile of this rank or a larger one.
    Tile(u8),
}

/// Options of the solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolveOptions {
    /// Objective that is maximised.
    pub objective: Objective,
    /// The most memory to use, in bytes. Larger boards are refused.
    pub memory: u64,
    /// Number of threads. The result does not depend on it.
    pub threads: usize,
}

impl Default for SolveOptions {
    /// The score, in 12 GiB, with two threads.
    fn default() -> Self {
        Self { objective: Objective::Score, memory: 12 << 30, threads: 2 }
    }
}

/// Pass of the solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Listing the positions.
    Forward,
    /// Giving them values.
    Backward,
}

/// Progress, reported once per layer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SolveProgress {
    /// The pass.
    pub phase: Phase,
    /// The tile sum of the layer just finished.
    pub layer: u64,
    /// States finished in this pass.
    pub states: u64,
    /// States in all: an estimate in the forward pass, exact in the backward pass.
    pub total: f64,
}

/// Hears of the progress and may stop the work.
pub type SolveObserver<'a> = dyn FnMut(&SolveProgress) -> ControlFlow<()> + 'a;

/// Expected values from a position on, or from the start.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Values {
    /// Under optimal play.
    pub optimal: f64,
    /// Under uniform random choice among the legal slides.
    pub random: f64,
}

/// Summary of a solved game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Summary {
    /// Reachable states, mirror images counted once.
    ///
    /// With [`Objective::Tile`] play stops at the tile, here and in the other counts.
    pub states: u64,
    /// Reachable afterstates, mirror images counted once.
    pub afterstates: u64,
    /// States without a legal slide, mirror images counted once.
    pub terminal: u64,
    /// Reachable states, mirror images counted apart.
    pub raw_states: u64,
    /// Optimal play from the start: the expected final score, or the probability of the tile.
    pub optimal: f64,
    /// Value under uniform random play.
    pub random: f64,
}

/// Why a board was not solved.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SolveError {
    /// The estimate says that memory will not do; nothing was tried.
    #[error(
        "too large to solve: about {:.1e} states, which need {:.3e} GiB and {:.1} GiB are allowed; \
         choose a smaller board or a smaller merge cap",
        estimate.states, gib(estimate.bytes), gib(*limit as f64)
    )]
    TooLarge {
        /// The estimate.
        estimate: SolveEstimate,
        /// The limit of [`SolveOptions::memory`].
        limit: u64,
    },
    /// Memory ran out on the way, the estimate was too low.
    #[error(
        "too large to solve: {states} states found so far take {:.1} GiB and {:.1} GiB are allowed; \
         allow more memory or choose a smaller board",
        gib(*bytes as f64), gib(*limit as f64)
    )]
    OutOfMemory {
        /// States found so far.
        states: u64,
        /// Bytes they take.
        bytes: u64,
        /// The limit of [`SolveOptions::memory`].
        limit: u64,
    },
    /// The game has no start position: more start tiles than cells.
    #[error("the start tiles do not fit on the board; ask for fewer of them")]
    NoStart,
    /// The observer stopped the work.
    #[error("stopped before the board was solved")]
    Stopped,
}

fn gib(bytes: f64) -> f64 {
    bytes / (1u64 << 30) as f64
}

/// Solves a board and keeps the value of every position.
pub fn solve<G: Solvable>(game: &G, options: &SolveOptions) -> Result<Solution<G>, SolveError> {
    let (code, summary, layers) = run(game, options, true, &mut |_| ControlFlow::Continue(()))?;
    Ok(Solution::new(code, options.objective, summary, layers))
}

/// Solves a board and keeps the sums only: far less memory, so larger boards.
pub fn summarize<G: Solvable>(
    game: &G,
    options: &SolveOptions,
    observer: &mut SolveObserver<'_>,
) -> Result<Summary, SolveError> {
    run(game, options, false, observer).map(|(_, summary, _)| summary)
}

fn run<G: Solvable>(
    game: &G,
    options: &SolveOptions,
    keep: bool,
    observer: &mut SolveObserver<'_>,
) -> Result<(Code<G>, Summary, Vec<Layer>), SolveError> {
    let estimate = SolveEstimate::of(game, keep);
    let too_large = SolveError::TooLarge { estimate, limit: options.memory };
    if estimate.bytes > options.memory as f64 {
        return Err(too_large);
    }
    // A position that does not fit in 64 bits belongs to a board that does not fit in memory.
    let code = Code::new(game).ok_or(too_large)?;
    let (mut layers, mut summary) = forward::explore(&code, options, keep, estimate.states, observer)?;
    if layers.is_empty() {
        return Err(SolveError::NoStart);
    }
    let start = backward::evaluate(&code, options, keep, &mut layers, summary.states, observer)?;
    summary.optimal = start.optimal;
    summary.random = start.random;
    Ok((code, summary, layers))
}
