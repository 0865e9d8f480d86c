//! When learning no longer improves: the test that lowers the step size or ends a stage.

use serde::{Deserialize, Serialize};

/// Watches the averages of every 1,000 games.
///
/// With `span` = k: learning is *saturated* when the mean of the last k averages does not
/// exceed the mean of the k before them by more than one standard error of that difference.
/// The test is made at every k-th average, on whole spans, and its verdict is final.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saturation {
    span: usize,
    averages: Vec<f64>,
    before: Option<(f64, f64)>,
    saturated: bool,
}

impl Saturation {
    /// A test on spans of this many averages.
    pub fn new(span: usize) -> Self {
        Self { span, averages: Vec::new(), before: None, saturated: false }
    }

    /// One more average; whether learning is saturated now.
    pub fn add(&mut self, average: f64) -> bool {
        self.averages.push(average);
        if self.averages.len() == self.span {
            let n = self.span as f64;
            let mean = self.averages.iter().sum::<f64>() / n;
            let variance = self.averages.iter().map(|a| (a - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
            if let Some((mean_before, variance_before)) = self.before {
                let error = ((variance + variance_before) / n).sqrt();
                self.saturated |= mean - mean_before <= error;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rising_curve_is_not_saturated_and_a_flat_one_is() {
        let noise = |i: u32| f64::from(i.wrapping_mul(2_654_435_761) >> 22) - 512.0;
        let mut rising = Saturation::new(10);
        let mut flat = Saturation::new(10);
        for i in 0..100 {
            assert!(!rising.add(1000.0 * f64::from(i) + noise(i)));
            flat.add(50_000.0);
        }
        assert!(flat.is_saturated());
        assert!(!rising.is_saturated());
    }

    #[test]
    fn the_verdict_comes_after_two_spans() {
        let mut flat = Saturation::new(5);
        let verdicts: Vec<bool> = (0..10).map(|_| flat.add(7.0)).collect();
        assert_eq!(verdicts.iter().position(|&v| v), Some(9));
    }
}
