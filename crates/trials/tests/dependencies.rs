//! Dependencies: their origin, licences, reasons, and that each is used at all.
//! `docs/dependencies.md` is the list with reasons.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Beginning of the one source of packages: the index that the makers of Rust keep.
const REGISTRY: &str = "registry+https://github.com/rust-lang/";

/// Licences that ask for nothing but their text to be kept. `X WITH Y` is one licence.
const ALLOWED: [&str; 9] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Metadata of cargo, without the network: every package of the workspace and of the lock file.
fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}; run `cargo fetch --locked` once");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn list<'a>(value: &'a Value, key: &str) -> &'a Vec<Value> {
    value[key].as_array().unwrap_or_else(|| panic!("{key} is a list"))
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or("")
}

fn is_member(metadata: &Value, package: &Value) -> bool {
    list(metadata, "workspace_members").contains(&package["id"])
}

/// True if an expression of licences can be met: of `OR` one side, of `AND` both. `/` is an old way
/// to write `OR`.
fn can_be_met(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    let words: Vec<String> =
        expression.replace('(', " ( ").replace(')', " ) ").split_whitespace().map(String::from).collect();
    let mut at = 0;
    let met = either(&words, &mut at);
    met && at == words.len()
}

fn either(words: &[String], at: &mut usize) -> bool {
    let mut met = both(words, at);
    while words.get(*at).is_some_and(|word| word == "OR") {
        *at += 1;
        met |= both(words, at);
    }
    met
}

fn both(words: &[String], at: &mut usize) -> bool {
    let mut met = one(words, at);
    while words.get(*at).is_some_and(|word| word == "AND") {
        *at += 1;
        met &= one(words, at);
    }
    met
}

fn one(words: &[String], at: &mut usize) -> bool {
    let Some(word) = words.get(*at) else { return false };
    *at += 1;
    if word == "(" {
        let met = either(words, at);
        let closed = words.get(*at).is_some_and(|word| word == ")");
        *at += 1;
        return met && closed;
    }
    let mut name = word.clone();
    if words.get(*at).is_some_and(|word| word == "WITH") {
        name = format!("{name} WITH {}", words.get(*at + 1).map_or("", String::as_str));
        *at += 2;
    }
    ALLOWED.contains(&name.as_str())
}

#[test]
fn expressions_of_licences_are_understood() {
    for good in
        ["MIT", "GPL-3.0 OR MIT", "MIT/Apache-2.0", "(MIT OR X) AND Zlib", "Apache-2.0 WITH LLVM-exception"]
    {
        assert!(can_be_met(good), "{good}");
    }
    for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR X) AND Y", "MIT MIT", "(MIT", "MIT WITH X"] {
        assert!(!can_be_met(bad), "{bad}");
    }
}

#[test]
fn every_licence_is_allowed_and_every_source_is_the_registry() {
    let metadata = metadata();
    let packages = list(&metadata, "packages");
    assert!(packages.len() > 50, "{}", packages.len());
    let mut wrong = Vec::new();
    for package in packages.iter().filter(|package| !is_member(&metadata, package)) {
        let name = format!("{} {}", text(package, "name"), text(package, "version"));
        if !can_be_met(text(package, "license")) {
            wrong.push(format!("{name}: its licence is '{}'", text(package, "license")));
        }
        if !text(package, "source").starts_with(REGISTRY) {
            wrong.push(format!("{name} comes from '{}'", text(package, "source")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A package of the registry is named with the checksum of its contents, in both lock files.
#[test]
fn every_package_is_locked_by_its_checksum() {
    for file in ["Cargo.lock", "fuzz/Cargo.lock"] {
        let lock = read(file);
        let mut foreign = 0;
        for package in lock.split("[[package]]").skip(1) {
            let name = package.lines().find(|line| line.starts_with("name = ")).unwrap_or("");
            let field = |key: &str| {
                let line = package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
                line.map(|value| value.trim_matches('"').to_string())
            };
            match field("source") {
                None => assert!(name.contains("\"afterstate"), "{file}: {name} has no source"),
                Some(source) => {
                    foreign += 1;
                    assert!(source.starts_with(REGISTRY), "{file}: {name} comes from {source}");
                    let sum = field("checksum").unwrap_or_default();
                    assert!(sum.len() == 64 && sum.bytes().all(|b| b.is_ascii_hexdigit()), "{file}: {name}");
                }
            }
        }
        assert!(foreign > 3, "{file}");
    }
}

/// Direct dependencies of the crates of the workspace, and who names them.
fn direct(metadata: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in list(metadata, "packages").iter().filter(|package| is_member(metadata, package)) {
        let whose = text(package, "name").trim_start_matches("afterstate-").replace("afterstate", "library");
        for dependency in list(package, "dependencies").iter().filter(|d| d["source"].is_string()) {
            let kind = if text(dependency, "kind") == "dev" { " (tests)" } else { "" };
            let name = text(dependency, "name").to_string();
            found.entry(name).or_default().insert(format!("{whose}{kind}"));
        }
    }
    found
}

/// Every dependency has a line in `docs/dependencies.md` that says who needs it and why; no line is
/// left over.
#[test]
fn every_dependency_has_its_reason() {
    let found = direct(&metadata());
    let page = read("docs/dependencies.md");
    let mut listed = BTreeMap::new();
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, whose, why] = cells[..] else { panic!("three cells: {line}") };
        assert!(why.len() > 10, "a reason: {line}");
        let whose: BTreeSet<String> = whose.split(", ").map(String::from).collect();
        listed.insert(name.trim_matches('`').to_string(), whose);
    }
    assert_eq!(listed, found, "docs/dependencies.md (left) and the manifests (right)");
}

/// All Rust sources below a directory, as one text.
fn sources(directory: &Path) -> String {
    let mut all = String::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            all += &sources(&path);
        } else if path.extension().is_some_and(|end| end == "rs") {
            all += &fs::read_to_string(&path).unwrap_or_default();
        }
    }
    all
}

#[test]
fn every_dependency_is_used() {
    let metadata = metadata();
    let mut needless = Vec::new();
    for package in list(&metadata, "packages").iter().filter(|package| is_member(&metadata, package)) {
        let manifest = Path::new(text(package, "manifest_path")).parent().expect("a directory").to_path_buf();
        let product = sources(&manifest.join("src"));
        let tests: String =
            ["src", "tests", "benches", "examples"].iter().map(|d| sources(&manifest.join(d))).collect();
        for dependency in list(package, "dependencies") {
            let name = text(dependency, "name").replace('-', "_");
            let place = if text(dependency, "kind") == "dev" { &tests } else { &product };
            let used =
                [format!("{name}::"), format!("use {name}"), format!("{name}!"), format!(" as {name}")];
            if !used.iter().any(|word| place.contains(word.as_str())) {
                needless.push(format!("{} does not use {name}", text(package, "name")));
            }
        }
    }
    assert!(needless.is_empty(), "{}", needless.join("\n"));
}
