//! Files of runs: opened below one directory without following any link, only if they are regular,
//! and never on the threads that search.
//!
//! Whoever trains may put anything into a run: a link to a secret, a pipe that nobody writes, a
//! disk that does not answer. Each part of a path is opened in the one before it, so that nothing
//! can be exchanged between a check and its use.

use crate::problem::Problem;
use crate::run_path::is_plain;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Files looked at together; so many threads may hang on a disk that does not answer.
pub(crate) const TOGETHER: usize = 4;
/// The longest a request waits for a disk.
const PATIENCE: Duration = Duration::from_secs(5);

/// Work on files, a few at a time.
pub(crate) struct Files(Arc<Semaphore>);

impl Default for Files {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(TOGETHER)))
    }
}

impl Files {
    /// Does something with files, off the runtime and off the threads that search.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let late = |_| Problem::busy("the disk of the runs does not answer");
        let place = timeout(PATIENCE, Arc::clone(&self.0).acquire_owned()).await.map_err(late)?;
        let place = place.map_err(Problem::defect)?;
        let working = tokio::task::spawn_blocking(move || {
            let _place = place;
            work()
        });
        timeout(PATIENCE, working).await.map_err(late)?.map_err(Problem::defect)?
    }
}

/// Opens a regular file below a directory, by a path of plain names.
pub(crate) fn open(root: &Path, path: &str) -> io::Result<File> {
    let file = found(root, path, false)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("it is no regular file")),
    }
}

/// An error unless there is a run of this name.
pub(crate) fn check(root: &Path, run: &str) -> Result<(), Problem> {
    let found = is_plain(run) && open(root, &format!("{run}/config.toml")).is_ok();
    match found {
        true => Ok(()),
        false => Err(Problem::missing("there is no such run; /api/v1/runs lists them")),
    }
}

/// The name of the model that a run ended with.
pub(crate) fn model(run: &str) -> String {
    format!("{run}/model.afterstate")
}

/// Contents of a regular file that is at most so large.
pub(crate) fn read(root: &Path, path: &str, most: u64) -> io::Result<Vec<u8>> {
    let file = open(root, path)?;
    if file.metadata()?.len() > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Plain names in a directory below the root; those of directories or of everything else.
pub(crate) fn list(root: &Path, path: &str, directories: bool) -> Vec<String> {
    let mut names = names(root, path, directories).unwrap_or_default();
    names.retain(|name| is_plain(name));
    names.sort();
    names
}

/// The most names of a directory that are looked at.
const MOST: usize = 10_000;

#[cfg(unix)]
fn found(root: &Path, path: &str, directory: bool) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, openat};
    if !path.is_empty() && !is_plain(path) {
        return Err(io::ErrorKind::NotFound.into());
    }
    let mut at = File::open(root)?;
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    for (number, part) in parts.iter().enumerate() {
        // A pipe is opened at once, and then found to be none.
        let mut flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        flags.set(OFlags::DIRECTORY, directory || number + 1 < parts.len());
        at = openat(&at, *part, flags, Mode::empty())?.into();
    }
    Ok(at)
}

#[cfg(unix)]
fn names(root: &Path, path: &str, directories: bool) -> io::Result<Vec<String>> {
    use rustix::fs::{AtFlags, Dir, FileType, statat};
    let place = found(root, path, true)?;
    let mut names = Vec::new();
    for entry in Dir::read_from(&place)?.take(MOST) {
        let entry = entry?;
        let Ok(name) = entry.file_name().to_str() else { continue };
        let kind = match entry.file_type() {
            FileType::Unknown => {
                let told = statat(&place, name, AtFlags::SYMLINK_NOFOLLOW);
                told.map_or(FileType::Unknown, |told| FileType::from_raw_mode(told.st_mode))
            }
            known => known,
        };
        if (kind == FileType::Directory) == directories {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

#[cfg(not(unix))]
fn found(root: &Path, path: &str, _: bool) -> io::Result<File> {
    if !path.is_empty() && !is_plain(path) {
        return Err(io::ErrorKind::NotFound.into());
    }
    let mut at = root.to_path_buf();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        at.push(part);
        if at.symlink_metadata()?.is_symlink() {
            return Err(io::Error::other("it is a link"));
        }
    }
    File::open(at)
}

#[cfg(not(unix))]
fn names(root: &Path, path: &str, directories: bool) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(root.join(path))?.take(MOST) {
        let entry = entry?;
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) == directories {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    Ok(names)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_pipes_and_directories_are_no_files() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("runs");
        fs::create_dir_all(root.join("x/eval")).unwrap();
        fs::write(place.path().join("secret"), "secret").unwrap();
        fs::write(root.join("x/config.toml"), "plain").unwrap();
        assert_eq!(read(&root, "x/config.toml", 10).unwrap(), b"plain");
        assert!(read(&root, "x/config.toml", 4).is_err());
        symlink(place.path().join("secret"), root.join("x/meta.json")).unwrap();
        symlink(place.path(), root.join("x/figures")).unwrap();
        symlink(root.join("x"), root.join("again")).unwrap();
        let pipe = root.join("x/train.jsonl");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|status| status.success()));
        for path in
            ["x/meta.json", "x/figures/secret", "again/config.toml", "x/train.jsonl", "x/eval", "../secret"]
        {
            assert!(open(&root, path).is_err(), "{path}");
        }
        assert_eq!(list(&root, "", true), ["x"]);
        assert_eq!(list(&root, "x", true), ["eval"]);
        assert!(list(&root, "x/figures", false).is_empty());
    }
}
