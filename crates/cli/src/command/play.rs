//! `play` and `watch`: a game on the terminal, played by you or by the player.

use crate::failure::usage;
use crate::interrupt::Interrupt;
use crate::terminal::tui::{Leaving, RawTerminal, Session, draw};
use crate::{cli, command};
use afterstate::game::Game;
use afterstate::game::catalogue::{Family, GameSpec};
use afterstate::grid::Shape;
use afterstate::with_game;
use afterstate_lab::engine::{Engine, EngineError, EngineOptions, PlayerName, TABLE_BYTES};
use afterstate_lab::variant::{ConfiguredGame, Variant};
use anyhow::Context;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A picture takes this long.
const FRAME: Duration = Duration::from_millis(33);

pub(crate) fn run(args: &cli::Play, watching: bool) -> anyhow::Result<()> {
    // Keys may ask for deeper searches than the options do.
    let mut options = EngineOptions { table_bytes: Some(TABLE_BYTES), ..args.engine.options()? };
    let mut engine = opened(&options)?;
    let mut terminal = RawTerminal::take().context("the terminal cannot be used")?.ok_or_else(|| {
        usage("play and watch need a terminal; `evaluate` plays without one, `serve` in a browser")
    })?;
    let interrupt = Interrupt::watch()?;
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let seed = args.seed.unwrap_or(clock);
    // Each turn of the loop is one game; the types of its positions change with it.
    loop {
        let left = with_game!(&engine.game.rules, game => {
            let session = Session::new(game, &engine, seed, watching, args.speed);
            sit(session, &mut terminal, &interrupt)
        })?;
        let spec = &engine.game.spec;
        let next = match left {
            Leaving::Quit => return Ok(()),
            Leaving::NextGame => next_game(spec),
            Leaving::NextBoard => next_board(spec),
        };
        options.game = Some(ConfiguredGame::new(next, Variant::default())?);
        engine = opened(&options)?;
    }
}

/// The engine asked for, or where its model plays another game, the heuristic player.
fn opened(options: &EngineOptions) -> anyhow::Result<Engine> {
    let heuristic = Some(PlayerName::Heuristic);
    match Engine::open_for_analysis(options) {
        Err(EngineError::Mismatch(_)) => command::open_for_analysis(&EngineOptions {
            model: None,
            player: heuristic,
            endgames: None,
            judging: None,
            ..options.clone()
        }),
        opened => opened.map_err(command::advised),
    }
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
    mut session: Session<'_, G>,
    terminal: &mut RawTerminal,
    interrupt: &Interrupt,
) -> anyhow::Result<Leaving> {
    let start = Instant::now();
    // A search asks often; the keyboard is looked at twenty times a second.
    let looked = AtomicU64::new(0);
    let pressed = || {
        let now = start.elapsed().as_millis() as u64;
        now >= looked.load(Relaxed) + 50 && {
            looked.store(now, Relaxed);
            RawTerminal::key_waits() || interrupt.asked()
        }
    };
    let mut last = Instant::now();
    loop {
        let (width, height) = RawTerminal::size();
        terminal.show(draw(&session, width, height))?;
        if interrupt.asked() {
            return Ok(Leaving::Quit);
        }
        looked.store(start.elapsed().as_millis() as u64, Relaxed);
        let wait = if session.auto { Duration::from_millis(1) } else { Duration::from_millis(100) };
        while let Some(action) = RawTerminal::key(wait)? {
            #[cfg(debug_assertions)]
            assert!(std::env::var_os("AFTERSTATE_PANIC_ON_KEY").is_none(), "asked to panic");
            if let Some(left) = session.act(action, Some(&pressed)) {
                return Ok(left);
            }
            if !RawTerminal::key_waits() {
                break;
            }
        }
        let passed = last.elapsed();
        last = Instant::now();
        let end = Cell::new(Instant::now() + FRAME);
        session.pass(passed, &|| Instant::now() >= end.get(), Some(&pressed));
        if session.auto {
            std::thread::sleep(FRAME.saturating_sub(last.elapsed()));
        }
    }
}
