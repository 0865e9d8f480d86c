//! Faults a run survives: being killed, being asked to stop, damaged files, a full disk.

mod common;

use afterstate_lab::model;
use common::run;
use common::training::{Place, checkpoints, signal};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// More games than anybody waits for, evaluations in between.
const LONG: [&str; 6] =
    ["--games", "1000000000", "--set", "evaluate.every=2500", "--set", "evaluate.games=50"];

/// Fails unless the two runs learned the same, wrote the same down and kept the same.
fn assert_same(place: &Place, one: &str, other: &str) {
    assert_eq!(place.curve(one), place.curve(other));
    assert_eq!(place.evaluations(one), place.evaluations(other));
    for file in ["model.afterstate", "checkpoints/best.afterstate"] {
        assert!(
            place.weights(&format!("{one}/{file}")) == place.weights(&format!("{other}/{file}")),
            "{file} differs"
        );
    }
    let newest = |run: &str| checkpoints(&place.path(run)).pop().unwrap();
    let (a, b) = (newest(one), newest(other));
    assert_eq!(a.0, b.0);
    assert!(
        place.weights(a.1.to_str().unwrap()) == place.weights(b.1.to_str().unwrap()),
        "weights or sums differ"
    );
}

/// The playing time in the newest checkpoint, and in the newest whole line of the log.
fn saved_and_logged(place: &Place, run: &str) -> (f64, f64) {
    let newest = checkpoints(&place.path(run)).pop().expect("a checkpoint").1;
    let header = model::header(&newest).unwrap_or_else(|e| panic!("the newest checkpoint is not whole: {e}"));
    let state: serde_json::Value = serde_json::from_str(&header.metadata["state"]).unwrap();
    let log = fs::read_to_string(place.path(run).join("train.jsonl")).unwrap_or_default();
    let lines = log.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let logged = lines.filter_map(|line| line["seconds"].as_f64()).fold(0.0, f64::max);
    (state["seconds"].as_f64().unwrap(), logged)
}

#[test]
fn killed_twenty_times_a_run_is_the_same_in_the_end() {
    let place = Place::new();
    let mut random = 12345_u64;
    let (mut newest, mut kills, mut progressed) = (0, 0, 0);
    while kills < 20 {
        let mut child = match place.path("run/config.toml").exists() {
            true => place.spawn_resume("run", &[]),
            false => place.spawn("run", &LONG), // killed before the run had a name
        };
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        std::thread::sleep(Duration::from_millis(random >> 33 & 0xff));
        child.kill().unwrap();
        let status = child.wait().unwrap();
        if status.code().is_some() {
            let complaint = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
            panic!("the run ended by itself after {kills} kills: {status}: {complaint}");
        }
        kills += 1;
        let Some((games, path)) = checkpoints(&place.path("run")).pop() else { continue };
        assert!(games >= newest, "{newest} games were saved, now only {games}");
        model::load(&path).unwrap_or_else(|e| panic!("after {kills} kills: {e}"));
        progressed += usize::from(games > newest);
        newest = games;
        let (saved, logged) = saved_and_logged(&place, "run");
        assert!(logged - saved < 0.03 + 0.5, "{logged} s played, but only {saved} s saved");
    }
    assert!(progressed >= 5, "kills that tell little: {progressed}, {newest}");
    let games = (newest + 3_000).to_string();
    let finished = place.resume("run", &["--games", &games]);
    assert_eq!(finished["games"], newest + 3_000);
    let whole = place.train_json("whole", &[&["--games", &games], &LONG[2..]].concat());
    assert_eq!((&finished["moves"], &finished["score"]), (&whole["moves"], &whole["score"]));
    assert_same(&place, "run", "whole");
    let leftovers = |dir: &Path| {
        let names = fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".tmp")).collect::<Vec<_>>()
    };
    assert!(leftovers(&place.path("run")).is_empty() && leftovers(&place.path("run/checkpoints")).is_empty());
}

