//! Networks for play as they lie in memory, in a file that all processes of a machine map: the
//! weights are in memory once, however many processes play with them.
//!
//! Such a file is for this machine and this version of the program only: arrays are in the order of
//! the tables, numbers as the processor has them. Models travel in the format of [`super::write`].

use super::stream::{In, Out};
use super::{FileError, Header, MAX_HEADER};
use crate::network::index::Plan;
use crate::network::memory::{Entry, Memory};
use crate::network::quantized::{PADDING, StageWeights, Store, Weights};
use crate::network::{Network, QuantizedNetwork, Structure};
use crate::random::split_mix;
use memmap2::MmapAsRawDesc;
use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

/// First bytes of such a file; the last two are the version of its layout.
const MAGIC: [u8; 8] = *b"\x89aftmap\x01";
/// Arrays begin at multiples of this many bytes, which are whole pages on every machine.
const PAGE: u64 = 1 << 16;

/// A network for play.
#[derive(Clone, Copy, Debug)]
pub enum ForPlay<N = Network, Q = QuantizedNetwork> {
    /// With all bits of its weights.
    Whole(N),
    /// With 16-bit weights.
    Quantized(Q),
}

impl ForPlay<&Network, &QuantizedNetwork> {
    fn structure(&self) -> &Structure {
        match self {
            Self::Whole(network) => network.structure(),
            Self::Quantized(network) => network.structure(),
        }
    }
}

/// A number that tells the order of the weights in memory from others, by samples of it.
fn layout(plan: &Plan) -> u64 {
    let mut state = plan.len as u64;
    let mut hash = 0;
    for table in 0..plan.tables.len() {
        for _ in 0..64 {
            let index = split_mix(&mut state) % plan.tables[table].len as u64;
            let mut mixed = hash
                ^ index << 32
                ^ (plan.tables[table].offset as usize + plan.place(table, index as usize)) as u64;
            hash = split_mix(&mut mixed);
        }
    }
    hash
}

/// Form of the weights in the file.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Whole = 0,
    Single = 1,
    Quad = 2,
}

impl Form {
    fn of(network: &ForPlay<&Network, &QuantizedNetwork>) -> Self {
        match network {
            ForPlay::Whole(_) => Self::Whole,
            ForPlay::Quantized(network) => match network.stages().first().map(|stage| &stage.weights) {
                Some(Weights::Quad(_)) => Self::Quad,
                _ => Self::Single,
            },
        }
    }

    fn from_code(code: u8) -> Option<Self> {
        [Self::Whole, Self::Single, Self::Quad].into_iter().find(|form| *form as u8 == code)
    }
}

/// Writes a network with all its entries for [`map`], and what is known about it.
pub fn write_mappable(
    network: ForPlay<&Network, &QuantizedNetwork>,
    metadata: &BTreeMap<String, String>,
    out: &mut (impl Write + Seek),
) -> io::Result<()> {
    let (structure, metadata) = (network.structure().clone(), metadata.clone());
    let text = Header { structure, sums: false, visits: false, metadata }.text();
    let mut head = Vec::new();
    let mut begin = Out::new(&mut head);
    begin.bytes(&MAGIC)?;
    begin.bytes(&(text.len() as u32).to_le_bytes())?;
    begin.bytes(text.as_bytes())?;
    begin.bytes(&layout(&network.structure().plan()).to_le_bytes())?;
    begin.bytes(&[Form::of(&network) as u8])?;
    if let ForPlay::Quantized(network) = network {
        begin.bytes(&network.factor().to_le_bytes())?;
        for stage in network.stages() {
            begin.bytes(&stage.unit.to_le_bytes())?;
            stage.shifts.iter().try_for_each(|shift| begin.bytes(&shift.to_le_bytes()))?;
        }
    }
    begin.checksum()?;
    out.write_all(&head)?;
    let mut at = head.len() as u64;
    match network {
        ForPlay::Whole(network) => {
            for bank in 0..network.structure().banks() {
                at = write_array(network.bank(bank as u8), at, out)?;
            }
        }
        ForPlay::Quantized(network) => {
            for stage in network.stages() {
                at = match &stage.weights {
                    Weights::Single(Store::Whole(weights)) => write_array(weights, at, out)?,
                    Weights::Quad(Store::Whole(weights)) => write_array(weights, at, out)?,
                    _ => return Err(io::Error::other("a network without its zeros cannot be mapped")),
                };
            }
        }
    }
    Ok(())
}

