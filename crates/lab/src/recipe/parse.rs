//! Reading a recipe, with errors that point at the line and suggest the right key.

use super::Recipe;
use afterstate::game::catalogue::distance;
use std::fmt;
use std::ops::Range;
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

/// Why a recipe was refused: where, about which key, what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecipeError {
    place: Option<String>,
    key: Option<String>,
    what: String,
}

impl RecipeError {
    /// Something about the recipe as a whole.
    pub(super) fn new(what: impl fmt::Display) -> Self {
        Self { place: None, key: None, what: what.to_string() }
    }

    /// Something about one key.
    pub(super) fn key(key: &str, what: impl fmt::Display) -> Self {
        Self { place: None, key: Some(key.into()), what: what.to_string() }
    }

    /// Adds the run of a sweep with these keys.
    pub(super) fn of_run<'a>(mut self, name: &str, mut keys: impl Iterator<Item = &'a str>) -> Self {
        if let Some(key) = self.key.take() {
            let swept = keys.any(|swept| swept == key);
            self.key = Some(if swept { format!("sweep.{key}") } else { key });
        }
        self.what += &format!(" (in the run {name})");
        self
    }

    /// Adds the line of the text, or the override that set the key.
    #[must_use]
    pub fn located(mut self, name: &str, text: &str, sets: &[String]) -> Self {
        let (None, Some(key)) = (&self.place, &self.key) else { return self };
        let sets_it = |set: &&String| set.split('=').next().is_some_and(|path| path.trim() == key);
        self.place = match sets.iter().rev().find(sets_it) {
            Some(set) => Some(format!("override {set}")),
            None => line_of(text, key).map(|line| format!("{name}:{line}")),
        };
        self
    }
}

impl fmt::Display for RecipeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in [&self.place, &self.key].into_iter().flatten() {
            write!(f, "{part}: ")?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for RecipeError {}

impl Recipe {
    /// Reads a recipe from `text`, called `name` in errors, and applies overrides like
    /// `learning.beta=0.5`.
    pub fn parse(name: &str, text: &str, sets: &[String]) -> Result<Self, RecipeError> {
        // First as it stands, so that an error can point into the text.
        let whole: Self = toml::from_str(text).map_err(|error| explain(name, text, &error))?;
        let mut table: Table = toml::from_str(text).map_err(|error| explain(name, text, &error))?;
        let whole: Table = whole.to_toml().parse().expect("a recipe writes itself as TOML");
        for set in sets {
            apply(&mut table, &whole, set)?;
            // One at a time, so that an error names the one.
            let read: Result<Self, toml::de::Error> = table.clone().try_into();
            read.map_err(|error| {
                RecipeError::new(format!("override {set}: {}", explained(error.message())))
            })?;
        }
        let mut recipe: Self =
            table.try_into().map_err(|error: toml::de::Error| explain(name, text, &error))?;
        let older = std::mem::take(&mut recipe.network.stages);
        if !older.is_empty() {
            recipe.stages.split = older.join(" ");
        }
        Ok(recipe)
    }

