//! Words and tables of a report.

use super::super::text::number;
use super::super::{Block, Cell, Document, Settings, Table};
use super::evaluation::Evaluation;
use super::group::{Group, mean95};
use super::source::ReportedRun;
use afterstate::statistics::Proportion;
use std::collections::BTreeSet;

/// The most columns of tiles in a table.
const TILES: usize = 5;

/// The last evaluation of a run at this depth.
fn last_of(run: &ReportedRun, ply: Option<u8>) -> Option<&Evaluation> {
    let mine = || run.evaluations.iter().filter(|found| found.ply == ply);
    mine().rfind(|found| found.last).or_else(|| mine().next_back())
}

impl Group {
    /// The depths it was evaluated at.
    pub(super) fn plies(&self) -> Vec<Option<u8>> {
        let all: BTreeSet<Option<u8>> =
            self.runs.iter().flat_map(|run| run.evaluations.iter().map(|found| found.ply)).collect();
        all.into_iter().collect()
    }

    /// The last evaluations of its runs at a depth.
    pub(super) fn last(&self, ply: Option<u8>) -> Vec<&Evaluation> {
        self.runs.iter().filter_map(|run| last_of(run, ply)).collect()
    }

    /// Its name, with the depth if there are several.
    pub(super) fn name_at(&self, ply: Option<u8>) -> String {
        match ply {
            Some(ply) if self.plies().len() > 1 => format!("{}, {ply}-ply", self.name),
            _ => self.name.clone(),
        }
    }

    /// The last log lines of its runs.
    fn last_lines(&self) -> Vec<&super::log::LogRow> {
        self.runs.iter().filter_map(|run| run.lines.last()).collect()
    }

    /// Moves per second of training: of each run, and its mean.
    pub(super) fn speed(&self) -> Option<(f64, Option<[f64; 2]>)> {
        let speeds: Vec<f64> = self
            .last_lines()
            .iter()
            .filter(|line| line.seconds > 0.0)
            .map(|line| line.moves as f64 / line.seconds)
            .collect();
        (!speeds.is_empty()).then(|| mean_of(&speeds))
    }
}

/// The mean over seeds with its interval.
pub(super) fn mean_of(values: &[f64]) -> (f64, Option<[f64; 2]>) {
    let (mean, interval) = mean95(values.iter().copied());
    (mean, interval.map(|interval| [interval.low, interval.high]))
}

/// The score of evaluations: of one with the interval over its games, of several over seeds.
pub(super) fn score_of(found: &[&Evaluation]) -> Option<(f64, Option<[f64; 2]>)> {
    match found {
        [] => None,
        [one] => Some((one.mean, one.ci95)),
        many => Some(mean_of(&many.iter().map(|one| one.mean).collect::<Vec<_>>())),
    }
}

/// The share of games that made a tile, in the same way.
pub(super) fn share_of(found: &[&Evaluation], tile: u64) -> Option<(f64, [f64; 2])> {
    match found {
        [] => None,
        [one] => {
            let share = one.share(tile);
            let interval = share.ci95();
            Some((share.rate(), [interval.low, interval.high]))
        }
        many => {
            let rates: Vec<f64> = many.iter().map(|one| one.share(tile).rate()).collect();
            let (mean, interval) = mean_of(&rates);
            // Seeds that agree to the last game, on none or on all, say less than their games
            // together.
            let mut pooled = Proportion::default();
            many.iter().for_each(|one| pooled.merge(&one.share(tile)));
            let pooled = pooled.ci95();
            let alike = rates.iter().all(|rate| *rate == rates[0]);
            let [low, high] = interval.filter(|_| !alike).unwrap_or([pooled.low, pooled.high]);
            Some((mean, [low.max(0.0), high.min(1.0)]))
        }
    }
}

