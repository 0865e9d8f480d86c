//! N-tuple networks: loading and saving, weights as arrays, values of many boards.

use crate::convert::{model_error, no_memory, source_error, wrong};
use crate::game::PyGame;
use afterstate::game::catalogue::GameSpec;
use afterstate::grid::View;
use afterstate::learn::Learner;
use afterstate::learn::greedy::ValueKind;
use afterstate::learn::step_size::{StepRule, StepSize};
use afterstate::network::file::{Contents, Encoding};
use afterstate::network::pattern::Pattern;
use afterstate::network::{Active, Network, Sets, file};
use afterstate_lab::model::{self, Format, Model};
use afterstate_lab::recipe::Recipe;
use afterstate_lab::{atomic, compat, model_source};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyIndexError, PyOSError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A network behind a pointer that trainers, agents and Python share.
#[derive(Clone)]
pub(crate) struct Shared(pub(crate) Arc<Learner>);

impl Deref for Shared {
    type Target = Network;

    fn deref(&self) -> &Network {
        &self.0.network
    }
}

/// An n-tuple network: a table of weights for every pattern, of which a value sums one for each of
/// its images.
///
/// >>> network = Network("2048", "4x6")
/// >>> network.tables, network.active
/// (4, 32)
/// >>> boards = Game("2048").start(seed=1).slide("left").afterstate.board[None]
/// >>> network.values(boards).tolist()
/// [0.0]
#[pyclass(name = "Network", module = "afterstate._native", frozen)]
pub(crate) struct PyNetwork {
    pub(crate) shared: Shared,
    pub(crate) spec: GameSpec,
    pub(crate) value_kind: ValueKind,
    pub(crate) metadata: BTreeMap<String, String>,
    /// The file it came from.
    pub(crate) path: Option<PathBuf>,
}

impl PyNetwork {
    pub(crate) fn of_model(model: Model, path: Option<PathBuf>) -> Self {
        let (spec, value_kind) = (compat::own_game(&model), model::value_kind(&model.metadata));
        let Model { network, metadata, sums, visits } = model;
        let recipe = afterstate_lab::metadata::recipe(&metadata);
        let kind = match (sums.is_empty(), visits.is_empty(), recipe) {
            (_, _, Some(recipe)) if !(sums.is_empty() && visits.is_empty()) => recipe.step_rule(&network),
            (false, _, _) => StepRule::Coherence { beta: 1.0, kept: 1.0 },
            (_, false, _) => StepRule::VisitCount { eta: 1.0 },
            _ => StepRule::Fixed { per_weight: 0.0 },
        };
        let step_size = StepSize::with_sums(kind, &network, sums, visits)
            .unwrap_or_else(|| StepSize::new(StepRule::Fixed { per_weight: 0.0 }, &network));
        Self { shared: Shared(Arc::new(Learner { network, step_size })), spec, value_kind, metadata, path }
    }

    fn bank(&self, stage: u8) -> PyResult<u8> {
        let banks = self.shared.structure().banks();
        if usize::from(stage) < banks {
            return Ok(stage);
        }
        Err(PyIndexError::new_err(format!("there is no set of weights {stage}; the network has {banks}")))
    }

    /// Arguments of `values`: stages, or actions of stages where these are valued.
    fn known_stages(&self) -> usize {
        let structure = self.shared.structure();
        if structure.sets == Sets::Hints { structure.stages.count() } else { structure.banks() }
    }

    fn check_table(&self, table: usize) -> PyResult<()> {
        let tables = self.shared.tables();
        if table < tables {
            return Ok(());
        }
        Err(PyIndexError::new_err(format!("there is no table {table}; the network has {tables}")))
    }

    fn save_to(
        &self,
        path: &Path,
        sums: bool,
        sparse: bool,
        metadata: &BTreeMap<String, String>,
    ) -> PyResult<()> {
        let format = Format::of_name(path);
        if format != Format::Ours {
            // Other formats are written from a model of their own.
            let mut bytes = Vec::new();
            self.write(sums, Encoding::Sparse, metadata, &mut bytes)
                .map_err(|e| PyOSError::new_err(e.to_string()))?;
            let model = file::read(&mut &bytes[..]).map_err(wrong)?;
            drop(bytes);
            return model::save(path, &model, format).map_err(model_error);
        }
        let encoding = if sparse { Encoding::Sparse } else { Encoding::Raw };
        atomic::write(path, |out| self.write(sums, encoding, metadata, out))
            .map_err(|error| PyOSError::new_err(format!("cannot write {}: {error}", path.display())))
    }

