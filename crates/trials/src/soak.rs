//! Hours: training and serving at the same time. Memory and open files stay flat, speed too, and
//! the files of the run grow by what its log is told to hold and nothing else.

use crate::client::{self, Server};
use crate::place::{self, complaint, files, memory, put, signal, start, succeed, word};
use crate::{Setup, Trial};
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// 2048 itself with small patterns, so that thousands of checkpoints and evaluations fit into an
/// hour.
const RECIPE: &str = r#"
game = "2048"
[network]
patterns = "0123 4567 0145 1256 5 6"
[learning]
target = "backward"
step = "coherence"
[run]
games = 1000000000
threads = 1
[evaluate]
every = 5000
games = 20
[checkpoint]
minutes = 0.05
keep = 3
"#;
/// Clients of the server.
const CLIENTS: u64 = 4;

/// Measurements, all taken at the same moment.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    at: f64,
    train_mib: f64,
    serve_mib: f64,
    train_work: f64,
    serve_work: f64,
    serve_files: f64,
    moves: f64,
    played: f64,
    answers: f64,
    games: f64,
    log_bytes: f64,
    checkpoints: f64,
    evaluations: f64,
}

/// Trains and serves for so many minutes; clients rest so long between two requests, which leaves
/// others a share of the machine.
pub fn run(setup: &Setup, minutes: f64, rest: Duration) -> Trial {
    let place = place::temporary()?;
    let at = |name: &str| word(&place.path().join(name));
    put(&place.path().join("recipe.toml"), RECIPE)?;
    put(&place.path().join("tiny.toml"), crate::mutations::TINY)?;
    succeed(setup, &["train", &at("tiny.toml"), "--run", &at("tiny")])?;
    let run = place.path().join("runs/run");
    let training = start(setup, &["train", &at("recipe.toml"), "--run", &word(&run), "--json"])?;
    let server = Server::start(setup, &["--model", &at("tiny/model.afterstate"), "--runs", &at("runs")])?;
    let (stop, answers, broken) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let begun = Instant::now();
    let end = begun + Duration::from_secs_f64(60.0 * minutes);
    let pause = Duration::from_secs_f64((60.0 * minutes / 120.0).clamp(0.2, 10.0));
    let (mut samples, mut stops) = (Vec::new(), 0);
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (stop, answers, broken, addr) = (&stop, &answers, &broken, server.addr);
            scope.spawn(move || {
                let mut i = client * 1_000_003;
                while !stop.load(Relaxed) {
                    i += 1;
                    let count = if client::ask(addr, &client::request(i)) == 0 { broken } else { answers };
                    count.fetch_add(1, Relaxed);
                    std::thread::sleep(rest);
                }
            });
        }
        while Instant::now() < end {
            let asleep = Instant::now();
            std::thread::sleep(pause);
            // A machine that stands still, or stops its processes, outlasts the patience of clients
            // and server.
            stops += u64::from(asleep.elapsed() > pause + Duration::from_secs(5));
            let at = begun.elapsed().as_secs_f64();
            samples.push(sample(at, &run, training.id(), server.child.id(), answers.load(Relaxed)));
            if samples.len().is_multiple_of(20) {
                // What is known if the machine itself ends the trial; nobody has to read it.
                let _ = writeln!(std::io::stderr(), "{}: {:?}", samples.len(), samples.last());
            }
        }
        stop.store(true, Relaxed);
    });
    signal(&training, "TERM")?;
    let output = training.wait_with_output().map_err(|error| error.to_string())?;
    if !output.status.success() || !server.stop()? {
        return Err(format!("training or serving did not end well: {}", complaint(&output)));
    }
    let broken = broken.load(Relaxed);
    let mut told = judge(&samples, minutes)?;
    told.push(format!(
        "{} answers, {broken} broken off; the machine stood still for seconds {stops} times, with {CLIENTS} clients waiting",
        answers.load(Relaxed)
    ));
    if broken > stops * CLIENTS { Err(told.join("; ")) } else { Ok(told) }
}

