//! A slice of work, shared out among threads.

use crate::threads::start;
use std::thread::{self, ScopedJoinHandle};

/// Below this many items per thread, starting threads costs more than it saves.
const LEAST: usize = 1024;

/// Cuts `items` into one part per thread and returns the results in the order of the parts.
pub(super) fn in_parts<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    let parts = threads.min(items.len() / LEAST).max(1);
    if parts == 1 {
        return vec![work(items)];
    }
    let size = items.len().div_ceil(parts);
    thread::scope(|scope| {
        let work = &work;
        let begin = |part| start(scope, move || work(part)).ok_or(part);
        let running: Vec<_> = items.chunks(size).map(begin).collect();
        let end = |running: Result<ScopedJoinHandle<'_, R>, &[T]>| match running {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(part) => work(part),
        };
        running.into_iter().map(end).collect()
    })
}

/// Applies `f` to every item.
pub(super) fn map<T: Sync, R: Send + Clone>(
    items: &[T],
    threads: usize,
    f: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let mut parts = in_parts(items, threads, |part| part.iter().map(&f).collect::<Vec<R>>());
    if parts.len() == 1 { parts.remove(0) } else { parts.concat() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_order_survives_any_number_of_threads() {
        let items: Vec<u32> = (0..10_000).collect();
        let expected: Vec<u32> = items.iter().map(|i| i * 2).collect();
        for threads in [0, 1, 2, 3, 7] {
            assert_eq!(super::map(&items, threads, |i| i * 2), expected);
        }
    }
}
