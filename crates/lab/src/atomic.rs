//! Files that are either the old one or the new one, never half of it.

use crate::disk;
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writer of the contents.
pub type Out = BufWriter<disk::File>;

/// Writes a file through a temporary one in the same directory: write, fsync, rename, fsync the
/// directory.
///
/// Whatever happens on the way, `path` holds either what it held before or all of the new contents.
/// Something that is no regular file (`/dev/stdout`, a pipe) is written to directly.
pub fn write<T, E: From<io::Error>>(
    path: &Path,
    contents: impl FnOnce(&mut Out) -> Result<T, E>,
) -> Result<T, E> {
    // A link stays a link: what it points to is replaced.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
        return fill(disk::File::open(&path)?, contents).map(|(done, _)| done);
    }
    remove_leftovers_of(&path);
    let (temporary, file) = beside(&path)?;
    let written = fill(file, contents).and_then(|(done, file)| {
        file.sync()?;
        disk::rename(&temporary, &path)?;
        Ok(done)
    });
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    let done = written?;
    sync_directory(&path)?;
    Ok(done)
}

fn fill<T, E: From<io::Error>>(
    file: disk::File,
    contents: impl FnOnce(&mut Out) -> Result<T, E>,
) -> Result<(T, disk::File), E> {
    let mut out = BufWriter::with_capacity(1 << 18, file);
    let done = contents(&mut out)?;
    out.flush()?;
    Ok((done, out.into_inner().map_err(io::IntoInnerError::into_error)?))
}

/// Numbers of processes are below this on Linux.
const PROCESSES: u32 = 1 << 22;

/// Creates a temporary file in the same directory. Its suffix is our process id; on collision with
/// one left by a killed process of the same id, as in a container, 2²² is added, which is beyond
/// all process ids.
fn beside(path: &Path) -> io::Result<(PathBuf, disk::File)> {
    let mut number = std::process::id();
    loop {
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{number}.tmp"));
        let temporary = path.with_file_name(name);
        match disk::File::create_new(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                number = number.wrapping_add(PROCESSES);
            }
            made => return made.map(|file| (temporary, file)),
        }
    }
}

/// Removes what processes that are gone have left of this very file; only Linux tells who is gone.
fn remove_leftovers_of(path: &Path) {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return };
    let alive = |number: u32| Path::new("/proc").join((number % PROCESSES).to_string()).exists();
    if !alive(std::process::id()) {
        return;
    }
    for entry in fs::read_dir(directory_of(path)).into_iter().flatten().flatten() {
        let found = entry.file_name();
        let inside = found.to_str().and_then(|found| found.strip_prefix('.')?.strip_suffix(".tmp"));
        let number = inside.and_then(|inside| inside.strip_prefix(name)?.strip_prefix('.')?.parse().ok());
        if number.is_some_and(|number| !alive(number)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// True for names that [`write()`] leaves, if killed, of a file whose name ends so.
pub fn is_leftover(name: &str, ends: &[&str]) -> bool {
    let inside = name.strip_prefix('.').and_then(|rest| rest.strip_suffix(".tmp"));
    inside.and_then(|inside| inside.rsplit_once('.')).is_some_and(|(name, process)| {
        process.parse::<u32>().is_ok() && ends.iter().any(|end| name.ends_with(end))
    })
}

/// Makes the new name of the file last through a power failure.
fn sync_directory(path: &Path) -> io::Result<()> {
    match fs::File::open(directory_of(path)) {
        Ok(directory) => directory.sync_all().or(Ok(())), // not every file system can
        Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_failure_leaves_the_old_file_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("model");
        write(&path, |out| out.write_all(b"old")).unwrap();
        let failed = write(&path, |out| {
            out.write_all(b"half of the new")?;
            Err::<(), _>(io::Error::other("the power went out"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(directory.path()), ["model"]);
        write(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(directory.path()), ["model"]);
    }

    #[test]
    fn what_a_killed_process_left_is_no_hindrance_and_goes() {
        let directory = tempfile::tempdir().unwrap();
        let place = |name: &str| directory.path().join(name);
        // No process has that number; the other is ours, as it may be in a container that was
        // started again.
        let (gone, own) = (".model.4194303.tmp", format!(".model.{}.tmp", std::process::id()));
        let others = [".other.4194303.tmp", ".model.tmp", ".model.x.tmp"];
        for name in [gone, &own].into_iter().chain(others) {
            fs::write(place(name), b"half").unwrap();
        }
        write(&place("model"), |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(place("model")).unwrap(), b"new");
        assert_eq!(fs::read(place(&own)).unwrap(), b"half", "a thread of ours might be writing it");
        assert!(!cfg!(target_os = "linux") || !place(gone).exists());
        assert!(others.iter().all(|name| place(name).exists()), "none of ours");
        assert_eq!(names(directory.path()).len(), 5 + usize::from(!cfg!(target_os = "linux")));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        use std::os::unix::fs::FileTypeExt;
        let directory = tempfile::tempdir().unwrap();
        let (real, link) = (directory.path().join("real"), directory.path().join("link"));
        fs::write(&real, b"old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&link, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        write(Path::new("/dev/null"), |out| out.write_all(b"gone")).unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        assert!(write(directory.path(), |out| out.write_all(b"x")).is_err());
    }
}
