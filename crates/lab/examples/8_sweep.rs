//! An experiment: a recipe with two lists becomes a set of runs, and two of its settings are
//! compared.
//!
//! `cargo run --release --example 8_sweep -p afterstate-lab` (about half a minute; writes below the
//! temporary directory)

#![allow(clippy::print_stdout, missing_docs)]

use afterstate_lab::compare::{Comparison, Side, find};
use afterstate_lab::recipe::Recipe;
use afterstate_lab::run::{Reporter, RunOptions};
use afterstate_lab::sweep::{run_directory, train_set};

const RECIPE: &str = r#"
about = "Which step size for 3x3? Two seeds each, because one run is no answer"
game = "2048-3x3"
[network]
patterns = "squares 012 345"
alphabet = 10
[run]
games = 10000
threads = 1
[final]
games = 500
[sweep]
learning.alpha = [0.0025, 0.025]
run.seed = [1, 2]
"#;

/// Prints what a person should know; `status` and `stop` would follow and end a run.
struct Notes;

impl Reporter for Notes {
    fn note(&self, text: &str) {
        println!("{text}");
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let place = std::env::temp_dir().join("afterstate-8-sweep");
    let recipe = Recipe::parse("8_sweep", RECIPE, &[])?;
    // Stopped anywhere and started again, this goes on where it was.
    let resume = place.join("sweep.toml").exists();
    let options = RunOptions { resume, command: "8_sweep", time: None };
    let set = train_set(&recipe, &place, options, &Notes)?;
    for run in &set.runs {
        let Some(finished) = &run.finished else { continue };
        let score = &finished.finals[0].score;
        let margin = score.ci95.map_or(0.0, |ci| ci[1] - score.mean);
        println!("{:<22} {:>6.0} ± {margin:.0}", run.name, score.mean);
    }

    // Two models by the games they played at the end. Two methods would be compared over many
    // seeds.
    let stored = |name: &str| {
        let run = run_directory(&place, name).display().to_string();
        match find(&run, Some(1)) {
            Ok(Side::Stored(sample)) => Ok(*sample),
            Ok(_) => Err("these are stored games".to_string()),
            Err(error) => Err(error.to_string()),
        }
    };
    let (small, large) = (stored("alpha=0.0025,seed=1")?, stored("alpha=0.025,seed=1")?);
    let comparison = Comparison::of(&small, &large)?;
    let ci = comparison.score.ci95();
    println!(
        "0.025 − 0.0025: {:+.0} points, 95 % interval {:+.0} to {:+.0}",
        comparison.score.mean, ci.low, ci.high
    );
    println!("stronger: {:?}; the set lies in {}", comparison.verdict(), place.display());
    Ok(())
}
