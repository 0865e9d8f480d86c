//! Training in memory, a round of games at a time, alone or together with other machines.

use crate::convert::{no_memory, wrong};
use crate::network::{PyNetwork, Shared};
use crate::run::find;
use crate::watched::watched;
use afterstate::exchange::{self, Difference, Exchange, Join};
use afterstate::game::Game;
use afterstate::game::catalogue::GameSpec;
use afterstate::learn::Learner;
use afterstate::random::Random;
use afterstate::train::{Played, Progress, TrainObserver, Trainer};
use afterstate::with_game;
use afterstate_lab::model;
use afterstate_lab::recipe::{Built, Recipe, Start};
use afterstate_lab::run::Window;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

/// A trainer of any game.
trait AnyTrainer: Send {
    fn round(&mut self, learner: &Learner, games: u64, observer: &dyn TrainObserver);
    fn done(&self) -> (u64, u64);
    fn begin(&mut self, seed: u64, games: u64);
}

impl<G: Game> AnyTrainer for Trainer<G>
where
    Trainer<G>: Send,
{
    fn round(&mut self, learner: &Learner, games: u64, observer: &dyn TrainObserver) {
        Trainer::round(self, learner, games, observer);
    }

    fn done(&self) -> (u64, u64) {
        let progress = self.progress();
        (progress.games, progress.moves)
    }

    fn begin(&mut self, seed: u64, games: u64) {
        let threads = self.progress().randoms.len() as u64;
        let randoms = (0..threads).map(|i| Random::stream(seed, i).save()).collect();
        let progress = Progress { games, next_board: games, randoms, ..Progress::default() };
        *self = Trainer::resume(self.game().clone(), self.method().clone(), &progress)
            .expect("fresh generators are valid");
    }
}

/// Statistics of a round of training games: `games`, `moves`, `seconds`, `mean`, `max`, `tiles`.
#[pyclass(name = "Window", module = "afterstate._native", frozen, get_all)]
pub(crate) struct PyWindow {
    /// Games of the round.
    games: u64,
    /// Their moves, restarts not counted.
    moves: u64,
    /// Their durations.
    seconds: f64,
    /// Their average score.
    mean: f64,
    /// Their best score.
    max: u64,
    /// The share of games that reached each tile.
    tiles: BTreeMap<u64, f64>,
}

#[pymethods]
impl PyWindow {
    fn __repr__(&self) -> String {
        format!("<Window: {} games, average {:.1}>", self.games, self.mean)
    }
}

/// Hears of the games of a round.
struct Hearer<'a> {
    stop: &'a AtomicBool,
    window: Mutex<Window>,
}

