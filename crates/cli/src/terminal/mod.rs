//! What people see: numbers, tables, bars and progress.

mod number;
mod progress;
mod table;

pub(crate) use number::{grouped, percent, short};
pub(crate) use progress::Progress;
pub(crate) use table::{Table, bar};
