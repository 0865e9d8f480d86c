//! Records of a run at its start: its recipe, command, program and time.

use super::files::{Directory, RunError, write_whole};
use crate::recipe::Recipe;
use std::io::Write;

/// Writes the recipe down, if it is not there as it is now.
pub(super) fn write_config(directory: &Directory, recipe: &Recipe) -> Result<(), RunError> {
    let (path, text) = (directory.join("config.toml"), recipe.to_toml());
    if std::fs::read_to_string(&path).is_ok_and(|found| found == text) {
        return Ok(());
    }
    write_whole(&path, |out| out.write_all(text.as_bytes()))
}

/// Writes who, with what, when.
pub(super) fn write_meta(
    directory: &Directory,
    game: &str,
    command: &str,
    threads: usize,
) -> Result<(), RunError> {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_string())
    });
    let started =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |t| t.as_secs());
    let json = serde_json::json!({
        "program": "afterstate", "version": env!("CARGO_PKG_VERSION"), "game": game, "command": command,
        "threads": threads, "cpu": cpu, "started_unix": started,
    });
    let path = directory.join("meta.json");
    write_whole(&path, |out| out.write_all(format!("{json:#}\n").as_bytes()))
}
