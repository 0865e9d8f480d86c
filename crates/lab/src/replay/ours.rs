//! Our own: a line of JSON, as `evaluate --save` writes it.

use super::{Format, Replay, ReplayError};
use crate::variant::{Variant, VariantError};
use afterstate::episode::Spawn;
use afterstate::grid::Direction;
use serde::{Deserialize, Serialize};

/// The name and version of the format.
pub const FORMAT: &str = "afterstate-game-v1";

/// One line. What is not known is left out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReplayLine {
    /// [`FORMAT`].
    pub format: String,
    /// The catalogue name with the version of the rules.
    pub game: String,
    /// Options that make a variant of the game.
    #[serde(flatten)]
    pub variant: Variant,
    /// The player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// Seed of all chance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The number of the game under that seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// The start position in our notation.
    pub start: String,
    /// One letter per move: `u r d l`.
    pub moves: String,
    /// Outcome after each move: cell, rank of the new tile, next hint (0 in 2048).
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

/// The outcome of chance.
pub fn spawns(steps: &[(Direction, Spawn)]) -> Vec<[u8; 3]> {
    steps.iter().map(|(_, spawn)| [spawn.cell, spawn.rank, spawn.hint]).collect()
}

/// The moves of these letters, each with what chance did next.
pub fn steps(letters: &str, spawns: &[[u8; 3]]) -> Result<Vec<(Direction, Spawn)>, String> {
    let moves =
        letters.chars().map(|c| Direction::parse(c.encode_utf8(&mut [0; 4]))).collect::<Option<Vec<_>>>();
    let moves = moves.ok_or("moves are letters u, r, d and l")?;
    if moves.len() != spawns.len() {
        return Err(format!("{} moves but {} spawns; every move needs one", moves.len(), spawns.len()));
    }
    let spawns = spawns.iter().map(|&[cell, rank, hint]| Spawn { cell, rank, hint });
    Ok(moves.into_iter().zip(spawns).collect())
}

/// Reads a line.
pub fn read(line: &str) -> Result<Replay, ReplayError> {
    let wrong = |at, what: String| ReplayError::Wrong { format: Format::Ours, at, what };
    let found: ReplayLine =
        serde_json::from_str(line).map_err(|error| wrong(error.column(), error.to_string()))?;
    if found.format != FORMAT {
        return Err(wrong(1, format!("its format is '{}', this program knows {FORMAT}", found.format)));
    }
    let game = found.variant.spec(&found.game).map_err(|error| match error {
        VariantError::Game(error) => error.into(),
        VariantError::Spawn(error) => wrong(1, error.to_string()),
    })?;
    let steps = steps(&found.moves, &found.spawns).map_err(|what| wrong(1, what))?;
    Ok(Replay {
        game,
        start: found.start,
        steps,
        player: found.player,
        chance: found.seed.zip(found.index).map(|(seed, index)| [seed, index]),
    })
}

/// Writes a line.
pub fn write(replay: &Replay) -> String {
    let id = replay.game.build().map_or_else(|_| replay.game.name(), |game| game.id());
    let line = ReplayLine {
        format: FORMAT.into(),
        game: id,
        variant: Variant::of(&replay.game),
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
