//! What a run writes down while it learns: JSON lines and TensorBoard scalars.

use super::files::{Directory, RunError, at};
use super::window::Window;
use crate::export::tensorboard::EventWriter;
use serde::Serialize;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// One line of `train.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Games played so far.
    pub games: u64,
    /// How many of them this line is about.
    pub window: u64,
    /// Their average score.
    pub mean: f64,
    /// Their largest score.
    pub max: u64,
    /// Moves made so far, restarts included.
    pub moves: u64,
    /// Seconds of playing and learning so far.
    pub seconds: f64,
    /// Share of games that reached each tile, by its label.
    pub tiles: Vec<(u64, f64)>,
    /// The factor on every step.
    pub factor: f32,
}

/// The logs of a run.
pub struct Log {
    json: File,
    json_path: PathBuf,
    events: EventWriter<File>,
    events_path: PathBuf,
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

impl Log {
    /// Opens the logs; `resumed_at` drops what was written after that many games.
    pub fn open(directory: &Directory, resumed_at: Option<u64>) -> Result<Self, RunError> {
        let json_path = directory.join("train.jsonl");
        if let Some(games) = resumed_at
            && let Ok(text) = fs::read_to_string(&json_path)
        {
            let earlier = |line: &&str| {
                let value: Option<serde_json::Value> = serde_json::from_str(line).ok();
                value.and_then(|v| v.get("games")?.as_u64()).is_some_and(|g| g <= games)
            };
            let kept: String = text.lines().filter(earlier).flat_map(|line| [line, "\n"]).collect();
            super::files::write_whole(&json_path, |out| out.write_all(kept.as_bytes()))?;
        }
        let json = OpenOptions::new().create(true).append(true).open(&json_path);
        let json = json.map_err(at("cannot write", &json_path))?;
        let stamp = now();
        let events_path = directory.join(&format!(
            "events.out.tfevents.{:010}.{}.afterstate",
            stamp as u64,
            resumed_at.unwrap_or(0)
        ));
        let events = File::create(&events_path)
            .and_then(|file| EventWriter::new(file, stamp, resumed_at))
            .map_err(at("cannot write", &events_path))?;
        Ok(Self { json, json_path, events, events_path })
    }

    /// A full window of training games.
    pub fn window(&mut self, line: &Line) -> Result<(), RunError> {
        let mut text = serde_json::to_string(line).expect("plain data");
        text.push('\n');
        self.json.write_all(text.as_bytes()).map_err(at("cannot write", &self.json_path))?;
        let group = format!("train-{}", line.window);
        let mut scalars = vec![
            (format!("{group}/average"), line.mean),
            (format!("{group}/maximum"), line.max as f64),
            ("speed/moves_per_second".into(), line.moves as f64 / line.seconds.max(1e-9)),
            ("learning/factor".into(), f64::from(line.factor)),
        ];
        scalars.extend(line.tiles.iter().map(|(tile, rate)| (format!("{group}/tile_{tile}"), *rate)));
        self.scalars(line.games, &scalars)
    }

    /// Any scalars.
    pub fn scalars(&mut self, games: u64, scalars: &[(String, f64)]) -> Result<(), RunError> {
        let borrowed: Vec<(&str, f64)> = scalars.iter().map(|(tag, value)| (tag.as_str(), *value)).collect();
        self.events.scalars(now(), games, &borrowed).map_err(at("cannot write", &self.events_path))
    }
}

/// The tiles worth a line: those that at least one game reached, but not all.
pub(crate) fn tile_rates(window: &Window, label: impl Fn(u8) -> u64) -> Vec<(u64, f64)> {
    let rates = (1..=window.top()).map(|rank| (label(rank), window.reached(rank)));
    rates.filter(|&(_, rate)| rate < 1.0).collect()
}
