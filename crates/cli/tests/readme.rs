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

/// Two to three minutes of learning are too long for a test: Ctrl-C ends them early, and the rest
/// follows.
#[cfg(unix)]
#[test]
fn without_a_command_it_learns_and_shows_how_well() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let place = tempfile::tempdir().expect("a directory");
    let child = Command::new(env!("CARGO_BIN_EXE_afterstate"))
        .current_dir(place.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let (log, patience) = (place.path().join("runs/quick/train.jsonl"), Instant::now());
    while std::fs::metadata(&log).map_or(0, |found| found.len()) == 0 {
        assert!(patience.elapsed() < Duration::from_secs(120), "the first 1,000 games take too long");
        std::thread::sleep(Duration::from_millis(50));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("a signal");
    let output = child.wait_with_output().expect("it ends");
    let page = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for part in ["random", "corner", "learned, 1-ply", "learned, 2-ply", "┌──────┬", "Where to go next"]
    {
        assert!(page.contains(part), "no '{part}' in\n{page}");
    }
}
