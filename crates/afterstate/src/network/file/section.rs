//! One array of one table: its small header, its numbers, its checksum.

use super::stream::{In, Out};
use super::{Encoding, FileError, packed};
use crate::network::Network;
use crate::network::filling::Filling;
use crate::network::memory::{Entry, Memory};
use std::cell::Cell;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Entries written or read at a time.
const CHUNK: usize = 1 << 15;
/// Entries of a sparse block: one bit of a mask each.
const BLOCK: usize = 64;
/// In place of a block's number: there are no more.
const LAST: u32 = u32::MAX;

/// A number in an array, as bytes: little endian.
pub(super) trait Number: Entry {
    const BYTES: usize;
    fn store(&self, bytes: &mut [u8]);
    fn load(&self, bytes: &[u8]);
    fn is_zero(&self) -> bool;
    /// False for infinities and what is no number.
    fn is_finite(&self) -> bool;
    /// For packed arrays, which hold only weights: the float, and how to set it.
    fn float(&self) -> Option<f32> {
        None
    }
    /// See [`Number::float`].
    fn set_float(&self, _: f32) {}
}

impl Number for AtomicU32 {
    const BYTES: usize = 4;
    #[inline]
    fn store(&self, bytes: &mut [u8]) {
        bytes.copy_from_slice(&self.load(Relaxed).to_le_bytes());
    }
    #[inline]
    fn load(&self, bytes: &[u8]) {
        self.store(u32::from_le_bytes(bytes.try_into().expect("four bytes")), Relaxed);
    }
    #[inline]
    fn is_zero(&self) -> bool {
        self.load(Relaxed) == 0
    }
    #[inline]
    fn is_finite(&self) -> bool {
        f32::from_bits(self.load(Relaxed)).is_finite()
    }
    #[inline]
    fn float(&self) -> Option<f32> {
        Some(f32::from_bits(self.load(Relaxed)))
    }
    #[inline]
    fn set_float(&self, value: f32) {
        self.store(value.to_bits(), Relaxed);
    }
}

impl Number for AtomicU64 {
    const BYTES: usize = 8;
    #[inline]
    fn store(&self, bytes: &mut [u8]) {
        bytes.copy_from_slice(&self.load(Relaxed).to_le_bytes());
    }
    #[inline]
    fn load(&self, bytes: &[u8]) {
        self.store(u64::from_le_bytes(bytes.try_into().expect("eight bytes")), Relaxed);
    }
    #[inline]
    fn is_zero(&self) -> bool {
        self.load(Relaxed) == 0
    }
    #[inline]
    fn is_finite(&self) -> bool {
        let both = self.load(Relaxed);
        f32::from_bits(both as u32).is_finite() && f32::from_bits((both >> 32) as u32).is_finite()
    }
}

/// Arrays of a bank, by their numbers in a file.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Array {
    Weights = 0,
    CoherenceSums = 1,
    VisitCounts = 2,
}

/// Encodings of an array, by their numbers in a file.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Code {
    Raw = 0,
    Sparse = 1,
    /// Packed without grades, as the first version of the format did; read only.
    FirstPacked = 2,
    FirstDeltas = 3,
    Packed = 4,
    Deltas = 5,
}

impl Code {
    const ALL: [Self; 6] =
        [Self::Raw, Self::Sparse, Self::FirstPacked, Self::FirstDeltas, Self::Packed, Self::Deltas];

    /// Layout of a packed array.
    fn layout(self) -> Option<packed::Layout> {
        match self {
            Self::Raw | Self::Sparse => None,
            Self::FirstPacked | Self::FirstDeltas => Some(packed::Layout::First),
            Self::Packed | Self::Deltas => Some(packed::Layout::Graded),
        }
    }

    /// True if the array is told as differences from another one.
    fn is_difference(self) -> bool {
        matches!(self, Self::FirstDeltas | Self::Deltas)
    }
}

