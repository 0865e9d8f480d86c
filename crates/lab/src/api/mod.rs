//! Requests and answers as JSON, without a wire: rules, moves of a player, judgements, recorded
//! games.
//!
//! The server and the browser's engine bring requests here, and answer what they get. They find the
//! engine that is asked for; nothing here waits, opens files or keeps anything between requests.

mod analyze;
mod play;
mod record;
mod refusal;
mod rules;
mod wire;

pub use analyze::{JudgedLines, judge_game, judge_position};
pub use play::play;
pub use record::{Found, read_replay, write_replay};
pub use refusal::Refusal;
pub use rules::{look, new_game, outcomes, slide};
pub use wire::{
    Analysis, Analyze, Effort, JudgedGame, JudgedMove, Line, Look, Model, Move, Moved, NewGame, Outcomes,
    Play, Position, ReadReplay, Record, RepeatedAnalysis, Track, Written,
};

use crate::engine::{Engine, SearchBudget};
use crate::host;
use crate::variant::{ConfiguredGame, Variant};
use afterstate::game::{Game, notation};
use afterstate::grid::Direction;
use afterstate::random::Random;
use afterstate::search::MAX_PLY;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// Limits on what one request can cost.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The longest any one search may take.
    pub search_time: Duration,
    /// The longest a whole game may be analysed.
    pub game_time: Duration,
    /// The longest one batch of moves may be played.
    pub batch_time: Duration,
    /// The most moves of one batch.
    pub batch_moves: u64,
    /// The most moves of a replay.
    pub replay_moves: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            search_time: Duration::from_secs(10),
            game_time: Duration::from_secs(120),
            batch_time: Duration::from_millis(400),
            batch_moves: 1000,
            replay_moves: 50_000,
        }
    }
}

/// An engine, and the name under which clients know it.
#[derive(Clone, Copy)]
pub struct Chosen<'a> {
    /// The engine of the game asked for.
    pub engine: &'a Engine,
    /// Its name.
    pub id: &'a str,
}

impl Chosen<'_> {
    /// The rules the model learned, where they are not those of the game.
    fn warning(&self) -> Option<String> {
        self.engine.other_rules.as_ref().map(ToString::to_string)
    }
}

/// A request in JSON.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(bytes).map_err(|error| match error.is_data() {
        true => Refusal::Shape(error),
        false => Refusal::NotJson(error),
    })
}

/// A game by name, with its options.
pub fn game(name: &str, variant: &Variant) -> Result<ConfiguredGame, Refusal> {
    ConfiguredGame::parse(name, variant.clone()).map_err(Refusal::wrong)
}

/// The longest position that is looked at.
const LONGEST_POSITION: usize = 4096;

/// A position of a game.
pub fn position<G: Game>(game: &G, text: &str) -> Result<G::State, Refusal> {
    if text.len() > LONGEST_POSITION {
        return Err(Refusal::wrong(format!("the position is longer than {LONGEST_POSITION} bytes")));
    }
    notation::read(game, text).map_err(|error| Refusal::wrong(format!("the position: {error}")))
}

/// A move by its name.
pub fn direction(name: &str) -> Result<Direction, Refusal> {
    Direction::parse(name).ok_or_else(|| Refusal::wrong("the move must be up, right, down or left"))
}

/// A seed nobody can foresee, unless one is asked for.
fn random(seed: Option<u64>) -> Random {
    Random::new(seed.unwrap_or_else(host::seed))
}

/// The budget asked for, within the bounds. A search by ply also has to end in time.
pub fn budget(
    bounds: &Bounds,
    engine: &Engine,
    ply: Option<u64>,
    time_ms: Option<u64>,
) -> Result<SearchBudget<'static>, Refusal> {
    let most = bounds.search_time;
    let ply = match ply {
        Some(ply) => {
            Some(u8::try_from(ply).ok().filter(|ply| (1..=MAX_PLY).contains(ply)).ok_or_else(|| {
                Refusal::wrong(format!("a ply of {ply} is not possible; ask for 1 to {MAX_PLY}"))
            })?)
        }
        None => None,
    };
    let time = match time_ms {
        Some(0) => return Err(Refusal::wrong("time_ms must be at least 1")),
        Some(ms) if Duration::from_millis(ms) > most => {
            let message = format!("time_ms of {ms} is too long; ask for at most {}", most.as_millis());
            return Err(Refusal::wrong(message));
        }
        Some(ms) => Some(Duration::from_millis(ms)),
        None => None,
    };
    if ply.is_some() && time.is_some() {
        return Err(Refusal::wrong("a search has a ply or a time_ms; send one of them"));
    }
    let mut budget = SearchBudget::of(ply, time).unwrap_or(engine.budget);
    budget.time = budget.time.map(|time| time.min(most));
    if budget.ply > 1 && !engine.searches() {
        return Err(Refusal::wrong("this model's values cannot be searched; ask for a ply of 1"));
    }
    if budget.ply > 2 && budget.time.is_none() {
        budget.time = Some(most);
    }
    Ok(budget)
}
