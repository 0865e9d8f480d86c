//! Errors of model files.

use crate::budget::OutOfMemory;
use std::{fmt, io};

/// Why a model file could not be read.
#[derive(Debug)]
pub enum FileError {
    /// The bytes could not be read at all.
    Io(io::Error),
    /// The file does not begin as a model does.
    NotAModel {
        /// Its first bytes.
        begins: Vec<u8>,
    },
    /// It was written by a later version of this program.
    Newer {
        /// The version of its format.
        version: u32,
    },
    /// It ends too early.
    Truncated {
        /// Number of bytes.
        at: u64,
        /// Part that was being read.
        reading: String,
    },
    /// Bytes are not those that were written.
    Damaged {
        /// Offset of the damaged part.
        at: u64,
        /// Part that was being read.
        reading: String,
        /// Evidence of the damage.
        reason: &'static str,
    },
    /// The file is whole, but describes a network that cannot be.
    Impossible(String),
    /// The network would take more memory than is allowed.
    TooLarge {
        /// The memory it would take.
        bytes: u64,
        /// The memory allowed.
        limit: u64,
    },
    /// There is no memory for it.
    Memory(OutOfMemory),
    /// A number that is infinite, or none at all.
    NotFinite {
        /// Part that was being read.
        reading: String,
    },
    /// Something follows the end of the model.
    Trailing {
        /// Offset of the model's end.
        at: u64,
    },
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot read the model: {error}"),
            Self::NotAModel { begins } => write!(
                f,
                "not an afterstate model: it begins with '{}'; check the file, or convert it from its own format",
                begins.escape_ascii()
            ),
            Self::Newer { version } => write!(
                f,
                "the model has format version {version}, this program reads up to version {}; use a newer program",
                super::VERSION
            ),
            Self::Truncated { at, reading } => write!(
                f,
                "the model ends at byte {at}, in the middle of {reading}; it was cut short: copy it again, or use an earlier checkpoint"
            ),
            Self::Damaged { at, reading, reason } => write!(
                f,
                "the model is damaged: {reading} at byte {at}: {reason}; copy it again, or use an earlier checkpoint"
            ),
            Self::Impossible(reason) => {
                write!(
                    f,
                    "the model describes a network that cannot be: {reason}; write it again with the program that made it"
                )
            }
            Self::TooLarge { bytes, limit } => write!(
                f,
                "the model needs {} MiB of memory, more than the {} MiB allowed; use a smaller network",
                bytes.div_ceil(1 << 20),
                limit >> 20
            ),
            Self::Memory(error) => error.fmt(f),
            Self::NotFinite { reading } => write!(
                f,
                "{reading} are not all finite: its training went astray; use an earlier checkpoint, or train again with smaller steps"
            ),
            Self::Trailing { at } => write!(
                f,
                "the model ends at byte {at}, but the file goes on; remove what follows, or copy the file again"
            ),
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Memory(error) => Some(error),
            _ => None,
        }
    }
}

impl From<OutOfMemory> for FileError {
    fn from(error: OutOfMemory) -> Self {
        Self::Memory(error)
    }
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
