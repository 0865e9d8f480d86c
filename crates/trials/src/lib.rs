//! Faults on purpose: what the program promises, tried as hard as a machine can try it.
//!
//! | trial | what happens |
//! |---|---|
//! | [`kills`] | `kill -9` at random moments, again and again |
//! | [`mutations`] | every bit of every file flipped, every length cut |
//! | [`structured`] | files made up by somebody who knows their formats |
//! | [`refusals`] | every large allocation is refused in turn |
//! | [`writes`] | the disk fails at every single step, and a real one is full |
//! | [`together`] | many processes in one directory, the clock set back, `SIGTERM` under load |
//! | [`greedy`] | hundreds of clients that want the most a server gives, and more |
//! | [`crowd`] | honest clients among hostile ones, within a limit on memory |
//! | [`soak`] | hours of training and serving: memory, speed and files stay as they are |
//!
//! `cargo run --profile test -p afterstate-trials -- all` runs the whole; a small part of each is
//! in the test `trials` of the command. What came of it is in `docs/reliability.md`.

pub mod client;
pub mod crowd;
pub mod greedy;
pub mod kills;
pub mod mutations;
pub mod place;
pub mod refusals;
pub mod scenarios;
pub mod soak;
pub mod structured;
pub mod together;
pub mod writes;

use std::path::PathBuf;

/// Report of a trial: a line for each thing that was tried, with its figures; or the failure.
pub type Trial = Result<Vec<String>, String>;

/// Setting of the trials.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The command `afterstate`.
    pub program: PathBuf,
    /// True if a few seconds must do.
    pub short: bool,
}

impl Setup {
    /// One of two numbers.
    fn pick(&self, short: u64, long: u64) -> u64 {
        if self.short { short } else { long }
    }
}

/// An error that says what was being done.
fn failed(doing: impl std::fmt::Display) -> impl FnOnce(std::io::Error) -> String {
    move |error| format!("{doing}: {error}")
}
