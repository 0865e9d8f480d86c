//! Our own: a line of JSON, as `evaluate --save` writes it.

use super::{Format, Replay, ReplayError};
use afterstate::episode::Spawn;
use afterstate::game::catalogue::GameSpec;
use afterstate::game::twenty48::SpawnTable;
use afterstate::grid::Direction;
use serde::{Deserialize, Serialize};

/// The name and version of the format.
pub const FORMAT: &str = "afterstate-game-v1";

/// One line. What is not known is left out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// [`FORMAT`].
    pub format: String,
    /// The catalogue name with the version of the rules.
    pub game: String,
    /// Options that make a variant of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_tiles: Option<usize>,
    /// The same: `2:.9,4:.1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spawn: Option<String>,
    /// The same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merge_cap: Option<u64>,
    /// Who played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// What all chance derived from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The number of the game under that seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// The start position in our notation.
    pub start: String,
    /// One letter per move: `u r d l`.
    pub moves: String,
    /// What chance did after each move: cell, rank of the new tile, next hint (0 in 2048).
    pub spawns: Vec<[u8; 3]>,
    /// The points at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<u64>,
    /// The label of the largest tile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub largest: Option<u64>,
}

/// The letters of moves.
pub fn letters(steps: &[(Direction, Spawn)]) -> String {
    steps.iter().map(|(direction, _)| &direction.name()[..1]).collect()
}

/// What chance did.
pub fn spawns(steps: &[(Direction, Spawn)]) -> Vec<[u8; 3]> {
    steps.iter().map(|(_, spawn)| [spawn.cell, spawn.rank, spawn.hint]).collect()
}

/// Reads a line.
pub fn read(line: &str) -> Result<Replay, ReplayError> {
    let wrong = |at, what: String| ReplayError::Wrong { format: Format::Ours, at, what };
    let found: Line = serde_json::from_str(line).map_err(|error| wrong(error.column(), error.to_string()))?;
    if found.format != FORMAT {
        return Err(wrong(1, format!("its format is '{}', this program knows {FORMAT}", found.format)));
    }
    let mut game = GameSpec::parse(&found.game)?;
    game.start_tiles = found.start_tiles;
    game.merge_cap = found.merge_cap;
    let spawn = found.spawn.as_deref().map(SpawnTable::parse).transpose();
    game.spawn = spawn.map_err(|error| wrong(1, error.to_string()))?;
    let moves = found.moves.chars().map(|c| Direction::parse(&c.to_string())).collect::<Option<Vec<_>>>();
    let moves = moves.ok_or_else(|| wrong(1, "moves are letters u, r, d and l".into()))?;
    if moves.len() != found.spawns.len() {
        let what = format!("{} moves but {} spawns; it was cut short", moves.len(), found.spawns.len());
        return Err(wrong(1, what));
    }
    let spawns = found.spawns.iter().map(|&[cell, rank, hint]| Spawn { cell, rank, hint });
    Ok(Replay {
        game,
        start: found.start,
        steps: moves.into_iter().zip(spawns).collect(),
        player: found.player,
        chance: found.seed.zip(found.index).map(|(seed, index)| [seed, index]),
    })
}

/// A spawn table as it is typed, with nine decimals.
pub fn spawn_text(table: &SpawnTable) -> String {
    let share = |&(rank, weight): &(u8, u64)| {
        format!("{}:{:.9}", 1u64 << rank.min(63), weight as f64 / table.total() as f64)
    };
    table.tiles().iter().map(share).collect::<Vec<_>>().join(",")
}

/// Writes a line.
pub fn write(replay: &Replay) -> String {
    let id = replay.game.build().map_or_else(|_| replay.game.name(), |game| game.id());
    let line = Line {
        format: FORMAT.into(),
        game: id,
        start_tiles: replay.game.start_tiles,
        spawn: replay.game.spawn.as_ref().map(spawn_text),
        merge_cap: replay.game.merge_cap,
        player: replay.player.clone(),
        seed: replay.chance.map(|[seed, _]| seed),
        index: replay.chance.map(|[_, index]| index),
        start: replay.start.clone(),
        moves: letters(&replay.steps),
        spawns: spawns(&replay.steps),
        score: None,
        largest: None,
    };
    serde_json::to_string(&line).unwrap_or_default()
}
