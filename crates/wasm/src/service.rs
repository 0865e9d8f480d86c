//! Requests by name, and their answers: JSON in, JSON out.
//!
//! ```
//! use afterstate_wasm::service::Service;
//! let mut service = Service::default();
//! let answer = service.answer("position", br#"{"position": "1000/0000/0000/0001"}"#).unwrap();
//! assert!(String::from_utf8(answer).unwrap().contains(r#""over":false"#));
//! assert_eq!(service.answer("position", b"{}").unwrap_err().status, 422);
//! ```

use afterstate_lab::api::{self, Analyze, Bounds, Chosen, JudgedLines, Line, Model, Play, Record, Refusal};
use afterstate_lab::engine::{Engine, EngineError, EngineOptions, LoadedModel, PlayerName};
use afterstate_lab::variant::ConfiguredGame;
use afterstate_lab::{compat, host};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// The name of the player who needs no model.
const HEURISTIC: &str = "heuristic";
/// Bytes of the table of searches: a phone has little memory.
const TABLE_BYTES: usize = 16 << 20;
/// Engines that are kept, those of other games and variants.
const ENGINES: usize = 2;
/// The longest the judgement of a game holds up other requests.
const PATIENCE: Duration = Duration::from_millis(100);

/// A request that is not answered, with a status as the server would send it.
#[derive(Debug)]
pub struct Problem {
    /// 400, 404 or 422.
    pub status: u16,
    /// The reason, and what to do about it.
    pub message: String,
}

impl Problem {
    fn wrong(message: impl ToString) -> Self {
        Self { status: 422, message: message.to_string() }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let status = if matches!(refusal, Refusal::NotJson(_)) { 400 } else { 422 };
        Self { status, message: refusal.to_string() }
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        Self::wrong(error)
    }
}

/// A model that was given, and the name under which it is asked for.
struct Given {
    id: String,
    /// Bytes of its file.
    bytes: u64,
    loaded: LoadedModel,
}

/// A game that is judged line by line.
struct Judging {
    number: u64,
    lines: JudgedLines<'static>,
}

/// The engines of a page, and what it asks them.
#[derive(Default)]
pub struct Service {
    models: Vec<Given>,
    /// The most recently used last.
    engines: Vec<(String, Arc<Engine>)>,
    judging: Option<Judging>,
    judged: u64,
}

/// Answer to `models`.
#[derive(Serialize)]
struct Models {
    models: Vec<Model>,
}

/// Number of a game that is being judged.
#[derive(Serialize, Deserialize)]
struct Ticket {
    number: u64,
}

/// Some lines of the judgement of a game.
#[derive(Serialize)]
struct Lines {
    lines: Vec<Line>,
    /// True if more follow.
    more: bool,
}

fn json(answer: &impl Serialize) -> Result<Vec<u8>, Problem> {
    serde_json::to_vec(answer).map_err(Problem::wrong)
}

impl Service {
    /// Reads a model, to be asked for by this name.
    pub fn add_model(&mut self, id: &str, bytes: &[u8]) -> Result<(), Problem> {
        let loaded = LoadedModel::read(bytes)?;
        self.engines.clear();
        self.models.retain(|known| known.id != id);
        self.models.push(Given { id: id.into(), bytes: bytes.len() as u64, loaded });
        Ok(())
    }

    /// Answers a request: the addresses below the server's `/api/v1/`, with the same bodies.
    ///
    /// `replay/analyze` answers a number, and `replay/lines` with that number some lines of the
    /// judgement at a time.
    pub fn answer(&mut self, path: &str, body: &[u8]) -> Result<Vec<u8>, Problem> {
        let bounds = &bounds();
        match path {
            "models" => json(&Models { models: self.list() }),
            "game" => json(&api::new_game(&api::parse(body)?)?),
            "position" => json(&api::look(&api::parse(body)?)?),
            "move" => json(&api::slide(&api::parse(body)?)?),
            "outcomes" => json(&api::outcomes(&api::parse(body)?)?),
            "analyze" => {
                let asked: Analyze = api::parse(body)?;
                let game = asked.checked()?;
                let (engine, id) = self.engine(&game, asked.model.as_deref())?;
                let chosen = Chosen { engine: &engine, id: &id };
                json(&api::judge_position(&asked, &game, chosen, bounds, None)?)
            }
            "play" => {
                let asked: Play = api::parse(body)?;
                let game = asked.checked(bounds)?;
                let (engine, id) = self.engine(&game, asked.model.as_deref())?;
                let chosen = Chosen { engine: &engine, id: &id };
                json(&api::play(&asked, &game, chosen, bounds, None)?)
            }
            "replay/read" => {
                let asked: api::ReadReplay = api::parse(body)?;
                json(&api::read_replay(&asked.found()?, bounds)?)
            }
            "replay/write" => {
                let asked: Record = api::parse(body)?;
                json(&api::write_replay(&asked, &asked.game()?, bounds)?)
            }
            "replay/analyze" => {
                let asked: Record = api::parse(body)?;
                let game = asked.game()?;
                let (engine, id) = self.engine(&game, asked.effort.model.as_deref())?;
                let lines = api::judge_game(&asked, &game, engine, id, bounds, None)?;
                self.judged += 1;
                self.judging = Some(Judging { number: self.judged, lines });
                json(&Ticket { number: self.judged })
            }
            "replay/lines" => json(&self.lines(&api::parse(body)?)?),
            _ => Err(Problem { status: 404, message: format!("there is no request '{path}'") }),
        }
    }