/// One array of one table.
#[derive(Clone, Copy)]
pub(super) struct Section<'a> {
    pub(super) network: &'a Network,
    pub(super) array: Array,
    pub(super) bank: usize,
    pub(super) table: usize,
}

impl Section<'_> {
    fn name(&self) -> String {
        let array = match self.array {
            Array::Weights => "weights",
            Array::CoherenceSums => "coherence sums",
            Array::VisitCounts => "visit counts",
        };
        format!("the {array} of table {} in bank {}", self.table, self.bank)
    }

    /// The weights that these are told as differences from.
    fn base(&self) -> Option<&Memory<AtomicU32>> {
        self.network.structure().base(self.bank).map(|bank| self.network.bank(bank as u8))
    }

    fn header<T: Number>(&self, code: Code) -> [u8; 20] {
        let mut header = [0; 20];
        header[0] = self.array as u8;
        header[1] = code as u8;
        header[2..4].copy_from_slice(&(self.bank as u16).to_le_bytes());
        header[4..8].copy_from_slice(&(self.table as u32).to_le_bytes());
        header[8..16].copy_from_slice(&(self.network.table_len(self.table) as u64).to_le_bytes());
        header[16..20].copy_from_slice(&(T::BYTES as u32).to_le_bytes());
        header
    }

    pub(super) fn write<T: Number, W: Write>(
        &self,
        memory: &Memory<T>,
        encoding: Encoding,
        out: &mut Out<'_, W>,
    ) -> io::Result<()> {
        let encoding = match encoding {
            Encoding::Packed { step, relative } => {
                Encoding::Packed { step, relative: relative && self.base().is_some() }
            }
            other => other,
        };
        out.bytes(&self.header::<T>(encoding.code()))?;
        out.checksum()?;
        out.align()?;
        let entries = memory.entries();
        let finite = Cell::new(true);
        let seen = |entry: u32| {
            let entry = &entries[entry as usize];
            finite.set(finite.get() & entry.is_finite());
            entry
        };
        let mut order = self.network.table_entries(self.table).map(seen);
        match encoding {
            Encoding::Raw => write_raw(&mut order, out)?,
            Encoding::Sparse => write_sparse(&mut order, out)?,
            Encoding::Packed { step, relative } => {
                let base = self.base().filter(|_| relative);
                let difference = |entry: u32| {
                    let own = seen(entry).float().unwrap_or(0.0);
                    own - base.map_or(0.0, |base| base.get(entry))
                };
                packed::write(self.network.table_entries(self.table).map(difference), step, out)?
            }
        }
        // What could not be read again is not written; the caller drops this file.
        if !finite.get() {
            let reason = format!("{} are not all finite", self.name());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        out.checksum()
    }

    pub(super) fn read<T: Number, R: Read>(
        &self,
        filling: &mut Filling<'_, T>,
        input: &mut In<'_, R>,
    ) -> Result<(), FileError> {
        let base = self.base().filter(|_| self.array == Array::Weights);
        let code = self.begin::<T, R>(base.is_some(), input)?;
        let from = input.at();
        // Raw and sparse arrays are of networks at work; of packed ones many pages hold only zeros.
        if matches!(code, Code::Raw | Code::Sparse) {
            filling.want_huge_pages();
        }
        let place = |index: usize| self.network.table_entry(self.table, index) as usize;
        let len = self.network.table_len(self.table);
        let name = || FileError::NotFinite { reading: self.name() };
        let Some(layout) = code.layout() else {
            let mut load = |index: usize, bytes: &[u8]| {
                let entry = filling.at(place(index))?;
                filling.earn(T::BYTES as u64);
                Number::load(entry, bytes);
                if entry.is_finite() { Ok(()) } else { Err(name()) }
            };
            match code {
                Code::Raw => read_raw(len, T::BYTES, &mut load, input)?,
                _ => read_sparse(len, T::BYTES, &mut load, input)?,
            }
            return input.checksum(from);
        };
        match base.filter(|_| code.is_difference()) {
            None => packed::read(len, layout, input, |index, value| {
                filling.at(place(index))?.set_float(value);
                if value.is_finite() { Ok(()) } else { Err(name()) }
            })?,
            Some(base) => {
                // Zeros are there already; writing them would take memory for pages that hold
                // nothing else.
                for entry in self.network.table_places(self.table) {
                    let weight = base.get(entry);
                    if weight.to_bits() != 0 {
                        filling.at(entry as usize)?.set_float(weight);
                    }
                }
                packed::read(len, layout, input, |index, difference| {
                    let entry = filling.at(place(index))?;
                    entry.set_float(entry.float().unwrap_or(0.0) + difference);
                    if entry.is_finite() { Ok(()) } else { Err(name()) }
                })?;
            }
        }
        input.checksum(from)
    }

    /// Reads what stands before the numbers: their encoding.
    fn begin<T: Number, R: Read>(&self, has_base: bool, input: &mut In<'_, R>) -> Result<Code, FileError> {
        input.reading = self.name();
        let from = input.at();
        let header: [u8; 20] = input.array()?;
        input.checksum(from)?;
        let known = Code::ALL.into_iter().find(|&code| code as u8 == header[1]);
        let Some(code) = known.filter(|code| !code.is_difference() || has_base) else {
            return Err(input.damaged(from, "its encoding is unknown"));
        };
        if header != self.header::<T>(code) {
            return Err(input.damaged(from, "another array lies in its place"));
        }
        input.align()?;
        Ok(code)
    }

    /// Reads weights as a list of those that are not zero, each with its index; `base` is such a
    /// list of those they resemble.
    pub(super) fn read_listed<R: Read>(
        &self,
        base: Option<&[(u32, f32)]>,
        input: &mut In<'_, R>,
    ) -> Result<Vec<(u32, f32)>, FileError> {
        let code = self.begin::<AtomicU32, R>(base.is_some(), input)?;
        let from = input.at();
        let len = self.network.table_len(self.table);
        let mut listed = Vec::new();
        let mut keep = |index: usize, weight: f32| {
            if weight != 0.0 {
                listed.push((index as u32, weight));
            }
            if weight.is_finite() { Ok(()) } else { Err(FileError::NotFinite { reading: self.name() }) }
        };
        match code.layout() {
            Some(layout) => packed::read(len, layout, input, keep)?,
            None => {
                let mut load = |index: usize, bytes: &[u8]| {
                    let weight = f32::from_le_bytes(bytes.try_into().expect("four bytes"));
                    keep(index, weight)
                };
                match code {
                    Code::Raw => read_raw(len, 4, &mut load, input)?,
                    _ => read_sparse(len, 4, &mut load, input)?,
                }
            }
        }
        input.checksum(from)?;
        Ok(match base.filter(|_| code.is_difference()) {
            Some(base) => merged(base, &listed, |base, difference| base + difference),
            None => listed,
        })
    }
}

