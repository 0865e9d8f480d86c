//! Models read for play alone: weights become 16 bits as they are read.

use super::section::{Array, Section, merged};
use super::stream::In;
use super::{FileError, end, header_of, read_rest};
use crate::budget::OutOfMemory;
use crate::network::index::Plan;
use crate::network::pages::give_back_freed;
use crate::network::quantized::StageWeights;
use crate::network::sparse::Listed;
use crate::network::{Favour, Network, QuantizedNetwork, Sets};
use crate::threads;
use std::collections::BTreeMap;
use std::io::{BufReader, Read};
use std::sync::Arc;
use std::thread::{Scope, ScopedJoinHandle};

/// Reads a model for play with 16-bit weights, and what else is known about it; exactly the network
/// that [`QuantizedNetwork::new`] makes of what [`super::read_limited`] reads.
///
/// The weights of a network of states or afterstates are never in memory with all their bits, only
/// those of a stage that are not zero.
pub fn read_quantized(
    input: &mut impl Read,
    limit: u64,
    favour: Favour,
) -> Result<(QuantizedNetwork, BTreeMap<String, String>), FileError> {
    let mut buffered = BufReader::with_capacity(1 << 18, input);
    let mut input = In::new(&mut buffered);
    let header = header_of(&mut input)?;
    let bytes = header.memory();
    if bytes > limit {
        return Err(FileError::TooLarge { bytes, limit });
    }
    if header.structure.sets == Sets::Actions || header.sums || header.visits {
        let loaded = read_rest(header, &mut input)?;
        return Ok((QuantizedNetwork::new(loaded.network)?, loaded.metadata));
    }
    let outline = Network::outline(header.structure);
    // A stage becomes what is played while the next is read.
    let stages = std::thread::scope(|scope| {
        let stages = outline.structure().stages.count();
        let (plan, made) = (&outline.plan, Vec::with_capacity(stages));
        let mut making = Making { scope, plan, favour, stages, under_way: None, made };
        read_stages(&outline, &mut input, |sets| making.add(sets))?;
        making.finish()
    })?;
    end(&mut input)?;
    give_back_freed();
    let Network { mut structure, plan, .. } = outline;
    structure.stages = std::mem::take(&mut structure.stages).promoting(|_| false);
    Ok((QuantizedNetwork::of(structure, plan, stages), header.metadata))
}

/// Reads the weights of all stages; `play` gets those of each, all sets. A list that is not needed
/// any more is dropped table by table.
fn read_stages<R: Read>(
    outline: &Network,
    input: &mut In<'_, R>,
    mut play: impl FnMut(Vec<Listed>) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let sets = outline.structure().sets.count();
    let mut before: Option<StageBefore> = None;
    for stage in 0..outline.structure().stages.count() {
        let promoted = outline.reads_through((stage * sets) as u8);
        let (mut first, mut settled) = (Listed::new(), Vec::with_capacity(sets));
        for set in 0..sets {
            let mut listed = Listed::new();
            for table in 0..outline.tables() {
                let bank = stage * sets + set;
                let section = Section { network: outline, array: Array::Weights, bank, table };
                let mut of_before = || before.as_mut().map(|before| std::mem::take(&mut before.told[table]));
                let base = if set == 0 { of_before() } else { Some(Arc::clone(&first[table])) };
                let told = Arc::new(section.read_listed(base.as_ref().map(|base| &base[..]), input)?);
                drop(base);
                let read = before.as_mut().filter(|_| promoted);
                listed.push(match read.map(|before| std::mem::take(&mut before.settled[set][table])) {
                    Some(before) => Arc::new(merged(&before, &told, |_, own| own)),
                    None => Arc::clone(&told),
                });
                if set == 0 {
                    first.push(told);
                }
            }
            settled.push(listed);
        }
        play(settled.clone())?;
        before = Some(StageBefore { told: first, settled });
    }
    Ok(())
}

/// The weights of the stage before.
struct StageBefore {
    /// Those of its first set, as the file tells them.
    told: Listed,
    /// Those of all sets, with what they read from the stage before them.
    settled: Vec<Listed>,
}

/// Stages that are made on another thread, one at a time; the last one here, where nothing is left
/// to be read.
struct Making<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    plan: &'scope Plan,
    favour: Favour,
    stages: usize,
    under_way: Option<ScopedJoinHandle<'scope, Result<StageWeights, OutOfMemory>>>,
    made: Vec<StageWeights>,
}

impl Making<'_, '_> {
    /// Begins to make a stage, when the one before the last is made.
    fn add(&mut self, sets: Vec<Listed>) -> Result<(), FileError> {
        let (plan, favour) = (self.plan, self.favour);
        if self.made.len() + usize::from(self.under_way.is_some()) + 1 < self.stages {
            self.wait()?;
            let again = sets.clone();
            self.under_way = threads::start(self.scope, move || StageWeights::of_listed(plan, &sets, favour));
            if self.under_way.is_none() {
                self.made.push(StageWeights::of_listed(plan, &again, favour)?);
            }
        } else {
            let last = StageWeights::of_listed(plan, &sets, favour)?;
            self.wait()?;
            self.made.push(last);
        }
        Ok(())
    }

