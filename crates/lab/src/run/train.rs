//! A training run from start, or from its last checkpoint, to the finished model.

use super::checkpoint::{self, RunState};
use super::files::{Directory, RunError, at, is_set};
use super::log::{Log, LogLine, tile_rates};
use super::phase::Phase;
use super::result::{self, FinalScore};
use super::resume;
use super::saturation::Saturation;
use super::space;
use super::staging;
use super::text_log::TextLog;
use super::watch::{Reporter, RunObserver, WINDOWS};
use super::{about, begin, boards};
use crate::recipe::{Built, Recipe, StepRule, Until};
use crate::{model, model_card};
use afterstate::game::Game;
use afterstate::learn::Learner;
use afterstate::learn::greedy::ValueKind;
use afterstate::learn::stage_starts::Keep;
use afterstate::learn::start::Start;
use afterstate::train::Trainer;
use afterstate::with_game;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Options of one process of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunOptions<'a> {
    /// Goes on from the last checkpoint.
    pub resume: bool,
    /// The command as it was typed, for the records.
    pub command: &'a str,
    /// Most playing and learning time, besides the recipe's number of games.
    pub time: Option<Duration>,
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
    /// The average score of the last games: 1,000 to 1,999, or all if there were fewer.
    pub mean: f64,
    /// The finished model; the weights as they are now if the run was stopped early.
    pub model: PathBuf,
    /// True if all games of the recipe were played.
    pub complete: bool,
    /// The evaluations at the end, by ply.
    pub finals: Vec<FinalScore>,
}

/// Trains by a recipe in a run directory.
pub fn train(
    recipe: &Recipe,
    place: &Path,
    options: RunOptions<'_>,
    reporter: &dyn Reporter,
) -> Result<Finished, RunError> {
    if !recipe.sweep.is_empty() {
        let what =
            "this recipe describes a set of runs; leave out [sweep], or train it with `afterstate train`";
        return Err(RunError::Unusable(what.into()));
    }
    if is_set(place) {
        return Err(RunError::Exists(place.into()));
    }
    let built = recipe.build().map_err(|e| RunError::Unusable(e.to_string()))?;
    let resume = options.resume;
    if resume && !place.join("checkpoints").is_dir() {
        return Err(RunError::Nothing(place.into()));
    }
    // Before anything is created: the files it names too must be as they should.
    with_game!(&built.game.rules, game => boards::named(game, recipe, &built).map(drop))?;
    let model = if resume { None } else { begin::model(recipe)? };
    let directory = Directory::open(place)?;
    match (directory.is_used() || checkpoint::any(&directory)?, resume) {
        (true, false) => return Err(RunError::Exists(place.into())),
        (false, true) => return Err(RunError::Nothing(place.into())),
        _ => {}
    }
    if !resume {
        space::check(recipe, &built, directory.path(), 1, reporter)?;
    }
    with_game!(&built.game.rules, game => Session::open(game.clone(), recipe, &built, directory, Begin { options, model }, reporter)?
        .run(options.time))
}

/// The first bank of weights that is learned: stages only grow, so those before all boards that
/// games start from are never met.
///
/// What they would need besides their weights takes no memory then.
fn first_bank<G: Game>(trainer: &Trainer<G>, built: &Built) -> usize {
    let first = match &trainer.method().start {
        Start::Boards(boards) => boards.iter().map(|begun| begun.stage).min().unwrap_or(0),
        _ => 0,
    };
    usize::from(first) * built.structure.sets.count()
}

/// Starting point of a process of a run.
struct Begin<'a> {
    options: RunOptions<'a>,
    /// The model whose weights a new run begins with.
    model: Option<model::Model>,
}

