//! Forward view: a weighted sum of n-step returns.

use super::Rule;
use crate::learn::Learner;
use crate::network::Active;
use std::collections::VecDeque;

/// The weights of R¹ … Rⁿ in the λ-return cut off after n steps (Yeh et al. 2016, equation 6):
/// (1 − λ) λᵏ⁻¹, and the rest λⁿ⁻¹ on the last.
///
/// ```
/// use afterstate::learn::target::lambda_weights;
/// assert_eq!(lambda_weights(0.5, 5), [0.5, 0.25, 0.125, 0.0625, 0.0625]);
/// ```
pub fn lambda_weights(lambda: f32, steps: usize) -> Vec<f32> {
    let mut weights: Vec<f32> = (0..steps).map(|k| (1.0 - lambda) * lambda.powi(k as i32)).collect();
    weights[steps - 1] = lambda.powi(steps as i32 - 1);
    weights
}

/// Pulls xₜ towards Σ wₖ Rᵏₜ. Returns that reach beyond the end of the game are the return to the end.
///
/// V(xₜ₊ₖ) in a return is the value at the time it was visited. When the update waits for
/// the end of the game, that is the value under the weights that played the whole game.
pub struct Returns {
    weights: Vec<f32>,
    after_game: bool,
    /// The points not yet updated, oldest first.
    waiting: VecDeque<Step>,
    /// Entry buffers to use again.
    spare: Vec<Active>,
}

struct Step {
    point: Active,
    /// Since the point before.
    reward: f32,
    value: f32,
}

impl Returns {
    /// A rule with the weights of R¹ … Rⁿ.
    pub fn new(weights: Vec<f32>, after_game: bool) -> Self {
        assert!(!weights.is_empty(), "at least one return");
        Self { weights, after_game, waiting: VecDeque::new(), spare: Vec::new() }
    }

    /// Learns the oldest waiting point; `end` is the final reward, if the game is over.
    fn learn_oldest(&mut self, learner: &Learner, end: Option<f32>) {
        let Some(oldest) = self.waiting.pop_front() else { return };
        let mut target = 0.0;
        let mut rewards = 0.0;
        for (k, weight) in self.weights.iter().enumerate() {
            match self.waiting.get(k) {
                Some(step) => {
                    rewards += step.reward;
                    target += weight * (rewards + step.value);
                }
                None => {
                    // This and all longer returns end with the game.
                    let rest: f32 = self.weights[k..].iter().sum();
                    target += rest * (rewards + end.unwrap_or(0.0));
                    break;
                }
            }
        }
        learner.learn(&oldest.point, target);
        self.spare.push(oldest.point);
    }
}

impl Rule for Returns {
    #[inline]
    fn visit(&mut self, learner: &Learner, point: &mut Active, reward: f32, value: f32) {
        if let [weight] = self.weights[..]
            && !self.after_game
            && let Some(last) = self.waiting.front_mut()
        {
            // TD(0), the common case, without moving anything but the entries.
            learner.learn(&last.point, weight * (reward + value));
            std::mem::swap(&mut last.point, point);
            (last.reward, last.value) = (reward, value);
            return learner.step_size.prefetch(&last.point);
        }
        let mut kept = self.spare.pop().unwrap_or_default();
        std::mem::swap(&mut kept, point);
        if !self.after_game {
            learner.step_size.prefetch(&kept);
        }
        self.waiting.push_back(Step { point: kept, reward, value });
        if !self.after_game && self.waiting.len() > self.weights.len() {
            self.learn_oldest(learner, None);
        }
    }

    fn end(&mut self, learner: &Learner, reward: f32) {
        while !self.waiting.is_empty() {
            if self.after_game
                && let Some(later) = self.waiting.get(4)
            {
                learner.network.prefetch(&later.point);
                learner.step_size.prefetch(&later.point);
            }
            self.learn_oldest(learner, Some(reward));
        }
    }
}