#[test]
fn asked_to_stop_a_run_saves_first() {
    let place = Place::new();
    let mut child = place.spawn("run", &LONG);
    for (name, beyond) in [("INT", 1_000), ("TERM", 5_000)] {
        place.wait("games", || checkpoints(&place.path("run")).last().is_some_and(|c| c.0 > beyond));
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{complaint}");
        assert_eq!(complaint.matches("stopping after ").count(), 1, "{complaint}");
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["complete"], false);
        assert_eq!(answer["games"], checkpoints(&place.path("run")).last().unwrap().0, "nothing is lost");
        let model = model::header(&place.path("run/model.afterstate")).unwrap();
        assert_eq!(model.metadata["trained_games"], answer["games"].to_string());
        child = place.spawn_resume("run", &[]);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let games = (checkpoints(&place.path("run")).pop().unwrap().0 + 3_000).to_string();
    place.resume("run", &["--games", &games]);
    place.train_json("whole", &[&["--games", &games], &LONG[2..]].concat());
    assert_same(&place, "run", "whole");
}

#[test]
fn an_evaluation_that_was_interrupted_is_made_again() {
    let place = Place::new();
    let args = ["--games", "2000", "--set", "evaluate.every=1000", "--set", "evaluate.games=100000000"];
    let child = place.spawn("run", &args);
    place.wait("the first window", || {
        fs::read_to_string(place.path("run/train.jsonl")).is_ok_and(|text| text.ends_with('\n'))
    });
    std::thread::sleep(Duration::from_millis(50));
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["games"], place.evaluations("run").len()), (&1000.into(), 0));
    assert_eq!(place.resume("run", &["--set", "evaluate.games=20"])["games"], 2000);
    let names: Vec<String> = place.evaluations("run").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["000000001000.json", "000000002000.json", "final-ply1.json"]);
}

#[test]
fn damaged_checkpoints_are_named_and_older_ones_used() {
    let place = Place::new();
    place.train_json("run", &["--games", "6000", "--set", "checkpoint.keep=3"]);
    let whole = place.train_json("whole", &["--games", "7000"]);
    let names = || checkpoints(&place.path("run"));
    assert_eq!(names().len(), 3, "keeps as many as it was told");
    // The newest is cut short, the one before has a flipped byte.
    let [good, flipped, cut] = &names()[..] else { panic!() };
    let bytes = fs::read(&cut.1).unwrap();
    fs::write(&cut.1, &bytes[..bytes.len() * 2 / 3]).unwrap();
    let mut bytes = fs::read(&flipped.1).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&flipped.1, bytes).unwrap();
    // Files of others lie there too.
    for name in ["7.afterstate", "notes.txt", "+00000000999.afterstate"] {
        fs::write(place.path("run/checkpoints").join(name), "mine").unwrap();
    }
    let (status, said) = place.resume_and_listen("run", &["--games", "7000", "--set", "checkpoint.keep=1"]);
    assert_eq!(status, Some(0), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 3, "two damaged ones, and the evaluation at the end: {said}");
    for (line, bad, what) in [(lines[0], cut, "cut short"), (lines[1], flipped, "damaged")] {
        assert!(line.contains(bad.1.to_str().unwrap()) && line.contains(what), "{line}");
        assert!(line.contains(&format!("going on from the older {}", good.1.display())), "{line}");
        assert!(bad.1.with_extension("damaged").exists());
    }
    assert_eq!(
        names().iter().map(|c| c.0).collect::<Vec<_>>(),
        [7, 999, 7000],
        "the last one, and the strangers"
    );
    assert!(place.path("run/checkpoints/+00000000999.afterstate").exists());
    assert!(place.weights("run/model.afterstate") == place.weights("whole/model.afterstate"));
    assert_eq!(place.curve("run"), place.curve("whole"));
    assert_eq!(whole["games"], 7000);

    // All of them damaged: one line, and nothing is touched.
    fs::write(place.path("run/checkpoints/000000007000.afterstate"), "\u{89}").unwrap();
    let (status, said) = place.resume_and_listen("run", &["--games", "8000"]);
    assert_eq!((status, said.lines().count()), (Some(1), 1), "{said}");
    assert!(said.contains("no checkpoint can be used") && said.contains("000000007000.afterstate"), "{said}");
    assert!(place.path("run/checkpoints/000000007000.afterstate").exists());
}

