//! Seconds per move of the published expectimax search, by depth.

use super::ReproduceError;
use super::play::configured;
use super::reporter::{TargetReporter, Task};
use super::target::Times;
use afterstate::game::Game;
use afterstate::player::{Player, SearchPlayer};
use afterstate::random::Random;
use afterstate::search::heuristic::MayerHirshfeld;
use afterstate::search::{Limits, Workspace};
use afterstate::with_game;
use afterstate_lab::engine::{Engine, PlayerName, SearchBudget, Tuning};
use afterstate_lab::run::files::{at, write_whole};
use afterstate_report::{Point, Series};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// Length of a measurement, in time and moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub(super) time: Duration,
    pub(super) moves: u64,
    pub(super) deepest: u8,
}

/// Measures all curves; `None` if it was asked to stop. What was measured is kept in a file.
pub(super) fn times(
    times: &Times,
    effort: Effort,
    file: &Path,
    reporter: &dyn TargetReporter,
) -> Result<Option<Vec<Series>>, ReproduceError> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut found: Vec<(String, u8, f64)> = serde_json::from_str(&text).unwrap_or_default();
    let depths = || 1..=times.deepest.min(effort.deepest);
    let total = times.lines.len() as u64 * u64::from(times.deepest.min(effort.deepest));
    if (found.len() as u64) < total {
        reporter.begin(&Task::Time { what: &times.caption });
        if let Some(place) = file.parent() {
            fs::create_dir_all(place).map_err(at("cannot create", place))?;
        }
    }
    for (name, game, cut_off) in &times.lines {
        for depth in depths() {
            if found.iter().any(|(line, at, _)| line == name && *at == depth) {
                continue;
            }
            if reporter.stop() {
                return Ok(None);
            }
            let searcher = searcher(game, Some(depth), Some(*cut_off))?;
            let seconds = with_game!(&searcher.game.rules, game => seconds_per_move(game, &searcher, effort));
            found.push((name.clone(), depth, seconds));
            let text = serde_json::to_string(&found).expect("plain data");
            write_whole(file, |out| out.write_all(text.as_bytes()))?;
            reporter.played(found.len() as u64, total);
        }
    }
    let series = |(name, ..): &(String, &str, f32)| {
        let mut points: Vec<Point> = found
            .iter()
            .filter(|(line, ..)| line == name)
            .map(|&(_, depth, seconds)| Point { x: f64::from(depth), y: seconds, band: None })
            .collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Series { name: name.clone(), points, reference: false }
    };
    Ok(Some(times.lines.iter().map(series).collect()))
}

/// The published search, with another depth and cut-off if asked.
pub(super) fn searcher(
    game: &str,
    depth: Option<u8>,
    cut_off: Option<f32>,
) -> Result<Engine, ReproduceError> {
    let budget = depth.map(SearchBudget::ply);
    let searcher = Engine::of_player(PlayerName::MayerHirshfeld, configured(game)?, budget)?;
    Ok(searcher.tuned(Tuning { cut_off, ..Tuning::default() })?)
}

/// The time of moves on positions of the same game for all depths: those a shallow search leads to.
pub(super) fn seconds_per_move<G: Game>(game: &G, searcher: &Engine, effort: Effort) -> f64 {
    let leaf = MayerHirshfeld::new(game.shape());
    let mut guide = SearchPlayer::new(&leaf, Limits::ply(1));
    let mut work = Workspace::default();
    let mut random = Random::new(1);
    let mut state = game.start(&mut random);
    let (mut moves, mut spent) = (0, Duration::ZERO);
    while moves == 0 || (spent < effort.time && moves < effort.moves) {
        // Every tenth position is searched, the others lead there.
        for _ in 0..10 {
            state = match guide.choose(game, &state) {
                Some(choice) => game.spawn(&choice.slide.afterstate, &mut random).state,
                None => game.start(&mut random),
            };
        }
        if game.is_over(&state) {
            state = game.start(&mut random);
        }
        let began = Instant::now();
        let _ = searcher.values(game, &state, 0, &mut work);
        spent += began.elapsed();
        moves += 1;
    }
    spent.as_secs_f64() / moves as f64
}
