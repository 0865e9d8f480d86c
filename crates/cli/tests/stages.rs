//! Stages trained one by one, as users meet them: killed at any moment, measured where they meet.

mod common;

use afterstate_lab::model;
use common::training::{Place, checkpoints};
use common::{json, run, text};
use serde_json::Value;
use std::fs;
use std::path::Path;

const STAGED: [&str; 12] = [
    "--games",
    "2500",
    "--set",
    "stages.split=64 128",
    "--set",
    "stages.procedure=one-by-one",
    "--set",
    "stages.boards=1200",
    "--set",
    "evaluate.every=1000",
    "--set",
    "evaluate.games=20",
];

/// The newest checkpoint's place in the procedure: stage, whether it collects, and whether it has
/// just begun.
fn phase(run: &Path) -> Option<(u64, bool, bool)> {
    let newest = checkpoints(run).pop()?;
    let header = model::header(&newest.1).ok()?;
    let state: Value = serde_json::from_str(header.metadata.get("state")?).ok()?;
    let phase = &state["phase"];
    let begun = state["games"] == phase["began"];
    Some((phase["stage"].as_u64()?, phase["collecting"].as_bool()?, begun))
}

/// Every file of boards that a run collected.
fn boards(place: &Place, run: &str) -> Vec<String> {
    [2, 3].map(|stage| place.read(&format!("{run}/boards/stage-{stage}.boards"))).to_vec()
}

/// kill -9 while a stage trains, while boards are collected, and as soon as the next phase has
/// begun.
#[test]
fn killed_in_every_phase_a_staged_run_is_the_same_in_the_end() {
    let place = Place::new();
    let at = place.path("run");
    let mut seen = Vec::new();
    for stage in 0..3 {
        for collecting in [false, true] {
            // As soon as it has begun, then on the way.
            for on_the_way in [false, true] {
                let mut child = match place.path("run/config.toml").exists() {
                    true => place.spawn_resume("run", &[]),
                    false => place.spawn("run", &STAGED),
                };
                let reached = || {
                    let at = phase(&at);
                    at.is_some_and(|(s, c, begun)| (s, c, !begun) >= (stage, collecting, on_the_way))
                        || place.path("run/model.afterstate").exists()
                };
                place.wait("the phase", reached);
                child.kill().unwrap();
                child.wait().unwrap();
                seen.extend(phase(&at));
                let newest = checkpoints(&at).pop().unwrap().1;
                model::load(&newest).unwrap_or_else(|e| panic!("{e}"));
            }
        }
    }
    assert!(seen.iter().any(|&(stage, collecting, _)| stage > 0 && !collecting), "{seen:?}");
    assert!(seen.iter().any(|&(_, collecting, begun)| collecting && !begun), "{seen:?}");
    assert!(seen.iter().any(|&(stage, _, begun)| stage > 0 && begun), "{seen:?}");
    let finished = place.resume("run", &[]);
    let whole = place.train_json("whole", &STAGED);
    for key in ["games", "moves", "score", "complete"] {
        assert_eq!(finished[key], whole[key], "{key}");
    }
    assert_eq!((&whole["games"], &whole["complete"]), (&7500.into(), &true.into()));
    assert_eq!(place.curve("run"), place.curve("whole"));
    assert_eq!(place.evaluations("run"), place.evaluations("whole"));
    assert_eq!(boards(&place, "run"), boards(&place, "whole"));
    assert!(place.weights("run/model.afterstate") == place.weights("whole/model.afterstate"));
    let leftovers = fs::read_dir(place.path("run/boards")).unwrap().count();
    assert_eq!(leftovers, 2, "the two files of boards and nothing half written");
}