/// The tiles worth a column: those that not all games make, the largest of them.
pub(super) fn tiles_of(groups: &[Group], most: usize) -> Vec<u64> {
    let last = groups.iter().flat_map(|group| group.plies().into_iter().flat_map(|ply| group.last(ply)));
    let last: Vec<&Evaluation> = last.collect();
    let labels: BTreeSet<u64> =
        last.iter().flat_map(|found| found.tiles.iter().map(|(tile, _)| *tile)).collect();
    let interesting = |tile: &u64| {
        let rates: Vec<f64> = last.iter().map(|found| found.share(*tile).rate()).collect();
        rates.iter().any(|&rate| rate < 0.995) && rates.iter().any(|&rate| rate > 0.0)
    };
    let mut tiles: Vec<u64> = labels.into_iter().rev().filter(interesting).take(most).collect();
    tiles.reverse();
    tiles
}

/// A summary of what there is to report on, in a sentence or three.
pub(super) fn summary(groups: &[Group], notes: &[String]) -> String {
    let runs: Vec<&ReportedRun> = groups.iter().flat_map(|group| &group.runs).collect();
    let games: BTreeSet<&str> =
        runs.iter().map(|run| run.game.as_str()).filter(|game| !game.is_empty()).collect();
    let games = games.into_iter().collect::<Vec<_>>().join(", ");
    let seeds = groups.iter().map(|group| group.runs.len()).max().unwrap_or(1);
    let what = match (runs.len(), groups.len()) {
        (1, _) if runs[0].trained => "One run".to_string(),
        (1, _) => "One evaluation".to_string(),
        (n, 1) => format!("{n} runs that differ only by their seed"),
        (n, m) if n == m => format!("{n} runs"),
        (n, m) => format!("{n} runs of {m} kinds, up to {seeds} seeds each"),
    };
    let scored = |group: &Group| {
        let best = group.plies().into_iter().filter_map(|ply| Some((ply, score_of(&group.last(ply))?)));
        best.max_by(|a, b| a.1.0.total_cmp(&b.1.0)).map(|(ply, score)| (group.name_at(ply), score))
    };
    let best = groups.iter().filter_map(scored).max_by(|a, b| a.1.0.total_cmp(&b.1.0));
    let best = best.map(|(name, (mean, interval))| {
        let margin =
            interval.map(|[low, high]| format!(" ± {}", number((high - low) / 2.0, 0))).unwrap_or_default();
        let of = if groups.len() > 1 { format!(" of {name}, the best,") } else { String::new() };
        format!(" The average score{of} is {}{margin}.", number(mean, 0))
    });
    let of = if games.is_empty() { String::new() } else { format!(" of {games}") };
    let best = best.or_else(|| while_learning(groups)).unwrap_or_default();
    let missing = !notes.is_empty() || runs.iter().any(|run| !run.notes.is_empty());
    let missing = if missing { " What is missing is said at the end." } else { "" };
    format!("{what}{of}.{best}{missing}")
}

/// The best average while learning, where no run was evaluated.
fn while_learning(groups: &[Group]) -> Option<String> {
    let last = groups.iter().filter_map(|group| {
        let means: Vec<f64> = group.last_lines().iter().map(|line| line.mean).collect();
        (!means.is_empty()).then(|| (group.name.as_str(), mean_of(&means).0))
    });
    let (name, mean) = last.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let of = if groups.len() > 1 { format!(" of {name}, the best,") } else { String::new() };
    Some(format!(
        " The average score{of} over the last 1,000 games of learning is {}; no games were played without learning.",
        number(mean, 0)
    ))
}

/// The tables of results.
pub(super) fn results(document: &mut Document, groups: &[Group]) {
    document.heading("Results");
    if groups.iter().any(|group| group.runs.iter().any(|run| !run.evaluations.is_empty())) {
        document.push(evaluated(groups));
        document.push(tile_rates(groups));
    }
    if groups.iter().any(|group| group.runs.iter().any(|run| !run.lines.is_empty())) {
        document.push(trained(groups));
    }
}

