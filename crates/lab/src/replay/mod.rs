//! Games that were played, in the formats of the programs that keep them: one game per line.
//!
//! | format | a line looks like | holds |
//! |---|---|---|
//! | [`ours`] | `{"format":"afterstate-game-v1",…}` | every game, with player and seed |
//! | [`league`] | 2048league and old 2048verse: one symbol per move | 2048 on up to 4×4, two start tiles |
//! | [`verse`] | 2048verse: `4x4-…_` and three symbols per move | 2048 on up to 8×8, two start tiles |
//! | [`episode`] | course frameworks: `tag@ms\|01120#U23#R…\|tag@ms` | 2048 and Threes on up to 36 cells |

pub mod episode;
pub mod league;
pub mod ours;
pub mod verse;

use afterstate::episode::{self as episode_of, Record, Spawn};
use afterstate::game::catalogue::{CatalogueError, Family, GameSpec};
use afterstate::game::{Game, notation};
use afterstate::grid::{Direction, Shape};
use std::path::Path;
use thiserror::Error;

/// A game that was played: where it started, every move, and what chance did.
#[derive(Clone, PartialEq, Debug)]
pub struct Replay {
    /// The game, with its options.
    pub game: GameSpec,
    /// The start position in our notation.
    pub start: String,
    /// Each move with what chance did next.
    pub steps: Vec<(Direction, Spawn)>,
    /// The player, where the format names it.
    pub player: Option<String>,
    /// The seed of all chance and the number of the game under it.
    pub chance: Option<[u64; 2]>,
}

/// A format of replays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Our own lines of JSON.
    Ours,
    /// 2048league, old 2048verse.
    League,
    /// Current 2048verse.
    Verse,
    /// The course frameworks' episodes.
    Episode,
}

impl Format {
    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ours => "afterstate game record",
            Self::League => "2048league replay",
            Self::Verse => "2048verse replay",
            Self::Episode => "course episode",
        }
    }

    /// The format a file name asks for; `None` if it is not the name of a replay.
    pub fn of_name(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "jsonl" => Some(Self::Ours),
            "league" => Some(Self::League),
            "verse" => Some(Self::Verse),
            "episode" | "episodes" => Some(Self::Episode),
            _ => None,
        }
    }

    /// The format of a line. Almost any text is a [`Format::League`] replay: ask for positions
    /// first.
    pub fn of_line(line: &str) -> Option<Self> {
        match line {
            _ if line.trim_start().starts_with("{\"") && line.contains("\":") => Some(Self::Ours),
            _ if verse::begins(line) => Some(Self::Verse),
            _ if episode::begins(line) => Some(Self::Episode),
            _ if league::begins(line) => Some(Self::League),
            _ => None,
        }
    }
}

