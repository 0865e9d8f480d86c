//! Positions as text: many dialects in, one out.
//!
//! Written is always the first of these; all are read:
//!
//! | dialect | example | |
//! |---|---|---|
//! | rows of ranks joined by `/` | `1210/3302/0043/5512` | one base-36 digit a cell, `(36)` from rank 36 on |
//! | the same ranks without `/`, or by spaces | `EDC1BA9187611111` | also hexadecimal and macroxue's `0-9A-G` |
//! | a 64-bit number | `0x1234` | 4×4 only; cell 0 is the *lowest* hexadecimal digit |
//! | tile values | `2 4 0 8 …`, `[[2,4],[0,8]]` | apart by spaces, commas, `;`, brackets or newlines; `/` only between rows |
//!
//! Threes adds words of the form `key=value`:
//! ` bag=n1,n2,n3` (1s, 2s and 3s left, the announced tile taken out; if missing, a full
//! bag without it), ` hint=1`, `2`, `3`, `+` or the candidates' values `hint=6,12,24` (never
//! guessed), and in the course's game on 4×4 ` bonus=b/d`: b bonus tiles among d draws
//! since a 48 appeared (if missing, `0/0`).
//!
//! Text that could be read in two ways is read so:
//! * One word is ranks, as many words as cells are values, as many words as rows are rows of
//!   ranks. Rows joined by `/` with one word each are ranks; so on a board one cell wide
//!   `1/2` is ranks and `1 2` is values.
//! * What begins with `0x` and has no `/` is a 64-bit number, never the rank `x` = 33.
//! * Without `0x` digits are in reading order: the first one is the top left cell.

use super::{Game, Hint, Setup, SetupError, threes};
use crate::grid::{MAX_RANK, Shape};
use thiserror::Error;

