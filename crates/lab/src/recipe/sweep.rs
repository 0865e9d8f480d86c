//! Sweeps: lists of values in a recipe, whose product is a set of runs.
//!
//! ```
//! use afterstate_lab::recipe::Recipe;
//! let recipe = Recipe::parse("mine.toml", r#"
//!     [network]
//!     patterns = "0123"
//!     [run]
//!     games = 1000
//!     [sweep]
//!     learning.alpha = [0.0025, 0.005]
//!     run.seed = [1, 2]
//! "#, &[]).unwrap();
//! let names: Vec<String> = recipe.points().unwrap().into_iter().map(|point| point.name).collect();
//! assert_eq!(names[..2], ["alpha=0.0025,seed=1", "alpha=0.0025,seed=2"]);
//! assert_eq!(names.len(), 4);
//! ```

use super::parse::{explained, set};
use super::{PerPly, Recipe, RecipeError};
use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;
use toml::{Table, Value};

/// The most runs of a sweep: more are a mistake.
const MOST: usize = 10_000;

/// The games of the final evaluation of every run of a sweep, where the recipe says nothing.
const FINAL_GAMES: u64 = 1_000;

/// One key of a recipe, and the values it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// `learning.alpha`.
    pub key: String,
    /// Its values, in turn.
    pub values: Vec<Value>,
}

/// Lists of values, whose product is a set of runs; the last varies fastest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sweep {
    /// The axes of the product.
    pub axes: Vec<Axis>,
}

impl Sweep {
    /// True if there is nothing to vary: the recipe is of one run.
    pub fn is_empty(&self) -> bool {
        self.axes.is_empty()
    }

    /// Scales lists of what [`Recipe::scale`] scales.
    pub(super) fn scale(&mut self, scaled: impl Fn(u64) -> u64) {
        const COSTS: [&str; 5] =
            ["run.games", "stages.games", "stages.boards", "stages.limit", "evaluate.every"];
        for axis in self.axes.iter_mut().filter(|axis| COSTS.contains(&axis.key.as_str())) {
            for value in &mut axis.values {
                if let Value::Integer(number @ 1..) = value {
                    *number = scaled(number.unsigned_abs()).cast_signed();
                }
            }
        }
    }

    /// Reads `learning.alpha=0.0025,0.005` of a command line, in place of what was said about this
    /// key.
    pub fn add(&mut self, text: &str) -> Result<(), RecipeError> {
        let wrong = |what: &str| {
            RecipeError::new(format!(
                "axis {text}: {what}; write it like learning.alpha=0.0025,0.005 or run.seed=1,2,3"
            ))
        };
        let (key, list) = text.split_once('=').ok_or_else(|| wrong("no '=' in it"))?;
        let (key, list) = (key.trim(), list.trim());
        if key.is_empty() || list.is_empty() {
            return Err(wrong("a key or its values are missing"));
        }
        let read = |text: &str| toml::from_str::<Table>(&format!("v = {text}")).ok()?.remove("v");
        let values = match read(list) {
            Some(Value::Array(values)) => values,
            _ => {
                let one = |text: &str| {
                    let text = text.trim();
                    read(text).unwrap_or_else(|| Value::String(text.into()))
                };
                list.split(',').map(one).collect()
            }
        };
        let axis = Axis { key: key.into(), values };
        match self.axes.iter_mut().find(|axis| axis.key == key) {
            Some(found) => *found = axis,
            None => self.axes.push(axis),
        }
        Ok(())
    }
}

impl Axis {
    /// The values as texts.
    pub fn texts(&self) -> Vec<String> {
        self.values.iter().map(text).collect()
    }
}

/// A value as people write it: without quotes and brackets.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) if values.is_empty() => "none".into(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(" "),
        value => value.to_string(),
    }
}

impl Serialize for Sweep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.axes.len()))?;
        for axis in &self.axes {
            map.serialize_entry(&axis.key, &axis.values)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Sweep {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut sweep = Self::default();
        flatten("", Table::deserialize(deserializer)?, &mut sweep).map_err(D::Error::custom)?;
        Ok(sweep)
    }
}

