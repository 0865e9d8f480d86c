//! Evaluations cut into parts and joined again: exactly what one machine reports.

mod common;

use common::{Files, json, run, text, trained};
use serde_json::Value;
use std::fs;

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
