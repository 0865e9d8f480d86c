//! Learning curves, read from the logs of runs.

use super::ReproduceError;
use super::target::{Follow, Source};
use super::training::TrainedRun;
use afterstate::statistics::Moments;
use afterstate_lab::number::grouped;
use afterstate_lab::run::files::at;
use afterstate_report::{Point, Series};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;

/// The most points of a curve that are drawn: of more, every second, third, … stands for the
/// others.
const POINTS: usize = 250;

/// Games of the lines that curves are made of.
const WINDOW: u64 = 1_000;

/// Fields of a line of `train.jsonl` that curves need.
#[derive(Deserialize)]
struct CurveRow {
    games: u64,
    window: u64,
    mean: f64,
    max: f64,
    #[serde(default)]
    tiles: Vec<(u64, f64)>,
    stage: Option<u8>,
    stage_games: Option<u64>,
    comparable_max: Option<f64>,
    normalised: Option<f64>,
}

/// Fields of an evaluation that curves need.
#[derive(Deserialize)]
struct Evaluation {
    trained_games: u64,
    score: Score,
    tiles: Vec<(u64, f64)>,
}

#[derive(Deserialize)]
struct Score {
    mean: f64,
    ci95: Option<[f64; 2]>,
}

/// The share of games that reached a tile; tiles that all games reached, or none, are not listed.
fn reached(tiles: &[(u64, f64)], tile: u64) -> f64 {
    let listed = tiles.iter().find(|(label, _)| *label == tile).map(|(_, share)| *share);
    let all = tiles.first().is_some_and(|(label, _)| tile < *label);
    listed.unwrap_or(if all { 1.0 } else { 0.0 })
}

/// One curve of one run, and what it is to be compared with.
struct Curve {
    name: String,
    points: Vec<Point>,
    level: Option<(String, f64)>,
}

/// The curves of the runs of one training (one for each seed): averages, with the range of the
/// seeds as band.
pub(super) fn series(
    name: &str,
    runs: &[TrainedRun],
    follow: Follow,
    source: Source,
    sample: u64,
) -> Result<Vec<Series>, ReproduceError> {
    let mut all: Vec<Vec<Curve>> = Vec::new();
    for run in runs {
        all.push(match source {
            Source::Training => vec![training(name, &lines(run)?, follow, sample)],
            Source::Stages(first) => stages(&lines(run)?, first, follow, sample),
            Source::Evaluations(ply) => vec![evaluations(name, run, follow, ply)?],
        });
    }
    let mut series = Vec::new();
    for (i, first) in all.first().into_iter().flatten().enumerate() {
        let seeds: Vec<&Curve> = all.iter().filter_map(|curves| curves.get(i)).collect();
        let points = joined(&seeds.iter().map(|curve| curve.points.as_slice()).collect::<Vec<_>>());
        if let (Some((label, _)), Some(end)) = (&first.level, points.last()) {
            let levels: Vec<f64> =
                seeds.iter().filter_map(|curve| curve.level.as_ref()).map(|level| level.1).collect();
            let level = levels.iter().sum::<f64>() / levels.len() as f64;
            series.push(Series::level(label.clone(), 0.0, end.x, level));
        }
        series.push(Series { name: first.name.clone(), points, reference: false });
    }
    Ok(series)
}

/// The windows of 1,000 games a run has logged.
fn lines(run: &TrainedRun) -> Result<Vec<CurveRow>, ReproduceError> {
    let path = run.place.join("train.jsonl");
    let text = fs::read_to_string(&path).map_err(at("cannot read", &path))?;
    let lines = text.lines().filter_map(|line| serde_json::from_str::<CurveRow>(line).ok());
    Ok(lines.filter(|line| line.window == WINDOW).collect())
}

/// The averages of the last tenth of a stage's training (counted from 1), and its normalised score:
/// what the stage before makes of the same boards. `None` without one.
pub(super) fn last_tenth(run: &TrainedRun, stage: u8) -> Result<Option<(Moments, f64)>, ReproduceError> {
    let lines = lines(run)?;
    let of_stage: Vec<&CurveRow> = lines.iter().filter(|line| line.stage == Some(stage)).collect();
    let Some(normalised) = of_stage.last().and_then(|line| line.normalised) else { return Ok(None) };
    let mut moments = Moments::default();
    let from = of_stage.len() - of_stage.len().div_ceil(10);
    of_stage[from..].iter().for_each(|line| moments.add(line.mean));
    Ok(Some((moments, normalised)))
}

