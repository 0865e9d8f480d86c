//! Errors of model files.

use crate::budget::OutOfMemory;
use std::io;
use thiserror::Error;

/// Why a model file could not be read.
#[derive(Debug, Error)]
pub enum FileError {
    /// The bytes could not be read at all.
    #[error("cannot read the model: {0}")]
    Io(#[from] io::Error),
    /// The file does not begin as a model does.
    #[error(
        "not an afterstate model: it begins with '{}'; check the file, or convert it from its own format",
        begins.escape_ascii()
    )]
    NotAModel {
        /// Its first bytes.
        begins: Vec<u8>,
    },
    /// It was written by a later version of this program.
    #[error(
        "the model has format version {version}, this program reads up to version {}; use a newer program",
        super::VERSION
    )]
    Newer {
        /// The version of its format.
        version: u32,
    },
    /// It ends too early.
    #[error(
        "the model ends at byte {at}, in the middle of {reading}; it was cut short: copy it again, or use an earlier checkpoint"
    )]
    Truncated {
        /// Number of bytes.
        at: u64,
        /// Part that was being read.
        reading: String,
    },
    /// Bytes are not those that were written.
    #[error(
        "the model is damaged: {reading} at byte {at}: {reason}; copy it again, or use an earlier checkpoint"
    )]
    Damaged {
        /// Offset of the damaged part.
        at: u64,
        /// Part that was being read.
        reading: String,
        /// Evidence of the damage.
        reason: &'static str,
    },
    /// The file is whole, but describes a network that cannot be.
    #[error(
        "the model describes a network that cannot be: {0}; write it again with the program that made it"
    )]
    Impossible(String),
    /// The network would take more memory than is allowed.
    #[error(
        "the model needs {} MiB of memory, more than the {} MiB allowed; use a smaller network",
        bytes.div_ceil(1 << 20), limit >> 20
    )]
    TooLarge {
        /// The memory it would take.
        bytes: u64,
        /// The memory allowed.
        limit: u64,
    },
    /// There is no memory for it.
    #[error("{0}")]
    Memory(#[from] OutOfMemory),
    /// A number that is infinite, or none at all.
    #[error(
        "{reading} are not all finite: its training went astray; use an earlier checkpoint, or train again with smaller steps"
    )]
    NotFinite {
        /// Part that was being read.
        reading: String,
    },
    /// Something follows the end of the model.
    #[error("the model ends at byte {at}, but the file goes on; remove what follows, or copy the file again")]
    Trailing {
        /// Offset of the model's end.
        at: u64,
    },
}
