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

use super::filling::Filling;
use super::index::{HALF_LINE, Plan};
use super::memory::{Entry, Memory};
use super::sparse::{Listed, Outline, Sparse};
use super::stage::Stage;
use super::{Active, LARGE, Network, Sets, Structure};
use crate::budget::OutOfMemory;
use crate::grid::View;
use crate::random::split_mix;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Entries that are looked at together: 4 KiB of weights, a page.
const BLOCK: usize = 1024;
/// Zeros behind the last entry, which vector code may read.
pub(super) const PADDING: usize = 16;

/// A network of 16-bit weights, which can play and not learn.
pub struct QuantizedNetwork {
    structure: Structure,
    plan: Plan,
    /// The weights of its stages, which related games share.
    stages: Arc<[StageWeights]>,
    /// Points of this network for one point of the weights.
    factor: f32,
    #[cfg(target_arch = "x86_64")]
    gather: Option<super::gather::QuantizedGather>,
}

/// What a network for play is to save.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Favour {
    /// Time: every weight has a place, zeros too. For many games.
    Speed,
    /// Memory, and the time until it is ready: zeros are left out where they are many; a search
    /// takes two to three times as long. For hints.
    Memory,
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
    Single(Store<AtomicU16>),
    /// Four sets, the first in the lowest bits.
    Quad(Store<AtomicU64>),
}

/// An array with its zeros or without.
pub(super) enum Store<T: Entry> {
    /// All entries, and some zeros behind them.
    Whole(Memory<T>),
    /// Those that are not zero.
    Sparse(Sparse<T>),
}

impl<T: Entry> Store<T> {
    fn bytes(&self) -> u64 {
        match self {
            Self::Whole(weights) => weights.reserved_bytes(),
            Self::Sparse(weights) => weights.bytes(),
        }
    }

    #[inline(always)]
    fn prefetch(&self, active: &Active) {
        match self {
            Self::Whole(weights) => active.prefetch(weights),
            Self::Sparse(weights) => weights.prefetch(active.entries()),
        }
    }

    /// Every entry that may be something else than zero, in order.
    fn each(&self, mut work: impl FnMut(usize, T::Bits)) {
        match self {
            Self::Whole(weights) => {
                weights.entries().iter().enumerate().for_each(|(entry, weight)| work(entry, weight.bits()));
            }
            Self::Sparse(weights) => weights.each(work),
        }
    }
}

impl QuantizedNetwork {
    /// Quantises a network, stage by stage, and gives back the memory of each as it goes.
    ///
    /// Promotion ends here: a stage gets the weights that it would read from the stage before.
    pub fn new(mut network: Network) -> Result<Self, OutOfMemory> {
        network.materialize_promotions(0..network.structure.stages.count() as u8)?;
        let Network { structure, plan, banks, .. } = network;
        let mut banks = banks.into_iter();
        let mut stages = Vec::with_capacity(structure.stages.count());
        for _ in 0..structure.stages.count() {
            let sets: Vec<_> = banks.by_ref().take(structure.sets.count()).collect();
            stages.push(StageWeights::new(&plan, sets)?);
        }
        Ok(Self::of(structure, plan, stages))
    }

