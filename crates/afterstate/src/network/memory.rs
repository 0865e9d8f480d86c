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
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// The size of a huge page; arrays at least as long lie in them.
const HUGE_PAGE: usize = 2 << 20;

mod private {
    /// Nobody else can declare a type to be an [`super::Entry`].
    pub trait Sealed {}
    impl Sealed for std::sync::atomic::AtomicU16 {}
    impl Sealed for std::sync::atomic::AtomicU32 {}
    impl Sealed for std::sync::atomic::AtomicU64 {}
}

/// What an array can hold: atomics, for which all-zero memory is a valid value.
pub trait Entry: private::Sealed + Sync {
    /// Becomes what another is.
    fn copy(&self, other: &Self);
}

impl Entry for AtomicU16 {
    #[inline]
    fn copy(&self, other: &Self) {
        self.store(other.load(Relaxed), Relaxed);
    }
}

impl Entry for AtomicU32 {
    #[inline]
    fn copy(&self, other: &Self) {
        self.store(other.load(Relaxed), Relaxed);
    }
}

impl Entry for AtomicU64 {
    #[inline]
    fn copy(&self, other: &Self) {
        self.store(other.load(Relaxed), Relaxed);
    }
}

/// A zero-initialised array of atomics, in huge pages where the system offers them.
pub struct Memory<T: Entry> {
    start: NonNull<T>,
    len: usize,
    /// The pages it lies in, if not in ordinary memory.
    mapped: Option<Pages>,
    /// Whether it was made for few entries that are not zero.
    lazy: AtomicBool,
}

// SAFETY: the memory is owned, and all access to it is through shared atomics.
unsafe impl<T: Entry> Send for Memory<T> {}
// SAFETY: as above.
unsafe impl<T: Entry> Sync for Memory<T> {}

impl<T: Entry> Memory<T> {
    /// `len` zeros, in huge pages.
    pub fn new(len: usize) -> Self {
        let memory = Self::lazy(len);
        memory.request_huge_pages();
        memory
    }

    /// `len` zeros, most of which are to stay zero: what is never written takes no memory, by pages of the usual size.
    pub fn lazy(len: usize) -> Self {
        if len == 0 {
            return Self { start: NonNull::dangling(), len, mapped: None, lazy: AtomicBool::new(true) };
        }
        let layout = Self::layout(len);
        let mapped = map_pages(layout);
        let start = match &mapped {
            Some(pages) => pages.start,
            None => {
                // SAFETY: the layout has a size above zero.
                let start = unsafe { alloc_zeroed(layout) };
                NonNull::new(start).unwrap_or_else(|| handle_alloc_error(layout))
            }
        };
        Self { start: start.cast(), len, mapped, lazy: AtomicBool::new(true) }
    }

    fn layout(len: usize) -> Layout {
        let bytes = len.checked_mul(size_of::<T>()).expect("an array too large for the address space");
        Layout::from_size_align(bytes, 64).expect("an array too large for the address space")
    }

    /// All entries.
    #[inline]
    pub fn entries(&self) -> &[T] {
        // SAFETY: `start` points to `len` zero-initialised values (or `len` is 0), which live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }

    /// The number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The entries for whoever knows that his indices exist.
    #[inline(always)]
    pub(super) fn unchecked(&self) -> Unchecked<'_, T> {
        Unchecked { start: self.start.as_ptr(), len: self.len, entries: PhantomData }
    }