#[test]
fn the_jump_at_every_boundary_is_measured() {
    let place = Place::new();
    place.train_json("run", &STAGED);
    let model = place.name("run/model.afterstate");
    let inspected = json(&["inspect", &model, "--jumps"]);
    let jumps = inspected["jumps"].as_array().unwrap();
    assert_eq!(jumps.len(), 2);
    for (jump, (stage, begins)) in jumps.iter().zip([(2, "64"), (3, "128")]) {
        assert_eq!((&jump["stage"], &jump["begins"]), (&stage.into(), &begins.into()), "{jump}");
        assert_eq!((&jump["boards"], &jump["collected"]), (&1000.into(), &true.into()));
        let mean = |key: &str| jump[key]["mean"].as_f64().unwrap();
        assert!((mean("after") - mean("before") - mean("jump")).abs() < 0.1, "{jump}");
        assert!(mean("earned") > 50.0 && jump["earned"]["ci95"][0].as_f64().unwrap() > 0.0, "{jump}");
    }
    // Away from its run the model plays games of its own.
    fs::copy(&model, place.path("alone")).unwrap();
    let alone = json(&["inspect", &place.name("alone"), "--jumps", "--games", "50"]);
    assert_eq!(alone["jumps"][0]["collected"], false);
    assert!(alone["jumps"][0]["boards"].as_u64().unwrap() > 10, "{alone}");
    let page = text(&["inspect", &model, "--jumps"]);
    assert!(page.contains("really earned") && page.contains("1000 collected"), "{page}");
    assert!(page.contains("3, the later ones from 64, 128\n"), "{page}");
    assert!(json(&["inspect", &model])["jumps"].is_null());
}

/// A rank for each factor of ten, unless the splits are said.
#[test]
fn small_scales_lower_the_splits_and_say_so() {
    let place = Place::new();
    let recipe = place.name("small.toml");
    let splits = ["--set", "stages.split=512", "--set", "stages.procedure=one-by-one"];
    let said = |name: &str, more: &[&str]| {
        let run_name = place.name(name);
        let args = ["train", &recipe, "--run", &run_name, "--scale", "0.01"];
        let output = run(&[&args[..], &splits, more].concat());
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let lowered = said("lowered", &[]);
    assert!(lowered.contains("stages begin at 128, 2 ranks lower than written"), "{lowered}");
    assert!(place.read("lowered/config.toml").contains("shift = -2"));
    let asked = said("asked", &["--set", "stages.shift=0"]);
    assert!(!asked.contains("lower than written") && asked.contains("(from 512)"), "{asked}");
}

#[test]
fn lowered_splits_and_short_collections_are_said() {
    let place = Place::new();
    let (recipe, run_name) = (place.name("small.toml"), place.name("run"));
    let args = ["train", &recipe, "--run", &run_name, "--games", "200", "--set", "stages.split=16384"];
    let more =
        ["--set", "stages.procedure=one-by-one", "--set", "stages.shift=-4", "--set", "stages.limit=60"];
    let output = run(&[&args[..], &more].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("stages begin at 1024, 4 ranks lower than written"), "{said}");
    assert!(
        said.contains("the collection stopped short with 0 of 100000 boards of stage 2 (from 1024)"),
        "{said}"
    );
    assert!(said.contains("in 60 games") && said.contains("stages.shift=-5"), "{said}");
}

#[test]
fn stages_that_cannot_be_get_one_clear_line() {
    let place = Place::new();
    let (recipe, new) = (place.name("small.toml"), place.name("new"));
    let one_by_one = "stages.procedure=one-by-one";
    let cases: &[(&[&str], &str)] = &[
        (&["stages.split=simpel"], "stages.split"),
        (&["stages.split=16384+3"], "16384 16384+8192"),
        (&["stages.split=simple", "stages.shift=-20"], "stages.shift"),
        (&["stages.split=simple", "stages.shift=ten"], "it must be a whole number"),
        (&[one_by_one], "name them with stages.split"),
        (&["stages.split=simple", one_by_one, "learning.start=restart"], "learning.start"),
        (&["stages.split=simple", one_by_one, "stages.carousel=true"], "stages.carousel"),
        (&["stages.split=simple", "stages.boards=0"], "stages.boards"),
        (&["stages.split=simple", "stages.collect=before"], "unknown variant"),
        (&["stages.splt=simple"], "did you mean `split`?"),
    ];
    for (sets, word) in cases {
        let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
        let output = run(&[&["train", &recipe, "--run", &new], &sets[..]].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{sets:?}: {said}");
        assert!(said.contains(word) && !said.contains("panicked"), "{sets:?}: {said}");
    }
    assert!(!place.path("new").exists());
}
