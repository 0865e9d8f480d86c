//! Agents: a network or a player by name.

use crate::any::{AnyState, Known, with_position};
use crate::convert::{GivenBoard, engine_error, setup, state_of, wrong};
use crate::game::PyGame;
use crate::network::{PyNetwork, Shared};
use crate::position::PyState;
use afterstate::game::Setup;
use afterstate::game::catalogue::AnyGame;
use afterstate::learn::greedy::ValueKind;
use afterstate::network::Network;
use afterstate::random::Random;
use afterstate::search::Workspace;
use afterstate::with_game;
use afterstate_lab::compat::{self, Adaptation};
use afterstate_lab::engine::{Engine, EngineError, EngineOptions, PlayerName, SearchBudget};
use afterstate_lab::metadata;
use afterstate_lab::variant::ConfiguredGame;
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Network of an agent: one that may go on learning, or one that was loaded to play.
#[derive(Clone)]
pub(crate) enum Weights {
    Learning(Shared),
    Playing(Arc<Network>),
}

impl Deref for Weights {
    type Target = Network;

    fn deref(&self) -> &Network {
        match self {
            Self::Learning(network) => network,
            Self::Playing(network) => network,
        }
    }
}

/// An agent: the built-in model of a game, another model, or a player by name (`random`, `greedy`,
/// `corner`, `heuristic`, `mayer-hirshfeld`).
///
/// >>> agent = Agent(player="heuristic", game="2048")
/// >>> agent.act(agent.game.position("1210/3302/0043/5512")) in (0, 1, 2, 3)
/// True
/// >>> greedy = Agent(player="greedy", game="2048")
/// >>> greedy.values(agent.game.position("1100/0000/0000/0000")).tolist()
/// [nan, 4.0, 0.0, 4.0]
#[pyclass(name = "Agent", module = "afterstate._native", frozen, subclass)]
pub(crate) struct PyAgent {
    engine: Engine<Weights>,
    pub(crate) game: PyGame,
    /// The depth was asked for.
    chosen: bool,
    /// The chance of the random player.
    random: Mutex<Random>,
}

#[pymethods]
impl PyAgent {
    #[expect(clippy::too_many_arguments, reason = "named arguments of Python")]
    #[new]
    #[pyo3(signature = (model=None, *, player=None, game=None, ply=None, endgames=None, endgames_from=None, seed=1))]
    fn new(
        py: Python<'_>,
        model: Option<&Bound<'_, PyAny>>,
        player: Option<&str>,
        game: Option<&Bound<'_, PyAny>>,
        ply: Option<u8>,
        endgames: Option<PathBuf>,
        endgames_from: Option<u64>,
        seed: u64,
    ) -> PyResult<Self> {
        let game = game.map(PyGame::from_any).transpose()?;
        let budget = ply.map(SearchBudget::ply);
        let engine = match model.map(|model| model.cast::<PyNetwork>()) {
            Some(Ok(_)) if player.is_some() => {
                return Err(wrong("a player by name needs no network; leave one of them out"));
            }
            Some(Ok(network)) => of_network(network.get(), game.as_ref(), budget, endgames, endgames_from)?,
            named => {
                let model = match (named, model) {
                    (Some(Err(_)), Some(model)) => Some(model.extract().map_err(|_| {
                        let kind = model.get_type();
                        PyTypeError::new_err(format!(
                            "a model is a Network, a file, a run directory, or a name like 'builtin:2048', not {kind}"
                        ))
                    })?),
                    _ => None,
                };
                let options = EngineOptions {
                    player: player.map(PlayerName::parse).transpose().map_err(engine_error)?,
                    model,
                    game: game.as_ref().map(|game| game.configured().clone()),
                    budget,
                    endgames,
                    endgames_from,
                    ..EngineOptions::default()
                };
                let blind = options.player.is_some_and(|player| !player.has_values());
                let open = if blind { Engine::open } else { Engine::open_for_analysis };
                let engine = py.detach(|| open(&options)).map_err(engine_error)?;
                engine.map_network(Weights::Playing)
            }
        };
        if let Some(other) = &engine.other_rules {
            let level = py.get_type::<PyUserWarning>();
            py.import("warnings")?.call_method1("warn", (other.to_string(), level, 2))?;
        }
        let game = PyGame::of(engine.game.clone());
        Ok(Self { engine, game, chosen: ply.is_some(), random: Mutex::new(Random::new(seed)) })
    }

    /// The game it plays.
    #[getter]
    fn game(&self) -> PyGame {
        self.game.clone()
    }

