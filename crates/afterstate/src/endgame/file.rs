//! Tables as bytes: a few lines of text, the chances, a checksum.
//!
//! ```text
//! afterstate-endgame-v1
//! board 4x4
//! held ####/##../..../....
//! goal 9                       its rank
//! spawn 1:9 2:1                ranks and weights
//! boards 1914005548
//! (an empty line)
//! two bytes for each board, low byte first: the chance in parts of 65535
//! four bytes, low byte first: CRC-32 of all before
//! ```

use super::climb::{Climb, refused};
use super::formation::Formation;
use crate::budget::{OutOfMemory, Reserved};
use crate::game::twenty48::SpawnTable;
use crate::grid::Shape;
use crc32fast::Hasher;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use thiserror::Error;

/// The first line.
const MAGIC: &str = "afterstate-endgame-v1";
/// A header is no longer than this.
const HEADER: u64 = 1024;
/// Bytes read or written together.
const CHUNK: usize = 1 << 16;

/// Why a table cannot be read or written.
#[derive(Debug, Error)]
pub enum FileError {
    /// It is something else.
    #[error("it is no endgame table: it does not begin with '{MAGIC}'")]
    Foreign,
    /// The header makes no sense; the line.
    #[error("its header says '{}', which makes no sense", .0.escape_debug())]
    Header(String),
    /// It ends too early.
    #[error("it ends too early; make the table again")]
    Truncated,
    /// Its checksum does not match.
    #[error("it is damaged: its checksum does not match; make the table again")]
    Damaged,
    /// Something follows its end.
    #[error("something follows the end of the table; copy it again, or make the table again")]
    Trailing,
    /// There is no memory for it.
    #[error("{0}")]
    Memory(OutOfMemory),
    /// Reading or writing failed.
    #[error("{0}")]
    Io(#[source] io::Error),
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        if error.kind() == ErrorKind::UnexpectedEof { Self::Truncated } else { Self::Io(error) }
    }
}

/// Writes a table.
pub fn write(climb: &Climb, out: &mut impl Write) -> io::Result<()> {
    let formation = climb.formation();
    let spawn: Vec<String> =
        climb.spawn().tiles().iter().map(|(rank, weight)| format!("{rank}:{weight}")).collect();
    let header = format!(
        "{MAGIC}\nboard {}\nheld {formation}\ngoal {}\nspawn {}\nboards {}\n\n",
        formation.shape(),
        formation.goal(),
        spawn.join(" "),
        climb.values().len()
    );
    let mut crc = Hasher::new();
    crc.update(header.as_bytes());
    out.write_all(header.as_bytes())?;
    let mut bytes = Vec::with_capacity(CHUNK);
    for values in climb.values().chunks(CHUNK / 2) {
        bytes.clear();
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        crc.update(&bytes);
        out.write_all(&bytes)?;
    }
    out.write_all(&crc.finalize().to_le_bytes())
}

/// Header of a table: its formation, the tiles that appear, the number of boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Tiles that stay.
    pub formation: Formation,
    /// Tiles that appear.
    pub spawn: SpawnTable,
    /// Number of boards, of two bytes each.
    pub boards: u64,
}

/// Reads the header alone.
pub fn read_header(input: &mut impl BufRead) -> Result<Header, FileError> {
    header(input, &mut Hasher::new())
}

/// Reads a table.
pub fn read(input: &mut impl BufRead) -> Result<Climb, FileError> {
    let mut crc = Hasher::new();
    let Header { formation, spawn, boards } = header(input, &mut crc)?;
    let mut values: Vec<u16> = Vec::new();
    let mut reserved = Reserved::default();
    let mut bytes = vec![0; CHUNK];
    let mut left = boards.saturating_mul(2);
    while left > 0 {
        let some = &mut bytes[..left.min(CHUNK as u64) as usize];
        input.read_exact(some)?;
        crc.update(some);
        // Grows with what is there: a short file that promises billions of boards takes no memory
        // for them.
        if values.len() + some.len() / 2 > values.capacity() {
            let more = values.len().max(CHUNK).min((boards as usize).saturating_sub(values.len()));
            reserved.grow(2 * more as u64).map_err(FileError::Memory)?;
            values.try_reserve_exact(more).map_err(|_| FileError::Memory(refused(more)))?;
        }
        values.extend(some.as_chunks::<2>().0.iter().map(|&pair| u16::from_le_bytes(pair)));
        left -= some.len() as u64;
    }
    let mut stored = [0; 4];
    input.read_exact(&mut stored)?;
    if u32::from_le_bytes(stored) != crc.finalize() {
        return Err(FileError::Damaged);
    }
    if input.read(&mut [0])? > 0 {
        return Err(FileError::Trailing);
    }
    Climb::of_values(formation, spawn, values, reserved)
        .ok_or_else(|| FileError::Header(format!("boards {boards}")))
}

fn header(input: &mut impl BufRead, crc: &mut Hasher) -> Result<Header, FileError> {
    let mut input = input.take(HEADER);
    let mut line = |crc: &mut Hasher| -> Result<String, FileError> {
        let mut bytes = Vec::new();
        input.read_until(b'\n', &mut bytes)?;
        crc.update(&bytes);
        if bytes.pop() != Some(b'\n') {
            return Err(FileError::Truncated);
        }
        String::from_utf8(bytes).map_err(|wrong| {
            FileError::Header(String::from_utf8_lossy(wrong.as_bytes()).chars().take(80).collect())
        })
    };
    if line(crc)
        .map_err(|error| if matches!(error, FileError::Io(_)) { error } else { FileError::Foreign })?
        != MAGIC
    {
        return Err(FileError::Foreign);
    }
    let mut fact = |word: &str| -> Result<(String, String), FileError> {
        let line = line(crc)?;
        let wrong = || FileError::Header(line.clone());
        let value = line.strip_prefix(word).and_then(|rest| rest.strip_prefix(' ')).ok_or_else(wrong)?;
        Ok((value.to_owned(), line.clone()))
    };
    let (board, board_line) = fact("board")?;
    let (held, held_line) = fact("held")?;
    let (goal, goal_line) = fact("goal")?;
    let (tiles, spawn_line) = fact("spawn")?;
    let (boards, boards_line) = fact("boards")?;
    let (rows, cols) = board.split_once('x').ok_or_else(|| FileError::Header(board_line.clone()))?;
    let sides = rows.parse().ok().zip(cols.parse().ok());
    let shape = sides.and_then(|(rows, cols)| Shape::new(rows, cols)).ok_or(FileError::Header(board_line))?;
    let goal: u8 = goal.parse().map_err(|_| FileError::Header(goal_line))?;
    let formation = Formation::parse(shape, &held, goal).ok_or(FileError::Header(held_line))?;
    let tile = |text: &str| {
        let (rank, weight) = text.split_once(':')?;
        Some((rank.parse().ok()?, weight.parse().ok()?))
    };
    let tiles: Option<Vec<(u8, u64)>> = tiles.split(' ').map(tile).collect();
    let spawn = tiles.and_then(|tiles| SpawnTable::new(tiles).ok()).ok_or(FileError::Header(spawn_line))?;
    let boards: u64 = boards.parse().map_err(|_| FileError::Header(boards_line.clone()))?;
    if Climb::boards(&formation) != Some(boards) || boards > u64::from(u32::MAX) {
        return Err(FileError::Header(boards_line));
    }
    match line(crc)?.as_str() {
        "" => Ok(Header { formation, spawn, boards }),
        other => Err(FileError::Header(other.to_owned())),
    }
}
