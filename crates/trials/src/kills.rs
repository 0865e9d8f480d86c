//! `kill -9` at random moments: whatever was being done is done again, and the end is what it would
//! have been.
//!
//! The table [`SCENARIOS`] says what is killed. A scenario is begun, killed and begun again until
//! it ends by itself; then its result must be that of a process nobody disturbed. That is repeated
//! until there were enough kills.

use crate::place::{self, complaint, copy, finish, put, start, tree, word};
use crate::scenarios::{SCENARIOS, Scenario};
use crate::{Setup, Trial};
use afterstate::random::Random;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// All scenarios.
pub fn run(setup: &Setup) -> Trial {
    let mut told = Vec::new();
    let mut all = 0;
    for scenario in &SCENARIOS {
        let wanted = scenario.kills[usize::from(!setup.short)];
        if wanted > 0 {
            let (kills, line) =
                disturb(setup, scenario, wanted).map_err(|what| format!("{}: {what}", scenario.name))?;
            told.push(line);
            all += kills;
        }
    }
    told.push(format!("{all} kills in all, nothing lost that was promised"));
    Ok(told)
}

/// Kills a scenario until there were enough kills.
fn disturb(setup: &Setup, scenario: &Scenario, wanted: u64) -> Result<(u64, String), String> {
    let place = place::temporary()?;
    put(&place.path().join("recipe.toml"), scenario.recipe)?;
    (scenario.prepare)(setup, place.path())?;
    // What every run finds in its directory.
    let before = place.path().join("before");
    std::fs::create_dir_all(&before).map_err(|error| error.to_string())?;
    let words = |words: &[&str], run: &Path| -> Vec<String> {
        let fill = |text: &&str| text.replace("RUN", &word(run)).replace("PLACE", &word(place.path()));
        words.iter().map(fill).collect()
    };
    let whole = place.path().join("whole");
    copy(&before, &whole)?;
    let line = words(scenario.start, &whole);
    place::succeed(setup, &line.iter().map(String::as_str).collect::<Vec<_>>())?;

    let mut random = Random::new(wanted);
    let (mut kills, mut rounds, mut further, mut lost) = (0, 0, 0, 0.0f64);
    while kills < wanted || rounds == 0 {
        let run = place.path().join(format!("run-{rounds}"));
        copy(&before, &run)?;
        let (mut furthest, mut attempts) = (0, 0u32);
        loop {
            let begun = run.join(scenario.begun).exists();
            let line = words(if begun { scenario.resume } else { scenario.start }, &run);
            let line: Vec<&str> = line.iter().map(String::as_str).collect();
            // A slow machine needs longer to come anywhere.
            let longest = scenario.longest * (1 + attempts / 20);
            let enough = kills >= wanted;
            let pause = longest.mul_f64(random.unit());
            // Every other kill waits until the process is at work, which takes a while on a busy
            // machine.
            let at_work = (attempts % 2 == 1).then_some(run.as_path());
            let pause = if enough { Duration::MAX } else { pause };
            let Some(ended) = kill_after(setup, &line, at_work, pause)? else {
                (kills, attempts) = (kills + 1, attempts + 1);
                let (far, seconds) =
                    (scenario.left)(&run, &whole).map_err(|what| format!("after {kills} kills: {what}"))?;
                if far < furthest {
                    return Err(format!("{furthest} were saved, after kill {kills} only {far}"));
                }
                further += u64::from(far > furthest);
                (furthest, lost) = (far, lost.max(seconds));
                continue;
            };
            ended.map_err(|what| format!("{line:?} after {kills} kills: {what}"))?;
            break;
        }
        (scenario.same)(&run, &whole)?;
        std::fs::remove_dir_all(&run).map_err(|error| error.to_string())?;
        rounds += 1;
    }
    // The interval between checkpoints is 0.03 s; the rest is what a busy machine takes to write
    // one.
    if lost > 0.03 + 1.0 {
        return Err(format!("{lost:.2} s of work were lost; checkpoints are 0.03 s apart"));
    }
    let name = scenario.name;
    Ok((
        kills,
        format!(
            "{name}: {kills} kills in {rounds} runs, {further} of them after more had been saved; each run the same in the end; at \
             most {lost:.2} s of work lost"
        ),
    ))
}

/// Bytes written so far, half-written files included.
fn seen(run: &Path) -> Vec<(PathBuf, u64)> {
    let length = |path: &PathBuf| std::fs::metadata(path).map_or(0, |found| found.len());
    tree(run).into_iter().map(|path| (path.clone(), length(&path))).collect()
}

/// Kills a process after a while, counted from its first trace in `at_work`: nothing; or how it
/// ended, if it was faster.
fn kill_after(
    setup: &Setup,
    words: &[&str],
    at_work: Option<&Path>,
    pause: Duration,
) -> Result<Option<Result<(), String>>, String> {
    if pause == Duration::MAX {
        let output = finish(setup, words)?;
        let good = output.status.success();
        return Ok(Some(if good { Ok(()) } else { Err(complaint(&output)) }));
    }
    let before = at_work.map(seen);
    let mut child = start(setup, words)?;
    let begun = Instant::now();
    while at_work.map(seen) == before
        && before.is_some()
        && begun.elapsed() < Duration::from_secs(5)
        && child.try_wait().map_err(|e| e.to_string())?.is_none()
    {
        std::thread::sleep(Duration::from_millis(1));
    }
    let begun = Instant::now();
    while begun.elapsed() < pause && child.try_wait().map_err(|e| e.to_string())?.is_none() {
        std::thread::sleep(Duration::from_micros(500));
    }
    let _ = child.kill();
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    Ok(match output.status.code() {
        Some(0) => Some(Ok(())),
        Some(_) => Some(Err(complaint(&output))),
        None => None,
    })
}