    /// Its name: `model`, or the player's.
    #[getter]
    pub(crate) fn player(&self) -> &'static str {
        self.engine.player.name()
    }

    /// The name of its model: `builtin:2048`, a file, a run directory; `None` for a `Network` in
    /// memory, and without a model.
    #[getter]
    pub(crate) fn model(&self) -> Option<&str> {
        self.engine.model.as_deref()
    }

    /// Depth of its searches; `None` if it does not search.
    #[getter]
    fn ply(&self) -> Option<u8> {
        self.engine.ply()
    }

    /// The move it makes, 0 up, 1 right, 2 down, 3 left; `None` where the game is over.
    fn act(&self, state: &Bound<'_, PyState>) -> PyResult<Option<u8>> {
        let state = self.own(state)?;
        Ok(with_position!(AnyState, self.game.rules(), &state, (g, s) => self.choose(g, s)))
    }

    /// Values of the four moves, float32 of shape (4,): NaN where a move is not legal.
    fn values<'py>(&self, state: &Bound<'py, PyState>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let py = state.py();
        let state = self.own(state)?;
        let values = with_position!(AnyState, self.game.rules(), &state, (g, s) => {
            let stage = self.engine.implied_stage(g, s);
            self.engine.values(g, s, stage, &mut Workspace::default())
        });
        Ok(values.map(|value| value.unwrap_or(f32::NAN)).to_vec().into_pyarray(py))
    }

    /// Chances of making one more of the tile that an endgame table is about, float32 of shape (4,),
    /// NaN where a move has none; `None` where no table knows the position.
    fn endgame_chances<'py>(
        &self,
        state: &Bound<'py, PyState>,
    ) -> PyResult<Option<Bound<'py, PyArray1<f32>>>> {
        let py = state.py();
        let state = self.own(state)?;
        let advice =
            with_position!(AnyState, self.game.rules(), &state, (g, s) => self.engine.endgame_chances(g, s));
        Ok(advice
            .map(|advice| advice.chances.map(|chance| chance.unwrap_or(f32::NAN)).to_vec().into_pyarray(py)))
    }

    /// The moves for many boards at once, ranks of shape (n, rows, columns); -1 where the game is
    /// over.
    #[pyo3(signature = (boards, *, hint=None, bag=None))]
    fn act_batch<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArray3<'_, u8>,
        hint: Option<PyReadonlyArray1<'_, u8>>,
        bag: Option<PyReadonlyArray2<'_, u8>>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let (boards, hint, bag) = slices(&boards, &hint, &bag)?;
        let moves = py.detach(|| {
            with_game!(self.game.rules(), g => self.each(g, boards, hint, bag, |s| self.choose(g, s).map_or(-1, i64::from)))
        })?;
        Ok(moves.into_pyarray(py))
    }

    /// The values of the four moves for many boards, float32 of shape (n, 4): NaN where a move is
    /// not legal.
    #[pyo3(signature = (boards, *, hint=None, bag=None))]
    fn values_batch<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArray3<'_, u8>,
        hint: Option<PyReadonlyArray1<'_, u8>>,
        bag: Option<PyReadonlyArray2<'_, u8>>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (boards, hint, bag) = slices(&boards, &hint, &bag)?;
        let values = py.detach(|| {
            with_game!(self.game.rules(), g => {
                let mut work = Workspace::default();
                self.each(g, boards, hint, bag, |s| {
                    let stage = self.engine.implied_stage(g, s);
                    self.engine.values(g, s, stage, &mut work).map(|value| value.unwrap_or(f32::NAN))
                })
            })
        })?;
        let count = values.len();
        values.concat().into_pyarray(py).reshape([count, 4])
    }

    fn __repr__(&self) -> String {
        let who = self.model().unwrap_or(self.player());
        let ahead = self.engine.ply().map(|ply| format!(", {ply}-ply")).unwrap_or_default();
        format!("<Agent {who}{ahead}, plays {}>", self.game.rules().id())
    }
}

