//! Quantised networks: 16-bit integer weights, for play.
//!
//! Learning needs the last bits of a weight, play does not. A quantised network has half the size
//! of the one it was made from, so that fewer cache lines have to be fetched for a leaf, and it
//! sums integers: the order of a sum does not matter, and a value is the same on every machine.
//!
//! ```text
//! V(s′) = unit · Σ q << shift        q: 16 bits, shift: one for each table, unit: a power of two
//! ```
//!
//! `unit << shift` is the *step* of a table: the smallest power of two for which its largest weight
//! fits into 16 bits. A weight is off by at most half a step ([`QuantizedNetwork::error_bound`]).
//!
//! Where a stage has four sets of weights, the four weights of an entry lie side by side in 64
//! bits. A search of Threes meets most boards with every announced tile in turn: the board is
//! looked up once and judged four times.

use super::index::Plan;
use super::memory::Memory;
use super::stage::Stage;
use super::{Active, Network, Sets, Structure};
use crate::grid::View;
use crate::random::split_mix;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Entries that are looked at together: 4 KiB of weights, a page.
const BLOCK: usize = 1024;
/// Zeros behind the last entry, which vector code may read.
const PADDING: usize = 16;

/// A network of 16-bit weights, which can play and not learn.
pub struct QuantizedNetwork {
    structure: Structure,
    plan: Plan,
    stages: Vec<StageWeights>,
    #[cfg(target_arch = "x86_64")]
    gather: Option<super::gather::QuantizedGather>,
}

/// The weights of one stage.
pub(super) struct StageWeights {
    pub(super) unit: f32,
    /// By entry of a position.
    pub(super) shifts: Vec<u32>,
    pub(super) weights: Weights,
}

/// Weights by entry.
pub(super) enum Weights {
    /// One set.
    Single(Memory<AtomicU16>),
    /// Four sets, the first in the lowest bits.
    Quad(Memory<AtomicU64>),
}

impl QuantizedNetwork {
    /// Quantises a network, stage by stage, and gives back the memory of each as it goes.
    ///
    /// Promotion ends here: a stage gets the weights that it would read from the stage before.
    pub fn new(mut network: Network) -> Self {
        network.materialize_promotions(0..network.structure.stages.count() as u8);
        let Network { structure, plan, banks, .. } = network;
        let mut banks = banks.into_iter();
        let mut stages = Vec::with_capacity(structure.stages.count());
        for _ in 0..structure.stages.count() {
            let sets: Vec<_> = banks.by_ref().take(structure.sets.count()).collect();
            stages.push(StageWeights::new(&plan, sets));
        }
        Self {
            #[cfg(target_arch = "x86_64")]
            gather: super::gather::QuantizedGather::of(&structure, &plan, &stages),
            structure,
            plan,
            stages,
        }
    }

    /// The structure of the network.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// The largest rank the network knows; see [`Network::largest_rank`].
    pub fn largest_rank(&self) -> Option<u8> {
        self.structure.largest_rank()
    }

    /// The bank that judges a position of a game in this stage.
    #[inline(always)]
    pub fn bank_of(&self, view: &View<'_>, stage: Stage) -> u8 {
        self.structure.sets.bank(stage, view)
    }

    /// An upper bound of |V − V of the network this was made from|, by stage, without rounding of
    /// floats.
    pub fn error_bound(&self, stage: Stage) -> f32 {
        let stage = &self.stages[usize::from(stage)];
        stage.shifts.iter().map(|shift| (1u64 << shift) as f32 * stage.unit / 2.0).sum()
    }

    /// V of the position whose entries these are, found by [`QuantizedNetwork::activate`].
    pub fn sum(&self, active: &Active) -> f32 {
        let (stage, set) = self.split(active.bank());
        self.stages[stage].value(self.stages[stage].sums(active)[set])
    }

    /// Finds the entries of a position in a bank.
    #[inline(always)]
    pub fn activate(&self, view: &View<'_>, bank: u8, active: &mut Active) {
        self.plan.fill(view, None, active.open(bank, self.plan.active));
        active.seal(self.plan.len as u32);
    }

    /// Appends V of many 4×4 boards, each with its bank: exactly what [`QuantizedNetwork::sum`]
    /// gives, faster.
    ///
    /// `false`, and nothing done, where there is no fast way for this network on this processor.
    #[inline]
    pub fn sums<'a>(&self, boards: impl Iterator<Item = (&'a [u8; 16], u8)>, values: &mut Vec<f32>) -> bool {
        #[cfg(target_arch = "x86_64")]
        if let Some(gather) = &self.gather {
            gather.values(&self.stages, boards.map(|(cells, bank)| (cells, self.split(bank))), values);
            return true;
        }
        let _ = (boards, values);
        false
    }

    /// A number that tells the weights from others'.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = self.structure.weights() as u64;
        let mut mix = |place: usize, weight: u64| {
            let mut mixed = hash ^ (place as u64).rotate_left(40) ^ weight;
            hash = split_mix(&mut mixed);
        };
        for stage in &self.stages {
            mix(0, stage.unit.to_bits().into());
            stage.shifts.iter().for_each(|&shift| mix(0, shift.into()));
            match &stage.weights {
                Weights::Single(weights) => {
                    weights.entries().iter().enumerate().for_each(|(place, weight)| {
                        let weight = weight.load(Relaxed);
                        if weight != 0 {
                            mix(place, weight.into());
                        }
                    })
                }
                Weights::Quad(weights) => weights.entries().iter().enumerate().for_each(|(place, weight)| {
                    let weight = weight.load(Relaxed);
                    if weight != 0 {
                        mix(place, weight);
                    }
                }),
            }
        }
        hash
    }

    /// The stage and the set within it of a bank.
    #[inline(always)]
    fn split(&self, bank: u8) -> (usize, usize) {
        match self.structure.sets {
            Sets::One => (bank.into(), 0),
            Sets::Actions | Sets::Hints => (usize::from(bank / 4), usize::from(bank % 4)),
        }
    }
}

