//! Step sizes: the part of an error that moves each weight.
//!
//! **The α trap.** Szubert & Jaśkowski and Yeh et al. quote α *per weight* (.0025);
//! others quote an α that is *divided by m*, the number of active weights (0.1).
//! Here [`StepRule::Fixed`] takes the step per weight, and [`per_weight`] converts.
//!
//! A board with symmetries of its own can activate one entry several times. Then each
//! occurrence is updated in turn, as if they were different weights: the increments add
//! up, and coherence sums count every one of them.

use super::marks::Marks;
use crate::budget::OutOfMemory;
use crate::network::memory::Memory;
use crate::network::{Active, Network};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// The step per weight of a step that is to be shared by `active` weights.
pub fn per_weight(divided: f32, active: usize) -> f32 {
    divided / active as f32
}

/// c = |E|/A: how far the errors of a weight agree; 1 before the first.
#[inline(always)]
fn coherence([e, a]: [f32; 2]) -> f32 {
    if a == 0.0 { 1.0 } else { e.abs() / a }
}

/// Rule that scales the error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepRule {
    /// w += α δ, the same α for every weight.
    Fixed {
        /// α per weight.
        per_weight: f32,
    },
    /// Temporal coherence (Beal & Smith 1999; Jaśkowski 2016): w += (β/m)·(|E|/A)·δ,
    /// then E += δ, A += |δ|.
    ///
    /// E and A are kept for each weight; the ratio is 1 while A is 0.
    Coherence {
        /// β, shared by all m active weights.
        beta: f32,
        /// The share of E and A that is left when the next error is added; 1 forgets nothing.
        kept: f32,
    },
    /// Temporal coherence that also says whose error it was: w += β·(c/Σc)·c·δ with c = |E|/A, then
    /// E += δ, A += |δ|.
    ///
    /// Σc is over the active weights. Where all are as settled as each other this is
    /// [`StepRule::Coherence`]; a weight met for the first time among settled ones is given far
    /// more of the error than the m-th part.
    Credit {
        /// β, as above.
        beta: f32,
        /// The share of E and A that is left when the next error is added, as above.
        kept: f32,
    },
    /// Mayer-Hirshfeld et al.: w += sign(δ)·√(η|δ|) / √n, with n the number of updates of this
    /// weight so far, this one included.
    VisitCount {
        /// η; they use 1.
        eta: f32,
    },
}

/// A rule together with the sums it keeps for every weight.
pub struct StepSize {
    rule: StepRule,
    /// A factor on every step; decay lowers it.
    factor: AtomicU32,
    /// For coherence: E and A, side by side so that they share a cache line.
    sums: Vec<Memory<AtomicU64>>,
    /// For visit counts.
    visits: Vec<Memory<AtomicU32>>,
    /// Marks of what was changed, if asked for.
    marks: OnceLock<Marks>,
    /// The step that made nonsense of what was learned, if there was one.
    diverged: OnceLock<Diverged>,
}

/// An error so large that learning has lost its way: the weights would soon be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Diverged {
    /// The bank of weights.
    pub bank: u8,
    /// The error δ.
    pub error: f32,
    /// V of the position before the step.
    pub value: f32,
}

/// No score is as large, and a step of such an error is far below the largest float.
const LARGEST_ERROR: f32 = 1e30;

