//! The README's commands work as printed.

mod common;

#[test]
fn the_commands_of_the_readme_run() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    let readme = std::fs::read_to_string(path).expect("there is a README");
    assert!(readme.contains("cargo run --release\n") && readme.contains("./test\n"));
    let commands: Vec<&str> = readme.lines().filter(|line| line.starts_with("afterstate ")).collect();
    assert!(commands.len() >= 4, "{commands:?}");
    for command in commands {
        let line = command.split('#').next().unwrap_or("");
        // Words, with single quotes around those that hold blanks.
        let words = line.split('\'').enumerate().flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        });
        let args: Vec<&str> = words.skip(1).collect();
        assert!(!common::text(&args).is_empty(), "{command}");
    }
}

#[test]
fn without_a_command_there_is_something_to_see() {
    let page = common::text(&[]);
    for part in ["random", "corner", "greedy", "┌──────┬", "Where to go next"] {
        assert!(page.contains(part), "no '{part}' in\n{page}");
    }
}
