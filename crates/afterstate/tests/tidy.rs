//! The rules of the house, held by reading the sources: layers, what the library must not do, where
//! `unsafe` may live, how long a file may be, how often a type name comes back, how prose is written.

#[path = "tidy/figures.rs"]
mod figures;
#[path = "tidy/layers.rs"]
mod layers;
#[path = "tidy/names.rs"]
mod names;
#[path = "tidy/prose.rs"]
mod prose;
#[path = "tidy/source.rs"]
mod source;

use layers::{APART, CRATES, LAYERED, MACROS};
use source::{
    code, dependencies, from_the_root, has_unsafe, has_word, place_of, product_code, read, root, rust_files,
    versioned_files,
};
use std::fs;

/// Files that may contain `unsafe`, each with the reason. The list is short on purpose.
const UNSAFE_FILES: [(&str, &str); 13] = [
    (
        "crates/afterstate/src/processor.rs",
        "calls safe functions compiled for AVX2 and BMI2, after asking the processor",
    ),
    ("crates/afterstate/src/game/twenty48/avx2.rs", "vector loads and stores of whole arrays"),
    (
        "crates/afterstate/src/game/twenty48/expand.rs",
        "calls one safe function compiled for SSE2, which every x86-64 has",
    ),
    (
        "crates/afterstate/src/network/gather.rs",
        "gathers weights sixteen at a time, after asking the processor for AVX-512",
    ),
    (
        "crates/afterstate/src/network/loads.rs",
        "finds entries sixteen at a time, after asking the processor for AVX-512, and loads them unchecked",
    ),
    ("crates/afterstate/src/game/twenty48/fast.rs", AFTER_ASKING_FOR_AVX2),
    ("crates/afterstate/src/game/threes/fast.rs", AFTER_ASKING_FOR_AVX2),
    (
        "crates/afterstate/src/network/index.rs",
        "vector loads and stores, after asking the processor for AVX2",
    ),
    ("crates/afterstate/src/network/active.rs", "entries checked once instead of one by one"),
    ("crates/afterstate/src/network/memory.rs", "unchecked entries of arrays, and prefetches"),
    ("crates/afterstate/src/network/pages.rs", "files mapped into memory"),
    ("crates/wasm/src/exports.rs", "names of functions that a page calls"),
    ("crates/wasm/src/host.rs", "calls functions of the page"),
];
const AFTER_ASKING_FOR_AVX2: &str = "calls one safe function compiled for AVX2, after asking the processor";

/// A file is split at this length, unless its header says why not.
const LONGEST: usize = 600;

