//! `play` and `watch`: a game on the terminal, played by you or by the player.

use crate::failure::usage;
use crate::interrupt::Interrupt;
use crate::terminal::tui::{Leaving, Stage, Table, draw};
use crate::{cli, command};
use afterstate::game::Game;
use afterstate::game::catalogue::{Family, GameSpec};
use afterstate::grid::Shape;
use afterstate::with_game;
use afterstate_lab::mind::{Mind, PlayerName, Wish};
use anyhow::Context;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A picture takes this long.
const FRAME: Duration = Duration::from_millis(33);

pub(crate) fn run(args: &cli::Play, watching: bool) -> anyhow::Result<()> {
    let mut wish = args.thinker.wish();
    let mut mind = opened(&wish)?;
    let mut stage = Stage::take().context("the terminal cannot be used")?.ok_or_else(|| {
        usage("play and watch need a terminal; `evaluate` plays without one, `serve` in a browser")
    })?;
    let interrupt = Interrupt::watch()?;
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let seed = args.seed.unwrap_or(clock);
    // Each turn of the loop is one game; the types of its positions change with it.
    loop {
        let left = with_game!(&mind.game, game => {
            let table = Table::new(game, &mind, seed, watching, args.speed);
            sit(table, &mut stage, &interrupt)
        })?;
        let spec = GameSpec::parse(&mind.game.id())?;
        let next = match left {
            Leaving::Quit => return Ok(()),
            Leaving::NextGame => next_game(&spec),
            Leaving::NextBoard => next_board(&spec),
        };
        wish = Wish { game: Some(next.name()), variant: Default::default(), ..wish };
        mind = opened(&wish)?;
    }
}

/// The player wished for, or where it does not know the game, the one who knows them all.
fn opened(wish: &Wish) -> anyhow::Result<Mind> {
    let mut mind = match command::open_judge(wish) {
        Err(_) if wish.game.is_some() && wish.model.is_some() && fits_not(wish) => {
            command::open_judge(&Wish { model: None, player: Some(PlayerName::Heuristic), ..wish.clone() })?
        }
        opened => opened?,
    };
    mind.prepare(afterstate_lab::mind::Depth::of(Some(3), None, 1));
    Ok(mind)
}

/// Whether the model is a good one, but of another game.
fn fits_not(wish: &Wish) -> bool {
    command::open_judge(&Wish { game: None, ..wish.clone() }).is_ok()
}

fn next_game(spec: &GameSpec) -> GameSpec {
    let at = Family::ALL.iter().position(|&family| family == spec.family).unwrap_or(0);
    GameSpec::new(Family::ALL[(at + 1) % Family::ALL.len()], spec.shape)
}

fn next_board(spec: &GameSpec) -> GameSpec {
    let side = spec.shape.rows().max(spec.shape.cols()) + 1;
    let side = if side > 6 { 2 } else { side };
    GameSpec::new(spec.family, Shape::new(side, side).unwrap_or(Shape::FOUR))
}

/// One game, until it is left.
fn sit<G: Game>(
    mut table: Table<'_, G>,
    stage: &mut Stage,
    interrupt: &Interrupt,
) -> anyhow::Result<Leaving> {
    let start = Instant::now();
    // A search asks often; the keyboard is looked at twenty times a second.
    let looked = AtomicU64::new(0);
    let pressed = || {
        let now = start.elapsed().as_millis() as u64;
        now >= looked.load(Relaxed) + 50 && {
            looked.store(now, Relaxed);
            Stage::key_waits() || interrupt.asked()
        }
    };
    let mut last = Instant::now();
    loop {
        let (width, height) = Stage::size();
        stage.show(draw(&table, width, height))?;
        if interrupt.asked() {
            return Ok(Leaving::Quit);
        }
        looked.store(start.elapsed().as_millis() as u64, Relaxed);
        let wait = if table.auto { Duration::from_millis(1) } else { Duration::from_millis(100) };
        while let Some(action) = Stage::key(wait)? {
            #[cfg(debug_assertions)]
            assert!(std::env::var_os("AFTERSTATE_PANIC_ON_KEY").is_none(), "asked to panic");
            if let Some(left) = table.act(action, Some(&pressed)) {
                return Ok(left);
            }
            if !Stage::key_waits() {
                break;
            }
        }
        let passed = last.elapsed();
        last = Instant::now();
        let end = Cell::new(Instant::now() + FRAME);
        table.pass(passed, &|| Instant::now() >= end.get(), Some(&pressed));
        if table.auto {
            std::thread::sleep(FRAME.saturating_sub(last.elapsed()));
        }
    }
}
