//! Runs that differ only by their seed belong together: their mean, and how sure it is.

use super::super::Point;
use super::source::ReportedRun;
use afterstate::statistics::{Interval, Moments};
use std::collections::{BTreeMap, BTreeSet};

/// Runs that differ only by their seed.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) name: String,
    pub(super) runs: Vec<ReportedRun>,
    /// The settings in which it differs from other groups, with its values.
    pub(super) differing: Vec<(String, String)>,
}

/// Settings that do not make another experiment.
fn matters(key: &str) -> bool {
    !matches!(key, "run.seed" | "run.threads" | "about")
        && !key.starts_with("checkpoint.")
        && !key.starts_with("sweep.")
}

/// Groups in the order of their first runs, their runs by seed.
pub(super) fn groups(runs: Vec<ReportedRun>) -> Vec<Group> {
    let mut found: Vec<(BTreeMap<String, String>, Vec<ReportedRun>)> = Vec::new();
    for run in runs {
        let key: BTreeMap<_, _> = run.settings.clone().into_iter().filter(|(key, _)| matters(key)).collect();
        // The same seed twice is the same experiment twice, not two seeds.
        let same = found.iter_mut().find(|(other, members)| {
            *other == key && run.seed.is_some() && members.iter().all(|member| member.seed != run.seed)
        });
        match same {
            Some((_, members)) => members.push(run),
            None => found.push((key, vec![run])),
        }
    }
    let keys: BTreeSet<&String> = found.iter().flat_map(|(key, _)| key.keys()).collect();
    // Recipes differ from recipes and evaluations from evaluations; what one kind does not have is
    // no difference.
    let differ = |key: &str, trained: bool| {
        let of_kind = found.iter().filter(|(_, members)| members[0].trained == trained);
        of_kind.map(|(settings, _)| settings.get(key)).collect::<BTreeSet<_>>().len() > 1
    };
    let differing = keys.into_iter().filter(|key| differ(key, true) || differ(key, false));
    let differing: Vec<String> = differing.cloned().collect();
    let alone = found.iter().all(|(_, members)| members.len() == 1);
    let mut groups = Vec::new();
    for (settings, mut members) in found {
        members.sort_by_key(|run| run.seed);
        let value = |key: &String| settings.get(key).cloned().unwrap_or_else(|| "–".into());
        let differing: Vec<(String, String)> =
            differing.iter().map(|key| (key.clone(), value(key))).collect();
        let name = if alone || differing.is_empty() || differing.len() > 4 {
            common_name(&members)
        } else {
            differing
                .iter()
                .map(|(key, value)| format!("{}={}", short(key, &differing), cut(value)))
                .collect::<Vec<_>>()
                .join(", ")
        };
        groups.push(Group { name, runs: members, differing });
    }
    let names: Vec<String> = groups.iter().map(|group| group.name.clone()).collect();
    for (i, group) in groups.iter_mut().enumerate() {
        if names.iter().filter(|name| **name == group.name).count() > 1 {
            group.name += &format!(" ({})", i + 1);
        }
    }
    groups
}

/// The last word of a key, if no other key ends so.
fn short<'a>(key: &'a str, all: &[(String, String)]) -> &'a str {
    let last = key.rsplit('.').next().unwrap_or(key);
    let alike = all.iter().filter(|(other, _)| other.rsplit('.').next() == Some(last)).count();
    if alike > 1 { key } else { last }
}

fn cut(value: &str) -> String {
    if value.chars().count() <= 24 { value.into() } else { value.chars().take(23).chain(['…']).collect() }
}

/// Common part of the names of runs, without the seed.
fn common_name(runs: &[ReportedRun]) -> String {
    let first = &runs[0].name;
    if runs.len() == 1 {
        return first.clone();
    }
    let shared = |length: usize| runs.iter().all(|run| run.name.get(..length) == first.get(..length));
    let length =
        (0..=first.len()).rev().find(|&length| first.is_char_boundary(length) && shared(length)).unwrap_or(0);
    let name = first[..length].trim_end_matches(|c: char| !c.is_alphanumeric());
    let name = ["seed", "-s", "_s"].iter().fold(name, |name, end| name.strip_suffix(end).unwrap_or(name));
    let name = name.trim_end_matches(|c: char| !c.is_alphanumeric());
    if name.is_empty() { first.clone() } else { name.into() }
}

/// The 97.5 % points of Student's distribution for 1, 2, … degrees of freedom.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// The mean of a few values, and where the mean of many more would lie: x̄ ± t s / √n with
/// Student's t, since seeds are few. Nothing can be said from one.
pub(super) fn mean95(values: impl IntoIterator<Item = f64>) -> (f64, Option<Interval>) {
    let moments: Moments = values.into_iter().collect();
    let mean = moments.mean();
    let interval = moments.std().map(|std| {
        let n = moments.count();
        let t = STUDENT.get(n as usize - 2).copied().unwrap_or(2.0);
        let margin = t * std / (n as f64).sqrt();
        Interval { low: mean - margin, high: mean + margin }
    });
    (mean, interval)
}