impl TrainObserver for Hearer<'_> {
    fn game(&self, played: &Played) {
        self.window.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).add(played);
    }

    fn stop(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

/// Learns in memory, a round of games at a time: no files, no evaluations, no decay.
///
/// With `network` it begins with a copy of that network's weights, and of its sums if they are
/// there.
///
/// >>> trainer = Trainer("optimum-2x2", threads=1)
/// >>> window = trainer.play(200)
/// >>> window.games, window.mean > 20
/// (200, True)
/// >>> trainer.network.game
/// Game('2048-2x2')
#[pyclass(name = "Trainer", module = "afterstate._native", frozen)]
pub(crate) struct PyTrainer {
    recipe: Recipe,
    spec: GameSpec,
    value_kind: afterstate::learn::greedy::ValueKind,
    learner: Arc<Learner>,
    trainer: Mutex<Box<dyn AnyTrainer>>,
    exchange: Mutex<Option<Exchange>>,
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[pymethods]
impl PyTrainer {
    #[new]
    #[pyo3(signature = (recipe="quick", sets=vec![], *, threads=None, seed=None, network=None))]
    fn new(
        py: Python<'_>,
        recipe: &str,
        sets: Vec<String>,
        threads: Option<usize>,
        seed: Option<u64>,
        network: Option<&Bound<'_, PyNetwork>>,
    ) -> PyResult<Self> {
        let mut recipe = find(recipe, &sets)?;
        recipe.run.threads = threads.unwrap_or(recipe.run.threads);
        recipe.run.seed = seed.unwrap_or(recipe.run.seed);
        let built = recipe.build().map_err(wrong)?;
        if recipe.learning.start == Start::Boards || recipe.learning.decay != 1.0 {
            return Err(wrong(
                "a Trainer knows neither start = \"boards\" nor decay; use afterstate.train, which trains in a run directory",
            ));
        }
        let spec = GameSpec::parse(&recipe.game).map_err(wrong)?;
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if recipe.run.threads == 0 { all } else { recipe.run.threads };
        let learner = py.detach(|| recipe.learner(built.structure.clone())).map_err(no_memory)?;
        if let Some(network) = network {
            copy(&network.get().shared.0, &learner)?;
        }
        let trainer = with_game!(&built.game.rules, game => trainer(game.clone(), &recipe, &built, threads));
        Ok(Self {
            spec,
            value_kind: built.value_kind,
            learner: Arc::new(learner),
            trainer: Mutex::new(trainer),
            exchange: Mutex::new(None),
            recipe,
        })
    }

    /// Plays and learns this many games.
    fn play(&self, py: Python<'_>, games: u64) -> PyResult<PyWindow> {
        let began = Instant::now();
        let window = watched(
            py,
            |stop| {
                let hearer = Hearer { stop, window: Mutex::default() };
                lock(&self.trainer).round(&self.learner, games, &hearer);
                hearer.window.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
            },
            |_| Ok(true),
        )?;
        let game = self.spec.build().map_err(wrong)?;
        let label = |rank| with_game!(&game, game => game.label(rank));
        Ok(PyWindow {
            games: window.games,
            moves: window.moves,
            seconds: began.elapsed().as_secs_f64(),
            mean: window.mean(),
            max: window.max,
            tiles: (1..=window.top()).map(|rank| (label(rank), window.reached(rank))).collect(),
        })
    }

    /// Takes chance from another seed from now on, as a new trainer would that `games` games were
    /// played before.
    fn begin(&self, seed: u64, games: u64) {
        lock(&self.trainer).begin(seed, games);
    }

    /// Games played so far.
    #[getter]
    fn games(&self) -> u64 {
        lock(&self.trainer).done().0
    }

    /// Moves made so far, restarts included.
    #[getter]
    fn moves(&self) -> u64 {
        lock(&self.trainer).done().1
    }

    /// The recipe, every choice written out.
    #[getter]
    fn recipe(&self) -> String {
        self.recipe.to_toml()
    }

    /// The network being taught; it goes on learning when more games are played.
    #[getter]
    fn network(&self) -> PyNetwork {
        let metadata = BTreeMap::from([
            (model::GAME.to_string(), self.recipe.game.clone()),
            (model::RECIPE.to_string(), self.recipe.to_toml()),
            (model::TRAINED_GAMES.to_string(), self.games().to_string()),
        ]);
        let shared = Shared(self.learner.clone());
        PyNetwork { shared, spec: self.spec.clone(), value_kind: self.value_kind, metadata, path: None }
    }

    /// Begins to keep track of what is learned, for exchanges with other machines. All must begin
    /// alike.
    fn begin_exchange(&self, py: Python<'_>) {
        py.detach(|| *lock(&self.exchange) = Some(Exchange::new(&self.learner)));
    }

    /// Changes since the last exchange: for every set of weights entries, moves, sums and visits.
    fn differences<'py>(&self, py: Python<'py>) -> PyResult<Vec<Told<'py>>> {
        let found = py.detach(|| lock(&self.exchange).as_ref().map(|e| e.differences(&self.learner)));
        let found = found.ok_or_else(|| wrong("call begin_exchange first"))?;
        found.into_iter().map(|difference| tell(py, difference)).collect()
    }

    /// Goes back to the last exchange, as if nothing had been learned since.
    fn rewind(&self, py: Python<'_>) -> PyResult<()> {
        let done = py.detach(|| lock(&self.exchange).as_ref().map(|e| e.rewind(&self.learner)));
        done.ok_or_else(|| wrong("call begin_exchange first"))
    }

    /// The memory of a worker that shares its training: weights and sums, and what they were at the
    /// last exchange.
    #[staticmethod]
    #[pyo3(signature = (recipe="quick", sets=vec![]))]
    fn shared_bytes(recipe: &str, sets: Vec<String>) -> PyResult<u64> {
        let recipe = find(recipe, &sets)?;
        let built = recipe.build().map_err(wrong)?;
        Ok(2 * recipe.learning.step.bytes() * built.structure.places() as u64)
    }

    /// Goes back to the last exchange and applies what all machines together have learned since,
    /// see `join`.
    fn apply(&self, py: Python<'_>, joined: Vec<Heard<'_>>) -> PyResult<()> {
        let joined = joined.iter().map(hear).collect::<PyResult<Vec<_>>>()?;
        py.detach(|| {
            let mut exchange = lock(&self.exchange);
            exchange.as_mut().map(|e| e.apply(&self.learner, &joined))
        })
        .ok_or_else(|| wrong("call begin_exchange first"))?
        .map_err(wrong)
    }

    fn __repr__(&self) -> String {
        format!("<Trainer of {}, {} games played>", self.spec.name(), self.games())
    }
}

