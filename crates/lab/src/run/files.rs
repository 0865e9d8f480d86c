//! The files of a run directory, and writing them so that nothing is ever half written.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What went wrong in a run directory; the message says what to do next.
#[derive(Debug)]
pub enum RunError {
    /// A file could not be written or read.
    Io {
        /// What was being done.
        doing: String,
        /// Where.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Another process works in this directory.
    Busy(PathBuf),
    /// The directory already holds a run.
    Exists(PathBuf),
    /// There is nothing to resume.
    Nothing(PathBuf),
    /// All checkpoints are damaged, or something else that the text explains.
    Unusable(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { doing, path, source } => {
                let hint = match source.kind() {
                    io::ErrorKind::StorageFull => {
                        "; the disk is full: free some room, then go on with --resume"
                    }
                    io::ErrorKind::PermissionDenied => "; choose a directory you may write to with --run",
                    _ => "",
                };
                write!(f, "{doing} {}: {source}{hint}", path.display())
            }
            Self::Busy(path) => write!(
                f,
                "another process is working in {}; wait for it, or choose another directory with --run",
                path.display()
            ),
            Self::Exists(path) => write!(
                f,
                "{} already holds a run; go on with it by --resume, or choose another directory with --run",
                path.display()
            ),
            Self::Nothing(path) => {
                write!(f, "there is no checkpoint to resume in {}; start it without --resume", path.display())
            }
            Self::Unusable(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Turns an I/O error into a [`RunError`] that says what was being done where.
pub(crate) fn at<'a>(doing: &'a str, path: &'a Path) -> impl Fn(io::Error) -> RunError + 'a {
    move |source| RunError::Io { doing: doing.into(), path: path.into(), source }
}

/// Writes a file so that after a crash there is the old one or the new one, never a part.
///
/// The new contents go to a temporary file in the same directory, which is synced and renamed.
pub fn write_whole(
    path: &Path,
    contents: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), RunError> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".part");
    let temporary = PathBuf::from(temporary);
    let write = || {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(&temporary)?);
        contents(&mut out)?;
        out.flush()?;
        out.get_ref().sync_all()?;
        drop(out);
        fs::rename(&temporary, path)?;
        sync_directory(path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&temporary);
        at("cannot write", path)(error)
    })
}

/// Makes a rename in the directory of `path` last.
fn sync_directory(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => File::open(parent)?.sync_all(),
        _ => Ok(()),
    }
}

/// A run directory that this process alone works in.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    _lock: File,
}

impl Directory {
    /// Creates or opens a directory and locks it.
    pub fn open(path: &Path) -> Result<Self, RunError> {
        fs::create_dir_all(path.join("checkpoints")).map_err(at("cannot create", path))?;
        fs::create_dir_all(path.join("eval")).map_err(at("cannot create", path))?;
        let name = path.join("lock");
        let lock = File::create(&name).map_err(at("cannot create", &name))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.into(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(RunError::Busy(path.into())),
            Err(TryLockError::Error(error)) => Err(at("cannot lock", &name)(error)),
        }
    }

    /// A path inside it.
    pub fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a run was begun here.
    pub fn is_used(&self) -> bool {
        self.join("config.toml").exists()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("f");
        write_whole(&path, |out| out.write_all(b"old")).unwrap();
        let error = write_whole(&path, |out| {
            out.write_all(b"new")?;
            Err(io::ErrorKind::StorageFull.into())
        })
        .unwrap_err();
        assert!(error.to_string().contains("the disk is full"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "no temporary file is left");
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
    fn an_unwritable_place_is_said() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        fs::write(&file, "").unwrap();
        let error = Directory::open(&file.join("run")).unwrap_err().to_string();
        assert!(error.starts_with("cannot create"), "{error}");
    }
}
