//! `evaluate`: many games, and how well they went.

use super::game;
use super::saving::Saver;
use crate::cli::{self, PlayerName};
use crate::interrupt::Interrupt;
use crate::terminal::{Progress, Table, bar, grouped, percent, short};
use crate::{failure, output, wire};
use afterstate::episode::Record;
use afterstate::evaluate::{Observer, Plan, Played, Summary, evaluate};
use afterstate::game::Game;
use afterstate::player::{CornerPlayer, GreedyPlayer, RandomPlayer};
use afterstate::statistics::Distribution;
use afterstate::with_game;
use anyhow::bail;
use std::cell::Cell;
use std::fmt::Write;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

pub(crate) fn run(args: &cli::Evaluate) -> anyhow::Result<()> {
    let any = game(&args.game, &args.variant)?;
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
    let start = Instant::now();
    let played = match args.player {
        PlayerName::Random => evaluate(game, RandomPlayer::default, &plan, &watch),
        PlayerName::Greedy => evaluate(game, || GreedyPlayer, &plan, &watch),
        PlayerName::Corner => evaluate(game, CornerPlayer::default, &plan, &watch),
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

/// The answer for people.
fn page(summary: &Summary, about: &wire::Circumstances) -> String {
    let games = grouped(summary.games as f64, 0);
    let mut out = format!("{}, {} player, {games} games, seed {}\n\n", about.game, about.player, about.seed);
    out += &spreads(summary, about);
    let _ = writeln!(out);
    let maxima = &summary.score.max_of_100;
    if maxima.count() > 0 {
        let margin = maxima.ci95().map(|i| format!(" ± {}", grouped(i.margin(), 1))).unwrap_or_default();
        let mean = grouped(maxima.mean(), 1);
        let _ = writeln!(out, "  maximum of every 100 games, averaged   {mean}{margin}");
    }
    let win = &summary.win;
    let ci = win.ci95();
    let range = format!("{} to {}", percent(ci.low), percent(ci.high));
    let _ = writeln!(out, "  games won                              {} ({range})", percent(win.rate()));
    let moves = summary.moves.moments.mean() * summary.games as f64;
    let speed = short(moves / about.seconds.max(1e-9));
    let _ = writeln!(out, "  moves per second                       {speed}\n");
    out + &histogram(summary)
}

/// The four statistics of Mayer-Hirshfeld, each as a row.
fn spreads(summary: &Summary, about: &wire::Circumstances) -> String {
    let mut table = Table::new(["", "mean", "± 95 %", "median", "std", "min", "max"]);
    let mut row = |name: &str, d: &Distribution, unit: f64, decimals: [usize; 2]| {
        let m = &d.moments;
        let [fine, coarse] = decimals;
        let number = |value: Option<f64>, decimals| value.map_or("–".into(), |v| grouped(v * unit, decimals));
        table.row([
            name.into(),
            number(Some(m.mean()), fine),
            number(m.ci95().map(|i| i.margin()), fine),
            number(Some(d.median), coarse),
            number(m.std(), fine),
            number(m.min(), coarse),
            number(m.max(), coarse),
        ]);
    };
    row("score", &summary.score, 1.0, [1, 0]);
    row("moves", &summary.moves, 1.0, [1, 0]);
    row("largest tile", &summary.largest, 1.0, [1, 0]);
    row("milliseconds per game", &about.nanoseconds_per_game, 1e-6, [3, 3]);
    table.render()
}

/// The largest tiles of all games, as bars.
fn histogram(summary: &Summary) -> String {
    let most = summary.tiles.iter().map(|t| t.largest).max().unwrap_or(1).max(1);
    let seen = summary.tiles.iter().skip_while(|t| t.largest == 0);
    let last = summary.tiles.iter().filter(|t| t.largest > 0).map(|t| t.rank).max();
    let mut out = Table::new(["largest tile", "games", "reached", "95 % interval", ""]);
    let mut bars = vec![String::new()];
    for t in seen.take_while(|t| Some(t.rank) <= last) {
        let ci = t.reached.ci95();
        out.row([
            grouped(t.label as f64, 0),
            grouped(t.largest as f64, 0),
            percent(t.reached.rate()),
            format!("{:.2} – {}", ci.low * 100.0, percent(ci.high)),
            String::new(),
        ]);
        bars.push(bar(t.largest as f64 / most as f64, 30));
    }
    out.render().lines().zip(bars).map(|(line, bar)| format!("{}\n", format!("{line}   {bar}").trim_end())).collect()
}
