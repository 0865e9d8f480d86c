//! Engines of the server: the models given, then built-in models and the heuristic player.

use crate::options::Options;
use crate::problem::Problem;
use crate::{run_path, wire};
use afterstate::game::catalogue::GameSpec;
use afterstate_lab::compat;
use afterstate_lab::endgames::{self, EndgamesError};
use afterstate_lab::engine::{Engine, EngineError, EngineOptions, PlayerName, SearchBudget};
use afterstate_lab::variant::{ConfiguredGame, Variant};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

/// The name of the player who needs no model.
const HEURISTIC: &str = "heuristic";

/// A model the server was started with.
struct Model {
    id: String,
    path: PathBuf,
    own: GameSpec,
    engine: Arc<Engine>,
}

/// An engine that is opened by the first request that needs it.
type Slot = Arc<OnceLock<Result<Arc<Engine>, String>>>;

/// All engines that answer requests.
pub(crate) struct EnginePool {
    models: Vec<Model>,
    runs: PathBuf,
    ply: Option<u8>,
    table_bytes: usize,
    endgames: Option<PathBuf>,
    most: usize,
    /// The most recently used last.
    ready: Mutex<Vec<(String, Slot)>>,
}

impl EnginePool {
    /// Loads the models, so that a wrong one is known at the start.
    pub(crate) fn open(options: &Options) -> Result<Self, EngineError> {
        let limits = &options.limits;
        if let Some(place) = &options.endgames {
            endgames::boards(place)?;
        }
        let mut models: Vec<Model> = Vec::new();
        for path in &options.models {
            let engine = Engine::open_for_analysis(&EngineOptions {
                model: Some(path.clone()),
                budget: options.ply.map(SearchBudget::ply),
                table_bytes: Some(limits.table_bytes),
                ..EngineOptions::default()
            })?;
            let engine = with_tables(engine, options.endgames.as_deref())?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let taken = models.iter().any(|model| model.id == name) || name == HEURISTIC;
            let id = if taken { format!("{name}-{}", models.len() + 1) } else { name };
            let own = GameSpec::new(engine.game.spec.family, engine.game.spec.shape);
            models.push(Model { id, path: path.clone(), own, engine: Arc::new(engine) });
        }
        Ok(Self {
            models,
            runs: options.runs.clone(),
            ply: options.ply,
            table_bytes: limits.table_bytes,
            endgames: options.endgames.clone(),
            most: limits.engines.max(1),
            ready: Mutex::default(),
        })
    }

    pub(crate) fn about(&self) -> String {
        let models = self.models.iter().map(|model| format!("{} plays {}", model.id, model.own.name()));
        let all: Vec<String> = models.chain(["the built-in player judges all other games".into()]).collect();
        all.join("; ")
    }

    /// The models and players that clients may ask for.
    pub(crate) fn list(&self) -> Vec<wire::Model> {
        let models = self.models.iter().map(|model| wire::Model {
            id: model.id.clone(),
            kind: "model",
            game: Some(model.own.name()),
            ply: model.engine.budget.ply,
            searches: model.engine.searches(),
        });
        let built_in = wire::Model {
            id: HEURISTIC.into(),
            kind: HEURISTIC,
            game: None,
            ply: self.ply.unwrap_or(2),
            searches: true,
        };
        models.chain([built_in]).collect()
    }

