//! Sets of runs: the product of lists, interrupted, resumed, and the same in the end.

mod common;

use common::run;
use common::training::{Place, SMALL, signal};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

/// Two settings twice, two seeds, evaluations in between and in the end.
const SWEEP: &str = r#"
[evaluate]
every = 500
games = [20, 5]
plies = [1, 2]
[final]
games = [30, 6]
plies = [1, 2]
[sweep]
learning.beta = [1, 0.5]
network.patterns = ["squares 012 345", "lines3"]
run.seed = [1, 2]
"#;

fn place() -> Place {
    let place = Place::new();
    let recipe = SMALL.replace("games = 2000", "games = 1500\nlogs = [\"csv\", \"tdl2048\"]");
    fs::write(place.path("small.toml"), recipe + SWEEP).unwrap();
    place
}

fn index(place: &Place, set: &str) -> Vec<String> {
    let index: Value = serde_json::from_str(&place.read(&format!("{set}/sweep.json"))).unwrap();
    let runs = index["runs"].as_array().unwrap().clone();
    runs.into_iter().map(|run| run["name"].as_str().unwrap().to_string()).collect()
}

fn changed(path: &Path) -> SystemTime {
    fs::metadata(path).unwrap().modified().unwrap()
}

#[test]
fn interrupted_and_killed_a_set_is_the_same_in_the_end() {
    let place = place();
    let whole = place.train_json("whole", &[]);
    assert_eq!(whole["complete"], true);
    assert_eq!(whole["runs"].as_array().unwrap().len(), 8);
    let names = index(&place, "whole");
    assert_eq!(names[0], "beta=1,patterns=squares_012_345,seed=1");
    assert_eq!(names[7], "beta=0.5,patterns=lines3,seed=2");

    // kill -9 again and again and Ctrl-C now and then, wherever they hit, until some runs are
    // finished.
    let finished = || -> Vec<_> {
        let results = names.iter().map(|name| place.path(&format!("cut/runs/{name}/result.json")));
        let complete = |path: &std::path::PathBuf| {
            fs::read_to_string(path).is_ok_and(|text| text.contains("\"complete\": true"))
        };
        results.filter(complete).map(|path| (changed(&path), path)).collect()
    };
    let mut random = 4711_u64;
    let mut round = 0;
    while round < 5 || finished().len() < 2 {
        assert!(round < 200, "no progress");
        let mut child = match place.path("cut/sweep.toml").exists() {
            true => place.spawn_resume("cut", &[]),
            false => place.spawn("cut", &[]),
        };
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // Longer and longer: on a busy machine even the start takes its time.
        std::thread::sleep(Duration::from_millis(20 + (random >> 33) % 150 + 15 * round));
        if round % 4 == 3 {
            // Its first word comes when it listens to signals.
            let mut word = String::new();
            BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut word).unwrap();
            signal(&child, "INT");
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["runs"].is_array());
        } else {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        round += 1;
    }
    let before = finished();
    let resumed = place.resume("cut", &[]);
    assert_eq!(resumed["complete"], true);
    assert!(before.iter().all(|(time, path)| changed(path) == *time), "finished runs are left alone");

    assert_eq!(index(&place, "cut"), names);
    for (i, name) in names.iter().enumerate() {
        let [one, other] = ["whole", "cut"].map(|set| format!("{set}/runs/{name}"));
        assert_eq!(place.curve(&one), place.curve(&other), "{name}");
        assert_eq!(place.evaluations(&one), place.evaluations(&other), "{name}");
        let [a, b] = [&one, &other].map(|run| place.weights(&format!("{run}/model.afterstate")));
        assert!(a == b, "{name}: weights differ");
        assert_eq!(whole["runs"][i]["result"]["score"], resumed["runs"][i]["result"]["score"]);
        let files: Vec<String> = place.evaluations(&other).into_iter().map(|(name, _)| name).collect();
        let stem = |games: u64, end: &str| format!("{games:012}{end}.json");
        let between = (1..=3).flat_map(|n| [stem(500 * n, "-ply2"), stem(500 * n, "")]);
        let wanted: Vec<String> =
            between.chain(["final-ply1.json".into(), "final-ply2.json".into()]).collect();
        assert_eq!(files, wanted);
        // The logs for other programs, but for the clock.
        assert_eq!(place.read(&format!("{other}/train.csv")).lines().count(), 2);
        assert!(place.read(&format!("{other}/train.log")).starts_with("001/002 "));
        let card = place.read(&format!("{other}/model.md"));
        assert!(card.contains("| 2-ply | 6 | 2 |") && card.contains("1,500 games"), "{card}");
    }
    // Two seeds are two runs, and nothing is left to do.
    assert_ne!(whole["runs"][0]["result"]["score"], whole["runs"][1]["result"]["score"]);
    let again = place.resume("cut", &[]);
    assert_eq!(again["runs"], resumed["runs"]);
}

