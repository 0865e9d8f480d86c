//! Many games side by side: the engine of the vector environment.

use crate::any::{AnyState, Known};
use crate::convert::{board, wrong};
use crate::game::PyGame;
use crate::position::PyState;
use crate::successors::{self, Afterstates, Outcomes};
use afterstate::batch::{Batch, Ending};
use afterstate::with_game;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArray4, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

/// Observation of all games after a step.
#[derive(Default)]
struct Seen {
    cells: Vec<u8>,
    hints: Vec<i64>,
    bags: Vec<u8>,
    masks: Vec<i8>,
    rewards: Vec<f64>,
    over: Vec<bool>,
    legal: Vec<bool>,
}

/// The legal moves of a bit set as a row of zeros and ones.
const ROW: [[i8; 4]; 16] = {
    let mut table = [[0; 4]; 16];
    let mut i = 0;
    while i < 64 {
        table[i / 4][i % 4] = ((i / 4) >> (i % 4) & 1) as i8;
        i += 1;
    }
    table
};

/// The number of a game that ended, its last cells, hint and bag, its score and its moves.
type Ended = (usize, Vec<u8>, u8, [u8; 3], u64, u64);

/// A batch of any game.
trait AnyBatch: Send + Sync {
    fn count(&self) -> usize;
    fn observe(&self) -> Seen;
    fn step(&mut self, actions: Option<&[i64]>) -> Seen;
    fn rollout(&mut self, steps: u64) -> (u64, u64, u64);
    fn seed(&mut self, index: usize, seed: u64);
    fn deal(&mut self, index: usize);
    fn place(&mut self, index: usize, state: &AnyState) -> PyResult<()>;
    fn finals(&self) -> Vec<Ended>;
    fn scores(&self) -> Vec<(u64, u64)>;
    fn afterstates(&self) -> Afterstates;
    fn outcomes(&self, actions: &[i64]) -> Outcomes;
}

/// Writes what is seen, one game after the other.
struct Writer<'a> {
    seen: &'a mut Seen,
    cells: usize,
    at: usize,
}

impl Writer<'_> {
    #[inline(always)]
    fn position(&mut self, view: afterstate::grid::View<'_>, mask: u8, threes: bool) {
        let (i, cells) = (self.at, self.cells);
        let to = &mut self.seen.cells[i * cells..(i + 1) * cells];
        match (<&mut [u8; 16]>::try_from(&mut *to).ok(), view.cells.first_chunk::<16>()) {
            (Some(to), Some(from)) => *to = *from,
            _ => to.copy_from_slice(&view.cells[..cells]),
        }
        self.seen.masks[4 * i..4 * i + 4].copy_from_slice(&ROW[usize::from(mask & 15)]);
        if threes {
            self.seen.hints[i] = view.hint.into();
            self.seen.bags[3 * i..3 * i + 3].copy_from_slice(&view.bag);
        }
        self.at += 1;
    }
}

impl Seen {
    fn new(count: usize, cells: usize, threes: bool, stepped: bool) -> Self {
        let extra = if threes { count } else { 0 };
        let done = if stepped { count } else { 0 };
        Self {
            cells: vec![0; count * cells],
            hints: vec![0; extra],
            bags: vec![0; 3 * extra],
            masks: vec![0; 4 * count],
            rewards: vec![0.0; done],
            over: vec![false; done],
            legal: vec![false; done],
        }
    }
}

struct Games<G: Known> {
    batch: Batch<G>,
    threes: bool,
}

impl<G: Known> Games<G> {
    fn blank(&self, stepped: bool) -> Seen {
        Seen::new(self.count(), self.batch.game().shape().cells(), self.threes, stepped)
    }
}

impl<G: Known> AnyBatch for Games<G> {
    fn count(&self) -> usize {
        self.batch.lanes().len()
    }

    fn observe(&self) -> Seen {
        let mut seen = self.blank(false);
        let game = self.batch.game();
        let mut out = Writer { seen: &mut seen, cells: game.shape().cells(), at: 0 };
        for lane in self.batch.lanes() {
            out.position(game.state_view(lane.state()), lane.mask(), self.threes);
        }
        seen
    }

    fn step(&mut self, actions: Option<&[i64]>) -> Seen {
        let mut seen = self.blank(true);
        let (game, threes) = (self.batch.game().clone(), self.threes);
        let mut out = Writer { seen: &mut seen, cells: game.shape().cells(), at: 0 };
        let look = |lane: &afterstate::batch::Lane<G>, turn: afterstate::batch::Turn| {
            let i = out.at;
            out.seen.rewards[i] = turn.reward as f64;
            out.seen.over[i] = turn.over;
            out.seen.legal[i] = turn.legal;
            out.position(game.state_view(lane.state()), lane.mask(), threes);
        };
        match actions {
            Some(actions) => {
                let mut actions = actions.iter();
                let next = |_: &_, _: &mut _| actions.next().map_or(9, |&a| u8::try_from(a).unwrap_or(9));
                self.batch.step(next, look);
            }
            None => self.batch.step(|lane, random| lane.random_action(random), look),
        }
        seen
    }

