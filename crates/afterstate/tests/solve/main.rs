//! Exact values of small boards: published numbers, brute force, limits.

mod brute;
mod limits;
mod threes;
mod twenty48;

use afterstate::solve::{Solvable, SolveError, SolveOptions, Summary, summarize};
use std::ops::ControlFlow;

fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

fn counts(summary: &Summary) -> [u64; 4] {
    [summary.states, summary.afterstates, summary.terminal, summary.raw_states]
}

fn summary<G: Solvable>(game: &G, options: &SolveOptions) -> Result<Summary, SolveError> {
    summarize(game, options, &mut |_| ControlFlow::Continue(()))
}
