//! Helpers of several tests: boards from text and data files.
#![allow(dead_code)] // each test uses its part

use afterstate::game::{Game, Setup};

/// Ranks from base-36 digits; rows may be joined by `/`, gaps written `_`.
pub(crate) fn ranks(text: &str) -> Vec<u8> {
    let digit = |c: char| c.to_digit(36).unwrap_or_else(|| panic!("'{c}' in '{text}'")) as u8;
    text.chars().filter(|&c| c != '/').map(|c| if c == '_' { 0 } else { digit(c) }).collect()
}

/// A state of a game from the ranks of its board alone.
pub(crate) fn state<G: Game>(game: &G, board: &str) -> G::State {
    game.position(&Setup { ranks: ranks(board), ..Setup::default() }).expect(board)
}

/// The lines of a data file, without comments and blank lines.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}
