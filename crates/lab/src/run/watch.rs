//! Follows a run from game to game: the clock, the windows, and when the threads must pause.

use super::checkpoint::RunState;
use super::log::tile_rates;
use super::window::Window;
use afterstate::evaluate::Summary;
use afterstate::train::{Played, Progress, TrainObserver};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Games per window of the log.
pub(super) const WINDOWS: [u64; 2] = [1_000, 100_000];

/// Status of a run.
#[derive(Clone, Debug)]
pub struct Status {
    /// Phase of the run, if it has several stages.
    pub doing: Option<String>,
    /// Games so far, and in all; of this stage, or of this collection.
    pub games: [u64; 2],
    /// Moves so far.
    pub moves: u64,
    /// Seconds of playing and learning so far.
    pub seconds: f64,
    /// Moves per second of this process.
    pub moves_per_second: f64,
    /// Estimated seconds to the end.
    pub seconds_left: f64,
    /// The averages of the windows of 1,000 games so far.
    pub curve: Vec<f64>,
    /// The latest games.
    pub recent: Window,
    /// Shares of recent games that reached each tile.
    pub tiles: Vec<(u64, f64)>,
    /// Its place in a set of runs, if it is part of one.
    pub set: Option<Place>,
}

/// Progress of a set of runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The name of the run being trained.
    pub name: String,
    /// Number of the run, from 1 on.
    pub number: usize,
    /// Of how many.
    pub of: usize,
    /// Estimated seconds to the end of all.
    pub seconds_left: f64,
}

/// Follows a run: shows it, and may stop it.
pub trait Reporter: Sync {
    /// About ten times a second.
    fn status(&self, status: &Status) {
        let _ = status;
    }
    /// Games were played without learning, looking that many moves ahead, after so many training
    /// games.
    fn evaluated(&self, ply: u8, games: u64, summary: &Summary) {
        let _ = (ply, games, summary);
    }
    /// Something worth a line.
    fn note(&self, text: &str) {
        let _ = text;
    }
    /// A resumed run had nothing left to do.
    fn already_finished(&self, games: u64) {
        self.note(&format!("this run is finished, all {games} games were played"));
    }
    /// True to save and stop.
    fn stop(&self) -> bool {
        false
    }
}

/// Hears of every game, on any thread.
pub(super) struct RunObserver<'a> {
    pub(super) reporter: &'a dyn Reporter,
    pub(super) label: Box<dyn Fn(u8) -> u64 + Sync + 'a>,
    /// Seconds of playing and learning of earlier processes.
    seconds_before: f64,
    /// The longest time between checkpoints.
    interval: Duration,
    /// The longest playing time of this process.
    deadline: Option<Duration>,
    clock: Mutex<Clock>,
}

/// Phase of the run, as far as it matters from game to game.
#[derive(Clone, Default)]
pub(super) struct Doing {
    /// For people.
    pub(super) text: Option<String>,
    /// Games before it, and the most it lasts.
    pub(super) games: [u64; 2],
    /// True if games are played to collect boards, rather than learned from.
    pub(super) collecting: bool,
    /// Games of each window that compare with another stage's.
    pub(super) comparable: [u64; 2],
}

/// State that changes from game to game.
pub(super) struct Clock {
    doing: Doing,
    /// The windows being filled.
    pub(super) windows: [Window; 2],
    /// The last full window of 1,000 games.
    pub(super) last: Window,
    /// The averages of the windows of 1,000 games.
    pub(super) curve: Vec<f64>,
    recent: Window,
    games: u64,
    moves: u64,
    games_before: u64,
    moves_before: u64,
    /// Playing time of this process before the current round.
    played: Duration,
    /// When the current round began and after how many games; nothing while no games are played.
    round: Option<(Instant, u64)>,
    saved: Instant,
    shown: Instant,
}

impl Clock {
    fn elapsed(&self) -> Duration {
        self.played + self.round.map_or(Duration::ZERO, |(began, _)| began.elapsed())
    }

    /// A full window, and an empty one in its place.
    pub(super) fn close(&mut self, window: usize) -> Window {
        std::mem::replace(&mut self.windows[window], Window::comparing(self.doing.comparable[window]))
    }

    /// The average of the last full window and what came after it: the last 1,000 to 1,999 games.
    pub(super) fn mean(&self) -> f64 {
        let [partial, _] = &self.windows;
        (self.last.score + partial.score) as f64 / (self.last.games + partial.games).max(1) as f64
    }
}

