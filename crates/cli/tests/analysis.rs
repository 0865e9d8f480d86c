//! `analyze`, `engine` and replays.

mod common;

use afterstate::game::{Game, Setup, twenty48::Twenty48};
use afterstate::grid::{Direction, Shape};
use afterstate::value::{Staged, Value as _};
use common::{fed, json, run, text, trained};
use serde_json::Value;

const POSITION: &str = "1210/3302/0043/5512";
const DEAD: &str = "1212/2121/1212/2121";

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

#[test]
fn values_at_one_ply_are_reward_and_value() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("m");
    trained(&path, "2048", "4x4", 300, "");
    let model = afterstate_lab::model::load(&path).unwrap();
    let answer = json(&["analyze", POSITION, DEAD, "--ply", "1", "--model", path.to_str().unwrap()]);
    let game = Twenty48::<16>::new(Shape::FOUR);
    let ranks = POSITION.chars().filter_map(|c| c.to_digit(36)).map(|rank| rank as u8).collect();
    let state = game.position(&Setup { ranks, ..Setup::default() }).unwrap();
    let first = &answer["positions"][0];
    assert_eq!(first["position"], POSITION);
    let mut best = f64::NEG_INFINITY;
    for (direction, found) in Direction::ALL.into_iter().zip(first["moves"].as_array().unwrap()) {
        let slide = game.slide(&state, direction).unwrap();
        let value = slide.reward as f32
            + model.network.value(&game, &Staged { afterstate: slide.afterstate, stage: 0 });
        assert_eq!((&found["move"], &found["legal"]), (&direction.name().into(), &true.into()));
        assert_eq!(number(&found["reward"]), slide.reward as f64);
        assert!((number(&found["value"]) - f64::from(value)).abs() < 1e-2);
        best = best.max(number(&found["value"]));
    }
    for found in first["moves"].as_array().unwrap() {
        assert!((number(&found["loss"]) - (best - number(&found["value"]))).abs() < 1e-2);
        if found["move"] == first["best"] {
            assert_eq!(number(&found["loss"]), 0.0);
        }
    }
    let dead = &answer["positions"][1];
    assert_eq!(dead["best"], Value::Null);
    assert!(dead["moves"].as_array().unwrap().iter().all(|m| m["legal"] == false && m["value"].is_null()));
    // Tiles beyond the alphabet are judged by a lowered copy, with the rewards of the real board.
    let high = json(&["analyze", "hh00/1200/0000/0000", "--model", path.to_str().unwrap(), "--ply", "3"]);
    assert_eq!(number(&high["positions"][0]["moves"][3]["reward"]), 262_144.0);
}

#[test]
fn without_a_model_the_heuristic_player_judges_and_says_so() {
    let page = text(&["analyze", POSITION, "--ply", "3", "--player", "heuristic"]);
    for part in ["heuristic player", "3-ply", "best", "loss", "│  32  │"] {
        assert!(page.contains(part), "no '{part}' in\n{page}");
    }
    let page = text(&["analyze", DEAD]);
    assert!(page.contains("The game is over."));
    assert!(page.contains("3-ply (the default), by builtin:2048"), "{page}");
    let answer = json(&["analyze", POSITION, "--time-per-move", "5ms"]);
    assert_eq!((&answer["player"], number(&answer["time_per_move"])), (&"model".into(), 0.005));
    assert!(number(&answer["positions"][0]["ply"]) >= 1.0);
    // Words with = belong to the position before them.
    let threes = json(&["analyze", "1020/0310/2003/0312", "bag=0,1,1", "hint=3", "--game", "threes"]);
    assert_eq!(threes["positions"].as_array().unwrap().len(), 1);
    assert_eq!(threes["player"], "model");
    let other = json(&["analyze", "110/020 hint=1", "--game", "threes-2x3"]);
    assert_eq!(other["player"], "heuristic", "no model of this game ships");
}

#[test]
fn mayer_hirshfelds_player_is_known_everywhere() {
    let named = ["--player", "mayer-hirshfeld", "--game", "2048-2x2"];
    // Nine moves ahead, unless somebody says otherwise.
    let plain = json(&[&["analyze", "12/01"], &named[..]].concat());
    assert_eq!((&plain["player"], number(&plain["ply"])), (&"mayer-hirshfeld".into(), 9.0));
    let less = json(&[&["analyze", "12/01", "--ply", "2"], &named[..]].concat());
    assert_eq!(number(&less["ply"]), 2.0);
    assert_ne!(plain["positions"][0]["value"], less["positions"][0]["value"]);
    // Another search than ours: its leaves are states.
    let ours = json(&["analyze", "12/01", "--game", "2048-2x2", "--player", "heuristic", "--ply", "2"]);
    assert_ne!(ours["positions"][0]["value"], less["positions"][0]["value"]);
    let games = |threads| {
        let rest = ["evaluate", "--ply", "3", "--games", "20", "--threads", threads];
        let answer = json(&[&rest[..], &named[..]].concat());
        (answer["score"].clone(), answer["player"].clone())
    };
    assert_eq!(games("1"), games("2"));
    assert_eq!(games("1").1, "mayer-hirshfeld");
    let talk = b"position 12/01\ngo ply 3\ngo time 5\nquit\n";
    let (_, out, _) = fed(&[&["engine"], &named[..]].concat(), talk);
    assert_eq!(out.matches("bestmove").count(), 2, "{out}");
}

