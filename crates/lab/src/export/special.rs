//! Models for aszczepanski's program (`.bin.special`); the layout is described in
//! [`crate::import::special`].

use super::{ExportError, bits, floats, plain};
use crate::import::binary_stages;
use crate::import::special::{ZEROS, lowest_tile};
use crate::metadata::Model;
use afterstate::grid::Shape;
use std::io::Write;

const FORMAT: &str = "the format .bin.special";

/// Layout of the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Type 1: sixteen zeros take one word.
    Compressed = 1,
    /// Type 2: every number is written.
    Expanded = 2,
}

/// Writes the weights. The format holds neither sums nor metadata.
///
/// Stages must be those the format knows: a power of two, numbered by which of the largest tiles up
/// to 32768 are there.
pub fn write(model: &Model, kind: Kind, out: &mut impl Write) -> Result<(), ExportError> {
    let network = &model.network;
    let structure = network.structure();
    plain(structure, FORMAT)?;
    let stages = structure.stages.count();
    let stage_bits = stages.ilog2();
    if structure.stages != binary_stages(1 << stage_bits, lowest_tile(stage_bits)) {
        let what = format!("stages that begin at '{}'", structure.stages);
        return Err(ExportError::CannotHold { format: FORMAT, what });
    }
    let mut word = |number: u32| out.write_all(&number.to_le_bytes());
    word(kind as u32)?;
    word(16)?;
    word(stage_bits)?;
    for stage in 0..stages {
        let mut word = |number: u32| out.write_all(&number.to_le_bytes());
        word(structure.patterns.len() as u32)?;
        for (table, pattern) in structure.patterns.iter().enumerate() {
            let images = match structure.shared {
                true => pattern.images(Shape::FOUR),
                false => vec![pattern.cells().to_vec()],
            };
            let mut word = |number: u32| out.write_all(&number.to_le_bytes());
            word(pattern.cells().len() as u32)?;
            word(images.len() as u32)?;
            for image in images {
                image.iter().rev().try_for_each(|&cell| word(cell.into()))?;
            }
            let weights = network.bank(stage as u8);
            match kind {
                Kind::Expanded => floats(network, table, out, |entry| bits(weights, entry))?,
                Kind::Compressed => {
                    compressed(network.table_entries(table).map(|entry| bits(weights, entry)), out)?;
                }
            }
        }
    }
    Ok(())
}

fn compressed(mut values: impl Iterator<Item = u32>, out: &mut impl Write) -> Result<(), ExportError> {
    let mut block = [0; 16];
    loop {
        for value in &mut block {
            match values.next() {
                Some(next) => *value = next,
                None => return Ok(()), // tables are multiples of sixteen
            }
        }
        if block == [0; 16] {
            out.write_all(&ZEROS.to_le_bytes())?;
        } else if block[0] == ZEROS {
            let what = "a weight of minus infinity in a compressed table".into();
            return Err(ExportError::CannotHold { format: FORMAT, what });
        } else {
            let bytes: [[u8; 4]; 16] = block.map(u32::to_le_bytes);
            out.write_all(bytes.as_flattened())?;
        }
    }
}
