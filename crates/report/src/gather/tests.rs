//! Reports on runs made of a few lines.

use super::super::board::tests::game;
use super::super::{Chart, Figure};
use super::*;
use afterstate_lab::replay::ours;
use std::fs;

/// A run with two log lines and two evaluations.
fn run(place: &Path, alpha: f64, seed: u64) {
    fs::create_dir_all(place.join("eval")).unwrap();
    let recipe = format!(
        "about = \"small\"\ngame = \"2048\"\n[learning]\nalpha = {alpha:?}\n[run]\ngames = 2000\nseed = {seed}\n"
    );
    fs::write(place.join("config.toml"), recipe).unwrap();
    let meta = "{\"command\": \"afterstate train x\", \"cpu\": \"a processor\", \"game\": \"2048-4x4-v1\", \"threads\": 1, \"version\": \"0\"}";
    fs::write(place.join("meta.json"), meta).unwrap();
    let mean = 1000.0 * alpha + 10.0 * seed as f64;
    let line = |games: u64| {
        format!(
            "{{\"games\":{games},\"window\":1000,\"mean\":{mean},\"max\":{},\"moves\":{},\"seconds\":{},\"tiles\":[[128,0.5]],\"factor\":1}}\n",
            games * 2,
            games * 100,
            games as f64 / 1000.0
        )
    };
    fs::write(place.join("train.jsonl"), line(1000) + &line(2000)).unwrap();
    for games in [1000, 2000] {
        let shard = format!(
            "{{\"format\":\"afterstate-shard-v1\",\"part\":{{\"index\":1,\"of\":1}},\"setting\":{{\"game\":\"2048-4x4-v1\",\"player\":\"model\",\"ply\":1,\"seed\":1,\"games\":2}},\
             \"seconds\":2,\"score\":[{mean},{mean}],\"moves\":[10,30],\"rank\":[7,8],\"nanoseconds\":[1,1]}}"
        );
        let text = format!(
            "{{\"trained_games\":{games},\"games\":2,\"seed\":1,\"ply\":1,\"score\":{{\"mean\":{mean},\"ci95\":[1,2],\"median\":3}},\"tiles\":[[128,1.0],[256,0.5]],\"shard\":{shard}}}"
        );
        fs::write(place.join(format!("eval/{games:012}.json")), text).unwrap();
    }
}

fn report(paths: &[PathBuf]) -> Document {
    Sources::read(paths).unwrap().report(&ReportOptions::default())
}

fn figure<'a>(document: &'a Document, name: &str) -> Option<&'a Figure> {
    document.blocks.iter().find_map(|block| match block {
        Block::Figure(figure) if figure.name == name => Some(figure),
        _ => None,
    })
}

#[test]
fn a_set_of_runs_is_one_report_with_bands() {
    let place = tempfile::tempdir().unwrap();
    let mut runs = Vec::new();
    for (alpha, seed) in [(1.0, 1), (1.0, 2), (2.0, 1), (2.0, 2), (3.0, 1)] {
        let name = format!("alpha={alpha},seed={seed}");
        if alpha < 3.0 {
            run(&place.path().join("runs").join(&name), alpha, seed);
        }
        runs.push(serde_json::json!({"name": name, "settings": {"learning.alpha": alpha.to_string()}, "seed": seed}));
    }
    let index = serde_json::json!({"schema": "afterstate.sweep/1", "axes": [], "runs": runs});
    fs::write(place.path().join("sweep.json"), index.to_string()).unwrap();
    let document = report(&[place.path().to_path_buf()]);
    let Chart::Lines { series, .. } = &figure(&document, "learning").unwrap().chart else { panic!() };
    let found: Vec<(&str, f64)> = series.iter().map(|one| (one.name.as_str(), one.points[0].y)).collect();
    assert_eq!(found, [("alpha=1.0", 1015.0), ("alpha=2.0", 2015.0)]);
    // Two seeds 10 apart: s = 10/√2, so the margin is 12.706 · 5.
    let (low, high) = series[0].points[1].band.unwrap();
    assert!((low - (1015.0 - 63.53)).abs() < 1e-6 && (high - (1015.0 + 63.53)).abs() < 1e-6, "{low} {high}");
    assert!(figure(&document, "learning").unwrap().caption.contains("n = 2 seeds each"));
    let (text, _) = document.to_markdown();
    assert!(text.contains("`alpha=3,seed=1` of ") && text.contains("has not begun"), "{text}");
    assert!(text.contains("| alpha=1.0 | 1,015 ± 64 | 1,020 |"), "{text}");
    assert!(
        text.contains("4 runs of 2 kinds") && text.contains("alpha=2.0, the best, is 2,015 ± 64"),
        "{text}"
    );
    assert!(text.contains("| alpha=2.0 | 2.0 |"), "what differs: {text}");
    for name in ["maximum", "evaluations", "tiles", "scores", "speed"] {
        assert!(figure(&document, name).is_some(), "{name}");
    }
    assert!(figure(&document, "stages").is_none());
}

