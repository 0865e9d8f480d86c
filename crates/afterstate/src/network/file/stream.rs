//! Reading and writing with a position and a running checksum.

use super::FileError;
use crc32fast::Hasher;
use std::io::{self, ErrorKind, Read, Write};

/// Arrays begin at multiples of this many bytes: a cache line.
pub(super) const ALIGN: u64 = 64;

/// Number of zeros from a position to the next multiple of [`ALIGN`].
fn padding(at: u64) -> usize {
    (at.next_multiple_of(ALIGN) - at) as usize
}

/// A writer that knows its position.
pub(super) struct Out<'a, W> {
    inner: &'a mut W,
    at: u64,
    crc: Hasher,
}

impl<'a, W: Write> Out<'a, W> {
    pub(super) fn new(inner: &'a mut W) -> Self {
        Self { inner, at: 0, crc: Hasher::new() }
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.inner.write_all(bytes)?;
        self.crc.update(bytes);
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Writes the checksum of what was written since the last one.
    pub(super) fn checksum(&mut self) -> io::Result<()> {
        let crc = std::mem::take(&mut self.crc).finalize();
        self.bytes(&crc.to_le_bytes())?;
        self.crc = Hasher::new();
        Ok(())
    }

    /// Zeros up to the next multiple of [`ALIGN`].
    pub(super) fn align(&mut self) -> io::Result<()> {
        self.bytes(&[0; ALIGN as usize][..padding(self.at)])
    }
}

/// A reader that knows its position and what it is reading.
pub(super) struct In<'a, R> {
    inner: &'a mut R,
    at: u64,
    crc: Hasher,
    /// Part being read, for messages.
    pub(super) reading: String,
}

impl<'a, R: Read> In<'a, R> {
    pub(super) fn new(inner: &'a mut R) -> Self {
        Self { inner, at: 0, crc: Hasher::new(), reading: String::new() }
    }

    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Reads up to `buffer.len()` bytes, fewer only at the end of the file.
    pub(super) fn up_to(&mut self, buffer: &mut [u8]) -> Result<usize, FileError> {
        let mut done = 0;
        while done < buffer.len() {
            match self.inner.read(&mut buffer[done..]) {
                Ok(0) => break,
                Ok(n) => done += n,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.crc.update(&buffer[..done]);
        self.at += done as u64;
        Ok(done)
    }

    /// Fills the buffer.
    pub(super) fn bytes(&mut self, buffer: &mut [u8]) -> Result<(), FileError> {
        if self.up_to(buffer)? < buffer.len() {
            return Err(FileError::Truncated { at: self.at, reading: self.reading.clone() });
        }
        Ok(())
    }

    /// `N` bytes.
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        let mut array = [0; N];
        self.bytes(&mut array)?;
        Ok(array)
    }

    /// `len` bytes, growing with what is really there, whatever the length claims.
    pub(super) fn vec(&mut self, len: usize) -> Result<Vec<u8>, FileError> {
        let mut all = Vec::new();
        let mut piece = [0; 4096];
        while all.len() < len {
            let piece = &mut piece[..(len - all.len()).min(4096)];
            self.bytes(piece)?;
            all.extend_from_slice(piece);
        }
        Ok(all)
    }

    /// Reads a checksum and compares it with that of what was read since the last one.
    pub(super) fn checksum(&mut self, from: u64) -> Result<(), FileError> {
        let crc = self.crc.clone().finalize();
        let stored = u32::from_le_bytes(self.array()?);
        self.crc = Hasher::new();
        if crc == stored { Ok(()) } else { Err(self.damaged(from, "its checksum does not match")) }
    }

    /// Skips the zeros up to the next multiple of [`ALIGN`].
    pub(super) fn align(&mut self) -> Result<(), FileError> {
        let from = self.at;
        let mut zeros = [0; ALIGN as usize];
        let zeros = &mut zeros[..padding(from)];
        self.bytes(zeros)?;
        if zeros.iter().all(|&zero| zero == 0) {
            Ok(())
        } else {
            Err(self.damaged(from, "the padding is not zero"))
        }
    }

    pub(super) fn damaged(&self, at: u64, reason: &'static str) -> FileError {
        FileError::Damaged { at, reading: self.reading.clone(), reason }
    }
}
