//! A model plays: its own game, its relatives, and nothing else.

mod common;

use common::{Files, json, run};
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

fn mean(args: &[&str]) -> f64 {
    number(&json(args)["score"]["mean"])
}

#[test]
fn a_model_plays_its_game_and_looking_ahead_pays() {
    let place = Files::new();
    let model = place.model("m", "2048", "4x4", 1500, "");
    let answer = json(&["evaluate", "--model", &model, "--games", "60"]);
    assert_eq!((&answer["game"], &answer["player"]), (&"2048-4x4-v1".into(), &"model".into()));
    assert_eq!((&answer["model"], number(&answer["ply"])), (&Value::from(model.clone()), 1.0));
    let one = number(&answer["score"]["mean"]);
    assert!(one > 3500.0, "{one}: a greedy player has 3,000");
    let two = mean(&["evaluate", "--model", &model, "--games", "60", "--ply", "2"]);
    assert!(two > 1.2 * one, "{one} {two}");
    // The same games on any number of threads, also with a table.
    let deep =
        |threads| mean(&["evaluate", "--model", &model, "--games", "4", "--ply", "3", "--threads", threads]);
    assert_eq!(deep("1"), deep("2"));
    let timed = json(&["evaluate", "--model", &model, "--games", "1", "--time-per-move", "1ms"]);
    assert_eq!(number(&timed["time_per_move"]), 0.001);
    assert!(timed.get("ply").is_none());
}

/// 1024 is the same game with half the points: the same moves, half the score.
#[test]
fn a_model_of_2048_plays_1024_move_by_move() {
    let place = Files::new();
    let model = place.model("m", "2048", "4x4", 300, "");
    let args = ["evaluate", "--model", &model, "--games", "30", "--ply", "2"];
    let other = json(&[&args[..], &["--game", "1024"]].concat());
    let own = json(&args);
    assert_eq!(number(&other["score"]["mean"]) * 2.0, number(&own["score"]["mean"]));
    assert_eq!(other["moves"]["mean"], own["moves"]["mean"]);
    // And the other way round.
    let model = place.model("n", "1024", "4x4", 50, "");
    assert_eq!(json(&["evaluate", "--model", &model, "--games", "3"])["game"], "1024-4x4-v1");
    let doubled = mean(&["evaluate", "--model", &model, "--games", "30", "--game", "2048"]);
    assert_eq!(doubled, 2.0 * mean(&["evaluate", "--model", &model, "--games", "30"]));
}

#[test]
fn a_model_plays_on_the_board_turned_on_its_side() {
    let place = Files::new();
    let model = place.model("m", "2048-2x3", "0134 012", 3000, "");
    let wide = mean(&["evaluate", "--model", &model, "--games", "2000"]);
    let tall = mean(&["evaluate", "--model", &model, "--games", "2000", "--game", "2048-3x2"]);
    // Optimal is 480, random 61.
    assert!(wide > 300.0 && (wide - tall).abs() < 40.0, "{wide} {tall}");
    let random = mean(&["evaluate", "--player", "random", "--games", "2000", "--game", "2048-3x2"]);
    assert!(tall > 2.0 * random);
}

#[test]
fn threes_models_play_the_app_and_games_come_with_their_options() {
    let place = Files::new();
    let model = place.model("t", "threes", "4x4", 100, "");
    assert_eq!(json(&["evaluate", "--model", &model, "--games", "3"])["game"], "threes-4x4-v1");
    let app = json(&["evaluate", "--model", &model, "--games", "3", "--game", "threes-app"]);
    assert_eq!(app["game"], "threes-app-4x4-v1");
    let recipe =
        "game = \"2048-2x3\"\n[variant]\nstart_tiles = 5\n[network]\npatterns = \"0134\"\n[run]\ngames = 1\n";
    let model = place.model("v", "2048-2x3", "0134", 50, recipe);
    let saved = place.file("games.jsonl");
    json(&["evaluate", "--model", &model, "--games", "1", "--save", &saved]);
    let line: Value = serde_json::from_str(std::fs::read_to_string(&saved).unwrap().trim()).unwrap();
    assert_eq!((number(&line["start_tiles"]), &line["player"]), (5.0, &"model".into()));
    let start = line["start"].as_str().unwrap();
    assert_eq!(start.chars().filter(|c| ('1'..='2').contains(c)).count(), 5, "{start}");
}

#[test]
fn values_of_states_and_actions_play_without_looking_ahead() {
    let place = Files::new();
    for kind in ["states", "actions"] {
        let recipe = format!(
            "game = \"2048-2x3\"\n[network]\npatterns = \"0134 012\"\n[learning]\nvalues = \"{kind}\"\n[run]\ngames = 1\n"
        );
        let model = place.model(kind, "2048-2x3", "0134 012", 2000, &recipe);
        let score = mean(&["evaluate", "--model", &model, "--games", "500"]);
        assert!(score > 150.0, "{kind} {score}: random has 61");
        let output = run(&["evaluate", "--model", &model, "--ply", "2"]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.code() == Some(2) && said.contains(kind) && said.lines().count() == 1,
            "{said}"
        );
        // The move it plays is the one it calls best.
        let answer = json(&["analyze", "110/020", "--model", &model]);
        assert_eq!(answer["positions"][0]["moves"].as_array().unwrap().len(), 4);
    }
}

#[test]
fn a_model_of_another_game_is_refused_in_one_line() {
    let place = Files::new();
    let model = place.model("m", "2048", "4x4", 5, "");
    for game in ["threes", "2048-3x3", "2048-5x5"] {
        let output = run(&["evaluate", "--model", &model, "--game", game]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains("plays 2048,") && said.contains(game), "{said}");
    }
}
