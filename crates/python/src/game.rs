//! Games by name, and the generator that deals them.

use crate::any::Known;
use crate::convert::{GivenBoard, setup, state_of, wrong};
use crate::position::PyState;
use afterstate::game::Game;
use afterstate::game::catalogue::{AnyGame, GAMES};
use afterstate::random::Random;
use afterstate::with_game;
use afterstate_lab::variant::{ConfiguredGame, Variant};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A game: its rules on one board.
///
/// Games have the names of the command line: `2048`, `2048-RxC`, `1024`, `threes`, `threes-app`,
/// `threes-course` and the same with `-RxC`. Moves are numbered 0 up, 1 right, 2 down, 3 left,
/// everywhere.
///
/// >>> game = Game("2048-2x3")
/// >>> game.id, game.shape
/// ('2048-2x3-v1', (2, 3))
/// >>> print(game.start(seed=1))
/// +------+------+------+
/// |      |      |      |
/// +------+------+------+
/// |    2 |    2 |      |
/// +------+------+------+
/// >>> Game("treees")
/// Traceback (most recent call last):
/// ValueError: there is no game 'treees'; did you mean 'threes'? (`games` lists all)
#[pyclass(name = "Game", module = "afterstate._native", frozen)]
#[derive(Clone)]
pub(crate) struct PyGame(Arc<ConfiguredGame>);

impl PyGame {
    /// The game of this name with these options.
    pub(crate) fn named(name: &str, variant: Variant) -> PyResult<Self> {
        Ok(Self(Arc::new(ConfiguredGame::parse(name, variant).map_err(wrong)?)))
    }

    /// A game that was configured already.
    pub(crate) fn of(game: ConfiguredGame) -> Self {
        Self(Arc::new(game))
    }

    /// The game as the lab knows it.
    pub(crate) fn configured(&self) -> &ConfiguredGame {
        &self.0
    }

    /// The rules themselves.
    pub(crate) fn rules(&self) -> &AnyGame {
        &self.0.rules
    }