impl<'a> RunObserver<'a> {
    pub(super) fn new(
        reporter: &'a dyn Reporter,
        label: impl Fn(u8) -> u64 + Sync + 'a,
        interval: f64,
        progress: &Progress,
        state: Option<&RunState>,
    ) -> Self {
        let now = Instant::now();
        let windows: [Window; 2] = state.map_or_else(Default::default, |s| s.windows.clone());
        let clock = Clock {
            doing: Doing::default(),
            recent: windows[0].clone(),
            windows,
            last: state.map_or_else(Window::default, |s| s.last.clone()),
            curve: Vec::new(),
            games: progress.games,
            moves: progress.moves,
            games_before: progress.games,
            moves_before: progress.moves,
            played: Duration::ZERO,
            round: None,
            saved: now,
            shown: now,
        };
        Self {
            reporter,
            label: Box::new(label),
            seconds_before: state.map_or(0.0, |s| s.seconds),
            interval: Duration::try_from_secs_f64(interval).unwrap_or(Duration::MAX),
            deadline: None,
            clock: Mutex::new(clock),
        }
    }

    /// From now on the run does this; `fresh` if it begins with it, rather than going on.
    pub(super) fn enter(&self, doing: Doing, fresh: bool) {
        let mut clock = self.lock();
        if fresh && !doing.collecting {
            clock.windows = doing.comparable.map(Window::comparing);
            clock.last = Window::default();
            clock.recent = Window::default();
        }
        clock.doing = doing;
    }

    /// Limits the playing time of this process.
    pub(super) fn limit(&mut self, time: Option<Duration>) {
        self.deadline = time;
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Games are played from now on.
    pub(super) fn begin_round(&self) {
        let mut clock = self.lock();
        clock.round = Some((Instant::now(), clock.games));
    }

    /// No games are played until the next round: evaluating and saving is not playing time.
    pub(super) fn end_round(&self) {
        let mut clock = self.lock();
        clock.played = clock.elapsed();
        clock.round = None;
    }

    /// Seconds of playing and learning of all processes.
    pub(super) fn seconds(&self) -> f64 {
        self.seconds_before + self.lock().elapsed().as_secs_f64()
    }

    /// True if the reporter or the time limit wants the run to stop.
    pub(super) fn must_stop(&self) -> bool {
        self.reporter.stop() || self.deadline.is_some_and(|deadline| self.lock().elapsed() >= deadline)
    }

    /// True if it is time for a checkpoint.
    pub(super) fn must_save(&self) -> bool {
        self.lock().saved.elapsed() >= self.interval
    }

    /// A checkpoint was written.
    pub(super) fn saved(&self) {
        self.lock().saved = Instant::now();
    }

    fn status(&self, clock: &Clock) -> Status {
        let elapsed = clock.elapsed().as_secs_f64().max(1e-9);
        let games = clock.games - clock.games_before;
        let rate = games as f64 / elapsed;
        let [began, most] = clock.doing.games;
        let done = clock.games - began;
        let by_games = most.saturating_sub(done) as f64 / rate.max(1e-9);
        let by_time = self.deadline.map_or(f64::INFINITY, |d| d.as_secs_f64() - elapsed);
        Status {
            doing: clock.doing.text.clone(),
            games: [done, most],
            moves: clock.moves,
            seconds: self.seconds_before + elapsed,
            moves_per_second: (clock.moves - clock.moves_before) as f64 / elapsed,
            seconds_left: by_games.min(by_time).max(0.0),
            curve: clock.curve.clone(),
            recent: clock.recent.clone(),
            tiles: tile_rates(&clock.recent, &self.label),
            set: None,
        }
    }
}

impl TrainObserver for RunObserver<'_> {
    fn game(&self, played: &Played) {
        let mut clock = self.lock();
        if !clock.doing.collecting {
            clock.windows.iter_mut().for_each(|window| window.add(played));
            if clock.recent.games >= WINDOWS[0] {
                clock.recent = Window::default();
            }
            clock.recent.add(played);
        }
        clock.games += 1;
        clock.moves += played.moves + played.extra_moves;
        if clock.shown.elapsed() > Duration::from_millis(100) {
            clock.shown = Instant::now();
            let status = self.status(&clock);
            drop(clock);
            self.reporter.status(&status);
        }
    }

    /// A round ends early for a checkpoint too, but not before it has played a game.
    fn stop(&self) -> bool {
        let clock = self.lock();
        let progressed = clock.round.is_some_and(|(_, games)| clock.games > games);
        drop(clock);
        self.must_stop() || (progressed && self.must_save())
    }
}
