//! A disk that fails: at every single step that changes it, and for good; and a real file system
//! that is full.

use crate::place::{self, checkpoints, get, put, tree, word};
use crate::{Setup, Trial};
use afterstate_lab::disk::fault::{self, Fault};
use afterstate_lab::model::{self, Format};
use afterstate_lab::recipe::Recipe;
use afterstate_lab::run::{Remedy, Reporter, RunError, RunOptions, train};
use afterstate_lab::sweep::{run_directory, train_set};
use afterstate_report::{ReportOptions, Sources};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Everything a run writes, in a moment: logs, evaluations, stages, boards, checkpoints.
/// Checkpoints are not made by the clock, so that every run makes the same steps.
pub const EVERYTHING: &str = r#"
game = "2048-2x2"
[network]
patterns = "01 0123"
alphabet = 8
[learning]
target = "backward"
step = "coherence"
[stages]
split = "8 16"
procedure = "one-by-one"
boards = 50
[run]
games = 1000
threads = 1
[evaluate]
every = 500
games = 10
[checkpoint]
minutes = 1000.0
keep = 2
"#;

/// Nobody watches.
pub(crate) struct Quiet;
impl Reporter for Quiet {}

/// All of it.
pub fn run(setup: &Setup) -> Trial {
    Ok(vec![steps(setup)?, sets(setup)?, models(setup)?, report(setup)?, real(setup)?])
}

/// Trains, or goes on where there is something to go on with.
pub(crate) fn work(recipe: &Recipe, run: &Path) -> Result<(), String> {
    let once = |resume| train(recipe, run, RunOptions { resume, ..RunOptions::default() }, &Quiet);
    let done = match once(true) {
        Err(RunError::Nothing(_)) => once(false),
        done => done,
    };
    done.map(drop).map_err(|error| error.to_string())
}

/// A run in which the `k`-th step fails, for every `k`; then it goes on, and ends as if nothing had
/// been.
fn steps(setup: &Setup) -> Result<String, String> {
    let place = place::temporary_in_memory()?;
    let recipe = Recipe::parse("everything", EVERYTHING, &[]).map_err(|error| error.to_string())?;
    let whole = place.path().join("whole");
    fault::calm();
    train(&recipe, &whole, RunOptions::default(), &Quiet).map_err(|error| error.to_string())?;
    let all = fault::calm();
    let (mut told, mut unnoticed) = (0, 0);
    for k in (1..=all).step_by(setup.pick(11, 1) as usize) {
        for fault in [Fault::Once, Fault::Full] {
            let run = place.path().join("run");
            fault::fail_at(k, fault);
            let failed = train(&recipe, &run, RunOptions::default(), &Quiet);
            fault::calm();
            match failed {
                Ok(_) if fault == Fault::Full => {
                    return Err(format!("step {k}: a full disk was not noticed"));
                }
                Ok(_) => unnoticed += 1, // nothing hung on it
                Err(error) => {
                    let said = error.to_string();
                    if !said.contains(&word(&run)) || said.contains('\n') {
                        return Err(format!("step {k}: the error names no file: {said}"));
                    }
                    if fault == Fault::Full && error.remedy() != Some(Remedy::FreeDisk) {
                        return Err(format!("step {k}: nobody says that the disk is full: {said}"));
                    }
                    told += 1;
                }
            }
            // The newest whole checkpoint is really whole.
            if let Some((_, path)) = checkpoints(&run).pop() {
                place::load(&path).map_err(|what| format!("step {k}: {what}"))?;
            }
            work(&recipe, &run).map_err(|what| format!("after step {k} ({fault:?}): {what}"))?;
            place::same(&run, &whole).map_err(|what| format!("after step {k} ({fault:?}): {what}"))?;
            std::fs::remove_dir_all(&run).map_err(|error| error.to_string())?;
        }
    }
    Ok(format!(
        "a training run of {all} steps on the disk, failing at each of them, once and for good: {told} failures said with \
         the file's name, {unnoticed} of no consequence; every run the same in the end"
    ))
}

