//! The figures of a report.

use super::super::text::number;
use super::super::{Axis, Bar, Bars, Chart, Document, Figure, Point, Sample, Series};
use super::group::{Group, band};
use super::log::LogRow;
use super::source::ReportedRun;
use super::tables::{share_of, tiles_of};

/// The most points of a curve; more are averaged.
const POINTS: usize = 250;

/// Places and values.
type Curve = Vec<(f64, f64)>;
/// A mean and its interval.
type Measured = (f64, Option<[f64; 2]>);

/// All figures there is something for.
pub(super) fn figures(document: &mut Document, groups: &[Group]) {
    let before = document.blocks.len();
    document.heading("Figures");
    let x = || Axis::new("training games");
    let (curves, each) = learning(groups, |line| line.mean, mean);
    let over = bands(groups);
    if !curves.is_empty() {
        let caption = format!("Average score while learning, {each}.{}{over}", first_stage(groups));
        document.push(lines("learning", caption, x(), Axis::new("average score"), curves));
        let (curves, each) = learning(groups, |line| line.max as f64, max);
        let caption = format!("Largest score while learning, {each}.{}{over}", first_stage(groups));
        document.push(lines("maximum", caption, x(), Axis::new("largest score"), curves));
    }
    let curves = evaluations(groups);
    if !curves.is_empty() {
        let caption = format!(
            "Average score of games without learning, as training went on. Bands are 95 % intervals: over games where there is one seed, else over seeds.{}",
            seeds(groups)
        );
        document.push(lines("evaluations", caption, x(), Axis::new("average score"), curves));
    }
    for (i, group) in groups.iter().enumerate() {
        stages(document, group, if groups.len() > 1 { Some(i + 1) } else { None });
    }
    tile_bars(document, groups);
    histogram(document, groups);
    speed(document, groups);
    if document.blocks.len() == before + 1 {
        document.blocks.pop();
    }
}

fn lines(name: &str, caption: String, x: Axis, y: Axis, series: Vec<Series>) -> Figure {
    Figure { name: name.into(), caption, chart: Chart::Lines { x, y, series } }
}

fn seeds(groups: &[Group]) -> String {
    let counts: Vec<usize> = groups.iter().map(|group| group.runs.len()).collect();
    let (least, most) =
        (counts.iter().min().copied().unwrap_or(1), counts.iter().max().copied().unwrap_or(1));
    match (least, most) {
        (_, 1) => String::new(),
        (a, b) if a == b => format!(" n = {a} seeds each."),
        (a, b) => format!(" n = {a} to {b} seeds."),
    }
}

/// Words of a caption about bands over seeds.
fn bands(groups: &[Group]) -> String {
    match seeds(groups) {
        none if none.is_empty() => none,
        some => format!(" Lines are means over seeds, bands their 95 % intervals (Student's).{some}"),
    }
}

/// True if only the first of several stages is shown.
fn first_stage(groups: &[Group]) -> &'static str {
    let staged = groups
        .iter()
        .flat_map(|group| &group.runs)
        .any(|run| run.lines.iter().any(|line| line.stage > Some(1)));
    if staged { " Of runs trained stage by stage, the first stage." } else { "" }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn max(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::MIN, f64::max)
}

/// A curve with at most so many points, each of `k` of the old ones.
fn thinned(curve: &[(f64, f64)], k: usize, join: fn(&[f64]) -> f64) -> Vec<(f64, f64)> {
    let one = |chunk: &[(f64, f64)]| {
        let values: Vec<f64> = chunk.iter().map(|point| point.1).collect();
        Some((chunk.last()?.0, join(&values)))
    };
    // The rest at the end is left out, unless it is all there is: it would be an average of fewer.
    let whole = curve.chunks_exact(k);
    if curve.len() < k { one(curve).into_iter().collect() } else { whole.filter_map(one).collect() }
}

