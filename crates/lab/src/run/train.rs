//! A training run from start, or from its last checkpoint, to the finished model.

use super::checkpoint::{self, State};
use super::files::{Directory, RunError, at, write_whole};
use super::log::{Line, Log, tile_rates};
use super::saturation::Saturation;
use super::window::Window;
use crate::recipe::{Built, Recipe, Start};
use afterstate::evaluate::{self, Plan, Summary};
use afterstate::game::{Game, notation};
use afterstate::learn::Learner;
use afterstate::learn::start::Begun;
use afterstate::learn::step_size::StepSize;
use afterstate::learn::subject::Subject;
use afterstate::learned::LearnedPlayer;
use afterstate::train::{Observer, Played, Trainer};
use afterstate::with_game;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// When to stop, besides the recipe's number of games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Playing and learning time of this process.
    pub time: Option<Duration>,
}

/// How a run is doing.
#[derive(Clone, Debug)]
pub struct Status {
    /// Games so far, and in all.
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
}

/// Follows a run: shows it, and may stop it.
pub trait Reporter: Sync {
    /// About ten times a second.
    fn status(&self, status: &Status) {
        let _ = status;
    }
    /// Games were played without learning.
    fn evaluated(&self, games: u64, summary: &Summary) {
        let _ = (games, summary);
    }
    /// Something worth a line.
    fn note(&self, text: &str) {
        let _ = text;
    }
    /// Whether to save and stop.
    fn stop(&self) -> bool {
        false
    }
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Games played in all.
    pub games: u64,
    /// Moves made in all.
    pub moves: u64,
    /// Seconds of playing and learning in all.
    pub seconds: f64,
    /// The average score of the last (up to) 1,000 games.
    pub mean: f64,
    /// The finished model; the last checkpoint's weights if the run was stopped early.
    pub model: PathBuf,
    /// Whether all games of the recipe were played.
    pub complete: bool,
}

/// Trains by a recipe in a run directory.
pub fn train(
    recipe: &Recipe,
    place: &Path,
    resume: bool,
    command: &str,
    limits: Limits,
    reporter: &dyn Reporter,
) -> Result<Finished, RunError> {
    let built = recipe.build().map_err(|e| RunError::Unusable(e.to_string()))?;
    let directory = Directory::open(place)?;
    if directory.is_used() && !resume {
        return Err(RunError::Exists(place.into()));
    }
    with_game!(&built.game, game => Session::open(game.clone(), recipe, &built, directory, resume, command, reporter)?
        .run(limits, reporter))
}

/// Games per window of the log.
const WINDOWS: [u64; 2] = [1_000, 100_000];

struct Session<'a, G: Game> {
    recipe: &'a Recipe,
    directory: Directory,
    learner: Learner,
    trainer: Trainer<G>,
    subject: Subject,
    log: Log,
    watch: Watch<'a>,
    saturation: Saturation,
    best: Option<f64>,
    seconds_before: f64,
    moves_before: u64,
}

/// Hears of every game, on any thread.
struct Watch<'a> {
    reporter: &'a dyn Reporter,
    label: Box<dyn Fn(u8) -> u64 + Sync + 'a>,
    total: u64,
    seconds_before: f64,
    /// When playing began, as if it had never paused.
    clock: Mutex<Clock>,
    deadline: Option<Duration>,
}

struct Clock {
    windows: [Window; 2],
    recent: Window,
    curve: Vec<f64>,
    games: u64,
    moves: u64,
    games_before: u64,
    moves_before: u64,
    /// Playing time of this process before the current round, and when that began.
    played: Duration,
    round: Instant,
    shown: Instant,
}

impl Clock {
    fn elapsed(&self) -> Duration {
        self.played + self.round.elapsed()
    }
}

impl Watch<'_> {
    fn lock(&self) -> std::sync::MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn status(&self, clock: &Clock) -> Status {
        let elapsed = clock.elapsed().as_secs_f64().max(1e-9);
        let games = clock.games - clock.games_before;
        let rate = games as f64 / elapsed;
        let by_games = (self.total.saturating_sub(clock.games)) as f64 / rate.max(1e-9);
        let by_time = self.deadline.map_or(f64::INFINITY, |d| d.as_secs_f64() - elapsed);
        Status {
            games: [clock.games, self.total],
            moves: clock.moves,
            seconds: self.seconds_before + elapsed,
            moves_per_second: (clock.moves - clock.moves_before) as f64 / elapsed,
            seconds_left: by_games.min(by_time).max(0.0),
            curve: clock.curve.clone(),
            recent: clock.recent.clone(),
            tiles: tile_rates(&clock.recent, &self.label),
        }
    }
}

