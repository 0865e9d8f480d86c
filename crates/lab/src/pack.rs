//! Models small enough to travel: the weights that matter, rounded.
//!
//! Most weights of a trained network were met a few times only, and what they say hardly counts. Every weight
//! gets an *importance*, |w| · A with A the sum of the errors it has seen (how often it is met, and how much it says);
//! where these sums are not there, |w| alone. The least important ones become zero, the others multiples of a step, and
//! the file format squeezes what is left ([`Encoding::Packed`]). The number kept is the one that just fits.
//!
//! A later stage that began as a copy of the one before it says little that is new, and so does a set of weights for one
//! announced tile beside that for another. There w is the *difference* from the packed weight it resembles
//! ([`Structure::base`]): what is dropped says the same as that one, what is kept is told by a smaller number.

use crate::model::{self, Model};
use afterstate::network::file::{self, Contents, Encoding};
use afterstate::network::{Network, Structure};
use std::io;

/// Steps per standard deviation of the weights that are kept, unless told otherwise.
///
/// Too coarse, and rounding decides moves; too fine, and too few weights fit. Measured in `docs/log.md`, "How fine to round".
pub const FINENESS: f64 = 96.0;
/// Classes of importance per power of two.
const CLASSES: f64 = 16.0;
/// Classes in all: powers of two from 2⁻⁶⁴ to 2⁶⁴.
const ALL: usize = 128 * CLASSES as usize;

/// What packing did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Packed {
    /// How the model is to be written.
    pub encoding: Encoding,
    /// Weights that said something before.
    pub before: u64,
    /// Weights that are kept.
    pub kept: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

/// Clears all but the most important weights of a model, so that it can be written in at most `limit` bytes.
///
/// They are rounded to `fineness` steps per standard deviation, [`FINENESS`] where nothing is known. What learning keeps beside the weights
/// is dropped.
pub fn pack(model: &mut Model, limit: u64, fineness: f64) -> io::Result<Packed> {
    model::settle(model);
    let relative = are_copies(&model.network);
    let classes = Classes::of(model, relative);
    let before: u64 = classes.counts.iter().sum();
    let mut wanted = before;
    loop {
        let (lowest, step) = classes.cut(wanted, fineness);
        let encoding = Encoding::Packed { step, relative };
        let (network, kept) = rounded(model, lowest, step, relative);
        let mut size = Size(0);
        let contents = Contents { network: &network, metadata: &model.metadata, sums: &[], visits: &[] };
        file::write(&contents, encoding, &mut size)?;
        if size.0 <= limit || lowest == ALL {
            (model.network, model.sums, model.visits) = (network, Vec::new(), Vec::new());
            return Ok(Packed { encoding, before, kept, bytes: size.0 });
        }
        // A little less than in proportion, so that few rounds are needed.
        let above: u64 = classes.counts[lowest..].iter().sum();
        wanted = ((above as f64 * limit as f64 / size.0 as f64 * 0.995) as u64).min(above.saturating_sub(1));
    }
}

/// Whether the banks began as copies of those they resemble: more weights are the same than are zero where the other is not.
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

/// The class of importance of an entry that says this much.
fn class(model: &Model, bank: usize, entry: u32, said: f32) -> usize {
    let met = model.sums.get(bank).map_or(1.0, |sums| sums.get_pair(entry)[1]);
    let importance = (f64::from(said).abs() * f64::from(met)).log2();
    ((importance + 64.0) * CLASSES).clamp(0.0, ALL as f64 - 1.0) as usize
}

/// How many weights there are of each importance, and the sum of their squares.
struct Classes {
    counts: Vec<u64>,
    squares: Vec<f64>,
}

impl Classes {
    fn of(model: &Model, relative: bool) -> Self {
        let mut classes = Self { counts: vec![0; ALL], squares: vec![0.0; ALL] };
        let network = &model.network;
        for bank in 0..network.structure().banks() {
            let base = base(network.structure(), bank, relative).map(|base| network.bank(base));
            for entry in 0..network.bank_len() as u32 {
                let weight = network.bank(bank as u8).get(entry);
                let said = weight - base.map_or(0.0, |base| base.get(entry));
                if said != 0.0 {
                    let class = class(model, bank, entry, said);
                    classes.counts[class] += 1;
                    classes.squares[class] += f64::from(weight) * f64::from(weight);
                }
            }
        }
        classes
    }

    /// The lowest class to keep if at most so many weights are wanted, and the step to round them to.
    ///
    /// Of every class all or nothing, the most important first.
    fn cut(&self, wanted: u64, fineness: f64) -> (usize, f32) {
        let (mut kept, mut squares, mut lowest) = (0, 0.0, ALL);
        while lowest > 0 && kept + self.counts[lowest - 1] <= wanted {
            lowest -= 1;
            kept += self.counts[lowest];
            squares += self.squares[lowest];
        }
        let step = (squares / kept.max(1) as f64).sqrt() / fineness;
        (lowest, step.max(f64::from(f32::MIN_POSITIVE)) as f32)
    }
}

/// The weights from class `lowest` on, rounded, and how many they are; each bank is compared with the rounded one it resembles.
fn rounded(model: &Model, lowest: usize, step: f32, relative: bool) -> (Network, u64) {
    let network = &model.network;
    let packed = Network::thin(network.structure().clone());
    let mut kept = 0;
    for bank in 0..network.structure().banks() {
        let base = base(network.structure(), bank, relative).map(|base| packed.bank(base));
        for entry in 0..network.bank_len() as u32 {
            let mut told = base.map_or(0.0, |base| base.get(entry));
            let said = network.bank(bank as u8).get(entry) - told;
            let steps = (said / step).round();
            if steps != 0.0 && class(model, bank, entry, said) >= lowest {
                told += steps * step;
                kept += 1;
            }
            if told != 0.0 {
                packed.bank(bank as u8).set(entry, told);
            }
        }
    }
    (packed, kept)
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
            let packed = pack(&mut model, 12_000, FINENESS).unwrap();
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
        let packed = pack(&mut model, 1 << 20, FINENESS).unwrap();
        let Encoding::Packed { step, .. } = packed.encoding else { panic!("{packed:?}") };
        let left = (1..=20736).filter(|&weight| weight as f32 >= step / 2.0).count();
        assert_eq!((packed.before, packed.kept), (20736, left as u64));
    }

    #[test]
    fn finer_steps_take_more_room_and_lose_less() {
        let errors = [24.0, 96.0, 384.0].map(|fineness| {
            let (mut model, whole) = (sample(false), sample(false));
            let packed = pack(&mut model, 1 << 20, fineness).unwrap();
            let error =
                |entry: u32| (model.network.bank(0).get(entry) - whole.network.bank(0).get(entry)).abs();
            (packed.bytes, model.network.table_entries(0).map(error).sum::<f32>())
        });
        for pair in errors.windows(2) {
            assert!(pair[1].0 > pair[0].0 && pair[1].1 < 0.5 * pair[0].1, "{errors:?}");
        }
    }

    /// Two stages whose weights are all 100 but for one entry of one bank: the packed model, the entry, and what is read again.
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
        let packed = pack(&mut model, 1 << 20, FINENESS).unwrap();
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
        pack(&mut model, 1 << 20, FINENESS).unwrap();
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
