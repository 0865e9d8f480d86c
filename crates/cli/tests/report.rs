//! `report`: from runs and results to pages and pictures, and what happens where that cannot be.

mod common;

use common::{json, run, text};
use std::fs;
use std::path::Path;

/// A small run with one evaluation; its directory.
fn trained(place: &Path, seed: &str) -> String {
    let recipe = place.join("recipe.toml");
    let text_of = "game = \"2048-3x3\"\n[network]\npatterns = \"012\"\n[run]\ngames = 3000\nthreads = 1\n[evaluate]\nevery = 1500\ngames = 40\n";
    fs::write(&recipe, text_of).unwrap();
    let path = place.join(format!("run-{seed}")).to_str().unwrap().to_owned();
    let output = run(&["train", recipe.to_str().unwrap(), "--seed", seed, "--run", &path, "--json"]);
    assert!(output.status.success());
    path
}

#[test]
fn runs_become_pages_and_pictures() {
    let place = tempfile::tempdir().unwrap();
    let runs = [trained(place.path(), "1"), trained(place.path(), "2")];
    let out = place.path().join("out");
    let answer =
        json(&["report", &runs[0], &runs[1], "--out", out.to_str().unwrap(), "--title", "Two <seeds>"]);
    assert_eq!(answer["title"], "Two <seeds>");
    let html = fs::read_to_string(answer["html"].as_str().unwrap()).unwrap();
    assert!(html.contains("<h1>Two &lt;seeds&gt;</h1>") && html.contains("n = 2 seeds each"));
    // Games are played again from their seeds, and end as they did.
    assert!(html.contains("the best game of 40") && !html.contains("not shown"), "games");
    let markdown = fs::read_to_string(answer["markdown"].as_str().unwrap()).unwrap();
    for figure in answer["figures"].as_array().unwrap() {
        let path = Path::new(figure.as_str().unwrap());
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(
            path.exists() && (name.ends_with(".png") || markdown.contains(&format!("figures/{name}"))),
            "{name}"
        );
    }
    for name in ["learning", "maximum", "evaluations", "tiles", "scores"] {
        assert!(out.join(format!("figures/{name}.png")).exists(), "{name}");
    }
    let page = text(&["report", &runs[0], "--no-games"]);
    assert!(page.contains("report.html") && Path::new(&runs[0]).join("report.html").exists());
}

#[test]
fn parts_of_an_evaluation_are_one() {
    let place = tempfile::tempdir().unwrap();
    let mut args = vec!["report".to_string()];
    for part in ["1/2", "2/2"] {
        let answer = text(&["evaluate", "--player", "random", "--games", "30", "--shard", part, "--json"]);
        let path = place.path().join(format!("part-{}.json", &part[..1]));
        fs::write(&path, answer).unwrap();
        args.push(path.to_str().unwrap().into());
    }
    args.extend(["--out".into(), place.path().join("out").to_str().unwrap().into()]);
    text(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let markdown = fs::read_to_string(place.path().join("out/report.md")).unwrap();
    assert!(
        markdown.contains("One evaluation of 2048-4x4-v1") && markdown.contains("(30 games)"),
        "{markdown}"
    );
}

#[test]
fn what_cannot_be_is_one_clear_line() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("file"), "mine").unwrap();
    let games = path("games.jsonl");
    text(&["evaluate", "--player", "random", "--games", "3", "--save", &games, "--json"]);
    let cases: [(&[&str], i32, &str); 6] = [
        (&["report"], 2, "<RUN>"),
        (&["report", &games], 2, "--out"),
        (&["report", &path("none"), "--out", &path("out")], 1, "cannot read"),
        (&["report", &path("."), "--out", &path("out")], 1, "is no run"),
        (&["report", &path("file"), "--out", &path("out")], 1, "holds no results"),
        (&["report", &games, "--out", &path("file")], 1, "--out"),
    ];
    for (args, status, word) in cases {
        let output = run(args);
        let line = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{args:?}: {line}");
        assert!(line.contains(word) && !line.contains("panicked"), "{args:?}: {line}");
        assert!(output.stdout.is_empty());
    }
    assert!(!Path::new(&path("out")).exists(), "nothing was begun");
    assert_eq!(fs::read_to_string(path("file")).unwrap(), "mine");
}
