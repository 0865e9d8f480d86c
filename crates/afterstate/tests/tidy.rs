//! The rules of the house, held by reading the sources: who may know whom, what the
//! library must not do, where `unsafe` may live, how long a file may be.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files that may contain `unsafe`, each with the reason. The list is short on purpose.
const UNSAFE_FILES: [(&str, &str); 10] = [
    (
        "crates/afterstate/src/processor.rs",
        "calls safe functions compiled for AVX2 and BMI2, after asking the processor",
    ),
    ("crates/afterstate/src/game/twenty48/avx2.rs", "vector loads and stores of whole arrays"),
    (
        "crates/afterstate/src/game/twenty48/fan.rs",
        "calls one safe function compiled for SSE2, which every x86-64 has",
    ),
    (
        "crates/afterstate/src/network/batch.rs",
        "gathers weights sixteen at a time, after asking the processor for AVX-512",
    ),
    ("crates/afterstate/src/game/twenty48/fast.rs", AFTER_ASKING_FOR_AVX2),
    ("crates/afterstate/src/game/threes/fast.rs", AFTER_ASKING_FOR_AVX2),
    (
        "crates/afterstate/src/network/index.rs",
        "vector loads and stores, after asking the processor for AVX2",
    ),
    ("crates/afterstate/src/network/active.rs", "entries checked once instead of one by one"),
    ("crates/afterstate/src/network/memory.rs", "zeroed memory in huge pages, and prefetches"),
    ("crates/python/src/weights.rs", "an array of NumPy that is the memory of a network"),
];
const AFTER_ASKING_FOR_AVX2: &str = "calls one safe function compiled for AVX2, after asking the processor";

/// Which modules of the library a module may name. Itself is always allowed;
/// modules not listed stand on top and may know all others.
const MAY_KNOW: [(&str, &[&str]); 9] = [
    ("random", &[]),
    ("processor", &[]),
    ("grid", &[]),
    ("statistics", &[]),
    ("game", &["grid", "processor", "random"]),
    ("value", &["game"]),
    ("network", &["grid", "random"]),
    ("learn", &["game", "network", "value", "grid", "random"]),
    ("search", &["game", "value", "grid", "random"]),
];

/// All the library may depend on: checksums of model files, and huge pages.
const LIBRARY_NEEDS: [&str; 2] = ["crc32fast", "libc"];

/// A file is split at this length, unless its header says why not.
const LONGEST: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// All files below a directory, as paths relative to the workspace; build output left out.
fn walk(below: &str) -> Vec<String> {
    fn visit(directory: &Path, found: &mut Vec<PathBuf>) {
        let Ok(entries) = fs::read_dir(directory) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let skipped = [".git", ".cargo", "node_modules", "__pycache__"];
            // Build output, told from a module of that name by the tag that cargo leaves in it.
            let built = entry.path().join("CACHEDIR.TAG").exists();
            if built || skipped.iter().any(|skip| name == *skip) {
                continue;
            }
            if entry.path().is_dir() { visit(&entry.path(), found) } else { found.push(entry.path()) }
        }
    }
    let root = root();
    let mut found = Vec::new();
    visit(&root.join(below), &mut found);
    let mut relative: Vec<String> = found
        .iter()
        .map(|path| path.strip_prefix(&root).expect("below the root").to_string_lossy().replace('\\', "/"))
        .collect();
    relative.sort();
    relative
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn rust_files(below: &str) -> Vec<String> {
    walk(below).into_iter().filter(|file| file.ends_with(".rs")).collect()
}

/// Source without its comments: the lines of the file, each cut at `//`.
///
/// A `//` inside a string cuts too much, which can only hide the rest of that line.
fn code(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// Source without comments and without the module of unit tests, which ends at the first
/// `}` that begins a line. Lines keep their numbers.
fn product_code(text: &str) -> String {
    let code = code(text);
    let Some(start) = code.find("#[cfg(test)]\nmod tests {") else { return code };
    let end = code[start..].find("\n}").map_or(code.len(), |length| start + length + 2);
    let blank = "\n".repeat(code[start..end].matches('\n').count());
    format!("{}{blank}{}", &code[..start], &code[end..])
}

/// Whether a word stands alone in a text: `unsafe`, but not `unsafe_code`.
fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}

/// Whether code is unsafe; `unsafe-inline` is a word of content policies.
fn has_unsafe(code: &str) -> bool {
    has_word(&code.replace("unsafe-inline", ""), "unsafe")
}

/// The modules of the library a source names: `crate::m`, and every `m` of `crate::{m, …}`.
fn known_modules(code: &str) -> Vec<String> {
    let mut known = Vec::new();
    for (at, found) in code.match_indices("crate::") {
        let rest = &code[at + found.len()..];
        let mut parts = Vec::new();
        if let Some(list) = rest.strip_prefix('{') {
            let (mut depth, mut part) = (0, String::new());
            for c in list.chars() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => parts.push(std::mem::take(&mut part)),
                    _ if depth == 0 => part.push(c),
                    _ => {}
                }
            }
            parts.push(part);
        } else {
            parts.push(rest.to_string());
        }
        for part in parts {
            let name: String =
                part.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if !name.is_empty() {
                known.push(name);
            }
        }
    }
    known
}

/// The modules a file names by `super::`, which in `src/x.rs` and `src/x/mod.rs` is the root.
fn known_by_super(file: &str, code: &str) -> Vec<String> {
    let inside = file.strip_prefix("crates/afterstate/src/").expect("a library file");
    if inside.contains('/') && inside.matches('/').count() + usize::from(inside.ends_with("/mod.rs")) != 2 {
        return Vec::new();
    }
    let names = known_modules(&code.replace("super::", "crate::"));
    let listed = |name: &String| MAY_KNOW.iter().any(|(module, _)| module == name);
    names.into_iter().filter(listed).collect()
}