impl Observer for Watch<'_> {
    fn game(&self, played: &Played) {
        let mut clock = self.lock();
        for window in &mut clock.windows {
            window.add(played);
        }
        if clock.recent.games >= WINDOWS[0] {
            clock.recent = Window::default();
        }
        clock.recent.add(played);
        clock.games += 1;
        clock.moves += played.moves + played.extra_moves;
        if clock.shown.elapsed() > Duration::from_millis(100) {
            clock.shown = Instant::now();
            let status = self.status(&clock);
            drop(clock);
            self.reporter.status(&status);
        }
    }

    fn stop(&self) -> bool {
        self.reporter.stop() || self.deadline.is_some_and(|deadline| self.lock().elapsed() >= deadline)
    }
}

impl<'a, G: Game> Session<'a, G> {
    fn open(
        game: G,
        recipe: &'a Recipe,
        built: &Built,
        directory: Directory,
        resume: bool,
        command: &str,
        reporter: &'a dyn Reporter,
    ) -> Result<Self, RunError> {
        let method = recipe.method::<G>(built, read_boards(&game, recipe, built)?);
        let threads = match recipe.run.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        };
        let (learner, trainer, state) = if resume && directory.is_used() {
            let (loaded, state, complaints) = checkpoint::load(&directory)?;
            complaints
                .iter()
                .for_each(|complaint| reporter.note(&format!("using an older checkpoint: {complaint}")));
            if *loaded.network.structure() != built.structure {
                return Err(RunError::Unusable(
                    "the recipe's network differs from the checkpoint's; resume with the recipe of the run"
                        .into(),
                ));
            }
            let kind = recipe.step_kind(&loaded.network);
            let step_size = StepSize::with_sums(kind, &loaded.network, loaded.sums, loaded.visits);
            let step_size = step_size.ok_or_else(|| {
                RunError::Unusable(
                    "the recipe's step size differs from the checkpoint's; resume with the recipe of the run"
                        .into(),
                )
            })?;
            step_size.set_factor(state.factor);
            let trainer = Trainer::resume(game.clone(), method, &state.progress());
            let trainer = trainer
                .ok_or_else(|| RunError::Unusable("the checkpoint's generators are impossible".into()))?;
            (Learner { network: loaded.network, step_size }, trainer, Some(state))
        } else if resume {
            return Err(RunError::Nothing(directory.path().into()));
        } else {
            let trainer = Trainer::new(game.clone(), method, threads, recipe.run.seed);
            (recipe.learner(built.structure.clone()), trainer, None)
        };
        let log = Log::open(&directory, state.as_ref().map(|s| s.games))?;
        if state.is_none() {
            let config = directory.join("config.toml");
            write_meta(&directory, &game.id(), command, threads)?;
            write_whole(&config, |out| std::io::Write::write_all(out, recipe.to_toml().as_bytes()))?;
        }
        let progress = trainer.progress();
        let now = Instant::now();
        let clock = Clock {
            windows: state.as_ref().map_or_else(Default::default, |s| s.windows.clone()),
            recent: state.as_ref().map_or_else(Default::default, |s| s.windows[0].clone()),
            curve: Vec::new(),
            games: progress.games,
            moves: progress.moves,
            games_before: progress.games,
            moves_before: progress.moves,
            played: Duration::ZERO,
            round: now,
            shown: now,
        };
        let seconds_before = state.as_ref().map_or(0.0, |s| s.seconds);
        Ok(Self {
            recipe,
            directory,
            learner,
            subject: built.subject,
            log,
            watch: Watch {
                reporter,
                label: Box::new(move |rank| game.label(rank)),
                total: recipe.run.games,
                seconds_before,
                clock: Mutex::new(clock),
                deadline: None,
            },
            saturation: state
                .as_ref()
                .map_or_else(|| Saturation::new(recipe.learning.saturation), |s| s.saturation.clone()),
            best: state.as_ref().and_then(|s| s.best),
            seconds_before,
            moves_before: progress.moves,
            trainer,
        })
    }

    fn run(mut self, limits: Limits, reporter: &dyn Reporter) -> Result<Finished, RunError> {
        self.watch.deadline = limits.time;
        self.learner.populate();
        let mut saved_at = Instant::now();
        let interval = Duration::from_secs_f64(self.recipe.checkpoint.minutes * 60.0);
        let mut last_mean = 0.0;
        if self.trainer.progress().games == 0 {
            // The first checkpoint, so that there is something to resume from the first moment on.
            self.save()?;
        }
        loop {
            let games = self.trainer.progress().games;
            if games >= self.recipe.run.games || self.watch.stop() {
                break;
            }
            self.watch.lock().round = Instant::now();
            self.trainer.round(&self.learner, self.until_next_event(games), &self.watch);
            let mut clock = self.watch.lock();
            clock.played = clock.elapsed();
            clock.round = Instant::now();
            drop(clock);
            if let Some(mean) = self.close_windows()? {
                last_mean = mean;
            }
            let games = self.trainer.progress().games;
            let every = self.recipe.evaluate.every;
            if every > 0 && games % every == 0 && games > 0 {
                self.evaluate(games, reporter)?;
            }
            if saved_at.elapsed() >= interval {
                self.save()?;
                saved_at = Instant::now();
            }
        }
        let state = self.save()?;
        let complete = state.games >= self.recipe.run.games;
        let model = self.directory.join("model.afterstate");
        checkpoint::save_model(&model, &self.learner, &self.metadata(&state))?;
        let partial = &self.watch.lock().windows[0];
        Ok(Finished {
            games: state.games,
            moves: state.moves,
            seconds: state.seconds,
            mean: if partial.games > 0 { partial.mean() } else { last_mean },
            model: std::path::absolute(&model).map_err(at("cannot find", &model))?,
            complete,
        })
    }

    /// How many games to play before something else is due: the end of a window, an evaluation, the end.
    fn until_next_event(&self, games: u64) -> u64 {
        let every = self.recipe.evaluate.every;
        let multiple = |n: u64| if n == 0 { u64::MAX } else { n - games % n };
        (self.recipe.run.games - games).min(multiple(WINDOWS[0])).min(multiple(every))
    }

    /// Logs the windows that are full; the average of the last 1,000 games if they are.
    fn close_windows(&mut self) -> Result<Option<f64>, RunError> {
        let progress = self.trainer.progress();
        let mut mean = None;
        for (i, size) in WINDOWS.into_iter().enumerate() {
            if progress.games % size != 0 {
                continue;
            }
            let mut clock = self.watch.lock();
            let window = std::mem::take(&mut clock.windows[i]);
            let seconds = self.seconds_before + clock.elapsed().as_secs_f64();
            if window.games == 0 {
                continue;
            }
            if i == 0 {
                mean = Some(window.mean());
                clock.curve.push(window.mean());
            }
            drop(clock);
            self.log.window(&Line {
                games: progress.games,
                window: size,
                mean: window.mean(),
                max: window.max,
                moves: progress.moves,
                seconds,
                tiles: tile_rates(&window, &self.watch.label),
                factor: self.learner.step_size.factor(),
            })?;
        }
        if let Some(mean) = mean
            && self.saturation.add(mean)
            && self.learner.step_size.factor() != self.recipe.learning.decay
        {
            self.learner.step_size.set_factor(self.recipe.learning.decay);
            self.watch.reporter.note(&format!(
                "saturated after {} games: steps are now {} times as long",
                progress.games, self.recipe.learning.decay
            ));
        }
        Ok(mean)
    }

    /// Plays some games greedily, writes the result down, keeps the model if it is the best so far.
    fn evaluate(&mut self, games: u64, reporter: &dyn Reporter) -> Result<(), RunError> {
        let network = &self.learner.network;
        let plan = Plan {
            threads: self.trainer.progress().randoms.len(),
            ..Plan::new(self.recipe.evaluate.games, 1)
        };
        let player = || LearnedPlayer::new(network, self.subject);
        let results = evaluate::evaluate(self.trainer.game(), player, &plan, &StopWith(reporter));
        let Some(summary) = Summary::of(self.trainer.game(), &results) else { return Ok(()) };
        if summary.games < plan.games.end {
            return Ok(());
        }
        reporter.evaluated(games, &summary);
        let mean = summary.score.moments.mean();
        let ci95 = summary.score.moments.ci95().map(|i| [i.low, i.high]);
        let tiles: Vec<(u64, f64)> = summary.tiles.iter().map(|t| (t.label, t.reached.rate())).collect();
        let json = serde_json::json!({
            "trained_games": games, "games": summary.games, "seed": plan.seed, "ply": 1,
            "score": {"mean": mean, "ci95": ci95, "median": summary.score.median}, "tiles": tiles,
        });
        let path = self.directory.join(&format!("eval/{games:012}.json"));
        write_whole(&path, |out| std::io::Write::write_all(out, format!("{json:#}\n").as_bytes()))?;
        let mut scalars = vec![("eval/average".to_string(), mean)];
        scalars.extend(tiles.iter().map(|(tile, rate)| (format!("eval/tile_{tile}"), *rate)));
        self.log.scalars(games, &scalars)?;
        if self.best.is_none_or(|best| mean > best) {
            self.best = Some(mean);
            let path = self.directory.join("checkpoints/best.afterstate");
            checkpoint::save_model(&path, &self.learner, &self.metadata(&self.state()))?;
        }
        Ok(())
    }

    fn state(&self) -> State {
        let progress = self.trainer.progress();
        let clock = self.watch.lock();
        State {
            games: progress.games,
            moves: progress.moves,
            seconds: self.seconds_before + clock.played.as_secs_f64(),
            next_board: progress.next_board,
            randoms: progress.randoms,
            factor: self.learner.step_size.factor(),
            saturation: self.saturation.clone(),
            windows: clock.windows.clone(),
            best: self.best,
        }
    }

    fn metadata(&self, state: &State) -> std::collections::BTreeMap<String, String> {
        checkpoint::metadata(self.recipe, state)
    }

    fn save(&self) -> Result<State, RunError> {
        let state = self.state();
        checkpoint::save(
            &self.directory,
            &self.learner,
            &self.metadata(&state),
            state.games,
            self.recipe.checkpoint.keep,
        )?;
        debug_assert!(state.moves >= self.moves_before);
        Ok(state)
    }
}

