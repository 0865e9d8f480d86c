//! Exact values of small boards.

use crate::any::{AnyState, Known};
use crate::convert::wrong;
use crate::game::PyGame;
use crate::position::PyState;
use crate::watched::watched;
use afterstate::solve::{self as library, Objective, Solution, SolveOptions, Summary, summarize};
use afterstate::with_game;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;

/// The values of positions, if they were kept.
trait Oracle: Send + Sync {
    fn value(&self, state: &AnyState) -> Option<library::Values>;
    fn best(&self, state: &AnyState) -> Option<u8>;
}

impl<G: Known> Oracle for Solution<G> {
    fn value(&self, state: &AnyState) -> Option<library::Values> {
        Solution::value(self, &G::open(state)?)
    }

    fn best(&self, state: &AnyState) -> Option<u8> {
        Solution::best(self, &G::open(state)?).map(|direction| direction as u8)
    }
}

/// A small board, solved exactly: what `solve` returns.
#[pyclass(name = "Solution", module = "afterstate._native", frozen)]
pub(crate) struct PySolution {
    game: PyGame,
    summary: Summary,
    oracle: Option<Box<dyn Oracle>>,
}

#[pymethods]
impl PySolution {
    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        self.game.clone()
    }

    /// Optimal play from the start: the expected score, or the probability of the tile.
    #[getter]
    fn optimal(&self) -> f64 {
        self.summary.optimal
    }

    /// Value under uniform random play.
    #[getter]
    fn random(&self) -> f64 {
        self.summary.random
    }

    /// Reachable states, mirror images counted once.
    #[getter]
    fn states(&self) -> u64 {
        self.summary.states
    }

    /// Reachable afterstates, mirror images counted once.
    #[getter]
    fn afterstates(&self) -> u64 {
        self.summary.afterstates
    }

    /// States without a legal move, mirror images counted once.
    #[getter]
    fn terminal(&self) -> u64 {
        self.summary.terminal
    }

    /// Reachable states, mirror images counted apart.
    #[getter]
    fn raw_states(&self) -> u64 {
        self.summary.raw_states
    }

    /// Optimal value of a state; `None` if play cannot get there.
    fn value(&self, state: &Bound<'_, PyState>) -> PyResult<Option<f64>> {
        Ok(self.oracle(state)?.value(&state.get().state).map(|values| values.optimal))
    }

    /// The best move of a state; `None` if there is none.
    fn best(&self, state: &Bound<'_, PyState>) -> PyResult<Option<u8>> {
        Ok(self.oracle(state)?.best(&state.get().state))
    }

    fn __repr__(&self) -> String {
        format!("<Solution of {}: optimal {:.6}>", self.game.rules().id(), self.summary.optimal)
    }
}

impl PySolution {
    fn oracle(&self, state: &Bound<'_, PyState>) -> PyResult<&dyn Oracle> {
        if state.get().game.rules() != self.game.rules() {
            return Err(wrong(format!("the state is not one of {}", self.game.rules().id())));
        }
        self.oracle
            .as_deref()
            .ok_or_else(|| wrong("the values of positions were not kept; solve with values=True"))
    }
}

/// Solves a small board exactly; a board too large is refused at once with its estimated size.
///
/// With `tile` it maximises the probability of making that tile, else the expected score.
///
/// >>> solution = solve("2048-2x2")
/// >>> round(solution.optimal, 9), solution.states
/// (66.964149457, 110)
/// >>> solution.best(Game("2048-2x2").position("11/20"))
/// 1
/// >>> round(solve("2048-2x2", tile=32).optimal, 9)
/// 0.082887289
#[pyfunction]
#[pyo3(signature = (game, *, tile=None, values=true, memory_gib=12.0, threads=2))]
pub(crate) fn solve(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    tile: Option<u64>,
    values: bool,
    memory_gib: f64,
    threads: usize,
) -> PyResult<PySolution> {
    let game = PyGame::from_any(game)?;
    let objective = match tile {
        None => Objective::Score,
        Some(label) => Objective::Tile(
            with_game!(game.rules(), g => afterstate::game::Game::rank_of(g, label))
                .ok_or_else(|| wrong(format!("{label} is not a tile of {}", game.rules().id())))?,
        ),
    };
    if !(memory_gib > 0.0 && memory_gib <= 4096.0) {
        return Err(wrong(format!("memory_gib={memory_gib} must be above 0 and at most 4096")));
    }
    let memory = (memory_gib * (1u64 << 30) as f64) as u64;
    let options = SolveOptions { objective, memory, threads: threads.max(1) };
    with_game!(game.rules(), g => run(py, g, &options, values)).map(|(summary, oracle)| PySolution {
        game: game.clone(),
        summary,
        oracle,
    })
}

type Solved = (Summary, Option<Box<dyn Oracle>>);

fn run<G: Known>(py: Python<'_>, game: &G, options: &SolveOptions, keep: bool) -> PyResult<Solved> {
    let solved = if keep {
        let solved = watched(py, |_| library::solve(game, options), |_| Ok(true))?;
        solved.map(|solution| (*solution.summary(), Some(Box::new(solution) as Box<dyn Oracle>)))
    } else {
        let solved = watched(
            py,
            |stop| {
                summarize(game, options, &mut |_| {
                    if stop.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })
            },
            |_| Ok(true),
        )?;
        solved.map(|summary| (summary, None))
    };
    solved.map_err(wrong)
}
