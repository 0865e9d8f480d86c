//! Metadata of models: the words that travel with the weights.

use crate::recipe::Recipe;
use afterstate::learn::greedy::ValueKind;
use std::collections::BTreeMap;

/// A network, what is known about it, and what learning keeps beside it.
pub use afterstate::network::file::Loaded as Model;

/// The game it plays, by its name in the catalogue.
pub const GAME: &str = "game";
/// Number of training games.
pub const TRAINED_GAMES: &str = "trained_games";
/// The recipe it was trained by.
pub const RECIPE: &str = "recipe";
/// State of its run, for resuming.
pub const STATE: &str = "state";
/// The format of another program it was read from.
pub const ORIGIN: &str = "origin";
/// A note to users.
pub const NOTE: &str = "note";

/// The recipe a model was trained by, if it says so and it can be read.
pub fn recipe(metadata: &BTreeMap<String, String>) -> Option<Recipe> {
    metadata.get(RECIPE).and_then(|text| Recipe::parse("recipe", text, &[]).ok())
}

/// Kind of a model's values, by its recipe; afterstates by default.
pub fn value_kind(metadata: &BTreeMap<String, String>) -> ValueKind {
    recipe(metadata).map_or(ValueKind::Afterstates, |recipe| recipe.learning.values.into())
}