    fn write(
        &self,
        sums: bool,
        encoding: Encoding,
        metadata: &BTreeMap<String, String>,
        out: &mut impl std::io::Write,
    ) -> std::io::Result<()> {
        let step = &self.shared.0.step_size;
        let contents = Contents {
            network: &self.shared,
            metadata,
            sums: if sums { step.sums() } else { &[] },
            visits: if sums { step.visits() } else { &[] },
        };
        file::write(&contents, encoding, out)
    }
}

#[pymethods]
impl PyNetwork {
    /// A network with all weights zero (or every value `optimistic`); patterns by name or cells as
    /// in a recipe.
    #[expect(clippy::too_many_arguments, reason = "named arguments of Python")]
    #[new]
    #[pyo3(signature = (game, patterns, *, alphabet=16, features=vec![], stages=vec![], shared=true, optimistic=0.0))]
    fn new(
        game: &str,
        patterns: &str,
        alphabet: u8,
        features: Vec<String>,
        stages: Vec<String>,
        shared: bool,
        optimistic: f32,
    ) -> PyResult<Self> {
        let mut recipe =
            Recipe::parse("network", "[network]\npatterns = \"\"\n[run]\ngames = 1\n", &[]).map_err(wrong)?;
        recipe.game = game.into();
        let network = &mut recipe.network;
        (network.patterns, network.alphabet) = (patterns.into(), alphabet);
        (network.features, network.shared) = (features, shared);
        recipe.stages.split = stages.join(" ");
        recipe.learning.optimistic = optimistic;
        let built = recipe.build().map_err(wrong)?;
        let spec = GameSpec::parse(game).map_err(wrong)?;
        let metadata = BTreeMap::from([(model::GAME.to_string(), spec.name())]);
        let learner = recipe.learner(built.structure).map_err(no_memory)?;
        Ok(Self {
            shared: Shared(Arc::new(learner)),
            spec,
            value_kind: built.value_kind,
            metadata,
            path: None,
        })
    }

    /// Joins models that were trained apart, each for so many walls, into one; the first is for at
    /// most one.
    #[staticmethod]
    fn join(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Self> {
        let read = || paths.iter().map(|path| model_source::load(path)).collect::<Result<Vec<_>, _>>();
        let models = py.detach(read).map_err(source_error)?;
        let joined = py.detach(|| afterstate_lab::join::join(&models)).map_err(wrong)?;
        Ok(Self::of_model(joined, None))
    }

    /// Loads a model: a file of any format, recognised by its contents, a run directory, or a
    /// built-in one like `builtin:2048`; with `game`, one that plays that game.
    #[staticmethod]
    #[pyo3(signature = (path, *, game=None))]
    fn load(py: Python<'_>, path: PathBuf, game: Option<&str>) -> PyResult<Self> {
        let wanted = game.map(GameSpec::parse).transpose().map_err(wrong)?;
        let mut model = py.detach(|| model_source::load(&path)).map_err(source_error)?;
        if let Some(wanted) = wanted {
            let own = compat::own_game(&model);
            model.network = compat::adapt(model.network, &own, &wanted).map_err(wrong)?;
            if wanted.shape != own.shape || wanted.family != own.family {
                model.sums.clear();
                model.visits.clear();
            }
            model.metadata.insert(model::GAME.into(), wanted.name());
        }
        Ok(Self::of_model(model, Some(path)))
    }

    /// Saves the network: `.safetensors`, `.w`, `.bin.special`, or our own format under any other
    /// name.
    ///
    /// `sums` keeps what learning keeps beside the weights; `sparse` leaves out zeros (our own
    /// format only); `metadata` is written beside what is known already.
    #[pyo3(signature = (path, *, sums=false, sparse=true, metadata=None))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        sums: bool,
        sparse: bool,
        metadata: Option<BTreeMap<String, String>>,
    ) -> PyResult<()> {
        let mut all = self.metadata.clone();
        all.extend(metadata.unwrap_or_default());
        py.detach(|| self.save_to(&path, sums, sparse, &all))
    }

    /// The game it plays.
    #[getter]
    fn game(&self) -> PyResult<PyGame> {
        PyGame::named(&self.spec.name(), Default::default())
    }

