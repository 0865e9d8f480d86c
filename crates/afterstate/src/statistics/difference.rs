//! Differences of two samples, their intervals, and the number of games that would settle them.
//!
//! References:
//! - B. L. Welch, *The generalization of "Student's" problem when several different population
//!   variances are involved*, Biometrika 34 (1947): the interval of a difference of means;
//! - R. G. Newcombe, *Interval estimation for the difference between independent proportions:
//!   comparison of eleven methods*, Statistics in Medicine 17 (1998), method 10: the same for
//!   proportions;
//! - M. Abramowitz, I. A. Stegun, *Handbook of Mathematical Functions* (1964), 26.7.5: Student's
//!   distribution.

use super::{Interval, Moments, Proportion, Z95};

/// The 80 % point of the normal distribution: the power that sizes of experiments are planned for.
const Z80: f64 = 0.841_621_233_572_914_3;

/// The difference of two means, second minus first.
///
/// ```
/// use afterstate::statistics::{Difference, Moments};
/// let first: Moments = [1.0, 2.0, 3.0, 4.0].into_iter().collect();
/// let second: Moments = [6.0, 7.0, 8.0, 9.0].into_iter().collect();
/// let difference = Difference::of(&first, &second).unwrap();
/// assert_eq!(difference.mean, 5.0);
/// assert!(difference.ci95().low > 0.0); // the second is larger, and it is no accident
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// Difference of the means, second less first.
    pub mean: f64,
    /// The standard error of that.
    pub error: f64,
    /// The degrees of freedom of the error (Welch, Satterthwaite).
    pub freedom: f64,
}

impl Difference {
    /// The difference of two independent samples; `None` if one of them has fewer than two values.
    pub fn of(first: &Moments, second: &Moments) -> Option<Self> {
        let part =
            |sample: &Moments| Some((sample.std()?.powi(2) / sample.count() as f64, sample.count() - 1));
        let ((a, a_free), (b, b_free)) = (part(first)?, part(second)?);
        let squares = a * a / a_free as f64 + b * b / b_free as f64;
        let freedom = if squares > 0.0 { (a + b).powi(2) / squares } else { (a_free + b_free) as f64 };
        Some(Self { mean: second.mean() - first.mean(), error: (a + b).sqrt(), freedom })
    }

    /// The 95 % interval of the difference.
    pub fn ci95(&self) -> Interval {
        let margin = student95(self.freedom) * self.error;
        Interval { low: self.mean - margin, high: self.mean + margin }
    }

    /// True if the 95 % interval excludes zero: a difference, not an accident.
    pub fn is_found(&self) -> bool {
        self.mean != 0.0 && !self.ci95().contains(0.0)
    }

    /// The smallest true difference that samples like these find four times in five.
    pub fn detectable(&self) -> f64 {
        (Z95 + Z80) * self.error
    }
}

/// Games each side must play so that a true difference as large as the one seen is found four times
/// in five: (z₀.₉₇₅ + z₀.₈)² (s₁² + s₂²) / d².
///
/// `None` if no difference was seen at all.
pub fn games_to_settle(first: &Moments, second: &Moments) -> Option<u64> {
    let apart = second.mean() - first.mean();
    let spread = first.std()?.powi(2) + second.std()?.powi(2);
    let games = ((Z95 + Z80) / apart).powi(2) * spread;
    (apart != 0.0 && games < 1e18).then(|| (games.ceil() as u64).max(2))
}

/// Difference of two rates, second less first, with its 95 % interval (Newcombe's, from Wilson's).
pub fn rate_difference(first: &Proportion, second: &Proportion) -> (f64, Interval) {
    let (p, q) = (first.rate(), second.rate());
    let (one, two) = (first.ci95(), second.ci95());
    let apart = q - p;
    let below = ((q - two.low).powi(2) + (one.high - p).powi(2)).sqrt();
    let above = ((two.high - q).powi(2) + (p - one.low).powi(2)).sqrt();
    (apart, Interval { low: (apart - below).max(-1.0), high: (apart + above).min(1.0) })
}