/// The mean of several curves and its 95 % interval, at every place that all of them have.
pub(super) fn band(curves: &[Vec<(f64, f64)>]) -> Vec<Point> {
    let Some((first, others)) = curves.split_first() else { return Vec::new() };
    let at = |curve: &Vec<(f64, f64)>, x: f64| {
        let found = curve.binary_search_by(|point| point.0.total_cmp(&x)).ok()?;
        Some(curve[found].1)
    };
    let point = |&(x, y): &(f64, f64)| {
        let values: Vec<f64> = others.iter().map(|curve| at(curve, x)).collect::<Option<_>>()?;
        let (y, interval) = mean95([y].into_iter().chain(values));
        // Scores and shares are never negative, whatever a wide interval says.
        Some(Point { x, y, band: interval.map(|interval| (interval.low.max(0.0), interval.high)) })
    };
    first.iter().filter_map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn run(name: &str, seed: u64, settings: &[(&str, &str)]) -> ReportedRun {
        let mut run = ReportedRun { name: name.into(), seed: Some(seed), ..ReportedRun::default() };
        run.settings = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        run.settings.insert("run.seed".into(), seed.to_string());
        run
    }

    #[test]
    fn runs_that_differ_only_by_seed_are_one_group() {
        let a = |seed| run(&format!("x-s{seed}"), seed, &[("learning.alpha", "0.1"), ("game", "2048")]);
        let b = |seed| run("y", seed, &[("learning.alpha", "0.2"), ("game", "2048")]);
        let found = groups(vec![a(2), b(1), a(1)]);
        let names: Vec<(&str, usize)> =
            found.iter().map(|group| (group.name.as_str(), group.runs.len())).collect();
        assert_eq!(names, [("alpha=0.1", 2), ("alpha=0.2", 1)]);
        assert_eq!(found[0].runs[0].seed, Some(1), "by seed");
        assert_eq!(found[0].differing, [("learning.alpha".to_string(), "0.1".to_string())]);
        assert_eq!(groups(vec![a(1), a(2)])[0].name, "x");
        assert_eq!(groups(vec![a(1), b(1)])[0].name, "x-s1", "single runs keep their names");
        assert_eq!(groups(vec![a(1), a(1)]).len(), 2, "one seed twice is no second seed");
        let trained = ReportedRun { trained: true, ..a(1) };
        assert!(groups(vec![trained, run("games", 1, &[("player", "model")])])[0].differing.is_empty());
    }

    #[test]
    fn an_interval_worked_by_hand() {
        // 1, 2, 3: mean 2, s = 1, t(2) = 4.303.
        let (mean, interval) = mean95([1.0, 2.0, 3.0]);
        assert_eq!(mean, 2.0);
        assert!((interval.unwrap().margin() - 4.303 / 3f64.sqrt()).abs() < 1e-9);
        assert_eq!(mean95([5.0]), (5.0, None));
    }

    proptest! {
        /// Against the slow way: look every place up in every curve, sum the squares in two passes.
        #[test]
        fn bands_are_those_of_the_slow_way(
            curves in prop::collection::vec(prop::collection::btree_map(0u32..12, 0.0..1e5f64, 0..12), 1..6),
        ) {
            let lists: Vec<Vec<(f64, f64)>> =
                curves.iter().map(|curve| curve.iter().map(|(x, y)| (f64::from(*x), *y)).collect()).collect();
            let found = band(&lists);
            let mut slow = Vec::new();
            for x in 0..12 {
                let values: Vec<f64> = curves.iter().filter_map(|curve| curve.get(&x).copied()).collect();
                if values.len() < curves.len() {
                    continue;
                }
                let n = values.len() as f64;
                let mean = values.iter().sum::<f64>() / n;
                let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
                let margin = [0.0, 12.706, 4.303, 3.182, 2.776][values.len() - 1] * (variance / n).sqrt();
                slow.push((f64::from(x), mean, (n > 1.0).then_some(((mean - margin).max(0.0), mean + margin))));
            }
            prop_assert_eq!(found.len(), slow.len());
            for (point, (x, mean, band)) in found.iter().zip(slow) {
                prop_assert_eq!(point.x, x);
                prop_assert!((point.y - mean).abs() < 1e-6);
                prop_assert_eq!(point.band.is_some(), band.is_some());
                if let (Some(a), Some(b)) = (point.band, band) {
                    prop_assert!((a.0 - b.0).abs() < 1e-3 && (a.1 - b.1).abs() < 1e-3);
                }
            }
        }
    }
}
