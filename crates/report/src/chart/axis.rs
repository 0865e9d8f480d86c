//! Round numbers along an axis.

use super::super::draw::width;
use super::super::text::number;
use super::super::{Axis, Unit};

/// An axis with its ends chosen: where values lie, and which of them bear a number.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    /// The lowest value.
    pub(super) low: f64,
    /// The highest value.
    pub(super) high: f64,
    /// The values that bear a number, round ones.
    pub(super) ticks: Vec<f64>,
    logarithmic: bool,
    unit: Unit,
    short: bool,
}

impl Scale {
    /// A scale for values between these, with at most so many ticks. If `whole`, it ends at ticks.
    pub(super) fn new(axis: &Axis, [low, high]: [f64; 2], most: usize, whole: bool, short: bool) -> Self {
        let logarithmic = axis.logarithmic && low > 0.0 && high > low;
        let (mut low, mut high) = (low, high);
        if axis.zero && !logarithmic {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        if !(low.is_finite() && high.is_finite()) {
            (low, high) = (0.0, 1.0);
        }
        if high <= low {
            high = low + if low == 0.0 { 1.0 } else { low.abs() * 0.1 };
        }
        let ticks = if logarithmic { powers(low, high, most) } else { round(low, high, most, whole) };
        if whole && !logarithmic {
            (low, high) = (ticks[0].min(low), ticks[ticks.len() - 1].max(high));
        }
        Self { low, high, ticks, logarithmic, unit: axis.unit, short }
    }

    /// The scale with the most ticks whose numbers stand clear of each other on so many units of
    /// width.
    pub(super) fn fitting(
        axis: &Axis,
        ends: [f64; 2],
        room: f64,
        size: f64,
        whole: bool,
        short: bool,
    ) -> Self {
        let fits = |scale: &Self| {
            let ends: Vec<[f64; 2]> = scale
                .ticks
                .iter()
                .map(|&tick| {
                    let (middle, half) = (scale.share(tick) * room, width(&scale.label(tick), size) / 2.0);
                    [middle - half, middle + half]
                })
                .collect();
            ends.windows(2).all(|pair| pair[0][1] + size * 0.8 < pair[1][0])
        };
        let mut scales = (2..=9).rev().map(|most| Self::new(axis, ends, most, whole, short));
        scales.find(fits).unwrap_or_else(|| Self::new(axis, ends, 2, whole, short))
    }

    /// Position of a value: 0 at the low end, 1 at the high one.
    pub(super) fn share(&self, value: f64) -> f64 {
        let of = |value: f64| if self.logarithmic { value.max(f64::MIN_POSITIVE).ln() } else { value };
        (of(value) - of(self.low)) / (of(self.high) - of(self.low))
    }

    /// The number of a tick as it is written.
    pub(super) fn label(&self, tick: f64) -> String {
        let largest = self.ticks.iter().fold(0.0f64, |most, tick| most.max(tick.abs()));
        let (divisor, suffix) = match (self.unit, largest) {
            (Unit::Share, _) => (0.01, " %"),
            (_, 2e6..) => (1e6, " M"),
            (_, 1e4..) if self.short => (1e3, " k"),
            _ => (1.0, ""),
        };
        if tick == 0.0 {
            return "0".into();
        }
        let digits = |tick: f64| {
            let value = tick / divisor;
            (0..6).find(|&digits| {
                ((value * 10f64.powi(digits)).round() / 10f64.powi(digits) - value).abs()
                    <= 1e-9 * value.abs()
            })
        };
        let digits = if self.logarithmic {
            digits(tick).unwrap_or(6)
        } else {
            self.ticks.iter().map(|&tick| digits(tick).unwrap_or(6)).max().unwrap_or(0)
        };
        number(tick / divisor, digits as usize) + suffix
    }
}

/// Multiples of 1, 2, 2.5 or 5 times a power of ten: at most `most` of them between the ends, or
/// around them if `whole`.
fn round(low: f64, high: f64, most: usize, whole: bool) -> Vec<f64> {
    let power = ((high - low) / most.max(1) as f64).log10().floor() as i32;
    let steps =
        (power - 1..power + 4).flat_map(|power| [1.0, 2.0, 2.5, 5.0].map(|step| step * 10f64.powi(power)));
    let most = most.max(if low < 0.0 && high > 0.0 { 3 } else { 2 });
    let mut best = vec![low, high];
    for step in steps {
        let slack = 1e-9;
        let (first, last) = if whole {
            ((low / step + slack).floor(), (high / step - slack).ceil())
        } else {
            ((low / step - slack).ceil(), (high / step + slack).floor())
        };
        let count = last - first + 1.0;
        if count <= most as f64 {
            if count >= 1.0 {
                best = (0..count as i64).map(|i| (first + i as f64) * step).collect();
            }
            break;
        }
    }
    best
}

/// Powers of ten between the ends, and 2 and 5 times them where there is room.
fn powers(low: f64, high: f64, most: usize) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let within = |factors: &[f64], stride: usize| -> Vec<f64> {
        let powers = (first..=last).step_by(stride);
        let all = powers.flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)));
        all.filter(|tick| (low * 0.999..=high * 1.001).contains(tick)).collect()
    };
    let choices =
        [(&[1.0, 2.0, 5.0][..], 1), (&[1.0, 3.0], 1), (&[1.0], 1), (&[1.0], 2), (&[1.0], 3), (&[1.0], 6)];
    let found = choices.into_iter().map(|(factors, stride)| within(factors, stride));
    let fitting = found.into_iter().find(|ticks| ticks.len() <= most.max(2) && !ticks.is_empty());
    fitting.unwrap_or_else(|| vec![low, high])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(axis: &Axis, ends: [f64; 2], most: usize) -> Vec<String> {
        let scale = Scale::new(axis, ends, most, true, false);
        scale.ticks.iter().map(|&tick| scale.label(tick)).collect()
    }

    #[test]
    fn numbers_as_people_would_choose_them() {
        assert_eq!(
            labels(&Axis::new(""), [0.0, 51_320.0], 7),
            ["0", "10,000", "20,000", "30,000", "40,000", "50,000", "60,000"]
        );
        assert_eq!(labels(&Axis::share(""), [0.0, 0.97], 6), ["0", "20 %", "40 %", "60 %", "80 %", "100 %"]);
        assert_eq!(labels(&Axis::new(""), [0.0, 5e6], 6), ["0", "1 M", "2 M", "3 M", "4 M", "5 M"]);
        assert_eq!(labels(&Axis::new(""), [0.0, 0.0], 3), ["0", "0.5", "1.0"]);
        let open = Axis { zero: false, ..Axis::new("") };
        assert_eq!(labels(&open, [7.0, 7.0], 3), ["7.0", "7.5", "8.0"]);
        let log = Axis { logarithmic: true, zero: false, ..Axis::new("") };
        let scale = Scale::new(&log, [0.001, 1.0], 5, false, false);
        assert_eq!(
            scale.ticks.iter().map(|&tick| scale.label(tick)).collect::<Vec<_>>(),
            ["0.001", "0.01", "0.1", "1"]
        );
        assert!((scale.share(0.1) - 2.0 / 3.0).abs() < 1e-9);
    }

    /// True if a number is 1, 2, 2.5 or 5 times a power of ten.
    fn is_round(step: f64) -> bool {
        let power = 10f64.powf(step.log10().floor());
        [1.0, 2.0, 2.5, 5.0, 10.0].iter().any(|wanted| (step / power - wanted).abs() < 1e-6)
    }

    proptest! {
        #[test]
        fn ticks_are_round_evenly_spaced_and_not_too_many(
            low in -1e5..1e5f64, size in -1.0..8.0f64, most in 3usize..10, whole: bool, zero: bool,
        ) {
            let high = low + 10f64.powf(size);
            let scale = Scale::new(&Axis { zero, ..Axis::new("") }, [low, high], most, whole, false);
            let Scale { ticks, .. } = &scale;
            prop_assert!(!ticks.is_empty() && ticks.len() <= most, "{ticks:?}");
            prop_assert!(scale.low <= low && scale.high >= high);
            prop_assert!(ticks.windows(2).all(|pair| pair[0] < pair[1]));
            if let [first, second, ..] = ticks[..] {
                // Large numbers close together: their difference is only nearly the step.
                let step = format!("{:.6e}", second - first).parse::<f64>().unwrap();
                prop_assert!(is_round(step), "step {step}");
                for pair in ticks.windows(2) {
                    prop_assert!((pair[1] - pair[0] - step).abs() < 1e-6 * step.max(1e-9) + 1e-6 * low.abs() * f64::EPSILON.sqrt());
                }
                for tick in ticks {
                    prop_assert!((tick / step - (tick / step).round()).abs() < 1e-6, "{tick} is no multiple of {step}");
                }
            }
            for tick in ticks {
                prop_assert!(whole || (-1e-6..=1.000001).contains(&scale.share(*tick)), "{tick} is outside");
            }
            if whole {
                prop_assert!(ticks[0] <= low + 1e-6 * (high - low) && ticks[ticks.len() - 1] >= high - 1e-6 * (high - low));
            }
        }

        #[test]
        fn labels_tell_ticks_apart(low in 0.0..1e6f64, size in -2.0..7.0f64, most in 3usize..9) {
            let axis = Axis { zero: false, ..Axis::new("") };
            let labels = labels(&axis, [low, low + 10f64.powf(size)], most);
            for pair in labels.windows(2) {
                prop_assert_ne!(&pair[0], &pair[1]);
            }
        }
    }
}