/// A quantity of the log for every group, and what a point stands for.
fn learning(groups: &[Group], of: fn(&LogRow) -> f64, join: fn(&[f64]) -> f64) -> (Vec<Series>, String) {
    let curve = |run: &ReportedRun| -> Vec<(f64, f64)> {
        let first = run.lines.iter().filter(|line| line.stage.is_none_or(|stage| stage <= 1));
        first.map(|line| (line.games as f64, of(line))).collect()
    };
    let all: Vec<(&Group, Vec<Curve>)> = groups
        .iter()
        .map(|group| {
            (group, group.runs.iter().map(curve).filter(|curve| !curve.is_empty()).collect::<Vec<_>>())
        })
        .filter(|(_, curves)| !curves.is_empty())
        .collect();
    let longest = all.iter().flat_map(|(_, curves)| curves).map(Vec::len).max().unwrap_or(0);
    let k = nice(longest.div_ceil(POINTS));
    let series = all.iter().map(|(group, curves)| {
        let curves: Vec<_> = curves.iter().map(|curve| thinned(curve, k, join)).collect();
        Series { name: group.name.clone(), points: band(&curves), reference: false }
    });
    let each = format!("each point over {} games", number(1000.0 * k as f64, 0));
    (known(series.collect()), each)
}

/// The curves, if there is any; those without points keep their places, and so the others their
/// colours.
fn known(series: Vec<Series>) -> Vec<Series> {
    if series.iter().all(|one| one.points.is_empty()) { Vec::new() } else { series }
}

/// The next of 1, 2, 5, 10, 20, ….
fn nice(least: usize) -> usize {
    let mut steps = (0..18).flat_map(|power| [1, 2, 5].map(|digit| digit * 10usize.pow(power)));
    steps.find(|&step| step >= least).unwrap_or(least)
}

/// Scores of evaluations over training games, for every group and depth that has at least two.
fn evaluations(groups: &[Group]) -> Vec<Series> {
    let mut all = Vec::new();
    for group in groups {
        for ply in group.plies() {
            let of = |run: &ReportedRun| -> Vec<(f64, f64)> {
                let mine = run.evaluations.iter().filter(|found| found.ply == ply && !found.last);
                mine.map(|found| (found.trained as f64, found.mean)).collect()
            };
            let points = match &group.runs[..] {
                [run] => {
                    let mine = run.evaluations.iter().filter(|found| found.ply == ply && !found.last);
                    let point = |found: &super::evaluation::Evaluation| {
                        let band = found.ci95.map(|[low, high]| (low, high));
                        Point { x: found.trained as f64, y: found.mean, band }
                    };
                    mine.map(point).collect()
                }
                runs => band(&runs.iter().map(of).filter(|curve| !curve.is_empty()).collect::<Vec<_>>()),
            };
            let points = if points.len() > 1 { points } else { Vec::new() };
            all.push(Series { name: group.name_at(ply), points, reference: false });
        }
        if group.plies().is_empty() {
            all.push(Series::default());
        }
    }
    known(all)
}

/// Curves of each stage over its own games, with what the stage before makes of the same boards.
fn stages(document: &mut Document, group: &Group, place: Option<usize>) {
    let stages =
        group.runs.iter().flat_map(|run| run.lines.iter().filter_map(|line| line.stage)).max().unwrap_or(0);
    if stages < 2 {
        return;
    }
    let longest = group.runs.iter().map(|run| run.lines.len()).max().unwrap_or(0);
    let k = nice((longest / usize::from(stages)).div_ceil(POINTS));
    let curves = |of: fn(&LogRow) -> f64, join: fn(&[f64]) -> f64| -> Vec<Series> {
        let of_stage = |stage: u8| {
            let of_run = |run: &ReportedRun| {
                let mine = run.lines.iter().filter(|line| line.stage == Some(stage));
                thinned(&mine.map(|line| (line.stage_games as f64, of(line))).collect::<Vec<_>>(), k, join)
            };
            let curves: Vec<_> = group.runs.iter().map(of_run).filter(|curve| !curve.is_empty()).collect();
            Series { name: format!("stage {stage}"), points: band(&curves), reference: false }
        };
        (1..=stages).map(of_stage).filter(|series| !series.points.is_empty()).collect()
    };
    let mut averages = curves(|line| line.mean, mean);
    for stage in 2..=stages {
        let of_run = |run: &ReportedRun| run.lines.iter().find(|line| line.stage == Some(stage))?.normalised;
        let values: Vec<f64> = group.runs.iter().filter_map(of_run).collect();
        let end = averages.iter().flat_map(|series| &series.points).map(|point| point.x).fold(0.0, f64::max);
        if !values.is_empty() {
            averages.push(Series::level(
                format!("stage {} on the boards of {stage}", stage - 1),
                0.0,
                end,
                mean(&values),
            ));
        }
    }
    let name = |what: &str| place.map_or_else(|| what.to_string(), |place| format!("{what}-{place}"));
    let who = place.map_or_else(String::new, |_| format!("{}: ", group.name));
    let each = number(1000.0 * k as f64, 0);
    let x = || Axis::new("training games of the stage");
    let caption = format!(
        "{who}average score of each stage, each point over {each} games. A dashed line is the normalised score: what the \
         stage before makes of the boards a stage starts from (Yeh et al. 2016). A stage is worth having where it rises above its line.{}",
        seeds(std::slice::from_ref(group))
    );
    document.push(lines(&name("stages"), caption, x(), Axis::new("average score"), averages));
    let caption = format!(
        "{who}largest score of each stage, over as many games of {each} as would have reached it from the start, so that stages compare.{}",
        seeds(std::slice::from_ref(group))
    );
    let maxima = curves(|line| line.comparable_max.unwrap_or(line.max) as f64, max);
    document.push(lines(&name("stages-maximum"), caption, x(), Axis::new("largest score"), maxima));
}

