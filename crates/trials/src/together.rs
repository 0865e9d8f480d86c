//! Not alone, not on time, not for ever: many processes in one directory, a clock that goes back,
//! `SIGTERM` under load.

use crate::client::{self, Server};
use crate::place::{self, SMALL, checkpoints, complaint, finish, left, put, signal, start, succeed, word};
use crate::writes::{EVERYTHING, Quiet, work};
use crate::{Setup, Trial};
use afterstate::random::Random;
use afterstate_lab::disk::fault;
use afterstate_lab::recipe::Recipe;
use afterstate_lab::run::{RunOptions, train};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// All of it.
pub fn run(setup: &Setup) -> Trial {
    Ok(vec![crowd(setup)?, clock(setup)?, training(setup)?, serving(setup)?])
}

/// Several processes want one directory at the same moment: one works, the others say so; and
/// whoever only reads may.
fn crowd(setup: &Setup) -> Result<String, String> {
    let place = place::temporary()?;
    let at = |name: &str| word(&place.path().join(name));
    put(&place.path().join("recipe.toml"), SMALL)?;
    succeed(setup, &["train", &at("recipe.toml"), "--run", &at("whole")])?;
    let (mut refused, mut readers) = (0, 0);
    let rounds = setup.pick(1, 10);
    for round in 0..rounds {
        let run = at(&format!("run-{round}"));
        let begin = ["train", &at("recipe.toml"), "--run", &run, "--json"].map(String::from);
        let words: Vec<&str> = begin.iter().map(String::as_str).collect();
        let crowd = (0..6).map(|_| start(setup, &words)).collect::<Result<Vec<_>, _>>()?;
        // Meanwhile others go on with it, which they may not, and look at it, which they may.
        let path = place.path().join(format!("run-{round}"));
        let mut done = 0;
        while !path.join("model.afterstate").exists() && done < 20 {
            done += 1;
            let Some((_, newest)) = checkpoints(&path).pop() else {
                std::thread::sleep(Duration::from_millis(2));
                continue;
            };
            let resumed = finish(setup, &["train", "--run", &run, "--resume", "--json"])?;
            let said = complaint(&resumed);
            refused += u64::from(said.contains("another process is working"));
            if !resumed.status.success() && !said.contains("another process is working") {
                return Err(format!("a second process: {said}"));
            }
            // The file may be gone by now, but it is never half there.
            match place::load(&newest) {
                Ok(_) => readers += 1,
                Err(what) if what.contains("cannot read") => {}
                Err(what) => return Err(format!("read while another process works: {what}")),
            }
        }
        let mut worked = 0;
        for child in crowd {
            let output = child.wait_with_output().map_err(|error| error.to_string())?;
            let said = complaint(&output);
            match output.status.code() {
                Some(0) => worked += 1,
                Some(1)
                    if said.contains("another process is working")
                        || said.contains("already holds a run") =>
                {
                    refused += 1;
                }
                _ => return Err(format!("one of a crowd: {}: {said}", output.status)),
            }
        }
        if worked > 1 {
            return Err(format!("{worked} processes worked in one directory"));
        }
        if worked == 0 {
            // All met in the same instant, before any had begun; whoever comes next has it for
            // himself.
            succeed(setup, &words)?;
        }
        place::same(&path, &place.path().join("whole"))?;
    }
    Ok(format!(
        "6 processes at once in one new directory, {rounds} times: one worked, {refused} were refused and said why; \
         {readers} checkpoints read meanwhile, all whole; the result is that of one process alone"
    ))
}

/// A run that began next year and goes on in 1970 is the same as any other, and its events stay in
/// order.
fn clock(_: &Setup) -> Result<String, String> {
    let place = place::temporary()?;
    let recipe = Recipe::parse("everything", EVERYTHING, &[]).map_err(|error| error.to_string())?;
    let (whole, run) = (place.path().join("whole"), place.path().join("run"));
    work(&recipe, &whole)?;
    let year = 365.0 * 86400.0;
    for shift in [year, -10.0 * year, 0.0, -1e10] {
        fault::shift_clock(shift);
        // The time of playing is measured by a clock that nobody can set.
        let (resume, time) = (run.exists(), Some(Duration::from_millis(1)));
        let part = train(&recipe, &run, RunOptions { resume, time, ..RunOptions::default() }, &Quiet);
        fault::shift_clock(0.0);
        part.map_err(|error| error.to_string())?;
    }
    work(&recipe, &run)?;
    place::same(&run, &whole)?;
    let events: Vec<String> = std::fs::read_dir(&run)
        .map_err(|error| error.to_string())?
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.contains("tfevents"))
        .collect();
    let mut by_name = events.clone();
    by_name.sort();
    let games_of = |name: &String| name.split('.').nth(4).and_then(|games| games.parse::<u64>().ok());
    let order: Vec<Option<u64>> = by_name.iter().map(games_of).collect();
    if !order.is_sorted() || order.contains(&None) {
        return Err(format!("events are out of order: {by_name:?}"));
    }
    Ok(format!(
        "the clock a year ahead, ten years back, right, and before 1970, resumed each time: the same run, {} files of events in order",
        events.len()
    ))
}

