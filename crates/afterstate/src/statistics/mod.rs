//! Numbers about many games, each with its uncertainty.
//!
//! Everything here is plain arithmetic on samples. [`Moments`] and [`Proportion`]
//! can be merged: what two halves of an experiment know together is what one run
//! would have known, so shards may be played on different machines.
//!
//! References:
//! - B. P. Welford, *Note on a method for calculating corrected sums of squares and
//!   products*, Technometrics 4 (1962): the running mean and deviation;
//! - T. F. Chan, G. H. Golub, R. J. LeVeque, *Updating formulae and a pairwise algorithm
//!   for computing sample variances*, Stanford STAN-CS-79-773 (1979): merging them;
//! - E. B. Wilson, *Probable inference, the law of succession, and statistical
//!   inference*, JASA 22 (1927): the interval of a proportion;
//! - L. D. Brown, T. T. Cai, A. DasGupta, *Interval estimation for a binomial
//!   proportion*, Statistical Science 16 (2001): why Wilson's and not the textbook's.

mod difference;

pub use difference::{Difference, games_to_settle, rate_difference};

/// The 97.5 % point of the normal distribution: 95 % lie within this many deviations.
pub const Z95: f64 = 1.959_963_984_540_054;

/// A range that holds the true value in 95 of 100 experiments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// True if the value lies within, the ends included.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Half its width: the number behind a ±.
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// Count, mean, deviation, minimum and maximum of a sample, one value at a time.
///
/// ```
/// use afterstate::statistics::Moments;
/// let all: Moments = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().collect();
/// assert_eq!(all.mean(), 5.0);
/// assert!((all.std().unwrap() - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moments {
    count: u64,
    mean: f64,
    /// The sum of squared distances from the mean.
    squares: f64,
    min: f64,
    max: f64,
}

impl Default for Moments {
    fn default() -> Self {
        Self { count: 0, mean: 0.0, squares: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY }
    }
}

impl Moments {
    /// Adds one value (Welford 1962).
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let from_old = value - self.mean;
        self.mean += from_old / self.count as f64;
        self.squares += from_old * (value - self.mean);
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    /// Adds another sample (Chan, Golub & LeVeque 1979).
    pub fn merge(&mut self, other: &Moments) {
        let count = self.count + other.count;
        if other.count > 0 {
            let apart = other.mean - self.mean;
            let share = other.count as f64 / count as f64;
            self.squares += other.squares + apart * apart * self.count as f64 * share;
            self.mean += apart * share;
        }
        self.count = count;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// Number of values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean; 0 of an empty sample.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The standard deviation (divisor n − 1); `None` below two values.
    pub fn std(&self) -> Option<f64> {
        (self.count >= 2).then(|| (self.squares / (self.count - 1) as f64).sqrt())
    }

    /// The smallest value.
    pub fn min(&self) -> Option<f64> {
        (self.count > 0).then_some(self.min)
    }

    /// The largest value.
    pub fn max(&self) -> Option<f64> {
        (self.count > 0).then_some(self.max)
    }

    /// The 95 % interval of the mean, x̄ ± 1.96 s / √n; `None` below two values.
    ///
    /// By the central limit theorem; from about 30 games on it is as good as it claims.
    pub fn ci95(&self) -> Option<Interval> {
        let margin = Z95 * self.std()? / (self.count as f64).sqrt();
        Some(Interval { low: self.mean - margin, high: self.mean + margin })
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut moments = Moments::default();
        values.into_iter().for_each(|value| moments.add(value));
        moments
    }
}

/// Rate of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Proportion {
    /// The times it happened.
    pub hits: u64,
    /// The times it could have.
    pub trials: u64,
}

impl Proportion {
    /// Adds another sample.
    pub fn merge(&mut self, other: &Proportion) {
        self.hits += other.hits;
        self.trials += other.trials;
    }

    /// The observed share; 0 without trials.
    pub fn rate(&self) -> f64 {
        if self.trials == 0 { 0.0 } else { self.hits as f64 / self.trials as f64 }
    }

