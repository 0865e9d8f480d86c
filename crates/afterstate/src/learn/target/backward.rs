//! TD(λ) backwards over a finished game.

use super::Rule;
use crate::learn::Learner;
use crate::network::Active;

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
    /// The entries of all points, one after the other.
    entries: Vec<u32>,
    banks: Vec<u8>,
    rewards: Vec<f32>,
    point: Active,
}

/// How many steps ahead of an update its cache lines are asked for.
const AHEAD: usize = 3;

impl Backward {
    /// A rule with this λ.
    pub fn new(lambda: f32) -> Self {
        Self { lambda, entries: Vec::new(), banks: Vec::new(), rewards: Vec::new(), point: Active::default() }
    }

    /// Copies the entries of point `t` into `self.point`.
    fn load(&mut self, t: usize, active: usize) {
        self.point.bank = self.banks[t];
        self.point.entries.clear();
        self.point.entries.extend_from_slice(&self.entries[t * active..(t + 1) * active]);
    }
}

impl Rule for Backward {
    #[inline]
    fn visit(&mut self, _: &Learner, point: &mut Active, reward: f32, _: f32) {
        self.entries.extend_from_slice(&point.entries);
        self.banks.push(point.bank);
        self.rewards.push(reward);
    }

    fn end(&mut self, learner: &Learner, reward: f32) {
        let active = learner.network.active();
        let points = self.banks.len();
        let mut target = reward;
        for t in (0..points).rev() {
            if let Some(early) = t.checked_sub(AHEAD) {
                self.load(early, active);
                learner.network.prefetch(&self.point);
                learner.step_size.prefetch(&self.point);
            }
            self.load(t, active);
            learner.learn(&self.point, target);
            let value = learner.value(&self.point);
            target = self.rewards[t] + self.lambda * target + (1.0 - self.lambda) * value;
        }
        self.entries.clear();
        self.banks.clear();
        self.rewards.clear();
    }
}