/// The 97.5 % point of Student's distribution; below four degrees of freedom rounded up, to be on
/// the safe side.
fn student95(freedom: f64) -> f64 {
    const FEW: [f64; 3] = [12.706_204_736, 4.302_652_730, 3.182_446_305];
    if freedom < 4.0 {
        return FEW[(freedom.floor() as usize).clamp(1, 3) - 1];
    }
    let z = Z95;
    let terms = [
        z,
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5) - 1920.0 * z.powi(3) - 945.0 * z)
            / 92160.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| sum / freedom + term)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn students_points_are_those_of_the_tables() {
        for (freedom, point) in [
            (1.0, 12.706),
            (2.9, 4.303),
            (4.0, 2.776),
            (5.0, 2.571),
            (10.0, 2.228),
            (30.0, 2.042),
            (1e6, 1.960),
        ] {
            let ours = student95(freedom);
            assert!((ours - point).abs() < 0.002 * point, "{freedom}: {ours}");
        }
    }

    /// Worked by hand: variances 5/3 and 20/3 over 4 values each.
    #[test]
    fn a_difference_worked_by_hand() {
        let first: Moments = [1.0, 2.0, 3.0, 4.0].into_iter().collect();
        let second: Moments = [2.0, 4.0, 6.0, 8.0].into_iter().collect();
        let difference = Difference::of(&first, &second).unwrap();
        assert!((difference.mean - 2.5).abs() < 1e-12);
        assert!((difference.error - (25.0_f64 / 12.0).sqrt()).abs() < 1e-12);
        // (25/12)² / ((5/12)²/3 + (20/12)²/3) = 75/17.
        assert!((difference.freedom - 75.0 / 17.0).abs() < 1e-9, "{}", difference.freedom);
        assert!(!difference.is_found());
        // (1.96 + 0.8416)² · 25/3 / 6.25 = 10.47.
        assert_eq!(games_to_settle(&first, &second), Some(11));
    }

    #[test]
    fn little_data_claims_little() {
        let one: Moments = [5.0].into_iter().collect();
        let two: Moments = [5.0, 5.0].into_iter().collect();
        assert_eq!(Difference::of(&one, &two), None);
        let same = Difference::of(&two, &two).unwrap();
        assert!(!same.is_found() && same.ci95().contains(0.0));
        assert_eq!(games_to_settle(&two, &two), None);
    }

    #[test]
    fn differences_of_rates_as_published() {
        // Newcombe 1998, table II, method 10: 56/70 against 48/80, 9/10 against 3/10, 10/10 against
        // 0/10.
        for (a, b, low, high) in [
            ((48, 80), (56, 70), 0.0524, 0.3339),
            ((3, 10), (9, 10), 0.1705, 0.8090),
            ((0, 10), (10, 10), 0.6075, 1.0),
        ] {
            let of = |(hits, trials)| Proportion { hits, trials };
            let (_, interval) = rate_difference(&of(a), &of(b));
            assert!((interval.low - low).abs() < 1e-3 && (interval.high - high).abs() < 1e-3, "{interval:?}");
        }
    }

    /// Scores like those of 2048: most of a score is its largest tile, so they come in heaps, and
    /// the top is rare.
    fn score(random: &mut Random, shares: [f64; 4]) -> f64 {
        let at = random.unit();
        let mut sum = 0.0;
        let heap = shares.iter().position(|share| {
            sum += share;
            at < sum
        });
        HEAPS[heap.unwrap_or(3)] * (0.6 + 0.8 * random.unit())
    }

    const HEAPS: [f64; 4] = [14_000.0, 60_000.0, 130_000.0, 280_000.0];

    fn truth(shares: [f64; 4]) -> f64 {
        HEAPS.iter().zip(shares).map(|(heap, share)| heap * share).sum()
    }

    /// The promise: 95 of 100 intervals hold the truth, and equals are told apart 5 times in 100
    /// only.
    #[test]
    fn intervals_of_differences_cover_what_they_claim() {
        const TIMES: usize = 4_000;
        let (weak, strong) = ([0.3, 0.5, 0.19, 0.01], [0.1, 0.4, 0.45, 0.05]);
        let mut random = Random::new(7);
        let mut sample =
            |games: usize, shares| -> Moments { (0..games).map(|_| score(&mut random, shares)).collect() };
        for (games, shares) in
            [([60, 150], [weak, strong]), ([100, 100], [strong, strong]), ([300, 80], [weak, weak])]
        {
            let apart = truth(shares[1]) - truth(shares[0]);
            let (mut covered, mut found) = (0, 0);
            for _ in 0..TIMES {
                let (first, second) = (sample(games[0], shares[0]), sample(games[1], shares[1]));
                let difference = Difference::of(&first, &second).unwrap();
                covered += usize::from(difference.ci95().contains(apart));
                found += usize::from(difference.is_found());
            }
            let share = |n: usize| n as f64 / TIMES as f64;
            assert!((0.93..=0.97).contains(&share(covered)), "{games:?}: covered {}", share(covered));
            if apart == 0.0 {
                assert!(share(found) < 0.07, "{games:?}: equals told apart {}", share(found));
            } else {
                assert!(share(found) > 0.9, "{games:?}: stronger found {}", share(found));
            }
        }
    }

    #[test]
    fn intervals_of_rates_cover_what_they_claim() {
        let mut random = Random::new(8);
        let mut covered = 0;
        for _ in 0..4_000 {
            let mut of = |trials, p| Proportion {
                hits: (0..trials).filter(|_| random.unit() < p).count() as u64,
                trials,
            };
            let (first, second) = (of(80, 0.05), of(120, 0.2));
            covered += usize::from(rate_difference(&first, &second).1.contains(0.15));
        }
        assert!((0.93..=0.97).contains(&(covered as f64 / 4_000.0)), "{covered}");
    }

    /// As many games as it says find the difference four times in five.
    #[test]
    fn the_number_of_games_settles_it() {
        let (weak, strong) = ([0.3, 0.5, 0.19, 0.01], [0.2, 0.5, 0.28, 0.02]);
        let mut random = Random::new(9);
        let mut sample =
            |games: u64, shares| -> Moments { (0..games).map(|_| score(&mut random, shares)).collect() };
        // From very many games, the difference seen is the true one.
        let games = games_to_settle(&sample(400_000, weak), &sample(400_000, strong)).unwrap();
        let found = (0..500)
            .filter(|_| Difference::of(&sample(games, weak), &sample(games, strong)).unwrap().is_found());
        let share = found.count() as f64 / 500.0;
        assert!((0.74..=0.86).contains(&share), "{games} games found it {share}");
    }
}