/// Two lists in one: what both have is joined, zeros are left out.
pub(super) fn merged(
    one: &[(u32, f32)],
    other: &[(u32, f32)],
    join: impl Fn(f32, f32) -> f32,
) -> Vec<(u32, f32)> {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    let mut all = Vec::with_capacity(one.len().max(other.len()));
    loop {
        let next = match (one.peek(), other.peek()) {
            (None, None) => return all,
            (Some(a), Some(b)) if a.0 == b.0 => {
                let joined = (a.0, join(a.1, b.1));
                one.next();
                other.next();
                joined
            }
            (Some(&&a), other_next) if other_next.is_none_or(|b| a.0 < b.0) => {
                one.next();
                a
            }
            (_, Some(&&b)) => {
                other.next();
                b
            }
            (Some(_), None) => return all,
        };
        if next.1 != 0.0 {
            all.push(next);
        }
    }
}

fn write_raw<'a, T: Number + 'a, W: Write>(
    order: &mut impl Iterator<Item = &'a T>,
    out: &mut Out<'_, W>,
) -> io::Result<()> {
    let mut buffer = vec![0; CHUNK * T::BYTES];
    loop {
        let mut len = 0;
        for (bytes, entry) in buffer.chunks_exact_mut(T::BYTES).zip(&mut *order) {
            Number::store(entry, bytes);
            len += T::BYTES;
        }
        out.bytes(&buffer[..len])?;
        if len < buffer.len() {
            return Ok(());
        }
    }
}

