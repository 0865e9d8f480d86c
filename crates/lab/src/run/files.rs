//! The files of a run directory, and writing them so that nothing is ever half written.

use crate::{atomic, disk};
use afterstate::budget::OutOfMemory;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The recipe of a set of runs, in its directory; see [`crate::sweep`].
pub const SET_RECIPE: &str = "sweep.toml";
/// The axes and runs of a set.
pub const SET_INDEX: &str = "sweep.json";

/// True if this is the directory of a set of runs, where a run of its own would belong to nobody.
pub fn is_set(place: &Path) -> bool {
    place.join(SET_RECIPE).is_file() || place.join(SET_INDEX).is_file()
}

/// Failure of a run. Front ends add what to do about it in their own terms.
#[derive(Debug, Error)]
pub enum RunError {
    /// A file could not be written or read.
    #[error("{doing} {}: {source}", path.display())]
    Io {
        /// The attempt.
        doing: String,
        /// The file or directory.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Another process works in this directory.
    #[error("another process is working in {}", .0.display())]
    Busy(PathBuf),
    /// The directory already holds a run.
    #[error("{} already holds a run", .0.display())]
    Exists(PathBuf),
    /// The directory holds a single run, where a set of runs was to go.
    #[error("{} holds a single run, not a set of runs", .0.display())]
    SingleRun(PathBuf),
    /// There is nothing to resume.
    #[error("there is no checkpoint to resume in {}", .0.display())]
    Nothing(PathBuf),
    /// The disk is too small.
    #[error("there is no room in {}: {need}", path.display())]
    NoRoom {
        /// The directory.
        path: PathBuf,
        /// The bytes needed and found.
        need: String,
    },
    /// There is no memory for it.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// Learning lost its way; its weights would soon be infinite.
    #[error("learning went astray in game {game}: {found}")]
    Diverged {
        /// Number of the game, from 1; with several threads one about it.
        game: u64,
        /// The step, in words.
        found: String,
    },
    /// Files of the run are damaged.
    #[error("{0}")]
    Damaged(String),
    /// A resumed run would not be the one that was begun.
    #[error("{0}")]
    Changed(String),
    /// One run of a set failed.
    #[error("in the run {name}: {source}")]
    OfSet {
        /// The run.
        name: String,
        /// The failure.
        source: Box<RunError>,
    },
    /// The recipe or a file it names cannot be used.
    #[error("{0}")]
    Unusable(String),
}

/// A remedy for a [`RunError`]; each front end has its own words for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Free some room on the full disk, then resume.
    FreeDisk,
    /// Free some room within the quota, then resume.
    FreeQuota,
    /// Raise the limit of the sizes of files.
    AllowLargerFiles,
    /// Choose a directory that can be written to.
    WritableDirectory,
    /// Choose a path without files among its parents.
    OtherPath,
    /// Wait for the other process, or choose another directory.
    Wait,
    /// Resume the run, or choose another directory.
    Resume,
    /// Choose another directory.
    OtherDirectory,
    /// Start the run instead of resuming it.
    Start,
    /// Make room, or choose another disk.
    OtherDisk,
    /// Copy the damaged files back, or begin another run.
    Restore,
    /// Begin another run.
    BeginAnother,
    /// Use a smaller network, or allow more memory.
    LessMemory,
    /// Begin another run with smaller steps.
    SmallerSteps,
}

impl RunError {
    /// The remedy, where there is one.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Self::Io { source, .. } => match source.kind() {
                io::ErrorKind::StorageFull => Remedy::FreeDisk,
                io::ErrorKind::QuotaExceeded => Remedy::FreeQuota,
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    Remedy::WritableDirectory
                }
                io::ErrorKind::FileTooLarge => Remedy::AllowLargerFiles,
                io::ErrorKind::NotADirectory => Remedy::OtherPath,
                _ => return None,
            },
            Self::Busy(_) => Remedy::Wait,
            Self::Exists(_) => Remedy::Resume,
            Self::SingleRun(_) => Remedy::OtherDirectory,
            Self::Nothing(_) => Remedy::Start,
            Self::NoRoom { .. } => Remedy::OtherDisk,
            Self::Damaged(_) => Remedy::Restore,
            Self::Changed(_) => Remedy::BeginAnother,
            Self::Memory(_) => Remedy::LessMemory,
            Self::Diverged { .. } => Remedy::SmallerSteps,
            Self::OfSet { source, .. } => return source.remedy(),
            Self::Unusable(_) => return None,
        })
    }
}

