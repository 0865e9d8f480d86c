//! A step size that follows a schedule over the budget of a run.

use serde::{Deserialize, Serialize};

/// The factor on every step by the share of games played.
///
/// ```
/// use afterstate_lab::recipe::Schedule;
/// let schedule: Schedule = "1 .2@.8 .04@.96".to_string().try_into().unwrap();
/// assert_eq!([0.0, 0.79, 0.8, 0.97].map(|share| schedule.factor(share)), [1.0, 1.0, 0.2, 0.04]);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Schedule {
    text: String,
    /// From which share on, which factor; shares grow from 0.
    steps: Vec<(f64, f32)>,
}

impl Schedule {
    /// The factor when this share of the games is played.
    pub fn factor(&self, share: f64) -> f32 {
        let begun = self.steps.iter().rev().find(|(from, _)| *from <= share);
        begun.map_or(1.0, |(_, factor)| *factor)
    }
}

impl TryFrom<String> for Schedule {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let wrong = |what: &str| format!("'{}': {what}; write it like 1 .2@.8 .04@.96", text.escape_debug());
        let mut steps: Vec<(f64, f32)> = Vec::new();
        for (i, part) in text.split_whitespace().enumerate() {
            let (factor, from) = part.split_once('@').unwrap_or((part, "0"));
            let factor = factor.parse().ok().filter(|factor: &f32| factor.is_finite() && *factor > 0.0);
            let from = from.parse().ok().filter(|from: &f64| (0.0..1.0).contains(from));
            let (Some(factor), Some(from)) = (factor, from) else {
                return Err(wrong("a factor above 0 and the share from which it holds, 0 to 1"));
            };
            let later = steps.last().is_none_or(|(before, _)| *before < from);
            if (i == 0) != (from == 0.0) || !later {
                return Err(wrong(
                    "the first factor holds from the start, each other one from a later share",
                ));
            }
            steps.push((from, factor));
        }
        if steps.is_empty() {
            return Err(wrong("no factor in it"));
        }
        Ok(Self { text, steps })
    }
}

impl From<Schedule> for String {
    fn from(schedule: Schedule) -> Self {
        schedule.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused_with_an_example() {
        for text in
            ["", "x", "1 .2", "1@.5", "1 .2@.8 .1@.7", "1 .2@1", "0", "1 -1@.5", "1 nan@.5", "inf", "1 .2@0"]
        {
            let error = Schedule::try_from(text.to_string()).unwrap_err();
            assert!(error.contains(".2@.8"), "{text}: {error}");
        }
    }
}
