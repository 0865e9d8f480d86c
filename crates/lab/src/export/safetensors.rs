//! Models as `.safetensors`, which any program for tensors can open; see
//! [`crate::import::safetensors`] for the names.

use super::{ExportError, bits, floats};
use crate::import::safetensors::{STRUCTURE, name};
use crate::metadata::Model;
use afterstate::network::file::Header;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;

/// Writes everything: weights, sums, visit counts, structure and metadata.
pub fn write(model: &Model, out: &mut impl Write) -> Result<(), ExportError> {
    let network = &model.network;
    let structure = network.structure();
    let cannot =
        |what: &str| ExportError::CannotHold { format: "the format .safetensors", what: what.into() };
    if model.metadata.contains_key(STRUCTURE) {
        return Err(cannot("metadata with our own key 'afterstate.structure'"));
    }
    let header = Header {
        structure: structure.clone(),
        sums: !model.sums.is_empty(),
        visits: !model.visits.is_empty(),
        metadata: BTreeMap::new(),
    };
    let mut metadata: Map<String, Value> =
        model.metadata.iter().map(|(key, value)| (key.clone(), value.as_str().into())).collect();
    metadata.insert(STRUCTURE.into(), header.text().into());

    let mut tensors = Map::from_iter([("__metadata__".to_owned(), Value::Object(metadata))]);
    let parts: &[&str] = match (header.sums, header.visits) {
        (false, false) => &["value"],
        (true, false) => &["value", "e", "a"],
        (false, true) => &["value", "visits"],
        (true, true) => &["value", "e", "a", "visits"],
    };
    let mut at = 0;
    for bank in 0..structure.banks() {
        for table in 0..network.tables() {
            let len = network.table_len(table);
            for part in parts {
                let place = json!({"dtype": "F32", "shape": [len], "data_offsets": [at, at + 4 * len]});
                tensors.insert(format!("{}/{part}", name(structure, bank, table)), place);
                at += 4 * len;
            }
        }
    }
    let mut text = Value::Object(tensors).to_string().into_bytes();
    text.resize(text.len().next_multiple_of(8), b' ');
    out.write_all(&(text.len() as u64).to_le_bytes())?;
    out.write_all(&text)?;

    for bank in 0..structure.banks() {
        for table in 0..network.tables() {
            for &part in parts {
                floats(network, table, out, |entry| match part {
                    "value" => bits(network.bank(bank as u8), entry),
                    "visits" => bits(&model.visits[bank], entry),
                    _ => model.sums[bank].get_pair(entry)[usize::from(part == "a")].to_bits(),
                })?;
            }
        }
    }
    Ok(())
}
