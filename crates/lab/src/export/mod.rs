//! Models and logs for other programs.

pub mod safetensors;
pub mod special;
pub mod tdl2048;
pub mod tensorboard;

use afterstate::network::{Network, Sets, Structure};
use std::io::{self, Write};
use std::sync::atomic::AtomicU32;
use thiserror::Error;

use afterstate::grid::Shape;
use afterstate::network::memory::Memory;

/// Why a model could not be written in the format of another program.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The bytes could not be written.
    #[error("cannot write it: {0}")]
    Io(#[from] io::Error),
    /// The format has no room for something in the model.
    #[error("{format} cannot hold {what}; write .safetensors or our own format instead")]
    CannotHold {
        /// The format.
        format: &'static str,
        /// Property that the format cannot hold.
        what: String,
    },
}

/// Requirements of `.w` and `.bin.special`: a 4×4 board, patterns of 16 ranks, nothing else.
pub(crate) fn plain(structure: &Structure, format: &'static str) -> Result<(), ExportError> {
    let refuse = |what: String| Err(ExportError::CannotHold { format, what });
    if structure.shape != Shape::FOUR {
        return refuse(format!("a {} board, only 4x4", structure.shape));
    }
    if let Some(pattern) = structure.patterns.iter().find(|pattern| pattern.alphabet() != 16) {
        return refuse(format!("patterns of {} ranks, only 16", pattern.alphabet()));
    }
    if let Some(feature) = structure.features.first() {
        return refuse(format!("the feature '{feature}', only patterns of cells"));
    }
    match structure.sets {
        Sets::One => {}
        Sets::Actions => return refuse("a set of weights for each action".into()),
        Sets::Hints => return refuse("a set of weights for each announced tile".into()),
    }
    if structure.patterns.is_empty() {
        return refuse("a network without patterns".into());
    }
    Ok(())
}

/// Writes the numbers of a table in the order of the definition.
pub(crate) fn floats(
    network: &Network,
    table: usize,
    out: &mut impl Write,
    mut bits: impl FnMut(u32) -> u32,
) -> io::Result<()> {
    let mut buffer = Vec::with_capacity(4 << 15);
    for entry in network.table_entries(table) {
        buffer.extend_from_slice(&bits(entry).to_le_bytes());
        if buffer.len() == 4 << 15 {
            out.write_all(&buffer)?;
            buffer.clear();
        }
    }
    out.write_all(&buffer)
}

/// The bits of a float, as they are.
pub(crate) fn bits(memory: &Memory<AtomicU32>, entry: u32) -> u32 {
    memory.entries()[entry as usize].load(std::sync::atomic::Ordering::Relaxed)
}