/// `SIGTERM` while all processors learn: everything is saved, soon.
fn training(setup: &Setup) -> Result<String, String> {
    let place = place::temporary()?;
    let at = |name: &str| word(&place.path().join(name));
    put(&place.path().join("recipe.toml"), SMALL.replace("minutes = 0.0005", "minutes = 10"))?;
    let run = place.path().join("run");
    let mut random = Random::new(7);
    let (mut slowest, times) = (Duration::ZERO, setup.pick(2, 20));
    for _ in 0..times {
        let begin = if run.join("config.toml").exists() {
            ["--resume".into(), "--json".into()]
        } else {
            [at("recipe.toml"), "--json".into()]
        };
        let games = ["--games", "1000000000", "--threads", "4"];
        let name = word(&run);
        let words = [&["train", "--run", &name, &begin[0], &begin[1]][..], &games].concat();
        let before = left(&run)?.0;
        let child = start(setup, &words)?;
        let patience = Instant::now();
        while checkpoints(&run).is_empty() && patience.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(100 + random.below(400)));
        let asked = Instant::now();
        signal(&child, "TERM")?;
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        slowest = slowest.max(asked.elapsed());
        if !output.status.success() {
            return Err(format!("stopped by SIGTERM: {}: {}", output.status, complaint(&output)));
        }
        let answer: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
        let (saved, lost) = left(&run)?;
        if answer["games"] != saved || lost > 0.0 || saved < before {
            return Err(format!("{} games were played, {saved} are saved", answer["games"]));
        }
    }
    if slowest > Duration::from_secs(20) {
        return Err(format!("it took {:.1} s to stop", slowest.as_secs_f64()));
    }
    Ok(format!(
        "SIGTERM in training with 4 threads, {times} times: every game played was saved, in at most {:.2} s",
        slowest.as_secs_f64()
    ))
}

/// `SIGTERM` while many clients ask: the server ends well, and soon.
fn serving(setup: &Setup) -> Result<String, String> {
    let (mut slowest, times) = (Duration::ZERO, setup.pick(1, 10));
    let (answered, broken) = (AtomicU64::new(0), AtomicU64::new(0));
    let place = place::temporary()?;
    put(&place.path().join("tiny.toml"), crate::mutations::TINY)?;
    let at = |name: &str| word(&place.path().join(name));
    succeed(setup, &["train", &at("tiny.toml"), "--run", &at("runs/run")])?;
    for _ in 0..times {
        let server =
            Server::start(setup, &["--model", &at("runs/run/model.afterstate"), "--runs", &at("runs")])?;
        let (addr, stop) = (server.addr, AtomicBool::new(false));
        let well = std::thread::scope(|scope| {
            for client in 0..16 {
                let (answered, broken, stop) = (&answered, &broken, &stop);
                scope.spawn(move || {
                    let mut i = client * 1000;
                    while !stop.load(Relaxed) {
                        i += 1;
                        let count =
                            if client::ask(addr, &client::request(i)) == 0 { broken } else { answered };
                        count.fetch_add(1, Relaxed);
                    }
                });
            }
            std::thread::sleep(Duration::from_millis(700));
            let before = broken.load(Relaxed);
            let asked = Instant::now();
            let well = server.stop();
            slowest = slowest.max(asked.elapsed());
            stop.store(true, Relaxed);
            well.map(|well| (well, before))
        })?;
        if !well.0 || well.1 > 0 {
            return Err(format!("ended well: {}; {} answers broken off before SIGTERM", well.0, well.1));
        }
        broken.store(0, Relaxed);
    }
    if slowest > Duration::from_secs(10) {
        return Err(format!("it took {:.1} s to stop", slowest.as_secs_f64()));
    }
    Ok(format!(
        "SIGTERM to the server while 16 clients ask, {times} times: {} answers before, none broken off; it ended in at most {:.2} s",
        answered.load(Relaxed),
        slowest.as_secs_f64()
    ))
}
