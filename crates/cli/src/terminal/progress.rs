//! A progress bar on standard error, and only if that is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};

/// Shows how far something is, how fast, and how long it will take.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Progress towards `total` of something.
    pub(crate) fn new(total: u64, what: &str) -> Self {
        let target =
            if stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let template = format!("{{bar:30}} {{human_pos}} of {{human_len}} {what}, {{per_sec}}, {{eta}} left {{msg}}");
        let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
        Self(ProgressBar::with_draw_target(Some(total), target).with_style(style.progress_chars("█▌░")))
    }

    /// One more.
    pub(crate) fn one(&self) {
        self.0.inc(1);
    }

    /// So far.
    pub(crate) fn at(&self, position: u64, total: u64, message: String) {
        self.0.set_length(total);
        self.0.set_position(position);
        self.0.set_message(message);
    }

    /// Done: the bar goes away.
    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
    }
}