    pub(super) fn of(structure: Structure, plan: Plan, stages: Vec<StageWeights>) -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            gather: super::gather::QuantizedGather::of(&structure, &plan, &stages),
            structure,
            plan,
            stages: stages.into(),
            factor: 1.0,
        }
    }

    /// The network for a game whose points are so many for one of these, over the same weights.
    #[must_use]
    pub fn scaled(&self, factor: f32) -> Self {
        Self { factor: self.factor * factor, ..self.sharing(self.structure.clone()) }
    }

    /// The network for the transposed board, over the same weights; see [`Network::transposed`].
    #[must_use]
    pub fn transposed(&self) -> Self {
        self.sharing(self.structure.transposed())
    }

    /// A network of this structure, which has the same tables, over the same weights.
    fn sharing(&self, structure: Structure) -> Self {
        let plan = structure.plan();
        assert_eq!(plan.len, self.plan.len, "a network of the same tables");
        Self {
            #[cfg(target_arch = "x86_64")]
            gather: super::gather::QuantizedGather::of(&structure, &plan, &self.stages),
            structure,
            plan,
            stages: Arc::clone(&self.stages),
            factor: self.factor,
        }
    }

    /// The weights of its stages.
    pub(super) fn stages(&self) -> &[StageWeights] {
        &self.stages
    }

    /// Points of this network for one point of the weights.
    pub(super) fn factor(&self) -> f32 {
        self.factor
    }

    /// Bytes of memory that the weights take.
    pub fn memory(&self) -> u64 {
        let bytes = |stage: &StageWeights| match &stage.weights {
            Weights::Single(weights) => weights.bytes(),
            Weights::Quad(weights) => weights.bytes(),
        };
        self.stages.iter().map(bytes).sum()
    }

    /// The structure of the network.
    #[inline]
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
        self.factor * stage.shifts.iter().map(|shift| (1u64 << shift) as f32 * stage.unit / 2.0).sum::<f32>()
    }

    /// V of the position whose entries these are, found by [`QuantizedNetwork::activate`].
    pub fn sum(&self, active: &Active) -> f32 {
        let (stage, set) = self.split(active.bank());
        self.factor * self.stages[stage].value(self.stages[stage].sums(active)[set])
    }

    /// Finds the entries of a position in a bank.
    #[inline(always)]
    pub fn activate(&self, view: &View<'_>, bank: u8, active: &mut Active) {
        self.plan.fill_shown(&self.structure, view, bank, None, active.open(bank, self.plan.active));
        active.seal(self.plan.len as u32);
    }

    /// Asks for the cache lines of these entries, if the network is larger than the caches.
    #[inline(always)]
    pub fn prefetch_if_large(&self, active: &Active) {
        if self.plan.len < LARGE {
            return;
        }
        match &self.stages[self.split(active.bank()).0].weights {
            Weights::Single(weights) => weights.prefetch(active),
            Weights::Quad(weights) => weights.prefetch(active),
        }
    }

    /// Appends V of many 4×4 boards, each with its bank: exactly what [`QuantizedNetwork::sum`]
    /// gives, faster.
    ///
    /// `false`, and nothing done, where there is no fast way for this network on this processor.
    #[inline]
    pub fn sums<'a>(&self, boards: impl Iterator<Item = (&'a [u8; 16], u8)>, values: &mut Vec<f32>) -> bool {
        #[cfg(target_arch = "x86_64")]
        if let Some(gather) = &self.gather {
            let boards = boards.map(|(&cells, bank)| (self.structure.shown(bank, cells), self.split(bank)));
            gather.values(&self.stages, self.factor, boards, values);
            return true;
        }
        let _ = (boards, values);
        false
    }

    /// A number that tells the weights from others'.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = self.structure.weights() as u64 ^ u64::from((self.factor - 1.0).to_bits());
        let mut mix = |place: usize, weight: u64| {
            let mut mixed = hash ^ (place as u64).rotate_left(40) ^ weight;
            hash = split_mix(&mut mixed);
        };
        for stage in self.stages.iter() {
            mix(0, stage.unit.to_bits().into());
            stage.shifts.iter().for_each(|&shift| mix(0, shift.into()));
            let mut add = |place: usize, weight: u64| {
                if weight != 0 {
                    mix(place, weight);
                }
            };
            match &stage.weights {
                Weights::Single(weights) => weights.each(|place, weight| add(place, weight.into())),
                Weights::Quad(weights) => weights.each(add),
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
    fn new(plan: &Plan, mut sets: Vec<Memory<AtomicU32>>) -> Result<Self, OutOfMemory> {
        let sets: Vec<&[f32]> = sets.iter_mut().map(Memory::floats).collect();
        let mut largest = vec![0.0f32; plan.tables.len()];
        for (area, set) in plan.areas.iter().flat_map(|area| sets.iter().map(move |set| (area, set))) {
            for (half, weights) in set[area.places.clone()].chunks(HALF_LINE).enumerate() {
                let most = &mut largest[area.tables[half % 2]];
                *most = most.max(largest_of(weights));
            }
        }
        let Steps { unit, steps } = Steps::of(plan, &largest);
        let len = plan.len + PADDING;
        let weights = match sets.len() {
            1 => Weights::Single(Store::Whole(Memory::try_lazy(len)?)),
            _ => Weights::Quad(Store::Whole(Memory::try_lazy(len)?)),
        };
        let mut block = [[0u16; BLOCK]; 4];
        for area in &plan.areas {
            let scales = area.tables.map(|table| (-steps[table] as f32).exp2());
            let Range { start, end } = area.places;
            for at in (start..end).step_by(BLOCK) {
                let at = at..end.min(at + BLOCK);
                for (block, set) in block.iter_mut().zip(&sets) {
                    quantize(&set[at.clone()], scales, block);
                }
                // Blocks that hold only zeros take no memory.
                if block.as_flattened().iter().fold(0, |all, weight| all | weight) != 0 {
                    weights.reserve(at.len())?;
                    weights.store(at, &block);
                }
            }
        }
        Ok(Self::with_steps(plan, &Steps { unit, steps }, weights))
    }

    /// One or four sets of weights of which those are listed that are not zero.
    pub(super) fn of_listed(plan: &Plan, sets: &[Listed], favour: Favour) -> Result<Self, OutOfMemory> {
        let largest_of = |list: &Vec<(u32, f32)>| list.iter().fold(0.0f32, |most, (_, w)| most.max(w.abs()));
        let largest = |table: usize| sets.iter().map(|set| largest_of(&set[table])).fold(0.0, f32::max);
        let steps = Steps::of(plan, &(0..plan.tables.len()).map(largest).collect::<Vec<_>>());
        let weights = if sets.len() == 1 {
            Weights::Single(stored(plan, &steps, sets, favour, |entry: &AtomicU16, weight, _| {
                entry.store(weight, Relaxed);
            })?)
        } else {
            Weights::Quad(stored(plan, &steps, sets, favour, |entry: &AtomicU64, weight, set| {
                entry.store(entry.load(Relaxed) | u64::from(weight) << (16 * set), Relaxed);
            })?)
        };
        Ok(Self::with_steps(plan, &steps, weights))
    }

    fn with_steps(plan: &Plan, steps: &Steps, weights: Weights) -> Self {
        let shift = |&table: &u16| (steps.steps[usize::from(table)] - steps.unit) as u32;
        let shifts = plan.entry_tables.iter().map(shift).collect();
        // They are read in no order: with pages of the usual size most reads miss the processor's
        // list of them.
        match &weights {
            Weights::Single(Store::Whole(weights)) => weights.collapse(),
            Weights::Quad(Store::Whole(weights)) => weights.collapse(),
            Weights::Single(Store::Sparse(_)) | Weights::Quad(Store::Sparse(_)) => 0,
        };
        Self { unit: (steps.unit as f32).exp2(), shifts, weights }
    }

    /// True if there is a weight for every entry of a position, and where there are all of them a
    /// zero behind the last.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn holds(&self, plan: &Plan) -> bool {
        match &self.weights {
            Weights::Single(Store::Whole(weights)) => weights.len() > plan.len,
            Weights::Quad(Store::Whole(weights)) => weights.len() > plan.len,
            Weights::Single(Store::Sparse(weights)) => weights.holds(plan.len),
            Weights::Quad(Store::Sparse(weights)) => weights.holds(plan.len),
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
            Weights::Single(Store::Whole(weights)) => {
                for (entry, shift) in entries {
                    sums[0] += i32::from(weights.entries()[entry].load(Relaxed) as i16) << shift;
                }
            }
            Weights::Quad(Store::Whole(weights)) => {
                for (entry, shift) in entries {
                    add_four(&mut sums, weights.entries()[entry].load(Relaxed), *shift);
                }
            }
            Weights::Single(Store::Sparse(weights)) => {
                for (entry, shift) in entries {
                    sums[0] += i32::from(weights.get(entry) as i16) << shift;
                }
            }
            Weights::Quad(Store::Sparse(weights)) => {
                for (entry, shift) in entries {
                    add_four(&mut sums, weights.get(entry), *shift);
                }
            }
        }
        sums
    }
}