fn read_raw<R: Read>(
    len: usize,
    size: usize,
    load: &mut impl FnMut(usize, &[u8]) -> Result<(), FileError>,
    input: &mut In<'_, R>,
) -> Result<(), FileError> {
    let mut buffer = vec![0; CHUNK.min(len) * size];
    let mut left = len;
    while left > 0 {
        let now = left.min(CHUNK);
        let buffer = &mut buffer[..now * size];
        input.bytes(buffer)?;
        for (bytes, index) in buffer.chunks_exact(size).zip(len - left..) {
            load(index, bytes)?;
        }
        left -= now;
    }
    Ok(())
}

/// Blocks that are not all zero, each as its number, the mask of its non-zero entries, and these;
/// then [`LAST`].
fn write_sparse<'a, T: Number + 'a, W: Write>(
    order: &mut impl Iterator<Item = &'a T>,
    out: &mut Out<'_, W>,
) -> io::Result<()> {
    let mut buffer = Vec::with_capacity(CHUNK * T::BYTES);
    for number in 0u32.. {
        let head = buffer.len();
        buffer.extend_from_slice(&number.to_le_bytes());
        buffer.extend_from_slice(&[0; 8]);
        let (mut mask, mut seen) = (0u64, 0);
        for entry in order.take(BLOCK) {
            if !entry.is_zero() {
                mask |= 1 << seen;
                let at = buffer.len();
                buffer.resize(at + T::BYTES, 0);
                Number::store(entry, &mut buffer[at..]);
            }
            seen += 1;
        }
        if mask == 0 {
            buffer.truncate(head);
        } else {
            buffer[head + 4..head + 12].copy_from_slice(&mask.to_le_bytes());
        }
        let done = seen < BLOCK;
        if done {
            buffer.extend_from_slice(&LAST.to_le_bytes());
        }
        if done || buffer.len() >= (CHUNK - 2 * BLOCK) * T::BYTES {
            out.bytes(&buffer)?;
            buffer.clear();
        }
        if done {
            break;
        }
    }
    Ok(())
}

fn read_sparse<R: Read>(
    len: usize,
    size: usize,
    load: &mut impl FnMut(usize, &[u8]) -> Result<(), FileError>,
    input: &mut In<'_, R>,
) -> Result<(), FileError> {
    let mut buffer = vec![0; BLOCK * size];
    let mut next = 0;
    loop {
        let from = input.at();
        let number = u32::from_le_bytes(input.array()?);
        if number == LAST {
            return Ok(());
        }
        let number = number as usize;
        let mask = u64::from_le_bytes(input.array()?);
        let there = len.saturating_sub(number.saturating_mul(BLOCK)).min(BLOCK);
        if number < next || there == 0 {
            return Err(input.damaged(from, "a block is out of order"));
        }
        if mask == 0 || (there < BLOCK && mask >> there != 0) {
            return Err(input.damaged(from, "the mask of a block is impossible"));
        }
        let values = &mut buffer[..mask.count_ones() as usize * size];
        input.bytes(values)?;
        let there = (0..BLOCK).filter(|i| mask >> i & 1 == 1);
        for (i, value) in there.zip(values.chunks_exact(size)) {
            load(number * BLOCK + i, value)?;
        }
        next = number + 1;
    }
}