    fn wait(&mut self) -> Result<(), OutOfMemory> {
        if let Some(under_way) = self.under_way.take() {
            let stage = under_way.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            self.made.push(stage);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<StageWeights>, FileError> {
        self.wait()?;
        Ok(self.made)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Contents, Encoding, MEMORY_LIMIT, read, write};
    use super::*;
    use crate::grid::{Shape, View};
    use crate::network::stage::{Rule, Stages};
    use crate::network::{Active, Structure};
    use crate::random::Random;

    fn network(stages: Stages, sets: Sets) -> Network {
        let structure = Structure::tuples(Shape::FOUR, "0123 01245", 9).unwrap();
        let network = Network::new(Structure { stages, sets, ..structure });
        let mut random = Random::new(3);
        for bank in 0..network.structure().banks() as u8 {
            for table in 0..network.tables() {
                for entry in network.table_entries(table) {
                    if random.below(3) == 0 {
                        let size = if table == 0 { 10.0 } else { 9000.0 };
                        let weight = (random.below(2000) as f32 - 1000.0) / 1000.0 * size;
                        network.bank(bank).set(entry, weight);
                    }
                }
            }
        }
        network
    }

    #[test]
    fn a_network_read_for_play_is_the_one_that_was_made_for_play() {
        let stages = |promoted: bool| {
            Stages::by(Rule::Walls { from: 7, stages: 3 }).promoting(move |stage| promoted && stage > 0)
        };
        let cases = [Stages::default(), stages(false), stages(true)];
        for (stages, sets) in cases.iter().flat_map(|stages| [(stages, Sets::One), (stages, Sets::Hints)]) {
            for encoding in [
                Encoding::Raw,
                Encoding::Sparse,
                Encoding::Packed { step: 0.001, relative: false },
                Encoding::Packed { step: 0.001, relative: true },
            ] {
                let mut bytes = Vec::new();
                write(&Contents::of(&network(stages.clone(), sets)), encoding, &mut bytes).unwrap();
                let made = QuantizedNetwork::new(read(&mut &bytes[..]).unwrap().network).unwrap();
                let read = |mut bytes: &[u8], limit| read_quantized(&mut bytes, limit, Favour::Memory);
                let (found, _) = read(&bytes, MEMORY_LIMIT).unwrap();
                assert_eq!(found.fingerprint(), made.fingerprint(), "{stages:?} {sets:?} {encoding:?}");
                assert_eq!(found.structure(), made.structure());
                for wrong in [bytes.len() / 2, bytes.len() - 5] {
                    let mut damaged = bytes.clone();
                    damaged[wrong] ^= 1;
                    assert!(read(&damaged, MEMORY_LIMIT).is_err());
                }
                bytes.push(0);
                let trailing = read(&bytes, MEMORY_LIMIT);
                assert!(matches!(trailing, Err(FileError::Trailing { .. })));
                assert!(matches!(read(&bytes, 1000), Err(FileError::TooLarge { .. })));
            }
        }
    }

    /// A network most of whose weights are zero plays the same without its zeros, in less memory.
    #[test]
    fn a_thin_network_plays_the_same_without_its_zeros() {
        for sets in [Sets::One, Sets::Hints] {
            let stages = Stages::by(Rule::Walls { from: 9, stages: 2 }).promoting(|stage| stage > 0);
            let structure = Structure::tuples(Shape::FOUR, "012456 01234", 14).unwrap();
            let network = Network::new(Structure { stages, sets, ..structure });
            let mut random = Random::new(4);
            let tables = [0, 1].map(|table| network.table_entries(table).collect::<Vec<u32>>());
            for bank in 0..network.structure().banks() as u8 {
                for _ in 0..20_000 {
                    let table = &tables[random.below(2) as usize];
                    let entry = table[random.below(table.len() as u64) as usize];
                    network.bank(bank).set(entry, random.below(2000) as f32 - 1000.0);
                }
            }
            let mut bytes = Vec::new();
            write(&Contents::of(&network), Encoding::Packed { step: 1.0, relative: true }, &mut bytes)
                .unwrap();
            let read = |favour| read_quantized(&mut &bytes[..], MEMORY_LIMIT, favour).unwrap().0;
            let (fast, thin) = (read(Favour::Speed), read(Favour::Memory));
            assert_eq!(fast.fingerprint(), thin.fingerprint());
            assert!(thin.memory() * 3 < fast.memory(), "{} of {}", thin.memory(), fast.memory());
            let banks = fast.structure().banks() as u64;
            let boards: Vec<([u8; 16], u8)> = (0..2000)
                .map(|_| (std::array::from_fn(|_| random.below(16) as u8), random.below(banks) as u8))
                .collect();
            let (mut one, mut other) = (Active::default(), Active::default());
            let mut sums = [Vec::new(), Vec::new()];
            for (network, sums) in [&fast, &thin].into_iter().zip(&mut sums) {
                network.sums(boards.iter().map(|(cells, bank)| (cells, *bank)), sums);
            }
            assert_eq!(sums[0], sums[1]);
            for (cells, bank) in &boards {
                let view = View { cells, hint: 0, bag: [0; 3] };
                fast.activate(&view, *bank, &mut one);
                thin.activate(&view, *bank, &mut other);
                thin.prefetch_if_large(&other);
                assert_eq!(fast.sum(&one).to_bits(), thin.sum(&other).to_bits());
            }
        }
    }
}
