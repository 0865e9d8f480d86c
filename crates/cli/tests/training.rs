//! `train`: what it prints, what it refuses, what it leaves behind.

mod common;

use common::training::{Place, SMALL, checkpoints};
use common::{json, run, text};
use std::fs;
use std::path::Path;

#[test]
fn it_answers_as_the_contract_says() {
    let place = Place::new();
    let answer = place.train_json("run", &["--games", "300", "--threads", "1", "--seed", "7"]);
    assert_eq!(answer["games"], 300);
    assert_eq!(answer["complete"], true);
    let (moves, seconds) = (answer["moves"].as_f64().unwrap(), answer["seconds"].as_f64().unwrap());
    assert!(moves > 300.0 && seconds > 0.0 && answer["score"]["mean"].as_f64().unwrap() > 20.0, "{answer}");
    let speed = answer["moves_per_second"].as_f64().unwrap();
    assert!((speed - moves / seconds).abs() < 1e-6 * speed, "{answer}");
    let model = answer["model"].as_str().unwrap();
    assert!(Path::new(model).is_absolute());
    let inspected = json(&["inspect", model]);
    assert_eq!((&inspected["trained_games"], &inspected["checksum_ok"]), (&300.into(), &true.into()));
    assert_eq!(inspected["game"], "2048-3x3");
}

#[test]
fn it_ends_with_an_evaluation_and_commands_to_go_on_with() {
    let place = Place::new();
    let (recipe, path) = (place.name("small.toml"), place.name("run"));
    let output = run(&["train", &recipe, "--run", &path, "--games", "1000"]);
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(page.starts_with("finished after 1,000 games, the last of them with "), "{page}");
    let model = format!("{path}/model.afterstate");
    let next = ["watch --model", "serve --model"].map(|words| format!("afterstate {words} {model}\n"));
    assert!(page.contains("\nplays  1-ply ") && page.contains(", 200 games\n"), "{page}");
    assert!(next.iter().all(|line| page.contains(line)), "{page}");
    assert!(page.ends_with(&format!("afterstate report {path}\n")), "{page}");
    text(&["report", &path, "--no-games"]);
    let report = place.read("run/report.md");
    assert!(!report.contains("What is missing"), "{report}");
    // So does a run that its time ends; one that a signal ends is resumed first.
    let timed = place.train_json("timed", &["--games", "1000000000", "--time", "100ms"]);
    assert_eq!((&timed["complete"], &timed["finals"][0]["games"]), (&false.into(), &200.into()), "{timed}");
    let none = place.train_json("none", &["--games", "10", "--set", "final.games=0"]);
    assert!(none["finals"].is_null() && place.evaluations("none").is_empty(), "{none}");
}

#[test]
fn options_change_what_the_recipe_says() {
    let place = Place::new();
    let scaled = place.train_json("scaled", &["--scale", "0.1"]);
    assert_eq!(scaled["games"], 200); // of the recipe's 2,000
    let set =
        place.train_json("set", &["--set", "run.games=150", "--set", "learning.beta=0.5", "--threads", "2"]);
    assert_eq!(set["games"], 150);
    let config = place.read("set/config.toml");
    assert!(config.contains("beta = 0.5") && config.contains("threads = 2"), "{config}");
    let timed = place.train_json("timed", &["--games", "1000000000", "--time", "300ms"]);
    let seconds = timed["seconds"].as_f64().unwrap();
    assert!((0.29..5.0).contains(&seconds) && timed["complete"] == false, "{timed}");
    // The same seed gives the same run, another seed another one.
    let weights = |name: &str, seed: &str| {
        place.train_json(name, &["--games", "100", "--seed", seed]);
        place.weights(&format!("{name}/model.afterstate"))
    };
    let first = weights("a", "5");
    assert!(first == weights("b", "5"));
    assert!(first != weights("c", "6"));
}

