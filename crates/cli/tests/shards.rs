//! Evaluations cut into parts and joined again: exactly what one machine reports.

mod common;

use common::{Files, json, run, text, trained};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

/// The fields that do not depend on the speed of the machine.
fn untimed(mut answer: Value) -> Value {
    let fields = answer.as_object_mut().unwrap();
    for timed in ["moves_per_second", "seconds", "seconds_per_game"] {
        assert!(fields.remove(timed).is_some());
    }
    answer
}

fn parts(place: &Files, args: &[&str], of: usize) -> Vec<String> {
    let write = |i: usize| {
        let part = format!("{i}/{of}");
        let answer = text(&[args, &["--shard", &part, "--json"]].concat());
        let path = place.file(&format!("part-{i}-of-{of}.json"));
        fs::write(&path, answer).unwrap();
        path
    };
    (1..=of).rev().map(write).collect()
}

#[test]
fn parts_join_to_what_one_machine_reports() {
    let place = Files::new();
    let model = place.file("m");
    trained(model.as_ref(), "2048-2x3", "0134 012", 300, "");
    for args in [
        &["evaluate", "--player", "random", "--games", "250", "--seed", "3"][..],
        &["evaluate", "--player", "greedy", "--game", "threes", "--games", "205"],
        &["evaluate", "--model", &model, "--games", "101", "--ply", "2"],
        &["evaluate", "--player", "corner", "--game", "2048-3x3", "--start-tiles", "4", "--games", "30"],
    ] {
        let parts = parts(&place, args, 3);
        let out = place.file("whole.json");
        let names: Vec<&str> = parts.iter().map(String::as_str).collect();
        let printed = json(&[&["merge"], &names[..], &["--out", &out]].concat());
        let written: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
        assert_eq!(printed, written);
        assert_eq!(untimed(written), untimed(json(args)));
        let page = text(&[&["merge"], &names[..]].concat());
        assert!(page.contains("games won"), "{page}");
    }
}

/// Networks in a directory of `--mapped`.
fn maps(directory: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|end| end == "map")).collect()
}

#[test]
fn parts_that_share_a_network_report_what_one_machine_does() {
    let place = Files::new();
    let (model, shared) = (place.file("m"), place.file("shared"));
    trained(model.as_ref(), "2048-2x3", "0134 012", 300, "");
    for (args, networks) in [
        (&["evaluate", "--model", &model, "--games", "101", "--ply", "2"][..], 1),
        // A relative has a network of its own, the built-in model is in the same directory.
        (&["evaluate", "--model", &model, "--game", "1024-3x2", "--games", "31"], 2),
        (&["evaluate", "--game", "2048-3x3", "--games", "5"], 3),
        (&["evaluate", "--game", "1024-3x3", "--games", "5"], 3),
    ] {
        let parts = parts(&place, &[args, &["--mapped", &shared]].concat(), 3);
        let names: Vec<&str> = parts.iter().map(String::as_str).collect();
        assert_eq!(untimed(json(&[&["merge"], &names[..]].concat())), untimed(json(args)), "{args:?}");
        assert_eq!(maps(&shared).len(), networks, "{args:?}");
    }
    let file = place.file("file");
    fs::write(&file, "").unwrap();
    let output = run(&["evaluate", "--model", &model, "--games", "9", "--mapped", &file]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && said.contains("cannot share the network in"), "{said}");
}

/// Kilobytes of a process that are mapped from files whose name ends so: in memory, the fair share of
/// it, written by the process.
#[cfg(target_os = "linux")]
fn mapped_memory(process: u32, ends: &str) -> Option<[u64; 3]> {
    let told = fs::read_to_string(format!("/proc/{process}/smaps")).ok()?;
    let (mut inside, mut sums) = (false, [0; 3]);
    for line in told.lines() {
        let (word, rest) = line.split_once(' ')?;
        match word.strip_suffix(':') {
            None => inside = line.ends_with(ends),
            Some(key) if inside => {
                if let Some(i) = ["Rss", "Pss", "Private_Dirty"].iter().position(|wanted| *wanted == key) {
                    sums[i] += rest.trim().trim_end_matches(" kB").parse::<u64>().ok()?;
                }
            }
            Some(_) => {}
        }
    }
    Some(sums)
}

