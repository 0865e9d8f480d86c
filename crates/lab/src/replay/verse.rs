//! Current 2048verse: `RxC-…_`, then three symbols per move.
//!
//! Three of 128 symbols are 21 bits, the first symbol the most significant: bits 0–1 the move (up,
//! down, left, right), 2–3 the rank of the new tile − 1, 4–6 its column, 7–9 its row, the rest
//! unused. The first two groups are the start tiles. What stands between `-` and `_` is not read,
//! and left empty when written.

use super::{Format, Placed, Replay, ReplayError, start_of, two_tiles};
use afterstate::episode::Spawn;
use afterstate::game::catalogue::{Family, GameSpec};
use afterstate::grid::{Direction, Shape};

const MOVES: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

fn symbols() -> impl Iterator<Item = char> {
    ('0'..='9').chain('a'..='z').chain('A'..='Z').chain('À'..='ÿ').chain(['¤', '¾'])
}

fn bits(symbol: char) -> Option<u32> {
    symbols().position(|c| c == symbol).map(|at| at as u32)
}

/// The board, how long the header is, and the body.
fn parts(line: &str) -> Option<(Shape, usize, &str)> {
    let (board, rest) = line.split_once('-')?;
    let (header, body) = rest.split_once('_')?;
    let (rows, cols) = board.split_once('x')?;
    let side = |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    let shape = Shape::new(side(rows)?, side(cols)?)?;
    Some((shape, board.len() + header.chars().count() + 2, body))
}

/// True if the line begins like one.
pub fn begins(line: &str) -> bool {
    parts(line).is_some()
}

/// Reads a line.
pub fn read(line: &str) -> Result<Replay, ReplayError> {
    let wrong = |at, what: String| ReplayError::Wrong { format: Format::Verse, at, what };
    let (shape, before, body) =
        parts(line).ok_or_else(|| wrong(1, "it does not begin with a board like 4x4-_".into()))?;
    let body: Vec<char> = body.chars().collect();
    let mut start: Vec<Placed> = Vec::new();
    let mut steps = Vec::new();
    for (group, three) in body.chunks(3).enumerate() {
        let at = before + 3 * group + 1;
        let digit = |c: &char| {
            bits(*c).ok_or_else(|| wrong(at, format!("'{}' is none of the 128 symbols", c.escape_debug())))
        };
        let &[high, middle, low] = &three.iter().map(digit).collect::<Result<Vec<u32>, _>>()?[..] else {
            return Err(wrong(at, "it ends within a group of three symbols".into()));
        };
        let found = high << 14 | middle << 7 | low;
        let (col, row) = ((found >> 4 & 7) as usize, (found >> 7 & 7) as usize);
        if row >= shape.rows() || col >= shape.cols() {
            return Err(wrong(at, format!("row {row}, column {col} is not on a {shape} board")));
        }
        let (cell, rank) = (row * shape.cols() + col, 1 + (found >> 2 & 3) as u8);
        match start.len() {
            0 | 1 => start.push((cell, rank)),
            _ => steps.push((MOVES[(found & 3) as usize], Spawn { cell: cell as u8, rank, hint: 0 })),
        }
    }
    if start.len() < 2 {
        return Err(wrong(line.chars().count() + 1, "it ends before the second start tile".into()));
    }
    let start = start_of(shape, &start)
        .map_err(|i| wrong(before + 3 * i + 1, "two start tiles on one cell".into()))?;
    Ok(Replay { game: GameSpec::new(Family::Twenty48, shape), start, steps, player: None, chance: None })
}

/// Writes a line.
pub fn write(replay: &Replay) -> Result<String, ReplayError> {
    let shape = replay.game.shape;
    let all: Vec<char> = symbols().collect();
    let place = |cell: usize, rank: u8, direction: Direction| {
        if !(1..=4).contains(&rank) {
            let what = format!("a new tile of rank {rank}, only 2 to 16");
            return Err(ReplayError::CannotHold { format: Format::Verse, what });
        }
        let code = MOVES.iter().position(|&m| m == direction).unwrap_or(0);
        let (row, col) = (cell / shape.cols(), cell % shape.cols());
        let found = code | usize::from(rank - 1) << 2 | col << 4 | row << 7;
        Ok([found >> 14, found >> 7 & 127, found & 127].map(|digit| all[digit]))
    };
    let mut text = format!("{shape}-_");
    for (cell, rank) in two_tiles(replay, Format::Verse)? {
        text.extend(place(cell, rank, Direction::Up)?);
    }
    for (direction, spawn) in &replay.steps {
        text.extend(place(spawn.cell.into(), spawn.rank, *direction)?);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_by_hand() {
        // 2 at row 0 column 1: 16 = '0','0','g'; 4 at row 3 column 0: 3·128 + 4 = '0','3','4';
        // right (3), a 2 at row 1 column 3: 128 + 48 + 3 = '0','1', 51 'P'.
        let replay = read("4x4-anything at all_00g03401P").unwrap();
        assert_eq!(replay.start, "0100/0000/0000/2000");
        assert_eq!(replay.steps, [(Direction::Right, Spawn { cell: 7, rank: 1, hint: 0 })]);
        assert_eq!(write(&replay).unwrap(), "4x4-_00g03401P");
        assert_eq!(symbols().count(), 128);
        assert!(read("4x4-_00g034P").unwrap_err().to_string().contains("at character 12"));
        assert!(read("2x2-_00g034").unwrap_err().to_string().contains("row 3"));
        assert!(!begins("9x9-_000") && !begins("4x4_") && !begins("4x4-"));
    }
}
