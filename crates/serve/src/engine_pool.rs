//! Engines of the server: the models given, then built-in models and the heuristic player.
//!
//! A model is in memory once, whatever games and variants ask for it: a `--model` is read at the
//! start and never again, a model of a run once for each file. Engines are made when they are asked
//! for, on threads of their own, while whoever asked waits without a turn; one whose weights are in
//! memory does not wait for those that must be read. Where there is no memory for one, those used
//! longest ago are given up; where that is not enough, the request is refused.

use crate::options::Options;
use crate::problem::Problem;
use crate::{App, run_files, wire};
use afterstate::game::catalogue::{Family, GameSpec};
use afterstate::grid::Shape;
use afterstate_lab::endgames::{self, EndgamesError};
use afterstate_lab::engine::{Engine, EngineError, EngineOptions, LoadedModel, PlayerName, SearchBudget};
use afterstate_lab::model_source::{BUILTIN, ModelSource};
use afterstate_lab::variant::{ConfiguredGame, Variant};
use afterstate_lab::{api, builtin, compat, model};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::{Duration, SystemTime};
use tokio::sync::{Notify, Semaphore};
use tokio::time::timeout_at;

/// The name of the player who needs no model.
const HEURISTIC: &str = "heuristic";
/// An engine with fewer weights is made anew within a moment.
const SMALL: usize = 1 << 22;
/// Models read together.
const READ_TOGETHER: usize = 2;
/// Engines made together: those whose weights are there one after the other, in a queue of their own.
pub(crate) const MADE_TOGETHER: usize = READ_TOGETHER + 1;
/// The table of an engine of a variant is so many times smaller.
const VARIANT_TABLE: usize = 16;

/// A model the server was started with.
struct Model {
    id: String,
    /// Bytes of its file.
    bytes: Option<u64>,
    loaded: Arc<LoadedModel>,
    engine: Arc<Engine>,
}

/// An engine that is opened by the first request that needs it.
#[derive(Default)]
struct Slot {
    made: OnceLock<Result<Made, Problem>>,
    done: Notify,
}

/// An engine, and the model of a run that it comes from: whoever plays another variant with that
/// finds it in memory.
#[derive(Clone)]
struct Made {
    engine: Arc<Engine>,
    _of_run: Option<Arc<LoadedModel>>,
}

/// An engine that is kept for the next request.
struct Kept {
    key: String,
    /// True if the game has options: anybody can think of hundreds of those.
    is_variant: bool,
    slot: Arc<Slot>,
}

impl Kept {
    fn is_engine(&self) -> bool {
        matches!(self.slot.made.get(), Some(Ok(_)))
    }
}

/// The file of a run's model, as it was found.
#[derive(Clone, PartialEq, Eq)]
struct RunModel {
    name: String,
    changed: Option<SystemTime>,
    length: u64,
}

/// The model of a run, while somebody plays with it; held while it is read.
type OfRun = Arc<Mutex<Weak<LoadedModel>>>;

/// Origin of an engine.
#[derive(Clone)]
enum Source {
    /// A model in memory.
    Loaded(Arc<LoadedModel>),
    /// The model of a run.
    Run(RunModel),
    /// A built-in model, or the heuristic player if there is none.
    BuiltIn,
    /// The heuristic player.
    Heuristic,
}

/// All engines that answer requests.
pub(crate) struct EnginePool {
    models: Vec<Model>,
    runs: PathBuf,
    budget: Option<SearchBudget<'static>>,
    table_bytes: usize,
    endgames: Option<PathBuf>,
    endgames_from: Option<u64>,
    most: usize,
    /// The most recently used last.
    ready: Mutex<Vec<Kept>>,
    /// Models of runs that somebody plays with.
    of_runs: Mutex<Vec<(RunModel, OfRun)>>,
    reading: Arc<Semaphore>,
    making: Arc<Semaphore>,
}