#[test]
fn what_cannot_be_done_gets_one_clear_line() {
    let place = Place::new();
    place.train_json("there", &["--games", "10"]);
    fs::write(place.path("text.toml"), "[run\n").unwrap();
    fs::write(place.path("typo.toml"), SMALL.replace("games", "gamess")).unwrap();
    fs::write(place.path("type.toml"), SMALL.replace("2000", "\"many\"")).unwrap();
    fs::write(place.path("range.toml"), SMALL.replace("step =", "lambda = 3\nstep =")).unwrap();
    fs::write(place.path("table.toml"), format!("alpha = 0.1{SMALL}")).unwrap();
    fs::write(place.path("swept.toml"), format!("{SMALL}[sweep]\nlearning.lambda = [1, 7]\n")).unwrap();
    let [range, table, swept] = ["range.toml", "table.toml", "swept.toml"].map(|name| place.name(name));
    fs::write(place.path("bytes.toml"), [0xff, 0xfe, 0]).unwrap();
    fs::write(place.path("boards"), "no position\n").unwrap();
    let (recipe, there) = (place.name("small.toml"), place.name("there"));
    let (text, typo, kind) = (place.name("text.toml"), place.name("typo.toml"), place.name("type.toml"));
    let (bytes, boards) = (place.name("bytes.toml"), format!("learning.boards={}", place.name("boards")));
    let new = place.name("new");
    let cases: &[(&[&str], i32, &str)] = &[
        (&[&text], 2, "text.toml:1:"),
        (&[&typo], 2, "did you mean `games`?"),
        (&[&kind], 2, "type.toml:10: run.games: string \"many\" cannot be; it must be a whole number"),
        (&[&bytes], 1, "cannot read"),
        (&["no-such-recipe"], 2, "`recipes` lists them"),
        (&[&recipe, "--set", "run.gmaes=3"], 2, "did you mean `games`?"),
        (&[&recipe, "--set", "run.games=many"], 2, "it must be a whole number from 0 on"),
        (&[&recipe, "--set", "run.games"], 2, "no '='"),
        (&[&recipe, "--set", "learning.steps=0", "--set", "learning.target=n-step"], 2, "learning.steps"),
        (&[&recipe, "--set", "learning.values=states", "--set", "learning.optimistic=9"], 2, "dead states"),
        (&[&recipe, "--set", "checkpoint.minutes=0"], 2, "checkpoint"),
        (&[&range], 2, "range.toml:8: learning.lambda: must be from 0 to 1"),
        (&[&recipe, "--set", "learning.lambda=2"], 2, "override learning.lambda=2: learning.lambda: must be"),
        (&[&table], 2, "`alpha` does not belong here; it is `learning.alpha`, in the table [learning]"),
        (&[&swept], 2, "swept.toml:15: sweep.learning.lambda: must be from 0 to 1 (in the run lambda=7)"),
        (&[&recipe, "--sweep", "run.seed"], 2, "run.seed=1,2,3"),
        (&[&recipe, "--sweep", "run.sed=1,2"], 2, "did you mean `seed`?"),
        (&[&recipe, "--set", "evaluate.plies=[30]"], 2, "evaluate.plies"),
        (&[&recipe, "--set", "run.logs=[\"xml\"]"], 2, "unknown variant `xml`"),
        (&[&recipe, "--set", "run.threads=100000"], 2, "run.threads"),
        (
            &[&recipe, "--set", "network.patterns=0123456,0123457", "--set", "network.alphabet=20"],
            2,
            "too many",
        ),
        (&[&recipe, "--set", "learning.start=boards", "--set", &boards], 1, "boards:1:"),
        (&[&recipe, "--scale", "0"], 2, "--scale"),
        (&[&recipe, "--scale", "nan"], 2, "--scale"),
        (&[&recipe, "--games", "0"], 2, "--games"),
        (&[&recipe, "--time", "soon"], 2, "--time"),
        (&[&recipe, "--threads", "0"], 2, "--threads"),
        (&[&recipe, "--seed", "18446744073709551615"], 2, "--seed"),
        (&[&recipe, "--resume"], 2, "--run"),
        (&["--resume", "--run", &new], 1, "no run to resume"),
        (&[&recipe, "--resume", "--run", &new], 1, "start it without --resume"),
        (&[&recipe, "--run", &there], 1, "already holds a run"),
        (&["--resume", "--run", &there, "--scale", "2"], 2, "--games"),
        (&["--resume", "--run", &there, "--set", "learning.beta=0.25"], 1, "learning.beta from 1.0 to 0.25"),
        (&["--resume", "--run", &there, "--set", "network.patterns=012"], 1, "network.patterns"),
        (&["--resume", "--run", &there, "--set", "learning.step=fixed"], 1, "learning.step"),
        (&["--resume", "--run", &there, "--seed", "99"], 1, "run.seed from 1 to 99"),
        (&[&recipe, "--run", &recipe], 1, "cannot create"),
    ];
    for (args, status, word) in cases {
        // Whatever is wrong, it is wrong before the directory is made.
        let place: &[&str] =
            if args.iter().any(|arg| ["--run", "--resume"].contains(arg)) { &[] } else { &["--run", &new] };
        let output = run(&[&["train"], *args, place].concat());
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(*status), "{args:?}: {complaint}");
        assert!(complaint.contains(word), "{args:?}: {complaint}");
        assert!(!complaint.contains("defect") && !complaint.contains("panicked"), "{args:?}: {complaint}");
        assert!(*status == 2 || complaint.lines().count() == 1, "{args:?}: {complaint}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    assert!(!place.path("new").exists(), "a run that never began left a directory");
}

#[test]
fn a_directory_in_use_is_left_alone() {
    let place = Place::new();
    let mut child = place.spawn("run", &["--games", "1000000000"]);
    place.wait_for("run/config.toml");
    for args in [
        &["--resume", "--run", &place.name("run")][..],
        &[&place.name("small.toml"), "--run", &place.name("run")],
    ] {
        let output = run(&[&["train"], args].concat());
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{complaint}");
        assert!(complaint.contains("another process is working in"), "{complaint}");
        assert_eq!(complaint.lines().count(), 1);
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_finished_run_says_so_and_can_be_made_longer() {
    let place = Place::new();
    let first = place.train_json("run", &["--games", "2000"]);
    let model = fs::read(place.path("run/model.afterstate")).unwrap();
    let files = || fs::read_dir(place.path("run")).unwrap().count();
    let before = files();
    let output = run(&["train", "--resume", "--run", &place.name("run"), "--json"]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("this run is finished"));
    let again: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(again, first, "a finished run answers as it did");
    assert_eq!(fs::read(place.path("run/model.afterstate")).unwrap(), model);
    assert_eq!(files(), before, "and leaves nothing behind");
    // The model is made again from the checkpoint if it is gone.
    fs::remove_file(place.path("run/model.afterstate")).unwrap();
    place.resume("run", &[]);
    assert_eq!(fs::read(place.path("run/model.afterstate")).unwrap(), model);

    let longer = place.resume("run", &["--games", "3500"]);
    assert_eq!((&longer["games"], &longer["complete"]), (&3500.into(), &true.into()));
    // It stays longer, and is what it would have been in one go.
    assert_eq!(place.resume("run", &[])["games"], 3500);
    let whole = place.train_json("whole", &["--games", "3500"]);
    assert_eq!(whole["score"], longer["score"]);
    assert!(place.weights("run/model.afterstate") == place.weights("whole/model.afterstate"));
    assert_eq!(place.curve("run"), place.curve("whole"));
    assert_eq!(checkpoints(&place.path("run")).last().unwrap().0, 3500);
}
