//! `play` and `watch`: a game on the terminal, played by you or by the player.

mod loader;
mod saving;

use crate::failure::usage;
use crate::interrupt::Interrupt;
use crate::terminal::tui::{Action, Leaving, RawTerminal, Session, draw, draw_loading};
use crate::{cli, command, output};
use afterstate::game::Game;
use afterstate::game::catalogue::{Family, GameSpec};
use afterstate::grid::Shape;
use afterstate::with_game;
use afterstate_lab::engine::{EngineError, EngineOptions, TABLE_BYTES};
use afterstate_lab::variant::{ConfiguredGame, Variant};
use anyhow::Context;
use loader::{Loaded, Loader, described};
use saving::GameLog;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A picture takes this long.
const FRAME: Duration = Duration::from_millis(33);
/// The longest wait for a key.
const WAIT: Duration = Duration::from_millis(100);

pub(crate) fn run(args: &cli::Play, watching: bool) -> anyhow::Result<()> {
    // Keys may ask for deeper searches than the options do.
    let options = EngineOptions { table_bytes: Some(TABLE_BYTES), ..args.engine.options()? };
    if let Some(player) = options.player.filter(|player| !player.has_values()) {
        return Err(command::advised(EngineError::NoValues(player)));
    }
    let mut games = GameLog::open(args.save.as_deref())?;
    let terminal = RawTerminal::take().context("the terminal cannot be used")?.ok_or_else(|| {
        usage("play and watch need a terminal; `evaluate` plays without one, `serve` in a browser")
    })?;
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let seed = args.seed.unwrap_or(clock);
    let mut table = PlaySession {
        terminal,
        interrupt: Interrupt::watch_with_hangup()?,
        loader: Loader::start()?,
        options,
    };
    let played = table.sit(seed, args.speed, watching, &mut games);
    // The terminal is given back before anything is said.
    drop(table);
    output::text(&games.farewell())?;
    played
}

/// All that games on the terminal need.
struct PlaySession {
    terminal: RawTerminal,
    interrupt: Interrupt,
    loader: Loader,
    options: EngineOptions,
}

impl PlaySession {
    /// Plays one game after the other; the types of their positions differ.
    fn sit(&mut self, seed: u64, speed: u32, watching: bool, games: &mut GameLog) -> anyhow::Result<()> {
        loop {
            self.loader.ask(&self.options);
            let (game, mut loaded) = match self.known_game()? {
                Some(game) => (game, None),
                None => match self.wait()? {
                    Some(loaded) => (loaded.engine.game.clone(), Some(loaded)),
                    None => return Ok(()),
                },
            };
            let loading = described(&self.options, Some(&game.spec));
            let left = with_game!(&game.rules, rules => {
                let mut session = Session::new(rules, loading, seed, watching, speed);
                if let Some(Loaded { engine, usual }) = loaded.take() {
                    session.arrive(engine, usual);
                }
                let left = self.play(&mut session);
                // Whatever went wrong, the games are kept.
                games.add(session.records(&game.variant))?;
                left
            })?;
            let next = match left {
                Leaving::Quit => return Ok(()),
                Leaving::NextGame => next_game(&game.spec),
                Leaving::NextBoard => next_board(&game.spec),
            };
            self.options.game = Some(ConfiguredGame::new(next, Variant::default())?);
        }
    }

    /// The game to be played; `None` if only the model can tell.
    fn known_game(&self) -> anyhow::Result<Option<ConfiguredGame>> {
        match &self.options.game {
            None if self.options.model.is_some() => Ok(None),
            None => Ok(Some(ConfiguredGame::parse("2048", self.options.variant.clone()).map_err(usage)?)),
            game => Ok(game.clone()),
        }
    }

    /// Waits for the engine; `None` if the user does not.
    fn wait(&mut self) -> anyhow::Result<Option<Loaded>> {
        let what = described(&self.options, None);
        let began = Instant::now();
        loop {
            if let Some(loaded) = self.loader.poll() {
                return loaded.map(Some);
            }
            self.terminal.show(|buffer| draw_loading(&what, began.elapsed(), buffer))?;
            if self.interrupt.asked() || self.terminal.key(FRAME)? == Some(Action::Quit) {
                return Ok(None);
            }
        }
    }

    /// One session, until it is left.
    fn play<G: Game>(&mut self, session: &mut Session<'_, G>) -> anyhow::Result<Leaving> {
        let Self { terminal, interrupt, loader, .. } = self;
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
            terminal.show(|buffer| draw(session, buffer))?;
            if interrupt.asked() {
                return Ok(Leaving::Quit);
            }
            looked.store(start.elapsed().as_millis() as u64, Relaxed);
            let busy = session.is_thinking() || (session.auto && session.engine().is_some());
            let wait = if busy { Duration::from_millis(1) } else { WAIT };
            while let Some(action) = terminal.key(wait)? {
                #[cfg(debug_assertions)]
                assert!(std::env::var_os("AFTERSTATE_PANIC_ON_KEY").is_none(), "asked to panic");
                if let Some(left) = session.act(action) {
                    return Ok(left);
                }
                if !RawTerminal::key_waits() {
                    break;
                }
            }
            if session.engine().is_none()
                && let Some(loaded) = loader.poll()
            {
                let Loaded { engine, usual } = loaded?;
                session.arrive(engine, usual);
            }
            if session.is_thinking() {
                terminal.show(|buffer| draw(session, buffer))?;
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
