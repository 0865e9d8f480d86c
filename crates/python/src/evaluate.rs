//! Evaluations: many games in parallel, whole or in parts.

use crate::agent::PyAgent;
use crate::any::Known;
use crate::convert::wrong;
use crate::watched::watched;
use afterstate::episode::Record;
use afterstate::evaluate::{self as library, GameObserver, Plan, Played, Summary};
use afterstate::game::Game;
use afterstate::statistics::Distribution;
use afterstate::with_game;
use afterstate_lab::game_times::GameTimes;
use afterstate_lab::results::{Circumstances, Evaluation};
use afterstate_lab::shard::{self, Setting, Shard, ShardIndex};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// Plays games and returns the report and the shard as JSON texts; `afterstate.evaluate` makes an
/// object of them.
#[pyfunction]
#[pyo3(signature = (agent, games, seed, threads, part))]
pub(crate) fn evaluate(
    py: Python<'_>,
    agent: &Bound<'_, PyAgent>,
    games: u64,
    seed: u64,
    threads: usize,
    part: (u64, u64),
) -> PyResult<(String, String)> {
    let part: ShardIndex = format!("{}/{}", part.0, part.1).parse().map_err(|e: String| wrong(e))?;
    if games == 0 || part.range(games).is_empty() {
        return Err(wrong(format!("{games} games cannot be cut into {} parts", part.of)));
    }
    let agent = agent.get();
    let order = Request { games, seed, threads: threads.clamp(1, 1024), part };
    with_game!(agent.game.rules(), game => run(py, game, agent, &order))
}

/// Joins the shards of an evaluation, given as JSON texts, into the report of the whole.
#[pyfunction]
pub(crate) fn merge(shards: Vec<String>) -> PyResult<String> {
    let named = shards.iter().enumerate().map(|(i, text)| {
        let name = format!("shard {}", i + 1);
        Shard::parse(&name, text).map(|shard| (name, shard))
    });
    let shards = named.collect::<Result<Vec<_>, _>>().map_err(wrong)?;
    let report = shard::merged_report(&shards).map_err(wrong)?;
    serde_json::to_string(&report).map_err(wrong)
}

struct EvaluationObserver<'a> {
    stop: &'a AtomicBool,
    times: GameTimes,
}

impl<G: Game> GameObserver<G> for EvaluationObserver<'_> {
    fn begins(&self, _: u64) {
        self.times.begin();
    }

    fn ended(&self, played: &Played, _: Option<Record<G::State>>) {
        self.times.end(played.index);
    }

    fn stop(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

/// Games to be played.
struct Request {
    /// Those of all parts.
    games: u64,
    seed: u64,
    threads: usize,
    part: ShardIndex,
}

fn run<G: Known>(py: Python<'_>, game: &G, agent: &PyAgent, order: &Request) -> PyResult<(String, String)> {
    let &Request { games, seed, threads, part } = order;
    let plan = Plan { games: part.range(games), threads, ..Plan::new(games, seed) };
    let engine = agent.evaluating()?;
    let began = Instant::now();
    let (played, nanoseconds) = watched(
        py,
        |stop| {
            let watch = EvaluationObserver { stop, times: GameTimes::default() };
            let played = library::evaluate(game, || engine.player::<G>(0), &plan, &watch);
            (played, watch.times.in_order())
        },
        |_| Ok(true),
    )?;
    let seconds = began.elapsed().as_secs_f64();
    let model = agent.model().map(String::from);
    let nothing = || wrong("no game was played");
    let about = Circumstances {
        game: game.id(),
        variant: agent.game.configured().variant.clone(),
        player: agent.player().into(),
        model: model.clone(),
        ply: engine.ply(),
        time_per_move: None,
        seed,
        seconds,
        nanoseconds_per_game: Distribution::of(&nanoseconds).ok_or_else(nothing)?,
        interrupted: false,
        goal: None,
    };
    let summary = Summary::of(game, &played).ok_or_else(nothing)?;
    let setting = Setting {
        game: game.id(),
        variant: agent.game.configured().variant.clone(),
        player: agent.player().into(),
        fingerprint: engine.fingerprint(),
        ply: engine.ply(),
        time_per_move: None,
        seed,
        games,
    };
    let shard = Shard::new(part, setting, model, &played, &nanoseconds, seconds);
    let report = serde_json::to_string(&Evaluation::of(&summary, &about)).map_err(wrong)?;
    Ok((report, serde_json::to_string(&shard).map_err(wrong)?))
}