#[test]
fn damaged_models_are_found() {
    let place = Place::new();
    place.train_json("run", &["--games", "500"]);
    let whole = fs::read(place.path("run/model.afterstate")).unwrap();
    let name = place.name("run/model.afterstate");
    for (at, cut) in
        [(20, false), (whole.len() / 2, false), (whole.len() - 2, false), (whole.len() / 2, true)]
    {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x40;
        fs::write(&name, if cut { &bytes[..at] } else { &bytes }).unwrap();
        for args in [&["inspect", &name][..], &["convert", &name, &place.name("out")]] {
            let output = run(args);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{args:?} {at}: {said}");
            assert!(said.contains("model.afterstate") && said.contains("copy it again"), "{said}");
        }
    }
}

#[test]
fn killed_before_its_first_checkpoint_a_run_begins_again() {
    let place = Place::new();
    place.train_json("whole", &["--games", "1500"]);
    for name in ["config.toml", "train.jsonl"] {
        fs::create_dir_all(place.path("run/checkpoints")).unwrap();
        fs::copy(place.path("whole").join(name), place.path("run").join(name)).unwrap();
    }
    let (status, said) = place.resume_and_listen("run", &[]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("before its first checkpoint"), "{said}");
    assert!(place.weights("run/model.afterstate") == place.weights("whole/model.afterstate"));
    assert_eq!(place.curve("run"), place.curve("whole"));
}

/// The kernel says that there is no room, for one file: works without any rights.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_under_one_checkpoint_stops_the_run_clearly() {
    let place = Place::new();
    place.train_json("run", &["--games", "2000"]);
    let full = place.path("run/checkpoints/000000003000.afterstate");
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    let (status, said) = place.resume_and_listen("run", &["--games", "3000"]);
    assert_eq!((status, said.lines().count()), (Some(1), 1), "{said}");
    assert!(said.contains("the disk is full: free some room, then go on with --resume"), "{said}");
    fs::remove_file(full).unwrap();
    model::load(&checkpoints(&place.path("run")).pop().unwrap().1).unwrap();
    place.resume("run", &[]);
    place.train_json("whole", &["--games", "3000"]);
    assert!(place.weights("run/model.afterstate") == place.weights("whole/model.afterstate"));
}

/// A real file system without room.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_stops_the_run_clearly_and_leaves_the_last_checkpoint() {
    let place = Place::new();
    let disk = place.path("disk");
    fs::create_dir(&disk).unwrap();
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=24m", "tmpfs"]).arg(&disk).output();
    if !mounted.as_ref().is_ok_and(|output| output.status.success()) {
        // Past the test harness, which would swallow it.
        let why = format!(
            "no file system of its own for the test of a full disk: {mounted:?}
"
        );
        std::io::Write::write_all(&mut std::io::stderr(), why.as_bytes()).unwrap();
        return;
    }
    let _unmount = Unmount(&disk);
    place.train_json("disk/run", &["--games", "3000"]);
    // Fill what is left, but for a little.
    let ballast = disk.join("ballast");
    let mut room = 24 << 20;
    while room > 100_000 {
        let mut file = fs::OpenOptions::new().create(true).append(true).open(&ballast).unwrap();
        if std::io::Write::write_all(&mut file, &vec![1; room]).is_err() {
            room /= 2;
        }
    }
    let length = fs::metadata(&ballast).unwrap().len();
    fs::OpenOptions::new()
        .write(true)
        .open(&ballast)
        .unwrap()
        .set_len(length.saturating_sub(40_000))
        .unwrap();
    let before = checkpoints(&place.path("disk/run")).pop().unwrap();
    let (status, said) = place.resume_and_listen("disk/run", &["--games", "6000"]);
    assert_eq!((status, said.lines().count()), (Some(1), 1), "{said}");
    assert!(said.contains("the disk is full: free some room, then go on with --resume"), "{said}");
    let after = checkpoints(&place.path("disk/run")).pop().unwrap();
    assert!(after.0 >= before.0);
    model::load(&after.1).unwrap();
    fs::remove_file(ballast).unwrap();
    assert_eq!(place.resume("disk/run", &["--games", "6000"])["complete"], true);
    place.train_json("whole", &["--games", "6000"]);
    assert!(place.weights("disk/run/model.afterstate") == place.weights("whole/model.afterstate"));
    assert_eq!(place.curve("disk/run"), place.curve("whole"));
}

#[cfg(target_os = "linux")]
struct Unmount<'a>(&'a Path);

#[cfg(target_os = "linux")]
impl Drop for Unmount<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0).status();
    }
}
