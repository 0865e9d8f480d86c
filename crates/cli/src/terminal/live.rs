//! Lines on standard error that are redrawn in place, and only if that is a terminal.

use super::tui;
use std::io::{IsTerminal, Write, stderr};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Lines that change in place.
pub(crate) struct Live {
    on: bool,
    /// Lines on the screen now.
    shown: Mutex<usize>,
}

impl Live {
    pub(crate) fn new() -> Self {
        Self { on: stderr().is_terminal(), shown: Mutex::default() }
    }

    /// True if it is shown on a terminal.
    pub(crate) fn is_on(&self) -> bool {
        self.on
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Columns and rows that lines may take without wrapping or scrolling.
    pub(crate) fn room(&self) -> (usize, usize) {
        let (width, height) = tui::size();
        (usize::from(width.max(2) - 1), usize::from(height.max(2) - 1))
    }

    /// Shows these lines in place of the last ones, cut off where the window ends.
    pub(crate) fn show(&self, lines: &[String]) {
        if !self.on {
            return;
        }
        let mut shown = self.lock();
        let (width, height) = self.room();
        let lines = &lines[..lines.len().min(height)];
        let mut text = erase(*shown);
        for line in lines {
            text.extend(line.chars().take(width));
            text.push('\n');
        }
        *shown = lines.len();
        let _ = stderr().write_all(text.as_bytes());
    }

    /// Takes the lines off the screen while something else is printed there.
    pub(crate) fn beside(&self, print: impl FnOnce()) {
        let mut shown = self.lock();
        let _ = stderr().write_all(erase(std::mem::take(&mut *shown)).as_bytes());
        print();
    }

    /// Takes the lines off the screen.
    pub(crate) fn clear(&self) {
        self.beside(|| {});
    }

    /// The last lines stay.
    pub(crate) fn keep(&self) {
        *self.lock() = 0;
    }
}

/// Moves up over the last lines and erases them. The cursor need not be at the start of its line:
/// a terminal shows `^C` where it stands.
fn erase(lines: usize) -> String {
    if lines == 0 { String::new() } else { format!("\r\x1b[{lines}A\x1b[0J") }
}
