//! Playing on the terminal: a screen of coloured cells, what is on it, and keys.
//!
//! `session` is the game and all it can do, and knows no terminal; `view` draws it on a [`Screen`],
//! which tests read as text; `stage` owns the real terminal and gives it back, whatever happens.

mod palette;
mod raw_terminal;
mod screen;
mod session;
mod view;

pub(crate) use raw_terminal::{RawTerminal, give_back};
pub(crate) use session::{Leaving, Session};
pub(crate) use view::draw;
