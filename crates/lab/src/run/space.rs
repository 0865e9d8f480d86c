//! Room on the disk, looked at before training begins.

use super::files::RunError;
use super::watch::Reporter;
use crate::recipe::{Built, Recipe};
use std::path::Path;

/// Below this share of the most a run can take, beginning makes no sense.
const HOPELESS: f64 = 0.01;

/// The most bytes the files of a run can take: checkpoints with one being written, the best model
/// and the last.
///
/// Zeros are left out of the files, so that a short run of a large network takes much less.
pub fn most_bytes(recipe: &Recipe, built: &Built) -> u64 {
    let weights = built.structure.weights() as u64;
    let models = 1 + u64::from(recipe.evaluate.every > 0);
    let checkpoints = recipe.checkpoint.keep as u64 + 1;
    weights.saturating_mul(recipe.learning.step.bytes() * checkpoints + 4 * models)
}

/// Free bytes where this directory is, if the system tells.
pub fn free_bytes(place: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        // The directory itself may not be there yet.
        let mut there = std::path::absolute(place).ok()?;
        while !there.exists() {
            there = there.parent()?.to_path_buf();
        }
        let found = rustix::fs::statvfs(&there).ok()?;
        Some(found.f_bavail.saturating_mul(found.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = place;
        None
    }
}

/// Says so if `runs` such runs may not find room here; refuses where that is sure.
pub(crate) fn check(
    recipe: &Recipe,
    built: &Built,
    place: &Path,
    runs: u64,
    reporter: &dyn Reporter,
) -> Result<(), RunError> {
    let Some(free) = free_bytes(place) else { return Ok(()) };
    match verdict(most_bytes(recipe, built).saturating_mul(runs), free) {
        Verdict::Enough => Ok(()),
        Verdict::Short(what) => {
            reporter.note(&format!(
                "{} may become full: {what}; make room, choose another disk, or keep less with \
                 checkpoint.keep=1 (a full disk stops a run without loss: it can be resumed)",
                place.display()
            ));
            Ok(())
        }
        Verdict::Hopeless(need) => Err(RunError::NoRoom { path: place.into(), need }),
    }
}

#[derive(Debug, PartialEq)]
enum Verdict {
    Enough,
    Short(String),
    Hopeless(String),
}

fn verdict(most: u64, free: u64) -> Verdict {
    let what = format!("models and checkpoints take up to {}, {} are free", size(most), size(free));
    match () {
        () if free >= most => Verdict::Enough,
        () if (free as f64) < HOPELESS * most as f64 => Verdict::Hopeless(what),
        () => Verdict::Short(what),
    }
}

/// `1.6 GB`.
pub fn size(bytes: u64) -> String {
    let (unit, name) = match bytes {
        0..1_000_000 => (1e3, "kB"),
        1_000_000..1_000_000_000 => (1e6, "MB"),
        _ => (1e9, "GB"),
    };
    format!("{:.1} {name}", bytes as f64 / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_can_take_is_counted() {
        let sets = |sets: &[&str]| {
            let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
            let text = "[network]\npatterns = \"0123\"\n[run]\ngames = 1\n";
            let recipe = Recipe::parse("m", text, &sets).unwrap();
            let built = recipe.build().unwrap();
            most_bytes(&recipe, &built)
        };
        // 65,536 weights: two checkpoints and one being written, and the model.
        assert_eq!(sets(&[]), 65_536 * 4 * 4);
        assert_eq!(
            sets(&["learning.step=coherence", "checkpoint.keep=1", "evaluate.every=5"]),
            65_536 * (12 * 2 + 8)
        );
    }

    #[test]
    fn too_little_room_is_said_and_none_is_refused() {
        assert_eq!(verdict(1_000, 1_000), Verdict::Enough);
        let Verdict::Short(what) = verdict(3_200_000_000, 1_600_000_000) else { panic!() };
        assert_eq!(what, "models and checkpoints take up to 3.2 GB, 1.6 GB are free");
        assert!(matches!(verdict(1_000_000, 9_999), Verdict::Hopeless(_)));
        assert!(free_bytes(Path::new("no/such/place/yet")).is_some_and(|free| free > 0));
    }
}
