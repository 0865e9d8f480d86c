//! `site`: the page without a server.

mod common;

use common::{Files, run, text};
use std::path::{Path, PathBuf};

/// Something that begins like an engine: the files beside it are what is looked at here.
fn engine(files: &Files) -> String {
    std::fs::write(files.file("engine.wasm"), b"\0asm and so on").unwrap();
    files.file("engine.wasm")
}

fn all(place: &Path) -> Vec<PathBuf> {
    let below = |path: PathBuf| if path.is_dir() { all(&path) } else { vec![path] };
    std::fs::read_dir(place).unwrap().flatten().flat_map(|entry| below(entry.path())).collect()
}

#[test]
fn a_directory_holds_all_that_its_service_worker_keeps() {
    let files = Files::new();
    let (out, engine) = (files.file("site"), engine(&files));
    let said = text(&["site", "--out", &out, "--engine", &engine, "--model", "builtin:2048-6x6", "--json"]);
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    let there = all(Path::new(&out));
    let bytes: u64 = there.iter().map(|path| path.metadata().unwrap().len()).sum();
    assert_eq!(said["files"].as_object().unwrap().len(), there.len());
    assert_eq!(said["bytes"].as_u64(), Some(bytes));
    assert!(said["models"]["2048-6x6"].as_u64() > Some(900_000), "{said}");
    let worker = std::fs::read_to_string(Path::new(&out).join("sw.js")).unwrap();
    for path in &there {
        let name = path.strip_prefix(&out).unwrap().display().to_string();
        assert!(name == "sw.js" || worker.contains(&format!("'{name}'")), "{name} is not kept");
    }
    // The same again, over what is there.
    text(&["site", "--out", &out, "--engine", &engine, "--model", "builtin:2048-6x6"]);
    assert_eq!(all(Path::new(&out)).len(), there.len());
}

#[test]
fn a_model_that_is_too_large_is_packed() {
    let files = Files::new();
    let (out, engine) = (files.file("site"), engine(&files));
    let site = ["site", "--out", &out, "--engine", &engine, "--model", "builtin:2048-6x6", "--pack", "0.5"];
    let output = run(&site);
    assert!(output.status.success() && String::from_utf8_lossy(&output.stderr).contains("packing"));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("small-2048-6x6"), "{said}");
    let packed = Path::new(&out).join("engine/small-2048-6x6.afterstate");
    let bytes = packed.metadata().unwrap().len();
    assert!(bytes <= 512 << 10 && bytes > 400 << 10, "{bytes}");
    let model = packed.display().to_string();
    text(&["evaluate", "--model", &model, "--games", "1", "--threads", "1"]);
}

#[test]
fn models_of_one_name_are_refused() {
    let files = Files::new();
    let (out, engine) = (files.file("site"), engine(&files));
    let twice = ["--model", "builtin:2048-6x6", "--model", "builtin:2048-6x6"];
    let output = run(&[&["site", "--out", &out, "--engine", &engine][..], &twice].concat());
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("two models are called 2048-6x6"), "{said}");
    assert!(!Path::new(&out).exists(), "nothing was written");
}