/// Different values in a cell.
fn range(mut values: Vec<u64>) -> Cell {
    values.sort_unstable();
    values.dedup();
    let text = |value: &u64| number(*value as f64, 0);
    match &values[..] {
        [] => Cell::Missing,
        [one] => Cell::number(*one as f64, 0),
        [first, .., last] if values.len() > 4 => format!("{} … {}", text(first), text(last)).into(),
        some => some.iter().map(text).collect::<Vec<_>>().join(", ").into(),
    }
}

/// Scores, and how they were come by; what is not known of any run is left out.
fn evaluated(groups: &[Group]) -> Table {
    let several = groups.iter().any(|group| group.runs.len() > 1);
    let over = if several {
        "Of several training seeds it is the mean over them with Student's interval, of one the interval is over games."
    } else {
        "Intervals are over games."
    };
    let caption = format!(
        "Games played without learning, at the end of each run: their score ± its 95 % interval, how many they were, and \
         the seed of their chance. {over}"
    );
    let columns = [
        "run",
        "score",
        "best game",
        "average best of 100",
        "games",
        "their seed",
        "moves per second",
        "training seeds",
        "training games",
    ];
    let mut table = Table::new(caption, columns);
    for group in groups {
        for ply in group.plies() {
            let found = group.last(ply);
            let Some((mean, interval)) = score_of(&found) else { continue };
            let average = |of: fn(&Evaluation) -> Option<f64>| {
                let values: Vec<f64> = found.iter().filter_map(|one| of(one)).collect();
                Cell::maybe((!values.is_empty()).then(|| mean_of(&values).0), 0)
            };
            let training: Vec<u64> =
                group.runs.iter().filter(|run| run.trained).filter_map(|run| run.seed).collect();
            let trained: Vec<u64> = found.iter().map(|one| one.trained).filter(|&games| games > 0).collect();
            table.row([
                group.name_at(ply).into(),
                Cell::mean(mean, interval, 0),
                Cell::maybe(found.iter().filter_map(|one| one.best).reduce(f64::max), 0),
                average(|one| one.max_of_100),
                range(found.iter().map(|one| one.games).collect()),
                range(found.iter().map(|one| one.seed).collect()),
                average(|one| one.moves_per_second),
                range(training),
                range(trained),
            ]);
        }
    }
    without_empty_columns(table)
}

fn without_empty_columns(mut table: Table) -> Table {
    let known = |i: usize| i == 0 || table.rows.iter().any(|row| row[i] != Cell::Missing);
    let keep: Vec<bool> = (0..table.columns.len()).map(known).collect();
    let mut kept = keep.iter();
    table.columns.retain(|_| *kept.next().unwrap_or(&true));
    for row in &mut table.rows {
        let mut kept = keep.iter();
        row.retain(|_| *kept.next().unwrap_or(&true));
    }
    table
}

/// Number of games by tile.
fn tile_rates(groups: &[Group]) -> Table {
    let tiles = tiles_of(groups, TILES);
    let columns = ["run".to_string()].into_iter().chain(tiles.iter().map(|tile| format!("≥ {tile}")));
    let caption =
        "The share of these games whose largest tile is that or a larger one, with its 95 % interval.";
    let mut table = Table::new(caption, columns);
    for group in groups {
        for ply in group.plies() {
            let found = group.last(ply);
            let share = |&tile: &u64| {
                share_of(&found, tile).map_or(Cell::Missing, |(share, interval)| Cell::Share {
                    share,
                    interval: Some(interval),
                })
            };
            table.row([group.name_at(ply).into()].into_iter().chain(tiles.iter().map(share)));
        }
    }
    table
}

/// A time as people say it.
fn duration(seconds: f64) -> String {
    match seconds {
        ..90.0 => format!("{} s", number(seconds, 0)),
        90.0..5400.0 => format!("{} min", number(seconds / 60.0, 0)),
        _ => format!("{} h", number(seconds / 3600.0, 1)),
    }
}

