//! The test that finds that learning no longer improves; it lowers the step size or ends a stage.

use serde::{Deserialize, Serialize};

/// Watches the averages of every 1,000 games.
///
/// With `span` = k the averages are taken in spans of k. A span is *flat* if its mean exceeds that
/// of the span before by no more than one standard error of the difference. Learning is saturated
/// when two spans in a row are flat; one alone is often luck, since a slow improvement of a single
/// span drowns in its noise. The verdict is final.
///
/// With k = 100, spans of 100,000 games as Yeh et al. 2016 draw their curves, a curve like that of
/// their network is called saturated after about the 5 M games that they call so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saturation {
    span: usize,
    averages: Vec<f64>,
    before: Option<(f64, f64)>,
    /// Flat spans in a row, the last one among them.
    #[serde(default)]
    flat: u8,
    saturated: bool,
}

/// Flat spans in a row that make a verdict.
const FLAT: u8 = 2;

impl Saturation {
    /// A test on spans of this many averages.
    pub fn new(span: usize) -> Self {
        Self { span, averages: Vec::new(), before: None, flat: 0, saturated: false }
    }

    /// Takes one more average; true if learning is saturated now.
    pub fn add(&mut self, average: f64) -> bool {
        self.averages.push(average);
        if self.averages.len() == self.span {
            let n = self.span as f64;
            let mean = self.averages.iter().sum::<f64>() / n;
            let variance = self.averages.iter().map(|a| (a - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
            if let Some((mean_before, variance_before)) = self.before {
                let error = ((variance + variance_before) / n).sqrt();
                self.flat = if mean - mean_before <= error { self.flat + 1 } else { 0 };
                self.saturated |= self.flat >= FLAT;
            }
            self.before = Some((mean, variance));
            self.averages.clear();
        }
        self.saturated
    }

    /// True if learning was found to be saturated.
    pub fn is_saturated(&self) -> bool {
        self.saturated
    }
}

/// The number of averages of a curve after which learning is saturated; `None` if it never is.
pub fn saturated_after(curve: impl IntoIterator<Item = f64>, span: usize) -> Option<usize> {
    let mut test = Saturation::new(span);
    curve.into_iter().position(|average| test.add(average)).map(|last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::Learning;
    use afterstate::random::Random;

    #[test]
    fn a_rising_curve_is_not_saturated_and_a_flat_one_is() {
        let noise = |i: u32| f64::from(i.wrapping_mul(2_654_435_761) >> 22) - 512.0;
        let rising = (0..100).map(|i| 1000.0 * f64::from(i) + noise(i));
        assert_eq!(saturated_after(rising, 10), None);
        assert!(saturated_after((0..100).map(|i| 50_000.0 + noise(i)), 10).is_some());
    }

    #[test]
    fn the_verdict_comes_after_three_spans_and_stays() {
        let mut flat = Saturation::new(5);
        let verdicts: Vec<bool> = (0..20).map(|i| flat.add(if i < 15 { 7.0 } else { 900.0 })).collect();
        assert_eq!(verdicts.iter().position(|&v| v), Some(14));
        assert!(flat.is_saturated());
    }

    /// A flat span between rising ones is forgotten.
    #[test]
    fn one_flat_span_is_not_enough() {
        let spans = [1.0, 1.0, 5.0, 5.0, 9.0, 9.0, 13.0];
        let curve = |spans: &[f64]| spans.iter().flat_map(|&level| [level; 4]).collect::<Vec<_>>();
        assert_eq!(saturated_after(curve(&spans), 4), None);
        assert_eq!(saturated_after(curve(&[spans.as_slice(), &[13.0, 13.0]].concat()), 4), Some(36));
    }

    /// The state of older checkpoints has no count of flat spans.
    #[test]
    fn older_checkpoints_are_read() {
        let text = r#"{"span":50,"averages":[4893.9],"before":[4800.0,9.5],"saturated":false}"#;
        let read: Saturation = serde_json::from_str(text).unwrap();
        assert_eq!((read.flat, read.before), (0, Some((4800.0, 9.5))));
    }

    /// The average of the training games of four 6-tuples and large tiles with α = .0025, after so
    /// many games: measured here up to 300,000 games, and what Yeh et al. 2016 found after 5 M
    /// (Table 2, 1-ply) and 15 M (Table 1).
    const CURVE: [(f64, f64); 5] =
        [(25e3, 30e3), (100e3, 57.6e3), (300e3, 95.5e3), (5e6, 143_958.0), (15e6, 159_565.0)];
    /// The standard deviation of a score over its mean, from the same games.
    const SPREAD: f64 = 0.45;

    /// Between two points of the curve it rises like a power of the games.
    fn average(games: f64) -> f64 {
        let last = CURVE.len() - 2;
        let i = CURVE.iter().skip(1).position(|&(end, _)| games <= end).unwrap_or(last);
        let ((a, low), (b, high)) = (CURVE[i], CURVE[i + 1]);
        low * (games / a).powf((high / low).ln() / (b / a).ln())
    }

    /// A number with mean 0 and variance 1.
    fn normal(random: &mut Random) -> f64 {
        let uniform = |random: &mut Random| (random.below(1 << 52) + 1) as f64 / (1u64 << 52) as f64;
        (-2.0 * uniform(random).ln()).sqrt() * (std::f64::consts::TAU * uniform(random)).cos()
    }

    /// The test with its usual span agrees with what the paper calls saturated, 5 M games: not
    /// three quarters of a stage earlier.
    #[test]
    fn a_curve_like_the_papers_is_saturated_after_some_five_million_games() {
        let span = Learning::default().saturation;
        let mut random = Random::new(1);
        let mut verdicts: Vec<usize> = (0..101)
            .map(|_| {
                let curve = (0..15_000).map(|i| {
                    let mean = average(1e3 * (f64::from(i) + 0.5));
                    mean * (1.0 + SPREAD / 1_000f64.sqrt() * normal(&mut random))
                });
                saturated_after(curve, span).unwrap_or(15_000)
            })
            .collect();
        verdicts.sort_unstable();
        let [early, median, late] = [10, 50, 90].map(|percent| verdicts[percent]);
        assert!((4_500..=6_000).contains(&median), "{median}");
        assert!(early >= 4_000 && late <= 7_000, "{early} to {late}");
    }
}