/// Fails with all complaints at once.
fn none(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// True if a file holds unit tests alone.
fn is_tests(file: &str) -> bool {
    file.ends_with("/tests.rs")
}

#[test]
fn modules_use_only_the_layers_below() {
    let mut wrong = Vec::new();
    for layered in LAYERED {
        let mut missing: Vec<&str> = layered.modules().collect();
        for file in rust_files(layered.sources) {
            let (module, depth) = place_of(&file);
            if is_tests(&file) || module == "lib" || module == "main" {
                continue;
            }
            missing.retain(|name| *name != module);
            let Some(own) = layered.layer(module) else {
                wrong.push(format!("{file}: {module} stands in no layer of tidy/layers.rs"));
                continue;
            };
            for name in from_the_root(&product_code(&read(&file)), depth) {
                let of_macro = MACROS.iter().find(|(name_of, _)| *name_of == name).map(|(_, module)| *module);
                let name = of_macro.unwrap_or(&name);
                // A type at the root is everybody's: the state all requests of the server share.
                if name.starts_with(char::is_uppercase) || name == module {
                    continue;
                }
                match layered.layer(name) {
                    None => wrong.push(format!("{file} names {name}, which is no module")),
                    Some(other) if other >= own => {
                        wrong.push(format!("{file} uses {name}, which is not in a layer below"))
                    }
                    Some(_) if APART.contains(&(module, name)) => {
                        wrong.push(format!("{file} uses {name}, from which it stays apart"))
                    }
                    Some(_) => {}
                }
            }
        }
        wrong.extend(missing.iter().map(|module| format!("{}: there is no {module}", layered.sources)));
    }
    none(wrong);
}

/// The map names every module and no other, in a table or a paragraph of each crate.
#[test]
fn the_map_is_complete() {
    let map = read("ARCHITECTURE.md");
    let mut wrong = Vec::new();
    for layered in LAYERED {
        let begins = format!("`{}`:", layered.sources);
        let Some((_, part)) = map.split_once(&begins) else {
            wrong.push(format!("ARCHITECTURE.md has no part that begins with {begins}"));
            continue;
        };
        // To the next crate, or the next heading.
        let part = part.split("\n`crates/").next().unwrap_or("").split("\n## ").next().unwrap_or("");
        let modules: Vec<&str> = layered.modules().collect();
        for module in &modules {
            if ![format!("`{module}`"), format!("`{module}/`")].iter().any(|name| part.contains(name)) {
                wrong.push(format!("ARCHITECTURE.md does not name {module} of {}", layered.sources));
            }
        }
        // In tables the first cell names modules.
        for name in part.lines().filter_map(|line| line.strip_prefix("| `")) {
            for name in name.split(" |").next().unwrap_or("").split(", ") {
                let name = name.trim_matches('`');
                if !modules.contains(&name) {
                    wrong.push(format!("ARCHITECTURE.md names {name}, which is not in {}", layered.sources));
                }
            }
        }
    }
    for directory in CRATES.map(|needs| needs.directory) {
        if !map.contains(&format!("| `crates/{directory}` |")) {
            wrong.push(format!("ARCHITECTURE.md has no line for crates/{directory}"));
        }
    }
    none(wrong);
}

#[test]
fn the_library_opens_prints_and_times_nothing() {
    let forbidden = [
        "std::fs",
        "std::net",
        "std::time",
        "std::process",
        "println!",
        "eprintln!",
        "print!",
        "eprint!",
        "dbg!",
    ];
    let mut wrong = Vec::new();
    for file in rust_files("crates/afterstate/src") {
        let code = product_code(&read(&file));
        for word in forbidden.iter().filter(|word| code.contains(**word)) {
            wrong.push(format!("{file} uses {word}; files, clock and output belong to lab and cli"));
        }
        // `use std::{fs, time}` is the same thing in other words.
        for (at, _) in code.match_indices("std::{") {
            let list = code[at..].split(';').next().unwrap_or("");
            for word in ["fs", "net", "time", "process"].iter().filter(|word| has_word(list, word)) {
                wrong.push(format!("{file} uses std::{word}"));
            }
        }
    }
    none(wrong);
}

#[test]
fn unsafe_lives_where_it_is_named() {
    let mut wrong = Vec::new();
    for file in rust_files("crates") {
        // A string or an attribute naming the word in these tests is not a use of it.
        if file.starts_with("crates/afterstate/tests/tidy") {
            continue;
        }
        let text = read(&file);
        if !has_unsafe(&code(&text)) {
            continue;
        }
        if !UNSAFE_FILES.iter().any(|(name, _)| *name == file) {
            wrong.push(format!("{file} is unsafe and not on the list of UNSAFE_FILES"));
        }
        let lines: Vec<&str> = text.lines().collect();
        for (i, line) in lines.iter().enumerate() {
            if !has_unsafe(&code(line)) {
                continue;
            }
            // The comment stands on the line or in the block of comments and attributes above.
            let above = lines[..i].iter().rev().take_while(|line| {
                let line = line.trim_start();
                line.starts_with("//") || line.starts_with("#[")
            });
            let says = |line: &&str| line.contains("SAFETY:") || line.contains("# Safety");
            if !says(line) && !above.into_iter().any(says) {
                wrong.push(format!("{file}:{}: unsafe without SAFETY:", i + 1));
            }
        }
    }
    for (file, reason) in UNSAFE_FILES {
        assert!(!reason.is_empty());
        if !root().join(file).exists() || !has_unsafe(&code(&read(file))) {
            wrong.push(format!("{file} is on the list of UNSAFE_FILES and has nothing unsafe"));
        }
    }
    none(wrong);
}

/// Probabilities exist in one place, the game.
#[test]
fn probabilities_are_not_written_elsewhere() {
    let mut wrong = Vec::new();
    for module in ["search", "learn", "network"] {
        let files = rust_files("crates/afterstate/src").into_iter().filter(|file| place_of(file).0 == module);
        for file in files {
            for (i, line) in product_code(&read(&file)).lines().enumerate() {
                let number = |c: char| c.is_ascii_digit() || c == '.' || c == '_';
                let mut words = line.split(|c: char| !number(c)).filter(|word| !word.is_empty());
                // Rust writes no `.9`: that is a field of a tuple.
                if words.any(|word| ["0.9", "0.1", "0.90", "0.10"].contains(&word)) {
                    wrong.push(format!("{file}:{}: a spawn probability? ask the game: {line}", i + 1));
                }
            }
        }
    }
    none(wrong);
}

#[test]
fn files_are_short() {
    let mut wrong = Vec::new();
    let source =
        |file: &String| [".rs", ".py", ".pyi", ".js", ".mjs", ".css"].iter().any(|end| file.ends_with(end));
    for file in versioned_files().into_iter().filter(source) {
        let text = read(&file);
        let lines = text.lines().count();
        if lines > LONGEST && !text.lines().take(20).any(|line| line.contains("Long because:")) {
            wrong.push(format!("{file} has {lines} lines; split it, or say `Long because:` in its header"));
        }
    }
    none(wrong);
}

/// Front ends add what to do about an error in their own terms.
#[test]
fn errors_of_libraries_name_no_options() {
    let mut wrong = Vec::new();
    for name in ["afterstate", "lab", "report", "reproduce"] {
        for file in rust_files(&format!("crates/{name}/src")) {
            let text = read(&file);
            let errors = text.split("#[error(").skip(1).filter_map(|rest| rest.split(")]").next());
            wrong.extend(errors.filter(|text| text.contains("--")).map(|text| format!("{file}: {text}")));
        }
    }
    none(wrong);
}

#[test]
fn crates_need_exactly_what_is_listed() {
    let mut wrong = Vec::new();
    for (i, needs) in CRATES.iter().enumerate() {
        let manifest = format!("crates/{}/Cargo.toml", needs.directory);
        let mut found = dependencies(&manifest, "dependencies");
        found.extend(dependencies(&manifest, "target.'cfg(unix)'.dependencies"));
        let (ours, others) = (needs.ours.split_whitespace(), needs.others.split_whitespace());
        let mut listed: Vec<&str> = ours.clone().chain(others).collect();
        found.sort();
        listed.sort();
        if found != listed {
            wrong.push(format!("{manifest} needs {found:?}, listed are {listed:?}"));
        }
        let before = |name: &str| {
            let below = &CRATES[..i];
            below.iter().any(|below| name.strip_prefix("afterstate-").unwrap_or(name) == below.directory)
        };
        for name in ours.clone().filter(|name| !before(name)) {
            wrong.push(format!("{manifest} needs {name}, which stands above it"));
        }
        let tests = dependencies(&manifest, "dev-dependencies");
        let is_extra = |name: &&String| ours.clone().all(|our| our != *name) && *name != "afterstate-trials";
        for name in tests.iter().filter(|name| name.starts_with("afterstate")).filter(is_extra) {
            wrong.push(format!("{manifest}: its tests need {name}"));
        }
    }
    let directories = fs::read_dir(root().join("crates")).expect("the crates").flatten();
    for name in directories.map(|entry| entry.file_name().to_string_lossy().into_owned()) {
        if !CRATES.iter().any(|needs| needs.directory == name) {
            wrong.push(format!("crates/{name} is not listed in CRATES"));
        }
    }
    none(wrong);
}

#[test]
fn crates_keep_to_their_trade() {
    let wrong = std::cell::RefCell::new(Vec::new());
    let refuse = |file: &str, names: &[&str], why: &str| {
        let text = read(file);
        let code = if file.ends_with(".rs") { code(&text) } else { text };
        for name in names.iter().filter(|name| has_word(&code, name)) {
            wrong.borrow_mut().push(format!("{file} uses {name}: {why}"));
        }
    };
    for name in ["lab", "report", "reproduce"] {
        let manifest = format!("crates/{name}/Cargo.toml");
        for file in rust_files(&format!("crates/{name}/src")).into_iter().chain([manifest]) {
            let front_ends = ["clap", "ratatui", "crossterm", "axum", "hyper", "tokio"];
            refuse(
                &file,
                &front_ends,
                "the lab, reports and reproduction speak to no user: cli and serve do",
            );
        }
    }
    for file in rust_files("crates/serve/src").into_iter().chain(["crates/serve/Cargo.toml".into()]) {
        refuse(&file, &["clap", "crossterm", "anyhow"], "the server knows no command line and no terminal");
        let network = ["Network", "SearchPlayer", "NetworkPlayer"];
        if file.ends_with(".rs") {
            refuse(&file, &network, "players and networks come from afterstate_lab::engine");
        }
        if file.ends_with(".rs") && file != "crates/serve/src/wire.rs" {
            refuse(&file, &["Deserialize"], "what is read as JSON is in wire.rs alone");
        }
        let writes = ["File::create", "fs::write", "create_dir", "remove_file", "Command"];
        let text = if file.ends_with(".rs") { product_code(&read(&file)) } else { String::new() };
        for word in writes.iter().filter(|word| text.contains(**word)) {
            wrong.borrow_mut().push(format!("{file} uses {word}: the server only reads, and starts nothing"));
        }
    }
    for file in rust_files("crates/python/src").into_iter().chain(["crates/python/Cargo.toml".into()]) {
        refuse(
            &file,
            &["clap", "axum", "afterstate_cli"],
            "Python gets the library and the lab, not their front ends",
        );
    }
    for crate_of in ["afterstate", "lab", "report", "reproduce", "cli"] {
        for file in rust_files(&format!("crates/{crate_of}/src")) {
            refuse(&file, &["pyo3", "numpy"], "Python is known to crates/python alone");
        }
    }
    for file in rust_files("crates/cli/src") {
        if !file.starts_with("crates/cli/src/cli/") {
            refuse(&file, &["clap"], "the command line is described in cli/ alone");
        }
        if !file.starts_with("crates/cli/src/terminal/tui/") {
            refuse(&file, &["crossterm"], "the terminal is taken and given back in terminal/tui alone");
        }
        refuse(&file, &["axum", "hyper", "tokio"], "HTTP is spoken by crates/serve alone");
        if file != "crates/cli/src/wire.rs" {
            refuse(
                &file,
                &["Deserialize", "serde_derive"],
                "what is read and written as JSON is in wire.rs alone",
            );
        }
    }
    none(wrong.into_inner());
}

#[test]
fn no_file_names_a_path_of_the_machine_it_was_made_on() {
    // In pieces, so that this file does not name one.
    let places: Vec<String> = ["work", "root", "home"].iter().map(|name| format!("/{name}/")).collect();
    let mut wrong = Vec::new();
    for file in versioned_files() {
        let bytes = fs::read(root().join(&file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let text = String::from_utf8_lossy(&bytes);
        for (i, line) in text.lines().enumerate() {
            for place in &places {
                // `a/home/b` is a relative path or an address, not a place on this machine.
                let absolute = line.match_indices(place.as_str()).any(|(at, _)| {
                    !line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-~".contains(c))
                });
                if absolute {
                    wrong.push(format!("{file}:{}: names {place}", i + 1));
                }
            }
        }
    }
    none(wrong);
}

/// The scanner itself: what it finds and what it lets pass.
#[test]
fn the_scanner_sees() {
    assert_eq!(from_the_root("use crate::{grid::{A, B}, random};", 1), ["grid", "random"]);
    assert_eq!(from_the_root("let x = crate::search::Y;", 2), ["search"]);
    let above = |depth| from_the_root("use super::search::X;", depth);
    assert_eq!((above(1), above(2)), (vec!["search".to_string()], Vec::new()));
    assert_eq!(from_the_root("use super::super::{a, b}; use super::c;", 2), ["a", "b"]);
    assert_eq!(place_of("crates/afterstate/src/game/twenty48/fast.rs"), ("game", 3));
    assert_eq!(place_of("crates/lab/src/run/mod.rs"), ("run", 1));
    assert_eq!(place_of("crates/afterstate/src/grid.rs"), ("grid", 1));
    assert_eq!(
        dependencies("crates/afterstate/Cargo.toml", "dev-dependencies"),
        ["proptest", "rand_xoshiro"]
    );
    assert!(has_word("return unsafe { x }", "unsafe"));
    assert!(!has_word("#![deny(unsafe_code)]", "unsafe"));
    assert_eq!(code("a // b\nc"), "a \nc");
    assert_eq!(product_code("a\n#[cfg(test)]\nmod tests {\n    b\n}\nc"), "a\n\n\n\n\nc");
    assert!(rust_files("crates/afterstate/src").len() >= 8);
}
