//! The page about experiments names every key of a recipe with its default.

use afterstate_lab::recipe::Recipe;
use toml::{Table, Value};

fn flatten(path: &str, table: &Table, out: &mut Vec<(String, String)>) {
    for (key, value) in table {
        match value {
            Value::Table(inner) => flatten(&format!("{path}{key}."), inner, out),
            Value::String(text) => out.push((format!("{path}{key}"), format!("`{text}`"))),
            Value::Float(number) => out.push((format!("{path}{key}"), number.to_string())),
            Value::Array(list) if list.is_empty() => out.push((format!("{path}{key}"), "none".into())),
            value => out.push((format!("{path}{key}"), value.to_string())),
        }
    }
}

#[test]
fn the_page_names_every_key_and_its_default() {
    let page = include_str!("../../../docs/5-experiments.md");
    let given = ["network.patterns", "run.games", "about"];
    let all = "[network]\npatterns = \"4x6\"\n[run]\ngames = 1\n";
    let recipe = Recipe::parse("m", all, &[]).unwrap();
    let mut keys = Vec::new();
    flatten("", &recipe.to_toml().parse().unwrap(), &mut keys);
    assert!(keys.len() > 20);
    for (key, default) in keys {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{key}` |")));
        let row = row.unwrap_or_else(|| panic!("{key} is not on the page"));
        let said = row.split('|').nth(2).unwrap().trim();
        assert!(given.contains(&key.as_str()) || said == default, "{key}: {default}, not {said}");
    }
    for key in ["variant.start_tiles", "variant.spawn", "variant.merge_cap"] {
        assert!(page.contains(&format!("| `{key}` |")), "{key}");
    }
    for key in ["learning.alpha", "learning.alpha_total", "learning.boards"] {
        assert!(page.contains(&format!("| `{key}` |")), "{key}");
    }
}
