//! From Python to the library and back: errors, directions, boards.

use afterstate::budget::OutOfMemory;
use afterstate::game::catalogue::AnyGame;
use afterstate::game::{Game, Hint, Setup, SetupError, notation};
use afterstate::grid::{Direction, MAX_RANK, Shape};
use afterstate_lab::endgames::EndgamesError;
use afterstate_lab::engine::EngineError;
use afterstate_lab::model::ModelError;
use afterstate_lab::model_source::SourceError;
use afterstate_lab::run::{Remedy, RunError};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;

/// The user gave something that makes no sense.
pub(crate) fn wrong(what: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(what.to_string())
}

/// There is no room for what the user wants.
pub(crate) fn no_memory(error: OutOfMemory) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}

/// A file that is not there is an `OSError`, one that is not as it should be a `ValueError`.
pub(crate) fn model_error(error: ModelError) -> PyErr {
    if let Some(error) = error.out_of_memory() {
        return no_memory(error);
    }
    match error {
        ModelError::Open { .. } | ModelError::Save { .. } => PyOSError::new_err(error.to_string()),
        _ => wrong(error),
    }
}

/// The error of a model by name.
pub(crate) fn source_error(error: SourceError) -> PyErr {
    match error {
        SourceError::Model(error) => model_error(error),
        SourceError::NoModel { .. } => PyOSError::new_err(error.to_string()),
        _ => wrong(error),
    }
}

/// An `OSError` for files that cannot be read, a `ValueError` for options that make no sense.
pub(crate) fn engine_error(error: EngineError) -> PyErr {
    let advice = match &error {
        EngineError::Model(_) => {
            let EngineError::Model(error) = error else { unreachable!("it was one") };
            return model_error(error);
        }
        EngineError::Source(_) => {
            let EngineError::Source(error) = error else { unreachable!("it was one") };
            return source_error(error);
        }
        EngineError::NeedsNoModel(_) => "leave out model or player",
        EngineError::NeedsNoEndgames(_) => "leave out endgames or player",
        EngineError::NoBuiltin(_) => "give a model, or player='heuristic'",
        EngineError::Endgames(EndgamesError::Nothing { .. }) => {
            "the command `afterstate endgames` makes some"
        }
        EngineError::Endgames(EndgamesError::Io { .. }) => return PyOSError::new_err(error.to_string()),
        _ => return wrong(error),
    };
    wrong(format!("{error}; {advice}"))
}

/// An `OSError` for directories and files of a run, a `ValueError` for recipes that cannot be used.
pub(crate) fn run_error(error: RunError) -> PyErr {
    let advice = match error.remedy() {
        Some(Remedy::FreeDisk | Remedy::FreeQuota) => "; free some room, then resume=True",
        Some(Remedy::AllowLargerFiles) => "; raise the limit of file sizes, then resume=True",
        Some(Remedy::WritableDirectory) => "; choose a directory you may write to",
        Some(Remedy::Wait) => "; wait for it, or choose another directory",
        Some(Remedy::Resume) => "; pass resume=True, or choose another directory",
        Some(Remedy::OtherPath | Remedy::OtherDirectory) => "; choose another directory",
        Some(Remedy::Start) => "; start it with resume=False",
        Some(Remedy::OtherDisk) => "; make room, or choose another disk",
        Some(Remedy::Restore) => "; copy it back, or begin another run",
        Some(Remedy::LessMemory) => "; use a smaller network, or allow more memory",
        Some(Remedy::SmallerSteps) => "; begin another run with smaller steps",
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

/// The board of a typed-in position, in the one of its forms that is given.
#[derive(Clone, Copy)]
pub(crate) struct GivenBoard<'a, 'py> {
    /// Text in any dialect, or numbers that can be read in one way only.
    pub(crate) board: Option<&'a Bound<'py, PyAny>>,
    /// An array of ranks.
    pub(crate) ranks: Option<&'a Bound<'py, PyAny>>,
    /// An array of the numbers on the tiles.
    pub(crate) tiles: Option<&'a Bound<'py, PyAny>>,
}

/// A typed-in position: text in any dialect, or an array of ranks or tiles (with bag and hint for
/// Threes).
pub(crate) fn setup(
    game: &AnyGame,
    given: GivenBoard<'_, '_>,
    hint: Option<u8>,
    bag: Option<[u8; 3]>,
) -> PyResult<Setup> {
    let ranks = match given {
        GivenBoard { board: Some(board), ranks: None, tiles: None } => {
            if let Ok(text) = board.extract::<String>() {
                if hint.is_some() || bag.is_some() {
                    return Err(wrong(
                        "a position as text holds bag= and hint= itself; leave the arguments out",
                    ));
                }
                let label = |label| afterstate::with_game!(game, g => g.rank_of(label));
                return notation::parse(&text, game.shape(), label).map_err(wrong);
            }
            unambiguous(game, &numbers(game, board)?).map_err(wrong)?
        }
        GivenBoard { board: None, ranks: Some(ranks), tiles: None } => {
            as_ranks(&numbers(game, ranks)?).map_err(wrong)?
        }
        GivenBoard { board: None, ranks: None, tiles: Some(tiles) } => {
            as_tiles(game, &numbers(game, tiles)?).map_err(wrong)?
        }
        _ => return Err(wrong("give the position once: as text, or as ranks=, or as tiles=")),
    };
    Ok(Setup { ranks, bag, hint: hint.map(hint_of), bonus_count: None })
}

/// The numbers of an array of the shape of the board.
fn numbers(game: &AnyGame, board: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let numpy = board.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (board,))?.call_method1("astype", ("int64",))?;
    let array: PyReadonlyArrayDyn<'_, i64> = array.extract()?;
    let shape = game.shape();
    if array.shape() != [shape.rows(), shape.cols()] && array.shape() != [shape.cells()] {
        let found = array.shape();
        return Err(wrong(format!("a board of {shape} cells is needed, the array has the shape {found:?}")));
    }
    Ok(array.as_array().iter().copied().collect())
}

fn as_ranks(numbers: &[i64]) -> Result<Vec<u8>, String> {
    let rank = |&number: &i64| {
        let rank = u8::try_from(number).ok().filter(|&rank| rank <= MAX_RANK);
        rank.ok_or_else(|| format!("{number} is no rank; ranks go from 0 to {MAX_RANK}"))
    };
    numbers.iter().map(rank).collect()
}

fn as_tiles(game: &AnyGame, numbers: &[i64]) -> Result<Vec<u8>, String> {
    let rank = |&number: &i64| {
        let label = u64::try_from(number).ok();
        let rank = match label {
            Some(0) => Some(0),
            label => label.and_then(|label| afterstate::with_game!(game, g => g.rank_of(label))),
        };
        rank.ok_or_else(|| format!("{number} is not a tile of {}", game.id()))
    };
    numbers.iter().map(rank).collect()
}

/// Numbers that are ranks or tiles, if only one of the two makes sense, or both are the same board.
fn unambiguous(game: &AnyGame, numbers: &[i64]) -> Result<Vec<u8>, String> {
    match (as_ranks(numbers), as_tiles(game, numbers)) {
        (Ok(ranks), Ok(tiles)) if ranks != tiles => Err(
            "this board could be ranks (1 is the smallest tile, 2 the next) or the numbers on the tiles; write \
             ranks= or tiles="
                .into(),
        ),
        (Ok(ranks), _) => Ok(ranks),
        (Err(_), Ok(tiles)) => Ok(tiles),
        (Err(rank), Err(tile)) => Err(format!("{rank}; and as the numbers on tiles: {tile}")),
    }
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
