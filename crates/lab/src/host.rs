//! Time and chance as the machine gives them: from the standard library, or from the program that
//! runs the module where that library has neither, as in a browser.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A clock and a source of seeds.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Time since some moment in the past; it never goes back.
    pub now: fn() -> Duration,
    /// A seed nobody can foresee.
    pub seed: fn() -> u64,
}

static HOST: OnceLock<Host> = OnceLock::new();

/// Uses this host from now on. The first one stays; returns true if that is this one.
pub fn install(host: Host) -> bool {
    HOST.set(host).is_ok()
}

fn host() -> &'static Host {
    HOST.get_or_init(|| Host {
        now: || {
            static BEGAN: OnceLock<Instant> = OnceLock::new();
            BEGAN.get_or_init(Instant::now).elapsed()
        },
        seed: || RandomState::new().build_hasher().finish(),
    })
}

/// Time since some moment in the past.
pub fn now() -> Duration {
    (host().now)()
}

/// A seed nobody can foresee.
pub fn seed() -> u64 {
    (host().seed)()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_and_seeds_differ() {
        let began = now();
        std::thread::sleep(Duration::from_millis(2));
        assert!(now() >= began + Duration::from_millis(2));
        assert_ne!(seed(), seed());
        let other = Host { now: || Duration::ZERO, seed: || 1 };
        assert!(!install(other) && now() > Duration::ZERO, "the first host stays");
    }
}