/// The module of the library a file belongs to: `game` for `src/game/threes/bag.rs`.
fn module_of(file: &str) -> &str {
    let inside = file.strip_prefix("crates/afterstate/src/").expect("a library file");
    inside.split(['/', '.']).next().expect("a name")
}

/// Fails with all complaints at once.
fn none(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn modules_know_only_what_they_may() {
    let mut wrong = Vec::new();
    for file in rust_files("crates/afterstate/src") {
        let module = module_of(&file);
        let Some((_, allowed)) = MAY_KNOW.iter().find(|(name, _)| *name == module) else { continue };
        let code = product_code(&read(&file));
        for known in known_modules(&code).into_iter().chain(known_by_super(&file, &code)) {
            if known != module && !allowed.contains(&known.as_str()) {
                wrong.push(format!("{file} knows {known}; {module} may know only {allowed:?}"));
            }
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
        if file.ends_with("tests/tidy.rs") {
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
        let files = rust_files("crates/afterstate/src").into_iter().filter(|file| module_of(file) == module);
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
    for file in rust_files("crates").into_iter().chain(rust_files("fuzz")) {
        let text = read(&file);
        let lines = text.lines().count();
        let header = text.lines().take_while(|line| line.starts_with("//!"));
        if lines > LONGEST && !header.into_iter().any(|line| line.contains("Long because:")) {
            wrong.push(format!("{file} has {lines} lines; split it, or say `Long because:` in its header"));
        }
    }
    none(wrong);
}

#[test]
fn crates_keep_to_their_dependencies() {
    let wrong = std::cell::RefCell::new(Vec::new());
    let refuse = |file: &str, names: &[&str], why: &str| {
        let text = read(file);
        let code = if file.ends_with(".rs") { code(&text) } else { text };
        for name in names.iter().filter(|name| has_word(&code, name)) {
            wrong.borrow_mut().push(format!("{file} uses {name}: {why}"));
        }
    };
    for file in rust_files("crates/lab/src").into_iter().chain(["crates/lab/Cargo.toml".into()]) {
        let mouths = ["clap", "ratatui", "crossterm", "axum", "hyper", "tokio"];
        refuse(&file, &mouths, "the lab has no mouth, that is for cli and serve");
    }
    for file in rust_files("crates/serve/src").into_iter().chain(["crates/serve/Cargo.toml".into()]) {
        refuse(&file, &["clap", "crossterm", "anyhow"], "the server knows no command line and no terminal");
        let network = ["Network", "SearchPlayer", "LearnedPlayer"];
        if file.ends_with(".rs") {
            refuse(&file, &network, "who judges and how is the business of afterstate_lab::mind");
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
            "Python gets the library and the lab, not their mouth",
        );
    }
    for crate_of in ["afterstate", "lab", "cli"] {
        for file in rust_files(&format!("crates/{crate_of}/src")) {
            refuse(&file, &["pyo3", "numpy"], "Python is known to crates/python alone");
        }
    }
    for file in rust_files("crates/cli/src") {
        if file != "crates/cli/src/cli.rs" && !file.starts_with("crates/cli/src/cli/") {
            refuse(&file, &["clap"], "the command line is described in cli.rs and below it alone");
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
    let manifest = read("crates/afterstate/Cargo.toml");
    let section = manifest.split("\n[dependencies]\n").nth(1).unwrap_or("").split("\n[").next().unwrap_or("");
    let names =
        section.lines().filter_map(|line| line.split(['=', '.', ' ']).next()).filter(|name| !name.is_empty());
    for name in names.filter(|name| !LIBRARY_NEEDS.contains(name)) {
        wrong
            .borrow_mut()
            .push(format!("crates/afterstate depends on {name}; it may need only {LIBRARY_NEEDS:?}"));
    }
    none(wrong.into_inner());
}

/// The files under version control, or all files where there is no git to ask.
fn versioned_files() -> Vec<String> {
    let git = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    match git {
        Ok(output) if output.status.success() && !output.stdout.is_empty() => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let names = text.split('\0').filter(|name| !name.is_empty()).map(str::to_string);
            names.filter(|name| root().join(name).is_file()).collect()
        }
        _ => walk(""),
    }
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
    assert_eq!(known_modules("use crate::{grid::{A, B}, random};"), ["grid", "random"]);
    assert_eq!(known_modules("let x = crate::search::Y;"), ["search"]);
    assert_eq!(known_modules("use super::x;"), [""; 0]);
    let above = |file| known_by_super(&format!("crates/afterstate/src/{file}"), "use super::search::X;");
    assert_eq!(above("grid.rs"), ["search"]);
    assert_eq!(above("game/mod.rs"), ["search"]);
    assert_eq!(above("game/threes/mod.rs"), [""; 0]);
    assert!(has_word("return unsafe { x }", "unsafe"));
    assert!(!has_word("#![deny(unsafe_code)]", "unsafe"));
    assert_eq!(code("a // b\nc"), "a \nc");
    assert_eq!(product_code("a\n#[cfg(test)]\nmod tests {\n    b\n}\nc"), "a\n\n\n\n\nc");
    assert_eq!(module_of("crates/afterstate/src/game/twenty48/fast.rs"), "game");
    assert_eq!(module_of("crates/afterstate/src/grid.rs"), "grid");
    assert!(rust_files("crates/afterstate/src").len() >= 8);
}