#[test]
fn rollouts_are_the_same_on_any_number_of_threads_and_meet_the_exact_value() {
    let play = |threads| {
        let args = [
            "analyze",
            "10/01",
            "--game",
            "2048-2x2",
            "--ply",
            "12",
            "--rollouts",
            "2000",
            "--threads",
            threads,
        ];
        json(&args)["positions"][0]["rollouts"].clone()
    };
    let found = play("2");
    assert_eq!(found, play("1"));
    assert_eq!(number(&found["games"]), 2000.0);
    // From two 2s perfect play has 67.7 points; this player does not play for points.
    let score = &found["score"];
    assert!((40.0..69.0).contains(&number(&score["mean"])), "{score}");
    assert!(number(&score["ci95"][0]) < number(&score["mean"]));
    let tile = |label: &str| number(&found["tiles"][label]["rate"]);
    assert!(tile("2") == 1.0 && tile("8") > 0.9 && tile("32") < tile("16"));
    assert!(
        text(&["analyze", "10/01", "--game", "2048-2x2", "--rollouts", "20"]).contains("20 games played on")
    );
}

#[test]
fn a_table_in_is_a_table_out() {
    let input = format!("board,who\n{POSITION},me\n\n# a note\n{DEAD},you\n");
    let (status, out, said) = fed(&["analyze", "-", "--ply", "1"], input.as_bytes());
    assert_eq!((status, said.as_str()), (Some(0), ""));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0], "board,who,best,value,up,right,down,left");
    assert!(lines[1].starts_with(&format!("{POSITION},me,")));
    assert_eq!(lines[2], format!("{DEAD},you,none,,,,,"));
    // Other dialects have commas of their own.
    let (_, out, _) =
        fed(&["analyze", "-", "--game", "2048-2x2"], b"2,4,0,2\n\"2,4,0,2\",x\n[[2,4],[0,2]]\n");
    let rows: Vec<&str> = out.lines().skip(1).collect();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row.starts_with("12/01")), "{out}");
    let (_, out, _) = fed(&["analyze", "-", "--json"], POSITION.as_bytes());
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["positions"][0]["position"], POSITION);
    // A mistake is told with its line.
    let (status, _, said) = fed(&["analyze", "-"], format!("{POSITION}\n12/34\n").as_bytes());
    assert!(status == Some(1) && said.contains("line 2") && said.lines().count() == 1, "{said}");
    let (status, _, _) = fed(&["analyze", "-"], b"\xff\xfe\n\x00");
    assert_eq!(status, Some(1));
    assert_eq!(fed(&["analyze", "-"], b"").0, Some(0));
    // Also where the answer is one object at the end: only a first line may be a header.
    let (status, out, said) = fed(&["analyze", "-", "--json"], format!("{POSITION}\nbad\n").as_bytes());
    assert!(status == Some(1) && out.is_empty() && said.contains("line 2"), "{out}{said}");
    // How games go on has columns of its own.
    let (_, out, _) = fed(&["analyze", "-", "--game", "2048-2x2", "--rollouts", "50"], b"12/01\n");
    let rows: Vec<Vec<&str>> = out.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows[0][7..], ["score", "low", "high"]);
    let [mean, low, high] = [7, 8, 9].map(|column| rows[1][column].parse::<f64>().unwrap());
    assert!(0.0 < low && low < mean && mean < high, "{out}");
}

#[test]
fn a_replay_is_judged_move_by_move_in_every_format() {
    let place = tempfile::tempdir().unwrap();
    let file = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let games = file("games.jsonl");
    let answer = json(&["evaluate", "--player", "greedy", "--games", "2", "--save", &games]);
    let analysis = json(&["analyze", &games, "--ply", "1"]);
    let replays = analysis["replays"].as_array().unwrap();
    let total: f64 = replays.iter().map(|r| number(&r["score"])).sum();
    assert_eq!(total, 2.0 * number(&answer["score"]["mean"]));
    let positions = analysis["positions"].as_array().unwrap();
    assert_eq!(positions.len() as f64, replays.iter().map(|r| number(&r["moves"])).sum::<f64>());
    let lost: f64 = positions.iter().map(|p| number(&p["played"]["loss"])).sum();
    let told: f64 = replays.iter().map(|r| number(&r["total_loss"])).sum();
    assert!(lost > 0.0 && (lost - told).abs() < 1e-3 * lost);
    for position in positions {
        let played = &position["played"];
        let found =
            position["moves"].as_array().unwrap().iter().find(|m| m["move"] == played["move"]).unwrap();
        assert_eq!((&found["legal"], &found["loss"]), (&true.into(), &played["loss"]));
    }
    assert!(!replays[0]["mistakes"].as_array().unwrap().is_empty());
    assert!(text(&["analyze", &games, "--ply", "1"]).contains("mistakes"));
    // Through all formats and back.
    for (from, to) in [("jsonl", "league"), ("league", "verse"), ("verse", "episode"), ("episode", "jsonl")] {
        let from = if from == "jsonl" { games.clone() } else { file(&format!("x.{from}")) };
        let to = file(&format!("x.{to}"));
        assert_eq!(number(&json(&["convert", &from, &to])["replays"]), 2.0);
        assert_eq!(json(&["analyze", &to, "--ply", "1"])["positions"], analysis["positions"], "{to}");
    }
}

