//! Every way in which runs, sets of runs, models and reports change what is on the disk, in one
//! place.
//!
//! Files are created, written, synced, renamed and removed through here, so that a trial can let
//! any one of these steps fail ([`fault`], feature `faults`) and see that nothing is lost. Without
//! the feature there is nothing between the caller and the system. Not through here go the lock of
//! a directory, and the removal of what a failure left, on which nothing depends; a reproduction
//! keeps its games by itself.

pub mod fault;

use std::fs;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// A file that is being written.
#[derive(Debug)]
pub struct File(fs::File);

impl File {
    /// A file that must not exist yet.
    pub fn create_new(path: &Path) -> io::Result<Self> {
        fault::check()?;
        fs::File::create_new(path).map(Self)
    }

    /// An empty file, whatever was there.
    pub fn create(path: &Path) -> io::Result<Self> {
        fault::check()?;
        fs::File::create(path).map(Self)
    }

    /// Opens what exists, from its beginning: a device or a pipe.
    pub fn open(path: &Path) -> io::Result<Self> {
        fault::check()?;
        fs::File::options().write(true).open(path).map(Self)
    }

    /// A file that grows at its end.
    pub fn append(path: &Path) -> io::Result<Self> {
        fault::check()?;
        fs::File::options().create(true).append(true).open(path).map(Self)
    }

    /// Makes the contents last through a power failure.
    pub fn sync(&self) -> io::Result<()> {
        fault::check()?;
        self.0.sync_all()
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = fault::check() {
            // As a full disk does it: some of the bytes still fit.
            let _ = self.0.write_all(&bytes[..bytes.len() / 2]);
            return Err(error);
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Seek for File {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.0.seek(place)
    }
}

/// Gives a file another name; a file that had it is gone.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fault::check()?;
    fs::rename(from, to)
}

/// Removes a file.
pub fn remove_file(path: &Path) -> io::Result<()> {
    fault::check()?;
    fs::remove_file(path)
}

/// Makes a directory and all above it, unless they are there.
pub fn create_dir_all(path: &Path) -> io::Result<()> {
    fault::check()?;
    fs::create_dir_all(path)
}