/// Why a text is not a position: what is wrong and what to write instead, in one line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NotationError {
    /// Nothing was written.
    #[error("the position is empty; write rows of ranks like 1210/3302/0043/5512")]
    Empty,
    /// A character that is no rank.
    #[error("'{}' is not a rank; write digits 0-9, a-z or (36), or tile values separated by spaces", .0.escape_debug())]
    Digit(char),
    /// A rank above [`MAX_RANK`], or a bracket without a number in it.
    #[error("({0}) is not a rank; write a number from 0 to {MAX_RANK} in the brackets")]
    Rank(String),
    /// A number this game has no tile for.
    #[error("'{0}' is not a tile of this game; write tile values, 0 for empty, or ranks like 1210/3302")]
    Tile(String),
    /// Another number of entries than the board has cells.
    #[error(
        "{found} entries do not make a {shape} board; write {} rows of {} ranks joined by '/', or {} tile values",
        shape.rows(), shape.cols(), shape.cells()
    )]
    Count {
        /// Number read.
        found: usize,
        /// The board of the game.
        shape: Shape,
    },
    /// A row of another length than the board's.
    #[error(
        "row {row} has {found} cells instead of {}; write {} rows of {} joined by '/'",
        shape.cols(), shape.rows(), shape.cols()
    )]
    Row {
        /// Its number, counted from 1.
        row: usize,
        /// Number of its cells.
        found: usize,
        /// The board of the game.
        shape: Shape,
    },
    /// A 64-bit number that does not fit, or not this board.
    #[error("{0}")]
    Number(&'static str),
    /// A `key=value` that is not understood; the text says what is.
    #[error("{0}")]
    Extra(String),
    /// A well-formed text that is no position of the game.
    #[error("{0}")]
    Setup(#[source] SetupError),
}

/// Reads a position of a game, in any dialect.
///
/// ```
/// use afterstate::game::{notation, twenty48::Twenty48};
/// use afterstate::grid::Shape;
/// let game = Twenty48::<16>::new(Shape::new(2, 3).unwrap());
/// let state = notation::read(&game, "2 4 0 / 0 8 2").unwrap();
/// assert_eq!(notation::write(&game, &state), "120/031");
/// assert_eq!(notation::read(&game, "120031"), Ok(state));
/// ```
pub fn read<G: Game>(game: &G, text: &str) -> Result<G::State, NotationError> {
    let setup = parse(text, game.shape(), |label| game.rank_of(label))?;
    game.position(&setup).map_err(NotationError::Setup)
}

/// Writes a state; [`read`] gives it back.
pub fn write<G: Game>(game: &G, state: &G::State) -> String {
    format(game.shape(), &game.setup(state))
}

/// Reads a text as a position on a board of this shape; `rank_of` knows the tiles' numbers.
pub fn parse(text: &str, shape: Shape, rank_of: impl Fn(u64) -> Option<u8>) -> Result<Setup, NotationError> {
    let mut setup = Setup::default();
    let mut board = String::new();
    for word in text.split_whitespace() {
        match word.split_once('=') {
            Some((key, value)) => read_extra(&mut setup, key, value)?,
            None => {
                board.push_str(word);
                board.push(' ');
            }
        }
    }
    setup.ranks = read_board(board.trim_end(), shape, rank_of)?;
    Ok(setup)
}

/// Writes a position as rows of ranks, with bag, hint and bonus count where there are any.
pub fn format(shape: Shape, setup: &Setup) -> String {
    let mut text = ranks(shape, &setup.ranks);
    if let Some([a, b, c]) = setup.bag {
        text += &format!(" bag={a},{b},{c}");
    }
    match setup.hint {
        None => {}
        Some(Hint::Tile(rank)) => text += &format!(" hint={}", threes::label(rank)),
        Some(Hint::Bonus) => text += " hint=+",
        Some(Hint::Candidates { low, high }) => {
            let values: Vec<_> = (low..=high).map(|rank| threes::label(rank).to_string()).collect();
            text += &format!(" hint={}", values.join(","));
        }
    }
    if let Some([bonuses, draws]) = setup.bonus_count {
        text += &format!(" bonus={bonuses}/{draws}");
    }
    text
}

/// Writes the cells of a board: rows of ranks joined by `/`.
///
/// ```
/// use afterstate::{game::notation::ranks, grid::Shape};
/// assert_eq!(ranks(Shape::new(2, 2).unwrap(), &[1, 17, 0, 36]), "1h/0(36)");
/// ```
pub fn ranks(shape: Shape, cells: &[u8]) -> String {
    let mut text = String::new();
    for (i, &rank) in cells.iter().take(shape.cells()).enumerate() {
        if i > 0 && i % shape.cols() == 0 {
            text.push('/');
        }
        match char::from_digit(rank.into(), 36) {
            // In a single row `0x` would begin a 64-bit number.
            Some('x') if text == "0" && shape.rows() == 1 => text += "(33)",
            Some(digit) if rank < 36 => text.push(digit),
            _ => text += &format!("({rank})"),
        }
    }
    text
}

fn read_board(
    text: &str,
    shape: Shape,
    rank_of: impl Fn(u64) -> Option<u8>,
) -> Result<Vec<u8>, NotationError> {
    let has_prefix = text.starts_with("0x") || text.starts_with("0X");
    if has_prefix && !text.contains('/') {
        return read_number(&text[2..], shape);
    }
    let separator = |c: char| c.is_whitespace() || ",;|[]{}".contains(c);
    let rows: Vec<Vec<&str>> = text
        .strip_suffix('/')
        .unwrap_or(text)
        .split('/')
        .map(|row| row.split(separator).filter(|word| !word.is_empty()).collect())
        .collect();
    let words: Vec<&str> = rows.concat();

    if words.is_empty() {
        Err(NotationError::Empty)
    } else if rows.len() > 1 && rows.iter().all(|row| row.len() <= 1) {
        rank_rows(&rows.iter().map(|row| row.concat()).collect::<Vec<_>>(), shape)
    } else if rows.len() == 1 && words.len() == 1 {
        let ranks = read_ranks(words[0])?;
        count(ranks.len(), shape)?;
        Ok(ranks)
    } else if rows.len() == 1 && words.len() == shape.rows() && words.len() != shape.cells() {
        rank_rows(&words, shape)
    } else {
        if rows.len() > 1 {
            same_length(rows.iter().map(Vec::len), shape)?;
        }
        count(words.len(), shape)?;
        words.iter().map(|word| read_value(word, &rank_of)).collect()
    }
}

fn rank_rows(rows: &[impl AsRef<str>], shape: Shape) -> Result<Vec<u8>, NotationError> {
    let rows = rows.iter().map(|row| read_ranks(row.as_ref())).collect::<Result<Vec<_>, _>>()?;
    same_length(rows.iter().map(Vec::len), shape)?;
    count(rows.len() * shape.cols(), shape)?;
    Ok(rows.concat())
}

fn count(found: usize, shape: Shape) -> Result<(), NotationError> {
    if found == shape.cells() { Ok(()) } else { Err(NotationError::Count { found, shape }) }
}

fn same_length(lengths: impl Iterator<Item = usize>, shape: Shape) -> Result<(), NotationError> {
    match lengths.enumerate().find(|&(_, found)| found != shape.cols()) {
        Some((row, found)) => Err(NotationError::Row { row: row + 1, found, shape }),
        None => Ok(()),
    }
}

/// One base-36 digit a cell, or a number in brackets.
fn read_ranks(word: &str) -> Result<Vec<u8>, NotationError> {
    let mut ranks = Vec::new();
    let mut rest = word.chars();
    while let Some(c) = rest.next() {
        let rank = if c == '(' {
            let (inside, after) =
                rest.as_str().split_once(')').ok_or_else(|| NotationError::Rank(quote(rest.as_str())))?;
            rest = after.chars();
            let rank = plain_number(inside).filter(|&rank| rank <= MAX_RANK.into());
            rank.ok_or_else(|| NotationError::Rank(quote(inside)))? as u8
        } else {
            c.to_digit(36).ok_or(NotationError::Digit(c))? as u8
        };
        ranks.push(rank);
    }
    Ok(ranks)
}

fn read_value(word: &str, rank_of: impl Fn(u64) -> Option<u8>) -> Result<u8, NotationError> {
    let rank = match plain_number(word) {
        Some(0) => Some(0),
        Some(label) => rank_of(label),
        None => None,
    };
    rank.ok_or_else(|| NotationError::Tile(quote(word)))
}

fn read_number(digits: &str, shape: Shape) -> Result<Vec<u8>, NotationError> {
    if shape != Shape::FOUR {
        return Err(NotationError::Number(
            "a 64-bit number holds a 4x4 board only; write rows of ranks joined by '/'",
        ));
    }
    let hexadecimal = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let number = hexadecimal.then(|| u64::from_str_radix(digits, 16).ok()).flatten();
    let number = number.ok_or(NotationError::Number(
        "a board as a number is 0x with 1 to 16 hexadecimal digits, the last one being the top left cell",
    ))?;
    Ok((0..16).map(|cell| (number >> (4 * cell) & 15) as u8).collect())
}

/// Digits only: no sign, no spaces.
fn plain_number(text: &str) -> Option<u64> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn read_extra(setup: &mut Setup, key: &str, value: &str) -> Result<(), NotationError> {
    let wrong =
        |write: &str| NotationError::Extra(format!("{key}={} is not understood; {write}", quote(value)));
    let twice = match key {
        "bag" => {
            let counts: Option<Vec<u8>> =
                value.split(',').map(|n| plain_number(n)?.try_into().ok()).collect();
            let bag = counts.and_then(|counts| counts.try_into().ok());
            let bag = bag.ok_or_else(|| wrong("write the 1s, 2s and 3s left in the bag, like bag=4,3,4"))?;
            setup.bag.replace(bag).is_some()
        }
        "hint" => {
            let hint = read_hint(value)
                .ok_or_else(|| wrong("write hint=1, 2, 3, + or the candidates, like hint=6,12,24"))?;
            setup.hint.replace(hint).is_some()
        }
        "bonus" => {
            let counts = value.split_once('/').and_then(|(bonuses, draws)| {
                Some([plain_number(bonuses)?.try_into().ok()?, plain_number(draws)?.try_into().ok()?])
            });
            let counts = counts.ok_or_else(|| {
                wrong("write the bonus tiles so far and the draws since a 48 appeared, like bonus=1/30")
            })?;
            setup.bonus_count.replace(counts).is_some()
        }
        _ => {
            return Err(NotationError::Extra(format!(
                "'{}=' is not understood; after the board come bag=, hint= and bonus=",
                quote(key)
            )));
        }
    };
    if twice {
        return Err(NotationError::Extra(format!("{key}= is given twice; leave one out")));
    }
    Ok(())
}

/// `1`, `2`, `3`, `+`, or consecutive bonus tiles by their values, the smallest first.
fn read_hint(text: &str) -> Option<Hint> {
    if text == "+" {
        return Some(Hint::Bonus);
    }
    let rank = |value: &str| {
        let value = plain_number(value)?;
        (1..=MAX_RANK).find(|&rank| threes::label(rank) == value)
    };
    let ranks = text.split(',').map(rank).collect::<Option<Vec<u8>>>()?;
    match ranks[..] {
        [tile @ 1..=3] => Some(Hint::Tile(tile)),
        [low, ..] if low >= threes::BONUS_LOW && ranks.windows(2).all(|pair| pair[1] == pair[0] + 1) => {
            Some(Hint::Candidates { low, high: ranks[ranks.len() - 1] })
        }
        _ => None,
    }
}

/// A piece of the input, short and on one line, for a message.
fn quote(text: &str) -> String {
    let short: String = text.chars().take(24).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("{}{dots}", short.escape_debug())
}