/// Writes an array behind `at`, with holes where it holds zeros alone; where it ends.
fn write_array<T: Entry>(array: &Memory<T>, at: u64, out: &mut (impl Write + Seek)) -> io::Result<u64> {
    let start = at.next_multiple_of(PAGE);
    let end = start + size_of_val(array.entries()) as u64;
    let mut bytes = Vec::with_capacity(PAGE as usize);
    let chunks = array.entries().chunks(PAGE as usize / size_of::<T>());
    for (offset, chunk) in (start..end).step_by(PAGE as usize).zip(chunks) {
        bytes.clear();
        chunk.iter().for_each(|entry| entry.append_to(&mut bytes));
        // The last block is written in any case: the file is as long as its arrays.
        if offset + PAGE >= end || bytes.iter().any(|&byte| byte != 0) {
            out.seek(SeekFrom::Start(offset))?;
            out.write_all(&bytes)?;
        }
    }
    Ok(end)
}

/// A network over the memory of a file that [`write_mappable`] wrote, and what is known about it.
/// Its weights are read when they are needed.
pub fn map<F: Read + Seek + MmapAsRawDesc + Copy>(
    mut file: F,
) -> Result<(ForPlay, BTreeMap<String, String>), FileError> {
    let size = file.seek(SeekFrom::End(0))?;
    file.rewind()?;
    let mut buffered = BufReader::new(file);
    let mut input = In::new(&mut buffered);
    input.reading = "its header".into();
    let mut magic = [0; MAGIC.len()];
    let len = input.up_to(&mut magic)?;
    if magic != MAGIC {
        return Err(FileError::NotAModel { begins: magic[..len].to_vec() });
    }
    let len = u32::from_le_bytes(input.array()?);
    if len > MAX_HEADER {
        return Err(input.damaged(8, "its length is absurd"));
    }
    let text = String::from_utf8(input.vec(len as usize)?)
        .map_err(|_| FileError::Impossible("its header is not UTF-8".into()))?;
    let Header { structure, metadata, .. } = Header::parse(&text)?;
    let order = input.array()?;
    let [form] = input.array()?;
    let form = Form::from_code(form).ok_or_else(|| input.damaged(input.at(), "its form is unknown"))?;
    let plan = structure.plan();
    if u64::from_le_bytes(order) != layout(&plan) {
        return Err(FileError::Impossible("its weights lie in another order".into()));
    }
    let mut steps = Vec::new();
    let mut factor = 1.0;
    if form != Form::Whole {
        factor = f32::from_le_bytes(input.array()?);
        for _ in 0..structure.stages.count() {
            let unit = f32::from_le_bytes(input.array()?);
            let shift = |_| Ok(u32::from_le_bytes(input.array()?));
            steps.push((
                unit,
                (0..plan.entry_tables.len()).map(shift).collect::<Result<Vec<_>, FileError>>()?,
            ));
        }
    }
    input.checksum(0)?;
    let mut arrays = Arrays { file, size, at: input.at() };
    let network = match form {
        Form::Whole => {
            let banks = (0..structure.banks()).map(|_| arrays.next(plan.len)).collect::<Result<_, _>>()?;
            ForPlay::Whole(Network::of(structure, plan, banks))
        }
        Form::Single | Form::Quad => {
            let stages = steps.into_iter().map(|steps| stage(&mut arrays, &plan, form, steps));
            let stages = stages.collect::<Result<_, _>>()?;
            ForPlay::Quantized(QuantizedNetwork::of(structure, plan, stages).scaled(factor))
        }
    };
    Ok((network, metadata))
}

/// The weights of one stage.
fn stage<F: MmapAsRawDesc + Copy>(
    arrays: &mut Arrays<F>,
    plan: &Plan,
    form: Form,
    (unit, shifts): (f32, Vec<u32>),
) -> Result<StageWeights, FileError> {
    let len = plan.len + PADDING;
    let weights = match form {
        Form::Quad => Weights::Quad(Store::Whole(arrays.next(len)?)),
        _ => Weights::Single(Store::Whole(arrays.next(len)?)),
    };
    Ok(StageWeights { unit, shifts, weights })
}

/// The arrays of a file, one after the other.
struct Arrays<F> {
    file: F,
    size: u64,
    at: u64,
}

