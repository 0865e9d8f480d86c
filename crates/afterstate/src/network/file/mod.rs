//! Model files: a network with its structure, what is known about it, and what learning keeps
//! beside it.
//!
//! A file is a sequence of parts, each with a checksum (CRC-32), integers and floats little endian:
//!
//! ```text
//! magic (8 bytes)  version u32  length u32  text header (structure, metadata)  crc u32
//! for each array (weights, then sums E and A, then visit counts), each bank, each table:
//!     kind u8  encoding u8  bank u16  table u32  entries u64  bytes per entry u32  crc u32
//!     zeros up to a multiple of 64 bytes
//!     the numbers in the order of the definition, raw or sparse      crc u32
//! ```
//!
//! Raw arrays hold every number. Sparse ones hold only blocks of 64 entries that are not all zero,
//! and of these only the entries that are not zero: most of a large network is never visited, and
//! checkpoints are several times smaller. Packed ones hold rounded weights, squeezed, for models
//! that travel. What processes of one machine map into memory is another file ([`write_mappable`]).
//!
//! ```
//! use afterstate::grid::Shape;
//! use afterstate::network::{Network, Structure, file};
//! let network = Network::new(Structure::tuples(Shape::FOUR, "0123 0145", 16).unwrap());
//! network.bank(0).set(7, 1.5);
//! let mut bytes = Vec::new();
//! file::write(&file::Contents::of(&network), file::Encoding::Sparse, &mut bytes).unwrap();
//! let again = file::read(&mut &bytes[..]).unwrap();
//! assert_eq!(again.network.bank(0).get(7), 1.5);
//! bytes[50] ^= 1;
//! assert!(file::read(&mut &bytes[..]).is_err());
//! ```

mod error;
mod header;
mod mappable;
mod packed;
mod quantized;
mod rans;
mod section;
mod stream;

pub use error::FileError;
pub use header::Header;
pub use mappable::{ForPlay, map, write_mappable};
pub use quantized::read_quantized;

use super::Network;
use super::filling::Filling;
use super::memory::{Entry, Memory};
use section::{Array, Code, Number, Section};
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU32, AtomicU64};
use stream::{In, Out};

/// First bytes of every model. The first byte is no text, the line ends show damage by text
/// conversion.
pub const MAGIC: [u8; 8] = *b"\x89aftr\r\n\x1a";
/// The latest version of the format that this program reads; it writes the oldest that can say what
/// is to be written.
pub const VERSION: u32 = 2;
/// The most memory [`read`] takes for a network and its sums: 32 GiB.
pub const MEMORY_LIMIT: u64 = 32 << 30;
/// The longest text header.
const MAX_HEADER: u32 = 16 << 20;

/// Encoding of an array.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Encoding {
    /// All of them, aligned.
    Raw,
    /// Only those that are not zero.
    Sparse,
    /// Weights rounded to multiples of a step, only those that are not zero, squeezed; not for what
    /// learning keeps.
    Packed {
        /// The step.
        step: f32,
        /// True if weights are told as differences from the bank they resemble
        /// ([`super::Structure::base`]).
        relative: bool,
    },
}

impl Encoding {
    /// Its name in a file.
    fn code(self) -> Code {
        match self {
            Self::Raw => Code::Raw,
            Self::Sparse => Code::Sparse,
            Self::Packed { relative: false, .. } => Code::Packed,
            Self::Packed { relative: true, .. } => Code::Deltas,
        }
    }

    /// The version of the format that knew it first.
    fn version(self) -> u32 {
        if matches!(self, Self::Packed { .. }) { 2 } else { 1 }
    }
}

/// Contents of a file, borrowed for writing.
#[derive(Clone, Copy)]
pub struct Contents<'a> {
    /// Structure and weights.
    pub network: &'a Network,
    /// Anything else that is known: the game, the recipe, the training history.
    pub metadata: &'a BTreeMap<String, String>,
    /// The sums E and A of temporal coherence by bank, or nothing.
    pub sums: &'a [Memory<AtomicU64>],
    /// Visit counts by bank, or nothing.
    pub visits: &'a [Memory<AtomicU32>],
}

