//! Paths of runs: names become directories below the one of runs, and nothing outside it.

use crate::problem::Problem;
use std::path::{Path, PathBuf};

/// Directories between the one of runs and a run, at most.
pub(crate) const DEEPEST: usize = 3;

/// True if every part of a relative path is a plain name: no `..`, nothing hidden, nothing
/// absolute.
pub(crate) fn is_plain(path: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.chars().all(|c| c.is_alphanumeric() || "._-+=, ".contains(c))
    };
    path.len() <= 300 && path.split('/').count() <= DEEPEST + 2 && path.split('/').all(plain)
}

/// A path below a directory, links followed; `None` if there is none or it leads outside.
pub(crate) fn below(root: &Path, path: &str) -> Option<PathBuf> {
    if !is_plain(path) {
        return None;
    }
    let root = root.canonicalize().ok()?;
    let found = root.join(path).canonicalize().ok()?;
    found.starts_with(&root).then_some(found)
}

/// The directory of a run.
pub(crate) fn directory(root: &Path, run: &str) -> Result<PathBuf, Problem> {
    let found = below(root, run).filter(|path| path.join("config.toml").is_file());
    found.ok_or_else(|| Problem::missing("there is no such run; /api/v1/runs lists them"))
}

/// The model a run ended with, if it has.
pub(crate) fn model(run: &Path) -> Option<PathBuf> {
    Some(run.join("model.afterstate")).filter(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_plain_names_are_paths() {
        for good in
            ["quick", "set/runs/alpha=0.1,seed=1", "sweep/alpha-0.1", "a/b/c", "figures/curve.svg", "run 2"]
        {
            assert!(is_plain(good), "{good}");
        }
        for bad in ["", "..", "../x", "a/../b", "/etc", "a//b", ".git", "a\\..\\b", "a\0b", "a/.", "C:x", "~"]
        {
            assert!(!is_plain(bad), "{bad}");
        }
    }

    #[test]
    fn links_do_not_lead_out() {
        let place = tempfile::tempdir().unwrap();
        let (root, outside) = (place.path().join("runs"), place.path().join("secret"));
        for directory in [&root, &outside] {
            fs::create_dir(directory).unwrap();
        }
        fs::write(outside.join("config.toml"), "").unwrap();
        fs::create_dir(root.join("real")).unwrap();
        fs::write(root.join("real/config.toml"), "").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&outside, root.join("link")).unwrap();
        assert!(directory(&root, "real").is_ok());
        assert!(directory(&root, "link").is_err());
        assert!(directory(&root, "../secret").is_err());
    }
}