/// Stops an evaluation when the run is to stop.
struct StopWith<'a>(&'a dyn Reporter);

impl<G: Game> evaluate::Observer<G> for StopWith<'_> {
    fn stop(&self) -> bool {
        self.0.stop()
    }
}

/// Reads the file of positions to start from, if the recipe names one: `position [score]` on each line.
fn read_boards<G: Game>(game: &G, recipe: &Recipe, built: &Built) -> Result<Vec<Begun<G::State>>, RunError> {
    let Some(name) = recipe.learning.boards.as_ref().filter(|_| recipe.learning.start == Start::Boards)
    else {
        return Ok(Vec::new());
    };
    let path = Path::new(name);
    let text = std::fs::read_to_string(path).map_err(at("cannot read", path))?;
    let mut boards = Vec::new();
    for (number, line) in
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
    {
        let (position, score) = match line.split_once('\t') {
            Some((position, score)) => (position, score.trim().parse().ok()),
            None => (line, Some(0)),
        };
        let wrong = |what: String| RunError::Unusable(format!("{}:{}: {what}", path.display(), number + 1));
        let score = score.ok_or_else(|| wrong("the score after the tab is not a number".into()))?;
        let state = notation::read(game, position).map_err(|e| wrong(e.to_string()))?;
        let stage = built.structure.stages.implied(game.state_view(&state).cells);
        boards.push(Begun { state, stage, score });
    }
    if boards.is_empty() {
        return Err(RunError::Unusable(format!("{} holds no positions", path.display())));
    }
    Ok(boards)
}

/// Writes who, with what, when.
fn write_meta(directory: &Directory, game: &str, command: &str, threads: usize) -> Result<(), RunError> {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_string())
    });
    let started =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |t| t.as_secs());
    let json = serde_json::json!({
        "program": "afterstate", "version": env!("CARGO_PKG_VERSION"), "game": game, "command": command,
        "threads": threads, "cpu": cpu, "started_unix": started,
    });
    let path = directory.join("meta.json");
    write_whole(&path, |out| std::io::Write::write_all(out, format!("{json:#}\n").as_bytes()))
}
