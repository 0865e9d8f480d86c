//! Arrays filled from files: memory is taken and reserved for what is there, not for what is
//! claimed.
//!
//! A few bytes can name an entry anywhere. If each such entry took a huge page, a file of half a
//! MiB would take 80 GiB. So huge pages are given as they are earned: [`PER_BYTE`] bytes of them
//! for every byte that was read, and [`FREE`] beforehand; beyond that an entry takes a page of the
//! usual size. Whatever is taken is reserved in the [budget](crate::budget) first.

use super::memory::{Entry, Memory};
use super::pages::{HUGE_PAGE, PAGE};
use crate::budget::OutOfMemory;

/// Pages of the usual size in a huge one.
const PAGES: usize = HUGE_PAGE / PAGE;
/// Bytes of huge pages that a byte of the file earns: a network one weight in 64 of which is there
/// has all of its pages huge.
const PER_BYTE: u64 = 64;
/// Bytes of huge pages that need not be earned.
const FREE: u64 = 64 << 20;
/// Reserved together, so that the budget is not asked for every page.
const TOGETHER: u64 = 1 << 20;

/// An array while it is filled.
pub(super) struct Filling<'a, T: Entry> {
    memory: &'a Memory<T>,
    /// A bit for each page that may be written.
    open: Vec<u64>,
    /// The page last written.
    last: usize,
    /// Bytes of huge pages that may still be taken.
    earned: u64,
    /// Bytes reserved and not yet taken.
    spare: u64,
    huge: bool,
}

impl<'a, T: Entry> Filling<'a, T> {
    /// Begins to fill an array.
    pub(super) fn new(memory: &'a Memory<T>) -> Self {
        memory.decline_huge_pages();
        let pages = (memory.len() * size_of::<T>()).div_ceil(PAGE);
        Self {
            memory,
            open: vec![0; pages.div_ceil(64)],
            last: usize::MAX,
            earned: FREE,
            spare: 0,
            huge: false,
        }
    }

    /// From now on huge pages are taken as they are earned: for arrays of networks at work.
    pub(super) fn want_huge_pages(&mut self) {
        self.huge = self.memory.is_mapped();
    }

    /// Takes so many bytes of the file into account.
    #[inline]
    pub(super) fn earn(&mut self, bytes: u64) {
        self.earned = self.earned.saturating_add(bytes.saturating_mul(PER_BYTE));
    }

    /// An entry, to be written.
    #[inline]
    pub(super) fn at(&mut self, index: usize) -> Result<&'a T, OutOfMemory> {
        let page = index * size_of::<T>() / PAGE;
        if page != self.last {
            if self.open[page / 64] >> (page % 64) & 1 == 0 {
                self.take(page)?;
            }
            self.last = page;
        }
        Ok(&self.memory.entries()[index])
    }

    /// Takes the page, or the huge page around it.
    #[cold]
    fn take(&mut self, page: usize) -> Result<(), OutOfMemory> {
        let around = page / PAGES;
        let words = around * PAGES / 64..((around + 1) * PAGES / 64).min(self.open.len());
        let untouched = self.open[words.clone()].iter().all(|&word| word == 0);
        if self.huge && untouched && self.earned >= HUGE_PAGE as u64 && self.reserve(HUGE_PAGE as u64).is_ok()
        {
            self.earned -= HUGE_PAGE as u64;
            self.memory.request_huge_page(around);
            self.open[words].fill(u64::MAX);
            return Ok(());
        }
        self.reserve(PAGE as u64)?;
        self.open[page / 64] |= 1 << (page % 64);
        Ok(())
    }

    fn reserve(&mut self, bytes: u64) -> Result<(), OutOfMemory> {
        if self.spare < bytes {
            let more = (bytes - self.spare).max(TOGETHER.min((self.memory.room() * size_of::<T>()) as u64));
            self.memory.reserve(more)?;
            self.spare += more;
        }
        self.spare -= bytes;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    /// Bytes of memory that belong to this process.
    #[cfg(target_os = "linux")]
    fn resident() -> u64 {
        let told = std::fs::read_to_string("/proc/self/statm").unwrap();
        told.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * PAGE as u64
    }

    #[test]
    fn a_few_entries_far_apart_take_small_pages() {
        let memory = Memory::<AtomicU32>::lazy(1 << 30);
        #[cfg(target_os = "linux")]
        let before = resident();
        let mut filling = Filling::new(&memory);
        filling.want_huge_pages();
        for number in 0..2048 {
            filling.earn(16);
            filling.at(number * (HUGE_PAGE / 4)).unwrap().store(1, std::sync::atomic::Ordering::Relaxed);
        }
        // 64 MiB are free, and 2 MiB earned.
        assert_eq!(filling.earned / HUGE_PAGE as u64, 0);
        #[cfg(target_os = "linux")]
        assert!(resident() - before < 200 << 20, "{} MiB", (resident() - before) >> 20);
    }

    #[test]
    fn what_is_dense_has_huge_pages() {
        let memory = Memory::<AtomicU32>::lazy(3 * HUGE_PAGE / 4);
        let mut filling = Filling::new(&memory);
        filling.want_huge_pages();
        for index in 0..memory.len() {
            filling.earn(4);
            assert!(filling.at(index).is_ok());
        }
        assert!(filling.open.iter().all(|&word| word == u64::MAX));
        assert!(filling.earned > 120 << 20);
    }
}
