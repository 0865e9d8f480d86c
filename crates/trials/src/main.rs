//! `trials NAME`: one of the trials, or all of them.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use afterstate_trials::{
    Setup, Trial, crowd, greedy, kills, mutations, refusals, soak, structured, together, writes,
};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str =
    "usage: trials kills|mutations|structured|refusals|writes|together|greedy|crowd|all [--short] [--program PATH]
       trials soak MINUTES [--rest MILLISECONDS] [--program PATH]
The command is looked for beside this program; build it first, for instance by
cargo build --profile test -p afterstate-cli -p afterstate-trials";

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(what) => {
            eprintln!("{what}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// True if all trials went well.
fn run(mut words: Vec<String>) -> Result<bool, String> {
    let short = words.iter().position(|word| word == "--short").map(|at| words.remove(at)).is_some();
    let program = match words.iter().position(|word| word == "--program") {
        Some(at) if at + 1 < words.len() => words.drain(at..at + 2).nth(1).map(Into::into),
        Some(_) => return Err("--program needs a path".into()),
        None => {
            let own = std::env::current_exe().map_err(|error| error.to_string())?;
            own.parent().map(|place| place.join("afterstate"))
        }
    };
    let program = program.filter(|path: &std::path::PathBuf| path.is_file());
    let setup =
        Setup { program: program.ok_or("there is no command afterstate beside this program")?, short };
    type Run = fn(&Setup) -> Trial;
    let all: [(&str, Run); 8] = [
        ("kills", kills::run),
        ("mutations", mutations::run),
        ("structured", structured::run),
        ("refusals", refusals::run),
        ("writes", writes::run),
        ("together", together::run),
        ("greedy", greedy::run),
        ("crowd", crowd::run),
    ];
    let mut good = true;
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["soak", minutes] => good &= tell("soak", || soak::run(&setup, number(minutes)?, Duration::ZERO)),
        ["soak", minutes, "--rest", rest] => {
            let rest = Duration::from_millis(number(rest)? as u64);
            good &= tell("soak", || soak::run(&setup, number(minutes)?, rest));
        }
        ["all"] => all.iter().for_each(|(name, run)| good &= tell(name, || run(&setup))),
        [wanted] => {
            let found = all.iter().find(|(name, _)| *name == wanted);
            let (name, run) = found.ok_or_else(|| format!("there is no trial '{wanted}'"))?;
            good &= tell(name, || run(&setup));
        }
        _ => return Err("name one trial".into()),
    }
    Ok(good)
}

fn number(word: &str) -> Result<f64, String> {
    word.parse()
        .ok()
        .filter(|number| *number >= 0.0)
        .ok_or_else(|| format!("'{word}' is no number from 0 up"))
}

/// Runs a trial and says how it went; the last line is one that `./test` counts.
fn tell(name: &str, trial: impl FnOnce() -> Trial) -> bool {
    let begun = Instant::now();
    let told = trial();
    for line in told.iter().flatten() {
        println!("{name}: {line}");
    }
    if let Err(what) = &told {
        println!("{name}: FAILED: {what}");
    }
    println!("{name}: {:.0} s", begun.elapsed().as_secs_f64());
    let (word, bad) = if told.is_ok() { ("ok", 0) } else { ("FAILED", 1) };
    println!("test result: {word}. {} passed; {bad} failed", 1 - bad);
    told.is_ok()
}