/// Adds the weights of four sets.
#[inline(always)]
pub(super) fn add_four(sums: &mut [i32; 4], four: u64, shift: u32) {
    for (set, sum) in sums.iter_mut().enumerate() {
        *sum += i32::from((four >> (16 * set)) as i16) << shift;
    }
}

/// Exponents of the steps of all tables, and the smallest of them.
struct Steps {
    unit: i32,
    steps: Vec<i32>,
}

impl Steps {
    /// The finest steps that hold the largest weights of the tables.
    fn of(plan: &Plan, largest: &[f32]) -> Self {
        let steps: Vec<i32> = largest.iter().map(|&most| step_of(most)).collect();
        // The sum of the largest weights must not overflow 31 bits.
        let most: f64 = plan.entry_tables.iter().map(|&table| f64::from(largest[usize::from(table)])).sum();
        let least = (most / f64::from(1 << 30)).log2().ceil().max(-60.0) as i32;
        let unit = steps.iter().copied().min().unwrap_or(0).max(least);
        Self { unit, steps: steps.into_iter().map(|step| step.max(unit)).collect() }
    }
}

impl Weights {
    /// Reserves the memory of so many entries.
    fn reserve(&self, entries: usize) -> Result<(), OutOfMemory> {
        match self {
            Self::Single(Store::Whole(weights)) => weights.reserve(2 * entries as u64),
            Self::Quad(Store::Whole(weights)) => weights.reserve(8 * entries as u64),
            Self::Single(Store::Sparse(_)) | Self::Quad(Store::Sparse(_)) => Ok(()),
        }
    }

