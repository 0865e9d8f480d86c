//! Reading a recipe, with errors that point at the line and suggest the right key.

use super::Recipe;
use afterstate::game::catalogue::distance;
use std::fmt;
use toml::{Table, Value};

/// Why a recipe was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecipeError(pub(super) String);

impl fmt::Display for RecipeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RecipeError {}

impl Recipe {
    /// Reads a recipe from `text`, called `name` in errors, and applies overrides like `learning.beta=0.5`.
    pub fn parse(name: &str, text: &str, sets: &[String]) -> Result<Self, RecipeError> {
        // First as it stands, so that an error can point into the text.
        let whole: Self = toml::from_str(text).map_err(|error| explain(name, text, &error))?;
        let mut table: Table = toml::from_str(text).map_err(|error| explain(name, text, &error))?;
        let whole: Table = whole.to_toml().parse().expect("a recipe writes itself as TOML");
        for set in sets {
            apply(&mut table, &whole, set)?;
        }
        let mut recipe = Self::deserialize_table(table).map_err(|error| {
            let error = suggest(error.message());
            RecipeError(format!("--set {}: {error}", sets.join(" --set ")))
        })?;
        let older = std::mem::take(&mut recipe.network.stages);
        if !older.is_empty() {
            recipe.stages.split = older.join(" ");
        }
        Ok(recipe)
    }

    fn deserialize_table(table: Table) -> Result<Self, toml::de::Error> {
        table.try_into()
    }

    /// The recipe with every choice written out.
    pub fn to_toml(&self) -> String {
        toml::to_string_pretty(self).expect("a recipe is plain data")
    }
}

/// Replaces one value: `a.b=c`, `c` as TOML where that makes sense, else as a string.
///
/// `whole` is the recipe with every choice written out: it tells that 2048 is the name of a game.
fn apply(table: &mut Table, whole: &Table, set: &str) -> Result<(), RecipeError> {
    let wrong = |what: &str| RecipeError(format!("--set {set}: {what}; write it like learning.beta=0.5"));
    let (path, text) = set.split_once('=').ok_or_else(|| wrong("no '=' in it"))?;
    let (path, text) = (path.trim(), text.trim());
    let value = toml::from_str::<Table>(&format!("v = {text}"))
        .ok()
        .and_then(|mut parsed| parsed.remove("v"))
        .unwrap_or_else(|| Value::String(text.into()));
    let mut keys: Vec<&str> = path.split('.').collect();
    let last = keys.pop().filter(|key| !key.is_empty()).ok_or_else(|| wrong("no key before the '='"))?;
    let (mut at, mut written) = (table, Some(whole));
    for key in keys {
        written = written.and_then(|table| table.get(key)?.as_table());
        at = at
            .entry(key)
            .or_insert_with(|| Value::Table(Table::new()))
            .as_table_mut()
            .ok_or_else(|| wrong(&format!("'{key}' is not a table")))?;
    }
    // 1 is as good as 1.0 where a recipe has a fraction, and 2048 as "2048" where it has a text.
    let value = match (written.and_then(|table| table.get(last)), value) {
        (Some(Value::Float(_)), Value::Integer(whole)) => Value::Float(whole as f64),
        (Some(Value::String(_)), Value::Integer(_) | Value::Float(_)) => Value::String(text.into()),
        (_, value) => value,
    };
    at.insert(last.into(), value);
    Ok(())
}

/// `name:line: message`, in one line.
fn explain(name: &str, text: &str, error: &toml::de::Error) -> RecipeError {
    let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
    RecipeError(format!("{name}:{line}: {}", suggest(error.message())))
}

/// Adds "did you mean" to a message about an unknown key or value.
fn suggest(message: &str) -> String {
    let message = message.split('\n').next().unwrap_or(message);
    let mut quoted = message.split('`').skip(1).step_by(2);
    let unknown = message.starts_with("unknown");
    match (unknown, quoted.next()) {
        (true, Some(wrong)) => match quoted.min_by_key(|right| distance(wrong, right)) {
            Some(right) => format!("{message}; did you mean `{right}`?"),
            None => message.into(),
        },
        _ => message.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "game = \"2048\"\n[network]\npatterns = \"4x6\"\n[run]\ngames = 10\n";

    fn error(text: &str, sets: &[&str]) -> String {
        let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
        Recipe::parse("mine.toml", text, &sets).unwrap_err().to_string()
    }

    #[test]
    fn errors_point_at_the_line_and_suggest() {
        let unknown = error(&format!("{SMALL}gamess = 3\n"), &[]);
        assert!(unknown.starts_with("mine.toml:6: unknown field `gamess`"), "{unknown}");
        assert!(unknown.ends_with("did you mean `games`?"), "{unknown}");
        let wrong_type = error(&SMALL.replace("10", "\"ten\""), &[]);
        assert!(wrong_type.starts_with("mine.toml:5: invalid type"), "{wrong_type}");
        let wrong_value = error(&format!("{SMALL}[learning]\nstep = \"coherent\"\n"), &[]);
        assert!(wrong_value.contains("did you mean `coherence`?"), "{wrong_value}");
        assert!(error("[run\n", &[]).starts_with("mine.toml:1:"));
    }

    #[test]
    fn overrides_replace_values_and_are_checked() {
        let sets =
            ["run.games=20", "learning.beta=1", "learning.step=coherence", "network.features=[\"empty\"]"];
        let recipe = Recipe::parse("m", SMALL, &sets.map(String::from)).unwrap();
        assert_eq!((recipe.run.games, recipe.learning.beta), (20, 1.0));
        assert_eq!(recipe.network.features, ["empty"]);
        let sets = ["game=1024", "network.patterns=4567"].map(String::from);
        let numbers = Recipe::parse("m", &SMALL.replace("game = \"2048\"\n", ""), &sets).unwrap();
        assert_eq!((numbers.game.as_str(), numbers.network.patterns.as_str()), ("1024", "4567"));
        assert!(error(SMALL, &["learning.bet=1"]).contains("did you mean `beta`?"));
        assert!(error(SMALL, &["games"]).contains("no '='"));
        assert!(error(SMALL, &["game.x=1"]).contains("'game' is not a table"));
        assert!(error(SMALL, &["run.games=many"]).contains("invalid type"));
    }

    #[test]
    fn a_resolved_recipe_reads_back_as_itself() {
        let recipe = Recipe::parse("m", SMALL, &[]).unwrap();
        assert_eq!(Recipe::parse("m", &recipe.to_toml(), &[]).unwrap(), recipe);
    }
}
