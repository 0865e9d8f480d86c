//! A place for runs, and looking at what they left there.

use super::run;
use afterstate_lab::model;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// A recipe that learns thousands of games in a second.
pub(crate) const SMALL: &str = r#"
game = "2048-3x3"
[network]
patterns = "squares 012 345"
alphabet = 10
[learning]
target = "backward"
step = "coherence"
[run]
games = 2000
threads = 1
[checkpoint]
minutes = 0.0005
"#;

/// A temporary directory with the recipe `small.toml`.
pub(crate) struct Place(tempfile::TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::write(place.path("small.toml"), SMALL).unwrap();
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn name(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().into()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn answer(args: &[&str]) -> Value {
        let output = run(args);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{args:?}: {complaint}");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}: {complaint}"))
    }

    /// Trains the small recipe in the directory `name`.
    pub(crate) fn train_json(&self, name: &str, args: &[&str]) -> Value {
        let (recipe, name) = (self.name("small.toml"), self.name(name));
        Self::answer(&[&["train", &recipe, "--run", &name, "--json"], args].concat())
    }

    /// Goes on with the run in the directory `name`.
    pub(crate) fn resume(&self, name: &str, args: &[&str]) -> Value {
        let name = self.name(name);
        Self::answer(&[&["train", "--resume", "--run", &name, "--json"], args].concat())
    }

    /// Resumes a run and returns what it said.
    pub(crate) fn resume_and_listen(&self, name: &str, args: &[&str]) -> (Option<i32>, String) {
        let name = self.name(name);
        let output = run(&[&["train", "--resume", "--run", &name, "--json"], args].concat());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    fn start(args: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_afterstate"));
        command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Begins to train the small recipe in the directory `name`.
    pub(crate) fn spawn(&self, name: &str, args: &[&str]) -> Child {
        let (recipe, name) = (self.name("small.toml"), self.name(name));
        Self::start(&[&["train", &recipe, "--run", &name, "--json"], args].concat())
    }

    /// Begins to go on with the run in the directory `name`.
    pub(crate) fn spawn_resume(&self, name: &str, args: &[&str]) -> Child {
        let name = self.name(name);
        Self::start(&[&["train", "--resume", "--run", &name, "--json"], args].concat())
    }

    /// Waits until a file exists.
    pub(crate) fn wait_for(&self, name: &str) {
        self.wait(name, || self.path(name).exists());
    }

    /// Waits until something holds, for a minute at most.
    pub(crate) fn wait(&self, what: &str, holds: impl Fn() -> bool) {
        let began = Instant::now();
        while !holds() {
            assert!(began.elapsed() < Duration::from_secs(60), "waited in vain for {what}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// All weights and sums of a model or checkpoint, bit for bit.
    pub(crate) fn weights(&self, name: &str) -> (Vec<u32>, Vec<u64>) {
        let model = model::load(&self.path(name)).unwrap();
        let banks = 0..model.network.structure().banks() as u8;
        let weights = banks.flat_map(|bank| model.network.bank(bank).entries()).map(|w| w.load(Relaxed));
        let sums = model.sums.iter().flat_map(|bank| bank.entries()).map(|sum| sum.load(Relaxed));
        (weights.collect(), sums.collect())
    }

    /// The lines of `train.jsonl` without what depends on the clock.
    pub(crate) fn curve(&self, name: &str) -> Vec<Value> {
        let text = self.read(&format!("{name}/train.jsonl"));
        let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for line in &mut lines {
            line.as_object_mut().unwrap().remove("seconds").unwrap();
        }
        lines
    }

    /// The evaluations by name, without what depends on the clock.
    pub(crate) fn evaluations(&self, name: &str) -> Vec<(String, Value)> {
        let mut all: Vec<(String, Value)> = fs::read_dir(self.path(name).join("eval"))
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| {
                let text = fs::read_to_string(entry.path()).unwrap();
                let mut found: Value = serde_json::from_str(&text).unwrap();
                found.as_object_mut().unwrap().remove("seconds").unwrap();
                let shard = found["shard"].as_object_mut().unwrap();
                assert!(["seconds", "nanoseconds"].iter().all(|key| shard.remove(*key).is_some()));
                (entry.file_name().into_string().unwrap(), found)
            })
            .collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    }
}

/// The checkpoints of a run by their number of games, oldest first; none if there is no run.
pub(crate) fn checkpoints(run: &Path) -> Vec<(u64, PathBuf)> {
    let entries = fs::read_dir(run.join("checkpoints")).into_iter().flatten();
    let mut found: Vec<(u64, PathBuf)> = entries
        .filter_map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name()?.to_str()?.strip_suffix(".afterstate")?.to_string();
            Some((name.parse().ok()?, path))
        })
        .collect();
    found.sort();
    found
}

/// Sends a signal by name: `INT`, `TERM`.
pub(crate) fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(status.unwrap().success());
}