impl<F: MmapAsRawDesc + Copy> Arrays<F> {
    fn next<T: Entry>(&mut self, len: usize) -> Result<Memory<T>, FileError> {
        let start = self.at.next_multiple_of(PAGE);
        self.at = start + (len * size_of::<T>()) as u64;
        if self.at > self.size {
            return Err(FileError::Truncated { at: self.size, reading: "its weights".into() });
        }
        Ok(Memory::of_file(self.file, start, len)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Shape, View};
    use crate::network::stage::{Rule, Stages};
    use crate::network::{Active, Sets};
    use crate::random::Random;
    use std::fs::File;

    fn network(sets: Sets) -> Network {
        let stages = Stages::by(Rule::Walls { from: 7, stages: 2 });
        let structure =
            Structure { sets, stages, ..Structure::tuples(Shape::FOUR, "0123 01245", 9).unwrap() };
        let network = Network::new(structure);
        let mut random = Random::new(7);
        for bank in 0..network.structure().banks() as u8 {
            // The second stage begins with zeros: holes in the file.
            let entries = network.table_entries(usize::from(bank / 4 == 1)).step_by(3);
            entries.for_each(|entry| network.bank(bank).set(entry, random.below(5000) as f32));
        }
        network
    }

    /// Writes a network to a file without a name, as far as this process needs one.
    fn file(network: ForPlay<&Network, &QuantizedNetwork>) -> File {
        let path =
            std::env::temp_dir().join(format!("afterstate-mappable-{:?}", std::thread::current().id()));
        let mut file =
            File::options().read(true).write(true).create(true).truncate(true).open(&path).unwrap();
        let known = BTreeMap::from([("game".to_owned(), "2048".to_owned())]);
        write_mappable(network, &known, &mut file).unwrap();
        let _ = std::fs::remove_file(&path);
        file
    }

    #[test]
    fn a_mapped_network_values_what_the_written_one_does() {
        for sets in [Sets::One, Sets::Hints] {
            let (whole, quantized) =
                (network(sets), QuantizedNetwork::new(network(sets)).unwrap().scaled(0.5));
            let forms = [ForPlay::Whole(&whole), ForPlay::Quantized(&quantized)];
            for form in forms {
                let file = file(form);
                let (mapped, known) = map(&file).unwrap();
                assert_eq!(known["game"], "2048");
                let mut random = Random::new(1);
                let mut active = Active::default();
                for _ in 0..500 {
                    let cells: [u8; 16] = std::array::from_fn(|_| random.below(9) as u8);
                    let view = View { cells: &cells, hint: 1 + random.below(3) as u8, bag: [0; 3] };
                    let stage = random.below(2) as u8;
                    let (ours, theirs) = match (&mapped, form) {
                        (ForPlay::Whole(mapped), ForPlay::Whole(written)) => {
                            mapped.activate(&view, mapped.bank_of(&view, stage), &mut active);
                            (mapped.sum(&active), written.sum(&active))
                        }
                        (ForPlay::Quantized(mapped), ForPlay::Quantized(written)) => {
                            mapped.activate(&view, mapped.bank_of(&view, stage), &mut active);
                            (mapped.sum(&active), written.sum(&active))
                        }
                        _ => panic!("another form"),
                    };
                    assert_eq!(ours.to_bits(), theirs.to_bits());
                }
            }
        }
    }

    /// Changes of one process are its own: no other sees them.
    #[test]
    fn changes_stay_in_the_process_and_take_nothing_from_the_budget() {
        let whole = network(Sets::One);
        let file = file(ForPlay::Whole(&whole));
        let (ForPlay::Whole(one), _) = map(&file).unwrap() else { panic!("another form") };
        let (ForPlay::Whole(other), _) = map(&file).unwrap() else { panic!("another form") };
        let before = other.bank(0).get(3);
        one.bank(0).set(3, before + 1.0);
        assert_eq!((one.bank(0).get(3), other.bank(0).get(3)), (before + 1.0, before));
        assert_eq!(one.memory(), 0);
    }

    #[test]
    fn files_that_are_cut_short_or_damaged_are_refused() {
        let whole = network(Sets::One);
        let mut file = file(ForPlay::Whole(&whole));
        let size = file.metadata().unwrap().len();
        file.set_len(size - 1).unwrap();
        assert!(matches!(map(&file), Err(FileError::Truncated { .. })));
        file.set_len(size).unwrap();
        let head = MAGIC.len()
            + 4
            + Header::text(&Header {
                structure: whole.structure().clone(),
                sums: false,
                visits: false,
                metadata: BTreeMap::from([("game".to_owned(), "2048".to_owned())]),
            })
            .len();
        // The header, then the order, the form and the checksum.
        for at in 0..head as u64 + 13 {
            let change = |file: &mut File| {
                let mut byte = [0];
                file.seek(SeekFrom::Start(at)).unwrap();
                file.read_exact(&mut byte).unwrap();
                file.seek(SeekFrom::Start(at)).unwrap();
                file.write_all(&[byte[0] ^ 4]).unwrap();
            };
            change(&mut file);
            assert!(map(&file).is_err(), "byte {at}");
            change(&mut file);
        }
        map(&file).unwrap();
        file.set_len(0).unwrap();
        assert!(matches!(map(&file), Err(FileError::NotAModel { .. })));
    }
}