fn tile_bars(document: &mut Document, groups: &[Group]) {
    let tiles = tiles_of(groups, 7);
    let mut bars = Vec::new();
    for group in groups {
        for ply in group.plies() {
            let found = group.last(ply);
            let bar = |&tile: &u64| {
                share_of(&found, tile).map(|(value, [low, high])| Bar { value, band: Some((low, high)) })
            };
            bars.push(Bars {
                name: group.name_at(ply),
                values: tiles.iter().map(bar).collect(),
                reference: false,
            });
        }
    }
    if tiles.is_empty() || bars.is_empty() {
        return;
    }
    let chart = Chart::Bars {
        y: Axis::share("share of games"),
        groups: tiles.iter().map(u64::to_string).collect(),
        label: "largest tile at least …".into(),
        bars,
    };
    let caption = format!(
        "How many games of the last evaluation made each tile. Lines on the bars are 95 % intervals: Wilson's over games where there is one seed, else over seeds.{}",
        seeds(groups)
    );
    document.push(Figure { name: "tiles".into(), caption, chart });
}

fn histogram(document: &mut Document, groups: &[Group]) {
    let mut samples = Vec::new();
    for group in groups {
        for ply in group.plies() {
            let games = group.last(ply).into_iter().flat_map(|found| &found.played);
            let values: Vec<f64> = games.map(|game| game.score as f64).collect();
            samples.push(Sample { name: group.name_at(ply), values });
        }
        if group.plies().is_empty() {
            samples.push(Sample::default());
        }
    }
    if samples.iter().all(|one| one.values.is_empty()) {
        return;
    }
    let counts: Vec<String> =
        samples.iter().map(|one| one.values.len()).filter(|&n| n > 0).map(|n| number(n as f64, 0)).collect();
    let games = if counts.len() > 1 {
        format!("{} games, in this order", counts.join(", "))
    } else {
        format!("{} games", counts[0])
    };
    let caption = format!("How the scores of the last evaluation are spread ({games}).");
    document.push(Figure {
        name: "scores".into(),
        caption,
        chart: Chart::Histogram { x: Axis::new("score"), samples },
    });
}

fn speed(document: &mut Document, groups: &[Group]) {
    let known: Vec<(&Group, Measured)> =
        groups.iter().filter_map(|group| Some((group, group.speed()?))).collect();
    if known.len() < 2 {
        return;
    }
    let bar = |(_, (value, interval)): &(&Group, Measured)| {
        Some(Bar { value: *value, band: interval.map(|[low, high]| (low.max(0.0), high)) })
    };
    let chart = Chart::Bars {
        y: Axis::new("moves per second"),
        groups: known.iter().map(|(group, _)| group.name.clone()).collect(),
        label: "run".into(),
        bars: vec![Bars {
            name: "training".into(),
            values: known.iter().map(bar).collect(),
            reference: false,
        }],
    };
    let caption = format!(
        "Moves per second of playing and learning. The machines are named under Configuration.{}",
        bands(groups).replace("Lines are means", "Bars are means").replace("bands", "lines on them")
    );
    document.push(Figure { name: "speed".into(), caption, chart });
}
