//! Models as `.safetensors`: tensors `stage{s}/tuple{i}/value`, beside them `e`, `a` or `visits`.
//!
//! The structure is the text `afterstate.structure` of the metadata, as in our own format;
//! everything else in the metadata is kept. Networks with a set of weights for each action call
//! them `stage{s}/action{a}/…`, and features are `feature{j}` beside the tuples.

use super::{ImportError, Source, prepare};
use crate::metadata::Model;
use afterstate::network::file::Header;
use afterstate::network::pattern::Pattern;
use afterstate::network::{Sets, Structure};
use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};
use std::collections::BTreeMap;
use std::io::{Read, Seek};

/// The key of the structure in the metadata.
pub(crate) const STRUCTURE: &str = "afterstate.structure";
/// The longest header that is read; the format allows 100 MB, its tensors need far less.
const MAX_HEADER: u64 = 16 << 20;

/// True if a file of this format may begin like this.
pub fn begins(bytes: &[u8]) -> bool {
    bytes.len() >= 9 && bytes[8] == b'{' && bytes[4..8] == [0; 4]
}

/// The name of a table's tensors, without the last part.
pub(crate) fn name(structure: &Structure, bank: usize, table: usize) -> String {
    let (stage, which) = (bank / structure.sets.count(), bank % structure.sets.count());
    let set = match structure.sets {
        Sets::One => String::new(),
        Sets::Actions => format!("action{which}/"),
        Sets::Hints => format!("hint{}/", which + 1),
    };
    match table.checked_sub(structure.patterns.len()) {
        None => format!("stage{stage}/{set}tuple{table}"),
        Some(feature) => format!("stage{stage}/{set}feature{feature}"),
    }
}

/// Reads a model that [`crate::export::safetensors`], or another program that keeps to its names,
/// has written.
pub fn read(input: impl Read + Seek) -> Result<Model, ImportError> {
    let mut source = Source::new(input)?;
    source.reading = "its header";
    let len = source.u64()?;
    if len > MAX_HEADER {
        let most = MAX_HEADER >> 20;
        return Err(source.wrong(format!("a header of {len} bytes; only headers of {most} MiB are read")));
    }
    if len > source.left() {
        return Err(source.wrong(format!(
            "a header of {len} bytes, but {} follow; it was cut short, or is no .safetensors",
            source.left()
        )));
    }
    let mut json = vec![0; len as usize];
    source.bytes(&mut json)?;
    let tensors: Metadata = serde_json::from_slice(&json)
        .map_err(|error| source.wrong(format!("its header is wrong: {error}; write it again")))?;
    let data = source.at();
    if tensors.data_len() as u64 != source.left() {
        return Err(source.wrong(format!(
            "the tensors take {} bytes, but {} are there; it was cut short or damaged: copy it again",
            tensors.data_len(),
            source.left()
        )));
    }
    let mut metadata: BTreeMap<String, String> =
        tensors.metadata().iter().flatten().map(|(key, value)| (key.clone(), value.clone())).collect();
    let Some(text) = metadata.remove(STRUCTURE) else {
        return Err(source.wrong(format!(
            "its metadata lacks '{STRUCTURE}', so its structure is unknown; add it (see docs/formats.md)"
        )));
    };
    let header = Header::parse(&text)?;
    all_there(&tensors, &header).map_err(|reason| source.wrong(reason))?;
    let model = prepare(header.structure, header.sums, header.visits, metadata)?;
    let network = &model.network;
    let mut expected = 0;
    for bank in 0..network.structure().banks() {
        for table in 0..network.tables() {
            let prefix = name(network.structure(), bank, table);
            let mut tensor = |part: &str, set: &mut dyn FnMut(u32, f32)| {
                expected += 1;
                let name = format!("{prefix}/{part}");
                let len = network.table_len(table);
                let found = find(&tensors, &name, len).map_err(|reason| source.wrong(reason))?;
                source.reading = "a tensor";
                source.seek(data + found.data_offsets.0 as u64)?;
                let mut entries = network.table_entries(table);
                source.floats(len, |bits| set(entries.next().expect("as long"), f32::from_bits(bits)))
            };
            tensor("value", &mut |entry, value| network.bank(bank as u8).set(entry, value))?;
            if let Some(sums) = model.sums.get(bank) {
                tensor("e", &mut |entry, e| sums.set_pair(entry, [e, sums.get_pair(entry)[1]]))?;
                tensor("a", &mut |entry, a| sums.set_pair(entry, [sums.get_pair(entry)[0], a]))?;
            }
            if let Some(visits) = model.visits.get(bank) {
                tensor("visits", &mut |entry, n| visits.set(entry, n))?;
            }
        }
    }
    if tensors.tensors().len() != expected {
        return Err(source.wrong(format!(
            "{} tensors where the structure has {expected}; remove what does not belong to the network",
            tensors.tensors().len()
        )));
    }
    Ok(model)
}

/// A tensor of so many floats.
fn find<'a>(tensors: &'a Metadata, name: &str, len: usize) -> Result<&'a TensorInfo, String> {
    let found = tensors.info(name).filter(|info| info.dtype == Dtype::F32 && info.shape == [len]);
    found.ok_or_else(|| format!("there is no tensor '{name}' of {len} F32 values; write it again"))
}

/// Checks that the file holds what its structure says, before memory is taken for it.
fn all_there(tensors: &Metadata, header: &Header) -> Result<(), String> {
    let structure = &header.structure;
    let patterns = structure.patterns.iter().map(Pattern::table_len);
    let features = structure.features.iter().map(|feature| feature.table_len(structure.shape));
    let lens: Vec<usize> = patterns.chain(features).collect();
    for bank in 0..structure.banks() {
        for (table, &len) in lens.iter().enumerate() {
            find(tensors, &format!("{}/value", name(structure, bank, table)), len)?;
        }
    }
    Ok(())
}
