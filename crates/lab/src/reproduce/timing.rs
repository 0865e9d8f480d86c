//! Seconds per move of the published expectimax search, by depth.

use super::ReproduceError;
use super::carry::{Guide, Task};
use super::target::Times;
use crate::agent::{Agent, AgentError, PlayerName, Tuning};
use crate::mind::{self, MindError};
use crate::recipe::Variant;
use crate::report::{Point, Series};
use crate::run::files::{at, write_whole};
use afterstate::game::Game;
use afterstate::grid::Shape;
use afterstate::lookahead::SearchPlayer;
use afterstate::network::Network;
use afterstate::player::Player;
use afterstate::random::Random;
use afterstate::search::heuristic::MayerHirshfeld;
use afterstate::search::{Limits, Workspace};
use afterstate::with_game;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long is measured, and how many moves.
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
    guide: &dyn Guide,
) -> Result<Option<Vec<Series>>, ReproduceError> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut found: Vec<(String, u8, f64)> = serde_json::from_str(&text).unwrap_or_default();
    let depths = || 1..=times.deepest.min(effort.deepest);
    let total = times.lines.len() as u64 * u64::from(times.deepest.min(effort.deepest));
    if (found.len() as u64) < total {
        guide.begin(&Task::Time { what: &times.caption });
        if let Some(place) = file.parent() {
            fs::create_dir_all(place).map_err(at("cannot create", place))?;
        }
    }
    for (name, game, cut_off) in &times.lines {
        let game = mind::game(game, &Variant::default())?;
        for depth in depths() {
            if found.iter().any(|(line, at, _)| line == name && *at == depth) {
                continue;
            }
            if guide.stop() {
                return Ok(None);
            }
            let searcher = searcher(game.shape(), depth, Some(*cut_off))?;
            let seconds = with_game!(&game, game => seconds_per_move(game, &searcher, effort));
            found.push((name.clone(), depth, seconds));
            let text = serde_json::to_string(&found).expect("plain data");
            write_whole(file, |out| out.write_all(text.as_bytes()))?;
            guide.played(found.len() as u64, total);
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

/// The published search, so deep and cut off there.
pub(super) fn searcher(shape: Shape, depth: u8, cut_off: Option<f32>) -> Result<Searcher, ReproduceError> {
    let wish = |what: AgentError| ReproduceError::Mind(MindError::Wish(what.to_string()));
    let searcher = Agent::named(PlayerName::MayerHirshfeld, shape, Some(depth), None).map_err(wish)?;
    searcher.tuned(Tuning { cut_off, ..Tuning::default() }).map_err(wish)
}

/// Nobody's network: the search judges by hand.
pub(super) type Searcher = Agent<Box<Network>>;

/// The time of moves on positions of the same game for all depths: those a shallow search leads to.
pub(super) fn seconds_per_move<G: Game>(game: &G, searcher: &Searcher, effort: Effort) -> f64 {
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
