//! Packed models: the weights that matter, each rounded as finely as it matters.
//!
//! Most weights of a trained network were met a few times only, and what they say hardly counts.
//! The *importance* of a weight w that is met n times is n |w|: left out, it makes a large error,
//! which costs in proportion to its size. Weights below an importance I become zero. The others are
//! rounded, and that makes small errors. A small error must first change a move before it costs
//! anything, and then costs what it hid: it counts by its square, n Δ². So what is met a hundred
//! times as often is told ten times as finely,
//!
//! ```text
//! Δ = √(c I W / n)        W = Σ n |w| / Σ n, what a weight says on average
//! ```
//!
//! and the one number I decides everything: packing looks for the smallest with which the file is
//! small enough. For n stands A, the sum of the errors that learning has seen at a weight; where no
//! such sums are there, all are alike. Steps are powers of two times the finest one, which the file
//! format makes use of ([`Encoding::Packed`]).
//!
//! A later stage that began as a copy of the one before it says little that is new, and so does a
//! set of weights for one announced tile beside that for another. There w is the *difference* from
//! the packed weight it resembles ([`Structure::base`]): what is left out says the same as that
//! one, what is told takes fewer bits.

use crate::model::{self, Model};
use afterstate::budget::OutOfMemory;
use afterstate::network::file::{self, Contents, Encoding};
use afterstate::network::memory::Memory;
use afterstate::network::{Network, Structure};
use std::io;
use std::sync::atomic::{AtomicU32, AtomicU64};

/// c in the step of a weight. Measured in `docs/log.md`, "Told as finely as it is met".
const COARSENESS: f64 = 0.03;
/// The coarsest step is so many powers of two above the finest.
const COARSEST: f64 = 20.0;
/// The most steps a weight may have, so that floats tell them exactly.
const MOST_STEPS: f64 = (1 << 20) as f64;
/// A file of this part of the wanted size is near enough to it.
const NEAR: f64 = 0.995;
/// After so many rounds, the next that fits is taken.
const ROUNDS: usize = 16;

/// Report of a packing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Packed {
    /// Format to write the model in.
    pub encoding: Encoding,
    /// Weights that said something before.
    pub before: u64,
    /// Weights that are kept.
    pub kept: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

/// Rounds the weights of a model, and clears those that matter least, so that it can be written in
/// at most `limit` bytes.
///
/// What learning keeps beside the weights is dropped.
pub fn pack(model: &mut Model, limit: u64) -> io::Result<Packed> {
    model::materialize_promotions(model)?;
    let relative = are_copies(&model.network);
    let met = Met::of(std::mem::take(&mut model.sums))?;
    let extent = Extent::of(&model.network, &met, relative);
    let mut bracket = Bracket { limit: limit as f64, ..Bracket::default() };
    let mut least = extent.said / extent.before.max(1) as f64;
    for round in 0.. {
        let scale = Scale::new(least, &extent);
        let (network, kept) = rounded(&model.network, &met, scale, relative)?;
        let encoding = Encoding::Packed { step: scale.finest, relative };
        let mut size = Size(0);
        let contents = Contents { network: &network, metadata: &model.metadata, sums: &[], visits: &[] };
        file::write(&contents, encoding, &mut size)?;
        let fits = size.0 <= limit;
        let tried = Tried { least, bytes: size.0 as f64 };
        let done = if fits { bracket.is_near(tried) || round >= ROUNDS } else { kept == 0 };
        if done {
            (model.network, model.visits) = (network, Vec::new());
            return Ok(Packed { encoding, before: extent.before, kept, bytes: size.0 });
        }
        least = bracket.next(tried);
    }
    unreachable!("rounds have no end")
}

/// An importance, and how large the file became with it.
#[derive(Clone, Copy)]
struct Tried {
    least: f64,
    bytes: f64,
}

/// The importances between which the right one lies, as far as known.
#[derive(Default)]
struct Bracket {
    limit: f64,
    /// With which the file was too large.
    small: Option<Tried>,
    /// With which it was small enough.
    large: Option<Tried>,
}

impl Bracket {
    /// True if a file that fits could hardly say more: it is nearly as large as allowed, or grows
    /// no more.
    fn is_near(&self, tried: Tried) -> bool {
        tried.bytes >= NEAR * self.limit || self.large.is_some_and(|large| large.bytes == tried.bytes)
    }

