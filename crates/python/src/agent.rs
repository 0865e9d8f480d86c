//! Agents: a network or a player by name.

use crate::any::{AnyState, Known, with_position};
use crate::convert::{setup, state_of, wrong};
use crate::game::PyGame;
use crate::network::{PyNetwork, Shared};
use crate::position::PyState;
use afterstate::game::Setup;
use afterstate::game::catalogue::AnyGame;
use afterstate::random::Random;
use afterstate::search::Workspace;
use afterstate::with_game;
use afterstate_lab::engine::{Engine, PlayerName, SearchBudget};
use afterstate_lab::variant::Variant;
use afterstate_lab::{compat, metadata};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Mutex;

/// An agent: a model, or a player by name (`random`, `greedy`, `corner`, `heuristic`,
/// `mayer-hirshfeld`).
///
/// >>> agent = Agent(player="heuristic", game="2048")
/// >>> agent.act(agent.game.position("1210/3302/0043/5512")) in (0, 1, 2, 3)
/// True
/// >>> greedy = Agent(player="greedy", game="2048")
/// >>> greedy.values(agent.game.position("1100/0000/0000/0000")).tolist()
/// [nan, 4.0, 0.0, 4.0]
#[pyclass(name = "NativeAgent", module = "afterstate._native", frozen, subclass)]
pub(crate) struct PyAgent {
    pub(crate) engine: Engine<Shared>,
    pub(crate) game: PyGame,
    pub(crate) player: String,
    pub(crate) model: Option<PathBuf>,
    /// The chance of the random player.
    random: Mutex<Random>,
}

#[pymethods]
impl PyAgent {
    #[new]
    #[pyo3(signature = (model=None, *, player=None, game=None, ply=None, seed=1))]
    fn new(
        model: Option<&Bound<'_, PyAny>>,
        player: Option<&str>,
        game: Option<&Bound<'_, PyAny>>,
        ply: Option<u8>,
        seed: u64,
    ) -> PyResult<Self> {
        let game = game.map(PyGame::from_any).transpose()?;
        let random = Mutex::new(Random::new(seed));
        let Some(model) = model else {
            let name = player.ok_or_else(|| {
                wrong("give a model (a Network or a file), or player= random, greedy, corner, heuristic or mayer-hirshfeld")
            })?;
            let game = game.map_or_else(|| PyGame::named("2048", Variant::default()), Ok)?;
            let named = PlayerName::parse(name).map_err(wrong)?;
            let engine = Engine::of_player(named, game.configured().clone(), ply.map(SearchBudget::ply))
                .map_err(wrong)?;
            return Ok(Self { engine, game, player: name.into(), model: None, random });
        };
        if let Some(player) = player {
            return Err(wrong(format!("the {player} player needs no model; leave out model or player")));
        }
        let loaded;
        let network = match model.cast::<PyNetwork>() {
            Ok(network) => network.get(),
            Err(_) => {
                let path: PathBuf = model.extract()?;
                let read = model.py().detach(|| afterstate_lab::model::load(&path));
                let mut read = read.map_err(crate::convert::model_error)?;
                if let Some(game) = &game {
                    let own = compat::own_game(&read);
                    read.network =
                        compat::adapt(read.network, &own, &game.configured().spec).map_err(wrong)?;
                    read.metadata.insert(afterstate_lab::model::GAME.into(), game.configured().spec.name());
                    read.sums.clear();
                    read.visits.clear();
                }
                loaded = PyNetwork::of_model(read, Some(path));
                &loaded
            }
        };
        let variant = || metadata::recipe(&network.metadata).map(|recipe| recipe.variant).unwrap_or_default();
        let game = game.map_or_else(|| PyGame::named(&network.spec.name(), variant()), Ok)?;
        if !compat::plays_unchanged(&network.spec, &game.configured().spec) {
            let (model, wanted) = (network.spec.name(), game.configured().spec.name());
            return Err(wrong(format!(
                "the network plays {model}; save it and load it with Network.load(path, game='{wanted}')"
            )));
        }
        let budget = ply.map(SearchBudget::ply);
        let engine =
            Engine::of_network(network.shared.clone(), network.value_kind, game.configured().clone(), budget);
        Ok(Self {
            engine: engine.map_err(wrong)?,
            game,
            player: "model".into(),
            model: network.path.clone(),
            random,
        })
    }

    /// The game it plays.
    #[getter]
    fn game(&self) -> PyGame {
        self.game.clone()
    }

    /// Its name: `model`, or the player's.
    #[getter]
    fn player(&self) -> &str {
        &self.player
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
        let who = self.model.as_ref().map_or_else(|| self.player.clone(), |path| path.display().to_string());
        let ahead = self.engine.ply().map(|ply| format!(", {ply}-ply")).unwrap_or_default();
        format!("<Agent {who}{ahead}, plays {}>", self.game.rules().id())
    }
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
    /// The state, if it is one of the game of the agent.
    fn own(&self, state: &Bound<'_, PyState>) -> PyResult<AnyState> {
        let given = state.get();
        if given.game.rules() == self.game.rules() {
            return Ok(given.state);
        }
        // A position of a variant is one of ours if it can be read as one.
        let text = pyo3::types::PyString::new(state.py(), &given.text()).into_any();
        let setup = setup(self.game.rules(), &text, None, None)?;
        with_game!(self.game.rules(), g => state_of(g, &setup, None).map(|s| wrap(g, s))).map_err(wrong)
    }

    fn choose<G: Known>(&self, game: &G, state: &G::State) -> Option<u8> {
        let mut player = self.engine.player::<G>(self.engine.implied_stage(game, state));
        if self.player == "random" {
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