    /// Wilson's 95 % interval; `0..=1` without trials.
    ///
    /// Unlike p̂ ± 1.96 √(p̂(1−p̂)/n) it stays within 0 and 1 and is honest about
    /// what was seen never or always:
    ///
    /// ```
    /// use afterstate::statistics::Proportion;
    /// let never = Proportion { hits: 0, trials: 100 }.ci95();
    /// assert_eq!(never.low, 0.0);
    /// assert!((never.high - 0.0370).abs() < 1e-4);
    /// ```
    pub fn ci95(&self) -> Interval {
        if self.trials == 0 {
            return Interval { low: 0.0, high: 1.0 };
        }
        let (n, p, zz) = (self.trials as f64, self.rate(), Z95 * Z95);
        let center = (p + zz / (2.0 * n)) / (1.0 + zz / n);
        let margin = Z95 / (1.0 + zz / n) * (p * (1.0 - p) / n + zz / (4.0 * n * n)).sqrt();
        Interval {
            low: if self.hits == 0 { 0.0 } else { (center - margin).max(0.0) },
            high: if self.hits == self.trials { 1.0 } else { (center + margin).min(1.0) },
        }
    }
}

/// The games in one block of [`maxima`].
pub const BLOCK: usize = 100;

/// The largest value of every full block of 100, in order: the papers' "maximum score".
///
/// Wu et al. 2014 and Yeh et al. 2016 report the average of these. An incomplete
/// last block does not count.
pub fn maxima(values: &[u64]) -> impl Iterator<Item = u64> + '_ {
    values.chunks_exact(BLOCK).map(|block| block.iter().copied().max().unwrap_or(0))
}

/// The middle value, or the mean of the two in the middle; `None` of an empty sample.
pub fn median(values: &[u64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let mut values = values.to_vec();
    let middle = values.len() / 2;
    let odd = values.len() % 2 == 1;
    let (below, &mut upper, _) = values.select_nth_unstable(middle);
    let lower = if odd { upper } else { below.iter().copied().max().unwrap_or(upper) };
    Some((lower as f64 + upper as f64) / 2.0)
}

/// Statistics of one quantity over many games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Distribution {
    /// Count, mean, deviation, minimum and maximum.
    pub moments: Moments,
    /// The middle value.
    pub median: f64,
    /// Moments of the maximum of every 100 games; empty below 100 games.
    pub max_of_100: Moments,
}