    /// The importance to try next.
    fn next(&mut self, tried: Tried) -> f64 {
        *if tried.bytes <= self.limit { &mut self.large } else { &mut self.small } = Some(tried);
        match (self.small, self.large) {
            // Sizes fall with a power of the importance, nearly; a little less than all room is
            // aimed at.
            (Some(small), Some(large)) => {
                let wanted = self.limit * (1.0 + NEAR) / 2.0;
                let part = (small.bytes / wanted).ln() / (small.bytes / large.bytes).ln();
                small.least * (large.least / small.least).powf(part.clamp(0.05, 0.95))
            }
            _ if tried.bytes > self.limit => tried.least * (tried.bytes / self.limit).powi(2).clamp(1.5, 1e6),
            _ => tried.least * (tried.bytes / self.limit).powi(2).clamp(1e-6, 0.67),
        }
    }
}

/// Weights that matter, the bits they hold, and their largest visit count.
struct Extent {
    before: u64,
    /// Sums of n and n |w|.
    met: f64,
    said: f64,
    most_met: f64,
    largest: f64,
}

impl Extent {
    fn of(network: &Network, all: &Met, relative: bool) -> Self {
        let mut extent = Self { before: 0, met: 0.0, said: 0.0, most_met: 0.0, largest: 0.0 };
        for bank in 0..network.structure().banks() {
            let base = base(network.structure(), bank, relative).map(|base| network.bank(base));
            for entry in 0..network.bank_len() as u32 {
                let weight = network.bank(bank as u8).get(entry);
                let said = weight - base.map_or(0.0, |base| base.get(entry));
                if said != 0.0 {
                    let met = all.get(bank, entry);
                    extent.before += 1;
                    extent.met += met;
                    extent.said += met * f64::from(said).abs();
                    extent.most_met = extent.most_met.max(met);
                    extent.largest = extent.largest.max(f64::from(weight).abs());
                }
            }
        }
        extent
    }

    /// W, what a weight says on average when it is met.
    fn average(&self) -> f64 {
        self.said / self.met.max(f64::MIN_POSITIVE)
    }
}

/// Visit counts of the weights, up to a constant factor.
struct Met {
    /// By bank, where anything was met: stages in which nothing was learned last say nothing about
    /// it.
    banks: Vec<Option<Memory<AtomicU32>>>,
    /// Weights that were never visited count as the least visited,
    least: f32,
    /// and all of a stage that says nothing as what is met elsewhere on average.
    average: f32,
}

impl Met {
    /// Visit counts from coherence sums; each bank is freed as soon as it is read, for sums are
    /// most of a checkpoint.
    fn of(sums: Vec<Memory<AtomicU64>>) -> Result<Self, OutOfMemory> {
        let (mut least, mut sum, mut count) = (f32::INFINITY, 0.0, 0u64);
        let absolute = |sums: Memory<AtomicU64>| {
            let met = Memory::try_lazy(sums.len())?;
            met.reserve_as(&sums)?;
            let before = count;
            for entry in 0..sums.len() as u32 {
                let [_, a] = sums.get_pair(entry);
                if a > 0.0 {
                    met.set(entry, a);
                    least = least.min(a);
                    sum += f64::from(a);
                    count += 1;
                }
            }
            Ok((count > before).then_some(met))
        };
        let banks = sums.into_iter().map(absolute).collect::<Result<_, OutOfMemory>>()?;
        let [least, average] = if count > 0 { [least, (sum / count as f64) as f32] } else { [1.0, 1.0] };
        Ok(Self { banks, least, average })
    }

    fn get(&self, bank: usize, entry: u32) -> f64 {
        let known = self.banks.get(bank).and_then(Option::as_ref);
        known.map_or(self.average, |met| met.get(entry).max(self.least)).into()
    }
}

/// Quantisation of the weights.
#[derive(Clone, Copy)]
struct Scale {
    /// I, the importance from which on a weight is told.
    least: f64,
    /// Δ² n.
    coarseness: f64,
    /// The step of the weight that is met most, of which all others are multiples.
    finest: f32,
}

