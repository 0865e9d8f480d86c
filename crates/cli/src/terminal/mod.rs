//! Output for people: numbers, tables, boards and progress.

mod board;
mod live;
mod number;
mod progress;
mod table;
mod training;
pub(crate) mod tui;

pub(crate) use board::board;
pub(crate) use number::{duration, grouped, percent, short};
pub(crate) use progress::Progress;
pub(crate) use table::{Table, bar};
pub(crate) use training::TrainingView;
