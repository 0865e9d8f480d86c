//! Answers of the commands: the fields of the contract, and numbers that must be right.

mod common;

use common::{json, text};
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

fn has(value: &Value, fields: &str) {
    for field in fields.split(' ') {
        assert!(value.get(field).is_some(), "no field {field} in {value}");
    }
}

#[test]
fn evaluate_has_the_fields_of_the_contract() {
    let answer = json(&["evaluate", "--player", "greedy", "--games", "200", "--seed", "5"]);
    has(&answer, "games score moves largest win_rate tiles moves_per_second seed");
    has(&answer["score"], "mean ci95 median std min max max_of_100");
    has(&answer["moves"], "mean ci95 median std min max max_of_100");
    has(&answer["score"]["max_of_100"], "mean ci95");
    has(&answer["largest"], "median min max");
    has(&answer["tiles"]["2048"], "rate ci95");
    assert_eq!((number(&answer["games"]), number(&answer["seed"])), (200.0, 5.0));
    let [low, high] = [0, 1].map(|i| number(&answer["score"]["ci95"][i]));
    let mean = number(&answer["score"]["mean"]);
    assert!(low < mean && mean < high && (2000.0..4500.0).contains(&mean));
    assert_eq!(number(&answer["tiles"]["2"]["rate"]), 1.0);
    // The reaching rates of a larger tile is never larger.
    let mut rates: Vec<(u64, f64)> = answer["tiles"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(tile, t)| (tile.parse().unwrap(), number(&t["rate"])))
        .collect();
    rates.sort_by_key(|&(tile, _)| tile);
    assert!(rates.windows(2).all(|pair| pair[0].1 >= pair[1].1));
    assert_eq!(number(&answer["win_rate"]), number(&answer["tiles"]["2048"]["rate"]));
}

#[test]
fn evaluate_gives_the_same_numbers_for_any_number_of_threads() {
    for game in ["2048", "threes", "2048-5x5", "threes-app", "threes-course-2x3"] {
        let extra: &[&str] = if game.ends_with("2x3") { &["--start-tiles", "1"] } else { &[] };
        let run = |threads| {
            let args =
                ["evaluate", "--player", "random", "--games", "120", "--game", game, "--threads", threads];
            let mut answer = json(&[&args[..], extra].concat());
            let fields = answer.as_object_mut().unwrap();
            for timed in ["moves_per_second", "seconds", "seconds_per_game"] {
                assert!(fields.remove(timed).is_some());
            }
            answer
        };
        assert_eq!(run("1"), run("2"), "{game}");
    }
}

#[test]
fn looking_ahead_pays() {
    let score = |ply| {
        let answer =
            json(&["evaluate", "--player", "heuristic", "--game", "2048-3x3", "--games", "60", "--ply", ply]);
        number(&answer["score"]["mean"])
    };
    let (one, three) = (score("1"), score("3"));
    assert!(one > 500.0 && three > one && three < 5468.5, "{one} {three}");
    let timed =
        ["evaluate", "--player", "heuristic", "--game", "2048-2x2", "--games", "3", "--time-per-move", "1ms"];
    assert_eq!(number(&json(&timed)["games"]), 3.0);
}

#[test]
fn a_table_for_people() {
    let page = text(&["evaluate", "--player", "random", "--games", "100"]);
    for part in
        ["2048-4x4-v1, random player, 100 games, seed 1", "± 95 %", "milliseconds per game", "█", "games won"]
    {
        assert!(page.contains(part), "no '{part}' in\n{page}");
    }
    // One game has a score but no deviation.
    assert!(text(&["evaluate", "--player", "random", "--games", "1"]).contains('–'));
}

#[test]
fn saved_games_can_be_played_again() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("saved.jsonl");
    let file = path.to_str().unwrap();
    let answer = json(&[
        "evaluate",
        "--player",
        "random",
        "--game",
        "threes",
        "--games",
        "20",
        "--threads",
        "2",
        "--save",
        file,
    ]);
    let lines: Vec<Value> = std::fs::read_to_string(&path)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 20);
    let mut total = 0.0;
    for (i, line) in lines.iter().enumerate() {
        has(line, "format game player seed index start moves spawns score largest");
        assert_eq!(number(&line["index"]), i as f64);
        total += number(&line["score"]);
        assert_eq!(replayed_score(line), line["score"].as_u64().unwrap());
    }
    assert!((total / 20.0 - number(&answer["score"]["mean"])).abs() < 1e-9);
}

