//! Reading the sources: which files there are, and what their code names.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// All files below a directory, as paths relative to the workspace; build output left out.
pub(crate) fn walk(below: &str) -> Vec<String> {
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

pub(crate) fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

pub(crate) fn rust_files(below: &str) -> Vec<String> {
    walk(below).into_iter().filter(|file| file.ends_with(".rs")).collect()
}

/// Source without its comments: the lines of the file, each cut at `//`.
///
/// A `//` inside a string cuts too much, which can only hide the rest of that line.
pub(crate) fn code(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// Source without comments and without the module of unit tests, which ends at the first
/// `}` that begins a line. Lines keep their numbers.
pub(crate) fn product_code(text: &str) -> String {
    let code = code(text);
    let tests = |at: &usize| code[*at..].lines().nth(1).is_some_and(|line| line.ends_with("mod tests {"));
    let mut starts = code.match_indices("#[cfg(test)]\n").map(|(at, _)| at);
    let Some(start) = starts.find(tests) else { return code };
    let end = code[start..].find("\n}").map_or(code.len(), |length| start + length + 2);
    let blank = "\n".repeat(code[start..end].matches('\n').count());
    format!("{}{blank}{}", &code[..start], &code[end..])
}

/// True if a word stands alone in a text: `unsafe`, but not `unsafe_code`.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}

/// True if code is unsafe; `unsafe-inline` is a word of content policies.
pub(crate) fn has_unsafe(code: &str) -> bool {
    has_word(&code.replace("unsafe-inline", ""), "unsafe")
}

/// The files under version control, or all files where there is no git to ask.
pub(crate) fn versioned_files() -> Vec<String> {
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

/// Names in a list of uses, `{a, b::{c, d}}` without its first brace: `a`, `b`.
fn listed(list: &str) -> Vec<String> {
    let (mut depth, mut part, mut parts) = (0, String::new(), Vec::new());
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
    parts
}

/// The names a source takes from the root of its crate: `crate::m`, and every `m` of
/// `crate::{m, …}`. From a module `depth` levels below the root, so many `super::` in a row are the
/// root as well.
pub(crate) fn from_the_root(code: &str, depth: usize) -> Vec<String> {
    // What is not reached from the root is put out of sight, the longest first.
    let way = "super::".repeat(depth);
    let code = code.replace(&format!("super::{way}"), "beyond::").replace(&way, "crate::");
    let mut names = Vec::new();
    for (at, found) in code.match_indices("crate::") {
        let rest = &code[at + found.len()..];
        let parts = rest.strip_prefix('{').map_or_else(|| vec![rest.to_string()], listed);
        for part in parts {
            let name: String =
                part.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// The module at the root of its crate that a file belongs to, and how many levels below the root
/// its code is: `game` and 3 for `src/game/threes/bag.rs`.
pub(crate) fn place_of(file: &str) -> (&str, usize) {
    let inside = file.split_once("/src/").expect("a source").1;
    let path = inside.strip_suffix(".rs").expect("a source");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    (path.split('/').next().expect("a name"), 1 + path.matches('/').count())
}

/// The names of the dependencies in one section of a manifest.
pub(crate) fn dependencies(manifest: &str, section: &str) -> Vec<String> {
    let text = read(manifest);
    let lines = text.split(&format!("\n[{section}]\n")).nth(1).unwrap_or("").lines();
    let lines = lines.take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split(['=', '.', ' ']).next()).filter(|name| !name.is_empty());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('#')).map(String::from).collect();
    names.sort();
    names
}
