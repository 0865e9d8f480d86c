//! Threads, or as many of them as the system gives.
//!
//! A limit on threads is no reason to fail: the thread that divides the work takes part in it, and
//! does what is left.

use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Starts a thread; `None` where the system gives no more.
pub fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    Builder::new().spawn_scoped(scope, work).ok()
}

/// Does the same on `count` threads, the calling one among them, or on fewer: the work must be
/// divided by those who do it.
pub fn together(count: usize, work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        for _ in 1..count {
            if start(scope, &work).is_none() {
                break;
            }
        }
        work();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[test]
    fn all_take_part() {
        for count in [0, 1, 3] {
            let workers = AtomicUsize::new(0);
            together(count, || {
                workers.fetch_add(1, Relaxed);
            });
            assert_eq!(workers.into_inner(), count.max(1));
        }
    }
}