    /// Stores a block of weights, one list for each set.
    fn store(&self, at: Range<usize>, block: &[[u16; BLOCK]; 4]) {
        match self {
            Self::Single(Store::Whole(weights)) => {
                for (entry, &weight) in weights.entries()[at].iter().zip(&block[0]) {
                    entry.store(weight, Relaxed);
                }
            }
            Self::Quad(Store::Whole(weights)) => {
                for (i, entry) in weights.entries()[at].iter().enumerate() {
                    let four = [3, 2, 1, 0]
                        .iter()
                        .fold(0, |four, &set: &usize| four << 16 | u64::from(block[set][i]));
                    entry.store(four, Relaxed);
                }
            }
            Self::Single(Store::Sparse(_)) | Self::Quad(Store::Sparse(_)) => {}
        }
    }
}

/// Listed weights of one or four sets, without their zeros where those are many.
fn stored<T: Entry>(
    plan: &Plan,
    steps: &Steps,
    sets: &[Listed],
    favour: Favour,
    store: impl Fn(&T, u16, usize),
) -> Result<Store<T>, OutOfMemory> {
    let outline = (favour == Favour::Memory).then(|| Outline::of(plan, sets));
    if let Some(outline) = outline.filter(|outline| outline.is_thin(size_of::<T>())) {
        let weights = Sparse::new(&outline)?;
        drop(outline);
        for (set, listed) in sets.iter().enumerate() {
            each_listed(plan, steps, listed, |entry, weight| {
                store(weights.at(entry), weight, set);
                Ok(())
            })?;
        }
        return Ok(Store::Sparse(weights));
    }
    let weights = Memory::try_lazy(plan.len + PADDING)?;
    for (set, listed) in sets.iter().enumerate() {
        let mut filling = Filling::new(&weights);
        each_listed(plan, steps, listed, |entry, weight| {
            store(filling.at(entry)?, weight, set);
            Ok(())
        })?;
    }
    Ok(Store::Whole(weights))
}

/// The listed weights of a set, by table, as multiples of the steps, each with its entry.
fn each_listed(
    plan: &Plan,
    steps: &Steps,
    listed: &Listed,
    mut work: impl FnMut(usize, u16) -> Result<(), OutOfMemory>,
) -> Result<(), OutOfMemory> {
    for (table, (list, &step)) in listed.iter().zip(&steps.steps).enumerate() {
        let scale = (-step as f32).exp2();
        let mut place = plan.ascending(table);
        for &(index, weight) in list.iter() {
            work(place(index), nearest(weight, scale))?;
        }
    }
    Ok(())
}

/// The multiples of a step that are nearest to these weights of two tables by turns; a scale is
/// one by the step.
fn quantize(weights: &[f32], scales: [f32; 2], quantized: &mut [u16; BLOCK]) {
    let halves = weights.chunks(HALF_LINE).zip(quantized.chunks_mut(HALF_LINE));
    for ((weights, quantized), &scale) in halves.zip(scales.iter().cycle()) {
        for (weight, quantized) in weights.iter().zip(quantized) {
            *quantized = nearest(*weight, scale);
        }
    }
}

#[inline(always)]
fn nearest(weight: f32, scale: f32) -> u16 {
    let steps = weight * scale;
    (steps + 0.5f32.copysign(steps)) as i32 as u16
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
