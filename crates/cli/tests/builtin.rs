//! The built-in models, as a user meets them: nothing given, and it plays well.

mod common;

use common::{Files, json, run, text};

/// The exit status and what was written to standard output and standard error.
fn said(args: &[&str]) -> (Option<i32>, String, String) {
    let output = run(args);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A level any of the seeds reaches easily; a model that is damaged or misread falls far below.
#[test]
fn the_built_in_models_still_play_at_their_levels() {
    for (game, games, level) in [
        ("2048", "40", 150_000.0),
        ("threes", "400", 60_000.0),
        ("threes-app", "400", 50_000.0),
        ("2048-3x3", "1000", 4_900.0),
        ("2048-4x3", "300", 26_000.0),
        ("2048-3x4", "300", 26_000.0),
        ("2048-5x5", "20", 450_000.0),
        ("2048-6x6", "4", 3_000_000.0),
    ] {
        let answer = json(&["evaluate", "--game", game, "--games", games, "--seed", "1"]);
        let mean = answer["score"]["mean"].as_f64().unwrap();
        assert!(mean > level, "{game}, {games} games at 1-ply: {mean}");
    }
}

#[test]
fn it_also_plays_1024_at_half_the_points() {
    let value = |game: &str| {
        let answer = json(&["analyze", "0x1234123412341234", "--game", game]);
        answer["positions"][0]["moves"][0]["value"].as_f64().unwrap()
    };
    let (whole, half) = (value("2048"), value("1024"));
    assert!((whole / 2.0 - half).abs() < 1.0, "{whole} and {half}");
}

/// A built-in model has a name that is told and taken everywhere, and so has a run directory.
#[test]
fn models_have_names() {
    let games = ["--games", "3", "--seed", "1"];
    let plain = json(&[&["evaluate", "--game", "2048-3x3"], &games[..]].concat());
    assert_eq!((&plain["model"], &plain["variant"]), (&"builtin:2048-3x3".into(), &serde_json::json!({})));
    for name in ["builtin:2048-3x3", "builtin"] {
        let named = json(&[&["evaluate", "--model", name, "--game", "2048-3x3"], &games[..]].concat());
        assert_eq!((&named["model"], &named["score"]), (&plain["model"], &plain["score"]));
    }
    // The game is the model's own, where none is named.
    let own = json(&["analyze", "110/234/567", "--model", "builtin:2048-3x3"]);
    assert_eq!((&own["game"], &own["ply"]), (&"2048-3x3-v1".into(), &3.into()));
    assert_eq!(json(&["inspect", "builtin:2048-6x6"])["game"], "2048-6x6");
    let place = Files::new();
    let model = place.model("model.afterstate", "2048-3x3", "012 345", 300, "");
    let directory = std::path::Path::new(&model).parent().unwrap().to_str().unwrap();
    let of_run = json(&[&["evaluate", "--model", directory], &games[..]].concat());
    let of_file = json(&[&["evaluate", "--model", &model], &games[..]].concat());
    assert_eq!((&of_run["model"], &of_run["score"]), (&directory.into(), &of_file["score"]));
    for sides in [[directory, "builtin"], ["builtin", directory], ["random", "builtin:2048-3x3"]] {
        let answer = json(&["compare", sides[0], sides[1], "--games", "20"]);
        assert_eq!(answer["game"], "2048-3x3-v1", "{sides:?}");
    }
    for (args, status, part) in [
        (["analyze", "110/234/567", "--model", "builtin:2084"], 2, "builtin:2048, builtin:2048-3x3"),
        (["evaluate", "--game", "threes", "--model=builtin:2048"], 2, "plays 2048"),
        (["compare", "builtin:2084", "random", "--json"], 2, "builtin:threes"),
    ] {
        let (code, _, told) = said(&args);
        assert!(code == Some(status) && told.contains(part), "{args:?}: {code:?} {told}");
    }
}

/// Other rules than a model learned are played with a warning, and named in every answer.
#[test]
fn other_rules_are_warned_of() {
    let args = ["evaluate", "--game", "2048-3x3", "--spawn", "2:.5,4:.5", "--games", "3"];
    let (code, page, told) = said(&args);
    assert!(code == Some(0) && told.contains("warning: the model learned 2048-3x3 and plays"), "{told}");
    assert!(page.starts_with("2048-3x3-v1 (spawn 2:.5,4:.5), builtin:2048-3x3, 1-ply"), "{page}");
    let (_, answer, _) = said(&[&args[..], &["--json"]].concat());
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["variant"]["spawn"], "2:.5,4:.5");
    let (_, page, told) = said(&["analyze", "110/234/567", "--game", "2048-3x3", "--merge-cap", "512"]);
    assert!(page.starts_with("2048-3x3-v1 (merge cap 512), 3-ply (the default)"), "{page}");
    assert!(told.contains("merge cap 512"), "{told}");
    assert!(!text(&["analyze", "110/234/567", "--game", "2048-3x3"]).contains("warning"));
}
