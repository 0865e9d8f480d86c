//! Logs of a run: JSON lines and TensorBoard scalars.

use super::files::{Directory, RunError, at, write_whole};
use super::text_log::TextLog;
use super::window::Window;
use crate::disk::{self, fault};
use crate::export::tensorboard::EventWriter;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// One line of `train.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogLine {
    /// Games played so far.
    pub games: u64,
    /// Games that this line is about.
    pub window: u64,
    /// Their average score.
    pub mean: f64,
    /// Their largest score.
    pub max: u64,
    /// Moves made so far, restarts included.
    pub moves: u64,
    /// Seconds of playing and learning so far.
    pub seconds: f64,
    /// Share of games that reached each tile, by its label; those that all games reached are left
    /// out.
    pub tiles: Vec<(u64, f64)>,
    /// The largest tile of all games.
    #[serde(default)]
    pub largest: u64,
    /// The share of games that reached the winning tile.
    #[serde(default)]
    pub won: f64,
    /// The factor on every step.
    pub factor: f32,
    /// The share of games that came to their goal, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<f64>,
    /// For stages trained one by one.
    #[serde(flatten)]
    pub stage: Option<StageLine>,
}

impl LogLine {
    /// The share of games that reached a tile.
    pub fn reached(&self, tile: u64) -> f64 {
        let listed = self.tiles.iter().find(|(label, _)| *label == tile).map(|(_, rate)| *rate);
        listed.unwrap_or(if tile <= self.largest { 1.0 } else { 0.0 })
    }
}

/// Fields of a line about the stage being trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageLine {
    /// Its number, from 1 on.
    pub stage: u8,
    /// Its training games so far.
    pub stage_games: u64,
    /// The share of games from the start that reach it.
    pub reach: f64,
    /// The largest score of the first `reach` of these games: the maximum to compare with other
    /// stages' (Yeh et al.).
    pub comparable_max: u64,
    /// Mean result of the stage before from the same boards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normalised: Option<f64>,
}

/// A line about boards that were collected.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Collected {
    /// Games played so far.
    pub games: u64,
    /// Moves made so far.
    pub moves: u64,
    /// Seconds of playing and learning so far.
    pub seconds: f64,
    /// Number of boards.
    pub collected: u64,
    /// The stage they begin, from 1 on.
    pub stage: u8,
    /// The share of the games they come from that reached them.
    pub share: f64,
    /// The share of games from the start that reach the stage.
    pub reach: f64,
    /// Their average score.
    pub score: f64,
    /// The average final score of their games.
    pub normalised: f64,
}

/// The logs of a run.
pub struct Log {
    json: disk::File,
    json_path: PathBuf,
    events: EventWriter<disk::File>,
    events_path: PathBuf,
    texts: Vec<TextLog>,
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64()) + fault::shift()
}

/// Cuts a log for a run resumed after that many games, and reads the windows in it: later lines are
/// dropped, and whatever is no whole line of JSON.
///
/// Boards collected at the end of the present phase, which began after `began` games, will be
/// collected again.
pub fn cut(log: &[u8], games: u64, began: u64) -> (String, Vec<LogLine>) {
    let text = String::from_utf8_lossy(log);
    let (mut kept, mut lines) = (String::new(), Vec::new());
    for line in text.split_inclusive('\n') {
        let Ok(value) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let number = |key: &str| value.get(key).and_then(serde_json::Value::as_u64);
        let until = if value.get("collected").is_some() { began } else { games };
        if line.ends_with('\n') && number("games").is_some_and(|at| at <= until) {
            kept += line;
            lines.extend(serde_json::from_value::<LogLine>(value));
        }
    }
    (kept, lines)
}

/// Leaves in the file what [`cut`] does; the windows that stay.
fn keep_until(path: &Path, games: u64, began: u64) -> Result<Vec<LogLine>, RunError> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(at("cannot read", path))?,
    };
    let (kept, lines) = cut(&bytes, games, began);
    if kept.as_bytes() != bytes {
        write_whole(path, |out| out.write_all(kept.as_bytes()))?;
    }
    Ok(lines)
}

/// Removes evaluations of later games, which the run has not played any more, and final ones if it
/// is not finished.
fn remove_evaluations(directory: &Directory, games: u64, finished: bool) -> Result<(), RunError> {
    let place = directory.join("eval");
    for entry in fs::read_dir(&place).map_err(at("cannot read", &place))? {
        let path = entry.map_err(at("cannot read", &place))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let number = name.split(['.', '-']).next().filter(|stem| stem.len() >= 12 && name.ends_with(".json"));
        let later = number.and_then(|stem| stem.parse::<u64>().ok()).is_some_and(|at| at > games);
        if later || !finished && name.starts_with("final-ply") {
            disk::remove_file(&path).map_err(at("cannot remove", &path))?;
        }
    }
    Ok(())
}

