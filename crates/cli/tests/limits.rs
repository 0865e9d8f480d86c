//! Limits and signals of the system: each becomes a message or a saved run, never a silent end.
#![cfg(unix)]

mod common;

use common::Files;
use serde_json::Value;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const RECIPE: &str = "game = \"2048-3x3\"\n[network]\npatterns = \"012345 345678\"\nalphabet = 11\n\
                      [evaluate]\nevery = 0\n[run]\ngames = 100000000\nthreads = 2\n[checkpoint]\nminutes = 100\n";

fn recipe(place: &Files) -> String {
    let path = place.file("recipe.toml");
    std::fs::write(&path, RECIPE).unwrap();
    path
}

/// Runs the command within a limit of the shell.
fn limited(limit: &str, words: &[&str]) -> Output {
    let shell = format!("ulimit {limit}; exec \"$0\" \"$@\"");
    let command = assert_cmd::cargo::cargo_bin("afterstate");
    Command::new("sh").args(["-c", &shell]).arg(command).args(words).output().unwrap()
}

/// A terminal that is closed stops a training like `SIGTERM` does: what was played is saved.
#[test]
fn a_closed_terminal_loses_no_game() {
    let place = Files::new();
    let (recipe, run) = (recipe(&place), place.file("run"));
    let child = Command::new(assert_cmd::cargo::cargo_bin("afterstate"))
        .args(["train", &recipe, "--run", &run, "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let log = std::path::Path::new(&run).join("train.jsonl");
    let until = Instant::now() + Duration::from_secs(60);
    while std::fs::metadata(&log).map_or(0, |log| log.len()) < 100 {
        assert!(Instant::now() < until, "it does not learn");
        std::thread::sleep(Duration::from_millis(20));
    }
    let told = Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap();
    assert!(told.success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", output.status);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let saved = std::fs::read_dir(std::path::Path::new(&run).join("checkpoints")).unwrap();
    let games = saved.filter_map(|entry| entry.unwrap().path().file_stem()?.to_str()?.parse::<u64>().ok());
    assert_eq!(games.max(), answer["games"].as_u64(), "{answer}");
}

/// A limit on the sizes of files is an error that names the file; with a larger one the run goes on.
#[test]
fn a_file_that_may_not_grow_is_an_error_that_names_it() {
    let place = Files::new();
    let (recipe, run) = (recipe(&place), place.file("run"));
    let games = ["--games", "3000", "--json"];
    let output = limited("-f 40", &[&["train", &recipe, "--run", &run][..], &games].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{}: {said}", output.status);
    assert!(said.contains("files may not grow so large") && said.contains("ulimit -f"), "{said}");
    assert!(said.contains(&run), "{said}");
    let resumed = common::run(&[&["train", "--run", &run, "--resume"][..], &games].concat());
    let begun = common::run(&[&["train", &recipe, "--run", &run][..], &games].concat());
    assert!(resumed.status.success() || begun.status.success(), "{}", String::from_utf8_lossy(&begun.stderr));
}

/// Fewer addresses than all threads want for their stacks mean fewer threads, not the end.
#[test]
#[cfg(target_os = "linux")]
fn threads_that_are_not_to_be_had_are_done_without() {
    let words =
        ["evaluate", "--player", "greedy", "--game", "2048-3x3", "--games", "300", "--threads", "600"];
    let output = limited("-v 900000", &words);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", output.status);
}
