//! `evaluate`: many games, and how well they went.

use super::game;
use super::page::page;
use super::saving::Saver;
use crate::cli::{self, PlayerName};
use crate::clock::Timed;
use crate::failure::usage;
use crate::interrupt::Interrupt;
use crate::terminal::Progress;
use crate::{failure, output, wire};
use afterstate::episode::Record;
use afterstate::evaluate::{Observer, Plan, Played, Summary, evaluate};
use afterstate::game::Game;
use afterstate::player::{CornerPlayer, GreedyPlayer, RandomPlayer};
use afterstate::search::heuristic::Heuristic;
use afterstate::search::{MAX_PLY, Table};
use afterstate::statistics::Distribution;
use afterstate::with_game;
use anyhow::bail;
use std::cell::Cell;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

/// The memory of searches that look further than two moves.
const TABLE_BYTES: usize = 64 << 20;

pub(crate) fn run(args: &cli::Evaluate) -> anyhow::Result<()> {
    let any = game(&args.game, &args.variant)?;
    if args.player != PlayerName::Heuristic && (args.ply.is_some() || args.time_per_move.is_some()) {
        let player = args.player.name();
        return Err(usage(format!(
            "the {player} player does not look ahead; leave --ply and --time-per-move out, or use --player heuristic"
        )));
    }
    let saver = args.save.as_deref().map(Saver::create).transpose()?;
    let (summary, about) = with_game!(&any, game => measure(game, args, saver))?;
    if about.interrupted {
        failure::complain(&format!("interrupted: {} of {} games played", summary.games, args.games));
    }
    if args.json {
        return output::json(&wire::Evaluation::of(&summary, &about));
    }
    output::text(&page(&summary, &about))
}

/// Plays the games of the command line and keeps the time.
pub(super) fn measure<G: Game>(
    game: &G,
    args: &cli::Evaluate,
    saver: Option<Saver>,
) -> anyhow::Result<(Summary, wire::Circumstances)> {
    let plan = Plan {
        games: 0..args.games,
        seed: args.seed,
        threads: cli::threads(args.threads),
        record: saver.is_some(),
    };
    let watch = Watch {
        game,
        args,
        interrupt: Interrupt::watch()?,
        progress: Progress::new(args.games, "games"),
        nanoseconds: Mutex::default(),
        saver: Mutex::new(saver),
    };
    let judge = Heuristic::tuned(game.shape());
    let ply = args.ply.unwrap_or(if args.time_per_move.is_some() { MAX_PLY } else { 2 });
    let table = Table::new(if ply > 2 { TABLE_BYTES } else { 0 });
    let start = Instant::now();
    let played = match args.player {
        PlayerName::Random => evaluate(game, RandomPlayer::default, &plan, &watch),
        PlayerName::Greedy => evaluate(game, || GreedyPlayer, &plan, &watch),
        PlayerName::Corner => evaluate(game, CornerPlayer::default, &plan, &watch),
        PlayerName::Heuristic => {
            let searcher = || Timed::new(&judge, ply, &table, args.time_per_move);
            evaluate(game, searcher, &plan, &watch)
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    watch.progress.clear();
    if let Some(saver) = lock(&watch.saver).take() {
        saver.finish()?;
    }
    let nanoseconds = std::mem::take(&mut *lock(&watch.nanoseconds));
    let (Some(summary), Some(nanoseconds_per_game)) =
        (Summary::of(game, &played), Distribution::of(&nanoseconds))
    else {
        bail!("interrupted before the first game was over; nothing to report");
    };
    let about = wire::Circumstances {
        game: game.id(),
        player: args.player.name().into(),
        seed: args.seed,
        seconds,
        nanoseconds_per_game,
        interrupted: summary.games < args.games,
    };
    Ok((summary, about))
}

/// Follows an evaluation: progress, time per game, records, Ctrl-C.
struct Watch<'a, G> {
    game: &'a G,
    args: &'a cli::Evaluate,
    interrupt: Interrupt,
    progress: Progress,
    nanoseconds: Mutex<Vec<u64>>,
    saver: Mutex<Option<Saver>>,
}

thread_local! {
    /// When the game of this thread began.
    static BEGAN: Cell<Option<Instant>> = const { Cell::new(None) };
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl<G: Game> Observer<G> for Watch<'_, G> {
    fn begins(&self, _: u64) {
        BEGAN.set(Some(Instant::now()));
    }

    fn ended(&self, played: &Played, record: Option<Record<G::State>>) {
        let time = BEGAN.get().map_or(0, |began| began.elapsed().as_nanos() as u64);
        lock(&self.nanoseconds).push(time);
        if let (Some(record), Some(saver)) = (record, lock(&self.saver).as_mut()) {
            saver.add(self.game, self.args, played, &record);
        }
        self.progress.one();
    }

    fn stop(&self) -> bool {
        self.interrupt.asked()
    }
}
