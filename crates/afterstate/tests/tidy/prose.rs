//! Prose: how doc summaries begin, and how long its lines are.

use super::none;
use super::source::{read, rust_files, versioned_files};

/// Words that turn a summary into a riddle; a noun or a verb says it plainly.
const QUESTIONS: [&str; 8] = ["What", "Whether", "How", "Who", "Which", "Where", "Whatever", "The same"];

/// Columns that no line of prose passes. Text is wrapped at 100; tables and code are exempt.
const WIDEST: usize = 120;

/// The text of a comment line, `None` for code.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start();
    ["///", "//!", "//"].iter().find_map(|mark| text.strip_prefix(mark)).map(str::trim_start)
}

/// First lines of the doc comments of a source.
fn summaries(text: &str) -> Vec<&str> {
    let doc = |line: &&str| ["///", "//!"].iter().any(|mark| line.trim_start().starts_with(mark));
    let lines: Vec<&str> = text.lines().collect();
    let first = |&(i, line): &(usize, &&str)| doc(line) && !i.checked_sub(1).is_some_and(|i| doc(&lines[i]));
    lines.iter().enumerate().filter(first).filter_map(|(_, line)| comment(line)).collect()
}

#[test]
fn summaries_begin_with_a_noun_or_a_verb() {
    let (mut all, mut questions) = (0, Vec::new());
    for file in ["crates", "fuzz"].map(rust_files).concat() {
        for summary in summaries(&read(&file)) {
            all += 1;
            if QUESTIONS
                .iter()
                .any(|word| summary.strip_prefix(word).is_some_and(|rest| rest.starts_with(' ')))
            {
                questions.push(format!("{file}: {summary}"));
            }
        }
    }
    assert!(all > 1000, "{all} summaries");
    if questions.len() * 20 > all {
        none(questions);
    }
}

/// Lines of a Markdown page that are prose: no code, no tables, no pictures.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut code = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        // A command is one word: it is not broken.
        let command = line.trim_start().trim_start_matches('(').starts_with('`');
        !code && !fence && !command && !line.trim_start().starts_with(['|', '!']) && !line.starts_with("    ")
    })
}

#[test]
fn lines_of_prose_are_short() {
    let mut wrong = Vec::new();
    for file in versioned_files() {
        let long = |line: &str| line.chars().count() > WIDEST;
        if file.ends_with(".md") {
            let text = read(&file);
            let lines = prose(&text).filter(|(_, line)| long(line));
            wrong.extend(lines.map(|(number, _)| format!("{file}:{number}: over {WIDEST} columns")));
        }
        if file.ends_with(".rs") {
            let text = read(&file);
            let lines = (1..).zip(text.lines()).filter(|(_, line)| long(line));
            let lines = lines.filter(|(_, line)| comment(line).is_some_and(|text| !text.starts_with('|')));
            wrong.extend(lines.map(|(number, _)| format!("{file}:{number}: over {WIDEST} columns")));
        }
    }
    none(wrong);
}

#[test]
fn the_reader_of_prose_sees() {
    assert_eq!(summaries("//! A\n//! b\n\n/// C\nfn d() {}\n    /// E\n"), ["A", "C", "E"]);
    assert_eq!(prose("a\n```\nb\n```\n| c |\nd").map(|(_, line)| line).collect::<Vec<_>>(), ["a", "d"]);
}