impl Scale {
    fn new(least: f64, extent: &Extent) -> Self {
        // Finer, and floats would not tell steps exactly.
        let limit = (extent.largest / MOST_STEPS).max(f64::from(f32::MIN_POSITIVE)) as f32;
        let coarseness = COARSENESS * least * extent.average();
        let finest = (coarseness / extent.most_met.max(f64::MIN_POSITIVE)).sqrt() as f32;
        Self { least, coarseness, finest: finest.max(limit) }
    }

    /// A weight, or what it differs by from another, as a number of the finest steps.
    fn steps(self, said: f32, met: f64) -> f32 {
        if met * f64::from(said).abs() <= self.least {
            return 0.0;
        }
        let grade = ((self.coarseness / met).sqrt() / f64::from(self.finest)).log2().round();
        let power = grade.clamp(0.0, COARSEST).exp2() as f32;
        (said / (self.finest * power)).round() * power
    }
}

/// True if the banks began as copies of those they resemble: more weights are the same than are
/// zero where the other is not.
fn are_copies(network: &Network) -> bool {
    let structure = network.structure();
    let (mut same, mut zero) = (0u64, 0u64);
    for bank in 1..structure.banks() {
        let Some(base) = structure.base(bank) else { continue };
        for entry in 0..network.bank_len() as u32 {
            let (own, other) = (network.bank(bank as u8).get(entry), network.bank(base as u8).get(entry));
            same += u64::from(other != 0.0 && own == other);
            zero += u64::from(other != 0.0 && own == 0.0);
        }
    }
    same > zero
}

/// The bank from which a bank is told.
fn base(structure: &Structure, bank: usize, relative: bool) -> Option<u8> {
    structure.base(bank).filter(|_| relative).map(|base| base as u8)
}

/// The weights that are told, rounded, and how many they are; each bank is compared with the
/// rounded one it resembles.
fn rounded(
    network: &Network,
    met: &Met,
    scale: Scale,
    relative: bool,
) -> Result<(Network, u64), OutOfMemory> {
    let packed = Network::try_lazy(network.structure().clone())?;
    let mut kept = 0;
    for bank in 0..network.structure().banks() {
        packed.bank(bank as u8).reserve_as(network.bank(bank as u8))?;
        let base = base(network.structure(), bank, relative).map(|base| packed.bank(base));
        for entry in 0..network.bank_len() as u32 {
            let mut told = base.map_or(0.0, |base| base.get(entry));
            let said = network.bank(bank as u8).get(entry) - told;
            if said != 0.0 {
                let steps = scale.steps(said, met.get(bank, entry));
                if steps != 0.0 {
                    told += steps * scale.finest;
                    kept += 1;
                }
            }
            if told != 0.0 {
                packed.bank(bank as u8).set(entry, told);
            }
        }
    }
    Ok((packed, kept))
}

/// Counts bytes instead of keeping them.
struct Size(u64);

impl io::Write for Size {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate::grid::Shape;
    use afterstate::network::Sets;
    use afterstate::network::stage::Stages;
    use std::collections::BTreeMap;

    /// Weights 1, 2, 3 …, the last of which was hardly ever met.
    fn sample(sums: bool) -> Model {
        let network = Network::new(Structure::tuples(Shape::FOUR, "0123", 12).unwrap());
        let beside = Memory::new(network.bank_len());
        for (i, entry) in network.table_entries(0).enumerate() {
            network.bank(0).set(entry, i as f32 + 1.0);
            beside.set_pair(entry, [0.0, if i == 20735 { 1e-6 } else { 1.0 }]);
        }
        let sums = if sums { vec![beside] } else { Vec::new() };
        Model { network, metadata: BTreeMap::new(), sums, visits: Vec::new() }
    }

