//! What is known about a model: the words that travel with its weights.

use crate::recipe::Recipe;
use afterstate::learn::subject::Subject;
use std::collections::BTreeMap;

/// A network, what is known about it, and what learning keeps beside it.
pub use afterstate::network::file::Loaded as Model;

/// The game it plays, by its name in the catalogue.
pub const GAME: &str = "game";
/// How many games it was trained on.
pub const TRAINED_GAMES: &str = "trained_games";
/// The recipe it was trained by.
pub const RECIPE: &str = "recipe";
/// How its run stood, for whoever goes on with it.
pub const STATE: &str = "state";
/// The format of another program it was read from.
pub const ORIGIN: &str = "origin";
/// What a user should know.
pub const NOTE: &str = "note";

/// The recipe a model was trained by, if it says so and it can be read.
pub fn recipe(metadata: &BTreeMap<String, String>) -> Option<Recipe> {
    metadata.get(RECIPE).and_then(|text| Recipe::parse("recipe", text, &[]).ok())
}

/// What the values of a model are values of, by its recipe; afterstates where nothing is said.
pub fn subject(model: &Model) -> Subject {
    recipe(&model.metadata).map_or(Subject::Afterstates, |recipe| recipe.learning.values.into())
}
