//! `recipes`: the list of built-in recipes.

use crate::{cli, failure, output};
use afterstate_lab::recipe::{BUILT_IN, BuiltIn};

pub(crate) fn run(args: &cli::Recipes) -> anyhow::Result<()> {
    if let Some(name) = &args.show {
        return output::text(BuiltIn::find(name).map_err(failure::usage)?.text);
    }
    let width = BUILT_IN.iter().map(|built_in| built_in.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for built_in in BUILT_IN {
        let recipe = built_in.recipe(&[])?;
        text += &format!("{:<width$}  {}\n", built_in.name, recipe.about);
    }
    output::text(&text)
}
