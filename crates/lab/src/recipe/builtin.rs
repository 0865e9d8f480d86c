//! The recipes that come with the program, from the directory `recipes/`.

use super::{Recipe, RecipeError};

/// A recipe that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! built_in {
    ($($name:literal)*) => {
        /// All built-in recipes.
        pub const BUILT_IN: &[BuiltIn] = &[
            $(BuiltIn { name: $name, text: include_str!(concat!(env!("AFTERSTATE_RECIPES"), "/", $name, ".toml")) }),*
        ];
    };
}

built_in! {
    // To begin with, and the classic ways to learn.
    "quick" "td-4x6" "tc-4x6" "tc-8x6" "tc0-4x6" "tc0-8x6" "otd-8x6" "delayed-tc-4x6"
    // Strong players.
    "strong-8x6" "strong-8x6-2stage" "strong-8x6-4stage" "strong-8x6-credit"
    "strong-8x6-10stage" "strong-8x6-13stage"
    "goals-2048-1" "goals-2048-2" "goals-2048-3" "goals-2048-4" "goals-2048-2x4" "goals-2048-3x3"
    "strong-threes" "strong-threes-hint"
    // Papers.
    "szubert2014-actions" "szubert2014-states" "szubert2014-afterstates" "szubert2014-large"
    "wu2014-2048-3stage"
    "yeh2016-2048-td" "yeh2016-2048-3stage" "yeh2016-2048-strategy1" "yeh2016-2048-strategy2"
    "yeh2016-2048-strategy3" "yeh2016-2048-strategy4" "yeh2016-2048-final"
    "yeh2016-2048-final-a" "yeh2016-2048-final-ab" "yeh2016-2048-final-abc"
    "yeh2016-threes-td" "yeh2016-threes-3stage" "yeh2016-threes-strategy1"
    "yeh2016-threes-strategy2" "yeh2016-threes-final"
    "lines-and-squares-td" "lines-and-squares-3stage"
    "lines-and-squares-threes-td" "lines-and-squares-threes-3stage"
    "jaskowski2016-4x6"
    "mayer-hirshfeld-4x4" "mayer-hirshfeld-5x5" "mayer-hirshfeld-6x6"
    // Other boards.
    "optimum-2x2" "optimum-2x3" "small-3x3" "small-3x3-searched" "small-4x3" "small-4x3-searched"
    "small-5x5" "small-6x6"
}

impl BuiltIn {
    /// The built-in recipe of this name.
    pub fn find(name: &str) -> Result<Self, RecipeError> {
        BUILT_IN.iter().copied().find(|recipe| recipe.name == name).ok_or_else(|| {
            RecipeError::new(format!(
                "there is no built-in recipe '{name}' and no such file (`recipes` lists them)"
            ))
        })
    }

    /// The recipe itself.
    pub fn recipe(self, sets: &[String]) -> Result<Recipe, RecipeError> {
        Recipe::parse(self.name, self.text, sets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_recipe_builds_says_what_it_is_for_and_fits_in_20_gib() {
        for built_in in BUILT_IN {
            let recipe = built_in.recipe(&[]).unwrap();
            let built = recipe.build().unwrap_or_else(|e| panic!("{}: {e}", built_in.name));
            assert!(recipe.about.len() > 20, "{} says nothing about itself", built_in.name);
            let bytes = recipe.learning.step.bytes();
            assert!(built.structure.places() as u64 * bytes < 20 << 30, "{} is too large", built_in.name);
        }
    }

    #[test]
    fn the_directory_and_the_list_agree() {
        let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../recipes");
        let mut files: Vec<String> = std::fs::read_dir(directory)
            .unwrap()
            .filter_map(|entry| {
                entry.unwrap().file_name().into_string().ok()?.strip_suffix(".toml").map(String::from)
            })
            .collect();
        files.sort();
        let mut names: Vec<&str> = BUILT_IN.iter().map(|recipe| recipe.name).collect();
        names.sort_unstable();
        assert_eq!(files, names);
    }
}