    /// The recipe with every choice written out.
    pub fn to_toml(&self) -> String {
        toml::to_string_pretty(self).expect("a recipe is plain data")
    }
}

/// Replaces one value: `a.b=c`, `c` as TOML where that makes sense, else as a string.
///
/// `whole` is the recipe with every choice written out: it tells that 2048 is the name of a game.
fn apply(table: &mut Table, whole: &Table, text: &str) -> Result<(), RecipeError> {
    let wrong =
        |what: &str| RecipeError::new(format!("override {text}: {what}; write it like learning.beta=0.5"));
    let (path, value) = text.split_once('=').ok_or_else(|| wrong("no '=' in it"))?;
    let (path, value) = (path.trim(), value.trim());
    let parsed = toml::from_str::<Table>(&format!("v = {value}")).ok().and_then(|mut read| read.remove("v"));
    // A number that TOML does not take, like .0025.
    let number = || value.strip_prefix('.').and(value.parse().ok()).map(Value::Float);
    let parsed = parsed.or_else(number).unwrap_or_else(|| Value::String(value.into()));
    set(table, whole, path, parsed, value).map_err(|what| wrong(&what))
}

/// Sets `a.b` in a table to a value that was written as `text`; what is wrong with the path
/// otherwise.
pub(super) fn set(
    table: &mut Table,
    whole: &Table,
    path: &str,
    value: Value,
    text: &str,
) -> Result<(), String> {
    let mut keys: Vec<&str> = path.split('.').collect();
    let last = keys.pop().filter(|key| !key.is_empty()).ok_or("no key before the '='")?;
    let (mut at, mut written) = (table, Some(whole));
    for key in keys {
        written = written.and_then(|table| table.get(key)?.as_table());
        at = at
            .entry(key)
            .or_insert_with(|| Value::Table(Table::new()))
            .as_table_mut()
            .ok_or_else(|| format!("'{key}' is not a table"))?;
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

/// `name:line: key: message`, in one line.
fn explain(name: &str, text: &str, error: &toml::de::Error) -> RecipeError {
    let at = error.span().map(|span| span.start.min(text.len()));
    let line = text[..at.unwrap_or(0)].matches('\n').count() + 1;
    // A wrong value says which key it is the value of; an unknown key names itself.
    let wrong_value = error.message().starts_with("invalid");
    let key = at.filter(|_| wrong_value).and_then(|at| key_at(text, at));
    RecipeError { place: Some(format!("{name}:{line}")), key, what: explained(error.message()) }
}

/// Meaning of a message of the parser, and what to do.
pub(super) fn explained(message: &str) -> String {
    let message = message.split('\n').next().unwrap_or(message);
    let mut quoted = message.split('`').skip(1).step_by(2);
    if message.starts_with("unknown")
        && let Some(wrong) = quoted.next()
    {
        let field = message.starts_with("unknown field");
        let elsewhere = table_of(wrong).filter(|_| field);
        return match (quoted.min_by_key(|right| distance(wrong, right)), elsewhere) {
            (Some(right), _) if distance(wrong, right) <= 1 => format!("{message}; did you mean `{right}`?"),
            (_, Some(table)) => {
                format!("`{wrong}` does not belong here; it is `{table}.{wrong}`, in the table [{table}]")
            }
            (Some(right), None) => format!("{message}; did you mean `{right}`?"),
            (None, None) => message.into(),
        };
    }
    if let Some(field) = message.strip_prefix("missing field ") {
        let field = field.trim_matches('`');
        let table = table_of(field).map(|table| format!("{table}.")).unwrap_or_default();
        return format!("{field} is missing; a recipe needs {table}{field}");
    }
    match message.split_once(", expected ") {
        Some((found, wanted)) if found.starts_with("invalid") => {
            let found = found.split_once(": ").map_or(found, |(_, found)| found).replace('`', "");
            format!("{found} cannot be; it must be {}", wanted_value(wanted))
        }
        _ => message.into(),
    }
}

/// Expected type of a value, for people.
fn wanted_value(wanted: &str) -> &str {
    match wanted {
        "u8" => "a whole number from 0 to 255, without quotes",
        "u16" | "u32" | "u64" | "usize" => "a whole number from 0 on, without quotes, like 1000",
        "i8" | "i16" | "i32" | "i64" => "a whole number, without quotes",
        "f32" | "f64" => "a number without quotes, like 0.5",
        "a boolean" => "true or false, without quotes",
        "a string" => "a text in quotes",
        "a sequence" => "a list, like [1, 2]",
        "a map" => "a table",
        wanted => wanted.strip_prefix("struct ").map_or(wanted, |_| "a table, like [run]"),
    }
}

/// Tables of a recipe with their keys: where a key that stands elsewhere belongs.
const TABLES: [(&str, &str); 8] = [
    ("variant", "start_tiles spawn merge_cap"),
    ("network", "patterns alphabet features shared by_hint walls"),
    ("run", "games seed threads logs"),
    (
        "learning",
        "boards values target steps lambda step alpha alpha_total beta memory eta decay saturation optimistic from \
         explore keep_sums coherence guess start restart_shortest search_ply search_starts goal schedule forfeit",
    ),
    ("stages", "split shift procedure until collect limit weights carousel judging boards"),
    ("evaluate", "every plies games"),
    ("final", "plies games"),
    ("checkpoint", "minutes keep"),
];

/// The first table that has such a key.
fn table_of(key: &str) -> Option<&'static str> {
    let of = TABLES.iter().find(|(_, keys)| keys.split(' ').any(|known| known == key));
    of.map(|(table, _)| *table)
}

/// Every key of a text with where it and its value lie, tables before what is in them.
fn keys(text: &str) -> Vec<(String, Range<usize>)> {
    fn visit(path: &str, table: &DeTable<'_>, found: &mut Vec<(String, Range<usize>)>) {
        for (key, value) in table.iter() {
            let path = format!("{path}{}", key.get_ref());
            let (starts, ends) = (key.span().start, value.span().end);
            found.push((path.clone(), starts..ends.max(key.span().end)));
            if let DeValue::Table(inner) = value.get_ref() {
                visit(&format!("{path}."), inner, found);
            }
        }
    }
    let mut found = Vec::new();
    if let Ok(table) = DeTable::parse(text) {
        visit("", table.get_ref(), &mut found);
    }
    found
}

/// The line of a key, or of the innermost table that should hold it.
fn line_of(text: &str, key: &str) -> Option<usize> {
    let inside =
        |found: &str| key == found || key.strip_prefix(found).is_some_and(|rest| rest.starts_with('.'));
    let best = keys(text).into_iter().filter(|(found, _)| inside(found)).max_by_key(|(found, _)| found.len());
    best.map(|(_, at)| text[..at.start].matches('\n').count() + 1)
}

/// The key whose value lies here.
fn key_at(text: &str, at: usize) -> Option<String> {
    let here = keys(text).into_iter().filter(|(_, range)| range.contains(&at));
    here.min_by_key(|(_, range)| range.len()).map(|(key, _)| key)
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
        assert!(
            wrong_type
                .starts_with("mine.toml:5: run.games: string \"ten\" cannot be; it must be a whole number"),
            "{wrong_type}"
        );
        let wrong_value = error(&format!("{SMALL}[learning]\nstep = \"coherent\"\n"), &[]);
        assert!(wrong_value.contains("did you mean `coherence`?"), "{wrong_value}");
        assert!(error("[run\n", &[]).starts_with("mine.toml:1:"));
    }

    #[test]
    fn overrides_replace_values_and_are_checked() {
        let sets =
            ["run.games=20", "learning.beta=1", "learning.step=coherence", "network.features=[\"empty\"]"];
        let recipe = Recipe::parse("m", SMALL, &sets.map(String::from)).unwrap();
        let short = Recipe::parse("m", SMALL, &["learning.alpha=.0025".into()]).unwrap();
        assert_eq!(short.learning.alpha, Some(0.0025));
        assert_eq!((recipe.run.games, recipe.learning.beta), (20, 1.0));
        assert_eq!(recipe.network.features, ["empty"]);
        let sets = ["game=1024", "network.patterns=4567"].map(String::from);
        let numbers = Recipe::parse("m", &SMALL.replace("game = \"2048\"\n", ""), &sets).unwrap();
        assert_eq!((numbers.game.as_str(), numbers.network.patterns.as_str()), ("1024", "4567"));
        assert!(error(SMALL, &["learning.bet=1"]).contains("did you mean `beta`?"));
        assert!(error(SMALL, &["games"]).contains("no '='"));
        assert!(error(SMALL, &["game.x=1"]).contains("'game' is not a table"));
        assert!(
            error(SMALL, &["run.games=many"]).contains("override run.games=many: string \"many\" cannot be")
        );
    }

    #[test]
    fn a_resolved_recipe_reads_back_as_itself() {
        let recipe = Recipe::parse("m", SMALL, &[]).unwrap();
        assert_eq!(Recipe::parse("m", &recipe.to_toml(), &[]).unwrap(), recipe);
    }
}