/// Turns an I/O error into a [`RunError`] that says what was being done where.
pub fn at<'a>(doing: &'a str, path: &'a Path) -> impl Fn(io::Error) -> RunError + 'a {
    move |source| RunError::Io { doing: doing.into(), path: path.into(), source }
}

/// Writes a file of a run so that after a crash there is the old one or the new one, never a part.
pub fn write_whole(
    path: &Path,
    contents: impl FnOnce(&mut atomic::Out) -> io::Result<()>,
) -> Result<(), RunError> {
    atomic::write(path, contents).map_err(at("cannot write", path))
}

/// A directory that belongs to this process alone, until this is dropped or the process ends.
///
/// Closing the file is not enough: a program that another thread is starting at that moment holds a
/// copy of every open file until it runs, and with it the lock. So the lock is given back, whoever
/// else holds the file.
///
/// The file can be removed, and another process would lock a new one; so the directory itself is
/// locked too, where the system can do that, and whoever writes asks whether the file is still the
/// one that was locked ([`Lock::check`]).
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    name: PathBuf,
    directory: Option<File>,
}

impl Lock {
    /// Takes a directory, or says that another process works there.
    pub(crate) fn take(place: &Path) -> Result<Self, RunError> {
        let name = place.join("lock");
        let file = lock_file(&name).map_err(at("cannot create", &name))?;
        if !file.metadata().is_ok_and(|found| found.is_file()) {
            let source = io::Error::other("it is no file; remove it");
            return Err(at("cannot lock", &name)(source));
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RunError::Busy(place.into())),
            Err(TryLockError::Error(error)) => return Err(at("cannot lock", &name)(error)),
        }
        // Some systems and network disks lock no directories: then the file must do.
        let directory = File::open(place).ok();
        let directory = match directory.as_ref().map(File::try_lock) {
            Some(Ok(())) => directory,
            Some(Err(TryLockError::WouldBlock)) => return Err(RunError::Busy(place.into())),
            Some(Err(TryLockError::Error(_))) | None => None,
        };
        let lock = Self { file, name, directory };
        lock.check(place)?;
        Ok(lock)
    }

    /// True if nobody else can have taken the directory since: an error if the locked file is gone
    /// or another one, and the directory itself is not locked.
    pub(crate) fn check(&self, place: &Path) -> Result<(), RunError> {
        if self.directory.is_some() || is_same(&self.file, &self.name) {
            return Ok(());
        }
        let source = io::Error::other("it was removed or replaced, and another process may work there now");
        Err(at("the lock is lost:", &place.join("lock"))(source))
    }
}

/// A lock file, as it is or new. Whatever a link points to is not touched.
fn lock_file(name: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    options.open(name).map_err(|error| {
        let linked = name.symlink_metadata().is_ok_and(|found| found.is_symlink());
        if linked { io::Error::other("it is a link; remove it") } else { error }
    })
}

/// True if the file of this name is the one that is open.
#[cfg(unix)]
fn is_same(open: &File, name: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |found: io::Result<fs::Metadata>| found.ok().map(|found| (found.dev(), found.ino()));
    place(open.metadata()).is_some_and(|own| place(name.symlink_metadata()) == Some(own))
}

#[cfg(not(unix))]
fn is_same(_: &File, name: &Path) -> bool {
    name.exists()
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Nothing to be done if it fails: closing the file, the next thing to happen, gives it back
        // as well.
        let _ = self.file.unlock();
        self.directory.as_ref().map(File::unlock);
    }
}

/// Removes the temporary files of a process that was killed while it wrote here; nobody else's.
pub(crate) fn remove_leftovers(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if atomic::is_leftover(&name.to_string_lossy(), &WRITTEN) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Endings of the names of files that are written whole.
const WRITTEN: [&str; 8] = [".afterstate", ".boards", ".csv", ".json", ".jsonl", ".log", ".md", ".toml"];

/// A run directory that this process alone works in.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    lock: Lock,
}