impl Distribution {
    /// Describes a sample in the order it was played; `None` if it is empty.
    ///
    /// ```
    /// use afterstate::statistics::Distribution;
    /// let d = Distribution::of(&(1..=200).collect::<Vec<_>>()).unwrap();
    /// assert_eq!(d.median, 100.5);
    /// assert_eq!(d.max_of_100.mean(), 150.0); // of 100 and 200
    /// ```
    pub fn of(values: &[u64]) -> Option<Self> {
        Some(Self {
            median: median(values)?,
            moments: values.iter().map(|&value| value as f64).collect(),
            max_of_100: maxima(values).map(|value| value as f64).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use proptest::prelude::*;

    #[test]
    fn a_sample_worked_by_hand() {
        let d = Distribution::of(&[4, 1, 3, 2, 10]).unwrap();
        assert_eq!((d.moments.count(), d.moments.mean(), d.median), (5, 4.0, 3.0));
        assert_eq!((d.moments.min(), d.moments.max()), (Some(1.0), Some(10.0)));
        // Squares: 0 + 9 + 1 + 4 + 36 = 50, variance 12.5.
        assert!((d.moments.std().unwrap() - 12.5_f64.sqrt()).abs() < 1e-12);
        let margin = 1.959964 * 12.5_f64.sqrt() / 5.0_f64.sqrt();
        let ci = d.moments.ci95().unwrap();
        assert!((ci.margin() - margin).abs() < 1e-5 && (ci.low + margin - 4.0).abs() < 1e-5);
        assert_eq!(d.max_of_100.count(), 0);
    }

    #[test]
    fn little_data_claims_little() {
        assert_eq!(Distribution::of(&[]), None);
        let one = Distribution::of(&[7]).unwrap();
        assert_eq!((one.median, one.moments.std(), one.moments.ci95()), (7.0, None, None));
        assert_eq!(Moments::default().min(), None);
        assert_eq!(Proportion::default().ci95(), Interval { low: 0.0, high: 1.0 });
    }

    #[test]
    fn wilson_as_published() {
        // Brown, Cai & DasGupta's formula worked out for 8 of 10 and 15 of 50.
        let ci = |hits, trials| Proportion { hits, trials }.ci95();
        let close =
            |i: Interval, low: f64, high: f64| (i.low - low).abs() < 1e-4 && (i.high - high).abs() < 1e-4;
        assert!(close(ci(8, 10), 0.4902, 0.9433), "{:?}", ci(8, 10));
        assert!(close(ci(15, 50), 0.1910, 0.4375), "{:?}", ci(15, 50));
        assert_eq!((ci(0, 9).low, ci(9, 9).high), (0.0, 1.0));
    }

    #[test]
    fn an_incomplete_block_does_not_count() {
        let values: Vec<u64> = (0..250).map(|i| if i >= 200 { 1000 } else { i }).collect();
        assert_eq!(maxima(&values).collect::<Vec<_>>(), [99, 199]);
        assert_eq!(maxima(&values[..99]).count(), 0);
    }

    /// In 2,000 experiments of 60 draws each, the intervals must hold the truth about 95 % of the
    /// time.
    #[test]
    fn intervals_cover_what_they_claim() {
        let mut random = Random::new(11);
        let (mut means, mut rates) = (0, 0);
        for _ in 0..2000 {
            // A skewed quantity with mean 1/3, and a coin with p = 0.2.
            let sample: Moments = (0..60).map(|_| random.unit().powi(2)).collect();
            means += u32::from(sample.ci95().unwrap().contains(1.0 / 3.0));
            let hits = (0..60).filter(|_| random.unit() < 0.2).count() as u64;
            rates += u32::from(Proportion { hits, trials: 60 }.ci95().contains(0.2));
        }
        // Three deviations of a share of .95 in 2000 are .015; skewness costs a little more.
        for share in [f64::from(means) / 2000.0, f64::from(rates) / 2000.0] {
            assert!((0.925..=0.970).contains(&share), "covered {share}");
        }
    }

    proptest! {
        #[test]
        fn two_halves_know_what_the_whole_knows(values in prop::collection::vec(-1e6..1e6f64, 1..200), cut in 0usize..200) {
            let cut = cut.min(values.len());
            let whole: Moments = values.iter().copied().collect();
            let mut merged: Moments = values[..cut].iter().copied().collect();
            merged.merge(&values[cut..].iter().copied().collect());
            prop_assert_eq!(merged.count(), whole.count());
            prop_assert_eq!((merged.min(), merged.max()), (whole.min(), whole.max()));
            prop_assert!((merged.mean() - whole.mean()).abs() < 1e-6);
            prop_assert!((merged.std().unwrap_or(0.0) - whole.std().unwrap_or(0.0)).abs() < 1e-6);
        }

        #[test]
        fn the_median_is_that_of_the_sorted_sample(values in prop::collection::vec(0u64..1000, 1..60)) {
            let mut sorted = values.clone();
            sorted.sort_unstable();
            let n = sorted.len();
            let slow = (sorted[(n - 1) / 2] + sorted[n / 2]) as f64 / 2.0;
            prop_assert_eq!(median(&values), Some(slow));
        }

        #[test]
        fn wilson_holds_the_observed_rate(hits in 0u64..500, more in 0u64..500) {
            let p = Proportion { hits, trials: hits + more };
            let ci = p.ci95();
            prop_assert!(ci.contains(p.rate()) && ci.low >= 0.0 && ci.high <= 1.0);
        }
    }
}
