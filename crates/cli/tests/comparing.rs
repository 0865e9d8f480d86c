//! `compare`: equals are equal, the stronger is stronger, and stored games say what played ones do.

mod common;

use common::training::Place;
use common::{json, run, text};
use serde_json::Value;
use std::fs;

fn close(value: &Value, wanted: f64) -> bool {
    (value.as_f64().unwrap() - wanted).abs() < 1e-6 * wanted.abs().max(1.0)
}

#[test]
fn equals_are_equal_and_the_stronger_is_stronger() {
    let place = Place::new();
    place.train_json("little", &["--games", "30"]);
    place.train_json("much", &["--games", "4000"]);
    let (little, much) = (place.name("little"), place.name("much"));
    let games = ["--games", "300"];

    let same = json(&[&["compare", &much, &format!("{much}/model.afterstate")], &games[..]].concat());
    assert_eq!((&same["verdict"], &same["stronger"]), (&"no difference found".into(), &Value::Null));
    // Each side has its own chance, so that equals do not play the same games.
    assert_ne!(same["a"]["score"], same["b"]["score"]);
    assert_eq!((&same["a"]["seed"], &same["b"]["seed"]), (&1.into(), &2.into()));
    let ci = &same["difference"]["ci95"];
    assert!(ci[0].as_f64().unwrap() < 0.0 && ci[1].as_f64().unwrap() > 0.0, "{ci}");
    assert!(same["games_to_settle"].as_u64().unwrap() > 300);

    let better = json(&[&["compare", &little, &much], &games[..]].concat());
    assert_eq!((&better["verdict"], &better["stronger"]), (&"b is stronger".into(), &"b".into()));
    assert!(better["difference"]["ci95"][0].as_f64().unwrap() > 0.0);
    assert!(better["games_to_settle"].as_u64().unwrap() < 300);
    let turned = json(&[&["compare", &much, &little], &games[..]].concat());
    assert_eq!(turned["stronger"], "a");
    let page = text(&[&["compare", &much, "random"], &games[..]].concat());
    assert!(
        page.contains("A is stronger") && page.contains("2048-3x3-v1") && page.contains("B − A  -"),
        "{page}"
    );
}

#[test]
fn stored_games_are_compared_as_they_are() {
    let place = Place::new();
    let final_games = ["--games", "500", "--set", "final.games=200", "--set", "final.plies=[1,2]"];
    place.train_json("run", &final_games);
    let (run_place, model) = (place.name("run"), place.name("run/model.afterstate"));
    // The final games are those that `evaluate` plays with their seed.
    let whole = json(&["evaluate", "--model", &model, "--games", "200", "--seed", "2", "--shard", "1/1"]);
    fs::write(place.path("whole.json"), whole.to_string()).unwrap();
    let saved = place.name("games.jsonl");
    let seven = json(&["evaluate", "--model", &model, "--games", "200", "--seed", "7", "--save", &saved]);
    let stored = json(&["compare", &run_place, &saved, "--stored"]);
    assert!(close(&stored["a"]["score"]["mean"], whole["score"]["mean"].as_f64().unwrap()));
    assert!(close(&stored["b"]["score"]["mean"], seven["score"]["mean"].as_f64().unwrap()));
    assert_eq!((&stored["b"]["seed"], &stored["a"]["ply"]), (&7.into(), &1.into()));
    let tile = |answer: &Value, side: &str| answer["tiles"]["128"][side]["rate"].clone();
    assert_eq!(tile(&stored, "a"), whole["tiles"]["128"]["rate"]);
    assert_eq!(tile(&stored, "b"), seven["tiles"]["128"]["rate"]);
    let shard = json(&["compare", &place.name("whole.json"), &saved]);
    assert_eq!(shard["difference"], stored["difference"]);
    let deeper = json(&["compare", &run_place, &run_place, "--stored", "--ply", "2"]);
    assert_eq!((&deeper["a"]["ply"], &deeper["verdict"]), (&2.into(), &"no difference found".into()));
    assert_eq!(deeper["games_to_settle"], Value::Null);
    // Who plays beside stored games of seed 2 takes another seed.
    let beside = json(&["compare", &place.name("whole.json"), &model, "--seed", "2", "--games", "50"]);
    assert_eq!((&beside["a"]["seed"], &beside["b"]["seed"]), (&2.into(), &3.into()));

    let missing = run(&["compare", &run_place, &saved, "--stored", "--ply", "3"]);
    let said = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(missing.status.code() == Some(1) && said.contains("final.plies=[3]"), "{said}");
    let other = run(&["compare", &saved, "greedy", "--game", "threes", "--games", "5"]);
    let said = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(other.status.code() == Some(2) && said.contains("cannot be compared"), "{said}");
}
