//! Large arrays shared by threads: the weights, and the sums learning keeps beside them.
//!
//! Every entry is an atomic integer that holds the bits of floats, read and written
//! with relaxed ordering. Two threads may update one entry at the same time; then one
//! of the two updates is lost, which learning tolerates and the language allows. On
//! x86-64 and AArch64 a relaxed load or store is an ordinary one.
//!
//! This is one of the few files with `unsafe`: it asks the system for zeroed memory in
//! huge pages, and gives the processor hints about what it will need.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// The size of a huge page, and the alignment of every array that is at least as long.
const HUGE_PAGE: usize = 2 << 20;

mod private {
    /// Nobody else can declare a type to be an [`super::Entry`].
    pub trait Sealed {}
    impl Sealed for std::sync::atomic::AtomicU32 {}
    impl Sealed for std::sync::atomic::AtomicU64 {}
}

/// What an array can hold: atomics, for which all-zero memory is a valid value.
pub trait Entry: private::Sealed + Sync {}
impl Entry for AtomicU32 {}
impl Entry for AtomicU64 {}

/// A zero-initialised array of atomics, in huge pages where the system offers them.
pub struct Memory<T: Entry> {
    start: NonNull<T>,
    len: usize,
}

// SAFETY: the memory is owned, and all access to it is through shared atomics.
unsafe impl<T: Entry> Send for Memory<T> {}
// SAFETY: as above.
unsafe impl<T: Entry> Sync for Memory<T> {}

impl<T: Entry> Memory<T> {
    /// `len` zeros.
    pub fn new(len: usize) -> Self {
        if len == 0 {
            return Self { start: NonNull::dangling(), len };
        }
        let layout = Self::layout(len);
        // SAFETY: the layout has a size above zero.
        let start = unsafe { alloc_zeroed(layout) };
        let Some(start) = NonNull::new(start) else { handle_alloc_error(layout) };
        advise_huge_pages(start, layout);
        Self { start: start.cast(), len }
    }

    fn layout(len: usize) -> Layout {
        let bytes = len.checked_mul(size_of::<T>()).expect("an array too large for the address space");
        let align = if bytes >= HUGE_PAGE { HUGE_PAGE } else { 64 };
        Layout::from_size_align(bytes, align).expect("an array too large for the address space")
    }

    /// All entries.
    #[inline]
    pub fn entries(&self) -> &[T] {
        // SAFETY: `start` points to `len` zero-initialised values (or `len` is 0), which live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }

    /// Asks for the cache line of an entry, to be read and written soon.
    #[inline]
    pub fn prefetch(&self, index: u32) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let address = self.start.as_ptr().wrapping_add(index as usize);
            // SAFETY: a prefetch reads nothing and never faults, whatever the address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }
}

impl<T: Entry> Drop for Memory<T> {
    fn drop(&mut self) {
        if self.len > 0 {
            // SAFETY: allocated in `new` with the same layout; atomics need no drop.
            unsafe { dealloc(self.start.as_ptr().cast(), Self::layout(self.len)) };
        }
    }
}

impl Memory<AtomicU32> {
    /// The float in an entry.
    #[inline]
    pub fn get(&self, index: u32) -> f32 {
        f32::from_bits(self.entries()[index as usize].load(Relaxed))
    }

    /// Replaces the float in an entry.
    #[inline]
    pub fn set(&self, index: u32, value: f32) {
        self.entries()[index as usize].store(value.to_bits(), Relaxed);
    }
}

impl Memory<AtomicU64> {
    /// The two floats in an entry.
    #[inline]
    pub fn get_pair(&self, index: u32) -> [f32; 2] {
        let bits = self.entries()[index as usize].load(Relaxed);
        [f32::from_bits(bits as u32), f32::from_bits((bits >> 32) as u32)]
    }

    /// Replaces the two floats in an entry.
    #[inline]
    pub fn set_pair(&self, index: u32, [low, high]: [f32; 2]) {
        let bits = u64::from(low.to_bits()) | u64::from(high.to_bits()) << 32;
        self.entries()[index as usize].store(bits, Relaxed);
    }
}

/// Tells the system that this memory is worth huge pages; a refusal changes nothing but speed.
fn advise_huge_pages(start: NonNull<u8>, layout: Layout) {
    #[cfg(target_os = "linux")]
    if layout.align() == HUGE_PAGE {
        // SAFETY: the range was just allocated; the advice does not change its contents.
        unsafe { libc::madvise(start.as_ptr().cast(), layout.size(), libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, layout);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_at_zero_and_keeps_floats() {
        for len in [0, 1, 1000, 3 << 20] {
            let memory = Memory::<AtomicU32>::new(len);
            assert_eq!(memory.entries().len(), len);
            assert!(memory.entries().iter().all(|e| e.load(Relaxed) == 0));
            if len > 0 {
                let last = len as u32 - 1;
                memory.set(last, -1.5);
                assert_eq!(memory.get(last), -1.5);
                memory.prefetch(last);
                memory.prefetch(u32::MAX);
            }
        }
        let pairs = Memory::<AtomicU64>::new(3);
        pairs.set_pair(1, [1.0, -2.0]);
        assert_eq!(pairs.get_pair(1), [1.0, -2.0]);
        assert_eq!(pairs.get_pair(2), [0.0, 0.0]);
    }

    #[test]
    fn threads_share_it() {
        let memory = Memory::<AtomicU32>::new(2);
        std::thread::scope(|scope| {
            for index in 0..2 {
                let memory = &memory;
                scope.spawn(move || (0..1000).for_each(|_| memory.set(index, memory.get(index) + 1.0)));
            }
        });
        assert_eq!([memory.get(0), memory.get(1)], [1000.0; 2]);
    }
}