/// A new file of events; readers take them in the order of their names, whatever the clock says.
fn events_path(directory: &Directory, games: u64) -> Result<PathBuf, RunError> {
    const BEGINS: &str = "events.out.tfevents.";
    let mut stamp = now() as u64;
    for entry in fs::read_dir(directory.path()).map_err(at("cannot read", directory.path()))? {
        let name = entry.map_err(at("cannot read", directory.path()))?.file_name();
        let name = name.to_string_lossy();
        let number = name.strip_prefix(BEGINS).and_then(|rest| rest.split('.').next());
        stamp = stamp.max(number.and_then(|n| n.parse::<u64>().ok()).map_or(0, |earlier| earlier + 1));
    }
    Ok(directory.join(&format!("{BEGINS}{stamp:010}.{games:012}.afterstate")))
}

impl Log {
    /// Opens the logs; `resumed_at` drops what was written after that many games; the present phase
    /// of the run began after `began` games; if it is `finished`, its final evaluations stay.
    /// `texts` go along. Also returns the averages of 1,000 games logged so far.
    pub fn open(
        directory: &Directory,
        resumed_at: Option<u64>,
        began: u64,
        finished: bool,
        mut texts: Vec<TextLog>,
    ) -> Result<(Self, Vec<f64>), RunError> {
        let json_path = directory.join("train.jsonl");
        let lines = match resumed_at {
            Some(games) => keep_until(&json_path, games, began)?,
            None => write_whole(&json_path, |_| Ok(())).map(|()| Vec::new())?,
        };
        texts.iter_mut().try_for_each(|text| text.open(&lines))?;
        let curve = lines.iter().filter(|line| line.window == 1000).map(|line| line.mean).collect();
        remove_evaluations(directory, resumed_at.unwrap_or(0), finished)?;
        let json = disk::File::append(&json_path).map_err(at("cannot write", &json_path))?;
        let events_path = events_path(directory, resumed_at.unwrap_or(0))?;
        // Readers forget earlier files' events from the given step on, and those of `resumed_at`
        // itself are good.
        let events = disk::File::create(&events_path)
            .and_then(|file| EventWriter::new(file, now(), resumed_at.map(|games| games + 1)))
            .map_err(at("cannot write", &events_path))?;
        Ok((Self { json, json_path, events, events_path, texts }, curve))
    }

    /// Makes everything logged so far last through a power failure.
    pub fn sync(&self) -> Result<(), RunError> {
        self.json.sync().map_err(at("cannot write", &self.json_path))?;
        self.events.get_ref().sync().map_err(at("cannot write", &self.events_path))
    }

    fn line(&mut self, line: &impl Serialize) -> Result<(), RunError> {
        let mut text = serde_json::to_string(line).expect("plain data");
        text.push('\n');
        self.json.write_all(text.as_bytes()).map_err(at("cannot write", &self.json_path))
    }

    /// Boards were collected.
    pub fn collected(&mut self, line: &Collected) -> Result<(), RunError> {
        self.line(line)?;
        let tag = |what: &str| format!("stage-{}/{what}", line.stage);
        let scalars =
            [(tag("reach"), line.reach), (tag("score"), line.score), (tag("normalised"), line.normalised)];
        self.scalars(line.games, &scalars)
    }

    /// A full window of training games.
    pub fn window(&mut self, line: &LogLine) -> Result<(), RunError> {
        self.line(line)?;
        self.texts.iter_mut().try_for_each(|text| text.add(line))?;
        let group = format!("train-{}", line.window);
        let mut scalars = vec![
            (format!("{group}/average"), line.mean),
            (format!("{group}/maximum"), line.max as f64),
            ("speed/moves_per_second".into(), line.moves as f64 / line.seconds.max(1e-9)),
            ("learning/factor".into(), f64::from(line.factor)),
        ];
        if let Some(stage) = &line.stage {
            let tag = |what: &str| format!("stage-{}-{}/{what}", stage.stage, line.window);
            scalars.push((tag("average"), line.mean));
            scalars.push((tag("maximum"), stage.comparable_max as f64));
            scalars.extend(stage.normalised.map(|normalised| (tag("normalised"), normalised)));
        }
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
