//! States, slides, afterstates and the exact outcomes of chance.

use crate::any::{AnyAfterstate, AnyState, Known, afterstate_parts, state_parts, with_position};
use crate::convert::board;
use crate::game::{PyGame, PyRandom, hash, with_random};
use afterstate::game::catalogue::AnyGame;
use afterstate::game::{Game, Outcome, Slide, notation};
use afterstate::grid::Direction;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// A position in which the player moves.
///
/// >>> state = Game("2048").position("1210/3302/0043/5512")
/// >>> state.board.tolist()[0], state.tiles.tolist()[3]
/// ([1, 2, 1, 0], [32, 32, 2, 4])
/// >>> slide = state.slide("left")
/// >>> slide.reward, slide.afterstate.text
/// (80, '1210/4200/4300/6120')
#[pyclass(name = "State", module = "afterstate._native", frozen)]
#[derive(Clone)]
pub(crate) struct PyState {
    pub(crate) game: PyGame,
    pub(crate) state: AnyState,
}

/// A position to which chance is about to add a tile.
///
/// Chance is exact: the `ways` of all outcomes add up to the `ways` of the afterstate.
///
/// >>> from fractions import Fraction
/// >>> after = Game("2048-2x2").position("11/00").slide("left").afterstate
/// >>> [(o.state.text, Fraction(o.ways, after.ways)) for o in after.outcomes()][:2]
/// [('21/00', Fraction(3, 10)), ('22/00', Fraction(1, 30))]
#[pyclass(name = "Afterstate", module = "afterstate._native", frozen)]
#[derive(Clone)]
pub(crate) struct PyAfterstate {
    pub(crate) game: PyGame,
    pub(crate) afterstate: AnyAfterstate,
}

/// Result of a legal slide: `reward` and `afterstate`.
#[pyclass(name = "Slide", module = "afterstate._native", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct PySlide {
    /// The direction, 0 up, 1 right, 2 down, 3 left.
    direction: u8,
    /// The points the slide earned.
    reward: u64,
    /// The position before chance moves.
    afterstate: PyAfterstate,
}

/// One thing chance can do: `state`, `reward`, and in how many of the afterstate's `ways` it
/// happens.
#[pyclass(name = "Outcome", module = "afterstate._native", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct PyOutcome {
    /// The state that follows.
    state: PyState,
    /// The points the new tile is worth at once (always 0 in 2048).
    reward: u64,
    /// In how many of the equally likely ways it happens.
    ways: u64,
    /// Its probability.
    probability: f64,
}

impl PyState {
    fn wrap_slide<G: Known>(&self, direction: Direction, slide: Slide<G::Afterstate>) -> PySlide {
        let afterstate =
            PyAfterstate { game: self.game.clone(), afterstate: G::afterstate(slide.afterstate) };
        PySlide { direction: direction as u8, reward: slide.reward, afterstate }
    }

    fn slide_of<G: Known>(&self, game: &G, state: &G::State, direction: Direction) -> Option<PySlide> {
        game.slide(state, direction).map(|slide| self.wrap_slide::<G>(direction, slide))
    }

    pub(crate) fn notation(&self) -> String {
        with_position!(AnyState, self.game.rules(), &self.state, (g, s) => notation::write(g, s))
    }
}

/// The numbers on the tiles of a board in a grid.
fn drawn(game: &AnyGame, cells: &[u8]) -> String {
    let label = |&rank: &u8| match rank {
        0 => String::new(),
        rank => afterstate::with_game!(game, g => g.label(rank)).to_string(),
    };
    let labels: Vec<String> = cells.iter().map(label).collect();
    let width = labels.iter().map(String::len).max().unwrap_or(0).max(4);
    let cols = game.shape().cols();
    let line = format!("+{}", format!("{}+", "-".repeat(width + 2)).repeat(cols));
    let row = |row: &[String]| -> String {
        let cells: String = row.iter().map(|label| format!(" {label:>width$} |")).collect();
        format!("|{cells}\n{line}")
    };
    let rows: Vec<String> = labels.chunks(cols).map(row).collect();
    format!("{line}\n{}", rows.join("\n"))
}

