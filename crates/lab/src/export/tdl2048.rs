//! Weights for TDL2048+ (`.w`); the layout is described in [`crate::import::tdl2048`].

use super::{ExportError, bits, floats, plain};
use crate::import::tdl2048::{UNTOUCHED, join_id};
use crate::metadata::Model;
use std::io::Write;

const FORMAT: &str = "TDL2048's .w";

/// Writes weights, and the sums of temporal coherence if there are any.
///
/// The format holds shared patterns of 16 ranks on a 4×4 board. When stages begin is not part of
/// it, nor is metadata.
pub fn write(model: &Model, out: &mut impl Write) -> Result<(), ExportError> {
    let structure = model.network.structure();
    plain(structure, FORMAT)?;
    let cannot = |what: &str| ExportError::CannotHold { format: FORMAT, what: what.into() };
    if !structure.shared {
        return Err(cannot("patterns that do not share their weights with their mirror images"));
    }
    if !model.visits.is_empty() {
        return Err(cannot("visit counts"));
    }
    for (i, pattern) in structure.patterns.iter().enumerate() {
        if structure.patterns[..i].contains(pattern) {
            return Err(cannot("the same pattern twice"));
        }
    }
    let stages = structure.stages.count();
    out.write_all(&[0])?;
    out.write_all(&((stages * structure.patterns.len()) as u32).to_le_bytes())?;
    for stage in 0..stages {
        for (table, pattern) in structure.patterns.iter().enumerate() {
            let (id, digits) = join_id(stage, stages, pattern.cells())
                .ok_or_else(|| cannot("more than 16 stages of patterns of 7 cells"))?;
            out.write_all(&[4])?;
            out.write_all(&id.to_le_bytes())?;
            out.write_all(&digits.to_le_bytes())?;
            out.write_all(&[0; 2])?;
            let len = model.network.table_len(table) as u64;
            out.write_all(&4u16.to_le_bytes())?;
            out.write_all(&len.to_le_bytes())?;
            let weights = model.network.bank(stage as u8);
            floats(&model.network, table, out, |entry| bits(weights, entry))?;
            if let Some(sums) = model.sums.get(stage) {
                out.write_all(&4u16.to_le_bytes())?;
                out.write_all(&(2 * len).to_le_bytes())?;
                for which in 0..2 {
                    floats(&model.network, table, out, |entry| {
                        let pair = sums.get_pair(entry).map(f32::to_bits);
                        if pair == [0; 2] { UNTOUCHED } else { pair[which] }
                    })?;
                }
            }
            out.write_all(&[0; 2])?;
        }
    }
    Ok(())
}
