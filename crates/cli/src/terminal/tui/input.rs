//! Keys and what they do.

use super::session::Action;
use afterstate::grid::Direction;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::io;
use std::time::Duration;

/// The next key, waiting no longer than this; `None` for anything else.
///
/// # Errors
/// If the terminal is gone. To be asked before every read: crossterm would read its end for ever.
pub(super) fn key(wait: Duration) -> io::Result<Option<Action>> {
    wait_for_input(wait)?;
    if !event::poll(Duration::ZERO)? {
        return Ok(None);
    }
    match event::read()? {
        Event::Key(key) if key.kind != KeyEventKind::Release => Ok(action(key)),
        _ => Ok(None),
    }
}

/// True if a key waits to be read, or the terminal is gone.
pub(super) fn key_waits() -> bool {
    wait_for_input(Duration::ZERO).and_then(|()| event::poll(Duration::ZERO)).unwrap_or(true)
}

/// Waits no longer than this until there is something to read.
#[cfg(unix)]
fn wait_for_input(wait: Duration) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};
    let input = io::stdin();
    let mut watched = [PollFd::new(&input, PollFlags::IN)];
    let timeout = wait.try_into().ok();
    match poll(&mut watched, timeout.as_ref()) {
        // A signal: the window has another size, or the program is asked to stop.
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    if watched[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the terminal was closed"));
    }
    Ok(())
}

#[cfg(not(unix))]
fn wait_for_input(wait: Duration) -> io::Result<()> {
    event::poll(wait).map(drop)
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
