//! Models of other programs.

pub mod safetensors;
pub mod special;
pub mod tdl2048;

use crate::memory;
use crate::metadata::Model;
use afterstate::network::Network;
use afterstate::network::file::{FileError, Header, MEMORY_LIMIT};
use afterstate::network::memory::Memory;
use afterstate::network::{Structure, stage::Stages};
use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use thiserror::Error;

/// Why a file of another program could not be read.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The bytes could not be read at all.
    #[error("cannot read it: {0}")]
    Io(#[from] io::Error),
    /// The file ends too early.
    #[error("it ends at byte {at}, in the middle of {reading}; it was cut short: copy it again")]
    Truncated {
        /// Size in bytes.
        at: u64,
        /// Part that was being read.
        reading: &'static str,
    },
    /// The file says something that cannot be, or that we cannot represent.
    #[error("at byte {at}: {reason}")]
    Wrong {
        /// The place.
        at: u64,
        /// The defect, and what to do next.
        reason: String,
    },
    /// The network it describes cannot be made.
    #[error(transparent)]
    Network(#[from] FileError),
}

/// The most memory a model may claim: all that this process may use ([`memory::allowed`]), at most
/// [`MEMORY_LIMIT`].
///
/// A file of a few hundred bytes may say that it holds a network of many gigabytes, all zero. Zeros
/// take no memory, and what is filled is reserved by pages; but a network that could not be filled
/// is of no use.
pub fn memory_limit() -> u64 {
    MEMORY_LIMIT.min(memory::allowed())
}

/// A reader of little-endian numbers that knows where it is.
pub(crate) struct Source<R> {
    inner: BufReader<R>,
    at: u64,
    len: u64,
    /// Part being read, for messages.
    pub(crate) reading: &'static str,
}

impl<R: Read + Seek> Source<R> {
    pub(crate) fn new(mut inner: R) -> io::Result<Self> {
        let len = inner.seek(SeekFrom::End(0))?;
        inner.seek(SeekFrom::Start(0))?;
        Ok(Self { inner: BufReader::with_capacity(1 << 18, inner), at: 0, len, reading: "its beginning" })
    }

    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// Bytes that follow.
    pub(crate) fn left(&self) -> u64 {
        self.len.saturating_sub(self.at)
    }

    pub(crate) fn wrong(&self, reason: impl Into<String>) -> ImportError {
        // What a file says may be part of the reason; it stays one line.
        let reason: String = reason.into();
        let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
        ImportError::Wrong { at: self.at, reason: reason.chars().map(shown).collect() }
    }

    fn truncated(&self) -> ImportError {
        ImportError::Truncated { at: self.len, reading: self.reading }
    }

    pub(crate) fn bytes(&mut self, buffer: &mut [u8]) -> Result<(), ImportError> {
        match self.inner.read_exact(buffer) {
            Ok(()) => {
                self.at += buffer.len() as u64;
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(self.truncated()),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], ImportError> {
        let mut array = [0; N];
        self.bytes(&mut array)?;
        Ok(array)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, ImportError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, ImportError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// Leaves out `bytes` bytes, which must be there.
    pub(crate) fn skip(&mut self, bytes: u64) -> Result<(), ImportError> {
        if bytes > self.left() {
            return Err(self.truncated());
        }
        self.seek(self.at + bytes)
    }

    pub(crate) fn seek(&mut self, to: u64) -> Result<(), ImportError> {
        self.inner.seek(SeekFrom::Start(to))?;
        self.at = to;
        Ok(())
    }

    /// The bits of `count` floats, one after the other.
    pub(crate) fn floats(&mut self, count: usize, mut take: impl FnMut(u32)) -> Result<(), ImportError> {
        let mut buffer = vec![0; 4 * count.min(1 << 15)];
        let mut left = count;
        while left > 0 {
            let now = left.min(1 << 15);
            let buffer = &mut buffer[..4 * now];
            self.bytes(buffer)?;
            let (words, _) = buffer.as_chunks::<4>();
            if words.iter().any(|&word| !f32::from_le_bytes(word).is_finite()) {
                return Err(self.not_finite());
            }
            words.iter().for_each(|&word| take(u32::from_le_bytes(word)));
            left -= now;
        }
        Ok(())
    }

    pub(crate) fn not_finite(&self) -> ImportError {
        self.wrong(format!(
            "{} holds numbers that are infinite, or none at all; its training went astray, or the file is damaged",
            self.reading
        ))
    }

    /// An error unless everything was read.
    pub(crate) fn end(&self) -> Result<(), ImportError> {
        match self.left() {
            0 => Ok(()),
            left => Err(self.wrong(format!("{left} bytes follow the end of the model; copy the file again"))),
        }
    }
}

/// A model of this structure with all numbers zero, if there can be one.
pub(crate) fn prepare(
    structure: Structure,
    sums: bool,
    visits: bool,
    metadata: BTreeMap<String, String>,
) -> Result<Model, ImportError> {
    let header = Header { structure, sums, visits, metadata };
    header.check()?;
    let (bytes, limit) = (header.memory(), memory_limit());
    if bytes > limit {
        return Err(FileError::TooLarge { bytes, limit }.into());
    }
    let network = Network::try_new(header.structure).map_err(FileError::Memory)?;
    let (banks, len) = (network.structure().banks(), network.bank_len());
    let sums = (0..if sums { banks } else { 0 }).map(|_| Memory::try_new(len)).collect::<Result<_, _>>();
    let visits = (0..if visits { banks } else { 0 }).map(|_| Memory::try_new(len)).collect::<Result<_, _>>();
    Ok(Model {
        sums: sums.map_err(FileError::Memory)?,
        visits: visits.map_err(FileError::Memory)?,
        network,
        metadata: header.metadata,
    })
}

/// The stages of programs that number them by which large tiles are there: stage *k* by the bits of
/// *k*, the lowest of them for `lowest`.
///
/// With 16384 the lowest: 16384, then 32768, then both, and so on.
pub(crate) fn binary_stages(count: usize, lowest: u8) -> Stages {
    let split = |k: usize| (0..6).rev().filter(|bit| k >> bit & 1 == 1).map(|bit| lowest + bit).collect();
    Stages::new((1..count).map(split).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_by_bits() {
        assert_eq!(binary_stages(4, 14).to_string(), "14 15 15+14");
        assert_eq!(binary_stages(1, 16), Stages::default());
        assert_eq!(binary_stages(8, 13).to_string(), "13 14 14+13 15 15+13 15+14 15+14+13");
    }
}