impl EnginePool {
    /// Loads the models, so that a wrong one is known at the start.
    pub(crate) fn open(options: &Options) -> Result<Self, EngineError> {
        let limits = &options.limits;
        if let Some(place) = &options.endgames {
            endgames::boards(place)?;
        }
        let mut pool = Self {
            models: Vec::new(),
            runs: options.runs.clone(),
            budget: SearchBudget::of(options.ply, options.time_per_move),
            table_bytes: limits.table_bytes,
            endgames: options.endgames.clone(),
            endgames_from: options.endgames_from,
            most: limits.engines.max(1),
            ready: Mutex::default(),
            of_runs: Mutex::default(),
            reading: Arc::new(Semaphore::new(READ_TOGETHER)),
            making: Arc::new(Semaphore::new(MADE_TOGETHER - READ_TOGETHER)),
        };
        for path in &options.models {
            let mut loaded = Arc::new(LoadedModel::load(path)?);
            // Two files with the same weights, or one given twice: they are in memory once.
            let print = loaded.fingerprint();
            let same =
                |model: &&Model| model.loaded.own() == loaded.own() && model.loaded.fingerprint() == print;
            if let Some(same) = pool.models.iter().find(same) {
                loaded = Arc::clone(&same.loaded);
            }
            let engine = loaded.engine(&pool.options(None))?;
            let engine = Arc::new(with_tables(engine, options.endgames.as_deref(), options.endgames_from)?);
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            // A built-in model that was named is listed as such.
            if is_builtin(&name) {
                let id = builtin_id(loaded.own());
                pool.models.push(Model { id, bytes: None, loaded, engine });
                continue;
            }
            let taken = pool.models.iter().any(|model| model.id == name) || name == HEURISTIC;
            let id = if taken { format!("{name}-{}", pool.models.len() + 1) } else { name };
            let bytes = ModelSource::find(path).ok().and_then(|source| source.bytes());
            pool.models.push(Model { id, bytes, loaded, engine });
        }
        Ok(pool)
    }

    fn options(&self, game: Option<&ConfiguredGame>) -> EngineOptions {
        EngineOptions {
            game: game.cloned(),
            budget: self.budget,
            table_bytes: Some(match game.is_some_and(is_variant) {
                true => self.table_bytes / VARIANT_TABLE,
                false => self.table_bytes,
            }),
            ..EngineOptions::default()
        }
    }

    pub(crate) fn about(&self) -> String {
        let models =
            self.models.iter().map(|model| format!("{} plays {}", model.id, model.loaded.own().name()));
        let all: Vec<String> = models.chain(["the built-in player judges all other games".into()]).collect();
        all.join("; ")
    }

    /// The models and players that clients may ask for, but for those of runs.
    pub(crate) fn list(&self) -> Vec<api::Model> {
        let models = self.models.iter().filter(|model| !is_builtin(&model.id)).map(|model| api::Model {
            id: model.id.clone(),
            kind: "model",
            game: Some(model.loaded.own().name()),
            ply: model.engine.budget.ply,
            searches: model.engine.searches(),
            bytes: model.bytes,
            loaded: true,
            memory: Some(model.loaded.memory()),
        });
        let built_in = builtin::list().into_iter().map(|model| api::Model {
            id: builtin_id(&model.game),
            kind: BUILTIN,
            ply: self.usual_ply(&model.game),
            game: Some(model.game.name()),
            searches: true,
            bytes: Some(model.bytes),
            loaded: model.memory.is_some(),
            memory: model.memory,
        });
        let heuristic = api::Model {
            id: HEURISTIC.into(),
            kind: HEURISTIC,
            game: None,
            ply: self.usual_ply(&GameSpec::new(Family::Twenty48, Shape::FOUR)),
            searches: true,
            bytes: None,
            loaded: true,
            memory: None,
        };
        models.chain(built_in).chain([heuristic]).collect()
    }

    /// The models of these runs that ended with one.
    pub(crate) fn list_of_runs(&self, runs: &[String]) -> Vec<api::Model> {
        let one = |run: &String| {
            let name = run_files::model(run);
            let file = run_files::open(&self.runs, &name).ok()?;
            let bytes = file.metadata().ok()?.len();
            let told = compat::Told::of_file(file)?;
            let memory = self.run_in_use(|known| known.name == name).map(|loaded| loaded.memory());
            Some(api::Model {
                id: format!("{}{run}", wire::RUN),
                kind: "run",
                ply: if told.searches { self.usual_ply(&told.game) } else { 1 },
                game: Some(told.game.name()),
                searches: told.searches,
                bytes: Some(bytes),
                loaded: memory.is_some(),
                memory,
            })
        };
        runs.iter().filter_map(one).collect()
    }