#[test]
fn a_player_who_follows_the_judge_loses_nothing() {
    let place = tempfile::tempdir().unwrap();
    let file = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    trained(&place.path().join("m"), "threes", "4x4", 100, "");
    for ply in ["1", "2"] {
        let games = file("games.jsonl");
        json(&["evaluate", "--model", &file("m"), "--games", "1", "--ply", ply, "--save", &games]);
        let answer = json(&["analyze", &games, "--model", &file("m"), "--ply", ply]);
        assert_eq!(answer["game"], "threes-4x4-v1");
        assert_eq!(number(&answer["replays"][0]["total_loss"]), 0.0);
        assert_eq!(answer["replays"][0]["best_moves"], answer["replays"][0]["moves"]);
    }
}

#[test]
fn an_engine_answers_line_by_line() {
    let lines = format!(
        "isready\nposition {POSITION}\ngo ply 3\ngo time 5\ngo\n\nfrobnicate\ngo ply 0\ngo ply 21\ngo time -1\ngo west\n\
         position nonsense\ngo ply 1\nposition {DEAD}\ngo ply 2\nstop\nnewgame\ngo\ngame threes-2x3\nposition 110/020 hint=1\n\
         go ply 2\ngame chess\ngo\nquit\nisready\n"
    );
    let (status, out, said) = fed(&["engine"], lines.as_bytes());
    assert_eq!((status, said.as_str()), (Some(0), ""));
    let answers: Vec<&str> = out.lines().collect();
    let moves = ["up", "right", "down", "left"];
    let is_move = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        words.len() == 6
            && (words[0], words[2], words[4]) == ("bestmove", "value", "ply")
            && moves.contains(&words[1])
            && words[3].parse::<f32>().is_ok_and(f32::is_finite)
    };
    let kinds: Vec<&str> = answers
        .iter()
        .map(|line| match line.split(' ').next() {
            Some("bestmove") if is_move(line) => "move",
            _ if *line == "bestmove none" => "none",
            Some(first) => first,
            None => "",
        })
        .collect();
    let expected = [
        "readyok", "move", "move", "move", "error", "error", "error", "error", "error", "error", "move",
        "none", "error", "error", "move", "error", "move",
    ];
    assert_eq!(kinds, expected, "\n{out}");
    // The same as analyze says.
    let best =
        json(&["analyze", POSITION, "--ply", "3"])["positions"][0]["best"].as_str().unwrap().to_owned();
    assert!(answers[1].starts_with(&format!("bestmove {best} ")));
}

#[test]
fn mistakes_take_one_line() {
    let place = tempfile::tempdir().unwrap();
    let file = |name: &str, contents: &str| {
        let path = place.path().join(name);
        std::fs::write(&path, contents).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let empty = file("empty", "");
    let cut = file("cut.jsonl", "{\"format\":\"afterstate-game-v1\",\"game\":\"2048\"");
    let illegal = file("illegal", "4x4-_00g03401P01P01P01P");
    let cases: &[(&[&str], i32, &str)] = &[
        (&["analyze"], 2, "POSITION"),
        (&["analyze", "12"], 2, "4x4"),
        (&["analyze", POSITION, "--ply", "21"], 2, "--ply"),
        (&["analyze", POSITION, "--ply", "0"], 2, "--ply"),
        (&["analyze", POSITION, "--player", "greedy"], 2, "has no values"),
        (&["analyze", POSITION, "--rollouts", "0"], 2, "--rollouts"),
        (&["analyze", POSITION, "--game", "2048-3x3"], 2, "3 rows of 3"),
        (&["analyze", "games.jsonl"], 2, "no file games.jsonl"),
        (&["analyze", &empty], 1, "is empty"),
        (&["analyze", &cut], 1, "line 1"),
        (&["analyze", &illegal], 1, "not legal"),
        (&["analyze", &illegal, "--rollouts", "3"], 2, "leave it out"),
        (&["engine", "--player", "random"], 2, "has no values"),
        (&["engine", "--model", "/no/such/model"], 1, "/no/such/model"),
        (&["convert", &empty, "x.jsonl"], 1, "is empty"),
        (&["convert", &cut, "x.verse"], 1, "line 1"),
        (&["convert", "/no/such/file", "x.verse"], 1, "cannot read"),
        (&["bench", "--model", "/no/such/model"], 1, "/no/such/model"),
    ];
    for (args, status, word) in cases {
        let output = run(args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.code() == Some(*status) && said.lines().count() == 1 && said.contains(word),
            "{args:?}: {:?} {said}",
            output.status.code()
        );
        assert!(output.stdout.is_empty() && !said.contains("defect"), "{args:?}: {said}");
    }
}
