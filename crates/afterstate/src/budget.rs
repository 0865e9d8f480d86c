//! Memory as a budget: large arrays ask before they are made, and are refused if they do not fit.
//!
//! The library does not know how much memory there is. A program that does tells it once ([`set_limit`]);
//! from then on the arrays of networks, the sums beside them, tables of searches and of endgames are
//! counted, all together, for the whole process, and one that would not fit is an [`OutOfMemory`]
//! instead of the end of the program. Without a limit they are only counted.
//!
//! ```
//! use afterstate::budget;
//! let before = budget::taken();
//! let mut some = budget::reserve(1 << 20)?;
//! some.grow(1 << 10)?;
//! assert_eq!(some.bytes(), (1 << 20) + (1 << 10));
//! drop(some);
//! assert!(budget::taken() >= before);
//! # Ok::<(), budget::OutOfMemory>(())
//! ```

use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use thiserror::Error;

static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
static TAKEN: AtomicU64 = AtomicU64::new(0);

/// From now on all that is reserved must fit into so many bytes; what is there already stays.
pub fn set_limit(bytes: u64) {
    LIMIT.store(bytes, Relaxed);
}

/// The limit; `u64::MAX` where there is none.
pub fn limit() -> u64 {
    LIMIT.load(Relaxed)
}

/// Bytes that are reserved now.
pub fn taken() -> u64 {
    TAKEN.load(Relaxed)
}

/// Bytes that can still be reserved.
pub fn left() -> u64 {
    limit().saturating_sub(taken())
}

/// Memory that is not to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not enough memory: {} MiB are needed, {}", wanted.div_ceil(1 << 20), free(*taken, *limit))]
pub struct OutOfMemory {
    /// Bytes asked for.
    pub wanted: u64,
    /// Bytes that others hold.
    pub taken: u64,
    /// The limit of all together; `u64::MAX` if it was the system that refused.
    pub limit: u64,
}

/// The part of the budget that is left, in words.
fn free(taken: u64, limit: u64) -> String {
    match limit {
        u64::MAX => "and the system does not give them".into(),
        _ => format!("{} of the {} MiB allowed are free", limit.saturating_sub(taken) >> 20, limit >> 20),
    }
}

impl From<OutOfMemory> for io::Error {
    fn from(error: OutOfMemory) -> Self {
        Self::new(io::ErrorKind::OutOfMemory, error)
    }
}

/// A part of the budget, given back when it is dropped.
#[derive(Debug, Default)]
pub struct Reserved(u64);

/// Takes a part of the budget.
pub fn reserve(bytes: u64) -> Result<Reserved, OutOfMemory> {
    let mut reserved = Reserved(0);
    reserved.grow(bytes)?;
    Ok(reserved)
}

impl Reserved {
    /// Takes more.
    pub fn grow(&mut self, bytes: u64) -> Result<(), OutOfMemory> {
        if bytes == 0 {
            return Ok(());
        }
        let limit = limit();
        let refused = |taken| OutOfMemory { wanted: bytes, taken, limit };
        if fault::refuses() {
            return Err(refused(limit));
        }
        let fits = |taken: u64| taken.checked_add(bytes).filter(|&sum| sum <= limit);
        TAKEN.fetch_update(Relaxed, Relaxed, fits).map_err(refused)?;
        self.0 += bytes;
        Ok(())
    }

    /// Gives back all but `bytes`, if there are more.
    pub fn shrink(&mut self, bytes: u64) {
        let more = self.0.saturating_sub(bytes);
        TAKEN.fetch_sub(more, Relaxed);
        self.0 -= more;
    }

    /// Bytes taken.
    pub fn bytes(&self) -> u64 {
        self.0
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.shrink(0);
    }
}

/// Refusals on purpose, for trials: the feature `faults`, which no program for users has.
pub mod fault {
    #[cfg(feature = "faults")]
    mod plan {
        use std::cell::Cell;
        use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

        thread_local! {
            static REFUSED: Cell<u64> = const { Cell::new(0) };
            static ASKED: Cell<u64> = const { Cell::new(0) };
        }
        static REFUSED_ANYWHERE: AtomicU64 = AtomicU64::new(0);
        static ASKED_ANYWHERE: AtomicU64 = AtomicU64::new(0);

        /// From now on the `k`-th reservation of this thread (from 1) is refused, once.
        pub fn refuse_at(k: u64) {
            ASKED.set(0);
            REFUSED.set(k);
        }

        /// Nothing is refused any more; how many reservations there were since the last call of
        /// this kind.
        pub fn calm() -> u64 {
            REFUSED.set(0);
            ASKED.replace(0)
        }

        /// [`refuse_at`] for all threads of the process together.
        pub fn refuse_anywhere(k: u64) {
            ASKED_ANYWHERE.store(0, Relaxed);
            REFUSED_ANYWHERE.store(k, Relaxed);
        }

        /// [`calm`] for all threads of the process together.
        pub fn calm_anywhere() -> u64 {
            REFUSED_ANYWHERE.store(0, Relaxed);
            ASKED_ANYWHERE.swap(0, Relaxed)
        }

        pub(crate) fn refuses() -> bool {
            let asked = ASKED.get() + 1;
            ASKED.set(asked);
            let anywhere = ASKED_ANYWHERE.fetch_add(1, Relaxed) + 1;
            asked == REFUSED.get() || anywhere == REFUSED_ANYWHERE.load(Relaxed)
        }
    }

    #[cfg(feature = "faults")]
    pub use plan::{calm, calm_anywhere, refuse_anywhere, refuse_at};

    /// True if the next reservation is to be refused.
    #[inline]
    pub(super) fn refuses() -> bool {
        #[cfg(feature = "faults")]
        return plan::refuses();
        #[cfg(not(feature = "faults"))]
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_given_back_and_said() {
        let mut some = reserve(5 << 20).unwrap();
        some.grow(1 << 20).unwrap();
        assert_eq!(some.bytes(), 6 << 20);
        some.shrink(2 << 20);
        assert_eq!(some.bytes(), 2 << 20);
        assert!(taken() >= 2 << 20);
        // Without a limit only what no number can count is refused.
        let error = some.grow(u64::MAX).unwrap_err();
        assert!(error.to_string().contains("the system does not give them"), "{error}");
        let error = OutOfMemory { wanted: 3 << 20, taken: 7 << 20, limit: 8 << 20 };
        assert_eq!(error.to_string(), "not enough memory: 3 MiB are needed, 1 of the 8 MiB allowed are free");
    }
}