    /// The next lines of the game that is judged.
    fn lines(&mut self, asked: &Ticket) -> Result<Lines, Problem> {
        let judging = self.judging.as_mut().filter(|judging| judging.number == asked.number);
        let judging = judging.ok_or_else(|| Problem::wrong("another game is judged by now"))?;
        let end = host::now() + PATIENCE;
        let mut lines = Vec::new();
        while host::now() < end {
            match judging.lines.next() {
                Some(line) => lines.push(line),
                None => {
                    self.judging = None;
                    return Ok(Lines { lines, more: false });
                }
            }
        }
        Ok(Lines { lines, more: true })
    }

    /// The models and players that can be asked for.
    fn list(&self) -> Vec<Model> {
        let ply = |given: &Given| given.loaded.engine(&options(None)).map_or(1, |engine| engine.budget.ply);
        let models = self.models.iter().map(|given| Model {
            id: given.id.clone(),
            kind: "model",
            game: Some(given.loaded.own().name()),
            ply: ply(given),
            searches: ply(given) > 1,
            bytes: Some(given.bytes),
            loaded: true,
            memory: Some(given.loaded.memory()),
        });
        let kind = HEURISTIC;
        let heuristic = Model {
            id: kind.into(),
            kind,
            game: None,
            ply: 3,
            searches: true,
            bytes: None,
            loaded: true,
            memory: None,
        };
        models.chain([heuristic]).collect()
    }

    /// The engine of a game, with the name of its player: the one asked for, else of the first
    /// model that plays it, else the heuristic player.
    fn engine(
        &mut self,
        game: &ConfiguredGame,
        model: Option<&str>,
    ) -> Result<(Arc<Engine>, String), Problem> {
        let plays = |given: &&Given| compat::is_compatible(given.loaded.own(), &game.spec);
        let given = match model {
            Some(HEURISTIC) => None,
            Some(id) => {
                let unknown = || Problem::wrong(format!("there is no model '{id}'; 'models' lists them"));
                let found = self.models.iter().find(|given| given.id == id).ok_or_else(unknown)?;
                let own = found.loaded.own().name();
                let other =
                    || Problem::wrong(format!("the model {id} plays {own}, not {}", game.spec.name()));
                Some(Some(found).filter(plays).ok_or_else(other)?)
            }
            None => self.models.iter().find(plays),
        };
        let id = given.map_or(HEURISTIC, |given| &given.id);
        let key = format!("{}|{:?}|{id}", game.spec.name(), game.variant);
        if let Some(known) = self.engines.iter().position(|(known, _)| *known == key) {
            let known = self.engines.remove(known);
            self.engines.push(known);
        } else {
            let asked = options(Some(game.clone()));
            let heuristic = || EngineOptions { player: Some(PlayerName::Heuristic), ..asked.clone() };
            // The least recently used goes first, so that there is room for its successor's table.
            self.engines.drain(..(self.engines.len() + 1).saturating_sub(ENGINES));
            let engine = match given {
                Some(given) => given.loaded.engine(&asked)?,
                None => Engine::open_for_analysis(&heuristic())?,
            };
            self.engines.push((key, Arc::new(engine)));
        }
        let (_, engine) = self.engines.last().expect("just put there");
        Ok((Arc::clone(engine), id.into()))
    }
}

/// Limits of requests: one page, whose user can wait as long as they like, but not for the answer
/// to something else.
fn bounds() -> Bounds {
    Bounds {
        batch_time: Duration::from_millis(200),
        game_time: Duration::from_secs(24 * 3600),
        ..Bounds::default()
    }
}

fn options(game: Option<ConfiguredGame>) -> EngineOptions {
    EngineOptions { game, table_bytes: Some(TABLE_BYTES), ..EngineOptions::default() }
}