fn trained(groups: &[Group]) -> Table {
    let caption = "Training: the last 1,000 games while it still learned, with the speed of playing and learning. \
                   ± is the 95 % interval over seeds.";
    let columns = [
        "run",
        "average score",
        "largest score",
        "games",
        "moves",
        "time",
        "moves per second",
        "threads",
        "seeds",
    ];
    let mut table = Table::new(caption, columns);
    for group in groups {
        let last = group.last_lines();
        if last.is_empty() {
            continue;
        }
        let mean = |of: &dyn Fn(&super::log::LogRow) -> f64| {
            mean_of(&last.iter().map(|line| of(line)).collect::<Vec<_>>())
        };
        let (score, interval) = mean(&|line| line.mean);
        let (speed, speeds) = group.speed().unwrap_or((f64::NAN, None));
        let threads: BTreeSet<&str> = group
            .runs
            .iter()
            .flat_map(|run| &run.circumstances)
            .filter(|(name, _)| name == "threads")
            .map(|(_, value)| value.as_str())
            .collect();
        table.row([
            group.name.as_str().into(),
            Cell::mean(score, interval, 0),
            Cell::number(last.iter().map(|line| line.max).max().unwrap_or(0) as f64, 0),
            range(last.iter().map(|line| line.games).collect()),
            Cell::number(mean(&|line| line.moves as f64).0, 0),
            duration(mean(&|line| line.seconds).0).into(),
            Cell::mean(speed, speeds, 0),
            threads.into_iter().collect::<Vec<_>>().join(", ").into(),
            range(group.runs.iter().filter_map(|run| run.seed).collect()),
        ]);
    }
    table
}

/// Table of differences: a row for each run, or for each setting if these are more.
pub(super) fn differences(document: &mut Document, groups: &[Group]) {
    let Some(first) = groups.first().filter(|group| !group.differing.is_empty()) else { return };
    let key = |(key, _): &(String, String)| format!("`{key}`");
    let value = |(_, value): &(String, String)| Cell::Text(value.clone());
    let caption = "What differs between the runs; all else is the same.";
    let table = if first.differing.len() > groups.len() {
        let names = groups.iter().map(|group| group.name.clone());
        let mut table = Table::new(caption, ["setting".to_string()].into_iter().chain(names));
        for (i, setting) in first.differing.iter().enumerate() {
            let values = groups.iter().map(|group| value(&group.differing[i]));
            table.row([key(setting).into()].into_iter().chain(values));
        }
        table
    } else {
        let mut table =
            Table::new(caption, ["run".to_string()].into_iter().chain(first.differing.iter().map(key)));
        for group in groups {
            table.row([Cell::Text(group.name.clone())].into_iter().chain(group.differing.iter().map(value)));
        }
        table
    };
    document.heading("What was tried");
    document.push(table);
}

/// Setup: how to repeat it, then everything.
pub(super) fn configuration(document: &mut Document, groups: &[Group]) {
    document.heading("Configuration");
    for group in groups {
        let first = &group.runs[0];
        if let Some(about) = first.settings.get("about") {
            document.text(format!("`{}`: {about}", group.name));
        }
    }
    let commands: Vec<String> =
        groups.iter().flat_map(|group| &group.runs).filter_map(|run| run.command.clone()).collect();
    if !commands.is_empty() {
        document.text("To repeat it, seed by seed:");
        let mut commands = commands;
        commands.dedup();
        document.push(Block::Code(commands.join("\n")));
    }
    for group in groups {
        let first = &group.runs[0];
        let mut blocks = vec![Block::Settings(Settings {
            caption: "Where it ran.".into(),
            pairs: first.circumstances.clone(),
        })];
        if first.circumstances.is_empty() {
            blocks.clear();
        }
        if !first.recipe.is_empty() {
            let which = if group.runs.len() > 1 { " of its first seed" } else { "" };
            blocks.push(Block::Text(format!("The whole recipe{which}, every choice written out; `afterstate train FILE.toml` takes it as it is.")));
            blocks.push(Block::Code(first.recipe.clone()));
        } else {
            blocks.push(Block::Settings(Settings {
                caption: String::new(),
                pairs: first.settings.clone().into_iter().collect(),
            }));
        }
        document.push(Block::Folded { title: format!("{}: everything that was set", group.name), blocks });
    }
}
