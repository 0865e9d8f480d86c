//! A run as it learns: the curve of averages, tiles, speed and time left.
//!
//! On a terminal the view is redrawn in place on standard error; elsewhere only
//! evaluations leave a line.

use super::{bar, grouped, percent, short};
use afterstate::evaluate::Summary;
use afterstate_lab::run::Status;
use std::io::{IsTerminal, Write, stderr};
use std::path::Path;
use std::sync::Mutex;

/// Shows a training run.
pub(crate) struct TrainingView {
    title: String,
    live: bool,
    /// Lines on the screen now, and the last evaluation.
    shown: Mutex<(usize, Option<String>)>,
}

const CHART_ROWS: usize = 8;
const CHART_COLUMNS: usize = 60;

impl TrainingView {
    pub(crate) fn new(name: &str, place: &Path) -> Self {
        let title = format!("training {name} in {}", place.display());
        Self { title, live: stderr().is_terminal(), shown: Mutex::default() }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, (usize, Option<String>)> {
        self.shown.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub(crate) fn status(&self, status: &Status) {
        if self.live {
            let mut shown = self.lock();
            let lines = render(&self.title, status, shown.1.as_deref());
            let mut text = erase(shown.0);
            text += &(lines.join("\n") + "\n");
            shown.0 = lines.len();
            let _ = stderr().write_all(text.as_bytes());
        }
    }

    pub(crate) fn evaluated(&self, ply: u8, games: u64, summary: &Summary) {
        let score = &summary.score.moments;
        let margin = score.ci95().map_or(0.0, |interval| interval.margin());
        let line = format!(
            "{} after {} games: {} ± {} over {} games",
            if ply == 1 { "greedy play".into() } else { format!("{ply}-ply") },
            grouped(games as f64, 0),
            grouped(score.mean(), 0),
            grouped(margin, 0),
            summary.games
        );
        if !self.live {
            let _ = writeln!(stderr(), "{line}");
        }
        self.lock().1 = Some(line);
    }

    /// Takes the view off the screen, for a line of text.
    pub(crate) fn clear(&self) {
        let mut shown = self.lock();
        let _ = stderr().write_all(erase(std::mem::take(&mut shown.0)).as_bytes());
    }

    /// The last view stays.
    pub(crate) fn finish(&self) {
        self.lock().0 = 0;
    }
}

/// Moves up over the last view and erases it.
fn erase(lines: usize) -> String {
    if lines == 0 { String::new() } else { format!("\x1b[{lines}A\x1b[0J") }
}

/// The lines of the view.
fn render(title: &str, status: &Status, evaluation: Option<&str>) -> Vec<String> {
    let [games, total] = status.games;
    let share = games as f64 / total.max(1) as f64;
    let title = match &status.doing {
        Some(doing) => format!("{title}: {doing}"),
        None => title.to_string(),
    };
    let mut lines: Vec<String> = vec![title.chars().take(79).collect()];
    if let Some(set) = &status.set {
        let line =
            format!("run {} of {}, {} left in all: {}", set.number, set.of, time(set.seconds_left), set.name);
        lines.push(line.chars().take(79).collect());
    }
    lines.extend([
        format!(
            "{:<30} {} of {} games, {} left",
            bar(share, 30),
            grouped(games as f64, 0),
            grouped(total as f64, 0),
            time(status.seconds_left)
        ),
        format!(
            "{} moves/s   average {}   best {}   {} so far",
            short(status.moves_per_second),
            grouped(status.recent.mean(), 0),
            grouped(status.recent.max as f64, 0),
            time(status.seconds)
        ),
    ]);
    let tiles: Vec<String> = status
        .tiles
        .iter()
        .filter(|(_, rate)| *rate > 0.0 && *rate < 0.999)
        .rev()
        .take(5)
        .map(|(tile, rate)| format!("{tile}: {}", percent(*rate)))
        .collect();
    lines.push(if tiles.is_empty() { "no large tiles yet".into() } else { tiles.join("   ") });
    if status.curve.len() > 1 {
        lines.push(String::new());
        lines.extend(chart(&status.curve, CHART_COLUMNS, CHART_ROWS));
    }
    lines.extend(evaluation.map(String::from));
    lines
}

/// A chart of averages of 1,000 games, the newest on the right, in eighths of a row.
fn chart(curve: &[f64], columns: usize, rows: usize) -> Vec<String> {
    let per_column = curve.len().div_ceil(columns);
    let points: Vec<f64> =
        curve.chunks(per_column).map(|chunk| chunk.iter().sum::<f64>() / chunk.len() as f64).collect();
    let top = points.iter().copied().fold(1.0, f64::max);
    (0..rows)
        .rev()
        .map(|row| {
            let label = match row {
                r if r + 1 == rows => short(top),
                0 => "0".into(),
                _ => String::new(),
            };
            let cells: String = points
                .iter()
                .map(|point| {
                    let eighths = ((point / top) * (rows * 8) as f64).round() as usize;
                    [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][eighths.saturating_sub(row * 8).min(8)]
                })
                .collect();
            format!("{label:>8} │{cells}")
        })
        .collect()
}

/// `1:02:03`, `2:03`, or a word.
fn time(seconds: f64) -> String {
    if !seconds.is_finite() || seconds > 1e7 {
        return "some time".into();
    }
    let whole = seconds.round() as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate_lab::run::{Place, Window};

    #[test]
    fn the_view_fits_80_by_24_and_says_what_matters() {
        let status = Status {
            doing: Some("stage 2 of 3, from 16384".into()),
            games: [12_000, 20_000],
            moves: 30_000_000,
            seconds: 75.4,
            moves_per_second: 1_234_567.0,
            seconds_left: 50.2,
            curve: (0..500).map(|i| f64::from(i) * 100.0).collect(),
            recent: Window { games: 10, score: 500_000, max: 90_000, ..Window::default() },
            tiles: vec![(2, 1.0), (1024, 0.9), (2048, 0.5), (4096, 0.0)],
            set: Some(Place { name: "alpha=0.1,seed=2".into(), number: 3, of: 8, seconds_left: 3723.0 }),
        };
        let lines = render("training quick", &status, Some("greedy play: 1"));
        assert!(lines.len() < 24 && lines.iter().all(|line| line.chars().count() <= 79), "{lines:#?}");
        let text = lines.join("\n");
        for part in [
            "quick: stage 2 of 3, from 16384",
            "run 3 of 8, 1:02:03 left in all: alpha=0.1,seed=2",
            "12,000 of 20,000",
            "0:50 left",
            "1.23 M moves/s",
            "average 50,000",
            "2048: 50.00 %",
            "█",
        ] {
            assert!(text.contains(part), "{part} is missing from\n{text}");
        }
        assert!(!text.contains("4096"));
    }

    #[test]
    fn a_chart_rises_with_its_curve() {
        let lines = chart(&[0.0, 50.0, 100.0], 60, 2);
        assert_eq!(lines, ["     100 │  █", "       0 │ ██"]);
    }

    #[test]
    fn times_read_well() {
        assert_eq!([time(5.0), time(125.0), time(3723.0)], ["0:05", "2:05", "1:02:03"]);
        assert_eq!(time(f64::INFINITY), "some time");
    }
}
