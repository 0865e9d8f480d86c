//! `climbs`: how often games go on from one split to the next.

use crate::terminal::{Table, grouped, percent};
use crate::{cli, output, wire};
use afterstate::statistics::Moments;
use afterstate_lab::climbs::{Climb, Climbs, ClimbsError};
use anyhow::{Context, anyhow};
use std::fs::File;
use std::io::{BufRead, BufReader};

pub(crate) fn run(args: &cli::Climbs) -> anyhow::Result<()> {
    let mut climbs = Climbs::new(args.split.as_deref());
    for path in &args.files {
        let name = path.display();
        let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
        for (number, line) in (1..).zip(BufReader::new(file).split(b'\n')) {
            let line = line.with_context(|| format!("cannot read {name}"))?;
            let line = String::from_utf8_lossy(&line);
            if !line.trim().is_empty() {
                climbs.add(line.trim_end()).with_context(|| format!("{name}, line {number}"))?;
            }
        }
    }
    let found = climbs.climbs().map_err(|error| match error {
        ClimbsError::Empty => anyhow!("{error}; keep some with `evaluate --save FILE`"),
        _ => error.into(),
    });
    let found = found.with_context(|| args.files[0].display().to_string())?;
    if args.json {
        return output::json(&wire::Climbs::of(&climbs, &found));
    }
    output::text(&page(&climbs, &found))
}

/// The answer for people.
fn page(climbs: &Climbs, found: &[Climb]) -> String {
    let mut table =
        Table::new(["split", "games", "of all", "go on", "95 %", "score then", "end here", "their score"]);
    for climb in found {
        let mean = |moments: &Moments| match moments.count() {
            0 => "–".into(),
            _ => grouped(moments.mean(), 0),
        };
        let (rate, interval) = match climb.went_on {
            Some(went_on) if went_on.trials > 0 => {
                let ci95 = went_on.ci95();
                let interval = format!("{:.1} – {:.1}", ci95.low * 100.0, ci95.high * 100.0);
                (percent(went_on.rate()), interval)
            }
            _ => ("–".into(), "–".into()),
        };
        table.row([
            climb.split.clone(),
            grouped(climb.reached.hits as f64, 0),
            percent(climb.reached.rate()),
            rate,
            interval,
            mean(&climb.score),
            grouped(climb.ended.count() as f64, 0),
            mean(&climb.ended),
        ]);
    }
    format!("{}, {} games\n\n{}", climbs.game(), grouped(climbs.games() as f64, 0), table.render())
}
