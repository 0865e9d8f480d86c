//! Run directories: what is written, when, and how much of it stays.

use afterstate_lab::model;
use afterstate_lab::recipe::Recipe;
use afterstate_lab::run::{Finished, Reporter, RunError, RunOptions, train};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A board so small that 100,000 games take a moment.
const TINY: &str =
    "game = \"2048-2x2\"\n[network]\npatterns = \"0123\"\nalphabet = 8\n[run]\ngames = 1000\nthreads = 1\n";

fn recipe(sets: &[&str]) -> Recipe {
    let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
    Recipe::parse("tiny", TINY, &sets).unwrap()
}

/// Says stop when it has been asked this often.
struct Patience(AtomicU64);

impl Patience {
    fn of(questions: u64) -> Self {
        Self(AtomicU64::new(questions))
    }
}

impl Reporter for Patience {
    fn stop(&self) -> bool {
        self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
    }
}

fn go(recipe: &Recipe, place: &Path, resume: bool, patience: u64) -> Result<Finished, RunError> {
    train(recipe, place, RunOptions { resume, ..RunOptions::default() }, &Patience::of(patience))
}

fn lines(place: &Path) -> Vec<Value> {
    let text = fs::read_to_string(place.join("train.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn names(place: &Path) -> BTreeSet<String> {
    fs::read_dir(place).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn every_thousand_and_every_hundred_thousand_games_leave_one_line() {
    let place = tempfile::tempdir().unwrap();
    let recipe = recipe(&["run.games=201500"]);
    // Interrupted in the middle of windows again and again, with half a line left behind at times.
    let (mut resumed, mut rounds) = (false, 0);
    loop {
        let finished = go(&recipe, place.path(), resumed, 15_777).unwrap();
        resumed = true;
        rounds += 1;
        if finished.complete {
            break;
        }
        assert!(rounds < 100, "no progress: {finished:?}");
        let log = place.path().join("train.jsonl");
        let half = fs::read_to_string(&log).unwrap() + "{\"games\":17";
        fs::write(log, half).unwrap();
    }
    assert!(rounds > 10, "{rounds}");
    let lines = lines(place.path());
    let games = |window: u64| -> Vec<u64> {
        let of = lines.iter().filter(|line| line["window"] == window);
        of.map(|line| line["games"].as_u64().unwrap()).collect()
    };
    assert_eq!(games(1_000), (1..=201).map(|n| n * 1_000).collect::<Vec<_>>());
    assert_eq!(games(100_000), [100_000, 200_000]);
    // A window of 100,000 is the average and the maximum of its hundred windows of 1,000.
    let number = |line: &Value, key: &str| line[key].as_f64().unwrap();
    let small: Vec<&Value> = lines.iter().filter(|line| line["window"] == 1_000).collect();
    for (i, large) in lines.iter().filter(|line| line["window"] == 100_000).enumerate() {
        let part = &small[i * 100..][..100];
        let mean = part.iter().map(|line| number(line, "mean")).sum::<f64>() / 100.0;
        let max = part.iter().map(|line| number(line, "max")).fold(0.0, f64::max);
        assert!((mean - number(large, "mean")).abs() < 1e-6, "{mean} {large}");
        assert_eq!(max, number(large, "max"));
    }
    for pair in lines.windows(2) {
        assert!(number(&pair[0], "moves") <= number(&pair[1], "moves"));
        assert!(number(&pair[0], "seconds") <= number(&pair[1], "seconds"));
    }
    assert!(small.iter().all(|line| !line["tiles"].as_array().unwrap().is_empty()));
}

#[test]
fn a_checkpoint_does_not_wait_for_the_end_of_a_window() {
    let place = tempfile::tempdir().unwrap();
    let sets = ["game=2048", "network.patterns=4x4", "network.alphabet=16", "run.games=900"];
    let recipe = recipe(&[&sets[..], &["checkpoint.minutes=0.0002", "checkpoint.keep=100000"]].concat());
    go(&recipe, place.path(), false, u64::MAX).unwrap();
    let saved = names(&place.path().join("checkpoints"));
    assert!(saved.len() > 4, "900 games take far longer than 12 ms, but there is only {saved:?}");
}

#[test]
fn an_interval_shorter_than_a_game_still_lets_games_be_played() {
    let place = tempfile::tempdir().unwrap();
    let finished = go(&recipe(&["run.games=5", "checkpoint.minutes=1e-12"]), place.path(), false, u64::MAX);
    assert!(finished.unwrap().complete);
    let place = tempfile::tempdir().unwrap();
    let finished = go(&recipe(&["run.games=5", "checkpoint.minutes=inf"]), place.path(), false, u64::MAX);
    assert!(finished.unwrap().complete);
}

#[test]
fn evaluations_the_best_model_and_only_the_last_few_checkpoints_stay() {
    let place = tempfile::tempdir().unwrap();
    let sets = ["run.games=20000", "evaluate.every=1000", "evaluate.games=30", "checkpoint.keep=3"];
    let recipe = recipe(&[&sets[..], &["checkpoint.minutes=0.00002", "final.games=0"]].concat());
    go(&recipe, place.path(), false, u64::MAX).unwrap();
    let saved = names(&place.path().join("checkpoints"));
    assert_eq!(saved.len(), 4, "three and the best, not {saved:?}");
    let evaluations: Vec<Value> = names(&place.path().join("eval"))
        .iter()
        .map(|name| fs::read_to_string(place.path().join("eval").join(name)).unwrap())
        .map(|text| serde_json::from_str(&text).unwrap())
        .collect();
    let trained: Vec<u64> = evaluations.iter().map(|e| e["trained_games"].as_u64().unwrap()).collect();
    assert_eq!(trained, (1..=20).map(|n| n * 1_000).collect::<Vec<_>>());
    let mean = |e: &Value| e["score"]["mean"].as_f64().unwrap();
    let top = evaluations.iter().map(mean).fold(0.0, f64::max);
    let best = evaluations.iter().find(|e| mean(e) == top).unwrap();
    let kept = model::load(&place.path().join("checkpoints/best.afterstate")).unwrap();
    assert_eq!(kept.metadata["trained_games"], best["trained_games"].to_string());
    // What the directory holds does not grow with the number of checkpoints.
    let size: u64 =
        saved.iter().map(|n| place.path().join("checkpoints").join(n).metadata().unwrap().len()).sum();
    assert!(size < 4 * (8u64.pow(4) * 4 + 10_000), "{size} bytes");
}

#[test]
fn evaluations_of_games_that_were_lost_go_with_them() {
    let place = tempfile::tempdir().unwrap();
    let sets = ["evaluate.every=1000", "evaluate.games=10"];
    let to = |games: &str| recipe(&[&sets[..], &[games]].concat());
    go(&to("run.games=1000"), place.path(), false, u64::MAX).unwrap();
    go(&to("run.games=3000"), place.path(), true, u64::MAX).unwrap();
    fs::remove_file(place.path().join("checkpoints/000000003000.afterstate")).unwrap();
    go(&to("run.games=1500"), place.path(), true, u64::MAX).unwrap();
    assert_eq!(
        names(&place.path().join("eval")),
        BTreeSet::from(["000000001000.json", "final-ply1.json"].map(String::from))
    );
    assert_eq!(lines(place.path()).len(), 1);
}

#[test]
fn checkpoints_without_their_recipe_are_not_overwritten() {
    let place = tempfile::tempdir().unwrap();
    go(&recipe(&[]), place.path(), false, u64::MAX).unwrap();
    fs::remove_file(place.path().join("config.toml")).unwrap();
    assert!(matches!(go(&recipe(&[]), place.path(), false, u64::MAX), Err(RunError::Exists(_))));
    let finished = go(&recipe(&["run.games=1500"]), place.path(), true, u64::MAX).unwrap();
    assert_eq!((finished.games, finished.complete), (1500, true));
    assert!(place.path().join("config.toml").exists());
}

#[test]
fn threads_can_be_added_to_a_run() {
    let place = tempfile::tempdir().unwrap();
    go(&recipe(&[]), place.path(), false, u64::MAX).unwrap();
    let finished = go(&recipe(&["run.games=4000", "run.threads=2"]), place.path(), true, u64::MAX).unwrap();
    assert_eq!((finished.games, lines(place.path()).len()), (4000, 4));
    let text = &model::load(&finished.model).unwrap().metadata["state"];
    let state: Value = serde_json::from_str(text).unwrap();
    assert_eq!(state["randoms"].as_array().unwrap().len(), 2);
}

#[test]
fn learning_begins_with_the_weights_of_a_model() {
    let place = tempfile::tempdir().unwrap();
    let first = go(&recipe(&["run.games=3000"]), &place.path().join("first"), false, u64::MAX).unwrap();
    let from = format!("learning.from={}", first.model.display());
    // A run that is stopped before its first game keeps what it began with; the second stage begins
    // as the only one.
    for stages in ["", "stages.split=256"] {
        let sets: Vec<&str> = [from.as_str(), stages].into_iter().filter(|set| !set.is_empty()).collect();
        let stopped = go(&recipe(&sets), &place.path().join(format!("next-{stages}")), false, 0).unwrap();
        assert!(!stopped.complete);
        let [old, new] = [&first.model, &stopped.model].map(|path| model::load(path).unwrap().network);
        let entries = || old.table_entries(0);
        assert!(entries().any(|entry| old.bank(0).get(entry) != 0.0));
        for bank in 0..new.structure().banks() as u8 {
            let same = |entry| old.bank(0).get(entry) == new.bank(bank).get(entry);
            assert!(entries().all(same), "stage {bank} begins with other weights");
        }
    }
    // A checkpoint also has the sums of temporal coherence.
    let coherent = ["learning.step=coherence", "run.games=3000"];
    go(&recipe(&coherent), &place.path().join("coherent"), false, u64::MAX).unwrap();
    let checkpoint = place.path().join("coherent/checkpoints/000000003000.afterstate");
    let from_checkpoint = format!("learning.from={}", checkpoint.display());
    let staged = recipe(&[&from_checkpoint, "learning.step=coherence", "stages.split=256"]);
    go(&staged, &place.path().join("staged"), false, 0).unwrap();
    let [old, new] = [checkpoint, place.path().join("staged/checkpoints/000000000000.afterstate")]
        .map(|path| model::load(&path).unwrap());
    let pairs = |model: &model::Model, bank: usize| -> Vec<[f32; 2]> {
        model.network.table_entries(0).map(|entry| model.sums[bank].get_pair(entry)).collect()
    };
    assert_eq!([pairs(&old, 0), pairs(&old, 0)], [pairs(&new, 0), pairs(&new, 1)]);
    assert!(pairs(&new, 0).iter().any(|pair| pair[1] > 0.0));
    let other = recipe(&[&from, "network.patterns=012"]);
    let place = place.path().join("other");
    let refused = go(&other, &place, false, u64::MAX).unwrap_err().to_string();
    assert!(refused.contains("other patterns"), "{refused}");
    let missing = recipe(&["learning.from=nowhere.afterstate"]);
    assert!(go(&missing, &place, false, u64::MAX).unwrap_err().to_string().contains("nowhere.afterstate"));
}

/// Steps a hundred times too long: the run stops with the step that did it, and saves nothing of
/// it.
#[test]
fn learning_that_goes_astray_stops_with_the_step_that_did_it() {
    for threads in [1, 2] {
        let place = tempfile::tempdir().unwrap();
        let sets = [
            "learning.step=fixed".to_string(),
            "learning.alpha=100".into(),
            format!("run.threads={threads}"),
        ];
        let recipe = recipe(&sets.iter().map(String::as_str).collect::<Vec<_>>());
        let error = go(&recipe, place.path(), false, u64::MAX).unwrap_err();
        assert!(matches!(error, RunError::Diverged { .. }), "{error}");
        let said = error.to_string();
        assert!(said.contains("learning.alpha = 100") && said.contains("in game"), "{said}");
        // What is there is from before, and whole.
        for name in names(&place.path().join("checkpoints")) {
            if name.ends_with(".afterstate") {
                model::load(&place.path().join("checkpoints").join(name)).unwrap();
            }
        }
    }
}
