//! A run as it learns: the curve of averages, tiles, speed and time left.
//!
//! On a terminal the view is redrawn in place on standard error; elsewhere only
//! evaluations leave a line.

mod chart;

use super::live::Live;
use super::{bar, duration, grouped, percent, short};
use afterstate::evaluate::Summary;
use afterstate_lab::run::Status;
use std::io::{Write, stderr};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Shows a training run.
pub(crate) struct TrainingView {
    title: String,
    live: Live,
    /// The last evaluation.
    evaluation: Mutex<Option<String>>,
}

impl TrainingView {
    pub(crate) fn new(name: &str, place: &Path) -> Self {
        let title = format!("training {name} in {}", place.display());
        Self { title, live: Live::new(), evaluation: Mutex::default() }
    }

    fn evaluation(&self) -> MutexGuard<'_, Option<String>> {
        self.evaluation.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn status(&self, status: &Status) {
        if self.live.is_on() {
            let evaluation = self.evaluation().clone();
            self.live.show(&render(&self.title, status, evaluation.as_deref(), self.live.room()));
        }
    }

    pub(crate) fn evaluated(&self, ply: u8, games: u64, summary: &Summary) {
        let score = &summary.score.moments;
        let margin = score.ci95().map_or(0.0, |interval| interval.margin());
        let line = format!(
            "{ply}-ply after {} games: {} ± {} over {} games",
            grouped(games as f64, 0),
            grouped(score.mean(), 0),
            grouped(margin, 0),
            grouped(summary.games as f64, 0)
        );
        if !self.live.is_on() {
            let _ = writeln!(stderr(), "{line}");
        }
        *self.evaluation() = Some(line);
    }

    /// Takes the view off the screen while something else is printed there.
    pub(crate) fn beside(&self, print: impl FnOnce()) {
        self.live.beside(print);
    }

    /// The last view stays.
    pub(crate) fn finish(&self) {
        self.live.keep();
    }
}

/// The lines of the view in a window of so many columns and rows.
fn render(title: &str, status: &Status, evaluation: Option<&str>, room: (usize, usize)) -> Vec<String> {
    let [games, total] = status.games;
    let share = games as f64 / total.max(1) as f64;
    let mut lines = vec![match &status.doing {
        Some(doing) => format!("{title}: {doing}"),
        None => title.to_string(),
    }];
    if let Some(set) = &status.set {
        let left = duration(set.seconds_left);
        lines.push(format!("run {} of {}, {left} left in all: {}", set.number, set.of, set.name));
    }
    lines.extend([
        format!(
            "{:<30} {} of {} games, {} left",
            bar(share, 30),
            grouped(games as f64, 0),
            grouped(total as f64, 0),
            duration(status.seconds_left)
        ),
        format!(
            "{} moves/s   {} so far   average {}   best {}",
            short(status.moves_per_second),
            duration(status.seconds),
            grouped(status.recent.mean(), 0),
            grouped(status.recent.max as f64, 0)
        ),
        tiles(&status.tiles),
    ]);
    let below = usize::from(evaluation.is_some());
    let rows = room.1.saturating_sub(lines.len() + 1 + below).min(16);
    if status.curve.len() > 1 && rows >= 6 {
        lines.push(String::new());
        lines.extend(chart::chart(&status.curve, room.0.min(119), rows));
    } else if status.curve.len() < 2 {
        lines.push("the curve begins after 2,000 games".into());
    }
    lines.extend(evaluation.map(String::from));
    lines
}

/// Shares of recent games that made each tile, the largest first.
fn tiles(rates: &[(u64, f64)]) -> String {
    let interesting = rates.iter().rev().filter(|(_, rate)| *rate > 0.0 && *rate < 0.999).take(5);
    let tiles: Vec<String> = interesting.map(|(tile, rate)| format!("{tile}: {}", percent(*rate))).collect();
    if tiles.is_empty() { "no large tiles yet".into() } else { format!("games with {}", tiles.join("   ")) }
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
        let lines = render("training quick", &status, Some("1-ply: 1"), (79, 23));
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
            "average score of 1,000 games",
            "500,000",
        ] {
            assert!(text.contains(part), "{part} is missing from\n{text}");
        }
        assert!(!text.contains("4096"));
    }
}
