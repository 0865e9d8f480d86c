//! Models small enough to travel: the weights that matter, rounded.
//!
//! Most weights of a trained network were met a few times only, and what they say hardly counts. Every weight
//! gets an *importance*, |w| · A with A the sum of the errors it has seen (how often it is met, and how much it says);
//! where these sums are not there, |w| alone. The least important ones become zero, the others multiples of a step, and
//! the file format squeezes what is left ([`Encoding::Packed`]). The number kept is the one that just fits.
//!
//! A later stage that began as a copy of the one before it says little that is new. There it is the *difference* that counts for w, and an
//! entry that is dropped reads the stage before, as in [weight promotion](afterstate::network).

use crate::model::Model;
use afterstate::network::Network;
use afterstate::network::file::{self, Contents, Encoding};
use std::io;

/// Steps per standard deviation of the weights that are kept.
///
/// Too coarse, and rounding decides moves; too fine, and too few weights fit. Measured in `docs/log.md`, "How fine to round".
const FINENESS: f64 = 96.0;
/// Classes of importance per power of two.
const CLASSES: f64 = 16.0;
/// Classes in all: powers of two from 2⁻⁶⁴ to 2⁶⁴.
const ALL: usize = 128 * CLASSES as usize;

/// What packing did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Packed {
    /// How the model is to be written.
    pub encoding: Encoding,
    /// Weights that were not zero before.
    pub before: u64,
    /// Weights that are kept.
    pub kept: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

/// Clears all but the most important weights of a model, so that it can be written in at most `limit` bytes.
///
/// What learning keeps beside the weights is dropped.
pub fn pack(model: &mut Model, limit: u64) -> io::Result<Packed> {
    let stages = model.network.structure().stages.count() as u8;
    let copies: Vec<bool> = (0..stages).map(|stage| stage > 0 && is_copy(&model.network, stage)).collect();
    model.network.promote(|stage| copies[usize::from(stage)]);
    let mut counts = vec![0u64; ALL];
    each(model, |class, _| counts[class] += 1);
    let before: u64 = counts.iter().sum();
    let mut wanted = before;
    loop {
        // Of every class all or nothing, the most important first.
        let mut kept = 0;
        let mut lowest = ALL;
        while lowest > 0 && (kept + counts[lowest - 1] <= wanted || kept == 0) {
            lowest -= 1;
            kept += counts[lowest];
        }
        let mut squares = 0.0;
        each(model, |class, weight| {
            if class >= lowest {
                squares += f64::from(weight) * f64::from(weight);
            }
        });
        let step =
            ((squares / kept.max(1) as f64).sqrt() / FINENESS).max(f64::from(f32::MIN_POSITIVE)) as f32;
        let encoding = Encoding::Packed { step };
        clear(model, lowest, step);
        let mut size = Size(0);
        let contents = Contents { sums: &[], visits: &[], ..contents(model) };
        file::write(&contents, encoding, &mut size)?;
        if size.0 <= limit || kept <= 1 {
            (model.sums, model.visits) = (Vec::new(), Vec::new());
            return Ok(Packed { encoding, before, kept, bytes: size.0 });
        }
        // A little less than in proportion, so that few rounds are needed.
        wanted = ((kept as f64 * limit as f64 / size.0 as f64 * 0.995) as u64).min(kept - 1);
        counts[..lowest].fill(0);
    }
}

fn contents(model: &Model) -> Contents<'_> {
    Contents { network: &model.network, metadata: &model.metadata, sums: &model.sums, visits: &model.visits }
}

/// The class of importance of an entry, and its weight, if it says anything.
fn class(model: &Model, bank: u8, entry: u32) -> Option<(usize, f32)> {
    let weight = model.network.bank(bank).get(entry);
    let said = weight - without(&model.network, bank, entry);
    if weight == 0.0 || said == 0.0 {
        return None;
    }
    let met = model.sums.get(usize::from(bank)).map_or(1.0, |sums| sums.get_pair(entry)[1]);
    let importance = (f64::from(said).abs() * f64::from(met)).log2();
    Some((((importance + 64.0) * CLASSES).clamp(0.0, ALL as f64 - 1.0) as usize, weight))
}

