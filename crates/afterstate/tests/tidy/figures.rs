//! Measured numbers stand near the command that measures them.
//!
//! A *figure* is a number with its interval (`12 ± 3`, `12 [9, 15]`) or a speed or time in a table
//! (`3.2 M/s`, `31 ns`, `0.1 ms`). The section of a page it stands in, from one heading to the
//! next, must show a command in code: one of ours, `cargo`, or a script in `tools/`. The pages are
//! the README, `docs/` and the cards of models.

use super::source::root;
use std::fs;
use std::path::{Path, PathBuf};

/// Beginning of code that is a command.
const COMMANDS: [&str; 14] = [
    "afterstate ",
    "target/release/",
    "cargo ",
    "tools/",
    "./test",
    "train ",
    "evaluate ",
    "solve ",
    "inspect ",
    "bench ",
    "python",
    "pip ",
    "pytest ",
    "callgrind",
];

fn pages(place: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|end| end == "md") {
            found.push(path);
        }
    }
}

/// The sections of a page: heading and lines. A `#` inside code is none.
fn sections(text: &str) -> Vec<(String, Vec<&str>)> {
    let mut found = vec![(String::new(), Vec::new())];
    let mut code = false;
    for line in text.lines() {
        code ^= line.trim_start().starts_with("```");
        if !code && line.starts_with('#') {
            found.push((line.trim_start_matches('#').trim().to_string(), Vec::new()));
        }
        found.last_mut().expect("never empty").1.push(line);
    }
    found
}

/// True if digits come right before this place, blanks left out.
fn number_before(text: &str) -> bool {
    text.trim_end().ends_with(|c: char| c.is_ascii_digit())
}

/// True if a line holds a measured figure.
fn is_figure(line: &str) -> bool {
    let starts_with_number =
        |text: &str| text.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let plus_minus = line
        .match_indices('±')
        .any(|(at, sign)| number_before(&line[..at]) && starts_with_number(&line[at + sign.len()..]));
    let interval = line.match_indices('[').any(|(at, _)| {
        let inside = line[at + 1..].split(']').next().unwrap_or("");
        let before = line[..at].trim_end().trim_end_matches(['%', ' ', 'M']);
        let numbers = |c: char| c.is_ascii_digit() || ",. M−-".contains(c);
        number_before(before) && inside.contains(", ") && !inside.is_empty() && inside.chars().all(numbers)
    });
    // In a table, a cell that begins with a number and a unit.
    let measured = |cell: &str| {
        let mut words = cell.split_whitespace().map(|word| word.trim_matches([',', '*']));
        let number =
            words.next().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit() || c == '.'));
        number && words.next().is_some_and(|unit| ["M/s", "k/s", "ns", "ms", "moves/s"].contains(&unit))
    };
    let speed = line.starts_with('|') && line.split('|').any(measured);
    plus_minus || interval || speed
}

/// True if lines show a command: a block of code or a span that begins like one.
fn has_command(lines: &[&str]) -> bool {
    let is_command = |text: &str| {
        COMMANDS.iter().any(|begin| text.trim_start().trim_start_matches("$ ").starts_with(begin))
    };
    let mut code = false;
    lines.iter().any(|line| {
        if line.trim_start().starts_with("```") {
            code = !code;
            return false;
        }
        if code { is_command(line) } else { line.split('`').skip(1).step_by(2).any(is_command) }
    })
}

#[test]
fn every_figure_stands_near_its_command() {
    let mut files = vec![root().join("README.md")];
    pages(&root().join("docs"), &mut files);
    pages(&root().join("models"), &mut files);
    files.sort();
    assert!(files.len() > 15, "{files:?}");
    let (mut wrong, mut figures) = (Vec::new(), 0);
    for file in files {
        let text = fs::read_to_string(&file).expect("a page");
        let name = file.strip_prefix(root()).expect("below the root").to_string_lossy().replace('\\', "/");
        for (heading, lines) in sections(&text) {
            let found: Vec<&&str> = lines.iter().filter(|line| is_figure(line)).collect();
            figures += found.len();
            if let (Some(first), false) = (found.first(), has_command(&lines)) {
                wrong.push(format!("{name}, '{heading}': no command near '{}'", first.trim()));
            }
        }
    }
    assert!(figures > 50, "{figures}");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn figures_and_commands_are_recognised() {
    for figure in [
        "123,856 ± 3,007 points",
        "| 4×4 | 2 | 47,936 [45,277, 50,596] |",
        "36.8 % [34.7, 38.9]",
        "| 2-ply | 240 k/s |",
        "| 1-ply | 0.103 ms (0.26 ms) |",
    ] {
        assert!(is_figure(figure), "{figure}");
    }
    for text in [
        "± 95 %",
        "a [link](x)",
        "[[3,1,0]]",
        "waits 10 ms",
        "| play | within 400 ms |",
        "spawns [cell, rank]",
        "`x` ± `y`",
    ] {
        assert!(!is_figure(text), "{text}");
    }
    assert!(has_command(&["see `afterstate solve 2048`"]) && has_command(&["```sh", "cargo bench", "```"]));
    assert!(!has_command(&["see `Trainer.join`"]) && !has_command(&["```rust", "let x = 1;", "```"]));
    let page = "# A\n```sh\n# no heading\n```\n## B\nx";
    let headings: Vec<String> = sections(page).into_iter().map(|(heading, _)| heading).collect();
    assert_eq!(headings, ["", "A", "B"]);
}