/// A run at work.
pub(super) struct Session<'a, G: Game> {
    pub(super) recipe: &'a Recipe,
    pub(super) built: &'a Built,
    pub(super) directory: Directory,
    pub(super) learner: Learner,
    pub(super) trainer: Trainer<G>,
    pub(super) value_kind: ValueKind,
    pub(super) watch: RunObserver<'a>,
    pub(super) saturation: Saturation,
    pub(super) phase: Phase,
    pub(super) best: Option<f64>,
    /// After how many training games the last evaluation was.
    pub(super) evaluated: u64,
    /// After how many games this process took over, if it resumed.
    resumed_at: Option<u64>,
}

impl<'a, G: Game> Session<'a, G> {
    fn open(
        game: G,
        recipe: &'a Recipe,
        built: &'a Built,
        directory: Directory,
        begin: Begin<'_>,
        reporter: &'a dyn Reporter,
    ) -> Result<Self, RunError> {
        let RunOptions { resume, command, .. } = begin.options;
        let found = if resume { checkpoint::load(&directory)? } else { None };
        if resume && found.is_none() {
            reporter.note("the run was stopped before its first checkpoint: beginning again");
        }
        let threads = match recipe.run.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        };
        let phase = found.as_ref().map_or_else(Phase::default, |found| found.state.phase.clone());
        if let Some(found) = &found {
            found.complaints.iter().for_each(|complaint| reporter.note(complaint));
            resume::check_recipe(recipe, found)?;
        }
        let method = staging::method(&game, recipe, built, &directory, &phase)?;
        let (learner, trainer, state) = match found {
            Some(found) => resume::take_up(game.clone(), recipe, built, &directory, method, found)?,
            None => (None, Trainer::new(game.clone(), method, threads, recipe.run.seed), None),
        };
        result::remove(&directory)?;
        // Before anything large is made: from here on there is something to resume.
        about::write_config(&directory, recipe)?;
        if state.is_none() {
            about::write_meta(&directory, &game.id(), command, threads)?;
        }
        let learner = match learner {
            Some(learner) => learner,
            None => {
                let model = if resume { begin::model(recipe)? } else { begin.model };
                begin::learner(recipe, built, model, first_bank(&trainer, built))?
            }
        };
        let mut learner = learner;
        learner.claim(first_bank(&trainer, built))?;
        learner.replicate(threads);
        let interval = recipe.checkpoint.minutes * 60.0;
        let label = move |rank| game.label(rank);
        let watch = RunObserver::new(reporter, label, interval, &trainer.progress(), state.as_ref());
        let fresh = || Saturation::new(recipe.learning.saturation);
        let session = Self {
            recipe,
            built,
            directory,
            learner,
            value_kind: built.value_kind,
            watch,
            saturation: state.as_ref().map_or_else(fresh, |s| s.saturation.clone()),
            best: state.as_ref().and_then(|s| s.best),
            evaluated: state.as_ref().map_or(0, |s| s.evaluated),
            resumed_at: if resume { Some(trainer.progress().games) } else { None },
            phase,
            trainer,
        };
        session.watch.enter(session.doing(), state.is_none());
        Ok(session)
    }

    fn run(mut self, time: Option<Duration>) -> Result<Finished, RunError> {
        let games = self.trainer.progress().games;
        if self.is_complete() {
            self.watch.reporter.already_finished(self.training_games());
            return self.finish();
        }
        self.say_shift();
        self.learner.populate(first_bank(&self.trainer, self.built));
        self.watch.limit(time);
        let (mut log, curve) = self.open_log()?;
        self.watch.lock().curve = curve;
        if games == 0 {
            // The first checkpoint, so that there is something to resume from the first moment on.
            self.save(&log)?;
        }
        loop {
            if self.must_evaluate() {
                self.evaluate(&mut log)?;
            }
            let stop = self.watch.must_stop();
            if !stop && self.phase_is_over() {
                match self.next_phase(&mut log)? {
                    true => continue,
                    false => break,
                }
            }
            if self.watch.must_save() {
                self.save(&log)?;
            }
            if stop {
                break;
            }
            let games = self.trainer.progress().games;
            self.follow_schedule();
            self.watch.begin_round();
            self.trainer.round(&self.learner, self.until_next_event(games), &self.watch);
            self.watch.end_round();
            self.check_sense()?;
            self.close_windows(&mut log)?;
        }
        self.save(&log)?;
        if self.is_finished() || !self.watch.reporter.stop() {
            self.evaluate_finally(&mut log)?;
        }
        self.finish()
    }

    /// Stops a run whose learning has lost its way, before anything is saved that came of it.
    fn check_sense(&self) -> Result<(), RunError> {
        let Some(found) = self.learner.step_size.diverged() else { return Ok(()) };
        let learning = &self.recipe.learning;
        let step = match (learning.alpha, learning.alpha_total) {
            (Some(alpha), _) if learning.step == StepRule::Fixed => format!("learning.alpha = {alpha}"),
            (_, Some(alpha)) if learning.step == StepRule::Fixed => format!("learning.alpha_total = {alpha}"),
            _ if learning.step == StepRule::VisitCount => format!("learning.eta = {}", learning.eta),
            _ => format!("learning.beta = {}", learning.beta),
        };
        let found = format!(
            "a step of an error of {:e} at a position worth {:e}, in the set of weights {}, with {step}",
            found.error, found.value, found.bank
        );
        Err(RunError::Diverged { game: self.trainer.progress().games, found })
    }

    /// The logs, and the averages of 1,000 games so far.
    fn open_log(&self) -> Result<(Log, Vec<f64>), RunError> {
        let game = self.trainer.game();
        // The tiles around the winning one are what curves are made of.
        let around = game.win_rank().saturating_sub(3).max(1)..=game.win_rank() + 4;
        let tiles: Vec<u64> = around.map(|rank| game.label(rank)).collect();
        let stages = if self.recipe.is_one_by_one() { self.built.structure.stages.count() as u8 } else { 1 };
        let games = (0..stages).map(|stage| self.recipe.stage_games(stage)).sum();
        let text = |&format| TextLog::new(format, self.directory.path(), &tiles, games);
        let texts = self.recipe.run.logs.iter().map(text).collect();
        Log::open(&self.directory, self.resumed_at, self.phase.began, self.is_finished(), texts)
    }

    /// The model of the run as it stands, unless it is there already.
    fn finish(&self) -> Result<Finished, RunError> {
        let state = self.state();
        let path = self.directory.join("model.afterstate");
        let metadata = self.metadata(&state);
        if !model::header(&path).is_ok_and(|header| header.metadata == metadata) {
            checkpoint::save_model(&path, &self.learner, &metadata)?;
        }
        let finished = Finished {
            games: self.training_games(),
            moves: state.moves,
            seconds: state.seconds,
            mean: self.watch.lock().mean(),
            model: std::path::absolute(&path).map_err(at("cannot find", &path))?,
            complete: self.is_complete(),
            finals: result::finals(self.directory.path()),
        };
        let card = model_card::ModelCard {
            model: &path,
            structure: self.learner.network.structure(),
            metadata: &metadata,
            run: Some(self.directory.path()),
            note: (!finished.complete).then(|| "the run was stopped before its end".into()),
        };
        model_card::write(&card).map_err(at("cannot write", &model_card::path(&path)))?;
        result::write(&self.directory, &finished)?;
        Ok(finished)
    }

    /// Games to play before something else is due: the end of a window, an evaluation, the end.
    fn until_next_event(&self, games: u64) -> u64 {
        let every = if self.phase.collecting { 0 } else { self.recipe.evaluate.every };
        let until_multiple = |games: u64, n: u64| if n == 0 { u64::MAX } else { n - games % n };
        let done = games - self.phase.began;
        let left = self.phase.most_games(self.recipe) - done;
        left.min(until_multiple(done, WINDOWS[0])).min(until_multiple(self.training_games(), every))
    }

    /// Sets the step for the next games, if the recipe has a schedule: it changes where a window
    /// begins.
    fn follow_schedule(&self) {
        let Some(schedule) = &self.recipe.learning.schedule else { return };
        let games = self.trainer.progress().games - self.phase.began;
        let window = games - games % WINDOWS[0];
        let share = window as f64 / self.phase.most_games(self.recipe) as f64;
        self.learner.step_size.set_factor(schedule.factor(share));
    }

    /// Logs the windows that are full, and lowers the step size when learning is saturated.
    fn close_windows(&mut self, log: &mut Log) -> Result<(), RunError> {
        if self.phase.collecting {
            return Ok(());
        }
        let progress = self.trainer.progress();
        let seconds = self.watch.seconds();
        let done = progress.games - self.phase.began;
        let full = |(_, size): &(usize, u64)| done.is_multiple_of(*size);
        for (i, size) in WINDOWS.into_iter().enumerate().filter(full) {
            let mut clock = self.watch.lock();
            let window = clock.close(i);
            if window.games == 0 {
                continue; // no game was played since it was closed
            }
            if i == 0 {
                clock.curve.push(window.mean());
                clock.last = window.clone();
            }
            drop(clock);
            log.window(&LogLine {
                games: progress.games,
                window: size,
                mean: window.mean(),
                max: window.max,
                moves: progress.moves,
                seconds,
                tiles: tile_rates(&window, &self.watch.label),
                largest: (self.watch.label)(window.top()),
                won: window.reached(self.trainer.game().win_rank()),
                factor: self.learner.step_size.factor(),
                goal: self.built.task.goal.as_ref().map(|_| window.goal_rate()),
                stage: self.stage_line(&window),
            })?;
            let decay = self.recipe.learning.decay;
            if i == 0 && self.saturation.add(window.mean()) && self.learner.step_size.factor() != decay {
                self.learner.step_size.set_factor(decay);
                if self.recipe.stages.until == Until::Saturated {
                    // The stage ends when the smaller steps are saturated too.
                    self.saturation = Saturation::new(self.recipe.learning.saturation);
                }
                self.watch.reporter.note(&format!(
                    "saturated after {} games: steps are now {decay} times as long",
                    progress.games
                ));
            }
        }
        Ok(())
    }

    pub(super) fn state(&self) -> RunState {
        let progress = self.trainer.progress();
        let seconds = self.watch.seconds();
        let clock = self.watch.lock();
        RunState {
            games: progress.games,
            moves: progress.moves,
            seconds,
            next_board: progress.next_board,
            randoms: progress.randoms,
            factor: self.learner.step_size.factor(),
            saturation: self.saturation.clone(),
            windows: clock.windows.clone(),
            last: clock.last.clone(),
            best: self.best,
            evaluated: self.evaluated,
            phase: self.phase.clone(),
            boards: self.keeps_boards(),
        }
    }

    /// True if boards go with a checkpoint.
    fn keeps_boards(&self) -> bool {
        self.trainer.method().keep != Keep::Nothing
    }

    pub(super) fn metadata(&self, state: &RunState) -> std::collections::BTreeMap<String, String> {
        checkpoint::metadata(self.recipe, state)
    }

    /// Writes a checkpoint; what was logged before it lasts at least as long.
    pub(super) fn save(&self, log: &Log) -> Result<(), RunError> {
        self.directory.check()?;
        log.sync()?;
        let state = self.state();
        if self.keeps_boards() {
            let path = checkpoint::boards_path(&self.directory, state.games);
            boards::write(&path, self.trainer.game(), &self.trainer.stage_starts())?;
        }
        let (metadata, keep) = (self.metadata(&state), self.recipe.checkpoint.keep);
        checkpoint::save(&self.directory, &self.learner, &metadata, state.games, keep)?;
        self.watch.saved();
        Ok(())
    }
}