impl StageWeights {
    fn new(plan: &Plan, mut sets: Vec<Memory<AtomicU32>>) -> Self {
        let sets: Vec<&[f32]> = sets.iter_mut().map(Memory::floats).collect();
        let largest: Vec<f32> = (0..plan.tables.len())
            .map(|table| sets.iter().map(|set| largest_of(&set[plan.range(table)])).fold(0.0, f32::max))
            .collect();
        let steps: Vec<i32> = largest.iter().map(|&most| step_of(most)).collect();
        // The sum of the largest weights must not overflow 31 bits.
        let most: f64 = plan.entry_tables.iter().map(|&table| f64::from(largest[usize::from(table)])).sum();
        let least = (most / f64::from(1 << 30)).log2().ceil().max(-60.0) as i32;
        let unit = steps.iter().copied().min().unwrap_or(0).max(least);
        let steps: Vec<i32> = steps.into_iter().map(|step| step.max(unit)).collect();
        let len = plan.len + PADDING;
        let weights = match sets.len() {
            1 => Weights::Single(Memory::lazy(len)),
            _ => Weights::Quad(Memory::lazy(len)),
        };
        let mut block = [[0u16; BLOCK]; 4];
        for (table, &step) in steps.iter().enumerate() {
            let scale = (-step as f32).exp2();
            let Range { start, end } = plan.range(table);
            for at in (start..end).step_by(BLOCK) {
                let at = at..end.min(at + BLOCK);
                for (block, set) in block.iter_mut().zip(&sets) {
                    quantize(&set[at.clone()], scale, block);
                }
                // Blocks that hold only zeros take no memory.
                if block.as_flattened().iter().fold(0, |all, weight| all | weight) != 0 {
                    weights.store(at, &block);
                }
            }
        }
        let shifts =
            plan.entry_tables.iter().map(|&table| (steps[usize::from(table)] - unit) as u32).collect();
        Self { unit: (unit as f32).exp2(), shifts, weights }
    }

    /// The number of entries, padding included.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn len(&self) -> usize {
        match &self.weights {
            Weights::Single(weights) => weights.len(),
            Weights::Quad(weights) => weights.len(),
        }
    }

    #[inline(always)]
    pub(super) fn value(&self, sum: i32) -> f32 {
        self.unit * sum as f32
    }

    /// The sums of all sets; one set gives the first number.
    fn sums(&self, active: &Active) -> [i32; 4] {
        let entries =
            active.entries().iter().zip(&self.shifts).map(|(&entry, shift)| (entry as usize, shift));
        let mut sums = [0i32; 4];
        match &self.weights {
            Weights::Single(weights) => {
                for (entry, shift) in entries {
                    sums[0] += i32::from(weights.entries()[entry].load(Relaxed) as i16) << shift;
                }
            }
            Weights::Quad(weights) => {
                for (entry, shift) in entries {
                    let four = weights.entries()[entry].load(Relaxed);
                    for (set, sum) in sums.iter_mut().enumerate() {
                        *sum += i32::from((four >> (16 * set)) as i16) << shift;
                    }
                }
            }
        }
        sums
    }
}

impl Weights {
    /// Stores a block of weights, one list for each set.
    fn store(&self, at: Range<usize>, block: &[[u16; BLOCK]; 4]) {
        match self {
            Self::Single(weights) => {
                for (entry, &weight) in weights.entries()[at].iter().zip(&block[0]) {
                    entry.store(weight, Relaxed);
                }
            }
            Self::Quad(weights) => {
                for (i, entry) in weights.entries()[at].iter().enumerate() {
                    let four = [3, 2, 1, 0]
                        .iter()
                        .fold(0, |four, &set: &usize| four << 16 | u64::from(block[set][i]));
                    entry.store(four, Relaxed);
                }
            }
        }
    }
}

/// The multiples of a step that are nearest to these weights; `scale` is one by the step.
fn quantize(weights: &[f32], scale: f32, quantized: &mut [u16; BLOCK]) {
    for (weight, quantized) in weights.iter().zip(quantized) {
        let steps = weight * scale;
        *quantized = (steps + 0.5f32.copysign(steps)) as i32 as u16;
    }
}

/// The largest magnitude of these weights.
fn largest_of(weights: &[f32]) -> f32 {
    // The bits of a float without its sign are ordered like the floats, and compared several at a
    // time.
    f32::from_bits(weights.iter().fold(0, |most, weight| most.max(weight.to_bits() & !(1 << 31))))
}

/// The exponent of the smallest power of two of which the largest weight is at most 32767.
fn step_of(largest: f32) -> i32 {
    if largest == 0.0 {
        return 0;
    }
    let mut step = (largest / 32767.0).log2().floor() as i32 - 1;
    while largest * (-step as f32).exp2() > 32767.0 {
        step += 1;
    }
    step.max(-60)
}

impl std::fmt::Debug for QuantizedNetwork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QuantizedNetwork").field("structure", &self.structure).finish_non_exhaustive()
    }
}
