//! Ctrl-C: the first asks the work to stop and report, the second ends the program.

#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGXFSZ};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request to stop, and what was said about it.
#[derive(Clone)]
pub(crate) struct Interrupt {
    asked: Arc<AtomicBool>,
    /// True once the user was told that the work stops.
    told: Arc<AtomicBool>,
}

/// From now on a file that may grow no more (`ulimit -f`) is an error of its writer, who names
/// it, instead of the end of the program.
pub(crate) fn survive_file_limits() -> std::io::Result<()> {
    #[cfg(unix)]
    flag::register(SIGXFSZ, Arc::default())?;
    Ok(())
}

/// True if a closed terminal is nothing to this process, from `/proc/self/status`.
#[cfg(unix)]
fn ignores_hangup(status: &str) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (SIGHUP - 1) & 1 == 1)
}

impl Interrupt {
    /// From now on SIGINT and SIGTERM set the flag; once it is set, they end the program.
    pub(crate) fn watch() -> std::io::Result<Self> {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // The order matters: on the second signal the flag is already set when the first hook
            // looks.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&asked))?;
            flag::register(signal, Arc::clone(&asked))?;
        }
        Ok(Self { asked, told: Arc::default() })
    }

    /// As [`Interrupt::watch`], and a terminal that is closed asks too, unless the program was
    /// started to outlive it (`nohup`).
    pub(crate) fn watch_with_hangup() -> std::io::Result<Self> {
        let interrupt = Self::watch()?;
        #[cfg(unix)]
        if !ignores_hangup(&std::fs::read_to_string("/proc/self/status").unwrap_or_default()) {
            flag::register(SIGHUP, Arc::clone(&interrupt.asked))?;
        }
        Ok(interrupt)
    }

    /// True if the user asked to stop.
    pub(crate) fn asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// True if the user asked to stop; the first time that is noticed, the user is told that games under
    /// way end first.
    pub(crate) fn stops(&self, note: impl FnOnce(&str)) -> bool {
        let asked = self.asked();
        if asked && !self.told.swap(true, Ordering::Relaxed) {
            note("stopping after the games under way; the next signal ends it at once");
        }
        asked
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_was_started_to_outlive_its_terminal_does() {
        assert!(ignores_hangup("Name:\tx\nSigIgn:\t0000000000001001\n"));
        assert!(!ignores_hangup("SigIgn:\t0000000000001000\n") && !ignores_hangup(""));
    }
}
