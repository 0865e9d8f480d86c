//! Who judges which game: the models given, then the built-in player.

use crate::options::Options;
use crate::problem::Problem;
use crate::{run_path, wire};
use afterstate::game::catalogue::GameSpec;
use afterstate_lab::fit;
use afterstate_lab::mind::{Mind, MindError, PlayerName, Wish};
use afterstate_lab::recipe::Variant;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

/// The name of the player who needs no model.
const HEURISTIC: &str = "heuristic";

/// A model the server was started with.
struct Model {
    id: String,
    path: PathBuf,
    own: GameSpec,
    mind: Arc<Mind>,
}

/// A mind that is being made by the first who needs it.
type Slot = Arc<OnceLock<Result<Arc<Mind>, String>>>;

/// Everybody who judges.
pub(crate) struct Minds {
    models: Vec<Model>,
    runs: PathBuf,
    ply: Option<u8>,
    table_bytes: usize,
    most: usize,
    /// The most recently used last.
    ready: Mutex<Vec<(String, Slot)>>,
}

impl Minds {
    /// Loads the models, so that a wrong one is known at the start.
    pub(crate) fn open(options: &Options) -> Result<Self, MindError> {
        let limits = &options.limits;
        let mut models: Vec<Model> = Vec::new();
        for path in &options.models {
            let wish = Wish { model: Some(path.clone()), ply: options.ply, ..Wish::default() };
            let mind = Mind::open_judge(&wish)?.with_table(limits.table_bytes);
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let taken = models.iter().any(|model| model.id == name) || name == HEURISTIC;
            let id = if taken { format!("{name}-{}", models.len() + 1) } else { name };
            let own = GameSpec::parse(&mind.game.id()).map_err(|error| MindError::Wish(error.to_string()))?;
            models.push(Model { id, path: path.clone(), own, mind: Arc::new(mind) });
        }
        Ok(Self {
            models,
            runs: options.runs.clone(),
            ply: options.ply,
            table_bytes: limits.table_bytes,
            most: limits.minds.max(1),
            ready: Mutex::default(),
        })
    }

    pub(crate) fn about(&self) -> String {
        let models = self.models.iter().map(|model| format!("{} plays {}", model.id, model.own.name()));
        let all: Vec<String> = models.chain(["the built-in player judges all other games".into()]).collect();
        all.join("; ")
    }

    /// Who is there, for clients.
    pub(crate) fn list(&self) -> Vec<wire::Model> {
        let models = self.models.iter().map(|model| wire::Model {
            id: model.id.clone(),
            kind: "model",
            game: Some(model.own.name()),
            ply: model.mind.depth.ply,
            searches: model.mind.searches(),
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

    /// Whoever judges this game: the one asked for, or the first that can. May load a model: call it off the runtime.
    pub(crate) fn get(
        &self,
        spec: &GameSpec,
        variant: &Variant,
        model: Option<&str>,
    ) -> Result<(Arc<Mind>, String), Problem> {
        if let Some(run) = model.and_then(|id| id.strip_prefix(wire::RUN)) {
            return self.of_run(spec, variant, run);
        }
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
                if !fit::fits(&found.own, spec) {
                    let message = format!("the model {id} plays {}, not {}", found.own.name(), spec.name());
                    return Err(Problem::wrong(message));
                }
                Some(found)
            }
            None => self.models.iter().find(|model| fit::fits(&model.own, spec)),
        };
        let plain = *variant == Variant::default();
        if let Some(found) = chosen.filter(|found| found.own == *spec && plain) {
            return Ok((Arc::clone(&found.mind), found.id.clone()));
        }
        let key =
            format!("{}|{variant:?}|{}", spec.name(), chosen.map_or(model.unwrap_or(""), |found| &found.id));
        let made = self.slot(&key).get_or_init(|| self.make(spec, variant, chosen, model)).clone();
        let mind = made.map_err(Problem::wrong)?;
        let id = chosen.map_or_else(|| mind.player.name().to_string(), |found| found.id.clone());
        Ok((mind, id))
    }

    /// The model that a run ended with. One that ended again since is loaded again.
    fn of_run(&self, spec: &GameSpec, variant: &Variant, run: &str) -> Result<(Arc<Mind>, String), Problem> {
        let path = run_path::directory(&self.runs, run)
            .ok()
            .and_then(|directory| run_path::model(&directory))
            .ok_or_else(|| Problem::wrong("that run has no model; /api/v1/runs/RUN names those that have"))?;
        let id = format!("{}{run}", wire::RUN);
        let changed = path.metadata().and_then(|meta| meta.modified()).ok();
        let key = format!("{}|{variant:?}|{id}|{changed:?}", spec.name());
        let wish = Wish {
            game: Some(spec.name()),
            variant: variant.clone(),
            model: Some(path),
            ply: self.ply,
            ..Wish::default()
        };
        let make = || {
            let mind = Mind::open_judge(&wish);
            mind.map(|mind| Arc::new(mind.with_table(self.table_bytes))).map_err(|error| error.to_string())
        };
        let made = self.slot(&key).get_or_init(make).clone();
        Ok((made.map_err(Problem::wrong)?, id))
    }

    /// The place of a mind; the one used longest ago makes room.
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
        spec: &GameSpec,
        variant: &Variant,
        chosen: Option<&Model>,
        asked: Option<&str>,
    ) -> Result<Arc<Mind>, String> {
        let wish = Wish {
            game: Some(spec.name()),
            variant: variant.clone(),
            model: chosen.map(|found| found.path.clone()),
            ply: self.ply,
            ..Wish::default()
        };
        // Where nothing is asked for, a built-in model if there is one.
        let mind = match (chosen, asked) {
            (None, Some(_)) => Mind::open_judge(&Wish { player: Some(PlayerName::Heuristic), ..wish }),
            _ => Mind::open_judge(&wish),
        };
        mind.map(|mind| Arc::new(mind.with_table(self.table_bytes))).map_err(|error| error.to_string())
    }
}