/// Plays a saved game again with the library, from nothing but the line.
fn replayed_score(line: &Value) -> u64 {
    use afterstate::episode::{Record, Spawn, replay};
    use afterstate::game::{catalogue::GameSpec, notation};
    use afterstate::grid::Direction;
    let spec = GameSpec::parse(line["game"].as_str().unwrap()).unwrap();
    let byte = |value: &Value| value.as_u64().unwrap() as u8;
    let moves = line["moves"].as_str().unwrap().chars().map(|c| Direction::parse(&c.to_string()).unwrap());
    let spawns = line["spawns"].as_array().unwrap().iter();
    let spawns = spawns.map(|s| Spawn { cell: byte(&s[0]), rank: byte(&s[1]), hint: byte(&s[2]) });
    afterstate::with_game!(&spec.build().unwrap(), game => {
        let start = notation::read(game, line["start"].as_str().unwrap()).unwrap();
        let episode = replay(game, &Record { start: Some(start), steps: moves.zip(spawns).collect() }).unwrap();
        assert!(!episode.truncated);
        episode.score
    })
}

#[test]
fn perft_counts_as_published() {
    let answer = json(&["perft", "2048", "0000/0100/0000/0001", "--depth", "3"]);
    let row = |d: usize| {
        ["leaves", "distinct", "legal", "dead", "reward"].map(|field| number(&answer["depths"][d][field]))
    };
    assert_eq!(row(0), [112.0, 111.0, 4.0, 0.0, 0.0]);
    assert_eq!(row(2), [1115808.0, 14396.0, 42700.0, 0.0, 106624.0]);
    assert!((number(&answer["depths"][2]["value"]) - 192519.0 / 31850.0).abs() < 1e-9);
    // The position may also come as several words.
    let position = "7000/0000/0012/0021 bag=1,2,3 hint=+";
    let one = json(&["perft", "threes", position, "--depth", "2"]);
    let words: Vec<&str> = position.split(' ').collect();
    assert_eq!(one, json(&[&["perft", "threes", "--depth", "2"], &words[..]].concat()));
    assert_eq!(number(&one["depths"][1]["leaves"]), 1470.0);
    // A dead position has a count too.
    let dead = json(&["perft", "2048", "1212/2121/1212/2121", "--depth", "64"]);
    assert_eq!(dead["depths"].as_array().unwrap().len(), 64);
    assert_eq!(number(&dead["depths"][0]["dead"]), 1.0);
}

#[test]
fn solve_gives_the_published_values() {
    let answer = json(&["solve", "2048-2x3"]);
    has(&answer, "states afterstates terminal raw_states optimal random");
    assert!((number(&answer["optimal"]) - 480.258271776).abs() < 5e-10);
    assert!((number(&answer["random"]) - 61.168880295).abs() < 5e-10);
    assert_eq!(number(&answer["raw_states"]), 85844.0);
    let tile = json(&["solve", "2048-2x2", "--tile", "16"]);
    assert!((number(&tile["probability"]) - 0.962511253750).abs() < 1e-12);
    let threes = json(&["solve", "threes-2x2", "--start-tiles", "2"]);
    assert!((number(&threes["optimal"]) - 34.931115834).abs() < 5e-10);
    assert!(text(&["solve", "2048-2x2"]).contains("66.964149457"));
}

/// The large tiles stay in their row while the table knows a way: whoever asks it makes the tile as
/// often as it says.
#[test]
fn endgame_tables_are_made_once_and_followed() {
    let files = common::Files::new();
    let place = files.file("tables");
    let make = ["endgames", "2048-3x3", "--hold", "###/.../...", "--goal", "32", "--out", &place];
    let table = &json(&make)["tables"][0];
    has(table, "hold goal boards chance file");
    assert!(number(&table["chance"]) > 0.1 && number(&table["chance"]) < 1.0);
    assert!(text(&make).contains("was there already"));
    let position = "765/210/000";
    let with = |endgames: &[&str]| {
        let args = [&["analyze", position, "--game", "2048-3x3", "--ply", "2"], endgames].concat();
        json(&args)["positions"][0].clone()
    };
    let (followed, plain) = (with(&["--endgames", &place]), with(&[]));
    assert_ne!(followed["moves"], plain["moves"], "chances, not points, tell the moves apart");
    // The best move is worth what the search says it is.
    let best = |answer: &Value| {
        let moves = answer["moves"].as_array().unwrap();
        moves.iter().filter_map(|found| found["value"].as_f64()).fold(f64::NEG_INFINITY, f64::max)
    };
    assert!((best(&followed) - best(&plain)).abs() < 0.01 * best(&plain));
    let play = ["evaluate", "--game", "2048-3x3", "--games", "20", "--ply", "2"];
    let played = json(&[&play[..], &["--endgames", &place]].concat());
    assert_ne!(played["score"], json(&play)["score"]);
}