impl<'a> Contents<'a> {
    /// A network alone.
    pub fn of(network: &'a Network) -> Self {
        const NOTHING: &BTreeMap<String, String> = &BTreeMap::new();
        Self { network, metadata: NOTHING, sums: &[], visits: &[] }
    }
}

/// Contents of a file that was read.
pub struct Loaded {
    /// Structure and weights.
    pub network: Network,
    /// Anything else that is known.
    pub metadata: BTreeMap<String, String>,
    /// The sums E and A of temporal coherence by bank; empty if there were none.
    pub sums: Vec<Memory<AtomicU64>>,
    /// Visit counts by bank; empty if there were none.
    pub visits: Vec<Memory<AtomicU32>>,
}

impl std::fmt::Debug for Loaded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loaded")
            .field("network", &self.network)
            .field("metadata", &self.metadata)
            .field("sums", &self.sums.len())
            .field("visits", &self.visits.len())
            .finish()
    }
}

/// Writes a model. The writer need not be buffered, and is not flushed.
pub fn write(contents: &Contents<'_>, encoding: Encoding, out: &mut impl Write) -> io::Result<()> {
    let network = contents.network;
    let header = Header {
        structure: network.structure().clone(),
        sums: !contents.sums.is_empty(),
        visits: !contents.visits.is_empty(),
        metadata: contents.metadata.clone(),
    };
    let text = header.text();
    check(contents, &header, &text)?;
    if let Encoding::Packed { step, .. } = encoding {
        let refuse = |reason: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        if header.sums || header.visits {
            return refuse("a packed model holds weights only; leave out what learning keeps beside them");
        }
        if !(step.is_finite() && step > 0.0) {
            return refuse("the step of a packed model must be above zero");
        }
    }
    let mut out = Out::new(out);
    out.bytes(&MAGIC)?;
    out.bytes(&encoding.version().to_le_bytes())?;
    out.bytes(&(text.len() as u32).to_le_bytes())?;
    out.bytes(text.as_bytes())?;
    out.checksum()?;
    for bank in 0..network.structure().banks() {
        write_bank(network, Array::Weights, bank, network.bank(bank as u8), encoding, &mut out)?;
    }
    for (bank, sums) in contents.sums.iter().enumerate() {
        write_bank(network, Array::CoherenceSums, bank, sums, encoding, &mut out)?;
    }
    for (bank, visits) in contents.visits.iter().enumerate() {
        write_bank(network, Array::VisitCounts, bank, visits, encoding, &mut out)?;
    }
    Ok(())
}

/// Refuses what could not be read again.
fn check(contents: &Contents<'_>, header: &Header, text: &str) -> io::Result<()> {
    let refuse = |reason: String| Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    match Header::parse(text) {
        Ok(parsed) if parsed == *header => {}
        Ok(_) => return refuse("the structure cannot be written as text".into()),
        Err(error) => return refuse(error.to_string()),
    }
    if text.len() > MAX_HEADER as usize {
        return refuse(format!("the metadata is longer than {} MiB", MAX_HEADER >> 20));
    }
    let (banks, len) = (contents.network.structure().banks(), contents.network.bank_len());
    let fits = |count: usize, mut lens: Box<dyn Iterator<Item = usize> + '_>| {
        count == 0 || (count == banks && lens.all(|other| other == len))
    };
    let sums = fits(contents.sums.len(), Box::new(contents.sums.iter().map(|m| m.entries().len())));
    let visits = fits(contents.visits.len(), Box::new(contents.visits.iter().map(|m| m.entries().len())));
    if sums && visits { Ok(()) } else { refuse("sums or visit counts belong to another network".into()) }
}

fn write_bank<T: Number, W: Write>(
    network: &Network,
    array: Array,
    bank: usize,
    memory: &Memory<T>,
    encoding: Encoding,
    out: &mut Out<'_, W>,
) -> io::Result<()> {
    let mut tables = 0..network.tables();
    tables.try_for_each(|table| Section { network, array, bank, table }.write(memory, encoding, out))
}

