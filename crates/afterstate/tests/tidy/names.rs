//! Names: how many things one type name means.

use super::none;
use super::source::{product_code, read, rust_files};
use std::collections::BTreeMap;

/// A public name is that of two types at most: the library's, and its form in a recipe or a request.
const PUBLIC: usize = 2;
/// A name that some module keeps to itself may come back in a few others.
const ANY: usize = 4;

/// A type that a line declares, and whether everybody can name it.
fn declared(line: &str) -> Option<(&str, bool)> {
    let line = line.trim_start();
    let inside = line.strip_prefix("pub(").and_then(|rest| rest.split_once(") ")).map(|(_, rest)| rest);
    let rest = inside.or(line.strip_prefix("pub ")).unwrap_or(line);
    let kinds = ["struct ", "enum ", "trait ", "union "];
    let name = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
    let name = name.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    name.starts_with(char::is_uppercase).then_some((name, line.starts_with("pub ")))
}

#[test]
fn a_type_name_means_one_thing_or_two() {
    let mut places: BTreeMap<String, Vec<(String, bool)>> = BTreeMap::new();
    for file in rust_files("crates") {
        if !file.contains("/src/") || file.ends_with("/tests.rs") {
            continue;
        }
        let code = product_code(&read(&file));
        for (name, public) in code.lines().filter_map(declared) {
            places.entry(name.into()).or_default().push((file.clone(), public));
        }
    }
    assert!(places.len() > 500, "{} names", places.len());
    let mut wrong = Vec::new();
    for (name, places) in places {
        let public = places.iter().filter(|(_, public)| *public).count();
        if public > PUBLIC || places.len() > ANY {
            let files: Vec<&str> = places.iter().map(|(file, _)| file.as_str()).collect();
            wrong.push(format!("{name} is {} types: {}", places.len(), files.join(", ")));
        }
    }
    none(wrong);
}

#[test]
fn the_reader_of_names_sees() {
    for (line, seen) in [
        ("pub struct A<T> {", Some(("A", true))),
        ("    pub(crate) enum B {", Some(("B", false))),
        ("pub(in crate::x) trait C: D {", Some(("C", false))),
        ("struct E;", Some(("E", false))),
        ("pub type F = u8;", None),
        ("let structure = 3;", None),
    ] {
        assert_eq!(declared(line), seen, "{line}");
    }
}