fn trainer<G: Game>(game: G, recipe: &Recipe, built: &Built, threads: usize) -> Box<dyn AnyTrainer>
where
    Trainer<G>: Send,
{
    let method = recipe.method::<G>(built, Vec::new());
    Box::new(Trainer::new(game, method, threads, recipe.run.seed))
}

/// Copies weights, and what is kept beside them, from one learner to another of the same structure.
fn copy(from: &Learner, to: &Learner) -> PyResult<()> {
    if from.network.structure() != to.network.structure() {
        return Err(wrong("the network is made of other patterns, features or stages than the recipe's"));
    }
    for bank in 0..to.network.structure().banks() {
        let (source, target) = (from.network.bank(bank as u8), to.network.bank(bank as u8));
        (0..source.len() as u32).for_each(|i| target.set(i, source.get(i)));
    }
    for (source, target) in from.step_size.sums().iter().zip(to.step_size.sums()) {
        (0..source.len() as u32).for_each(|i| target.set_pair(i, source.get_pair(i)));
    }
    for (source, target) in from.step_size.visits().iter().zip(to.step_size.visits()) {
        (0..source.len() as u32).for_each(|i| target.set(i, source.get(i)));
    }
    Ok(())
}

/// A difference on its way to Python: entries, weights, sums (two columns) and visits, empty where
/// there are none.
type Told<'py> = (
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray1<f32>>,
);
/// Reads exchanged changes back.
type Heard<'py> = (
    PyReadonlyArray1<'py, u32>,
    PyReadonlyArray1<'py, f32>,
    PyReadonlyArray2<'py, f32>,
    PyReadonlyArray1<'py, f32>,
);

fn tell(py: Python<'_>, difference: Difference) -> PyResult<Told<'_>> {
    let Difference { entries, weights, sums, visits } = difference;
    let rows = sums.len();
    let sums = sums.into_flattened().into_pyarray(py).reshape([rows, 2])?;
    Ok((entries.into_pyarray(py), weights.into_pyarray(py), sums, visits.into_pyarray(py)))
}

fn hear((entries, weights, sums, visits): &Heard<'_>) -> PyResult<Difference> {
    Ok(Difference {
        entries: entries.as_slice()?.to_vec(),
        weights: weights.as_slice()?.to_vec(),
        sums: sums.as_slice()?.as_chunks().0.to_vec(),
        visits: visits.as_slice()?.to_vec(),
    })
}

/// Joins what several machines have learned, each given as `Trainer.differences` told it.
///
/// Weights are averaged by activity (`average`) or added (`sum`), sums always add up.
#[pyfunction]
#[pyo3(signature = (differences, rule="average"))]
pub(crate) fn join<'py>(
    py: Python<'py>,
    differences: Vec<Vec<Heard<'_>>>,
    rule: &str,
) -> PyResult<Vec<Told<'py>>> {
    let rule = match rule {
        "average" => Join::Average,
        "sum" => Join::Sum,
        other => return Err(wrong(format!("'{other}' is no rule; write average or sum"))),
    };
    let machines = differences
        .iter()
        .map(|banks| banks.iter().map(hear).collect::<PyResult<Vec<_>>>())
        .collect::<PyResult<Vec<_>>>()?;
    let banks = machines.first().map_or(0, Vec::len);
    if machines.iter().any(|machine| machine.len() != banks) {
        return Err(wrong("the machines have different numbers of sets of weights"));
    }
    let uneven = |d: &Difference| d.weights.len() != d.entries.len();
    if machines.iter().flatten().any(uneven) {
        return Err(wrong("a difference needs as many weights as entries"));
    }
    let joined = py.detach(|| {
        let bank = |bank: usize| {
            let all: Vec<&Difference> = machines.iter().map(|machine| &machine[bank]).collect();
            exchange::join(&all, rule)
        };
        (0..banks).map(bank).collect::<Vec<_>>()
    });
    joined.into_iter().map(|difference| tell(py, difference)).collect()
}