    fn rollout(&mut self, steps: u64) -> (u64, u64, u64) {
        let (mut moves, mut over, mut points) = (0, 0, 0);
        for _ in 0..steps {
            self.batch.step(
                |lane, random| lane.random_action(random),
                |_, turn| {
                    moves += u64::from(turn.legal && !turn.dealt);
                    over += u64::from(turn.over);
                    points += turn.reward;
                },
            );
        }
        (moves, over, points)
    }

    fn seed(&mut self, index: usize, seed: u64) {
        self.batch.seed(index, seed);
    }

    fn deal(&mut self, index: usize) {
        self.batch.deal(index);
    }

    fn place(&mut self, index: usize, state: &AnyState) -> PyResult<()> {
        let state = G::open(state).ok_or_else(|| wrong("the position is of another game"))?;
        self.batch.place(index, state);
        Ok(())
    }

    fn finals(&self) -> Vec<Ended> {
        let game = self.batch.game();
        let cells = game.shape().cells();
        let one = |(index, last): &(usize, afterstate::batch::Final<G::State>)| {
            let view = game.state_view(&last.state);
            (*index, view.cells[..cells].to_vec(), view.hint, view.bag, last.score, last.moves)
        };
        self.batch.finals().iter().map(one).collect()
    }

    fn scores(&self) -> Vec<(u64, u64)> {
        self.batch.lanes().iter().map(|lane| (lane.score(), lane.moves())).collect()
    }

    fn afterstates(&self) -> Afterstates {
        successors::afterstates(&self.batch)
    }

    fn outcomes(&self, actions: &[i64]) -> Outcomes {
        successors::outcomes(&self.batch, actions, self.threes)
    }
}

/// Many games side by side, a step at a time; `afterstate.VectorEnv` is the environment made of it.
///
/// A game that is over is dealt anew by the `ending`: `next_step`, `same_step` or `disabled`.
///
/// >>> batch = Batch("2048", 1000, seed=1)
/// >>> moves, games, points = batch.rollout(200)
/// >>> moves > 100_000 and games > 500
/// True
#[pyclass(name = "Batch", module = "afterstate._native")]
pub(crate) struct PyBatch {
    games: Box<dyn AnyBatch>,
    game: PyGame,
}

type Positions<'py> =
    (Bound<'py, PyArray3<u8>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<u8>>, Bound<'py, PyArray2<i8>>);
type Steps<'py> =
    (Positions<'py>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>);
type AllSlides<'py> = (Bound<'py, PyArray4<u8>>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<i8>>);
type AllOutcomes<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray3<u8>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray2<u8>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
);
type LastPosition<'py> = (usize, Bound<'py, PyArray2<u8>>, u8, (u8, u8, u8), u64, u64);