#[test]
fn what_is_missing_is_said() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("mine");
    run(&path, 1.0, 1);
    fs::remove_dir_all(path.join("eval")).unwrap();
    fs::remove_file(path.join("meta.json")).unwrap();
    let log = fs::read_to_string(path.join("train.jsonl")).unwrap();
    fs::write(path.join("train.jsonl"), &log[..log.len() - 30]).unwrap();
    let document = report(&[path]);
    assert_eq!(document.title, "mine");
    let (text, _) = document.to_markdown();
    for said in ["made no evaluations", "cut short", "meta.json is missing", "1000 of its 2000 games"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(figure(&document, "tiles").is_none() && figure(&document, "learning").is_some());
    let headings: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(headings.last(), Some(&"What is missing"), "after all there is: {headings:?}");
    let summary = &document.summary;
    assert!(summary.contains("games of learning is") && summary.contains("said at the end"), "{summary}");
}

#[test]
fn what_is_no_run_is_refused_in_one_line() {
    let place = tempfile::tempdir().unwrap();
    let error = |path: &Path| Sources::read(&[path.to_path_buf()]).map(|_| ()).unwrap_err().to_string();
    assert!(error(place.path()).contains("is no run") && error(place.path()).contains("`train`"));
    assert!(error(&place.path().join("nothing")).contains("cannot read"));
    let file = place.path().join("file");
    for text in ["", "{}", "what", "{\"games\": 1}"] {
        fs::write(&file, text).unwrap();
        assert!(error(&file).contains("holds no results") && error(&file).contains("saved games"), "{text}");
    }
    let broken = place.path().join("broken");
    run(&broken, 1.0, 1);
    fs::write(broken.join("config.toml"), "game = [").unwrap();
    assert!(error(&broken).contains("config.toml is damaged"));
    fs::write(place.path().join("sweep.json"), "{\"runs\": 3}").unwrap();
    assert!(error(place.path()).contains("sweep.json is damaged"));
}

/// Games of `evaluate --save` bring their replays along.
#[test]
fn kept_games_are_shown_best_median_worst() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("games.jsonl");
    let mut text = String::new();
    for seed in 0..5 {
        let one = game("2048-3x3", seed);
        let boards = one.boards().unwrap();
        let last = boards.all.last().unwrap();
        let mut line: serde_json::Value = serde_json::from_str(&ours::write(&one.replay)).unwrap();
        line["score"] = last.score.into();
        line["largest"] = (*boards.labels.last().unwrap()).into();
        text += &(line.to_string() + "\n");
    }
    fs::write(&file, text + "{\"half\":").unwrap();
    let document = report(&[file]);
    let games: Vec<&super::super::Game> = document
        .blocks
        .iter()
        .filter_map(|block| if let Block::Game(game) = block { Some(game) } else { None })
        .collect();
    let scores: Vec<u64> =
        games.iter().map(|game| game.boards().unwrap().all.last().unwrap().score).collect();
    assert_eq!(scores.len(), 3);
    assert!(scores[0] >= scores[1] && scores[1] >= scores[2], "{scores:?}");
    assert!(games[0].caption.starts_with("the best game of 5"), "{}", games[0].caption);
    let (text, _) = document.to_markdown();
    assert!(text.contains("1 of its games cannot be read"), "{text}");
    assert!(figure(&document, "scores").is_some());
}

/// Stages trained one by one: curves of each over its own games, with the normalised score as a
/// line.
#[test]
fn stages_have_curves_of_their_own() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("staged");
    run(&path, 1.0, 1);
    let line = |games: u64, stage: u8, stage_games: u64, mean: f64, more: &str| {
        format!(
            "{{\"games\":{games},\"window\":1000,\"mean\":{mean},\"max\":9,\"moves\":5,\"seconds\":1,\"tiles\":[],\"factor\":1,\"stage\":{stage},\"stage_games\":{stage_games},\"reach\":1,\"comparable_max\":7{more}}}\n"
        )
    };
    let collected = "{\"games\":2100,\"moves\":1,\"seconds\":1,\"collected\":5,\"stage\":2,\"share\":1,\"reach\":1,\"score\":1,\"normalised\":150}\n";
    let normalised = ",\"normalised\":150";
    let log = line(1000, 1, 1000, 100.0, "")
        + &line(2000, 1, 2000, 120.0, "")
        + collected
        + &line(3100, 2, 1000, 140.0, normalised)
        + &line(4100, 2, 2000, 170.0, normalised);
    fs::write(path.join("train.jsonl"), log).unwrap();
    let document = report(&[path]);
    let Chart::Lines { series, .. } = &figure(&document, "stages").unwrap().chart else { panic!() };
    let found: Vec<(&str, bool, Vec<f64>)> = series
        .iter()
        .map(|one| (one.name.as_str(), one.reference, one.points.iter().map(|p| p.y).collect()))
        .collect();
    assert_eq!(
        found,
        [
            ("stage 1", false, vec![100.0, 120.0]),
            ("stage 2", false, vec![140.0, 170.0]),
            ("stage 1 on the boards of 2", true, vec![150.0, 150.0])
        ]
    );
    let Chart::Lines { series, .. } = &figure(&document, "learning").unwrap().chart else { panic!() };
    assert_eq!(series[0].points.len(), 2, "only the first stage");
    let Chart::Lines { series, .. } = &figure(&document, "stages-maximum").unwrap().chart else { panic!() };
    assert_eq!(series[1].points[0].y, 7.0);
}