impl Directory {
    /// Creates or opens a directory and locks it.
    pub fn open(path: &Path) -> Result<Self, RunError> {
        disk::create_dir_all(&path.join("checkpoints")).map_err(at("cannot create", path))?;
        disk::create_dir_all(&path.join("eval")).map_err(at("cannot create", path))?;
        let directory = Self { path: path.into(), lock: Lock::take(path)? };
        ["", "boards", "checkpoints", "eval"]
            .iter()
            .for_each(|place| remove_leftovers(&directory.join(place)));
        Ok(directory)
    }

    /// An error if another process may work here by now.
    pub(crate) fn check(&self) -> Result<(), RunError> {
        self.lock.check(&self.path)
    }

    /// A path inside it.
    pub fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// True if a run was begun here.
    pub fn is_used(&self) -> bool {
        self.join("config.toml").exists()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_has_a_remedy() {
        let place = tempfile::tempdir().unwrap();
        let full = |_: &mut atomic::Out| Err(io::ErrorKind::StorageFull.into());
        let error = write_whole(&place.path().join("f"), full).unwrap_err();
        assert!(error.to_string().starts_with("cannot write"), "{error}");
        assert_eq!(error.remedy(), Some(Remedy::FreeDisk));
    }

    #[test]
    fn leftovers_of_a_killed_process_are_removed() {
        let place = tempfile::tempdir().unwrap();
        drop(Directory::open(place.path()).unwrap());
        let leftover = place.path().join("checkpoints/.000000000001.afterstate.77.tmp");
        fs::write(&leftover, "half").unwrap();
        let others = [".note.tmp", ".photo.png.77.tmp", ".config.toml.new.tmp", "config.toml.77.tmp"];
        let others = others.map(|name| place.path().join(name));
        others.iter().for_each(|other| fs::write(other, "not ours").unwrap());
        Directory::open(place.path()).unwrap();
        assert!(!leftover.exists());
        assert!(others.iter().all(|other| other.exists()));
    }

    /// As while a program is being started, which holds all open files until it runs.
    #[test]
    fn a_directory_is_free_although_somebody_still_holds_the_file() {
        let place = tempfile::tempdir().unwrap();
        let lock = Lock::take(place.path()).unwrap();
        let _copy = lock.file.try_clone().unwrap();
        assert!(matches!(Lock::take(place.path()), Err(RunError::Busy(_))));
        drop(lock);
        Lock::take(place.path()).unwrap();
    }

    #[test]
    fn two_processes_cannot_work_in_one_directory() {
        let place = tempfile::tempdir().unwrap();
        let first = Directory::open(place.path()).unwrap();
        assert!(matches!(Directory::open(place.path()), Err(RunError::Busy(_))));
        drop(first);
        Directory::open(place.path()).unwrap();
    }

    #[test]
    fn a_lock_that_is_removed_is_still_held_and_one_that_is_a_link_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let first = Directory::open(place.path()).unwrap();
        fs::remove_file(place.path().join("lock")).unwrap();
        let second = Directory::open(place.path()).map(drop);
        assert!(matches!(second, Err(RunError::Busy(_))), "{second:?}");
        first.check().unwrap();
        // Where directories cannot be locked, the one who lost the file hears of it.
        let elsewhere = tempfile::tempdir().unwrap();
        let mut file_only = Lock::take(elsewhere.path()).unwrap();
        fs::remove_file(elsewhere.path().join("lock")).unwrap();
        file_only.check(elsewhere.path()).unwrap();
        file_only.directory = None;
        assert!(file_only.check(elsewhere.path()).unwrap_err().to_string().contains("was removed"));
        drop(first);

        let precious = place.path().join("precious");
        fs::write(&precious, "precious").unwrap();
        fs::remove_file(place.path().join("lock")).unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&precious, place.path().join("lock")).unwrap();
            let error = Directory::open(place.path()).unwrap_err().to_string();
            assert!(error.contains("it is a link"), "{error}");
        }
        assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
    }

    #[test]
    fn an_unwritable_place_is_said() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        fs::write(&file, "").unwrap();
        let error = Directory::open(&file.join("run")).unwrap_err().to_string();
        assert!(error.starts_with("cannot create"), "{error}");
    }
}
