//! Running the command and looking at what it says.

#[allow(dead_code)]
pub(crate) mod training;

use assert_cmd::Command;
use serde_json::Value;
use std::process::Output;

/// A temporary directory.
#[allow(dead_code)]
pub(crate) struct Files(tempfile::TempDir);

#[allow(dead_code)]
impl Files {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// The path of a file in it, as it is typed.
    pub(crate) fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// A small model in it, see [`trained`].
    pub(crate) fn model(&self, name: &str, game: &str, patterns: &str, games: u64, recipe: &str) -> String {
        trained(self.0.path().join(name).as_path(), game, patterns, games, recipe);
        self.file(name)
    }
}

/// Runs `afterstate` with these arguments.
pub(crate) fn run(args: &[&str]) -> Output {
    Command::cargo_bin("afterstate")
        .expect("the command is built")
        .env("RUST_BACKTRACE", "1")
        .args(args)
        .output()
        .expect("the command runs")
}

/// Runs it, expects success and nothing on standard error, and returns what it printed.
#[allow(dead_code)]
pub(crate) fn text(args: &[&str]) -> String {
    let output = run(args);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaint.is_empty(), "{args:?}: {complaint}");
    String::from_utf8(output.stdout).expect("text")
}

/// Runs a command with `--json`.
#[allow(dead_code)]
pub(crate) fn json(args: &[&str]) -> Value {
    let text = text(&[args, &["--json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?} printed no JSON object: {error}"))
}

/// Trains a small network for a moment and saves it; `recipe` goes into its metadata.
#[allow(dead_code)]
pub(crate) fn trained(path: &std::path::Path, game: &str, patterns: &str, games: u64, recipe: &str) {
    use afterstate::game::catalogue::GameSpec;
    use afterstate::learn::Learner;
    use afterstate::learn::greedy::ValueKind;
    use afterstate::learn::step_size::{StepRule, StepSize};
    use afterstate::network::{Network, Structure};
    use afterstate::train::{Method, Trainer};
    use afterstate_lab::model::{self, Format, Model};
    let spec = GameSpec::parse(game).unwrap();
    let value_kind = match recipe {
        _ if recipe.contains("values = \"actions\"") => ValueKind::Actions,
        _ if recipe.contains("values = \"states\"") => ValueKind::States,
        _ => ValueKind::Afterstates,
    };
    let mut structure = Structure::tuples(spec.shape, patterns, 16).unwrap();
    structure.sets = value_kind.sets();
    let network = Network::new(structure);
    let step_size = StepSize::new(StepRule::Coherence { beta: 1.0, kept: 1.0 }, &network);
    let learner = Learner { network, step_size };
    afterstate::with_game!(&spec.build().unwrap(), game => {
        let method = Method { value_kind, ..Method::default() };
        Trainer::new(game.clone(), method, 1, 1).round(&learner, games, &());
    });
    let metadata = [("game", game), ("recipe", recipe)];
    let metadata = metadata.into_iter().filter(|(_, value)| !value.is_empty());
    let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    let model = Model { network: learner.network, metadata, sums: Vec::new(), visits: Vec::new() };
    model::save(path, &model, Format::Ours).unwrap();
}

/// Runs it with this standard input; gives status, output and complaint.
#[allow(dead_code)]
pub(crate) fn fed(args: &[&str], input: &[u8]) -> (Option<i32>, String, String) {
    let output = Command::cargo_bin("afterstate")
        .expect("the command is built")
        .env("RUST_BACKTRACE", "1")
        .args(args)
        .write_stdin(input)
        .timeout(std::time::Duration::from_secs(120))
        .output()
        .expect("the command runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}