    /// The depth at which a game is searched where nobody says otherwise.
    fn usual_ply(&self, game: &GameSpec) -> u8 {
        self.budget.unwrap_or(SearchBudget::usual(game.shape)).ply
    }

    /// The game that is played where nobody says which.
    pub(crate) fn default_game(&self) -> String {
        self.models.first().map_or("2048".into(), |model| model.loaded.own().name())
    }

    /// Origin of the engine of a game, with the id under which it is known: the one asked for, or
    /// the first that plays it.
    fn source(&self, game: &ConfiguredGame, model: Option<&str>) -> Result<(Source, String), Problem> {
        let spec = &game.spec;
        let built_in = || {
            let id = builtin::model_of(spec).map_or(HEURISTIC.into(), |own| builtin_id(&own));
            (Source::BuiltIn, id)
        };
        let chosen = match model {
            Some(HEURISTIC) => return Ok((Source::Heuristic, HEURISTIC.into())),
            Some(id) if is_builtin(id) => {
                let found = built_in();
                if id == found.1 || id == BUILTIN && found.1 != HEURISTIC {
                    return Ok(found);
                }
                return Err(match ModelSource::find(Path::new(id)) {
                    Err(unknown) => Problem::wrong(unknown),
                    Ok(_) => Problem::wrong(format!("the model {id} does not play {}", spec.name())),
                });
            }
            Some(id) => {
                let found = self.models.iter().find(|model| model.id == id).ok_or_else(|| {
                    let id: String = id.chars().take(40).collect();
                    Problem::wrong(format!(
                        "there is no model '{}'; /api/v1/models lists them",
                        id.escape_debug()
                    ))
                })?;
                let own = found.loaded.own();
                if !compat::is_compatible(own, spec) {
                    let message = format!("the model {id} plays {}, not {}", own.name(), spec.name());
                    return Err(Problem::wrong(message));
                }
                Some(found)
            }
            None => self.models.iter().find(|model| compat::is_compatible(model.loaded.own(), spec)),
        };
        Ok(match chosen {
            Some(found) => (Source::Loaded(Arc::clone(&found.loaded)), found.id.clone()),
            None => built_in(),
        })
    }

    /// The engine of a model as it was given, where that is what is asked for.
    fn given(&self, game: &ConfiguredGame, id: &str) -> Option<Arc<Engine>> {
        let found = self.models.iter().find(|model| model.id == id)?;
        let same = *found.loaded.own() == game.spec && game.variant == Variant::default();
        same.then(|| Arc::clone(&found.engine))
    }

    /// The slot of an engine, and whether it is new. Where there are too many, one makes room: a
    /// variant for a variant, a game for a game.
    fn slot(&self, key: &str, is_variant: bool) -> (Arc<Slot>, bool) {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = ready.iter().position(|known| known.key == key) {
            let known = ready.remove(at);
            let slot = Arc::clone(&known.slot);
            ready.push(known);
            return (slot, false);
        }
        if ready.iter().filter(|known| known.is_variant == is_variant).count() >= self.most {
            Self::drop_one(&mut ready, is_variant);
        }
        let slot = Arc::<Slot>::default();
        ready.push(Kept { key: key.into(), is_variant, slot: Arc::clone(&slot) });
        (slot, true)
    }

    /// Drops the engine that is missed least, if there is one: one that is soon made anew, else any;
    /// among equals the one used longest ago.
    fn drop_one(ready: &mut Vec<Kept>, is_variant: bool) {
        let made = |kept: &Kept| kept.is_variant == is_variant && kept.slot.made.get().is_some();
        let is_large = |made: &Made| made.engine.structure().is_some_and(|found| found.weights() >= SMALL);
        let small =
            |kept: &Kept| made(kept) && !matches!(kept.slot.made.get(), Some(Ok(made)) if is_large(made));
        let least = ready.iter().position(small).or_else(|| ready.iter().position(made));
        least.map(|least| ready.remove(least));
    }

    /// Forgets a slot, so that the next request tries again.
    fn forget(&self, slot: &Arc<Slot>) {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        ready.retain(|kept| !Arc::ptr_eq(&kept.slot, slot));
    }

