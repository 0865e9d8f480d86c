//! `reproduce` as somebody types it.

mod common;

use common::{run, trained};
use std::fs;

/// The exit status and what was said on standard error.
fn refused(args: &[&str]) -> (i32, String) {
    let output = run(args);
    assert!(output.stdout.is_empty(), "{args:?}");
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    fs::write(&file, "").unwrap();
    let out = place.path().join("out");
    let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
    for (args, status, says) in [
        (vec!["reproduce", "yeh2016-tabel1", "--out", out], 2, "did you mean yeh2016-table1?"),
        (vec!["reproduce", "foo", "--out", out], 2, "there is no target 'foo' (`afterstate reproduce`"),
        (vec!["reproduce", "yeh2016-fig2", "--out", out], 2, "measures nothing"),
        (vec!["reproduce", "yeh2016-table1", "--scale", "0", "--out", out], 2, "--scale must be"),
        (vec!["reproduce", "yeh2016-table1", "--scale", "nan", "--out", out], 2, "--scale must be"),
        (vec!["reproduce", "yeh2016-table1", "--model", file, "--out", out], 2, "--model goes with"),
        (vec!["reproduce", "yeh2016-table1", "--miniature", "--out", file], 1, "cannot create"),
        (vec!["reproduce", "tournament", "--model", "/no/such/model", "--out", out], 1, "/no/such/model"),
    ] {
        let (code, text) = refused(&args);
        assert_eq!(code, status, "{args:?}: {text}");
        assert!(text.contains(says) && text.lines().count() == 1, "{args:?}: {text}");
    }
}

#[test]
fn the_card_of_a_model() {
    let place = tempfile::tempdir().unwrap();
    let model = place.path().join("mine.afterstate");
    trained(&model, "2048", "0123", 200, "");
    let out = place.path().join("out");
    let arguments = ["reproduce", "tournament", "--miniature", "--json", "--games", "20,2,1", "--model"];
    let output = run(&[&arguments[..], &[model.to_str().unwrap(), "--out", out.to_str().unwrap()]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["complete"], &answer["target"]), (&true.into(), &"tournament".into()));
    let card = fs::read_to_string(answer["markdown"].as_str().unwrap()).unwrap();
    for row in ["winning rate", "largest tile", "average score", "maximum score", "--model mine.afterstate"] {
        assert!(card.contains(row), "{row} is missing from\n{card}");
    }
}

/// Killed again and again, while it trains, collects, plays or writes, it comes to the games of one
/// that was left alone.
#[test]
fn killed_anywhere_it_goes_on_to_the_same_games() {
    let place = tempfile::tempdir().unwrap();
    let [alone, killed] = ["alone", "killed"].map(|name| place.path().join(name));
    let arguments = |out: &std::path::Path| {
        ["reproduce", "wu2014-table1", "--miniature", "--threads", "1", "--games", "30,5,2,1", "--out"]
            .map(String::from)
            .into_iter()
            .chain([out.display().to_string()])
            .collect::<Vec<_>>()
    };
    let whole = |out: &std::path::Path| {
        let arguments = arguments(out);
        let output = run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    whole(&alone);
    for milliseconds in [20, 100, 300, 500, 700, 900, 1_200, 1_600, 2_000] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_afterstate"))
            .args(arguments(&killed))
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    whole(&killed);
    let run = "runs/yeh2016-2048-3stage_miniature_shift-6_seed-1";
    for ply in 1..=4 {
        let games = |out: &std::path::Path| {
            let text =
                fs::read_to_string(out.join(run).join(format!("played/ply-{ply}_first-1.jsonl"))).unwrap();
            let mut games: Vec<String> = text
                .lines()
                .filter_map(|line| Some(line.split_once(",\"nanoseconds")?.0.to_string()))
                .collect();
            games.sort();
            games.dedup();
            games
        };
        assert_eq!(games(&killed), games(&alone), "{ply}-ply");
    }
}

#[test]
fn the_claims_are_told_from_what_is_there() {
    let place = tempfile::tempdir().unwrap();
    let output = run(&["reproduce", "claims", "--json", "--out", place.path().to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let page = fs::read_to_string(answer["markdown"].as_str().unwrap()).unwrap();
    assert!(page.contains("not yet run") && page.contains("reproduce yeh2016-table2 --scale 1"), "{page}");
}
