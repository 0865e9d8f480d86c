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