    /// Gives up an engine; false if there is none.
    fn give_up_one(&self) -> bool {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let variant = ready.iter().position(|kept| kept.is_variant && kept.is_engine());
        let least = variant.or_else(|| ready.iter().position(Kept::is_engine));
        least.map(|least| ready.remove(least)).is_some()
    }

    /// Opens an engine; where there is no memory for it, others are given up.
    fn make(&self, game: &ConfiguredGame, source: &Source) -> Result<Made, Problem> {
        loop {
            let made = self.open_engine(game, source).and_then(|(engine, of_run)| {
                let engine = Arc::new(with_tables(engine, self.endgames.as_deref(), self.endgames_from)?);
                Ok(Made { engine, _of_run: of_run })
            });
            match made {
                Ok(made) => return Ok(made),
                Err(error) => match error.out_of_memory() {
                    Some(_) if self.give_up_one() => {}
                    Some(memory) => return Err(Problem::no_memory(&game.spec.name(), &memory)),
                    None => return Err(Problem::wrong(error)),
                },
            }
        }
    }

    /// The engine, and the model of a run that it comes from.
    fn open_engine(
        &self,
        game: &ConfiguredGame,
        source: &Source,
    ) -> Result<(Engine, Option<Arc<LoadedModel>>), EngineError> {
        let options = self.options(Some(game));
        let engine = match source {
            Source::Loaded(loaded) => loaded.engine(&options)?,
            Source::Run(found) => {
                let loaded = self.loaded_of_run(found)?;
                return Ok((loaded.engine(&options)?, Some(loaded)));
            }
            Source::BuiltIn => Engine::open_for_analysis(&options)?,
            Source::Heuristic => {
                let player = Some(PlayerName::Heuristic);
                Engine::open_for_analysis(&EngineOptions { player, ..options })?
            }
        };
        Ok((engine, None))
    }

    /// The model of a run, in memory once for all who play with it.
    fn loaded_of_run(&self, found: &RunModel) -> Result<Arc<LoadedModel>, EngineError> {
        let own = {
            let mut all = self.of_runs.lock().unwrap_or_else(PoisonError::into_inner);
            // Whoever holds one besides this list reads it.
            all.retain(|(_, own)| Arc::strong_count(own) > 1 || in_memory(own).is_some());
            let known = all.iter().find(|(known, _)| known == found).map(|(_, own)| Arc::clone(own));
            known.unwrap_or_else(|| {
                let new = OfRun::default();
                all.push((found.clone(), Arc::clone(&new)));
                new
            })
        };
        let mut own = own.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = own.upgrade() {
            return Ok(loaded);
        }
        let path = self.runs.join(&found.name);
        let open = |source| model::ModelError::Open { path: PathBuf::from(&found.name), source };
        let file = run_files::open(&self.runs, &found.name).map_err(open)?;
        let (model, _) = model::load_open(file, &path)?;
        let loaded = Arc::new(LoadedModel::of(model)?);
        *own = Arc::downgrade(&loaded);
        Ok(loaded)
    }

    /// The model of a run, if somebody plays with it.
    fn run_in_use(&self, is: impl Fn(&RunModel) -> bool) -> Option<Arc<LoadedModel>> {
        let all = self.of_runs.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter(|(known, _)| is(known)).find_map(|(_, own)| in_memory(own))
    }

    /// True if nothing must be read for an engine: it is made within a moment.
    fn is_in_memory(&self, game: &ConfiguredGame, source: &Source) -> bool {
        let weights = match source {
            Source::Loaded(_) | Source::Heuristic => true,
            Source::Run(found) => self.run_in_use(|known| known == found).is_some(),
            Source::BuiltIn => builtin::is_in_use(&game.spec) || !builtin::exists(&game.spec),
        };
        weights && self.endgames.is_none()
    }
}

fn in_memory(of_run: &OfRun) -> Option<Arc<LoadedModel>> {
    of_run.try_lock().ok()?.upgrade()
}

