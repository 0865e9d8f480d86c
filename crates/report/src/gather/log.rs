//! `train.jsonl`, read back.

use serde::Deserialize;
use std::path::Path;

/// A line about a window of training games; what a line lacks is zero or nothing.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct LogRow {
    pub(super) games: u64,
    pub(super) window: u64,
    pub(super) mean: f64,
    pub(super) max: u64,
    pub(super) moves: u64,
    pub(super) seconds: f64,
    pub(super) tiles: Vec<(u64, f64)>,
    pub(super) stage: Option<u8>,
    pub(super) stage_games: u64,
    pub(super) comparable_max: Option<u64>,
    pub(super) normalised: Option<f64>,
    collected: Option<u64>,
}

/// The lines of 1,000 games of a log, and what is wrong with it.
pub(super) fn read(path: &Path) -> (Vec<LogRow>, Option<String>) {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            return (
                Vec::new(),
                Some(format!("its log cannot be read ({error}): there are no curves of its training")),
            );
        }
    };
    let text = String::from_utf8_lossy(&bytes);
    let (mut lines, mut wrong) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        match serde_json::from_str::<LogRow>(line) {
            Ok(line) if line.collected.is_some() || line.window != 1_000 => {}
            Ok(line) => lines.push(line),
            Err(_) if line.trim().is_empty() => {}
            Err(_) => wrong.push(number),
        }
    }
    let all = text.lines().count();
    let note = match wrong[..] {
        [] if lines.is_empty() => {
            Some("its log has no 1,000 games yet: there are no curves of its training".into())
        }
        [] => None,
        [one] if one == all => {
            Some(format!("the last line of its log (line {one}) is cut short and was left out"))
        }
        [first, ..] => Some(format!(
            "{} of {all} lines of its log cannot be read, the first is line {first}; they were left out",
            wrong.len()
        )),
    };
    (lines, note)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "{\"games\":1000,\"window\":1000,\"mean\":5.5,\"max\":9,\"moves\":7,\"seconds\":0.5,\"tiles\":[[8,0.5]],\"factor\":1.0}\n";

    fn read_text(text: &str) -> (Vec<LogRow>, Option<String>) {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("train.jsonl");
        std::fs::write(&path, text).unwrap();
        read(&path)
    }

    #[test]
    fn whole_lines_are_read_and_others_named() {
        let (lines, note) = read_text(GOOD);
        assert_eq!((lines.len(), note), (1, None));
        assert_eq!((lines[0].mean, lines[0].max, &lines[0].tiles[..]), (5.5, 9, &[(8, 0.5)][..]));
        let (lines, note) = read_text(&format!("{GOOD}{}", &GOOD[..40]));
        assert_eq!(lines.len(), 1);
        assert!(note.unwrap().contains("line 2) is cut short"));
        let (lines, note) = read_text(&format!("what\n{GOOD}x\n{GOOD}"));
        assert_eq!(lines.len(), 2);
        assert!(note.unwrap().starts_with("2 of 4 lines"));
        assert!(read_text("").1.unwrap().contains("no 1,000 games yet"));
        assert!(read(Path::new("/no/such/file")).1.unwrap().contains("cannot be read"));
        let collected = "{\"games\":9,\"collected\":5,\"stage\":2}\n{\"games\":100000,\"window\":100000}\n";
        assert_eq!(read_text(&format!("{collected}{GOOD}")).0.len(), 1);
    }
}
