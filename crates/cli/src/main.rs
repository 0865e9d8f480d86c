//! The `afterstate` command: a table of contents.
//!
//! | module | what it owns |
//! |---|---|
//! | `cli` | the command line, and nothing else knows `clap` |
//! | `command` | one file per command |
//! | `wire` | every JSON type |
//! | `terminal` | tables, numbers and progress for people |
//! | `output` | the one door to standard output |
//! | `interrupt` | Ctrl-C |
//! | `failure` | what goes wrong, in one line and an exit status |

mod cli;
mod command;
mod failure;
mod interrupt;
mod output;
mod terminal;
mod wire;

use std::process::ExitCode;

fn main() -> ExitCode {
    failure::report_panics_in_one_line();
    afterstate_lab::memory::set_limit(None);
    if let Err(error) = interrupt::survive_file_limits() {
        failure::complain(&format!("a limit of file sizes would end the program without a word: {error}"));
    }
    failure::status(cli::parse().and_then(command::run))
}