/// A set of two runs in which the `k`-th step fails; then it goes on, and all its runs are the
/// same.
fn sets(setup: &Setup) -> Result<String, String> {
    let place = place::temporary_in_memory()?;
    let text = EVERYTHING.replace("games = 1000", "games = 200") + "[sweep]\nrun.seed = [1, 2]\n";
    let recipe = Recipe::parse("set", &text, &[]).map_err(|error| error.to_string())?;
    let once =
        |set: &Path, resume| train_set(&recipe, set, RunOptions { resume, ..RunOptions::default() }, &Quiet);
    let whole = place.path().join("whole");
    fault::calm();
    let names = once(&whole, false).map_err(|error| error.to_string())?.runs;
    let all = fault::calm();
    let mut failures = 0;
    for k in (1..=all).step_by(setup.pick(37, 1) as usize) {
        let set = place.path().join("set");
        fault::fail_at(k, Fault::Full);
        let failed = once(&set, false);
        fault::calm();
        let Err(error) = failed else {
            return Err(format!("step {k} of a set: a full disk was not noticed"));
        };
        if !error.to_string().contains(&word(&set)) {
            return Err(format!("step {k} of a set: the error names no file: {error}"));
        }
        failures += 1;
        let again = match once(&set, true) {
            Err(RunError::Nothing(_)) => once(&set, false),
            done => done,
        };
        let done = again.map_err(|error| format!("after step {k} of a set: {error}"))?;
        if !done.is_complete() {
            return Err(format!("after step {k} of a set it is not complete"));
        }
        for run in &names {
            place::same(&run_directory(&set, &run.name), &run_directory(&whole, &run.name))
                .map_err(|what| format!("after step {k} of a set: {what}"))?;
        }
        std::fs::remove_dir_all(&set).map_err(|error| error.to_string())?;
    }
    Ok(format!("a set of two runs, the disk full from each of {failures} steps on: the same set in the end"))
}

/// A report over an older one: every file is the old one or the new one, whichever step fails, and
/// then it is written.
fn report(setup: &Setup) -> Result<String, String> {
    let place = place::temporary_in_memory()?;
    put(&place.path().join("recipe.toml"), EVERYTHING)?;
    let at = |name: &str| word(&place.path().join(name));
    place::succeed(setup, &["train", &at("recipe.toml"), "--run", &at("run")])?;
    let sources = Sources::read(&[place.path().join("run")]).map_err(|error| error.to_string())?;
    let document = sources.report(&ReportOptions { games: false, ..ReportOptions::default() });
    let (out, whole) = (place.path().join("out"), place.path().join("whole"));
    fault::calm();
    document.write(&whole).map_err(|error| error.to_string())?;
    let steps = fault::calm();
    let names = |place: &Path| -> Vec<PathBuf> {
        tree(place).iter().map(|path| path.strip_prefix(place).unwrap_or(path).into()).collect()
    };
    let all = names(&whole);
    let every = setup.pick(23, 1);
    for k in (1..=steps).step_by(every as usize) {
        place::copy(&whole, &out)?;
        all.iter().try_for_each(|name| put(&out.join(name), "the old one"))?;
        fault::fail_at(k, Fault::Full);
        let failed = document.write(&out);
        fault::calm();
        let Err(error) = failed else { return Err(format!("step {k} of a report: not noticed")) };
        if !error.to_string().contains(&word(&out)) {
            return Err(format!("step {k} of a report: the error names no file: {error}"));
        }
        for name in &all {
            let found = get(&out.join(name))?;
            if found != b"the old one" && found != get(&whole.join(name))? {
                return Err(format!("step {k} of a report: half of {}", name.display()));
            }
        }
        document.write(&out).map_err(|error| error.to_string())?;
        let same = |name: &PathBuf| get(&out.join(name)) == get(&whole.join(name));
        if names(&out) != all || !all.iter().all(same) {
            return Err(format!("after step {k} of a report it is another: {:?}", names(&out)));
        }
    }
    Ok(format!(
        "a report of {} files over an older one, failing at each of {} steps: every file the old one or the new one",
        all.len(),
        steps.div_ceil(every)
    ))
}