/// Windows joined to samples of so many games, averages of averages and maxima of maxima; of too
/// many samples some.
///
/// A point that is drawn is a sample as it is: a maximum over more games would be a larger one.
fn sampled(lines: &[&CurveRow], follow: Follow, sample: u64, x: impl Fn(&CurveRow) -> u64) -> Vec<Point> {
    let size = (sample / WINDOW).max(1) as usize;
    let point = |chunk: &[&CurveRow]| {
        let mean =
            |f: &dyn Fn(&CurveRow) -> f64| chunk.iter().map(|line| f(line)).sum::<f64>() / chunk.len() as f64;
        let y = match follow {
            Follow::Average => mean(&|line| line.mean),
            Follow::Reached(tile) => mean(&|line| reached(&line.tiles, tile)),
            Follow::Maximum => {
                chunk.iter().map(|line| line.comparable_max.unwrap_or(line.max)).fold(0.0, f64::max)
            }
        };
        Point { x: chunk.last().map_or(0.0, |line| x(line) as f64), y, band: None }
    };
    let samples: Vec<&[&CurveRow]> = lines.chunks(size).collect();
    let every = every(samples.len());
    // The last sample is drawn: where learning came to is what one looks for.
    samples.into_iter().rev().step_by(every).rev().map(point).collect()
}

/// Of how many samples one is drawn.
fn every(samples: usize) -> usize {
    samples.div_ceil(POINTS).max(1)
}

/// A sentence about what a point of a figure stands for; `games` are those of the longest curve.
pub(super) fn caption(follow: Follow, sample: u64, paper: u64, games: u64) -> String {
    let what = match follow {
        Follow::Average => "the average",
        Follow::Maximum => "the largest score",
        Follow::Reached(_) => "the share",
    };
    let mut text = format!("A point is {what} of {} games", grouped(sample as f64, 0));
    text += &match sample == paper {
        true => ", as in the paper".to_string(),
        false => format!(" (the paper: {})", grouped(paper as f64, 0)),
    };
    match every((games / sample) as usize) {
        1 => text + ".",
        n => format!("{text}; one of {n} points is drawn."),
    }
}

fn training(name: &str, lines: &[CurveRow], follow: Follow, sample: u64) -> Curve {
    let all: Vec<&CurveRow> = lines.iter().collect();
    Curve { name: name.into(), points: sampled(&all, follow, sample, |line| line.games), level: None }
}

fn stages(lines: &[CurveRow], first: u8, follow: Follow, sample: u64) -> Vec<Curve> {
    let mut by_stage: BTreeMap<u8, Vec<&CurveRow>> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.stage.unwrap_or(1) <= first) {
        by_stage.entry(line.stage.unwrap_or(1)).or_default().push(line);
    }
    let curve = |(stage, lines): (u8, Vec<&CurveRow>)| {
        let normalised = lines.last().and_then(|line| line.normalised).filter(|_| follow == Follow::Average);
        Curve {
            name: format!("stage {stage}"),
            points: sampled(&lines, follow, sample, |line| line.stage_games.unwrap_or(line.games)),
            level: normalised.map(|score| (format!("normalised {}-{stage}", stage.saturating_sub(1)), score)),
        }
    };
    by_stage.into_iter().map(curve).collect()
}

fn evaluations(name: &str, run: &TrainedRun, follow: Follow, ply: u8) -> Result<Curve, ReproduceError> {
    let place = run.place.join("eval");
    let mut points = Vec::new();
    for entry in fs::read_dir(&place).map_err(at("cannot read", &place))? {
        let path = entry.map_err(at("cannot read", &place))?.path();
        let text = fs::read_to_string(&path).map_err(at("cannot read", &path))?;
        // Evaluations that look further have longer names.
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let games = if ply == 1 { Some(stem.as_str()) } else { stem.strip_suffix(&format!("-ply{ply}")) };
        let wanted = games.is_some_and(|games| games.parse::<u64>().is_ok());
        let Some(found) = serde_json::from_str::<Evaluation>(&text).ok().filter(|_| wanted) else { continue };
        let (y, band) = match follow {
            Follow::Reached(tile) => (reached(&found.tiles, tile), None),
            _ => (found.score.mean, found.score.ci95.map(|[low, high]| (low, high))),
        };
        points.push(Point { x: found.trained_games as f64, y, band });
    }
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    Ok(Curve { name: name.into(), points, level: None })
}

