//! Stages trained one by one, from recipe to model: what is written, what resumes, what stops
//! short.

use afterstate_lab::model;
use afterstate_lab::recipe::{BUILT_IN, Recipe};
use afterstate_lab::run::{Finished, Reporter, RunError, RunOptions, train};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Three stages on a board so small that thousands of games take a moment.
const TINY: &str = r#"
game = "2048-2x3"
[network]
patterns = "0134 012"
alphabet = 9
[stages]
split = "32 64"
procedure = "one-by-one"
boards = 40
[learning]
step = "coherence"
[run]
games = 1500
threads = 1
[evaluate]
every = 700
games = 20
"#;

fn recipe(sets: &[&str]) -> Recipe {
    let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
    Recipe::parse("tiny", TINY, &sets).unwrap()
}

/// Says stop when it has been asked so often, and keeps what it is told.
struct Watcher(AtomicU64, Mutex<Vec<String>>);

impl Watcher {
    fn with_patience(questions: u64) -> Self {
        Self(AtomicU64::new(questions), Mutex::default())
    }
}

impl Reporter for Watcher {
    fn stop(&self) -> bool {
        self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
    }
    fn note(&self, text: &str) {
        self.1.lock().unwrap().push(text.into());
    }
}

fn go(recipe: &Recipe, place: &Path, resume: bool, watcher: &Watcher) -> Result<Finished, RunError> {
    train(recipe, place, RunOptions { resume, ..RunOptions::default() }, watcher)
}

fn to_the_end(recipe: &Recipe, place: &Path) -> (Finished, Vec<String>) {
    let watcher = Watcher::with_patience(u64::MAX);
    let finished = go(recipe, place, false, &watcher).unwrap();
    (finished, watcher.1.into_inner().unwrap())
}

fn lines(place: &Path) -> Vec<Value> {
    let text = fs::read_to_string(place.join("train.jsonl")).unwrap();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines.iter_mut().for_each(|line| drop(line.as_object_mut().unwrap().remove("seconds")));
    lines
}

/// The columns of a file of boards: score, last, stage.
fn boards(place: &Path, stage: u8) -> Vec<[f64; 3]> {
    let text = fs::read_to_string(place.join(format!("boards/stage-{stage}.boards"))).unwrap();
    let fields = |line: &str| {
        let mut numbers = line.split('\t').skip(1).map(|field| field.parse().unwrap());
        std::array::from_fn(|_| numbers.next().unwrap())
    };
    text.lines().filter(|line| !line.starts_with('#')).map(fields).collect()
}

/// All weights, and the boards of all stages: what two equal runs have in common.
fn result(place: &Path) -> (Vec<u32>, Vec<Value>, Vec<String>) {
    let model = model::load(&place.join("model.afterstate")).unwrap();
    let banks = 0..model.network.structure().banks() as u8;
    let weights = banks.flat_map(|bank| model.network.bank(bank).entries()).map(|w| w.load(Relaxed));
    let files = (2..=3).map(|stage| place.join(format!("boards/stage-{stage}.boards")));
    (weights.collect(), lines(place), files.filter_map(|path| fs::read_to_string(path).ok()).collect())
}

