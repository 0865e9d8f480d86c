//! Games on the terminal: a board that fills the window, the values of its moves, and keys.
//!
//! `session` is the game and all it can do, and knows no terminal; `view` draws it into a buffer,
//! which tests read as text; `raw_terminal` owns the real terminal and gives it back, whatever
//! happens.

mod colors;
mod history;
mod input;
mod pace;
mod palette;
mod raw_terminal;
mod session;
mod view;

pub(crate) use raw_terminal::{RawTerminal, give_back};
pub(crate) use session::{Action, Leaving, Session};
pub(crate) use view::{draw, draw_loading};

/// Columns and rows of the terminal, 80 × 24 where nobody knows.
pub(crate) fn size() -> (u16, u16) {
    let (width, height) = ratatui::crossterm::terminal::size().unwrap_or((80, 24));
    (width.max(1), height.max(1))
}