impl StepSize {
    /// A rule for this network, its sums zero.
    ///
    /// # Panics
    /// If there is no memory for them; [`StepSize::try_new`] says so instead.
    pub fn new(rule: StepRule, network: &Network) -> Self {
        Self::try_new(rule, network).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A rule for this network, its sums zero and reserved in the [budget](crate::budget).
    pub fn try_new(rule: StepRule, network: &Network) -> Result<Self, OutOfMemory> {
        let banks = network.structure().banks();
        let (sums, visits) = match rule {
            StepRule::Fixed { .. } => (0, 0),
            StepRule::Coherence { .. } | StepRule::Credit { .. } => (banks, 0),
            StepRule::VisitCount { .. } => (0, banks),
        };
        let sums = (0..sums).map(|_| Memory::try_new(network.bank_len())).collect::<Result<_, _>>()?;
        let visits = (0..visits).map(|_| Memory::try_new(network.bank_len())).collect::<Result<_, _>>()?;
        Ok(Self::of(rule, sums, visits))
    }

    fn of(rule: StepRule, sums: Vec<Memory<AtomicU64>>, visits: Vec<Memory<AtomicU32>>) -> Self {
        let factor = AtomicU32::new(1.0f32.to_bits());
        Self { rule, factor, sums, visits, marks: OnceLock::new(), diverged: OnceLock::new() }
    }

    /// A rule that goes on with sums that were saved; `None` if they belong to another rule or
    /// network.
    pub fn with_sums(
        rule: StepRule,
        network: &Network,
        sums: Vec<Memory<AtomicU64>>,
        visits: Vec<Memory<AtomicU32>>,
    ) -> Option<Self> {
        let banks = network.structure().banks();
        let wanted = match rule {
            StepRule::Fixed { .. } => [0, 0],
            StepRule::Coherence { .. } | StepRule::Credit { .. } => [banks, 0],
            StepRule::VisitCount { .. } => [0, banks],
        };
        let same = wanted == [sums.len(), visits.len()]
            && sums.iter().all(|bank| bank.entries().len() == network.bank_len())
            && visits.iter().all(|bank| bank.entries().len() == network.bank_len());
        same.then(|| Self::of(rule, sums, visits))
    }

    /// Reserves the memory of the sums from the bank `first` on, which are to be learned.
    pub fn claim(&self, first: usize) -> Result<(), OutOfMemory> {
        self.sums.iter().skip(first).try_for_each(Memory::claim)?;
        self.visits.iter().skip(first).try_for_each(Memory::claim)
    }

    /// The first error that no weight could follow, if there was one; it was not learned from.
    pub fn diverged(&self) -> Option<&Diverged> {
        self.diverged.get()
    }

    /// Coherence sums for weights whose own are lost, as if they had this coherence |E|/A.
    ///
    /// A weight w that came from zero by whole steps of δ/m was moved by errors that add up to
    /// E = m·w; if only the part `coherence` of them was not taken back, A = |E| / coherence.
    /// Weights that are zero begin anew. `part` is how much of such sums is assumed: with less, what is
    /// learned next counts for more. Banks before `first` are left without: nothing is to be
    /// learned there.
    pub fn assume(&self, network: &Network, first: usize, coherence: f32, part: f32) {
        let errors = part * network.active() as f32;
        for (bank, sums) in self.sums.iter().enumerate().skip(first) {
            for entry in 0..network.bank_len() as u32 {
                let e = errors * network.bank(bank as u8).get(entry);
                sums.set_pair(entry, [e, e.abs() / coherence]);
            }
        }
    }

    /// The rule.
    pub fn rule(&self) -> StepRule {
        self.rule
    }

    /// The factor on every step: 1 unless it was lowered.
    pub fn factor(&self) -> f32 {
        f32::from_bits(self.factor.load(Relaxed))
    }

    /// Sets the factor on every step.
    pub fn set_factor(&self, factor: f32) {
        self.factor.store(factor.to_bits(), Relaxed);
    }

    /// The coherence sums E and A, by bank; empty for other rules.
    pub fn sums(&self) -> &[Memory<AtomicU64>] {
        &self.sums
    }

    /// The visit counts, by bank; empty for other rules.
    pub fn visits(&self) -> &[Memory<AtomicU32>] {
        &self.visits
    }

    /// Room for `more` entries behind each array of sums, for replicas; `false` where there is no
    /// memory for that.
    pub(super) fn extend(&mut self, more: usize) -> bool {
        self.sums.iter_mut().all(|sums| sums.extend(more))
            && self.visits.iter_mut().all(|visits| visits.extend(more))
    }

    /// Marks on the blocks that are updated from now on; the first who asks begins them.
    pub fn marks(&self, network: &Network) -> &Marks {
        self.marks.get_or_init(|| Marks::new(network.structure().banks(), network.bank_len()))
    }

    /// True if changes are to be marked.
    pub(super) fn is_marking(&self) -> bool {
        self.marks.get().is_some()
    }

    /// Asks for the cache lines an update of this point will need.
    #[inline]
    pub fn prefetch(&self, point: &Active) {
        if !self.sums.is_empty() {
            point.prefetch(&self.sums[usize::from(point.bank())]);
        }
        if !self.visits.is_empty() {
            point.prefetch(&self.visits[usize::from(point.bank())]);
        }
    }

    #[cold]
    fn diverge(&self, network: &Network, point: &Active, error: f32) {
        let found = Diverged { bank: point.bank(), error, value: network.sum(point) };
        self.diverged.get_or_init(|| found);
    }

    /// Moves the weights of a point by an error δ.
    #[inline]
    pub fn update(&self, network: &Network, point: &Active, error: f32) {
        if error.is_nan() || error.abs() >= LARGEST_ERROR {
            return self.diverge(network, point, error);
        }
        if network.reads_through(point.bank()) {
            network.touch(point);
        }
        if let Some(marks) = self.marks.get() {
            marks.mark(point);
        }
        match self.rule {
            StepRule::Fixed { per_weight } => network.add(point, self.factor() * per_weight * error),
            StepRule::Coherence { beta, kept } => {
                let step = self.factor() * beta / network.active() as f32 * error;
                let sums = &self.sums[usize::from(point.bank())];
                point.update_with_pairs(network.bank(point.bank()), sums, |weight, [e, a]| {
                    (weight + step * coherence([e, a]), [kept * e + error, kept * a + error.abs()])
                });
            }
            StepRule::Credit { beta, kept } => {
                let sums = &self.sums[usize::from(point.bank())];
                let all = point.sum_of_pairs(sums, coherence);
                // If all have come to rest, nobody moves.
                let step = if all > 0.0 { self.factor() * beta / all * error } else { 0.0 };
                point.update_with_pairs(network.bank(point.bank()), sums, |weight, [e, a]| {
                    let c = coherence([e, a]);
                    (weight + step * c * c, [kept * e + error, kept * a + error.abs()])
                });
            }
            StepRule::VisitCount { eta } => {
                let step = self.factor() * (eta * error.abs()).sqrt().copysign(error);
                let visits = &self.visits[usize::from(point.bank())];
                point.update_both(network.bank(point.bank()), visits, |weight, n| {
                    (weight + step / (n + 1.0).sqrt(), n + 1.0)
                });
            }
        }
    }
}