#[test]
fn a_set_grows_by_values_and_by_games_but_not_by_axes() {
    let place = Place::new();
    let sweep = ["--games", "300", "--set", "final.games=5", "--sweep", "run.seed=1,2"];
    let set = place.train_json("set", &sweep);
    assert_eq!(set["games"], 600);
    let more = place.resume("set", &["--sweep", "run.seed=1,2,3"]);
    assert_eq!((&more["games"], more["runs"].as_array().unwrap().len()), (&900.into(), 3));
    assert_eq!(more["runs"][0], set["runs"][0]);
    let longer = place.resume("set", &["--games", "400"]);
    assert_eq!((&longer["games"], &longer["complete"]), (&1200.into(), &true.into()));
    assert_eq!(longer["runs"][2]["finals"][0]["games"], 5);
    for (args, word) in [
        (&["--sweep", "run.seed=1,3"][..], "run.seed = 2, which is now missing"),
        (&["--sweep", "learning.beta=1,2"], "varies run.seed, not run.seed, learning.beta"),
        (&["--set", "learning.beta=2"], "learning.beta from 1.0 to 2"),
    ] {
        let (status, said) = place.resume_and_listen("set", args);
        assert_eq!(status, Some(1), "{said}");
        assert!(said.contains(word), "{said}");
    }
    let recipe = place.name("small.toml");
    let output = run(&["train", &recipe, "--run", &place.name("set"), "--sweep", "run.seed=1,2"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("already holds a run"));
}

#[test]
fn a_dry_run_says_what_would_be_trained_and_makes_nothing() {
    let place = place();
    let (recipe, set) = (place.name("small.toml"), place.name("set"));
    let text = common::text(&["train", &recipe, "--run", &set, "--dry-run"]);
    assert!(
        text.contains("8 runs, 12,000 games in all") && text.contains("beta=0.5,patterns=lines3,seed=2"),
        "{text}"
    );
    let plan = common::json(&["train", &recipe, "--run", &set, "--dry-run"]);
    assert_eq!(plan["runs"][7]["weights"], 2_000);
    assert_eq!(plan["runs"][7]["memory_bytes"], 24_000);
    let single = common::text(&["train", "quick", "--run", &set, "--dry-run"]);
    assert!(single.contains("one run") && single.contains("67,108,864"), "{single}");
    assert!(!place.path("set").exists());
}

/// A small file system of its own: what does not fit is said before training, what hardly fits too,
/// and what may not be written.
#[cfg(target_os = "linux")]
#[test]
fn too_little_room_and_none_to_write_are_said_before_training() {
    let place = Place::new();
    let disk = place.path("disk");
    fs::create_dir(&disk).unwrap();
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=4m", "tmpfs"]).arg(&disk).output();
    if !mounted.as_ref().is_ok_and(|output| output.status.success()) {
        return; // no rights to mount; `run::space` has tests of its own
    }
    let large = run(&["train", "quick", "--run", &place.name("disk/large"), "--json"]);
    let small = run(&[
        "train",
        &place.name("small.toml"),
        "--run",
        &place.name("disk/small"),
        "--json",
        "--games",
        "10",
        "--set",
        "network.patterns=01234",
        "--set",
        "network.alphabet=12",
    ]);
    let _ = Command::new("mount").args(["-o", "remount,ro"]).arg(&disk).status();
    let read_only = [
        run(&["train", &place.name("small.toml"), "--run", &place.name("disk/run")]),
        run(&[
            "train",
            &place.name("small.toml"),
            "--run",
            &place.name("disk/set"),
            "--sweep",
            "run.seed=1,2",
        ]),
    ];
    let _ = Command::new("umount").arg("-l").arg(&disk).status();
    for output in read_only {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
        assert!(said.contains("choose a directory you may write to with --run"), "{said}");
    }
    let said = String::from_utf8_lossy(&large.stderr).into_owned();
    assert_eq!((large.status.code(), said.lines().count()), (Some(1), 1), "{said}");
    assert!(said.contains("no room") && said.contains("up to 3.0 GB") && said.contains("--run"), "{said}");
    let said = String::from_utf8_lossy(&small.stderr).into_owned();
    // The warning, and the evaluation at the end.
    assert_eq!((small.status.code(), said.lines().count()), (Some(0), 2), "{said}");
    assert!(said.contains("may become full") && said.contains("checkpoint.keep=1"), "{said}");
}