#[pymethods]
impl PyState {
    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        self.game.clone()
    }

    /// The ranks, as a new array of rows and columns.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        board(py, self.game.rules().shape(), state_parts(self.game.rules(), &self.state).0)
    }

    /// The numbers on the tiles, as a new array of rows and columns.
    #[getter]
    fn tiles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let shape = self.game.rules().shape();
        let cells = state_parts(self.game.rules(), &self.state).0;
        let label = |rank: u8| afterstate::with_game!(self.game.rules(), g => g.label(rank));
        let labels: Vec<u64> = cells.into_iter().map(label).collect();
        labels.into_pyarray(py).reshape([shape.rows(), shape.cols()])
    }

    /// The announced tile of Threes: 1, 2, 3, or the smallest rank a bonus may have; 0 in other
    /// games.
    #[getter]
    fn hint(&self) -> u8 {
        state_parts(self.game.rules(), &self.state).1
    }

    /// The 1s, 2s and 3s left in the bag of Threes; zeros in other games.
    #[getter]
    fn bag(&self) -> (u8, u8, u8) {
        state_parts(self.game.rules(), &self.state).2.into()
    }

    /// The legal moves: 0 up, 1 right, 2 down, 3 left.
    #[getter]
    fn legal(&self) -> Vec<usize> {
        let slides = with_position!(AnyState, self.game.rules(), &self.state, (g, s) => g.slides(s).map(|s| s.is_some()));
        (0..4).filter(|&d| slides[d]).collect()
    }

    /// Mask of legal moves, int8 of shape (4,).
    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let legal = self.legal();
        (0..4).map(|d| i8::from(legal.contains(&d))).collect::<Vec<_>>().into_pyarray(py)
    }

    /// True if no move is legal.
    #[getter]
    fn is_over(&self) -> bool {
        with_position!(AnyState, self.game.rules(), &self.state, (g, s) => g.is_over(s))
    }

    /// The score of a game that starts here: the tiles in Threes, 0 in 2048.
    #[getter]
    fn start_score(&self) -> u64 {
        with_position!(AnyState, self.game.rules(), &self.state, (g, s) => g.start_score(s))
    }

    /// The number on the largest tile.
    #[getter]
    fn largest(&self) -> u64 {
        let rank = state_parts(self.game.rules(), &self.state).0.into_iter().max().unwrap_or(0);
        afterstate::with_game!(self.game.rules(), g => g.label(rank))
    }

    /// Slides in a direction, by number or name; `None` where nothing would move.
    #[pyo3(name = "slide")]
    fn py_slide(&self, direction: &Bound<'_, PyAny>) -> PyResult<Option<PySlide>> {
        let direction = crate::convert::direction(direction)?;
        Ok(with_position!(AnyState, self.game.rules(), &self.state, (g, s) => self.slide_of(g, s, direction)))
    }

    /// All legal slides.
    fn slides(&self) -> Vec<PySlide> {
        let slide =
            |d| with_position!(AnyState, self.game.rules(), &self.state, (g, s) => self.slide_of(g, s, d));
        Direction::ALL.into_iter().filter_map(slide).collect()
    }

    /// The position as text, which `Game.position` and the command line read.
    #[getter]
    fn text(&self) -> String {
        self.notation()
    }

    /// The board, drawn; in Threes with what comes next.
    fn __str__(&self) -> String {
        let (cells, hint, [a, b, c]) = state_parts(self.game.rules(), &self.state);
        let board = drawn(self.game.rules(), &cells);
        if !self.game.has_hint() {
            return board;
        }
        let next = if hint <= 3 { hint.to_string() } else { "a bonus tile".into() };
        format!("{board}\nnext {next}, in the bag {a} × 1, {b} × 2, {c} × 3")
    }

    fn __repr__(&self) -> String {
        format!("<State of {}: {}>", self.game.rules().id(), self.notation())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game.rules() == other.game.rules() && self.state == other.state
    }

    fn __hash__(&self) -> u64 {
        hash(&self.state)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let game = Bound::new(py, self.game.clone())?;
        Ok((game.getattr("position")?, (self.notation(),)))
    }
}