    /// The engine of a game: the one asked for, or the first that plays it, with its id.
    ///
    /// May load a model: call it off the runtime.
    pub(crate) fn get(
        &self,
        game: &ConfiguredGame,
        model: Option<&str>,
    ) -> Result<(Arc<Engine>, String), Problem> {
        if let Some(run) = model.and_then(|id| id.strip_prefix(wire::RUN)) {
            return self.of_run(game, run);
        }
        let spec = &game.spec;
        let chosen = match model {
            Some(HEURISTIC) => None,
            Some(id) => {
                let found = self.models.iter().find(|model| model.id == id).ok_or_else(|| {
                    let id: String = id.chars().take(40).collect();
                    Problem::wrong(format!(
                        "there is no model '{}'; /api/v1/models lists them",
                        id.escape_debug()
                    ))
                })?;
                if !compat::is_compatible(&found.own, spec) {
                    let message = format!("the model {id} plays {}, not {}", found.own.name(), spec.name());
                    return Err(Problem::wrong(message));
                }
                Some(found)
            }
            None => self.models.iter().find(|model| compat::is_compatible(&model.own, spec)),
        };
        let plain = game.variant == Variant::default();
        if let Some(found) = chosen.filter(|found| found.own == *spec && plain) {
            return Ok((Arc::clone(&found.engine), found.id.clone()));
        }
        let who = chosen.map_or(model.unwrap_or(""), |found| &found.id);
        let key = format!("{}|{:?}|{who}", spec.name(), game.variant);
        let made = self.slot(&key).get_or_init(|| self.make(game, chosen, model)).clone();
        let engine = made.map_err(Problem::wrong)?;
        let id = chosen.map_or_else(|| engine.player.name().to_string(), |found| found.id.clone());
        Ok((engine, id))
    }

    /// The engine of the model that a run ended with. One that ended again since is loaded again.
    fn of_run(&self, game: &ConfiguredGame, run: &str) -> Result<(Arc<Engine>, String), Problem> {
        let path = run_path::directory(&self.runs, run)
            .ok()
            .and_then(|directory| run_path::model(&directory))
            .ok_or_else(|| Problem::wrong("that run has no model; /api/v1/runs/RUN names those that have"))?;
        let id = format!("{}{run}", wire::RUN);
        let changed = path.metadata().and_then(|meta| meta.modified()).ok();
        let key = format!("{}|{:?}|{id}|{changed:?}", game.spec.name(), game.variant);
        let made = self.slot(&key).get_or_init(|| self.engine(game, None, Some(path))).clone();
        Ok((made.map_err(Problem::wrong)?, id))
    }

    /// The slot of an engine; the least recently used one makes room.
    fn slot(&self, key: &str) -> Slot {
        let mut ready = self.ready.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let slot = match ready.iter().position(|(known, _)| known == key) {
            Some(at) => ready.remove(at).1,
            None => {
                if ready.len() >= self.most {
                    ready.remove(0);
                }
                Slot::default()
            }
        };
        ready.push((key.to_string(), Arc::clone(&slot)));
        slot
    }

    fn make(
        &self,
        game: &ConfiguredGame,
        chosen: Option<&Model>,
        asked: Option<&str>,
    ) -> Result<Arc<Engine>, String> {
        // Where nothing is asked for, a built-in model if there is one.
        let heuristic = chosen.is_none() && asked.is_some();
        let player = heuristic.then_some(PlayerName::Heuristic);
        self.engine(game, player, chosen.map(|found| found.path.clone()))
    }

    fn engine(
        &self,
        game: &ConfiguredGame,
        player: Option<PlayerName>,
        model: Option<PathBuf>,
    ) -> Result<Arc<Engine>, String> {
        let engine = Engine::open_for_analysis(&EngineOptions {
            player,
            game: Some(game.clone()),
            model,
            budget: self.ply.map(SearchBudget::ply),
            table_bytes: Some(self.table_bytes),
            ..EngineOptions::default()
        });
        let engine = engine.and_then(|engine| with_tables(engine, self.endgames.as_deref()));
        engine.map(Arc::new).map_err(|error| error.to_string())
    }
}

/// The engine with the endgame tables of its game, where some fit it.
fn with_tables(engine: Engine, place: Option<&Path>) -> Result<Engine, EngineError> {
    match place.map(|place| endgames::shared(place, &engine.game.rules)) {
        None | Some(Err(EndgamesError::Game | EndgamesError::Nothing { .. })) => Ok(engine),
        Some(tables) => Ok(engine.with_endgames(tables?)),
    }
}