#[test]
fn curves_and_normalised_scores_are_those_of_the_paper() {
    let place = tempfile::tempdir().unwrap();
    let (finished, notes) = to_the_end(&recipe(&[]), place.path());
    assert_eq!((finished.games, finished.complete), (4500, true), "training games of three stages");
    assert!(notes.is_empty(), "{notes:?}");
    let lines = lines(place.path());
    let stages: Vec<u64> = lines.iter().map(|line| line["stage"].as_u64().unwrap()).collect();
    assert_eq!(stages, [1, 2, 2, 3, 3], "a window of each stage, and what was collected before it");
    let mut reach = 1.0;
    for (stage, pair) in [(2u8, &lines[1..3]), (3, &lines[3..5])] {
        let [collected, window] = pair else { panic!() };
        let all = boards(place.path(), stage);
        assert_eq!((all.len(), &collected["collected"]), (40, &40.into()));
        let mean = |column: usize| all.iter().map(|row| row[column]).sum::<f64>() / 40.0;
        assert_eq!([&collected["score"], &collected["normalised"]], [mean(0), mean(1)]);
        assert!(all.iter().all(|row| row[1] >= row[0] && row[2] == f64::from(stage)));
        // Whole games: what was scored before the split is in the averages of the stage.
        let least = all.iter().map(|row| row[0]).fold(f64::MAX, f64::min);
        assert!(window["mean"].as_f64().unwrap() > least.max(mean(0)));
        assert_eq!(window["normalised"], collected["normalised"]);
        reach *= collected["share"].as_f64().unwrap();
        assert!((window["reach"].as_f64().unwrap() - reach).abs() < 1e-12 && reach < 1.0);
        let maxima = [&window["comparable_max"], &window["max"]].map(|max| max.as_u64().unwrap());
        assert!(maxima[0] <= maxima[1], "{maxima:?}");
        assert_eq!(window["stage_games"], 1000);
    }
    // Frozen: each stage ends as it was when the next one's boards were collected.
    let mut evaluations: Vec<_> =
        fs::read_dir(place.path().join("eval")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    evaluations.sort();
    assert_eq!(evaluations.len(), 7, "every 700 training games, and the last: {evaluations:?}");
}

/// Stopped at every possible moment: in training, in collections, between stages, in evaluations.
#[test]
fn interrupted_anywhere_a_run_goes_on_bit_for_bit() {
    let carousel = ["stages.procedure=online", "stages.carousel=true", "stages.weights=promoted"];
    let cases: [&[&str]; 4] = [
        &[],
        &["stages.collect=during"],
        &["stages.weights=promoted", "learning.target=truncated"],
        &carousel,
    ];
    for sets in cases {
        let recipe = recipe(
            &[sets, &["run.games=60", "evaluate.every=26", "evaluate.games=1", "checkpoint.minutes=1e-4"]]
                .concat(),
        );
        let whole = tempfile::tempdir().unwrap();
        let (finished, _) = to_the_end(&recipe, whole.path());
        for patience in [20, 61] {
            let cut = tempfile::tempdir().unwrap();
            let mut last = go(&recipe, cut.path(), false, &Watcher::with_patience(patience)).unwrap();
            let mut times = 0;
            while !last.complete {
                last = go(&recipe, cut.path(), true, &Watcher::with_patience(patience + times)).unwrap();
                times += 1;
            }
            assert!(times > 0, "{sets:?} was cut {times} times");
            assert_eq!((last.games, last.moves), (finished.games, finished.moves), "{sets:?} {patience}");
            let (a, b) = (result(cut.path()), result(whole.path()));
            assert_eq!(a.1, b.1, "{sets:?} {patience}");
            assert_eq!(a.2, b.2, "{sets:?} {patience}");
            assert!(a.0 == b.0, "{sets:?} {patience}");
        }
    }
}

/// As if it had been killed after any of its checkpoints, whatever else was written already.
#[test]
fn whatever_came_after_a_checkpoint_is_lost_without_harm() {
    for sets in [&[][..], &["stages.collect=during"]] {
        let often = ["run.games=20", "stages.boards=5", "checkpoint.minutes=1e-7", "checkpoint.keep=9999"];
        let recipe = recipe(&[sets, &often].concat());
        let whole = tempfile::tempdir().unwrap();
        to_the_end(&recipe, whole.path());
        let place = tempfile::tempdir().unwrap();
        to_the_end(&recipe, place.path());
        let checkpoints = || {
            let entries = fs::read_dir(place.path().join("checkpoints")).unwrap();
            let mut all: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
            all.sort();
            all
        };
        let count = checkpoints().len();
        assert!(count > 20, "{count}");
        while checkpoints().len() > 15 {
            let all = checkpoints();
            // A few less each time, so that every phase is the last once.
            all[all.len() - all.len().div_ceil(4)..].iter().for_each(|path| fs::remove_file(path).unwrap());
            let left = checkpoints().len();
            go(&recipe, place.path(), true, &Watcher::with_patience(u64::MAX)).unwrap();
            assert!(result(place.path()) == result(whole.path()), "{sets:?}: {left} of {count}");
            checkpoints().split_off(left).iter().for_each(|path| fs::remove_file(path).unwrap());
        }
    }
}

#[test]
fn a_damaged_file_of_boards_beside_a_checkpoint_is_as_bad_as_a_damaged_checkpoint() {
    let place = tempfile::tempdir().unwrap();
    let recipe = recipe(&["stages.collect=during", "run.games=300", "checkpoint.minutes=1e-5"]);
    go(&recipe, place.path(), false, &Watcher::with_patience(200)).unwrap();
    let mut files: Vec<_> = fs::read_dir(place.path().join("checkpoints"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "boards"))
        .collect();
    files.sort();
    assert_eq!(files.len(), 2, "one for each checkpoint that is kept: {files:?}");
    fs::write(&files[1], "half of it").unwrap();
    let watcher = Watcher::with_patience(u64::MAX);
    go(&recipe, place.path(), true, &watcher).unwrap();
    let notes = watcher.1.into_inner().unwrap();
    assert!(
        notes[0].contains(".boards is damaged") && notes[0].contains("going on from the older"),
        "{notes:?}"
    );
    let whole = tempfile::tempdir().unwrap();
    to_the_end(&recipe, whole.path());
    assert!(result(place.path()) == result(whole.path()));
}

#[test]
fn a_collection_that_stops_short_says_so_and_the_run_goes_on() {
    let place = tempfile::tempdir().unwrap();
    let (finished, notes) = to_the_end(&recipe(&["stages.limit=30", "run.games=400"]), place.path());
    assert!(finished.complete && finished.games == 1200);
    assert!(notes[0].starts_with("the collection stopped short with ") && notes[0].contains("in 30 games"));
    assert!(notes[0].contains("stages.limit"), "{notes:?}");
    assert!(boards(place.path(), 2).len() <= 30);
}

#[test]
fn where_no_game_comes_the_later_stages_play_like_the_one_before() {
    let place = tempfile::tempdir().unwrap();
    let recipe = recipe(&["stages.split=32 1024", "run.games=200", "stages.limit=50"]);
    let (finished, notes) = to_the_end(&recipe, place.path());
    assert_eq!((finished.complete, finished.games), (true, 400));
    let note = notes.last().unwrap();
    assert!(note.contains("0 of 40 boards of stage 3 (from 1024)"), "{note}");
    assert!(note.contains("stages.shift=-1") && note.contains("the weights of stage 2"), "{note}");
    let model = model::load(&finished.model).unwrap();
    let bits =
        |bank| -> Vec<u32> { model.network.bank(bank).entries().iter().map(|w| w.load(Relaxed)).collect() };
    assert!(bits(1) == bits(2) && bits(0) != bits(1));
    // It is finished, and says so.
    let watcher = Watcher::with_patience(u64::MAX);
    assert_eq!(go(&recipe, place.path(), true, &watcher).unwrap().moves, finished.moves);
    assert!(watcher.1.into_inner().unwrap()[0].contains("this run is finished"));
}

#[test]
fn a_stage_ends_when_it_is_saturated() {
    let place = tempfile::tempdir().unwrap();
    let sets = ["stages.until=saturated", "learning.saturation=2", "run.games=100000", "evaluate.every=0"];
    let (finished, notes) = to_the_end(&recipe(&[&sets[..], &["learning.decay=0.1"]].concat()), place.path());
    assert!(finished.complete && finished.games < 150_000, "{}", finished.games);
    assert_eq!(notes.iter().filter(|note| note.contains("saturated after")).count(), 3, "{notes:?}");
    let factors: Vec<f64> = lines(place.path()).iter().filter_map(|line| line["factor"].as_f64()).collect();
    let starts = factors.windows(2).filter(|pair| pair[0] < pair[1]).count();
    assert_eq!(starts, 2, "every stage begins with whole steps: {factors:?}");
}

/// The last stage can be made longer.
#[test]
fn more_games_go_to_the_stage_under_way() {
    let place = tempfile::tempdir().unwrap();
    to_the_end(&recipe(&["run.games=300"]), place.path());
    let longer = recipe(&["run.games=500"]);
    let finished = go(&longer, place.path(), true, &Watcher::with_patience(u64::MAX)).unwrap();
    assert_eq!((finished.games, finished.complete), (1100, true));
}

#[test]
fn collected_boards_can_start_games_of_other_recipes() {
    let place = tempfile::tempdir().unwrap();
    to_the_end(&recipe(&["run.games=300"]), place.path());
    let file = place.path().join("boards/stage-3.boards");
    let sets = [
        "stages.procedure=online".to_string(),
        "learning.start=boards".into(),
        format!("learning.boards={}", file.display()),
        "run.games=50".into(),
    ];
    let recipe = Recipe::parse("tiny", TINY, &sets).unwrap();
    let other = tempfile::tempdir().unwrap();
    let (finished, _) = to_the_end(&recipe, other.path());
    let touched = |bank| {
        let model = model::load(&finished.model).unwrap();
        model.network.bank(bank).entries().iter().any(|w| w.load(Relaxed) != 0)
    };
    assert!(!touched(0) && !touched(1) && touched(2), "they are boards of the third stage");
}

/// Every recipe of the papers with stages, and its companions, in miniature: from start to finished
/// model.
#[test]
fn every_staged_recipe_runs_to_its_end_in_miniature() {
    let papers = BUILT_IN.iter().filter(|recipe| {
        ["wu2014", "yeh2016", "jaskowski2016"].iter().any(|paper| recipe.name.starts_with(paper))
    });
    let mut count = 0;
    for built_in in papers {
        count += 1;
        let threes = built_in.name.contains("threes");
        let shift = if threes { -7 } else { -9 };
        let sets = [
            "network.patterns=0123 0145".to_string(),
            format!("stages.shift={shift}"),
            "run.threads=1".into(),
            "evaluate.games=2".into(),
        ];
        let sets = if built_in.text.contains("[stages]") {
            &sets[..]
        } else {
            &[&sets[..1], &sets[2..]].concat()[..]
        };
        let mut recipe = built_in.recipe(sets).unwrap();
        recipe.scale(24.0 / recipe.run.games as f64);
        let stages =
            if recipe.is_one_by_one() { recipe.build().unwrap().structure.stages.count() as u64 } else { 1 };
        recipe.stages.boards = 5;
        let place = tempfile::tempdir().unwrap();
        let (finished, notes) = to_the_end(&recipe, place.path());
        let lowered = |note: &String| note.starts_with("stages begin at ");
        assert!(finished.complete && notes.iter().all(lowered), "{}: {notes:?}", built_in.name);
        assert_eq!(finished.games, 24 * stages, "{}", built_in.name);
        let model = model::load(&finished.model).unwrap();
        for bank in 0..stages as u8 {
            let touched = model.network.bank(bank).entries().iter().any(|w| w.load(Relaxed) != 0);
            assert!(touched, "{}: stage {} learned nothing", built_in.name, bank + 1);
        }
    }
    assert_eq!(count, 17);
}