/// Models over older ones in every format: the old one or the new one, whichever step fails.
fn models(setup: &Setup) -> Result<String, String> {
    let place = place::temporary_in_memory()?;
    put(&place.path().join("recipe.toml"), crate::mutations::TINY)?;
    let at = |name: &str| word(&place.path().join(name));
    place::succeed(setup, &["train", &at("recipe.toml"), "--run", &at("run")])?;
    let model = place::load(&place.path().join("run/model.afterstate"))?;
    let mut failures = 0;
    for (format, name) in [
        (Format::Ours, "m.afterstate"),
        (Format::OursSparse, "m.sparse"),
        (Format::OursPacked { step: 0.5, relative: true }, "m.packed"),
        (Format::Safetensors, "m.safetensors"),
        (Format::Tdl2048, "m.w"),
        (Format::Special, "m.bin.special"),
    ] {
        let path = place.path().join(name);
        fault::calm();
        model::save(&path, &model, format).map_err(|error| error.to_string())?;
        let all = fault::calm();
        let good = place::get(&path)?;
        for k in 1..=all {
            put(&path, "the old one")?;
            fault::fail_at(k, Fault::Full);
            let failed = model::save(&path, &model, format);
            fault::calm();
            let Err(error) = failed else { return Err(format!("{name}, step {k}: not noticed")) };
            if !error.to_string().contains(name) {
                return Err(format!("{name}, step {k}: the error names no file: {error}"));
            }
            let found = place::get(&path)?;
            if found != b"the old one" && found != good {
                return Err(format!("{name}, step {k}: half a file"));
            }
            failures += 1;
        }
        let left = place::files(place.path(), ".tmp");
        if !left.is_empty() {
            return Err(format!("left over: {left:?}"));
        }
    }
    Ok(format!(
        "models of 6 formats over older files, failing at each of {failures} steps: the old file or the new one, always"
    ))
}

/// A file system of a few KiB: the run stops and says why; with more room it goes on and ends as it
/// should.
fn real(setup: &Setup) -> Result<String, String> {
    let place = place::temporary()?;
    put(&place.path().join("recipe.toml"), place::STAGED)?;
    let at = |name: &str| word(&place.path().join(name));
    place::succeed(setup, &["train", &at("recipe.toml"), "--run", &at("whole")])?;
    std::fs::create_dir(place.path().join("disk")).map_err(|error| error.to_string())?;
    // In a name space of its own: nobody else sees the disk, and it is gone with the process.
    let script = r#"
        mount -t tmpfs -o size="$5" tmpfs "$2" || exit 90
        "$1" train "$3" --run "$2/run" --json >/dev/null 2>"$4.said" && exit 91
        mount -o remount,size=64m "$2" || exit 92
        if [ -f "$2/run/config.toml" ]; then set -- "$1" "$2" "" "$4"; fi
        "$1" train ${3:+"$3"} --run "$2/run" $([ -n "$3" ] || echo --resume) --json >/dev/null 2>>"$4.said" || exit 93
        cp -r "$2/run" "$4" || exit 94"#;
    let (mut full, mut enough) = (0, 0);
    let sizes: Vec<u64> = (0..setup.pick(2, 24)).map(|i| 16 + 28 * i * setup.pick(8, 1)).collect();
    for kib in &sizes {
        let out = place.path().join(format!("out-{kib}"));
        let own = if is_root() { "-m" } else { "-rm" };
        let ran = Command::new("unshare")
            .args([own, "sh", "-c", script, "trial"])
            .arg(&setup.program)
            .args([&at("disk"), &at("recipe.toml"), &word(&out), &format!("{kib}k")])
            .output();
        let Ok(ran) = ran else {
            return Ok("no file system of its own: there is no command unshare; skipped".into());
        };
        let said = std::fs::read_to_string(format!("{}.said", out.display())).unwrap_or_default();
        match ran.status.code() {
            Some(0) => {
                if !said.contains("the disk is full") {
                    return Err(format!("{kib} KiB: nobody says that the disk is full: {said}"));
                }
                place::same(&out, &place.path().join("whole"))
                    .map_err(|what| format!("{kib} KiB: {what}"))?;
                full += 1;
            }
            Some(91) => enough += 1,
            Some(90) | Some(1) => {
                let why = place::complaint(&ran);
                return Ok(format!("no file system of its own ({why}); skipped"));
            }
            _ => return Err(format!("{kib} KiB: {}: {said} {}", ran.status, place::complaint(&ran))),
        }
    }
    Ok(format!(
        "{} real file systems of {} to {} KiB: full in {full} runs, which said so and ended as they should with more room; \
         large enough for {enough}",
        sizes.len(),
        sizes[0],
        sizes[sizes.len() - 1]
    ))
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}
