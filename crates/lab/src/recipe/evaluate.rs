//! Games played without learning: in between, and when learning is over.

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// Games played in between without learning: train `every` games, evaluate, and again
/// (Mayer-Hirshfeld's sequences).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Evaluate {
    /// After how many training games; 0 for never.
    pub every: u64,
    /// Number of games, at every ply or for each of them.
    pub games: PerPly,
    /// Moves to look ahead, once for each.
    pub plies: Vec<u8>,
}

impl Default for Evaluate {
    fn default() -> Self {
        Self { every: 0, games: PerPly::Same(200), plies: vec![1] }
    }
}

/// Games played when learning is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Final {
    /// Number of games, at every ply or for each of them. If not given, as many as evaluations in
    /// between have, and 1,000 in a sweep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<PerPly>,
    /// Moves to look ahead, once for each.
    pub plies: Vec<u8>,
}

impl Default for Final {
    fn default() -> Self {
        Self { games: None, plies: vec![1] }
    }
}

impl Final {
    /// True if nothing is set.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A number of games, the same at every ply or one for each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PerPly {
    /// `games = 200`.
    Same(u64),
    /// `games = [1000, 100]`.
    Each(Vec<u64>),
}

impl PerPly {
    /// The number of games at the ply that is listed at this place.
    pub fn at(&self, place: usize) -> u64 {
        match self {
            Self::Same(games) => *games,
            Self::Each(games) => games.get(place).copied().unwrap_or(0),
        }
    }

    /// Defect of these games at these plies.
    pub(super) fn check(&self, plies: &[u8]) -> Result<(), String> {
        match self {
            Self::Each(games) if games.len() != plies.len() => Err(format!(
                "{} numbers of games for {} plies; give one number for all, or one for each",
                games.len(),
                plies.len()
            )),
            _ => Ok(()),
        }
    }
}

impl<'de> Deserialize<'de> for PerPly {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Games;
        impl<'de> Visitor<'de> for Games {
            type Value = PerPly;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of games, or a list with one for each ply")
            }

            fn visit_u64<E: de::Error>(self, games: u64) -> Result<PerPly, E> {
                Ok(PerPly::Same(games))
            }

            fn visit_i64<E: de::Error>(self, games: i64) -> Result<PerPly, E> {
                let wrong = || E::invalid_value(de::Unexpected::Signed(games), &self);
                u64::try_from(games).map(PerPly::Same).map_err(|_| wrong())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<PerPly, A::Error> {
                let mut games = Vec::new();
                while let Some(next) = list.next_element()? {
                    games.push(next);
                }
                Ok(PerPly::Each(games))
            }
        }
        deserializer.deserialize_any(Games)
    }
}