#[test]
fn games_come_one_per_line_name_first() {
    let list = text(&["games"]);
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    for name in ["2048", "2048-RxC", "1024", "threes", "threes-app", "threes-course"] {
        assert!(names.contains(&name), "{name} is missing in\n{list}");
    }
    assert_eq!(json(&["games"])["games"].as_array().unwrap().len(), names.len());
}

#[test]
fn bench_prints_the_same_signature_every_time() {
    let answer = json(&["bench"]);
    assert_eq!(answer["signature"], json(&["bench"])["signature"]);
    assert!(number(&answer["evaluate_moves_per_second"]) > 0.0);
    assert!(number(&answer["train_moves_per_second"]) > 0.0);
    has(&answer["search"], "1 2 3");
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in [
        "games", "perft", "solve", "endgames", "evaluate", "analyze", "engine", "bench", "convert",
        "inspect", "train",
    ] {
        let help = text(&[command, "--help"]);
        assert!(help.contains("Example") && help.contains(&format!("afterstate {command}")), "{help}");
    }
    assert!(text(&["--version"]).starts_with("afterstate 0."));
}

/// Ctrl-C on a long evaluation: it stops soon and reports what was played.
#[cfg(unix)]
#[test]
fn an_interrupt_reports_what_was_played() {
    use std::process::{Command, Stdio};
    let child = Command::new(assert_cmd::cargo::cargo_bin("afterstate"))
        .args(["evaluate", "--player", "random", "--games", "100000000", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(output.status.success());
    assert!(number(&answer["games"]) > 0.0 && answer["interrupted"] == true);
    assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted"));
}

/// Every game ends at one of the splits, and intervals hold their rates.
#[test]
fn climbs_of_saved_games() {
    let place = tempfile::tempdir().unwrap();
    let games = place.path().join("games.jsonl");
    let games = games.to_str().unwrap();
    text(&["evaluate", "--player", "greedy", "--games", "50", "--save", games]);
    let answer = json(&["climbs", games, "--split", "64 128 256 512"]);
    assert_eq!((&answer["game"], &answer["games"]), (&"2048-4x4-v1".into(), &50.into()));
    let climbs = answer["climbs"].as_array().unwrap();
    assert_eq!((climbs.len(), &climbs[1]["split"]), (5, &"64".into()));
    let ended: u64 = climbs.iter().map(|climb| climb["ended"]["games"].as_u64().unwrap()).sum();
    assert_eq!(ended, 50);
    let on = &climbs[1]["goes_on"];
    let [low, high] = [0, 1].map(|end| on["ci95"][end].as_f64().unwrap());
    assert!((low..=high).contains(&on["rate"].as_f64().unwrap()));
    assert!(climbs[4].get("goes_on").is_none());
    let page = text(&["climbs", games]);
    assert!(page.contains("the start") && page.contains("go on"), "{page}");
}

/// Options beside the depth are part of the answer, and change the games.
#[test]
fn searches_are_told_how_to_spend_their_depth() {
    let player = |more: &[&str]| {
        let arguments = ["evaluate", "--game", "2048-3x3", "--player", "heuristic", "--games", "3"];
        let answer = json(&[&arguments[..], more].concat());
        (answer["player"].as_str().unwrap().to_string(), answer["score"]["mean"].as_f64().unwrap())
    };
    let (plain, deeper) = (player(&["--ply", "1"]), player(&["--ply", "1", "--ply-by-empty", "2:4,4:3"]));
    assert_eq!(plain.0, "heuristic");
    assert_eq!(deeper.0, "heuristic, 4-ply up to 2 empty cells, 3-ply up to 4 empty cells");
    assert_ne!(plain.1, deeper.1);
    let (all, cut) = (player(&["--ply", "3"]), player(&["--ply", "3", "--cut-off", "0.1"]));
    assert!(cut.0.ends_with(", cut-off 0.1") && all.1 != cut.1);
    let (small, large) = (player(&["--ply", "3", "--table", "0"]), player(&["--ply", "3", "--table", "8"]));
    assert_eq!((&small.1, &large.1), (&all.1, &all.1), "the table changes no value");
}