/// The averages of several seeds, from the lowest to the highest of them as band; a single one
/// stays as it is.
fn joined(seeds: &[&[Point]]) -> Vec<Point> {
    let [first, others @ ..] = seeds else { return Vec::new() };
    if others.is_empty() {
        return first.to_vec();
    }
    let all = |i: usize| seeds.iter().filter_map(move |points| points.get(i).map(|point| point.y));
    let point = |(i, point): (usize, &Point)| {
        let (low, high) = all(i).fold((f64::MAX, f64::MIN), |(low, high), y| (low.min(y), high.max(y)));
        Point { x: point.x, y: all(i).sum::<f64>() / all(i).count() as f64, band: Some((low, high)) }
    };
    first.iter().enumerate().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(games: u64, mean: f64, max: f64, stage: Option<u8>) -> CurveRow {
        CurveRow {
            games,
            window: 1_000,
            mean,
            max,
            tiles: vec![(1024, 0.9), (2048, 0.25)],
            stage,
            stage_games: stage.map(|_| games - 1_000),
            comparable_max: stage.map(|_| max / 2.0),
            normalised: stage.filter(|&stage| stage > 1).map(|_| 77.0),
        }
    }

    #[test]
    fn tiles_that_all_or_none_reached_are_known_too() {
        let tiles = [(1024, 0.9), (2048, 0.25)];
        assert_eq!([512, 1024, 2048, 4096].map(|tile| reached(&tiles, tile)), [1.0, 0.9, 0.25, 0.0]);
    }

    fn curve(lines: &[CurveRow], follow: Follow, sample: u64) -> Vec<Point> {
        training("a", lines, follow, sample).points
    }

    #[test]
    fn windows_join_to_samples() {
        let lines: Vec<CurveRow> =
            (1..=100).map(|i| line(i * 1_000, i as f64, i as f64 * 10.0, None)).collect();
        let averages = curve(&lines, Follow::Average, 2_000);
        assert_eq!((averages.len(), averages[0].x, averages[0].y), (50, 2_000.0, 1.5));
        assert_eq!(curve(&lines, Follow::Maximum, 10_000)[1].y, 200.0);
        assert_eq!(curve(&lines, Follow::Reached(2048), 1_000)[7].y, 0.25);
    }

    /// A maximum of 1,000 games stays one, however many there are: points are left out, not joined.
    #[test]
    fn too_many_samples_are_thinned_not_joined() {
        let lines: Vec<CurveRow> =
            (1..=2_000).map(|i| line(i * 1_000, i as f64, (i % 10) as f64, None)).collect();
        let maxima = curve(&lines, Follow::Maximum, 1_000);
        assert_eq!((maxima.len(), maxima[249].x, maxima[249].y), (250, 2e6, 0.0));
        assert_eq!((maxima[248].x, maxima[248].y), (1_992_000.0, 2.0));
        let said = caption(Follow::Maximum, 1_000, 1_000, 2_000_000);
        assert_eq!(
            said,
            "A point is the largest score of 1,000 games, as in the paper; one of 8 points is drawn."
        );
        let said = caption(Follow::Average, 2_000, 100_000, 100_000);
        assert_eq!(said, "A point is the average of 2,000 games (the paper: 100,000).");
    }

    #[test]
    fn stages_begin_at_zero_and_have_their_normalised_score() {
        let lines = [line(2_000, 10.0, 100.0, Some(1)), line(3_000, 20.0, 300.0, Some(2))];
        let averages = stages(&lines, 3, Follow::Average, 1_000);
        assert_eq!(
            averages.iter().map(|curve| curve.name.as_str()).collect::<Vec<_>>(),
            ["stage 1", "stage 2"]
        );
        assert_eq!(averages[1].level, Some(("normalised 1-2".into(), 77.0)));
        assert_eq!(averages[1].points[0].x, 2_000.0);
        let maxima = stages(&lines, 3, Follow::Maximum, 1_000);
        assert_eq!((maxima[1].points[0].y, &maxima[1].level), (150.0, &None));
        assert_eq!(stages(&lines, 1, Follow::Average, 1_000).len(), 1, "the first stage alone");
    }

    #[test]
    fn seeds_make_a_band() {
        let one = |y| Point { x: 1.0, y, band: None };
        let both = joined(&[&[one(2.0)], &[one(6.0)]]);
        assert_eq!(both, [Point { x: 1.0, y: 4.0, band: Some((2.0, 6.0)) }]);
    }
}
