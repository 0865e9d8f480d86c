//! Learning from play, as a product of independent choices.
//!
//! A game played with learning is a sequence of *points* x₀, x₁, … with rewards between
//! them. These choices combine freely:
//!
//! | choice | options | where |
//! |---|---|---|
//! | points | afterstates, states, actions | [`greedy`] |
//! | target of a point | TD(0), n-step, truncated λ; backward λ; delayed λ; whole expectations | [`target`] |
//! | step size | fixed α, temporal coherence, credit by it, visit counts; decay | [`step_size`] |
//! | start of games | afresh, from given or generated boards, from the middle of the last game | [`start`] |
//! | end of games | at their end, or cut at a sub-goal | [`crate::task`] |
//! | memory of later stages | nothing, their first boards; starts from them in turn | [`stage_starts`] |
//!
//! With the active entries φ of a point, every rule ends in the two lines of the textbook:
//!
//! ```text
//! δ = target − V(φ)
//! θ[φ] += α δ
//! ```
//!
//! The first line is [`Learner::learn`], the second [`StepSize::update`].

pub mod greedy;
pub mod marks;
pub(crate) mod replicas;
pub mod stage_starts;
pub mod start;
pub mod step_size;
pub mod target;

use crate::budget::OutOfMemory;
use crate::network::{Active, Network};
use step_size::StepSize;

/// A network that learns.
pub struct Learner {
    /// The weights θ.
    pub network: Network,
    /// Step size of the updates.
    pub step_size: StepSize,
}

impl Learner {
    /// Reserves all memory of the banks from `first` on, which are to be learned.
    pub fn claim(&self, first: usize) -> Result<(), OutOfMemory> {
        self.network.claim(first)?;
        self.step_size.claim(first)
    }

    /// Has all memory of the banks from `first` on ready: worth its time before a long training,
    /// not before a few games.
    pub fn populate(&self, first: usize) {
        let banks = first..self.network.structure().banks();
        banks.for_each(|bank| self.network.bank(bank as u8).populate());
        self.step_size.sums().iter().skip(first).for_each(|sums| sums.populate());
        self.step_size.visits().iter().skip(first).for_each(|visits| visits.populate());
    }

    /// Gives each of `threads` threads that learn together a replica of the entries they all meet
    /// on every move, so that none waits for the others.
    ///
    /// One thread needs none.
    pub fn replicate(&mut self, threads: usize) {
        if threads > 1
            && self.network.replicate(threads)
            && !self.step_size.extend(self.network.replica_room())
        {
            self.network.forget_replicas();
        }
    }

    /// True if this many threads can learn in replicas.
    pub(crate) fn has_replicas(&self, threads: usize) -> bool {
        threads > 1 && self.network.replicas() >= threads && !self.step_size.is_marking()
    }

    /// V(x), with the weights as they are now.
    #[inline]
    pub fn value(&self, point: &Active) -> f32 {
        self.network.sum(point)
    }

    /// Moves V(x) towards `target`; returns the error δ before the update.
    #[inline]
    pub fn learn(&self, point: &Active, target: f32) -> f32 {
        let error = target - self.value(point);
        self.step_size.update(&self.network, point, error);
        error
    }
}