    /// Kind of its values: `afterstates`, `states` or `actions`.
    #[getter]
    fn subject(&self) -> &'static str {
        match self.value_kind {
            ValueKind::Afterstates => "afterstates",
            ValueKind::States => "states",
            ValueKind::Actions => "actions",
        }
    }

    /// The cells of every pattern.
    #[getter]
    fn patterns(&self) -> Vec<Vec<usize>> {
        let cells = |pattern: &Pattern| pattern.cells().iter().map(|&cell| cell.into()).collect();
        self.shared.structure().patterns.iter().map(cells).collect()
    }

    /// Tables of weights in each set: one for every pattern, then one for every feature.
    #[getter]
    fn tables(&self) -> usize {
        self.shared.tables()
    }

    /// Sets of weights: one for every stage (four each where actions are valued or announced tiles
    /// are told apart).
    #[getter]
    fn stages(&self) -> usize {
        self.shared.structure().banks()
    }

    /// Number of weights that one value sums.
    #[getter]
    fn active(&self) -> usize {
        self.shared.active()
    }

    /// Metadata: the game, the recipe, the training history.
    #[getter]
    fn metadata(&self) -> BTreeMap<String, String> {
        self.metadata.clone()
    }

    /// The weights of a table, copied in index order: index = sum of rank_i * alphabet**i over the
    /// cells of the pattern.
    ///
    /// So `weights.reshape((alphabet,) * cells, order="F")[r0, r1, ...]` is the weight of those
    /// ranks. Write them back by `set_weights`.
    ///
    /// >>> network = Network("2048-2x3", "012", alphabet=11)
    /// >>> network.set_weights(0, network.weights(0) + 1)
    /// >>> network.weights(0).reshape((11, 11, 11), order="F")[1, 2, 3]
    /// np.float32(1.0)
    #[pyo3(signature = (table, *, stage=0))]
    fn weights<'py>(&self, py: Python<'py>, table: usize, stage: u8) -> PyResult<Bound<'py, PyArray1<f32>>> {
        self.check_table(table)?;
        let bank = self.shared.bank(self.bank(stage)?);
        let all: Vec<f32> =
            py.detach(|| self.shared.table_entries(table).map(|entry| bank.get(entry)).collect());
        Ok(all.into_pyarray(py))
    }

    /// Replaces the weights of a table, given in index order.
    #[pyo3(signature = (table, values, *, stage=0))]
    fn set_weights(
        &self,
        py: Python<'_>,
        table: usize,
        values: PyReadonlyArray1<'_, f32>,
        stage: u8,
    ) -> PyResult<()> {
        self.check_table(table)?;
        let bank = self.shared.bank(self.bank(stage)?);
        let values = values.as_slice()?;
        if values.len() != self.shared.table_len(table) {
            let (given, needed) = (values.len(), self.shared.table_len(table));
            return Err(wrong(format!("{given} weights were given, table {table} has {needed}")));
        }
        py.detach(|| {
            self.shared.table_entries(table).zip(values).for_each(|(entry, &value)| bank.set(entry, value));
        });
        Ok(())
    }

    /// A copy of all weights of a set in the order of memory, as they are at this moment: training
    /// goes on beside it.
    ///
    /// Memory is not in index order (neighbours on the board share cache lines instead), and holds
    /// padding between tables: `memory()[entries(table)]` equals `weights(table)`.
    ///
    /// >>> network = Network("2048-2x3", "012", alphabet=16)
    /// >>> bool((network.memory()[network.entries(0)] == network.weights(0)).all())
    /// True
    #[pyo3(signature = (*, stage=0))]
    fn memory<'py>(&self, py: Python<'py>, stage: u8) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let bank = self.shared.bank(self.bank(stage)?);
        let copy = py.detach(|| (0..bank.len() as u32).map(|entry| bank.get(entry)).collect::<Vec<f32>>());
        Ok(copy.into_pyarray(py))
    }

    /// Number of weights of a set in memory, padding included: the length of `memory()`.
    #[getter]
    fn places(&self) -> usize {
        self.shared.bank(0).len()
    }

    /// Places in `memory` of the weights of a table, in index order.
    fn entries<'py>(&self, py: Python<'py>, table: usize) -> PyResult<Bound<'py, PyArray1<u32>>> {
        self.check_table(table)?;
        Ok(self.shared.table_entries(table).collect::<Vec<u32>>().into_pyarray(py))
    }

    /// The sums E and A of temporal coherence beside a table, copied in index order as two columns;
    /// `None` without.
    #[pyo3(signature = (table, *, stage=0))]
    fn sums<'py>(
        &self,
        py: Python<'py>,
        table: usize,
        stage: u8,
    ) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        self.check_table(table)?;
        let bank = self.bank(stage)?;
        let Some(sums) = self.shared.0.step_size.sums().get(usize::from(bank)) else { return Ok(None) };
        let all: Vec<f32> =
            py.detach(|| self.shared.table_entries(table).flat_map(|entry| sums.get_pair(entry)).collect());
        all.into_pyarray(py).reshape([self.shared.table_len(table), 2]).map(Some)
    }

    /// The values of many boards: ranks of shape (n, rows, columns), one set of weights for all or
    /// one for each.
    ///
    /// What the boards are depends on `subject`: afterstates, usually. For Threes give `hint` and
    /// `bag` too.
    #[pyo3(signature = (boards, *, hint=None, bag=None, stage=None))]
    fn values<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArrayDyn<'_, u8>,
        hint: Option<PyReadonlyArray1<'_, u8>>,
        bag: Option<PyReadonlyArray2<'_, u8>>,
        stage: Option<PyReadonlyArray1<'_, u8>>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let shape = self.shared.structure().shape;
        let cells = shape.cells();
        let found = boards.shape();
        let count = match *found {
            [n, rows, cols] if (rows, cols) == (shape.rows(), shape.cols()) => n,
            [n, flat] if flat == cells => n,
            _ => {
                return Err(wrong(format!(
                    "boards of {shape} are needed, the array has the shape {found:?}"
                )));
            }
        };
        let boards = boards.as_slice()?;
        if boards.iter().any(|&rank| rank > afterstate::grid::MAX_RANK) {
            return Err(wrong("a board holds ranks from 0 to 60"));
        }
        let hints = hint.as_ref().map(|hint| hint.as_slice()).transpose()?;
        let bags = bag.as_ref().map(|bag| bag.as_slice()).transpose()?;
        let stages = stage.as_ref().map(|stage| stage.as_slice()).transpose()?;
        let fits = |given: Option<usize>, needed: usize| given.is_none_or(|given| given == needed);
        if !fits(hints.map(<[u8]>::len), count)
            || !fits(bags.map(<[u8]>::len), 3 * count)
            || !fits(stages.map(<[u8]>::len), count)
        {
            return Err(wrong(format!("hint, bag and stage must have {count} rows, like boards")));
        }
        let known = self.known_stages();
        let beyond = |stage: &&u8| usize::from(**stage) >= known;
        if let Some(stage) = stages.and_then(|stages| stages.iter().max()).filter(beyond) {
            return Err(PyIndexError::new_err(format!("there is no stage {stage}; the network has {known}")));
        }
        let network: &Network = &self.shared;
        let values = py.detach(|| {
            let mut ring: [Active; AHEAD + 1] = Default::default();
            let mut values = Vec::with_capacity(count);
            let mut board = [0; 64];
            for i in 0..count + AHEAD {
                if i < count {
                    board[..cells].copy_from_slice(&boards[i * cells..(i + 1) * cells]);
                    let bag = bags.map_or([0; 3], |bags| [bags[3 * i], bags[3 * i + 1], bags[3 * i + 2]]);
                    let seen = &board[..if cells <= 16 { 16 } else { 64 }];
                    let view = View { cells: seen, hint: hints.map_or(0, |hints| hints[i]), bag };
                    let bank = network.bank_of(&view, stages.map_or(0, |stages| stages[i]));
                    network.activate(&view, bank, &mut ring[i % (AHEAD + 1)]);
                }
                if let Some(done) = i.checked_sub(AHEAD) {
                    values.push(network.sum(&ring[done % (AHEAD + 1)]));
                }
            }
            values
        });
        Ok(values.into_pyarray(py))
    }

    fn __repr__(&self) -> String {
        let structure = self.shared.structure();
        let (patterns, weights) = (structure.patterns.len(), structure.weights());
        format!("<Network for {}: {patterns} patterns, {weights} weights>", self.spec.name())
    }
}

/// Boards ahead of the sum whose cache lines are prefetched.
const AHEAD: usize = 5;