/// The engine of a game: the one asked for, or the first that plays it, with its id. Whoever waits
/// for one that is being opened holds nobody up.
pub(crate) async fn engine(
    app: &Arc<App>,
    game: &ConfiguredGame,
    model: Option<&str>,
) -> Result<(Arc<Engine>, String), Problem> {
    let patience = app.options.limits.loading_time;
    let (source, id) = match model.and_then(|id| id.strip_prefix(wire::RUN)) {
        Some(run) => (Source::Run(run_model(app, run).await?), format!("{}{run}", wire::RUN)),
        None => app.engines.source(game, model)?,
    };
    if let Some(engine) = app.engines.given(game, &id) {
        return Ok((engine, id));
    }
    let file = match &source {
        Source::Run(found) => format!("{:?}|{}", found.changed, found.length),
        _ => String::new(),
    };
    let key = format!("{}|{:?}|{id}|{file}", game.spec.name(), game.variant);
    let (slot, new) = app.engines.slot(&key, is_variant(game));
    if new {
        // It goes on although whoever asked first may leave.
        let (app, game, slot) = (Arc::clone(app), game.clone(), Arc::clone(&slot));
        tokio::spawn(async move { open(&app, game, source, &slot).await });
    }
    let until = tokio::time::Instant::now() + patience;
    let made = loop {
        let done = slot.done.notified();
        if let Some(made) = slot.made.get() {
            break made.clone();
        }
        if timeout_at(until, done).await.is_err() && slot.made.get().is_none() {
            return Err(Problem::busy("the player of this game is being loaded"));
        }
    };
    Ok((made?.engine, id))
}

/// Opens an engine for all who wait for it.
async fn open(app: &Arc<App>, game: ConfiguredGame, source: Source, slot: &Arc<Slot>) {
    let engines = &app.engines;
    let queue = if engines.is_in_memory(&game, &source) { &engines.making } else { &engines.reading };
    let place = Arc::clone(queue).acquire_owned().await;
    let inner = Arc::clone(app);
    let made = tokio::task::spawn_blocking(move || {
        let _place = place;
        inner.engines.make(&game, &source)
    });
    let made = made.await.unwrap_or_else(|error| Err(Problem::defect(error)));
    if made.is_err() {
        app.engines.forget(slot);
    }
    let _ = slot.made.set(made);
    slot.done.notify_waiters();
}

/// The file of the model that a run ended with. One that ended again since is another.
async fn run_model(app: &Arc<App>, run: &str) -> Result<RunModel, Problem> {
    let (root, run) = (app.options.runs.clone(), run.to_owned());
    app.files
        .run(move || {
            let missing = |_| Problem::wrong("that run has no model; /api/v1/runs/RUN names those that have");
            run_files::check(&root, &run).map_err(|_| missing(()))?;
            let name = run_files::model(&run);
            let file = run_files::open(&root, &name).map_err(|_| missing(()))?;
            let told = file.metadata().map_err(|_| missing(()))?;
            Ok(RunModel { name, changed: told.modified().ok(), length: told.len() })
        })
        .await
}

/// Loads the player of the default game, and says how that went.
pub(crate) async fn warm_up(app: &Arc<App>) -> Result<String, Problem> {
    let name = app.engines.default_game();
    let game = ConfiguredGame::parse(&name, Variant::default()).map_err(Problem::wrong)?;
    loop {
        match engine(app, &game, None).await {
            Err(problem) if problem.is_busy() => tokio::time::sleep(Duration::from_millis(100)).await,
            Err(problem) => return Err(problem),
            Ok((_, id)) => {
                let mib = afterstate::budget::taken() >> 20;
                return Ok(format!("the player of {name} is ready ({id}); models take {mib} MiB"));
            }
        }
    }
}

fn is_variant(game: &ConfiguredGame) -> bool {
    game.variant != Variant::default()
}

/// The name of a built-in model.
fn builtin_id(own: &GameSpec) -> String {
    format!("{BUILTIN}:{}", own.name())
}

fn is_builtin(id: &str) -> bool {
    id.strip_prefix(BUILTIN).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

/// The engine with the endgame tables of its game, where some fit it.
fn with_tables(engine: Engine, place: Option<&Path>, from: Option<u64>) -> Result<Engine, EngineError> {
    match place.map(|place| endgames::shared(place, &engine.game.rules, from)) {
        None | Some(Err(EndgamesError::Game | EndgamesError::Nothing { .. })) => Ok(engine),
        Some(tables) => Ok(engine.with_endgames(tables?)),
    }
}
