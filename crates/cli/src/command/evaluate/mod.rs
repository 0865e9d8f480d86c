//! `evaluate`: many games and their statistics.

mod page;
mod saving;

pub(super) use page::page;

use crate::cli;
use crate::interrupt::Interrupt;
use crate::terminal::Progress;
use crate::{failure, output, wire};
use afterstate::episode::Record;
use afterstate::evaluate::{GameObserver, Plan, Played, Summary, evaluate};
use afterstate::game::Game;
use afterstate::statistics::Distribution;
use afterstate::task::Task;
use afterstate::with_game;
use afterstate_lab::engine::{Engine, EngineOptions};
use afterstate_lab::game_times::GameTimes;
use afterstate_lab::recipe::{BuiltIn, Recipe};
use afterstate_lab::shard::{Setting, Shard, ShardIndex};
use anyhow::{Context, bail};
use saving::Saver;
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

pub(crate) fn run(args: &cli::Evaluate) -> anyhow::Result<()> {
    let options = EngineOptions { mapped: args.mapped.clone(), ..args.engine.options()? };
    let engine = crate::command::open(&options)?;
    let games = args.shard.unwrap_or(ShardIndex::WHOLE).range(args.games);
    if games.is_empty() {
        let part = args.shard.unwrap_or(ShardIndex::WHOLE);
        return Err(failure::usage(format!(
            "--shard {part}: {} games leave nothing for this part",
            args.games
        )));
    }
    let saver = args.save.as_deref().map(|path| Saver::create(path, games.start)).transpose()?;
    let order = Order {
        games: games.clone(),
        seed: args.seed,
        threads: cli::threads(args.engine.threads),
        task: args.task.as_deref(),
    };
    let measured = with_game!(&engine.game.rules, game => measure(game, &engine, order, saver))?;
    let Measured { summary, about, .. } = &measured;
    if about.interrupted {
        let planned = games.end - games.start;
        failure::complain(&format!("interrupted: {} of {planned} games played", summary.games));
    }
    match args.shard {
        _ if !args.json => output::text(&page(summary, about)),
        None => output::json(&wire::Evaluation::of(summary, about)),
        Some(part) => {
            let report = wire::Evaluation::of(summary, about);
            output::json(&wire::PartOfEvaluation { report, shard: measured.shard(part, &engine, args.games) })
        }
    }
}

/// Result of an evaluation.
pub(super) struct Measured {
    pub(super) summary: Summary,
    pub(super) about: wire::Circumstances,
    played: Vec<Played>,
    nanoseconds: Vec<u64>,
}

impl Measured {
    /// The games of one part, for `merge`.
    fn shard(&self, part: ShardIndex, engine: &Engine, games: u64) -> Shard {
        let about = &self.about;
        let setting = Setting {
            game: about.game.clone(),
            variant: engine.game.variant.clone(),
            player: about.player.clone(),
            fingerprint: engine.fingerprint(),
            ply: about.ply,
            time_per_move: about.time_per_move,
            seed: about.seed,
            games,
        };
        Shard::new(part, setting, about.model.clone(), &self.played, &self.nanoseconds, about.seconds)
    }
}

/// Games to be played.
pub(super) struct Order<'a> {
    pub(super) games: Range<u64>,
    pub(super) seed: u64,
    pub(super) threads: usize,
    /// A recipe or run whose task is played.
    pub(super) task: Option<&'a str>,
}

/// Plays games and keeps the time.
pub(super) fn measure<G: Game>(
    game: &G,
    engine: &Engine,
    order: Order<'_>,
    saver: Option<Saver>,
) -> anyhow::Result<Measured> {
    let Order { games, seed, threads, task: name } = order;
    let planned = games.end - games.start;
    let (task, goal) = name.map(|name| task(name, game)).transpose()?.unwrap_or_default();
    let plan = Plan { games, seed, threads, record: saver.is_some(), task };
    let watch = ProgressObserver {
        game,
        engine,
        seed,
        interrupt: Interrupt::watch()?,
        progress: Progress::new(planned, "games"),
        times: GameTimes::default(),
        saver: Mutex::new(saver),
    };
    let start = Instant::now();
    let played = evaluate(game, || engine.player(0), &plan, &watch);
    let seconds = start.elapsed().as_secs_f64();
    watch.progress.clear();
    if let Some(saver) = lock(&watch.saver).take() {
        saver.finish()?;
    }
    let nanoseconds = watch.times.in_order();
    let (Some(summary), Some(nanoseconds_per_game)) =
        (Summary::of(game, &played), Distribution::of(&nanoseconds))
    else {
        bail!("interrupted before the first game was over; nothing to report");
    };
    let about = wire::Circumstances {
        game: game.id(),
        variant: engine.game.variant.clone(),
        player: engine.description(),
        model: engine.model.clone(),
        ply: engine.ply().filter(|_| engine.budget.time.is_none()),
        time_per_move: engine.budget.time.map(|time| time.as_secs_f64()),
        seed,
        seconds,
        nanoseconds_per_game,
        interrupted: summary.games < planned,
        goal,
    };
    Ok(Measured { summary, about, played, nanoseconds })
}

/// The task of a recipe or of a run directory, and the tiles of its goal.
fn task<G: Game>(name: &str, game: &G) -> anyhow::Result<(Task, Option<String>)> {
    let run = Path::new(name).join("config.toml");
    let path = if run.is_file() { run } else { name.into() };
    let recipe = if path.is_file() {
        let text =
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Recipe::parse(name, &text, &[])
    } else {
        Recipe::parse(name, BuiltIn::find(name).map_err(failure::usage)?.text, &[])
    };
    let recipe = recipe.map_err(failure::usage)?;
    let built = recipe.build().map_err(failure::usage)?;
    let own = with_game!(&built.game.rules, own => own.id());
    if own != game.id() {
        return Err(failure::usage(format!("--task {name}: its game is {own}, not {}", game.id())));
    }
    Ok((built.task, recipe.learning.goal))
}

/// Follows an evaluation: progress, time per game, records, Ctrl-C.
struct ProgressObserver<'a, G> {
    game: &'a G,
    engine: &'a Engine,
    seed: u64,
    interrupt: Interrupt,
    progress: Progress,
    times: GameTimes,
    saver: Mutex<Option<Saver>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl<G: Game> GameObserver<G> for ProgressObserver<'_, G> {
    fn begins(&self, _: u64) {
        self.times.begin();
    }

    fn ended(&self, played: &Played, record: Option<Record<G::State>>) {
        self.times.end(played.index);
        if let (Some(record), Some(saver)) = (record, lock(&self.saver).as_mut()) {
            saver.add(self.game, self.engine, self.seed, played, &record);
        }
        self.progress.one();
    }

    fn stop(&self) -> bool {
        self.interrupt.asked()
    }
}