    /// Asks for huge pages where nothing was written yet. A refused advice changes nothing but speed.
    pub fn request_huge_pages(&self) {
        self.lazy.store(false, Relaxed);
        #[cfg(target_os = "linux")]
        if self.mapped.is_some() {
            let bytes = self.len * size_of::<T>();
            // SAFETY: the range is mapped and ours; the advice does not change its contents.
            unsafe { libc::madvise(self.start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
        }
    }

    /// An array for each of `origins`, with what the array of that number held: the last to ask for one has that array itself, the others a
    /// copy, so that large ones are not in memory twice. Thin arrays are copied always; the new ones are to be written.
    ///
    /// # Panics
    /// If there is no array of that number.
    pub fn redistribute(arrays: Vec<Self>, origins: &[usize]) -> Vec<Self> {
        let mut arrays: Vec<Option<Self>> = arrays.into_iter().map(Some).collect();
        let one = |(i, &origin): (usize, &usize)| {
            let last = !origins[i + 1..].contains(&origin);
            let found = if last { arrays[origin].take() } else { None };
            match found {
                Some(array) if !array.lazy.load(Relaxed) => array,
                Some(array) => array.copied(),
                None => arrays[origin].as_ref().expect("not yet asked for the last time").copied(),
            }
        };
        origins.iter().enumerate().map(one).collect()
    }

    fn copied(&self) -> Self {
        let copy = Self::new(self.len);
        copy.entries().iter().zip(self.entries()).for_each(|(own, other)| own.copy(other));
        copy
    }

    /// Has all pages ready before they are needed, so that the first visits do not wait for the system.
    pub fn populate(&self) {
        #[cfg(target_os = "linux")]
        if self.mapped.is_some() {
            let bytes = self.len * size_of::<T>();
            // SAFETY: the range is mapped and ours; being populated does not change its contents. A system that
            // cannot do it says so, and the pages come when they are touched.
            unsafe { libc::madvise(self.start.as_ptr().cast(), bytes, libc::MADV_POPULATE_WRITE) };
        }
    }

    /// Asks for the cache line of an entry, to be read and written soon.
    #[inline(always)]
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
        if self.len > 0 && self.mapped.is_none() {
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

impl Memory<AtomicU32> {
    /// All floats. Nobody else can change them meanwhile, so they can be read several at a time.
    pub fn floats(&mut self) -> &[f32] {
        // SAFETY: `start` points to `len` values of four bytes (or `len` is 0) that are valid floats whatever their
        // bits, and the exclusive borrow keeps all other access away.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr().cast(), self.len) }
    }
}

fn pair(bits: u64) -> [f32; 2] {
    [f32::from_bits(bits as u32), f32::from_bits((bits >> 32) as u32)]
}

fn pair_bits([low, high]: [f32; 2]) -> u64 {
    u64::from(low.to_bits()) | u64::from(high.to_bits()) << 32
}

impl Memory<AtomicU64> {
    /// The two floats in an entry.
    #[inline]
    pub fn get_pair(&self, index: u32) -> [f32; 2] {
        pair(self.entries()[index as usize].load(Relaxed))
    }

    /// Replaces the two floats in an entry.
    #[inline]
    pub fn set_pair(&self, index: u32, values: [f32; 2]) {
        self.entries()[index as usize].store(pair_bits(values), Relaxed);
    }
}

/// An array whose indices are not checked; a value of its own, so that inner loops keep where it begins in a register.
pub(super) struct Unchecked<'a, T: Entry> {
    start: *const T,
    len: usize,
    entries: PhantomData<&'a [T]>,
}

impl<T: Entry> Clone for Unchecked<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Entry> Copy for Unchecked<'_, T> {}

impl<'a, T: Entry> Unchecked<'a, T> {
    /// # Safety
    /// `index` must be below the length of the array.
    #[inline(always)]
    unsafe fn at(self, index: u32) -> &'a T {
        debug_assert!((index as usize) < self.len);
        // SAFETY: the caller's promise; the array outlives 'a.
        unsafe { &*self.start.add(index as usize) }
    }
}

impl Unchecked<'_, AtomicU32> {
    /// [`Memory::get`].
    ///
    /// # Safety
    /// `index` must be below the length of the array.
    #[inline(always)]
    pub(super) unsafe fn get(self, index: u32) -> f32 {
        // SAFETY: the caller's promise.
        f32::from_bits(unsafe { self.at(index) }.load(Relaxed))
    }

    /// [`Memory::set`].
    ///
    /// # Safety
    /// `index` must be below the length of the array.
    #[inline(always)]
    pub(super) unsafe fn set(self, index: u32, value: f32) {
        // SAFETY: the caller's promise.
        unsafe { self.at(index) }.store(value.to_bits(), Relaxed);
    }
}

impl Unchecked<'_, AtomicU64> {
    /// [`Memory::get_pair`].
    ///
    /// # Safety
    /// `index` must be below the length of the array.
    #[inline(always)]
    pub(super) unsafe fn get_pair(self, index: u32) -> [f32; 2] {
        // SAFETY: the caller's promise.
        pair(unsafe { self.at(index) }.load(Relaxed))
    }

