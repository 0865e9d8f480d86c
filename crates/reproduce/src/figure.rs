//! Figures of targets.

use super::ReproduceError;
use super::cell::{bar, given, measured};
use super::curve;
use super::found::Found;
use super::setting::Setting;
use super::target::{Bars, Curves, Follow, Quantity, Source, Spread, SpreadShape};
use afterstate::statistics::Proportion;
use afterstate_report::{self as report, Axis, Chart, Figure, Sample, Series};

/// Learning curves.
pub(super) fn curves(
    curves: &Curves,
    setting: &Setting,
    found: &Found,
    name: String,
) -> Result<Figure, ReproduceError> {
    let (sample, mut longest) = (setting.sample(curves.sample), 0);
    let mut series = Vec::new();
    for (line, training) in &curves.lines {
        let recipe = setting.recipe(training, 1)?;
        longest = longest.max(recipe.stage_games(0)).max(recipe.stage_games(1));
        series.extend(curve::series(line, found.runs(training), curves.follow, curves.source, sample)?);
    }
    let y = match curves.follow {
        Follow::Average => Axis::new("average score"),
        Follow::Maximum => Axis::new("maximum score"),
        Follow::Reached(tile) => Axis::share(format!("games that reached {tile}")),
    };
    let x = Axis::new(match curves.source {
        Source::Stages(_) => "training games of the stage",
        Source::Training | Source::Evaluations(_) => "training games",
    });
    let caption = match curves.source {
        Source::Evaluations(_) => curves.caption.clone(),
        Source::Training | Source::Stages(_) => {
            format!("{} {}", curves.caption, curve::caption(curves.follow, sample, curves.sample, longest))
        }
    };
    let chart = Chart::Lines { x, y, series };
    Ok(Figure { name, caption, chart })
}

/// Bars, the paper's beside ours.
pub(super) fn bars(bars: &Bars, found: &Found, name: String) -> Figure {
    let mut kinds = Vec::new();
    for (kind, plays) in &bars.kinds {
        let ours =
            |(play, _): &(_, _)| bar(found.games(play).and_then(|games| measured(games, bars.quantity)));
        let paper = |(_, paper): &(_, _)| bar(given(*paper, bars.quantity));
        kinds.push(report::Bars {
            name: format!("{kind}, ours"),
            values: plays.iter().map(ours).collect(),
            reference: false,
        });
        kinds.push(report::Bars {
            name: format!("{kind}, the paper's"),
            values: plays.iter().map(paper).collect(),
            reference: true,
        });
    }
    let y = if bars.quantity == Quantity::Average { "average score" } else { "maximum score" };
    let chart = Chart::Bars {
        y: Axis::new(y),
        groups: bars.groups.clone(),
        label: "depth of search".into(),
        bars: kinds,
    };
    Figure { name, caption: bars.caption.clone(), chart }
}

/// Seconds per move by depth.
pub(super) fn times(caption: &str, series: Vec<Series>, name: String) -> Figure {
    let y = Axis { zero: false, logarithmic: true, ..Axis::new("seconds per move") };
    Figure { name, caption: caption.into(), chart: Chart::Lines { x: Axis::new("depth"), y, series } }
}

/// Largest tiles or scores of all games.
pub(super) fn spread(spread: &Spread, found: &Found, name: String) -> Figure {
    let players = spread.players.iter().filter_map(|(name, play)| Some((name, found.games(play)?)));
    let chart = match spread.shape {
        SpreadShape::Scores => {
            let sample = |(name, games): (&String, &super::play::PlayedGames)| Sample {
                name: name.clone(),
                values: games.played.iter().map(|played| played.score as f64).collect(),
            };
            Chart::Histogram { x: Axis::new("score"), samples: players.map(sample).collect() }
        }
        SpreadShape::Tiles => {
            let summaries: Vec<_> =
                players.filter_map(|(name, games)| Some((name, games.summary()?))).collect();
            let mut tiles: Vec<u64> = summaries
                .iter()
                .flat_map(|(_, summary)| &summary.tiles)
                .filter(|tile| tile.largest > 0)
                .map(|tile| tile.label)
                .collect();
            tiles.sort_unstable();
            tiles.dedup();
            let kind = |(name, summary): &(&String, afterstate::evaluate::Summary)| {
                let share = |label: &u64| {
                    let hits =
                        summary.tiles.iter().find(|tile| tile.label == *label).map_or(0, |tile| tile.largest);
                    let share = Proportion { hits, trials: summary.games };
                    let interval = share.ci95();
                    Some(report::Bar { value: share.rate(), band: Some((interval.low, interval.high)) })
                };
                report::Bars {
                    name: (*name).clone(),
                    values: tiles.iter().map(share).collect(),
                    reference: false,
                }
            };
            Chart::Bars {
                y: Axis::share("games"),
                label: "largest tile".into(),
                bars: summaries.iter().map(kind).collect(),
                groups: tiles.iter().map(u64::to_string).collect(),
            }
        }
    };
    Figure { name, caption: spread.caption.clone(), chart }
}
