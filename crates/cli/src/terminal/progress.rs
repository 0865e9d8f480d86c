//! A bar of progress in one line.

use super::live::Live;
use super::{bar, duration, grouped, short};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Shows how far something is, how fast, and how long it will take.
pub(crate) struct Progress {
    live: Live,
    what: &'static str,
    began: Instant,
    state: Mutex<ProgressState>,
}

struct ProgressState {
    done: u64,
    total: u64,
    message: String,
    shown: Option<Instant>,
}

impl Progress {
    /// Progress towards `total` of something.
    pub(crate) fn new(total: u64, what: &'static str) -> Self {
        let state = ProgressState { done: 0, total, message: String::new(), shown: None };
        Self { live: Live::new(), what, began: Instant::now(), state: Mutex::new(state) }
    }

    /// One more.
    pub(crate) fn one(&self) {
        self.change(|state| state.done += 1);
    }

    /// So far.
    pub(crate) fn at(&self, done: u64, total: u64, message: String) {
        self.change(|state| (state.done, state.total, state.message) = (done, total, message));
    }

    fn change(&self, change: impl FnOnce(&mut ProgressState)) {
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        change(&mut state);
        if self.live.is_on() && state.shown.is_none_or(|last| last.elapsed() > Duration::from_millis(100)) {
            state.shown = Some(Instant::now());
            let seconds = self.began.elapsed().as_secs_f64();
            self.live.show(&[line(&state, self.what, seconds, self.live.room().0)]);
        }
    }

    /// Takes the bar off the screen while something else is printed there.
    pub(crate) fn beside(&self, print: impl FnOnce()) {
        self.live.beside(print);
    }

    /// Done: the bar goes away.
    pub(crate) fn clear(&self) {
        self.live.clear();
    }
}

/// The line after so many seconds, in a window of this width: the bar takes what the words leave.
fn line(state: &ProgressState, what: &str, seconds: f64, width: usize) -> String {
    let rate = state.done as f64 / seconds.max(1e-9);
    let left = state.total.saturating_sub(state.done) as f64 / rate.max(1e-9);
    let count = |number: u64| grouped(number as f64, 0);
    let (done, rate) = (count(state.done), short(rate));
    let mut words = match state.total {
        0 => format!("{done} {what}, {rate}/s"),
        total => format!("{done} of {} {what}, {rate}/s, {} left", count(total), duration(left)),
    };
    if !state.message.is_empty() {
        words = format!("{words} {}", state.message);
    }
    let room = width.saturating_sub(words.chars().count() + 1).min(30);
    let share = state.done as f64 / state.total.max(1) as f64;
    let line =
        if room < 5 || state.total == 0 { words } else { format!("{:<room$} {words}", bar(share, room)) };
    line.chars().take(width).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line used to wrap at 80 columns, with rates like `4,057,456.8576/s`.
    #[test]
    fn a_line_fits_its_window_and_has_no_stray_decimals() {
        let long = ProgressState {
            done: 4_057_456,
            total: 1_234_567_890,
            message: "(forward, tile sum 1,234)".into(),
            shown: None,
        };
        let told = line(&long, "states", 1.000_001, 79);
        assert_eq!(told.chars().count(), 79, "{told}");
        assert!(told.contains("4,057,456 of 1,234,567,890 states, 4.06 M/s, 5:03 left (forward"), "{told}");
        let short = ProgressState { done: 250, total: 1_000, message: String::new(), shown: None };
        let told = line(&short, "games", 2.0, 79);
        assert_eq!(told, format!("{:<30} 250 of 1,000 games, 125/s, 0:06 left", "███████▌"));
    }
}
