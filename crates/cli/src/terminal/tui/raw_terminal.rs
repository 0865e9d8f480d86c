//! The terminal in raw mode: taken for a game, restored after a quit, a signal or a panic.

use super::screen::{Colors, Screen};
use super::session::Action;
use afterstate::grid::Direction;
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{self, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute};
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
    out: BufWriter<Stdout>,
    shown: Option<Screen>,
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
        let stage = Self { out: BufWriter::new(stdout()), shown: None, colors: Colors::of_environment() };
        execute!(stdout(), EnterAlternateScreen, cursor::Hide)?;
        Ok(Some(stage))
    }

    /// Columns and rows.
    pub(crate) fn size() -> (usize, usize) {
        let (width, height) = terminal::size().unwrap_or((80, 24));
        (usize::from(width).max(1), usize::from(height).max(1))
    }

    pub(crate) fn show(&mut self, screen: Screen) -> io::Result<()> {
        if self.shown.as_ref().is_some_and(|old| (old.width, old.height) != (screen.width, screen.height)) {
            execute!(self.out, terminal::Clear(terminal::ClearType::All))?;
        }
        screen.send(self.shown.as_ref(), &mut self.out, self.colors)?;
        self.shown = Some(screen);
        Ok(())
    }

    /// The next key, waiting no longer than this; `None` for anything else.
    pub(crate) fn key(wait: Duration) -> io::Result<Option<Action>> {
        if !event::poll(wait)? {
            return Ok(None);
        }
        match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => Ok(action(key)),
            _ => Ok(None),
        }
    }

    /// True if a key waits to be read.
    pub(crate) fn key_waits() -> bool {
        event::poll(Duration::ZERO).unwrap_or(true)
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        give_back();
    }
}

/// Action of a key.
fn action(key: KeyEvent) -> Option<Action> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return matches!(key.code, KeyCode::Char('c' | 'd' | 'q')).then_some(Action::Quit);
    }
    Some(match key.code {
        KeyCode::Up | KeyCode::Char('w' | 'k') => Action::Slide(Direction::Up),
        KeyCode::Right | KeyCode::Char('d' | 'l') => Action::Slide(Direction::Right),
        KeyCode::Down | KeyCode::Char('s' | 'j') => Action::Slide(Direction::Down),
        KeyCode::Left | KeyCode::Char('a' | 'h') => Action::Slide(Direction::Left),
        KeyCode::Char('u' | 'z') | KeyCode::Backspace => Action::Undo,
        KeyCode::Char('y' | 'U') => Action::Redo,
        KeyCode::Char('n' | 'r') => Action::Restart,
        KeyCode::Char('t' | '?') => Action::Hint,
        KeyCode::Char('v') => Action::Values,
        KeyCode::Char(' ') => Action::Auto,
        KeyCode::Char('+' | '=') => Action::Faster,
        KeyCode::Char('-' | '_') => Action::Slower,
        KeyCode::Char('p') => Action::Deeper,
        KeyCode::Char('P') => Action::Shallower,
        KeyCode::Char('g') => Action::NextGame,
        KeyCode::Char('b') => Action::NextBoard,
        KeyCode::Char('q') | KeyCode::Esc => Action::Quit,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_ways_to_slide_and_ctrl_c() {
        let key = |code| action(KeyEvent::new(code, KeyModifiers::NONE));
        for (keys, direction) in [
            ([KeyCode::Up, KeyCode::Char('w'), KeyCode::Char('k')], Direction::Up),
            ([KeyCode::Right, KeyCode::Char('d'), KeyCode::Char('l')], Direction::Right),
            ([KeyCode::Down, KeyCode::Char('s'), KeyCode::Char('j')], Direction::Down),
            ([KeyCode::Left, KeyCode::Char('a'), KeyCode::Char('h')], Direction::Left),
        ] {
            for code in keys {
                assert_eq!(key(code), Some(Action::Slide(direction)));
            }
        }
        assert_eq!(action(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)), Some(Action::Quit));
        assert_eq!(key(KeyCode::F(5)), None);
    }
}
