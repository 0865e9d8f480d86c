//! JSON types of the server alone; the others are in [`afterstate_lab::api`]. The fields are the
//! contract; add, never rename.

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// One entry of `GET /api/v1/runs`.
#[derive(Serialize)]
pub(crate) struct Run {
    /// Its directory below the directory of runs.
    pub(crate) name: String,
    pub(crate) games: Option<u64>,
    pub(crate) mean: Option<f64>,
    /// True if a process works in it.
    pub(crate) active: bool,
    /// When its log last grew, in seconds since 1970.
    pub(crate) changed: u64,
    pub(crate) report: bool,
}

/// `GET /api/v1/runs/{run}`.
#[derive(Serialize)]
pub(crate) struct RunDetails {
    pub(crate) name: String,
    pub(crate) config: String,
    pub(crate) meta: serde_json::Value,
    /// Files that may be fetched: `report.html`, `figures/…`.
    pub(crate) files: Vec<String>,
    /// The game it learned.
    pub(crate) game: Option<String>,
    /// The name under which its model can be asked to play, once it has one.
    pub(crate) model: Option<String>,
}

/// The beginning of names of models that runs ended with: `run:NAME`.
pub(crate) const RUN: &str = "run:";

/// Query of `/move` and `/analyze`. Clients add keys of their own, which are ignored.
#[derive(Deserialize)]
pub(crate) struct ClassicMove {
    pub(crate) board: Option<String>,
    #[serde(rename = "move")]
    pub(crate) direction: Option<String>,
}

/// An evaluation without its games, which are never in memory: every single one is more than a page
/// wants to know.
pub(crate) struct WithoutGames(pub(crate) Map<String, Value>);

impl<'de> Deserialize<'de> for WithoutGames {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = WithoutGames;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an evaluation")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<WithoutGames, A::Error> {
                let mut found = Map::new();
                while let Some(key) = map.next_key::<String>()? {
                    if key == "shard" {
                        map.next_value::<IgnoredAny>()?;
                    } else {
                        found.insert(key, map.next_value()?);
                    }
                }
                Ok(WithoutGames(found))
            }
        }
        from.deserialize_map(Fields)
    }
}