    /// A game, or the name of one.
    pub(crate) fn from_any(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(name) = value.extract::<String>() {
            return Self::named(&name, Variant::default());
        }
        let game = value.cast::<Self>().map_err(|_| {
            let kind = value.get_type();
            PyTypeError::new_err(format!("a Game or the name of one is needed, not {kind}"))
        })?;
        Ok(game.get().clone())
    }
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (name="2048", *, start_tiles=None, spawn=None, merge_cap=None))]
    fn new(
        name: &str,
        start_tiles: Option<usize>,
        spawn: Option<String>,
        merge_cap: Option<u64>,
    ) -> PyResult<Self> {
        Self::named(name, Variant { start_tiles, spawn, merge_cap })
    }

    /// The name of the game on its board, without a version: `2048-3x3`.
    #[getter]
    fn name(&self) -> String {
        self.0.spec.name()
    }

    /// The name with the version of the rules, which changes whenever they do: `2048-3x3-v1`.
    #[getter]
    fn id(&self) -> String {
        self.rules().id()
    }

    /// Rows and columns.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.rules().shape().rows(), self.rules().shape().cols())
    }

    /// True if it is a Threes: positions have a bag and a hint.
    #[getter]
    pub(crate) fn has_hint(&self) -> bool {
        matches!(self.rules(), AnyGame::Threes(_) | AnyGame::LargeThrees(_))
    }

    /// The tile that counts as a win.
    #[getter]
    fn win_tile(&self) -> u64 {
        with_game!(self.rules(), game => game.label(game.win_rank()))
    }

    /// The number written on a tile of this rank.
    ///
    /// >>> Game("threes").label(5), Game("2048").label(17)
    /// (12, 131072)
    fn label(&self, rank: u8) -> PyResult<u64> {
        if rank > afterstate::grid::MAX_RANK {
            return Err(wrong(format!("{rank} is no rank; ranks go from 0 to 60")));
        }
        Ok(with_game!(self.rules(), game => game.label(rank)))
    }

    /// The rank of the tile with this number.
    ///
    /// >>> Game("2048").rank(65536)
    /// 16
    fn rank(&self, label: u64) -> PyResult<u8> {
        let found = with_game!(self.rules(), game => game.rank_of(label));
        found.ok_or_else(|| wrong(format!("{label} is not a tile of {}", self.rules().id())))
    }

    /// Deals a start position.
    ///
    /// >>> random = Random(7)
    /// >>> Game("2048").start(random=random) != Game("2048").start(random=random)
    /// True
    #[pyo3(signature = (seed=None, *, random=None))]
    fn start(&self, seed: Option<u64>, random: Option<&Bound<'_, PyRandom>>) -> PyResult<PyState> {
        let state = with_random(
            seed,
            random,
            |random| with_game!(self.rules(), game => wrap(game, game.start(random))),
        )?;
        Ok(PyState { game: self.clone(), state })
    }

    /// All start positions with their exact probabilities, as `(ways, state)`; meant for small
    /// boards.
    ///
    /// >>> starts = Game("2048-2x2").starts()
    /// >>> sum(ways for ways, _ in starts)
    /// 1200
    fn starts(&self) -> PyResult<Vec<(u64, PyState)>> {
        if self.rules().shape().cells() > 9 {
            return Err(wrong("the start positions of a board above 9 cells are too many to list"));
        }
        Ok(with_game!(self.rules(), game => {
            let mut all = Vec::new();
            game.starts(&mut |state, ways| all.push((ways, PyState { game: self.clone(), state: wrap(game, state) })));
            all
        }))
    }

    /// A position: text in any dialect of the command line, or an array of `ranks`, or of the
    /// numbers on the `tiles`.
    ///
    /// An array without a name is taken if it can be read in one way only. An array of a Threes
    /// board needs `hint` (1, 2, 3, or the smallest rank a bonus may have) and may have `bag`.
    ///
    /// >>> Game("2048").position("1210/3302/0043/5512").legal
    /// [0, 1, 2, 3]
    /// >>> Game("2048-2x2").position(tiles=[[2, 4], [0, 8]]).text
    /// '12/03'
    /// >>> Game("2048-2x2").position([[2, 4], [0, 8]])
    /// Traceback (most recent call last):
    /// ValueError: this board could be ranks (1 is the smallest tile, 2 the next) or the numbers on
    /// the tiles; write ranks= or tiles=
    /// >>> Game("threes-2x2").position([[1, 2], [0, 3]], hint=1, bag=(3, 4, 4)).text
    /// '12/03 bag=3,4,4 hint=1'
    #[pyo3(signature = (board=None, *, ranks=None, tiles=None, hint=None, bag=None))]
    fn position(
        &self,
        board: Option<&Bound<'_, PyAny>>,
        ranks: Option<&Bound<'_, PyAny>>,
        tiles: Option<&Bound<'_, PyAny>>,
        hint: Option<u8>,
        bag: Option<[u8; 3]>,
    ) -> PyResult<PyState> {
        let setup = setup(self.rules(), GivenBoard { board, ranks, tiles }, hint, bag)?;
        let state =
            with_game!(self.rules(), game => state_of(game, &setup, hint).map(|state| wrap(game, state)));
        Ok(PyState { game: self.clone(), state: state.map_err(wrong)? })
    }

    fn __repr__(&self) -> String {
        let mut text = format!("Game('{}'", self.0.spec.name());
        if let Some(tiles) = self.0.variant.start_tiles {
            text += &format!(", start_tiles={tiles}");
        }
        if let Some(spawn) = &self.0.variant.spawn {
            text += &format!(", spawn='{spawn}'");
        }
        if let Some(cap) = self.0.variant.merge_cap {
            text += &format!(", merge_cap={cap}");
        }
        text + ")"
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.rules() == other.rules()
    }

    fn __hash__(&self) -> u64 {
        hash(&(self.rules().id(), &self.0.variant))
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((String,), Bound<'py, PyDict>)> {
        let options = PyDict::new(py);
        options.set_item("start_tiles", self.0.variant.start_tiles)?;
        options.set_item("spawn", &self.0.variant.spawn)?;
        options.set_item("merge_cap", self.0.variant.merge_cap)?;
        Ok(((self.0.spec.name(),), options))
    }
}

fn wrap<G: Known>(_: &G, state: G::State) -> crate::any::AnyState {
    G::state(state)
}

pub(crate) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The names of all games with a sentence about each.
///
/// >>> dict(games())["1024"]
/// '2048 with every number and score halved; 1024 wins'
#[pyfunction]
pub(crate) fn games() -> Vec<(&'static str, &'static str)> {
    GAMES.iter().map(|entry| (entry.name, entry.description)).collect()
}

/// The generator of all chance: a seed means the same game for ever.
///
/// >>> Random(1).below(100) == Random(1).below(100)
/// True
#[pyclass(name = "Random", module = "afterstate._native")]
pub(crate) struct PyRandom {
    pub(crate) random: Random,
}

#[pymethods]
impl PyRandom {
    #[new]
    fn new(seed: u64) -> Self {
        Self { random: Random::new(seed) }
    }

    /// The generator of the `index`-th of many games under one seed, as evaluations use it.
    #[staticmethod]
    fn stream(seed: u64, index: u64) -> Self {
        Self { random: Random::stream(seed, index) }
    }

    /// A whole number from 0 to `n` - 1, all equally likely.
    fn below(&mut self, n: u64) -> PyResult<u64> {
        if n == 0 { Err(wrong("there is no number below 0")) } else { Ok(self.random.below(n)) }
    }
}

/// Chance from a generator, or from a fresh one of this seed.
pub(crate) fn with_random<T>(
    seed: Option<u64>,
    random: Option<&Bound<'_, PyRandom>>,
    draw: impl FnOnce(&mut Random) -> T,
) -> PyResult<T> {
    match (seed, random) {
        (Some(seed), None) => Ok(draw(&mut Random::new(seed))),
        (None, Some(random)) => Ok(draw(&mut random.borrow_mut().random)),
        (Some(_), Some(_)) => Err(wrong("give seed or random, not both")),
        (None, None) => Err(wrong("chance needs a seed=, or a random=Random(seed) to go on with")),
    }
}
