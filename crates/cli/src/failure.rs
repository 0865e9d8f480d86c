//! Failures, reported in one line with an exit status: 1 failed, 2 wrong usage.

use std::fmt;
use std::io::{self, Write};
use std::panic::PanicHookInfo;
use std::process::ExitCode;

/// The user asked for something that makes no sense: exit status 2.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// A usage error from anything that says what is wrong.
pub(crate) fn usage(what: impl fmt::Display) -> anyhow::Error {
    Usage(what.to_string()).into()
}

/// The exit status of the whole program; prints the one line if there is something to say.
pub(crate) fn status(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    // The reader has read enough (`afterstate games | head -1`): not our failure.
    let closed = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    if error.chain().any(|cause| cause.downcast_ref().is_some_and(closed)) {
        return ExitCode::SUCCESS;
    }
    complain(&message(&error));
    ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
}

/// The error and its causes, each said once: some errors tell their cause themselves.
fn message(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |said, cause| {
        let cause = cause.to_string();
        match said.as_str() {
            "" => cause,
            _ if said.contains(&cause) => said,
            _ => format!("{said}: {cause}"),
        }
    })
}

/// One line on standard error, whatever the text holds.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "afterstate: {}", harmless(text));
}

/// A line on standard error that is no complaint.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{}", harmless(text));
}

/// A text as one line that a terminal only shows: files may hold anything, also what moves the
/// cursor or changes the title.
pub(crate) fn harmless(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    line.chars().map(shown).collect()
}

/// A panic is a defect of ours. It still ends in one line, without a backtrace.
pub(crate) fn report_panics_in_one_line() {
    std::panic::set_hook(Box::new(|info| {
        report(info);
        std::process::exit(1);
    }));
}

/// Panic hook of the server: a panic ends the request it happened in, not the program.
pub(crate) fn survive_panics() {
    std::panic::set_hook(Box::new(report));
}

fn report(info: &PanicHookInfo<'_>) {
    crate::terminal::tui::give_back();
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let what = text.or(payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason given");
    let place = info.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
    complain(&format!("a defect in afterstate itself: {what}{place}; please report it"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_told_nothing_but_letters() {
        assert_eq!(harmless("a\nb\t c"), "a b c");
        assert_eq!(harmless("\u{1b}[2J\u{7}\u{9b}x é"), "\\u{1b}[2J\\u{7}\\u{9b}x é");
    }

    #[test]
    fn a_cause_is_said_once() {
        let cause = || io::Error::from(io::ErrorKind::NotFound);
        let told = anyhow::Error::new(cause()).context(format!("cannot read x: {}", cause()));
        assert_eq!(message(&told), format!("cannot read x: {}", cause()));
        let untold = anyhow::Error::new(cause()).context("cannot read x");
        assert_eq!(message(&untold), format!("cannot read x: {}", cause()));
    }
}