/// `learning.alpha = [...]` is a table in a table; `"learning.alpha" = [...]` means the same.
fn flatten(path: &str, table: Table, sweep: &mut Sweep) -> Result<(), String> {
    for (key, value) in table {
        let key = format!("{path}{key}");
        match value {
            Value::Table(inner) => flatten(&format!("{key}."), inner, sweep)?,
            Value::Array(values) if !values.is_empty() => {
                if sweep.axes.iter().any(|axis| axis.key == key) {
                    return Err(format!("sweep.{key} is there twice"));
                }
                sweep.axes.push(Axis { key, values });
            }
            _ => return Err(format!("sweep.{key} must be a list of values, like [0.0025, 0.005]")),
        }
    }
    Ok(())
}

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The name of its directory, `alpha=0.0025,seed=1`.
    pub name: String,
    /// Settings that distinguish it, as texts.
    pub settings: Vec<(String, String)>,
    /// Its recipe, without a sweep.
    pub recipe: Recipe,
}

impl Recipe {
    /// The runs of the sweep in order, each of them checked; without a sweep the recipe itself.
    pub fn points(&self) -> Result<Vec<Point>, RecipeError> {
        let axes = &self.sweep.axes;
        for axis in axes {
            let (texts, mut seen) = (axis.texts(), BTreeSet::new());
            if let Some(twice) = texts.iter().find(|text| !seen.insert(*text)) {
                return Err(RecipeError::key(
                    &format!("sweep.{}", axis.key),
                    format!("{twice} is there twice"),
                ));
            }
        }
        let count = axes.iter().try_fold(1usize, |n, axis| n.checked_mul(axis.values.len()));
        let count = count.filter(|&count| count <= MOST).ok_or_else(|| {
            RecipeError::key("sweep", format!("more than {MOST} runs; leave out some values"))
        })?;
        let base: Table =
            Self { sweep: Sweep::default(), ..self.clone() }.to_toml().parse().expect("a recipe is TOML");
        let (names, mut used) = (self.axis_names(), BTreeSet::new());
        let mut points = Vec::with_capacity(count);
        for number in 0..count {
            let mut rest = number;
            let mut chosen: Vec<&Value> = Vec::new();
            for axis in axes.iter().rev() {
                chosen.push(&axis.values[rest % axis.values.len()]);
                rest /= axis.values.len();
            }
            chosen.reverse();
            let (mut table, mut recipe) = (base.clone(), self.clone());
            for (axis, value) in axes.iter().zip(&chosen) {
                let wrong = |what| RecipeError::key(&format!("sweep.{}", axis.key), what);
                set(&mut table, &base, &axis.key, (*value).clone(), &text(value)).map_err(wrong)?;
                let read: Result<Recipe, toml::de::Error> = table.clone().try_into();
                recipe = read.map_err(|error| wrong(explained(error.message())))?;
            }
            recipe.sweep = Sweep::default();
            if !self.sweep.is_empty() && recipe.last.games.is_none() {
                recipe.last.games = Some(PerPly::Same(FINAL_GAMES));
            }
            let settings: Vec<(String, String)> =
                axes.iter().zip(&chosen).map(|(axis, value)| (axis.key.clone(), text(value))).collect();
            let name = file_name(&names, &settings, number, &mut used);
            if !self.sweep.is_empty() {
                let keys = axes.iter().map(|axis| axis.key.as_str());
                recipe.build().map_err(|error| error.of_run(&name, keys))?;
            } else {
                recipe.build()?;
            }
            points.push(Point { name, settings, recipe });
        }
        Ok(points)
    }

    /// The last words of the axes' keys, or the whole key where that is not enough.
    pub fn axis_names(&self) -> Vec<String> {
        let last = |key: &str| key.rsplit('.').next().unwrap_or(key).to_string();
        let keys = self.sweep.axes.iter().map(|axis| axis.key.as_str());
        let unique = |name: &String| keys.clone().filter(|key| last(key) == *name).count() == 1;
        keys.clone().map(|key| Some(last(key)).filter(unique).unwrap_or_else(|| key.into())).collect()
    }
}