    #[test]
    fn the_most_important_weights_fit_the_size() {
        for (sums, last_stays) in [(false, true), (true, false)] {
            let mut model = sample(sums);
            let packed = pack(&mut model, 12_000).unwrap();
            assert!(packed.bytes <= 12_000 && packed.bytes > 10_000, "{packed:?}");
            assert_eq!(packed.before, 20736);
            let mut bytes = Vec::new();
            file::write(&Contents::of(&model.network), packed.encoding, &mut bytes).unwrap();
            assert_eq!(bytes.len() as u64, packed.bytes);
            let again = file::read(&mut &bytes[..]).unwrap().network;
            let weights: Vec<f32> = again.table_entries(0).map(|entry| again.bank(0).get(entry)).collect();
            assert_eq!(weights.iter().filter(|&&weight| weight != 0.0).count() as u64, packed.kept);
            assert_eq!(weights[0], 0.0, "the smallest goes first");
            assert!((weights[20_000] - 20_001.0).abs() < 1000.0, "rounded, not lost: {}", weights[20_000]);
            assert_eq!(weights[20_735] != 0.0, last_stays, "a weight that was hardly met is not important");
        }
    }

    #[test]
    fn a_model_that_fits_keeps_every_weight_that_rounding_leaves() {
        let mut model = sample(false);
        let packed = pack(&mut model, 1 << 20).unwrap();
        let Encoding::Packed { step, .. } = packed.encoding else { panic!("{packed:?}") };
        let left = (1..=20736).filter(|&weight| weight as f32 >= step / 2.0).count();
        assert_eq!((packed.before, packed.kept), (20736, left as u64));
    }

    /// Learning went on in the second stage alone: the first is not less important for that.
    #[test]
    fn a_stage_without_sums_is_told_like_the_others() {
        let structure = Structure {
            stages: Stages::new(vec![vec![14]]),
            ..Structure::tuples(Shape::FOUR, "0123", 12).unwrap()
        };
        let network = Network::new(structure);
        let sums: Vec<_> = (0..2).map(|_| Memory::new(network.bank_len())).collect();
        for (i, entry) in network.table_entries(0).enumerate() {
            network.bank(0).set(entry, if i % 2 == 0 { 100.0 + i as f32 } else { 0.0 });
            network.bank(1).set(entry, if i % 2 == 1 { 100.0 + i as f32 } else { 0.0 });
            // A few are met rarely, so that those never met would hardly count beside the others.
            sums[1].set_pair(entry, [0.0, if i < 10 { 1e-3 } else { 1e3 }]);
        }
        let mut model = Model { network, metadata: BTreeMap::new(), sums, visits: Vec::new() };
        pack(&mut model, 12_000).unwrap();
        let kept = |bank: u8| {
            let entries = model.network.table_entries(0);
            entries.filter(|&entry| model.network.bank(bank).get(entry) != 0.0).count()
        };
        assert!(kept(0) > 2000 && kept(0) > kept(1) / 2, "{} and {}", kept(0), kept(1));
    }

    /// As an optimistic start leaves them: none is more important than another.
    #[test]
    fn equal_weights_and_weights_never_met_are_kept_where_there_is_room() {
        let network = Network::new(Structure::tuples(Shape::FOUR, "0123", 12).unwrap());
        network.fill(320.0);
        let sums = vec![Memory::new(network.bank_len())];
        let mut model = Model { network, metadata: BTreeMap::new(), sums, visits: Vec::new() };
        let whole = model.network.bank(0).get(0);
        let packed = pack(&mut model, 1 << 20).unwrap();
        assert_eq!(packed.kept, 20736);
        assert!((model.network.bank(0).get(0) - whole).abs() < 0.01 * whole);
    }

    #[test]
    fn nothing_fits_into_no_room() {
        let mut model = sample(false);
        assert_eq!(pack(&mut model, 10).unwrap().kept, 0);
    }

    #[test]
    fn more_room_loses_less() {
        let errors = [8_000, 16_000, 32_000].map(|limit| {
            let (mut model, whole) = (sample(false), sample(false));
            pack(&mut model, limit).unwrap();
            let error =
                |entry: u32| (model.network.bank(0).get(entry) - whole.network.bank(0).get(entry)).abs();
            model.network.table_entries(0).map(error).sum::<f32>()
        });
        assert!(errors.windows(2).all(|pair| pair[1] < 0.5 * pair[0]), "{errors:?}");
    }