#[pymethods]
impl PyBatch {
    #[new]
    #[pyo3(signature = (game, count, *, seed=0, ending="next_step"))]
    fn new(game: &Bound<'_, PyAny>, count: usize, seed: u64, ending: &str) -> PyResult<Self> {
        let game = PyGame::from_any(game)?;
        let ending = match ending {
            "next_step" => Ending::NextStep,
            "same_step" => Ending::SameStep,
            "disabled" => Ending::Wait,
            other => {
                return Err(wrong(format!("'{other}' is no ending; write next_step, same_step or disabled")));
            }
        };
        if count == 0 || count > 1 << 24 {
            return Err(wrong(format!("{count} games do not make a batch; take 1 to 16,777,216")));
        }
        let threes = game.has_hint();
        let games: Box<dyn AnyBatch> = with_game!(game.rules(), g => Box::new(Games { batch: Batch::new(g.clone(), count, seed, ending), threes }));
        Ok(Self { games, game })
    }

    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        self.game.clone()
    }

    /// All positions: boards, hints, bags (of Threes, else empty) and masks of legal moves.
    fn observe<'py>(&self, py: Python<'py>) -> PyResult<Positions<'py>> {
        let seen = self.games.observe();
        self.positions(py, seen.cells, seen.hints, seen.bags, seen.masks)
    }

    /// One move in every game, by these actions or, without, a random legal one drawn here.
    ///
    /// Returns the positions of `observe`, rewards, which games are over, and which moves were
    /// legal.
    #[pyo3(signature = (actions=None))]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: Option<PyReadonlyArray1<'_, i64>>,
    ) -> PyResult<Steps<'py>> {
        let actions = actions.as_ref().map(|actions| self.actions(actions)).transpose()?;
        let games = &mut self.games;
        let seen = py.detach(|| games.step(actions));
        let positions = self.positions(py, seen.cells, seen.hints, seen.bags, seen.masks)?;
        Ok((
            positions,
            seen.rewards.into_pyarray(py),
            seen.over.into_pyarray(py),
            seen.legal.into_pyarray(py),
        ))
    }

    /// Many steps of random legal moves without looking: moves made, games ended, points.
    fn rollout(&mut self, py: Python<'_>, steps: u64) -> (u64, u64, u64) {
        let games = &mut self.games;
        py.detach(|| games.rollout(steps))
    }

    /// Ends of the games that were dealt anew in the last step: index, board, hint, bag, score,
    /// moves.
    fn finals<'py>(&self, py: Python<'py>) -> PyResult<Vec<LastPosition<'py>>> {
        let shape = self.game.rules().shape();
        let one = |(index, cells, hint, bag, score, moves): Ended| {
            Ok((index, board(py, shape, cells)?, hint, bag.into(), score, moves))
        };
        self.games.finals().into_iter().map(one).collect()
    }

    /// The scores and the numbers of moves of all games so far.
    fn scores<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u64>>) {
        let (scores, moves): (Vec<u64>, Vec<u64>) = self.games.scores().into_iter().unzip();
        (scores.into_pyarray(py), moves.into_pyarray(py))
    }

    /// Afterstates of all four moves of every game: boards, rewards, and which are legal.
    fn afterstates<'py>(&self, py: Python<'py>) -> PyResult<AllSlides<'py>> {
        let found = py.detach(|| self.games.afterstates());
        let (shape, count) = (self.game.rules().shape(), self.games.count());
        Ok((
            found.cells.into_pyarray(py).reshape([count, 4, shape.rows(), shape.cols()])?,
            found.rewards.into_pyarray(py).reshape([count, 4])?,
            found.legal.into_pyarray(py).reshape([count, 4])?,
        ))
    }

    /// All that chance can do after one action in every game: the game, board, hint, bag, reward and
    /// probability of each outcome.
    fn outcomes<'py>(
        &self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<AllOutcomes<'py>> {
        let actions = self.actions(&actions)?;
        let found = py.detach(|| self.games.outcomes(actions));
        let (shape, count, bags) = (self.game.rules().shape(), found.index.len(), found.hints.len());
        Ok((
            found.index.into_pyarray(py),
            found.cells.into_pyarray(py).reshape([count, shape.rows(), shape.cols()])?,
            found.hints.into_pyarray(py),
            found.bags.into_pyarray(py).reshape([bags, 3])?,
            found.rewards.into_pyarray(py),
            found.probabilities.into_pyarray(py),
        ))
    }

    /// Gives a game a generator of its own and deals it anew.
    fn seed(&mut self, index: usize, seed: u64) -> PyResult<()> {
        self.check(index)?;
        self.games.seed(index, seed);
        Ok(())
    }

    /// Deals a game anew.
    fn deal(&mut self, index: usize) -> PyResult<()> {
        self.check(index)?;
        self.games.deal(index);
        Ok(())
    }

    /// Has a game go on from a position.
    fn place(&mut self, index: usize, state: &Bound<'_, PyState>) -> PyResult<()> {
        self.check(index)?;
        let state = state.get();
        if state.game.rules() != self.game.rules() {
            let (given, own) = (state.game.rules().id(), self.game.rules().id());
            return Err(wrong(format!("the position is of {given}, the games are of {own}")));
        }
        self.games.place(index, &state.state)
    }

    fn __len__(&self) -> usize {
        self.games.count()
    }

    fn __repr__(&self) -> String {
        format!("<Batch of {} games of {}>", self.games.count(), self.game.rules().id())
    }
}

impl PyBatch {
    /// One action for every game.
    fn actions<'a>(&self, actions: &'a PyReadonlyArray1<'_, i64>) -> PyResult<&'a [i64]> {
        let actions = actions.as_slice()?;
        let (given, count) = (actions.len(), self.games.count());
        if given != count {
            return Err(wrong(format!("{given} actions were given for {count} games")));
        }
        Ok(actions)
    }

    fn check(&self, index: usize) -> PyResult<()> {
        let count = self.games.count();
        if index < count { Ok(()) } else { Err(wrong(format!("there is no game {index} among {count}"))) }
    }

    fn positions<'py>(
        &self,
        py: Python<'py>,
        cells: Vec<u8>,
        hints: Vec<i64>,
        bags: Vec<u8>,
        masks: Vec<i8>,
    ) -> PyResult<Positions<'py>> {
        let (shape, count) = (self.game.rules().shape(), self.games.count());
        let bag_rows = hints.len();
        Ok((
            cells.into_pyarray(py).reshape([count, shape.rows(), shape.cols()])?,
            hints.into_pyarray(py),
            bags.into_pyarray(py).reshape([bag_rows, 3])?,
            masks.into_pyarray(py).reshape([count, 4])?,
        ))
    }
}