/// A name for a directory, not yet used: letters, digits and little else.
fn file_name(
    names: &[String],
    settings: &[(String, String)],
    number: usize,
    used: &mut BTreeSet<String>,
) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || ".-+".contains(c) { c } else { '_' };
    let parts = names
        .iter()
        .zip(settings)
        .map(|(name, (_, text))| format!("{name}={}", text.chars().map(plain).collect::<String>()));
    let name = parts.collect::<Vec<_>>().join(",");
    let name = if name.is_empty() || name.len() > 120 { format!("run-{}", number + 1) } else { name };
    let numbered = (2..).map(|n| format!("{name}-{n}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| used.insert(name.clone()));
    free.expect("numbers do not end")
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "[network]\npatterns = \"0123\"\n[run]\ngames = 10\n";

    fn parse(sweep: &str) -> Result<Recipe, RecipeError> {
        Recipe::parse("m.toml", &format!("{BASE}[sweep]\n{sweep}\n"), &[])
    }

    fn names(sweep: &str) -> Vec<String> {
        parse(sweep).unwrap().points().unwrap().into_iter().map(|point| point.name).collect()
    }

    fn error(sweep: &str) -> String {
        parse(sweep).and_then(|recipe| recipe.points().map(drop)).unwrap_err().to_string()
    }

    #[test]
    fn lists_become_the_product_in_the_order_of_the_recipe() {
        let of = names("run.seed = [7, 3]\nlearning.alpha = [0.5, 1]");
        assert_eq!(of, ["seed=7,alpha=0.5", "seed=7,alpha=1", "seed=3,alpha=0.5", "seed=3,alpha=1"]);
        let points = parse("run.seed = [7, 3]\nlearning.alpha = [0.5, 1]").unwrap().points().unwrap();
        assert_eq!((points[2].recipe.run.seed, points[2].recipe.learning.alpha), (3, Some(0.5)));
        assert_eq!(points[1].settings[1], ("learning.alpha".into(), "1".into()));
        assert!(points.iter().all(|point| point.recipe.sweep.is_empty()));
        assert_eq!(points[0].recipe.last.games, Some(PerPly::Same(1000)));
        // Quoted keys mean the same, and a set of runs reads back as itself.
        let quoted = parse("\"run.seed\" = [7, 3]\n\"learning.alpha\" = [0.5, 1]").unwrap();
        assert_eq!(quoted.points().unwrap(), points);
        assert_eq!(Recipe::parse("m", &quoted.to_toml(), &[]).unwrap(), quoted);
        // Without a sweep there is one run.
        let single = Recipe::parse("m", BASE, &[]).unwrap().points().unwrap();
        assert_eq!((single.len(), single[0].recipe.last.games.clone()), (1, None));
    }

    #[test]
    fn names_are_plain_and_different() {
        let mut used = BTreeSet::new();
        let mut name =
            |text: &str| file_name(&["p".into()], &[("network.p".into(), text.into())], 6, &mut used);
        assert_eq!(
            [name("0123 4/6"), name("0123_4 6"), name(&"x".repeat(200))],
            ["p=0123_4_6", "p=0123_4_6-2", "run-7"]
        );
        assert_eq!(names("network.features = [[\"empty\"], []]"), ["features=empty", "features=none"]);
        let both = names("run.games = [1]\nevaluate.games = [2]");
        assert_eq!(both, ["run.games=1,evaluate.games=2"]);
    }

    #[test]
    fn lists_of_games_are_scaled_like_games() {
        let mut recipe = parse("run.games = [100, 200]\nrun.seed = [1, 2]").unwrap();
        recipe.scale(0.1);
        assert_eq!(recipe.sweep.axes[0].texts(), ["10", "20"]);
        assert_eq!(recipe.sweep.axes[1].texts(), ["1", "2"]);
        assert_eq!(recipe.points().unwrap()[3].recipe.run.games, 20);
    }

    #[test]
    fn a_command_line_adds_and_replaces_axes() {
        let mut recipe = parse("run.seed = [1]").unwrap();
        for text in ["run.seed=1,2", "learning.step=fixed,coherence", "network.features=[[\"empty\"], []]"] {
            recipe.sweep.add(text).unwrap();
        }
        assert_eq!(recipe.points().unwrap().len(), 8);
        assert_eq!(recipe.sweep.axes[0].texts(), ["1", "2"]);
        for wrong in ["run.seed", "=1", "run.seed="] {
            assert!(recipe.sweep.add(wrong).unwrap_err().to_string().contains("run.seed=1,2,3"));
        }
    }

    #[test]
    fn what_is_wrong_with_a_list_is_said_with_its_key() {
        assert!(error("learning.alpa = [1]").contains("sweep.learning.alpa: unknown field `alpa`"));
        assert!(error("learning.alpa = [1]").contains("did you mean `alpha`?"));
        assert!(error("run.seed = [1]\nlearning.lambda = [0.5, 1.5]").contains("learning.lambda: must be"));
        assert!(error("learning.lambda = [0.5, 1.5]").contains("lambda=1.5"));
        assert!(error("run.seed = 3").contains("must be a list of values"));
        assert!(error("run.seed = []").contains("must be a list of values"));
        assert!(error("run.seed = [1, 1]").contains("1 is there twice"));
        assert!(error("run.seed = [1, \"two\"]").contains("sweep.run.seed: "));
        let many = format!("run.seed = {0:?}\nrun.games = {0:?}", (1..=101).collect::<Vec<_>>());
        assert!(error(&many).contains("more than 10000 runs"));
    }
}
