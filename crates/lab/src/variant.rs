//! Options that make a variant of a game, as recipes, replays, shards and requests write them.

use afterstate::game::catalogue::{AnyGame, CatalogueError, GameSpec};
use afterstate::game::twenty48::{SpawnError, SpawnTable};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Options that make variants of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Variant {
    /// Tiles on the board at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_tiles: Option<usize>,
    /// New tiles with their probabilities, `2:.9,4:.1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spawn: Option<String>,
    /// The tile that no longer merges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merge_cap: Option<u64>,
}

/// Reason why a game cannot be configured.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VariantError {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] CatalogueError),
    /// The new tiles cannot be understood.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
}

impl Variant {
    /// The options in which a game differs from the usual one.
    pub fn of(spec: &GameSpec) -> Self {
        Self {
            start_tiles: spec.start_tiles,
            spawn: spec.spawn.as_ref().map(spawn_text),
            merge_cap: spec.merge_cap,
        }
    }

    /// The game of this name with these options.
    ///
    /// ```
    /// use afterstate_lab::variant::Variant;
    /// let variant = Variant { merge_cap: Some(2048), ..Variant::default() };
    /// let spec = variant.spec("2048-3x3").unwrap();
    /// assert_eq!((spec.name(), Variant::of(&spec)), ("2048-3x3".into(), variant));
    /// ```
    pub fn spec(&self, name: &str) -> Result<GameSpec, VariantError> {
        self.apply(GameSpec::parse(name)?)
    }

    fn apply(&self, spec: GameSpec) -> Result<GameSpec, VariantError> {
        let spawn = self.spawn.as_deref().map(SpawnTable::parse).transpose()?;
        Ok(GameSpec { start_tiles: self.start_tiles, spawn, merge_cap: self.merge_cap, ..spec })
    }

    /// These options, and others where nothing is said.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self {
            start_tiles: self.start_tiles.or(other.start_tiles),
            spawn: self.spawn.clone().or_else(|| other.spawn.clone()),
            merge_cap: self.merge_cap.or(other.merge_cap),
        }
    }
}

/// A game with its variant, so that two can be told apart.
pub fn game_name(id: &str, variant: &Variant) -> String {
    let mut name = id.to_string();
    let parts = [
        variant.start_tiles.map(|n| format!("{n} start tiles")),
        variant.spawn.as_ref().map(|spawn| format!("spawn {spawn}")),
        variant.merge_cap.map(|cap| format!("merge cap {cap}")),
    ];
    parts.into_iter().flatten().for_each(|part| name += &format!(" ({part})"));
    name
}

/// A game with its options, parsed and built once.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfiguredGame {
    /// Its entry in the catalogue, options included.
    pub spec: GameSpec,
    /// Its options as they were written.
    pub variant: Variant,
    /// The rules themselves.
    pub rules: AnyGame,
}

impl ConfiguredGame {
    /// The game of this name with these options.
    pub fn parse(name: &str, variant: Variant) -> Result<Self, VariantError> {
        Self::new(GameSpec::parse(name)?, variant)
    }

    /// A game of the catalogue with these options.
    pub fn new(spec: GameSpec, variant: Variant) -> Result<Self, VariantError> {
        let spec = variant.apply(spec)?;
        Ok(Self { rules: spec.build()?, spec, variant })
    }

    /// The game with its variant, for people.
    pub fn described(&self) -> String {
        game_name(&self.spec.name(), &self.variant)
    }
}

/// A spawn table as it is typed, with nine decimals.
fn spawn_text(table: &SpawnTable) -> String {
    let share = |&(rank, weight): &(u8, u64)| {
        format!("{}:{:.9}", 1u64 << rank.min(63), weight as f64 / table.total() as f64)
    };
    table.tiles().iter().map(share).collect::<Vec<_>>().join(",")
}
