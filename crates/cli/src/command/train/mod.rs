//! `train`: a recipe becomes a network.

mod set;

use crate::command::Remedies;
use crate::failure::{complain, usage};
use crate::interrupt::Interrupt;
use crate::terminal::{TrainingView, grouped};
use crate::{cli, output, wire};
use afterstate::evaluate::Summary;
use afterstate_lab::recipe::{BuiltIn, Point, Recipe};
use afterstate_lab::run::{Finished, Reporter, RunError, RunOptions, Status, train};
use afterstate_lab::sweep;
use anyhow::Context;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &cli::Train) -> anyhow::Result<()> {
    let order = Order::of(args)?;
    if args.dry_run {
        return set::dry_run(&order, args.json);
    }
    if !order.recipe.sweep.is_empty() {
        return set::run(&order, args);
    }
    let finished = order.train(args)?;
    if args.json {
        return output::json(&wire::Training::of(&finished));
    }
    output::text(&page(&finished))
}

/// The end of a run: what was learned, and three commands to go on with.
fn page(finished: &Finished) -> String {
    let state = if finished.complete { "finished" } else { "stopped" };
    let (games, mean) = (grouped(finished.games as f64, 0), grouped(finished.mean, 0));
    let mut text = format!("{state} after {games} games, the last of them with {mean} points on average\n");
    for score in &finished.finals {
        text += &format!("plays  {}, {} games\n", set::played(score), grouped(score.games as f64, 0));
    }
    let model = below_here(&finished.model);
    let run = model.parent().unwrap_or(Path::new(".")).display();
    let model = model.display();
    text += &format!("model  {model}\n\nnext   ");
    if !finished.complete {
        text += &format!("afterstate train --run {run} --resume\n       ");
    }
    text += &format!("afterstate watch --model {model}\n       ");
    if finished.complete {
        text += &format!("afterstate serve --model {model}\n       ");
    }
    text + &format!("afterstate report {run}\n")
}

/// A path as short as it can be typed here.
pub(super) fn below_here(path: &Path) -> &Path {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path)
}

/// A failure of a run, with the options of `train` that mend it.
fn failed(error: RunError) -> anyhow::Error {
    Remedies { directory: "--run", resume: "go on with --resume" }.add_to(error)
}

/// Trains as the command line says.
pub(super) fn learn(args: &cli::Train) -> anyhow::Result<Finished> {
    Order::of(args)?.train(args)
}

/// A training order: checked, and nothing created yet.
pub(super) struct Order {
    pub(super) recipe: Recipe,
    /// Every run of it.
    pub(super) points: Vec<Point>,
    pub(super) name: String,
    pub(super) place: PathBuf,
}

impl Order {
    fn of(args: &cli::Train) -> anyhow::Result<Self> {
        let (recipe, points, name) = recipe(args)?;
        let place = args.run.clone().unwrap_or_else(|| free_place(&name));
        Ok(Self { recipe, points, name, place })
    }

    /// Trains one run.
    fn train(&self, args: &cli::Train) -> anyhow::Result<Finished> {
        let watcher = Watcher::new(&self.name, &self.place)?;
        let options = RunOptions { resume: args.resume, command: &command_line(), time: args.time };
        let finished = train(&self.recipe, &self.place, options, &watcher);
        watcher.view.finish();
        finished.map_err(failed)
    }
}

/// The command as it was typed.
pub(super) fn command_line() -> String {
    typed(std::env::args())
}

/// The recipe to cook, with everything the command line changes, its runs, and its name.
fn recipe(args: &cli::Train) -> anyhow::Result<(Recipe, Vec<Point>, String)> {
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
    let (source, text, name) = match (resumed, args.recipe.as_deref()) {
        (Some(run), _) => {
            let path = if sweep::is_set(run) { run.join(sweep::RECIPE) } else { run.join("config.toml") };
            let text = fs::read_to_string(&path);
            let text = text.with_context(|| format!("there is no run to resume in {}", run.display()))?;
            let name = run.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if args.scale.is_some() {
                return Err(usage("--scale goes with a recipe; change the games of a run with --games"));
            }
            (path.display().to_string(), text, name)
        }
        (None, name) => {
            let name = name.unwrap_or("quick");
            let path = Path::new(name);
            if path.is_file() {
                let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                (name.into(), text, stem)
            } else {
                let text = BuiltIn::find(name).map_err(usage)?.text.to_string();
                (name.into(), text, name.into())
            }
        }
    };
    let mut recipe = Recipe::parse(&source, &text, &sets).map_err(usage)?;
    for axis in &args.sweep {
        recipe.sweep.add(axis).map_err(usage)?;
    }
    if let Some(scale) = args.scale {
        if !(scale > 0.0 && scale <= 1e6) {
            return Err(usage("--scale must be a number above 0"));
        }
        recipe.scale(scale);
        if !sets.iter().any(|set| set.trim_start().starts_with("stages.shift")) {
            recipe.lower_splits(scale);
        }
    }
    // Before anything is created: a recipe that cannot be built is a matter of usage.
    let points = recipe.points().map_err(|error| usage(error.located(&source, &text, &sets)))?;
    Ok((recipe, points, name))
}

/// A command line as it is typed: the program by its name, quotes around whatever a shell would
/// change.
fn typed(mut args: impl Iterator<Item = String>) -> String {
    let program = args.next().unwrap_or_default();
    let name = Path::new(&program).file_name().map_or("afterstate".into(), |name| name.to_string_lossy());
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,:/+@%".contains(c);
    let quoted = args.map(|word| match !word.is_empty() && word.chars().all(plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', "'\\''")),
    });
    std::iter::once(name.into_owned()).chain(quoted).collect::<Vec<_>>().join(" ")
}

/// `runs/NAME`, or the first `runs/NAME-2`, `-3` … that does not exist.
fn free_place(name: &str) -> PathBuf {
    let first = Path::new("runs").join(name);
    let later = (2..).map(|n| Path::new("runs").join(format!("{name}-{n}")));
    std::iter::once(first).chain(later).find(|place| !place.exists()).expect("numbers do not end")
}

/// Shows a run, and stops it on Ctrl-C.
pub(super) struct Watcher {
    interrupt: Interrupt,
    pub(super) view: TrainingView,
}

impl Watcher {
    pub(super) fn new(name: &str, place: &Path) -> anyhow::Result<Self> {
        let view = TrainingView::new(name, place);
        Ok(Self { interrupt: Interrupt::watch_with_hangup()?, view })
    }
}

impl Reporter for Watcher {
    fn status(&self, status: &Status) {
        self.view.status(status);
    }

    fn evaluated(&self, ply: u8, games: u64, summary: &Summary) {
        self.view.evaluated(ply, games, summary);
    }

    fn note(&self, text: &str) {
        self.view.beside(|| complain(text));
    }

    fn already_finished(&self, games: u64) {
        self.note(&format!(
            "this run is finished, all {} games were played; more are played with --games",
            grouped(games as f64, 0)
        ));
    }

    fn stop(&self) -> bool {
        self.interrupt.stops(|text| self.note(text))
    }
}

#[cfg(test)]
mod tests {
    use super::typed;

    #[test]
    fn a_command_can_be_typed_again() {
        let words = ["target/release/afterstate", "train", "--set", "network.patterns=0123 4567", "it's", ""];
        let line = typed(words.into_iter().map(String::from));
        assert_eq!(line, r"afterstate train --set 'network.patterns=0123 4567' 'it'\''s' ''");
    }
}