    /// [`Memory::set_pair`].
    ///
    /// # Safety
    /// `index` must be below the length of the array.
    #[inline(always)]
    pub(super) unsafe fn set_pair(self, index: u32, values: [f32; 2]) {
        // SAFETY: the caller's promise.
        unsafe { self.at(index) }.store(pair_bits(values), Relaxed);
    }
}

/// Pages asked from the system directly, given back when dropped.
#[derive(Debug)]
struct Pages {
    /// The first aligned byte.
    start: NonNull<u8>,
    /// The whole mapping.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    whole: NonNull<u8>,
    /// Its length.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    length: usize,
}

/// Zeroed memory where huge pages can be, or `None` for small arrays and where there are none.
///
/// Pages are to be advised to be huge before they are touched for the first
/// time, so that each comes huge at once. (An allocator that zeroes by writing would touch
/// them too early.)
#[cfg(target_os = "linux")]
fn map_pages(layout: Layout) -> Option<Pages> {
    if layout.size() < HUGE_PAGE {
        return None;
    }
    let length = layout.size().checked_add(HUGE_PAGE)?;
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new private mapping, wherever the system likes.
    let whole = unsafe { libc::mmap(std::ptr::null_mut(), length, access, kind, -1, 0) };
    if whole == libc::MAP_FAILED {
        return None;
    }
    let whole = NonNull::new(whole.cast::<u8>())?;
    let skipped = whole.as_ptr().align_offset(HUGE_PAGE);
    // SAFETY: the mapping is longer than what is wanted by a whole huge page, so the aligned part lies within it.
    let start = unsafe { whole.add(skipped) };
    Some(Pages { start, whole, length })
}

#[cfg(not(target_os = "linux"))]
fn map_pages(_: Layout) -> Option<Pages> {
    None
}

#[cfg(target_os = "linux")]
impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: exactly what was mapped; the array that used it is being dropped.
        unsafe { libc::munmap(self.whole.as_ptr().cast(), self.length) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_at_zero_and_keeps_floats() {
        let ways = [Memory::<AtomicU32>::new, Memory::<AtomicU32>::lazy];
        for (len, way) in [0, 1, 1000, 3 << 20].into_iter().flat_map(|len| ways.map(|way| (len, way))) {
            let memory = way(len);
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

    /// The number of pages in memory when one entry of every 2 MiB is written.
    #[cfg(target_os = "linux")]
    fn resident(memory: &Memory<AtomicU32>) -> usize {
        let bytes = memory.len() * 4;
        (0..memory.len() as u32).step_by(HUGE_PAGE / 4).for_each(|entry| memory.set(entry, 1.0));
        let mut pages = vec![0u8; bytes / 4096];
        // SAFETY: the range is mapped and begins with a page; there is a byte for each page of at least 4 KiB.
        let told = unsafe { libc::mincore(memory.start.as_ptr().cast(), bytes, pages.as_mut_ptr()) };
        assert_eq!(told, 0);
        pages.iter().filter(|&&page| page & 1 == 1).count()
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_never_written_takes_no_memory() {
        let always = std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled")
            .is_ok_and(|setting| setting.contains("[always]"));
        let there = resident(&Memory::lazy(16 << 20));
        // Where all pages are huge, lazy ones are so too.
        assert!(always || there == 32, "{there} pages for 32 entries");
        assert!(resident(&Memory::new(16 << 20)) >= there);
    }

    #[test]
    fn arrays_are_moved_where_they_can_be_and_copied_where_they_must_be() {
        let array = |way: fn(usize) -> Memory<AtomicU32>, value| {
            let array = way(5);
            array.set(3, value);
            array
        };
        let arrays = vec![
            array(Memory::new, 1.0),
            array(Memory::new, 2.0),
            array(Memory::lazy, 3.0),
            array(Memory::new, 4.0),
        ];
        let starts: Vec<_> = arrays.iter().map(|array| array.start).collect();
        let spread = Memory::redistribute(arrays, &[0, 1, 0, 2]);
        let values: Vec<f32> = spread.iter().map(|array| array.get(3)).collect();
        assert_eq!(values, [1.0, 2.0, 1.0, 3.0]);
        let moved: Vec<bool> = spread.iter().map(|array| starts.contains(&array.start)).collect();
        assert_eq!(moved[..3], [false, true, true]);
        assert!(!spread[3].lazy.load(Relaxed));
        spread[0].set(3, 9.0);
        assert_eq!(spread[2].get(3), 1.0, "not one array under two numbers");
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
