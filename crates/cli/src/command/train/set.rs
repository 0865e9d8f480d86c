//! `train` with a sweep: a set of runs; and `--dry-run`, which only says what would be trained.

use super::{Order, Watcher, command_line};
use crate::terminal::{Table, grouped};
use crate::{cli, output, wire};
use afterstate_lab::recipe::Point;
use afterstate_lab::run::{FinalScore, RunOptions, space};
use afterstate_lab::sweep::{SetResult, train_set};
use std::fmt::Write;

pub(super) fn run(order: &Order, args: &cli::Train) -> anyhow::Result<()> {
    let watcher = Watcher::new(&order.name, &order.place)?;
    let options = RunOptions { resume: args.resume, command: &command_line(), time: args.time };
    let trained = train_set(&order.recipe, &order.place, options, &watcher);
    watcher.view.finish();
    let set = trained.map_err(super::failed)?;
    if args.json { output::json(&answer(&set)) } else { output::text(&page(&set)) }
}

fn answer(set: &SetResult) -> wire::TrainingSet {
    let sum = |of: &dyn Fn(&afterstate_lab::run::Finished) -> f64| {
        set.runs.iter().filter_map(|run| run.finished.as_ref()).map(of).sum::<f64>()
    };
    let run = |run: &afterstate_lab::sweep::PointResult| {
        let mut result = run.finished.as_ref().map(wire::Training::of);
        wire::TrainingPoint {
            name: run.name.clone(),
            settings: run.settings.iter().cloned().collect(),
            finals: result.as_mut().map_or(Vec::new(), |result| std::mem::take(&mut result.finals)),
            result,
        }
    };
    wire::TrainingSet {
        games: sum(&|run| run.games as f64) as u64,
        moves: sum(&|run| run.moves as f64) as u64,
        seconds: sum(&|run| run.seconds),
        complete: set.is_complete(),
        set: std::path::absolute(&set.place).unwrap_or_else(|_| set.place.clone()).display().to_string(),
        runs: set.runs.iter().map(run).collect(),
    }
}

fn page(set: &SetResult) -> String {
    let mut table = Table::new(["run", "games", "average", "seconds", "final play, 95 %", ""]);
    for run in &set.runs {
        let number = |value: f64| grouped(value, 0);
        table.row(match &run.finished {
            Some(ended) => [
                run.name.clone(),
                number(ended.games as f64),
                number(ended.mean),
                format!("{:.1}", ended.seconds),
                ended.finals.iter().map(played).collect::<Vec<_>>().join(", "),
                if ended.complete { "finished".into() } else { "stopped".into() },
            ],
            None => [run.name.clone(), "0".into(), "–".into(), "–".into(), String::new(), "to do".into()],
        });
    }
    let place = set.place.display();
    let next = if set.is_complete() {
        format!("report  afterstate report {place}\n")
    } else {
        format!("go on  afterstate train --run {place} --resume\n")
    };
    format!("{}\nset    {place}\n{next}", table.render())
}

/// `1-ply 12,345 ± 678`.
pub(super) fn played(score: &FinalScore) -> String {
    let mean = score.score.mean;
    let margin = score.score.ci95.map_or(String::new(), |ci| format!(" ± {}", grouped(ci[1] - mean, 0)));
    format!("{}-ply {}{margin}", score.ply, grouped(mean, 0))
}

/// Says what would be trained.
pub(super) fn dry_run(order: &Order, json: bool) -> anyhow::Result<()> {
    let runs: Vec<wire::PlannedRun> = order.points.iter().map(planned).collect();
    let plan = wire::TrainingPlan {
        place: order.place.display().to_string(),
        games: runs.iter().map(|run| run.games).sum(),
        runs,
        free_bytes: space::free_bytes(&order.place),
    };
    if json {
        return output::json(&plan);
    }
    let several = !order.recipe.sweep.is_empty();
    let mut text = match several {
        true => format!(
            "{} runs, {} games in all, in {}\n\n",
            plan.runs.len(),
            grouped(plan.games as f64, 0),
            plan.place
        ),
        false => format!("one run in {}\n\n", plan.place),
    };
    let mut table = Table::new(["run", "games", "weights", "memory", "disk, at most"]);
    for run in &plan.runs {
        table.row([
            if several { run.name.clone() } else { order.name.clone() },
            grouped(run.games as f64, 0),
            grouped(run.weights as f64, 0),
            space::size(run.memory_bytes),
            space::size(run.disk_bytes),
        ]);
    }
    text += &table.render();
    if let Some(free) = plan.free_bytes {
        let all = plan.runs.iter().map(|run| run.disk_bytes).sum::<u64>();
        let _ = writeln!(text, "\ndisk  up to {} in all, {} are free", space::size(all), space::size(free));
    }
    text += "nothing was started; leave out --dry-run to begin\n";
    output::text(&text)
}

fn planned(point: &Point) -> wire::PlannedRun {
    let built = point.recipe.build().expect("it was checked");
    let weights = built.structure.weights() as u64;
    let stages = if point.recipe.is_one_by_one() { built.structure.stages.count() as u8 } else { 1 };
    wire::PlannedRun {
        name: point.name.clone(),
        settings: point.settings.iter().cloned().collect(),
        games: (0..stages).map(|stage| point.recipe.stage_games(stage)).sum(),
        weights,
        memory_bytes: built.structure.places() as u64 * point.recipe.learning.step.bytes(),
        disk_bytes: space::most_bytes(&point.recipe, &built),
    }
}