    /// Weights of one size, every second met a hundred times as often.
    #[test]
    fn what_is_met_more_often_is_told_more_finely() {
        let network = Network::new(Structure::tuples(Shape::FOUR, "0123", 12).unwrap());
        let sums = Memory::new(network.bank_len());
        let weight = |i: usize| 1000.0 + (i * 7919 % 1000) as f32;
        for (i, entry) in network.table_entries(0).enumerate() {
            network.bank(0).set(entry, weight(i));
            sums.set_pair(entry, [0.0, if i % 2 == 0 { 100.0 } else { 1.0 }]);
        }
        let mut model = Model { network, metadata: BTreeMap::new(), sums: vec![sums], visits: Vec::new() };
        let packed = pack(&mut model, 20_000).unwrap();
        assert_eq!(packed.kept, 20736, "none is unimportant");
        let mut errors = [0.0f32; 2];
        for (i, entry) in model.network.table_entries(0).enumerate() {
            errors[i % 2] += (model.network.bank(0).get(entry) - weight(i)).abs();
        }
        // Ten times, but for steps being powers of two.
        let ratio = errors[1] / errors[0];
        assert!((7.0..15.0).contains(&ratio), "{errors:?}");
    }

    /// Two stages whose weights are all 100 but for one entry of one bank: the packed model, the
    /// entry, and what is read again.
    fn alike_but_for(sets: Sets, bank: u8, weight: f32) -> (Model, u32, Network) {
        let mut structure = Structure::tuples(Shape::FOUR, "0123", 12).unwrap();
        (structure.stages, structure.sets) = (Stages::new(vec![vec![9]]), sets);
        let network = Network::new(structure);
        for bank in 0..network.structure().banks() as u8 {
            network.table_entries(0).for_each(|entry| network.bank(bank).set(entry, 100.0));
        }
        let other = network.table_entries(0).nth(77).unwrap();
        network.bank(bank).set(other, weight);
        let mut model = Model { network, metadata: BTreeMap::new(), sums: Vec::new(), visits: Vec::new() };
        let packed = pack(&mut model, 1 << 20).unwrap();
        assert_eq!((packed.before, packed.kept), (20737, 20737));
        let mut bytes = Vec::new();
        file::write(&Contents::of(&model.network), packed.encoding, &mut bytes).unwrap();
        let again = file::read(&mut &bytes[..]).unwrap().network;
        (model, other, again)
    }

    /// A set of weights for each announced tile, all the same but for one entry, in two stages.
    #[test]
    fn sets_of_a_stage_are_told_from_the_first() {
        let (model, other, again) = alike_but_for(Sets::Hints, 6, 60.0);
        for bank in 0..8 {
            for entry in again.table_entries(0) {
                let wanted = if (bank, entry) == (6, other) { 60.0 } else { 100.0 };
                let weight = again.bank(bank).get(entry);
                assert!((weight - wanted).abs() < 1.0, "{bank}: {weight}");
                assert_eq!(weight.to_bits(), model.network.bank(bank).get(entry).to_bits());
            }
        }
    }

    /// A stage that learned from zero is not given what the one before knows.
    #[test]
    fn a_stage_of_its_own_keeps_its_zeros() {
        let mut structure = Structure::tuples(Shape::FOUR, "0123", 12).unwrap();
        structure.stages = Stages::new(vec![vec![9]]);
        let network = Network::new(structure);
        for (i, entry) in network.table_entries(0).enumerate() {
            network.bank(0).set(entry, 100.0);
            network.bank(1).set(entry, if i % 2 == 0 { 50.0 } else { 0.0 });
        }
        let mut model = Model { network, metadata: BTreeMap::new(), sums: Vec::new(), visits: Vec::new() };
        pack(&mut model, 1 << 20).unwrap();
        let odd = model.network.table_entries(0).nth(1).unwrap();
        assert_eq!(model.network.bank(1).get(odd), 0.0);
    }

    /// Two stages of the same weights but for one entry, which is nearly zero in the second.
    #[test]
    fn a_later_stage_keeps_what_differs_from_the_one_before() {
        let (_, other, again) = alike_but_for(Sets::One, 1, 0.01);
        for entry in again.table_entries(0) {
            let wanted = if entry == other { 0.0 } else { 100.0 };
            assert!((again.bank(0).get(entry) - 100.0).abs() < 5.0);
            assert!((again.bank(1).get(entry) - wanted).abs() < 5.0, "{}", again.bank(1).get(entry));
        }
    }
}
