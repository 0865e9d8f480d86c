//! Ctrl-C: the first asks the work to stop and report, the second ends the program.

#[cfg(unix)]
use signal_hook::consts::SIGHUP;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// True if somebody asked to stop.
#[derive(Clone)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

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
        Ok(Self(asked))
    }

    /// The same, and a terminal that is closed asks too. Not for work that goes on without one.
    pub(crate) fn watch_with_hangup() -> std::io::Result<Self> {
        let interrupt = Self::watch()?;
        #[cfg(unix)]
        flag::register(SIGHUP, Arc::clone(&interrupt.0))?;
        Ok(interrupt)
    }

    /// True if somebody asked.
    pub(crate) fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