impl PyAfterstate {
    fn wrap_outcome<G: Known>(&self, outcome: Outcome<G::State>, all: u64) -> PyOutcome {
        let state = PyState { game: self.game.clone(), state: G::state(outcome.state) };
        let probability = outcome.ways as f64 / all as f64;
        PyOutcome { state, reward: outcome.reward, ways: outcome.ways, probability }
    }

    fn list<G: Known>(&self, game: &G, afterstate: &G::Afterstate) -> Vec<PyOutcome> {
        let mut all = Vec::new();
        let ways = game.ways(afterstate);
        game.outcomes(afterstate, |outcome| all.push(self.wrap_outcome::<G>(outcome, ways)));
        all
    }

    fn draw<G: Known>(
        &self,
        game: &G,
        afterstate: &G::Afterstate,
        random: &mut afterstate::random::Random,
    ) -> PyOutcome {
        self.wrap_outcome::<G>(game.spawn(afterstate, random), game.ways(afterstate))
    }
}

#[pymethods]
impl PyAfterstate {
    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        self.game.clone()
    }

    /// The ranks, as a new array of rows and columns.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        board(py, self.game.rules().shape(), afterstate_parts(self.game.rules(), &self.afterstate).0)
    }

    /// The tile to enter in Threes: 1, 2, 3, or the smallest rank a bonus may have; 0 in other
    /// games.
    #[getter]
    fn hint(&self) -> u8 {
        afterstate_parts(self.game.rules(), &self.afterstate).1
    }

    /// The 1s, 2s and 3s left in the bag of Threes; zeros in other games.
    #[getter]
    fn bag(&self) -> (u8, u8, u8) {
        afterstate_parts(self.game.rules(), &self.afterstate).2.into()
    }

    /// The number of equally likely ways chance can go on.
    #[getter]
    fn ways(&self) -> u64 {
        with_position!(AnyAfterstate, self.game.rules(), &self.afterstate, (g, a) => g.ways(a))
    }

    /// Everything chance can do, exactly.
    fn outcomes(&self) -> Vec<PyOutcome> {
        with_position!(AnyAfterstate, self.game.rules(), &self.afterstate, (g, a) => self.list(g, a))
    }

    /// One of the outcomes, drawn.
    #[pyo3(signature = (seed=None, *, random=None))]
    fn sample(&self, seed: Option<u64>, random: Option<&Bound<'_, PyRandom>>) -> PyResult<PyOutcome> {
        with_random(
            seed,
            random,
            |random| with_position!(AnyAfterstate, self.game.rules(), &self.afterstate, (g, a) => self.draw(g, a, random)),
        )
    }

    /// The ranks as text.
    #[getter]
    fn text(&self) -> String {
        let cells = afterstate_parts(self.game.rules(), &self.afterstate).0;
        notation::ranks(self.game.rules().shape(), &cells)
    }

    /// The board, drawn.
    fn __str__(&self) -> String {
        drawn(self.game.rules(), &afterstate_parts(self.game.rules(), &self.afterstate).0)
    }

    fn __repr__(&self) -> String {
        format!("<Afterstate of {}: {}>", self.game.rules().id(), self.text())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game.rules() == other.game.rules() && self.afterstate == other.afterstate
    }

    fn __hash__(&self) -> u64 {
        hash(&self.afterstate)
    }
}

#[pymethods]
impl PySlide {
    fn __repr__(&self) -> String {
        let name = Direction::ALL[usize::from(self.direction)].name();
        format!("<Slide {name}: {} points, {}>", self.reward, self.afterstate.text())
    }
}

#[pymethods]
impl PyOutcome {
    fn __repr__(&self) -> String {
        format!("<Outcome {}, {} ways>", self.state.notation(), self.ways)
    }
}