/// The checksum of the parts of a file: CRC-32.
pub fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// True if a file that begins with these bytes is a model of this format, whatever its version.
pub fn is_model(begins: &[u8]) -> bool {
    begins.starts_with(&MAGIC)
}

/// Reads what a model says about itself, without its numbers.
pub fn read_header(input: &mut impl Read) -> Result<Header, FileError> {
    header_of(&mut In::new(input))
}

fn header_of<R: Read>(input: &mut In<'_, R>) -> Result<Header, FileError> {
    input.reading = "its header".into();
    let mut magic = [0; MAGIC.len()];
    let len = input.up_to(&mut magic)?;
    if magic != MAGIC {
        return Err(FileError::NotAModel { begins: magic[..len].to_vec() });
    }
    let version = u32::from_le_bytes(input.array()?);
    if version > VERSION {
        return Err(FileError::Newer { version });
    }
    if version == 0 {
        return Err(input.damaged(8, "its version is 0"));
    }
    let len = u32::from_le_bytes(input.array()?);
    if len > MAX_HEADER {
        return Err(input.damaged(12, "its length is absurd"));
    }
    let text = input.vec(len as usize)?;
    input.checksum(0)?;
    let text =
        String::from_utf8(text).map_err(|_| FileError::Impossible("its header is not UTF-8".into()))?;
    Header::parse(&text)
}

/// Reads a model that claims at most [`MEMORY_LIMIT`] bytes of memory. What is filled of them is
/// reserved in the [budget](crate::budget). The reader need not be
/// buffered if it is fast.
pub fn read(input: &mut impl Read) -> Result<Loaded, FileError> {
    read_limited(input, MEMORY_LIMIT)
}

/// Reads a model that claims at most `limit` bytes of memory.
pub fn read_limited(input: &mut impl Read, limit: u64) -> Result<Loaded, FileError> {
    let mut buffered = io::BufReader::with_capacity(1 << 18, input);
    let mut input = In::new(&mut buffered);
    let header = header_of(&mut input)?;
    let bytes = header.memory();
    if bytes > limit {
        return Err(FileError::TooLarge { bytes, limit });
    }
    read_rest(header, &mut input)
}

/// Reads what follows the header.
fn read_rest<R: Read>(header: Header, input: &mut In<'_, R>) -> Result<Loaded, FileError> {
    let banks = header.structure.banks();
    let network = Network::try_lazy(header.structure)?;
    for bank in 0..banks {
        read_bank(&network, Array::Weights, bank, network.bank(bank as u8), input)?;
    }
    let sums = read_beside(&network, Array::CoherenceSums, if header.sums { banks } else { 0 }, input)?;
    let visits = read_beside(&network, Array::VisitCounts, if header.visits { banks } else { 0 }, input)?;
    end(input)?;
    Ok(Loaded { network, metadata: header.metadata, sums, visits })
}

/// Nothing follows.
fn end<R: Read>(input: &mut In<'_, R>) -> Result<(), FileError> {
    let at = input.at();
    if input.up_to(&mut [0])? > 0 { Err(FileError::Trailing { at }) } else { Ok(()) }
}

/// An array for each bank beside the weights.
fn read_beside<T: Number + Entry, R: Read>(
    network: &Network,
    array: Array,
    banks: usize,
    input: &mut In<'_, R>,
) -> Result<Vec<Memory<T>>, FileError> {
    let mut all = Vec::with_capacity(banks);
    for bank in 0..banks {
        let memory = Memory::try_lazy(network.bank_len())?;
        read_bank(network, array, bank, &memory, input)?;
        all.push(memory);
    }
    Ok(all)
}

fn read_bank<T: Number, R: Read>(
    network: &Network,
    array: Array,
    bank: usize,
    memory: &Memory<T>,
    input: &mut In<'_, R>,
) -> Result<(), FileError> {
    let mut filling = Filling::new(memory);
    let mut tables = 0..network.tables();
    tables.try_for_each(|table| Section { network, array, bank, table }.read(&mut filling, input))
}

#[cfg(test)]
mod tests;
