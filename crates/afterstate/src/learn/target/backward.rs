//! TD(λ) backwards over a finished game.

use super::Rule;
use crate::learn::Learner;
use crate::network::{Active, ActiveList};

/// From the last point to the first, with vₜ₊₁ the value of the successor *after* its own update:
///
/// ```text
/// z_T = the final reward
/// zₜ = rₜ₊₁ + λ zₜ₊₁ + (1 − λ) vₜ₊₁
/// δ = zₜ − V(φₜ),   θ[φₜ] += α δ
/// ```
///
/// News from the end of the game travels to its beginning in one sweep.
pub struct Backward {
    lambda: f32,
    points: ActiveList,
    rewards: Vec<f32>,
    point: Active,
}

/// Number of steps ahead of an update that its cache lines are asked for.
const AHEAD: usize = 3;

impl Backward {
    /// A rule with this λ.
    pub fn new(lambda: f32) -> Self {
        Self { lambda, points: ActiveList::default(), rewards: Vec::new(), point: Active::default() }
    }
}

impl Rule for Backward {
    #[inline]
    fn visit(&mut self, _: &Learner, point: &mut Active, reward: f32, _: f32) {
        self.points.push(point);
        self.rewards.push(reward);
    }

    fn end(&mut self, learner: &Learner, reward: f32) {
        let mut target = reward;
        for t in (0..self.points.len()).rev() {
            if let Some(early) = t.checked_sub(AHEAD) {
                self.points.load(early, &mut self.point);
                learner.network.prefetch(&self.point);
                learner.step_size.prefetch(&self.point);
            }
            self.points.load(t, &mut self.point);
            learner.learn(&self.point, target);
            let value = learner.value(&self.point);
            target = self.rewards[t] + self.lambda * target + (1.0 - self.lambda) * value;
        }
        self.points.clear();
        self.rewards.clear();
    }
}