/// Four shards at the same time: what one of them has read of the network is there for the others.
#[cfg(target_os = "linux")]
#[test]
fn shards_of_one_machine_hold_one_network() {
    let place = Files::new();
    let (model, shared) = (place.file("m"), place.file("shared"));
    trained(model.as_ref(), "2048-3x3", "012345 345678", 300, "");
    let start = |part: &str| {
        let args = ["evaluate", "--model", &model, "--ply", "2", "--games", "4000000", "--threads", "1"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_afterstate"));
        command.args(args).args(["--shard", part, "--mapped", &shared]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut shards = ["1/4", "2/4", "3/4", "4/4"].map(start);
    let began = Instant::now();
    let seen = loop {
        let seen: Vec<[u64; 3]> =
            shards.iter().filter_map(|shard| mapped_memory(shard.id(), ".map")).collect();
        // Two MiB of the network were met by every shard.
        let met = seen.len() == 4 && seen.iter().all(|[resident, ..]| *resident > 2 << 10);
        if met || began.elapsed() > Duration::from_secs(120) {
            break seen;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    shards.iter_mut().for_each(|shard| {
        shard.kill().unwrap();
        shard.wait().unwrap();
    });
    let sum = |i: usize| seen.iter().map(|memory| memory[i]).sum::<u64>();
    assert!(sum(0) > 8 << 10, "they have met the network: {seen:?}");
    assert!(sum(1) * 2 < sum(0), "most of it is there once: {seen:?}");
    assert_eq!(sum(2), 0, "nobody has a part of his own: {seen:?}");
}

#[test]
fn a_part_saves_its_own_games() {
    let place = Files::new();
    let whole = place.file("whole.jsonl");
    let args = ["evaluate", "--player", "random", "--game", "2048-2x2", "--games", "10"];
    json(&[&args[..], &["--save", &whole]].concat());
    let mut joined = String::new();
    for part in ["1/2", "2/2"] {
        let file = place.file("part.jsonl");
        let answer = json(&[&args[..], &["--save", &file, "--shard", part]].concat());
        assert_eq!(answer["games"], 5);
        joined += &fs::read_to_string(&file).unwrap();
    }
    assert_eq!(joined, fs::read_to_string(&whole).unwrap());
}

#[test]
fn what_cannot_be_joined_is_told_in_one_line() {
    let place = Files::new();
    let args = ["evaluate", "--player", "random", "--game", "2048-2x2", "--games", "10"];
    let three = parts(&place, &args, 3);
    let other = parts(&place, &["evaluate", "--player", "greedy", "--game", "2048-2x2", "--games", "10"], 2);
    let garbage = place.file("garbage.json");
    fs::write(&garbage, [0xff, 0xfe, b'{']).unwrap();
    let report = place.file("report.json");
    fs::write(&report, text(&[&args[..], &["--json"]].concat())).unwrap();
    let cases: [(&[&str], i32, &str); 9] = [
        (&[&three[0], &three[2]], 1, "1 of 3 shards are missing: 2/3"),
        (&[&three[0], &three[1], &three[2], &three[1]], 1, "2/3 is there twice"),
        (&[&three[0], &other[0]], 1, "the player differs"),
        (&[&garbage], 1, "is no shard"),
        (&[&report], 1, "no results of single games"),
        (&["/no/such/file"], 1, "/no/such/file"),
        (&[], 2, "<SHARD>"),
        (&[&three[0], &three[1], &three[2], "--out", "/no/such/directory/x"], 1, "/no/such/directory"),
        (&["/"], 1, "cannot read /"),
    ];
    for (names, status, says) in cases {
        let output = run(&[&["merge"], names].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), said.lines().count()), (Some(status), 1), "{said}");
        assert!(said.contains(says) && output.stdout.is_empty(), "{names:?}: {said}");
    }
    for (part, says) in
        [("0/3", "1/8"), ("4/3", "1/8"), ("x", "1/8"), ("-1/3", "1/8"), ("1/20", "leave nothing")]
    {
        let output = run(&[&args[..], &["--shard", part]].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains(says), "{part}: {said}");
    }
}
