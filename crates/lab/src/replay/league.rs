//! 2048league and old 2048verse: one symbol per move.
//!
//! The 128 symbols stand for seven bits: 0–1 the row and 2–3 the column of the new tile, 4 the tile
//! (0 a 2, 1 a 4), 5–6 the move before it (up, right, down, left). The first two symbols are the
//! start tiles; their moves mean nothing. Old 2048verse puts `replay ` before it, and the board if
//! it is not 4×4: `replay 3x4`. We read both and write a header only where the board needs it.

use super::{Format, Placed, Replay, ReplayError, start_of, two_tiles};
use afterstate::episode::Spawn;
use afterstate::game::catalogue::{Family, GameSpec};
use afterstate::grid::{Direction, Shape};

const HEADER: &str = "replay ";
/// The symbols from 95 on; those before are the printable ASCII characters from the blank on.
const BEYOND_ASCII: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒá";

fn symbol(bits: u8) -> char {
    let beyond = || BEYOND_ASCII.chars().nth(usize::from(bits) - 95);
    if bits < 95 { char::from(b' ' + bits) } else { beyond().unwrap_or('á') }
}

fn bits(symbol: char) -> Option<u8> {
    match symbol {
        ' '..='~' => Some(symbol as u8 - b' '),
        _ => BEYOND_ASCII.chars().position(|c| c == symbol).map(|at| at as u8 + 95),
    }
}

/// The board and the rest of a line.
fn header(line: &str) -> (Shape, &str) {
    let Some(rest) = line.strip_prefix(HEADER) else { return (Shape::FOUR, line) };
    for (rows, cols) in (1..=4).flat_map(|rows| (1..=4).map(move |cols| (rows, cols))) {
        if let Some(body) = rest.strip_prefix(&format!("{rows}x{cols}"))
            && let Some(shape) = Shape::new(rows, cols)
        {
            return (shape, body);
        }
    }
    (Shape::FOUR, rest)
}

/// True if the line says that it is one.
pub(super) fn has_header(line: &str) -> bool {
    line.starts_with(HEADER)
}

/// True if the line could be one: two start tiles on different cells, and known symbols only.
pub fn begins(line: &str) -> bool {
    let (_, body) = header(line);
    let mut cells = body.chars().map(|c| bits(c).map(|b| b & 15));
    let (first, second) = (cells.next().flatten(), cells.next().flatten());
    first.is_some() && second.is_some() && first != second && cells.all(|cell| cell.is_some())
}

/// Reads a line.
pub fn read(line: &str) -> Result<Replay, ReplayError> {
    let wrong = |at, what: String| ReplayError::Wrong { format: Format::League, at, what };
    let (shape, body) = header(line);
    let before = line.chars().count() - body.chars().count();
    let mut start: Vec<Placed> = Vec::new();
    let mut steps = Vec::new();
    for (at, c) in (before + 1..).zip(body.chars()) {
        let found =
            bits(c).ok_or_else(|| wrong(at, format!("'{}' is none of the 128 symbols", c.escape_debug())))?;
        let (row, col) = (usize::from(found & 3), usize::from(found >> 2 & 3));
        if row >= shape.rows() || col >= shape.cols() {
            return Err(wrong(at, format!("row {row}, column {col} is not on a {shape} board")));
        }
        let (cell, rank) = (row * shape.cols() + col, 1 + (found >> 4 & 1));
        match start.len() {
            0 | 1 => start.push((cell, rank)),
            _ => {
                let direction = Direction::ALL[usize::from(found >> 5)];
                steps.push((direction, Spawn { cell: cell as u8, rank, hint: 0 }));
            }
        }
    }
    if start.len() < 2 {
        return Err(wrong(line.chars().count() + 1, "it ends before the second start tile".into()));
    }
    let start =
        start_of(shape, &start).map_err(|i| wrong(before + i + 1, "two start tiles on one cell".into()))?;
    Ok(Replay { game: GameSpec::new(Family::Twenty48, shape), start, steps, player: None, chance: None })
}

/// Writes a line.
pub fn write(replay: &Replay) -> Result<String, ReplayError> {
    let refuse = |what: String| ReplayError::CannotHold { format: Format::League, what };
    let shape = replay.game.shape;
    if shape.rows() > 4 || shape.cols() > 4 {
        return Err(refuse(format!("a {shape} board, only up to 4x4")));
    }
    let place = |cell: usize, rank: u8, direction: Direction| {
        if !(1..=2).contains(&rank) {
            return Err(refuse(format!("a new tile of rank {rank}, only 2s and 4s")));
        }
        let (row, col) = ((cell / shape.cols()) as u8, (cell % shape.cols()) as u8);
        Ok(symbol(row | col << 2 | (rank - 1) << 4 | (direction as u8) << 5))
    };
    let mut text = if shape == Shape::FOUR { String::new() } else { format!("{HEADER}{shape}") };
    for (cell, rank) in two_tiles(replay, Format::League)? {
        text.push(place(cell, rank, Direction::Up)?);
    }
    for (direction, spawn) in &replay.steps {
        text.push(place(spawn.cell.into(), spawn.rank, *direction)?);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_128_symbols() {
        assert_eq!(BEYOND_ASCII.chars().count(), 33);
        assert!((0..128).all(|b| bits(symbol(b)) == Some(b)));
        assert_eq!((bits('~'), bits('Ç'), bits('á'), bits('\n')), (Some(94), Some(95), Some(127), None));
    }

    #[test]
    fn a_line_by_hand() {
        // Bits: 2 at row 0 column 1 = 4 '$'; 4 at row 3 column 0 = 3 + 16 '3'; then left (3) and a
        // 2 at row 1 column 3: 1 + 12 + 96 = 109 'Ä'.
        let replay = read("$3Ä").unwrap();
        assert_eq!(replay.start, "0100/0000/0000/2000");
        assert_eq!(replay.steps, [(Direction::Left, Spawn { cell: 7, rank: 1, hint: 0 })]);
        assert_eq!(read("replay $3Ä").unwrap(), replay);
        assert_eq!(write(&replay).unwrap(), "$3Ä");
        assert_eq!(read("replay 2x4 $").unwrap().start, "1100/0000");
        assert!(read("replay 2x4 #").unwrap_err().to_string().contains("row 3"));
        assert!(!begins("$$") && !begins("$\n3") && !begins("$"));
    }
}
