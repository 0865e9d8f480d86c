//! From Python to the library and back: errors, directions, boards.

use afterstate::game::catalogue::AnyGame;
use afterstate::game::{Game, Hint, Setup, SetupError, notation};
use afterstate::grid::{Direction, Shape};
use afterstate_lab::model::ModelError;
use afterstate_lab::run::{Remedy, RunError};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

/// The user gave something that makes no sense.
pub(crate) fn wrong(what: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(what.to_string())
}

/// A file that is not there is an `OSError`, one that is not as it should be a `ValueError`.
pub(crate) fn model_error(error: ModelError) -> PyErr {
    match error {
        ModelError::Open { .. } | ModelError::Save { .. } => PyOSError::new_err(error.to_string()),
        _ => wrong(error),
    }
}

/// An `OSError` for directories and files of a run, a `ValueError` for recipes that cannot be used.
pub(crate) fn run_error(error: RunError) -> PyErr {
    let advice = match error.remedy() {
        Some(Remedy::FreeDisk | Remedy::FreeQuota) => "; free some room, then resume=True",
        Some(Remedy::WritableDirectory) => "; choose a directory you may write to",
        Some(Remedy::Wait) => "; wait for it, or choose another directory",
        Some(Remedy::Resume) => "; pass resume=True, or choose another directory",
        Some(Remedy::OtherPath | Remedy::OtherDirectory) => "; choose another directory",
        Some(Remedy::Start) => "; start it with resume=False",
        Some(Remedy::OtherDisk) => "; make room, or choose another disk",
        Some(Remedy::Restore) => "; copy it back, or begin another run",
        Some(Remedy::BeginAnother) => "; leave that as it was, or begin another run",
        None => "",
    };
    match error {
        RunError::Io { .. } | RunError::Busy(_) | RunError::Exists(_) | RunError::Nothing(_) => {
            PyOSError::new_err(format!("{error}{advice}"))
        }
        _ => wrong(format!("{error}{advice}")),
    }
}

/// A direction by number (0 up, 1 right, 2 down, 3 left) or name.
pub(crate) fn direction(value: &Bound<'_, PyAny>) -> PyResult<Direction> {
    if let Ok(name) = value.extract::<String>() {
        return Direction::parse(&name)
            .ok_or_else(|| wrong(format!("'{name}' is no direction; write up, right, down or left")));
    }
    let number: i64 = value.extract()?;
    let found = usize::try_from(number).ok().and_then(|n| Direction::ALL.get(n));
    found.copied().ok_or_else(|| wrong(format!("{number} is no direction; 0 is up, 1 right, 2 down, 3 left")))
}

/// Ranks as an array of rows and columns.
pub(crate) fn board<'py>(
    py: Python<'py>,
    shape: Shape,
    cells: Vec<u8>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    cells.into_pyarray(py).reshape([shape.rows(), shape.cols()])
}

/// A typed-in position: text in any dialect, or an array of ranks (with bag and hint for Threes).
pub(crate) fn setup(
    game: &AnyGame,
    board: &Bound<'_, PyAny>,
    hint: Option<u8>,
    bag: Option<[u8; 3]>,
) -> PyResult<Setup> {
    if let Ok(text) = board.extract::<String>() {
        if hint.is_some() || bag.is_some() {
            return Err(wrong("a position as text holds bag= and hint= itself; leave the arguments out"));
        }
        let label = |label| afterstate::with_game!(game, g => g.rank_of(label));
        return notation::parse(&text, game.shape(), label).map_err(wrong);
    }
    let numpy = board.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (board,))?.call_method1("astype", ("int64",))?;
    let array: PyReadonlyArrayDyn<'_, i64> = array.extract()?;
    let shape = game.shape();
    if array.shape() != [shape.rows(), shape.cols()] && array.shape() != [shape.cells()] {
        let found = array.shape();
        return Err(wrong(format!("a board of {shape} cells is needed, the array has the shape {found:?}")));
    }
    let rank = |&rank: &i64| {
        u8::try_from(rank).map_err(|_| wrong(format!("{rank} is no rank; a board holds ranks from 0 to 60")))
    };
    let ranks = array.as_array().iter().map(rank).collect::<PyResult<Vec<u8>>>()?;
    Ok(Setup { ranks, bag, hint: hint.map(hint_of), bonus_count: None })
}

/// The announced tile as observations show it: 1, 2, 3, or the smallest rank a bonus may have.
fn hint_of(hint: u8) -> Hint {
    if hint <= 3 { Hint::Tile(hint) } else { Hint::Bonus }
}

/// The state of a position, with a bonus hint read as the game shows it.
pub(crate) fn state_of<G: Game>(game: &G, setup: &Setup, seen: Option<u8>) -> Result<G::State, SetupError> {
    let state = game.position(setup);
    let (Err(_), Some(Hint::Bonus), Some(low)) = (&state, setup.hint, seen) else { return state };
    // Candidates are shown: the window that begins with the smallest one.
    let window = |high| {
        let hint = Some(Hint::Candidates { low, high });
        game.position(&Setup { hint, ..setup.clone() }).ok()
    };
    (low..=low.saturating_add(2)).rev().find_map(window).map_or(state, Ok)
}
