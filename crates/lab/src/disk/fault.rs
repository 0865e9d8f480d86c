//! Faults on purpose, for the thread that asks for them: the disk that fails at the `k`-th step,
//! the clock that is wrong.
//!
//! All of it needs the feature `faults`, which no program for users has.

use std::io;

/// Fault from the chosen step on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// This one step fails.
    Once,
    /// The disk is full, and stays so.
    Full,
}

#[cfg(feature = "faults")]
mod plan {
    use super::Fault;
    use std::cell::Cell;
    use std::io;

    thread_local! {
        static PLAN: Cell<Option<(u64, Fault)>> = const { Cell::new(None) };
        static STEPS: Cell<u64> = const { Cell::new(0) };
        static SHIFT: Cell<f64> = const { Cell::new(0.0) };
    }

    /// From now on the `k`-th step of this thread that changes the disk (from 1) fails.
    pub fn fail_at(k: u64, fault: Fault) {
        STEPS.set(0);
        PLAN.set(Some((k, fault)));
    }

    /// No step fails any more; how many there were since the last call of this kind.
    pub fn calm() -> u64 {
        PLAN.set(None);
        STEPS.replace(0)
    }

    /// From now on this thread's logs think that it is so many seconds later.
    pub fn shift_clock(seconds: f64) {
        SHIFT.set(seconds);
    }

    pub(super) fn check() -> io::Result<()> {
        let step = STEPS.get() + 1;
        STEPS.set(step);
        match PLAN.get() {
            Some((k, Fault::Once)) if step == k => Err(io::Error::other("a fault on purpose")),
            Some((k, Fault::Full)) if step >= k => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(()),
        }
    }

    pub(super) fn shift() -> f64 {
        SHIFT.get()
    }
}

#[cfg(feature = "faults")]
pub use plan::{calm, fail_at, shift_clock};

/// True if the next step may be made.
#[inline]
pub(super) fn check() -> io::Result<()> {
    #[cfg(feature = "faults")]
    return plan::check();
    #[cfg(not(feature = "faults"))]
    Ok(())
}

/// Error of the clock, in seconds.
#[inline]
pub(crate) fn shift() -> f64 {
    #[cfg(feature = "faults")]
    return plan::shift();
    #[cfg(not(feature = "faults"))]
    0.0
}
