//! Delayed TD(λ), as in Jaśkowski's delayed temporal coherence learning (2016).

use super::Rule;
use crate::learn::Learner;
use crate::network::Active;
use std::collections::VecDeque;

/// Keeps the errors δ of the last h steps, each measured when it happened, and updates
/// the oldest point with Σ λᵏ δₜ₊ₖ.
///
/// λʰ is small enough (h = ⌈log_λ 0.1⌉ = 4 for λ = .5) that what is cut off hardly matters.
pub struct Delayed {
    lambda: f32,
    horizon: usize,
    /// Points and the errors that followed them; the newest point has none yet.
    waiting: VecDeque<(Active, f32)>,
    spare: Vec<Active>,
}

impl Delayed {
    /// A rule with this λ that collects `horizon` errors before it updates.
    pub fn new(lambda: f32, horizon: usize) -> Self {
        assert!(horizon > 0, "at least one error");
        Self { lambda, horizon, waiting: VecDeque::new(), spare: Vec::new() }
    }

    fn learn_oldest(&mut self, learner: &Learner) {
        let discounted = self
            .waiting
            .iter()
            .take(self.horizon)
            .rev()
            .fold(0.0, |sum, (_, error)| sum * self.lambda + error);
        if let Some((point, _)) = self.waiting.pop_front() {
            learner.step_size.update(&learner.network, &point, discounted);
            self.spare.push(point);
        }
    }

    fn set_last_error(&mut self, learner: &Learner, target: f32) {
        if let Some((point, error)) = self.waiting.back_mut() {
            *error = target - learner.value(point);
        }
    }
}

impl Rule for Delayed {
    fn visit(&mut self, learner: &Learner, point: &mut Active, reward: f32, value: f32) {
        self.set_last_error(learner, reward + value);
        if self.waiting.len() >= self.horizon {
            self.learn_oldest(learner);
        }
        let mut kept = self.spare.pop().unwrap_or_default();
        std::mem::swap(&mut kept, point);
        learner.step_size.prefetch(&kept);
        self.waiting.push_back((kept, 0.0));
    }

    fn end(&mut self, learner: &Learner, reward: f32) {
        self.set_last_error(learner, reward);
        while !self.waiting.is_empty() {
            self.learn_oldest(learner);
        }
    }
}
