//! The learning curve for other programs: `train.csv`, and `train.log` as TDL2048 prints it.
//!
//! Both say less than `train.jsonl`, from which they are made anew when a run is resumed: they need
//! no care of their own.

use super::files::{RunError, at, write_whole};
use super::log::LogLine;
use crate::recipe::LogFormat;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

/// Games of a window that is logged.
const WINDOW: u64 = 1_000;

/// A log in the format of other programs.
pub struct TextLog {
    path: PathBuf,
    file: Option<File>,
    form: Form,
}

enum Form {
    /// The tiles that have a column.
    Csv(Vec<u64>),
    Tdl2048(Tdl2048),
}

/// State that TDL2048's blocks carry from one to the next.
#[derive(Default)]
struct Tdl2048 {
    /// Number of blocks.
    of: u64,
    blocks: u64,
    score: f64,
    max: u64,
    largest: u64,
    won: f64,
    moves: u64,
    seconds: f64,
}

impl TextLog {
    /// A log in this directory: `tiles` get columns, the run has `games` in all.
    pub fn new(format: LogFormat, directory: &std::path::Path, tiles: &[u64], games: u64) -> Self {
        let (name, form) = match format {
            LogFormat::Csv => ("train.csv", Form::Csv(tiles.to_vec())),
            LogFormat::Tdl2048 => {
                let of = games.div_ceil(WINDOW);
                ("train.log", Form::Tdl2048(Tdl2048 { of, ..Tdl2048::default() }))
            }
        };
        Self { path: directory.join(name), file: None, form }
    }

    /// Writes what was logged so far, and opens the file to go on.
    pub(super) fn open(&mut self, lines: &[LogLine]) -> Result<(), RunError> {
        let mut text = self.form.head();
        lines.iter().for_each(|line| text += &self.form.line(line));
        write_whole(&self.path, |out| out.write_all(text.as_bytes()))?;
        let file = OpenOptions::new().append(true).open(&self.path);
        self.file = Some(file.map_err(at("cannot write", &self.path))?);
        Ok(())
    }

    /// One more line.
    pub(super) fn add(&mut self, line: &LogLine) -> Result<(), RunError> {
        let text = self.form.line(line);
        let file = self.file.as_mut();
        file.map_or(Ok(()), |file| file.write_all(text.as_bytes())).map_err(at("cannot write", &self.path))
    }
}

impl Form {
    fn head(&self) -> String {
        match self {
            Self::Csv(tiles) => {
                let tiles: String = tiles.iter().map(|tile| format!(",tile_{tile}")).collect();
                format!("games,average,maximum,largest_tile,moves,seconds,factor{tiles}\n")
            }
            Self::Tdl2048(_) => String::new(),
        }
    }

    /// The text of a window of 1,000 games; none for others.
    fn line(&mut self, line: &LogLine) -> String {
        match self {
            _ if line.window != WINDOW => String::new(),
            Self::Csv(tiles) => {
                let LogLine { games, mean, max, largest, moves, seconds, factor, .. } = line;
                let mut text = format!("{games},{mean},{max},{largest},{moves},{seconds},{factor}");
                for tile in tiles {
                    let _ = write!(text, ",{}", line.reached(*tile));
                }
                text + "\n"
            }
            Self::Tdl2048(state) => state.block(line),
        }
    }
}

impl Tdl2048 {
    /// Three lines and an empty one, in whole points and milliseconds.
    fn block(&mut self, line: &LogLine) -> String {
        let milliseconds = ((line.seconds - self.seconds) * 1e3).max(1.0);
        let speed = line.moves.saturating_sub(self.moves) as f64 / milliseconds * 1e3;
        self.blocks += 1;
        self.score += line.mean;
        self.won += line.won;
        self.max = self.max.max(line.max);
        self.largest = self.largest.max(line.largest);
        (self.moves, self.seconds) = (line.moves, line.seconds);
        let blocks = self.blocks as f64;
        let width = self.of.to_string().len().max(3);
        format!(
            "{:0width$}/{:0width$} {:.0}ms {speed:.2}ops\n\
             local:  avg={:.0} max={} tile={} win={:.2}%\n\
             total:  avg={:.0} max={} tile={} win={:.2}%\n\n",
            self.blocks,
            self.of.max(self.blocks),
            milliseconds.floor(),
            line.mean.floor(),
            line.max,
            line.largest,
            line.won * 100.0,
            (self.score / blocks).floor(),
            self.max,
            self.largest,
            self.won / blocks * 100.0,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(games: u64, window: u64, mean: f64, seconds: f64) -> LogLine {
        LogLine {
            games,
            window,
            mean,
            max: 23_440 + games,
            moves: games * 500,
            seconds,
            tiles: vec![(1024, 0.5), (2048, 0.002)],
            largest: 2048,
            won: 0.002,
            factor: 1.0,
            goal: None,
            stage: None,
        }
    }

    fn text(format: LogFormat, lines: &[LogLine], opened_with: usize) -> String {
        let place = tempfile::tempdir().unwrap();
        let mut log = TextLog::new(format, place.path(), &[512, 2048, 4096], 5_000);
        log.open(&lines[..opened_with]).unwrap();
        lines[opened_with..].iter().for_each(|line| log.add(line).unwrap());
        std::fs::read_to_string(&log.path).unwrap()
    }

    #[test]
    fn logs_are_as_others_write_them_and_the_same_after_resuming() {
        let lines = [
            line(1000, 1000, 7574.9, 0.152),
            line(100_000, 100_000, 1.0, 0.2),
            line(2000, 1000, 10845.2, 0.359),
        ];
        let tdl = "001/005 152ms 3289473.68ops\n\
             local:  avg=7574 max=24440 tile=2048 win=0.20%\n\
             total:  avg=7574 max=24440 tile=2048 win=0.20%\n\n\
             002/005 207ms 2415458.94ops\n\
             local:  avg=10845 max=25440 tile=2048 win=0.20%\n\
             total:  avg=9210 max=25440 tile=2048 win=0.20%\n\n";
        let csv = "games,average,maximum,largest_tile,moves,seconds,factor,tile_512,tile_2048,tile_4096\n\
             1000,7574.9,24440,2048,500000,0.152,1,1,0.002,0\n\
             2000,10845.2,25440,2048,1000000,0.359,1,1,0.002,0\n";
        for opened_with in 0..=3 {
            assert_eq!(text(LogFormat::Tdl2048, &lines, opened_with), tdl);
            assert_eq!(text(LogFormat::Csv, &lines, opened_with), csv);
        }
    }
}
