//! The terminal in raw mode: taken for a game, restored after a quit, a signal or a panic.

use super::colors::Colors;
use super::input;
use super::session::Action;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::terminal::{self, EnterAlternateScreen, LeaveAlternateScreen};
use ratatui::crossterm::{cursor, execute};
use std::io::{self, BufWriter, IsTerminal, Stdout, stdout};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

/// True if the terminal is ours now.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Gives the terminal back, if it is taken: cursor, colours, echo, and what was on it before.
///
/// Also called where a panic is reported.
pub(crate) fn give_back() {
    if TAKEN.swap(false, SeqCst) {
        let _ = execute!(stdout(), LeaveAlternateScreen, cursor::Show);
        let _ = terminal::disable_raw_mode();
    }
}

/// The terminal while it is ours.
pub(crate) struct RawTerminal {
    terminal: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
    colors: Colors,
}

impl RawTerminal {
    /// Takes the terminal; `None` where there is none.
    pub(crate) fn take() -> io::Result<Option<Self>> {
        if !stdout().is_terminal() || !io::stdin().is_terminal() {
            return Ok(None);
        }
        terminal::enable_raw_mode()?;
        TAKEN.store(true, SeqCst);
        execute!(stdout(), EnterAlternateScreen, cursor::Hide)?;
        let terminal = Terminal::new(CrosstermBackend::new(BufWriter::new(stdout())));
        match terminal {
            Ok(terminal) => Ok(Some(Self { terminal, colors: Colors::of_environment() })),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// Shows a picture; only what changed is sent.
    pub(crate) fn show(&mut self, paint: impl FnOnce(&mut Buffer)) -> io::Result<()> {
        let colors = self.colors;
        let drawn = self.terminal.draw(|frame| {
            paint(frame.buffer_mut());
            colors.apply(frame.buffer_mut());
        });
        drawn.map(drop)
    }

    /// The next key, waiting no longer than this; `None` for anything else.
    pub(crate) fn key(&self, wait: Duration) -> io::Result<Option<Action>> {
        input::key(wait)
    }

    /// True if a key waits to be read.
    pub(crate) fn key_waits() -> bool {
        input::key_waits()
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        give_back();
    }
}