/// Why a replay could not be read or written.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// A line of no format we know.
    #[error("it is no replay; known are saved games of our own, 2048league, 2048verse and course episodes")]
    Unknown,
    /// Something in the line that cannot be.
    #[error("{format}: at character {at}: {what}", format = format.name())]
    Wrong {
        /// The format it was taken for.
        format: Format,
        /// Number of the character, from 1.
        at: usize,
        /// The defect, and what would be right.
        what: String,
    },
    /// The game it names does not exist.
    #[error(transparent)]
    Game(#[from] CatalogueError),
    /// Its start position is none of the game.
    #[error("its start position: {0}")]
    Start(#[from] notation::NotationError),
    /// A move or a tile that the rules of its game do not allow.
    #[error(transparent)]
    Rules(#[from] episode_of::ReplayError),
    /// A format that has no room for something in the game.
    #[error("a {} cannot hold {what}; write .jsonl instead", format.name())]
    CannotHold {
        /// The format.
        format: Format,
        /// Property that the format cannot hold.
        what: String,
    },
}

impl Replay {
    /// The record of a game; a usual way to make a replay.
    pub fn of<G: Game>(game: &G, spec: GameSpec, record: &Record<G::State>) -> Self {
        let start = record.start.map(|start| notation::write(game, &start)).unwrap_or_default();
        Self { game: spec, start, steps: record.steps.clone(), player: None, chance: None }
    }

    /// An error if the game could not have been played by its rules.
    pub fn check(&self) -> Result<(), ReplayError> {
        let game = self.game.build()?;
        afterstate::with_game!(&game, game => {
            episode_of::replay(game, &self.record(game)?)?;
        });
        Ok(())
    }

    /// The record that the library plays again; the rules are not checked yet.
    pub fn record<G: Game>(&self, game: &G) -> Result<Record<G::State>, ReplayError> {
        Ok(Record { start: Some(notation::read(game, &self.start)?), steps: self.steps.clone() })
    }
}

/// Reads one line. `game` says which game it is, where the format does not.
pub fn read(line: &str, game: Option<&GameSpec>) -> Result<(Replay, Format), ReplayError> {
    let format = Format::of_line(line).ok_or(ReplayError::Unknown)?;
    let replay = match format {
        Format::Ours => ours::read(line)?,
        Format::League => league::read(line)?,
        Format::Verse => verse::read(line)?,
        Format::Episode => episode::read(line, game)?,
    };
    // Nearly every text has the form of this format; hardly any is a game.
    if format == Format::League && !league::has_header(line) && !begins_as_a_game(&replay) {
        return Err(ReplayError::Unknown);
    }
    Ok((replay, format))
}

/// Moves within which a text that is no game breaks the rules.
const TELLING: usize = 24;

/// True if the first moves obey the rules.
fn begins_as_a_game(replay: &Replay) -> bool {
    match replay.check() {
        Err(ReplayError::Rules(
            episode_of::ReplayError::Illegal { number, .. }
            | episode_of::ReplayError::Impossible { number, .. },
        )) => number > TELLING,
        Err(_) => false,
        Ok(()) => true,
    }
}

/// Writes one line, without its end.
pub fn write(replay: &Replay, format: Format) -> Result<String, ReplayError> {
    match format {
        Format::Ours => Ok(ours::write(replay)),
        Format::League => league::write(replay),
        Format::Verse => verse::write(replay),
        Format::Episode => episode::write(replay),
    }
}

/// A tile on a cell.
pub(crate) type Placed = (usize, u8);

/// A start position of 2048 with these tiles; the first mistake by its number.
pub(crate) fn start_of(shape: Shape, tiles: &[Placed]) -> Result<String, usize> {
    let mut cells = vec![0; shape.cells()];
    for (i, &(cell, rank)) in tiles.iter().enumerate() {
        match cells.get_mut(cell) {
            Some(free @ 0) => *free = rank,
            _ => return Err(i),
        }
    }
    Ok(notation::ranks(shape, &cells))
}

/// The tiles of a game of plain 2048 that has two of them at its start, cell by cell.
pub(crate) fn two_tiles(replay: &Replay, format: Format) -> Result<[Placed; 2], ReplayError> {
    let refuse = |what: String| ReplayError::CannotHold { format, what };
    if replay.game.family != Family::Twenty48 {
        return Err(refuse(format!("a game of {}", replay.game.name())));
    }
    let tiles = tiles(replay)?;
    match tiles[..] {
        [first, second] => Ok([first, second]),
        _ => Err(refuse(format!("{} start tiles, only 2", tiles.len()))),
    }
}

/// The tiles of a start position, cell by cell.
pub(crate) fn tiles(replay: &Replay) -> Result<Vec<Placed>, ReplayError> {
    let game = replay.game.build()?;
    let cells = afterstate::with_game!(&game, game => {
        let state = notation::read(game, &replay.start)?;
        game.state_view(&state).cells[..game.shape().cells()].to_vec()
    });
    Ok(cells.into_iter().enumerate().filter(|&(_, rank)| rank > 0).collect())
}
