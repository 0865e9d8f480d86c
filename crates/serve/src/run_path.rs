//! Names of runs and of their files: what may be looked for at all.

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
