//! `train`: a recipe becomes a network.

use crate::failure::{complain, usage};
use crate::interrupt::Interrupt;
use crate::terminal::TrainingView;
use crate::{cli, output, wire};
use afterstate::evaluate::Summary;
use afterstate_lab::recipe::{BuiltIn, Recipe};
use afterstate_lab::run::{Finished, Limits, Reporter, Status, train};
use anyhow::Context;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) fn run(args: &cli::Train) -> anyhow::Result<()> {
    let finished = learn(args)?;
    if args.json {
        return output::json(&wire::Training::of(&finished));
    }
    let state = if finished.complete { "finished" } else { "stopped" };
    let mut text = format!(
        "{state} after {} games: {:.0} points on average\nmodel  {}\n",
        finished.games,
        finished.mean,
        finished.model.display()
    );
    if !finished.complete {
        let run = finished.model.parent().unwrap_or(Path::new(".")).display();
        text += &format!("go on  afterstate train --run {run} --resume\n");
    }
    output::text(&text)
}

/// Trains as the command line says.
pub(super) fn learn(args: &cli::Train) -> anyhow::Result<Finished> {
    let (recipe, name) = recipe(args)?;
    // Before anything is created: a recipe that cannot be cooked is a matter of usage.
    recipe.build().map_err(usage)?;
    let place = match &args.run {
        Some(place) => place.clone(),
        None => free_place(&name),
    };
    let command = std::env::args().collect::<Vec<_>>().join(" ");
    let view = TrainingView::new(&name, &place);
    let watcher = Watcher { interrupt: Interrupt::watch()?, view, told: AtomicBool::new(false) };
    let finished = train(&recipe, &place, args.resume, &command, Limits { time: args.time }, &watcher);
    watcher.view.finish();
    Ok(finished?)
}

/// The recipe to cook, with everything the command line changes, and its name.
fn recipe(args: &cli::Train) -> anyhow::Result<(Recipe, String)> {
    let mut sets = args.set.clone();
    sets.extend(args.games.map(|games| format!("run.games={games}")));
    sets.extend(args.threads.map(|threads| format!("run.threads={threads}")));
    sets.extend(args.seed.map(|seed| format!("run.seed={seed}")));
    if args.seed.is_some_and(|seed| i64::try_from(seed).is_err()) {
        return Err(usage(format!("--seed: a recipe holds seeds up to {}", i64::MAX)));
    }
    let resumed = args.run.as_deref().filter(|_| args.resume && args.recipe.is_none());
    if args.resume && args.run.is_none() {
        return Err(usage("--resume needs the run directory: --run DIR"));
    }
    let (mut recipe, name) = match (resumed, args.recipe.as_deref()) {
        (Some(run), _) => {
            let path = run.join("config.toml");
            let text = fs::read_to_string(&path);
            let text = text.with_context(|| format!("there is no run to resume in {}", run.display()))?;
            let name = run.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if args.scale.is_some() {
                return Err(usage("--scale goes with a recipe; change the games of a run with --games"));
            }
            (Recipe::parse(&path.display().to_string(), &text, &sets).map_err(usage)?, name)
        }
        (None, name) => {
            let name = name.unwrap_or("quick");
            let path = Path::new(name);
            if path.is_file() {
                let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                (Recipe::parse(name, &text, &sets).map_err(usage)?, stem)
            } else {
                (BuiltIn::find(name).and_then(|found| found.recipe(&sets)).map_err(usage)?, name.into())
            }
        }
    };
    if let Some(scale) = args.scale {
        if !(scale > 0.0 && scale <= 1e6) {
            return Err(usage("--scale must be a number above 0"));
        }
        recipe.scale(scale);
        if !sets.iter().any(|set| set.trim_start().starts_with("stages.shift")) {
            recipe.lower_splits(scale);
        }
    }
    Ok((recipe, name))
}

/// `runs/NAME`, or the first `runs/NAME-2`, `-3` … that does not exist.
fn free_place(name: &str) -> PathBuf {
    let first = Path::new("runs").join(name);
    let later = (2..).map(|n| Path::new("runs").join(format!("{name}-{n}")));
    std::iter::once(first).chain(later).find(|place| !place.exists()).expect("numbers do not end")
}

/// Shows a run, and stops it on Ctrl-C.
struct Watcher {
    interrupt: Interrupt,
    view: TrainingView,
    /// Whether the user was told that the run stops.
    told: AtomicBool,
}

impl Reporter for Watcher {
    fn status(&self, status: &Status) {
        self.view.status(status);
    }

    fn evaluated(&self, games: u64, summary: &Summary) {
        self.view.evaluated(games, summary);
    }

    fn note(&self, text: &str) {
        self.view.clear();
        complain(text);
    }

    fn stop(&self) -> bool {
        let asked = self.interrupt.asked();
        if asked && !self.told.swap(true, Ordering::Relaxed) {
            self.note(
                "stopping: the games under way end, then the run is saved (the next signal ends it at once)",
            );
        }
        asked
    }
}