fn sample(at: f64, run: &Path, training: u32, server: u32, answers: u64) -> Sample {
    let open = std::fs::read_dir(format!("/proc/{server}/fd")).map_or(0, Iterator::count);
    let log = std::fs::read_to_string(run.join("train.jsonl")).unwrap_or_default();
    let last: Value = log.lines().last().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
    let length = |path: &std::path::PathBuf| std::fs::metadata(path).map_or(0, |found| found.len());
    let logs: u64 =
        files(run, "").iter().filter(|path| !word(path).ends_with("model.afterstate")).map(length).sum();
    Sample {
        at,
        train_mib: memory(training, "VmRSS"),
        serve_mib: memory(server, "VmRSS"),
        train_work: work(training),
        serve_work: work(server),
        serve_files: open as f64,
        moves: last["moves"].as_f64().unwrap_or(0.0),
        played: last["seconds"].as_f64().unwrap_or(0.0),
        answers: answers as f64,
        games: last["games"].as_f64().unwrap_or(0.0),
        log_bytes: logs as f64,
        checkpoints: files(&run.join("checkpoints"), ".afterstate").len() as f64,
        evaluations: files(&run.join("eval"), ".json").len() as f64,
    }
}

/// Seconds of processor that a process has had.
fn work(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // After the name, which may hold blanks: user and system time in hundredths are the 12th and
    // 13th.
    let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
    after.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>()
        / 100.0
}

/// The median of a figure.
fn median(samples: &[Sample], figure: impl Fn(&Sample) -> f64) -> f64 {
    let mut all: Vec<f64> = samples.iter().map(figure).collect();
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// The second quarter of the time against the last.
fn judge(samples: &[Sample], minutes: f64) -> Trial {
    let count = samples.len();
    if count < 8 {
        return Err("too short to tell anything; give it more minutes".into());
    }
    let (early, late) = (&samples[count / 4..count / 2], &samples[count * 3 / 4..]);
    let mut told = vec![format!("{minutes:.1} minutes, {count} samples")];
    // Within seconds tables are still filling, and a log has a line or two.
    let long = minutes >= 1.0;
    let mut wrong = Vec::new();
    for (name, figure, slack) in [
        ("memory of training", (|s| s.train_mib) as fn(&Sample) -> f64, 4.0),
        ("memory of serving", |s| s.serve_mib, 4.0),
    ] {
        let (before, after) = (median(early, figure), median(late, figure));
        told.push(format!("{name}: {before:.1} MiB in the second quarter, {after:.1} MiB in the last"));
        if after > 1.03 * before + if long { slack } else { 8.0 * slack } {
            wrong.push(format!("{name} grows"));
        }
    }
    let most = samples.iter().map(|s| s.serve_files).fold(0.0, f64::max);
    told.push(format!("open files of the server: at most {most}"));
    if most > 64.0 {
        wrong.push("open files".into());
    }
    type Figure = fn(&Sample) -> f64;
    let rate = |part: &[Sample], done: Figure, time: Figure| {
        let grown = |figure: Figure| figure(&part[part.len() - 1]) - figure(&part[0]);
        grown(done) / grown(time).max(1e-9)
    };
    for (what, done, time, judged) in [
        ("training, moves a second of playing", (|s| s.moves) as Figure, (|s| s.played) as Figure, false),
        ("training, moves a second of its processor", |s| s.moves, |s| s.train_work, true),
        ("serving, answers a second", |s| s.answers, |s| s.at, false),
        ("serving, answers a second of its processor", |s| s.answers, |s| s.serve_work, true),
    ] {
        let [before, after] = [early, late].map(|part| rate(part, done, time));
        told.push(format!("{what}: {before:.0} in the second quarter, {after:.0} in the last"));
        // Processors are shared with whoever else is there, so that time is told and only work is
        // judged; caches are shared too.
        if long && judged && after < 0.6 * before {
            wrong.push(format!("{what}: slower"));
        }
    }
    let last = samples[count - 1];
    let per = last.log_bytes / (last.games / 1000.0).max(1.0);
    told.push(format!(
        "files: {} games, {} checkpoints at most, {} evaluations, logs of {:.0} KiB: {per:.0} bytes for each 1,000 games",
        last.games,
        samples.iter().map(|s| s.checkpoints).fold(0.0, f64::max),
        last.evaluations,
        last.log_bytes / 1024.0
    ));
    // Three, the best, and one that is about to go.
    if samples.iter().any(|s| s.checkpoints > 5.0) || per > 4096.0 {
        wrong.push("files grow".into());
    }
    if wrong.is_empty() { Ok(told) } else { Err(format!("{}; {}", wrong.join(", "), told.join("; "))) }
}
