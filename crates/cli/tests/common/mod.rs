//! Running the command and looking at what it says.

#[allow(dead_code)]
pub(crate) mod training;

use assert_cmd::Command;
use serde_json::Value;
use std::process::Output;

/// Runs `afterstate` with these arguments.
pub(crate) fn run(args: &[&str]) -> Output {
    Command::cargo_bin("afterstate")
        .expect("the command is built")
        .env("RUST_BACKTRACE", "1")
        .args(args)
        .output()
        .expect("the command runs")
}

/// Runs it, expects success and nothing on standard error, and returns what it printed.
#[allow(dead_code)]
pub(crate) fn text(args: &[&str]) -> String {
    let output = run(args);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaint.is_empty(), "{args:?}: {complaint}");
    String::from_utf8(output.stdout).expect("text")
}

/// The same for `--json`.
#[allow(dead_code)]
pub(crate) fn json(args: &[&str]) -> Value {
    let text = text(&[args, &["--json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?} printed no JSON object: {error}"))
}