/// Whether a later stage began as a copy of the one before: more of its weights are the same than are zero where that one's are not.
fn is_copy(network: &Network, stage: u8) -> bool {
    let each = network.structure().sets.count() as u8;
    let (mut same, mut zero) = (0u64, 0u64);
    for bank in stage * each..(stage + 1) * each {
        for entry in 0..network.bank_len() as u32 {
            let (own, before) = (network.bank(bank).get(entry), network.bank(bank - each).get(entry));
            same += u64::from(before != 0.0 && own == before);
            zero += u64::from(before != 0.0 && own == 0.0);
        }
    }
    same > zero
}

/// Whether what is dropped of this bank reads the stage before.
fn reads_on(network: &Network, bank: u8) -> bool {
    let structure = network.structure();
    structure.stages.is_promoted(bank / structure.sets.count() as u8)
}

/// What an entry would read if it were dropped: the stages before, or zero.
fn without(network: &Network, mut bank: u8, entry: u32) -> f32 {
    while reads_on(network, bank) {
        bank -= network.structure().sets.count() as u8;
        let weight = network.bank(bank).get(entry);
        if weight != 0.0 {
            return weight;
        }
    }
    0.0
}

fn banks(model: &Model) -> impl DoubleEndedIterator<Item = u8> + use<> {
    0..model.network.structure().banks() as u8
}

fn each(model: &Model, mut visit: impl FnMut(usize, f32)) {
    for bank in banks(model) {
        for entry in 0..model.network.bank_len() as u32 {
            if let Some((class, weight)) = class(model, bank, entry) {
                visit(class, weight);
            }
        }
    }
}

/// Clears the classes below the lowest that is kept, the last stage first: each is compared with the whole stage before it.
fn clear(model: &Model, lowest: usize, step: f32) {
    for bank in banks(model).rev() {
        let network = &model.network;
        for entry in 0..network.bank_len() as u32 {
            match class(model, bank, entry) {
                Some((class, weight)) if class >= lowest => {
                    // A weight that rounding would make zero would read the stage before.
                    if reads_on(network, bank) && weight.abs() < step {
                        network.bank(bank).set(entry, step.copysign(weight));
                    }
                }
                _ => network.bank(bank).set(entry, 0.0),
            }
        }
    }
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
    use afterstate::network::Structure;
    use afterstate::network::memory::Memory;
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
            file::write(&contents(&model), packed.encoding, &mut bytes).unwrap();
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
        assert_eq!(packed.kept, 20736);
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
        model.network.settle(0..2);
        let odd = model.network.table_entries(0).nth(1).unwrap();
        assert_eq!(model.network.bank(1).get(odd), 0.0);
    }

    /// Two stages of the same weights but for one entry, which is nearly zero in the second.
    #[test]
    fn a_later_stage_keeps_what_differs_from_the_one_before() {
        let mut structure = Structure::tuples(Shape::FOUR, "0123", 12).unwrap();
        structure.stages = Stages::new(vec![vec![9]]);
        let network = Network::new(structure);
        for entry in network.table_entries(0) {
            (0..2).for_each(|bank| network.bank(bank).set(entry, 100.0));
        }
        let other = network.table_entries(0).nth(77).unwrap();
        network.bank(1).set(other, 0.01);
        let mut model = Model { network, metadata: BTreeMap::new(), sums: Vec::new(), visits: Vec::new() };
        let packed = pack(&mut model, 1 << 20).unwrap();
        assert_eq!((packed.before, packed.kept), (20737, 20737));
        let mut bytes = Vec::new();
        file::write(&contents(&model), packed.encoding, &mut bytes).unwrap();
        let mut again = file::read(&mut &bytes[..]).unwrap().network;
        again.settle(0..2);
        for entry in again.table_entries(0) {
            let wanted = if entry == other { 0.0 } else { 100.0 };
            assert!((again.bank(0).get(entry) - 100.0).abs() < 5.0);
            assert!((again.bank(1).get(entry) - wanted).abs() < 5.0, "{}", again.bank(1).get(entry));
        }
    }
}