/// An agent over a network of Python.
fn of_network(
    network: &PyNetwork,
    game: Option<&PyGame>,
    budget: Option<SearchBudget<'static>>,
    endgames: Option<PathBuf>,
    endgames_from: Option<u64>,
) -> PyResult<Engine<Weights>> {
    let variant = || metadata::recipe(&network.metadata).map(|recipe| recipe.variant).unwrap_or_default();
    let learned = ConfiguredGame::new(network.spec.clone(), variant()).map_err(wrong)?;
    let game = game.map_or_else(|| learned.clone(), |game| game.configured().clone());
    if !Adaptation::between(&network.spec, &game.spec).is_ok_and(Adaptation::is_none) {
        let (model, wanted) = (network.spec.name(), game.spec.name());
        return Err(wrong(format!(
            "the network plays {model}; save it and load it with Network.load(path, game='{wanted}')"
        )));
    }
    let searches = network.value_kind == ValueKind::Afterstates;
    let budget = budget.or_else(|| searches.then(|| SearchBudget::usual(game.rules.shape())));
    let other_rules = compat::other_rules(&learned, &game);
    let weights = Weights::Learning(network.shared.clone());
    let mut engine = Engine::of_network(weights, network.value_kind, game, budget).map_err(engine_error)?;
    if let Some(place) = endgames {
        if !searches {
            return Err(engine_error(EngineError::EndgamesNeedAfterstates));
        }
        let tables = afterstate_lab::endgames::shared(&place, &engine.game.rules, endgames_from);
        engine = engine.with_endgames(tables.map_err(|error| engine_error(error.into()))?);
    }
    engine.model = network.path.as_ref().map(|path| path.display().to_string());
    engine.other_rules = other_rules;
    Ok(engine)
}

type Slices<'a> = (&'a [u8], Option<&'a [u8]>, Option<&'a [u8]>);

fn slices<'a>(
    boards: &'a PyReadonlyArray3<'_, u8>,
    hint: &'a Option<PyReadonlyArray1<'_, u8>>,
    bag: &'a Option<PyReadonlyArray2<'_, u8>>,
) -> PyResult<Slices<'a>> {
    let count = boards.shape()[0];
    let hint = hint.as_ref().map(|hint| hint.as_slice()).transpose()?;
    let bag = bag.as_ref().map(|bag| bag.as_slice()).transpose()?;
    if hint.is_some_and(|hint| hint.len() != count) || bag.is_some_and(|bag| bag.len() != 3 * count) {
        return Err(wrong(format!("hint and bag must have {count} rows, like boards")));
    }
    Ok((boards.as_slice()?, hint, bag))
}

impl PyAgent {
    /// The engine that plays evaluations: at the depth that was asked for, else as the command
    /// `evaluate` does.
    pub(crate) fn evaluating(&self) -> PyResult<Engine<Weights>> {
        let ply = match self.engine.player {
            PlayerName::Model => 1,
            PlayerName::Heuristic => 2,
            _ => return self.engine.within(self.engine.budget).map_err(engine_error),
        };
        let budget = if self.chosen { self.engine.budget } else { SearchBudget::ply(ply) };
        self.engine.within(budget).map_err(engine_error)
    }

    /// The state, if it is one of the game of the agent.
    fn own(&self, state: &Bound<'_, PyState>) -> PyResult<AnyState> {
        let given = state.get();
        if given.game.rules() == self.game.rules() {
            return Ok(given.state);
        }
        // A position of a variant is one of ours if it can be read as one.
        let text = PyString::new(state.py(), &given.notation()).into_any();
        let board = GivenBoard { board: Some(&text), ranks: None, tiles: None };
        let setup = setup(self.game.rules(), board, None, None)?;
        with_game!(self.game.rules(), g => state_of(g, &setup, None).map(|s| wrap(g, s))).map_err(wrong)
    }

    fn choose<G: Known>(&self, game: &G, state: &G::State) -> Option<u8> {
        let mut player = self.engine.player::<G>(self.engine.implied_stage(game, state));
        if self.engine.player == PlayerName::Random {
            let mut random = self.random.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            player.begin(game, Random::new(random.next_u64()));
        }
        player.choose(game, state).map(|choice| choice.direction as u8)
    }

    fn each<G: Known, T>(
        &self,
        game: &G,
        boards: &[u8],
        hint: Option<&[u8]>,
        bag: Option<&[u8]>,
        mut work: impl FnMut(&G::State) -> T,
    ) -> PyResult<Vec<T>> {
        let cells = game.shape().cells();
        if !boards.len().is_multiple_of(cells) {
            return Err(wrong(format!("boards of {} are needed", game.shape())));
        }
        boards
            .chunks_exact(cells)
            .enumerate()
            .map(|(i, ranks)| {
                let seen = hint.map(|hint| hint[i]);
                let hint = seen.map(|seen| {
                    if seen <= 3 { afterstate::game::Hint::Tile(seen) } else { afterstate::game::Hint::Bonus }
                });
                let bag = bag.map(|bag| [bag[3 * i], bag[3 * i + 1], bag[3 * i + 2]]);
                let setup = Setup { ranks: ranks.to_vec(), bag, hint, bonus_count: None };
                state_of(game, &setup, seen).map(|state| work(&state)).map_err(wrong)
            })
            .collect()
    }
}

fn wrap<G: Known>(_: &G, state: G::State) -> AnyState {
    G::state(state)
}
