//! Playing on the terminal: a screen of coloured cells, what is on it, and keys.
//!
//! `table` is the game and all it can do, and knows no terminal; `view` draws it on a [`Screen`], which tests
//! read as text; `stage` owns the real terminal and gives it back, whatever happens.

mod palette;
mod screen;
mod stage;
mod table;
mod view;

pub(crate) use stage::{Stage, give_back};
pub(crate) use table::{Leaving, Table};
pub(crate) use view::draw;
