//! Large arrays shared by threads: the weights, and the sums learning keeps beside them.
//!
//! Every entry is an atomic integer that holds the bits of floats, read and written
//! with relaxed ordering. Two threads may update one entry at the same time; then one
//! of the two updates is lost, which learning tolerates and the language allows. On
//! x86-64 and AArch64 a relaxed load or store is an ordinary one.
//!
//! Long because: what touches the raw memory, joins of replicas included, stays in one file with
//! `unsafe`.
//!
//! This is one of the few files with `unsafe`: it keeps arrays in pages of the system
//! (`pages`), and gives the processor hints about what it will need.
#![allow(unsafe_code)]

use super::pages::{HUGE_PAGE, Mapping, PAGE, Pages, map_pages};
use crate::budget::{self, OutOfMemory, Reserved};
use memmap2::MmapAsRawDesc;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::io;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// So many entries are looked at together where zeros are not to be written.
const CHUNK: usize = 1024;

mod private {
    /// Keeps other modules from declaring a type to be an [`super::Entry`].
    pub trait Sealed {}
}

/// Entry of an array: an atomic, for which all-zero memory is a valid value.
pub trait Entry: private::Sealed + Sync {
    /// The integer that holds the bits.
    type Bits: Copy + Default + PartialEq;
    /// The bits.
    fn bits(&self) -> Self::Bits;
    /// Replaces the bits.
    fn set_bits(&self, bits: Self::Bits);
    /// Appends the bits as they lie in the memory of this machine.
    fn append_to(&self, bytes: &mut Vec<u8>);
    /// Becomes what another is.
    #[inline]
    fn copy(&self, other: &Self) {
        self.set_bits(other.bits());
    }
}

macro_rules! entry {
    ($atomic:ty: $bits:ty) => {
        impl private::Sealed for $atomic {}

        impl Entry for $atomic {
            type Bits = $bits;

            #[inline]
            fn bits(&self) -> $bits {
                self.load(Relaxed)
            }

            #[inline]
            fn set_bits(&self, bits: $bits) {
                self.store(bits, Relaxed);
            }

            #[inline]
            fn append_to(&self, bytes: &mut Vec<u8>) {
                bytes.extend(self.bits().to_ne_bytes());
            }
        }
    };
}

entry!(AtomicU16: u16);
entry!(AtomicU32: u32);
entry!(AtomicU64: u64);

/// Entries that hold floats, one or two, and can be joined.
pub trait Joined: Entry {
    /// shared + (own − base), float by float.
    fn joined(own: Self::Bits, base: Self::Bits, shared: Self::Bits) -> Self::Bits;
}

impl Joined for AtomicU32 {
    #[inline]
    fn joined(own: u32, base: u32, shared: u32) -> u32 {
        let [own, base, shared] = [own, base, shared].map(f32::from_bits);
        (shared + (own - base)).to_bits()
    }
}

impl Joined for AtomicU64 {
    #[inline]
    fn joined(own: u64, base: u64, shared: u64) -> u64 {
        let [own, base, shared] = [own, base, shared].map(pair);
        pair_bits(std::array::from_fn(|i| shared[i] + (own[i] - base[i])))
    }
}

/// A zero-initialised array of atomics, in huge pages where the system offers them.
pub struct Memory<T: Entry> {
    start: NonNull<T>,
    len: usize,
    /// The number of entries there is memory for: behind the array itself lie replicas of parts of it.
    room: usize,
    /// The pages it lies in, if not in ordinary memory.
    mapped: Option<Pages>,
    /// True if it was made for few entries that are not zero.
    lazy: AtomicBool,
    /// Its part of the budget: all of it, or what was filled so far.
    reserved: Mutex<Reserved>,
}

// SAFETY: the memory is owned, and all access to it is through shared atomics.
unsafe impl<T: Entry> Send for Memory<T> {}
// SAFETY: as above.
unsafe impl<T: Entry> Sync for Memory<T> {}

impl<T: Entry> Memory<T> {
    /// `len` zeros, in huge pages.
    ///
    /// # Panics
    /// If there is no memory for them; [`Memory::try_new`] says so instead.
    pub fn new(len: usize) -> Self {
        Self::try_new(len).unwrap_or_else(|error| panic!("{error}"))
    }

    /// `len` zeros, in huge pages, all of them reserved in the [budget].
    pub fn try_new(len: usize) -> Result<Self, OutOfMemory> {
        let memory = Self::with_room(len, len)?;
        memory.claim()?;
        Ok(memory)
    }

    /// `len` zeros, most of which are to stay zero: what is never written takes no memory, by pages of
    /// the usual size.
    ///
    /// # Panics
    /// If there are no addresses for them; [`Memory::try_lazy`] says so instead.
    pub fn lazy(len: usize) -> Self {
        Self::try_lazy(len).unwrap_or_else(|error| panic!("{error}"))
    }

    /// [`Memory::lazy`]. Nothing is reserved in the [budget]: the writer does that
    /// ([`Memory::reserve`]).
    pub fn try_lazy(len: usize) -> Result<Self, OutOfMemory> {
        Self::with_room(len, len)
    }

    /// `len` zeros, and memory for `room` of them in all.
    fn with_room(len: usize, room: usize) -> Result<Self, OutOfMemory> {
        let (lazy, reserved) = (AtomicBool::new(true), Mutex::default());
        if len == 0 {
            let start = NonNull::dangling();
            return Ok(Self { start, len, room: 0, mapped: None, lazy, reserved });
        }
        let layout = Self::layout(room);
        let refused = OutOfMemory { wanted: layout.size() as u64, taken: budget::taken(), limit: u64::MAX };
        let mapped = match map_pages(layout) {
            Mapping::Mapped(pages) => Some(pages),
            Mapping::Refused => return Err(refused),
            Mapping::Small => None,
        };
        let start = match &mapped {
            Some(pages) => pages.start,
            None => {
                // SAFETY: the layout has a size above zero.
                let start = unsafe { alloc_zeroed(layout) };
                NonNull::new(start).ok_or(refused)?
            }
        };
        Ok(Self { start: start.cast(), len, room, mapped, lazy, reserved })
    }

    /// `len` entries of a file that was written for this machine, see [`Pages::of_file`]. Nothing is
    /// reserved: processes share the memory.
    pub(super) fn of_file(file: impl MmapAsRawDesc, offset: u64, len: usize) -> io::Result<Self> {
        if len == 0 {
            return Ok(Self::with_room(0, 0)?);
        }
        let pages = Pages::of_file(file, offset, len * size_of::<T>())?;
        let (lazy, reserved) = (AtomicBool::new(false), Mutex::default());
        Ok(Self { start: pages.start.cast(), len, room: len, mapped: Some(pages), lazy, reserved })
    }

    /// Reserves all of it, to be written from one end to the other, and asks for huge pages where
    /// nothing was written yet.
    pub fn claim(&self) -> Result<(), OutOfMemory> {
        let bytes = (self.room * size_of::<T>()) as u64;
        let taken = self.reserved().bytes();
        self.reserve(bytes.saturating_sub(taken))?;
        self.request_huge_pages();
        Ok(())
    }

    /// Reserves so many bytes more, before they are written.
    pub fn reserve(&self, bytes: u64) -> Result<(), OutOfMemory> {
        self.reserved().grow(bytes)
    }

    /// Reserves as much as another array holds that is to be copied into this one, at most all of it.
    pub fn reserve_as<U: Entry>(&self, other: &Memory<U>) -> Result<(), OutOfMemory> {
        let all = (self.room * size_of::<T>()) as u64;
        let wanted = other.reserved().bytes() / size_of::<U>() as u64 * size_of::<T>() as u64;
        let taken = self.reserved().bytes();
        self.reserve(wanted.min(all.saturating_sub(taken)))
    }

    /// Bytes reserved for it.
    pub fn reserved_bytes(&self) -> u64 {
        self.reserved().bytes()
    }

    /// Becomes what another array of zeros and few other entries is; what is zero is not written.
    pub fn copy_from(&self, other: &Self) -> Result<(), OutOfMemory> {
        self.reserve_as(other)?;
        for (own, other) in self.entries().iter().zip(other.entries()) {
            if other.bits() != T::Bits::default() {
                own.copy(other);
            }
        }
        Ok(())
    }

    fn reserved(&self) -> std::sync::MutexGuard<'_, Reserved> {
        self.reserved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn layout(len: usize) -> Layout {
        let bytes = len.checked_mul(size_of::<T>()).expect("an array too large for the address space");
        Layout::from_size_align(bytes, 64).expect("an array too large for the address space")
    }

    /// All entries.
    #[inline]
    pub fn entries(&self) -> &[T] {
        // SAFETY: `start` points to `len` initialised values (or `len` is 0), which live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }

    /// The number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of entries there is memory for, those behind the array included.
    #[inline(always)]
    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// The entries of the array and those behind it.
    pub(super) fn entries_with_room(&self) -> &[T] {
        // SAFETY: `start` points to `room` initialised values (or `room` is 0), which live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.room) }
    }

    /// Makes room for `more` entries behind the array; `false` where there is no memory for that.
    pub(crate) fn extend(&mut self, more: usize) -> bool {
        self.extended(more).map(|extended| *self = extended).is_ok()
    }

    /// A copy of the array with memory for `more` entries behind it.
    fn extended(&self, more: usize) -> Result<Self, OutOfMemory> {
        let copy = Self::with_room(self.len, self.len + more)?;
        copy.claim()?;
        // What is zero throughout is not written, so that it takes no memory before it is needed.
        let chunks = copy.entries().chunks(CHUNK).zip(self.entries().chunks(CHUNK));
        for (own, other) in
            chunks.filter(|(_, other)| other.iter().any(|entry| entry.bits() != T::Bits::default()))
        {
            own.iter().zip(other).for_each(|(own, other)| own.copy(other));
        }
        Ok(copy)
    }

    /// The entries without checks of indices, for callers who know that theirs exist.
    #[inline(always)]
    pub(super) fn unchecked(&self) -> Unchecked<'_, T> {
        Unchecked { start: self.start.as_ptr(), len: self.room, entries: PhantomData }
    }

    /// True if it has pages of its own, which can be huge.
    pub(super) fn is_mapped(&self) -> bool {
        self.mapped.is_some()
    }

    /// No huge pages where nothing was written yet: a single entry shall not take a whole one.
    pub(super) fn decline_huge_pages(&self) {
        if let Some(pages) = &self.mapped {
            pages.decline_huge(self.room * size_of::<T>());
        }
    }

    /// A huge page for the bytes from here on, if nothing was written there yet; `number` counts the
    /// huge pages of the array.
    pub(super) fn request_huge_page(&self, number: usize) {
        self.lazy.store(false, Relaxed);
        if let Some(pages) = &self.mapped {
            let (from, all) = (number * HUGE_PAGE, self.room * size_of::<T>());
            pages.request_huge(from, HUGE_PAGE.min(all.saturating_sub(from)));
        }
    }

    /// Has the system make huge pages of the usual ones where at least half of them were written, and
    /// reserves what that takes; returns how many it made. A refusal changes nothing but speed.
    pub(super) fn collapse(&self) -> usize {
        let Some(pages) = &self.mapped else { return 0 };
        let is_collapsed = |&number: &usize| {
            let missing = pages.missing(number * HUGE_PAGE, HUGE_PAGE);
            if missing > HUGE_PAGE / PAGE / 2 || self.reserve((missing * PAGE) as u64).is_err() {
                return false;
            }
            self.request_huge_page(number);
            pages.collapse(number * HUGE_PAGE)
        };
        (0..self.room * size_of::<T>() / HUGE_PAGE).filter(is_collapsed).count()
    }

    /// Asks for huge pages where nothing was written yet. A refused advice changes nothing but speed.
    pub fn request_huge_pages(&self) {
        self.lazy.store(false, Relaxed);
        if let Some(pages) = &self.mapped {
            pages.request_huge(0, self.room * size_of::<T>());
        }
    }

    /// An array for each of `origins`, with what the array of that number held: the last to ask for
    /// one has that array itself, the others a copy, so that large ones are not in memory twice. Lazy
    /// arrays are copied always; the new ones are to be written.
    ///
    /// # Panics
    /// If there is no array of that number.
    pub fn redistribute(arrays: Vec<Self>, origins: &[usize]) -> Result<Vec<Self>, OutOfMemory> {
        let mut arrays: Vec<Option<Self>> = arrays.into_iter().map(Some).collect();
        let one = |(i, &origin): (usize, &usize)| {
            let last = !origins[i + 1..].contains(&origin);
            let found = if last { arrays[origin].take() } else { None };
            match found {
                Some(array) if !array.lazy.load(Relaxed) => {
                    array.claim()?;
                    Ok(array)
                }
                Some(array) => array.copied(),
                None => arrays[origin].as_ref().expect("not yet asked for the last time").copied(),
            }
        };
        origins.iter().enumerate().map(one).collect()
    }

    fn copied(&self) -> Result<Self, OutOfMemory> {
        let copy = Self::try_new(self.len)?;
        copy.entries().iter().zip(self.entries()).for_each(|(own, other)| own.copy(other));
        Ok(copy)
    }

    /// Has all pages ready before they are needed, so that the first visits do not wait for the
    /// system.
    pub fn populate(&self) {
        if let Some(pages) = &self.mapped {
            pages.populate(self.room * size_of::<T>());
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

impl<T: Joined> Memory<T> {
    /// Makes `N` entries from each of three places on what [`Joined::joined`] says of them: first one's own, then
    /// their base, then the shared ones.
    #[inline(always)]
    pub(super) fn join<const N: usize>(&self, places: [u32; 3]) {
        #[cfg(target_arch = "x86_64")]
        if (N * size_of::<T>()).is_multiple_of(32) && is_x86_feature_detected!("avx") {
            let starts = places.map(|start| self.entries_with_room()[start as usize..][..N].as_ptr());
            // SAFETY: each is the first of N entries of this array, and the processor has AVX.
            return unsafe { join_by_eights(starts.map(<*const T>::cast), N * size_of::<T>()) };
        }
        self.join_portable::<N>(places);
    }

    /// The definition.
    fn join_portable<const N: usize>(&self, places: [u32; 3]) {
        let [own, base, shared] = places.map(|start| &self.entries_with_room()[start as usize..][..N]);
        for ((own, base), shared) in own.iter().zip(base).zip(shared) {
            let joined = T::joined(own.bits(), base.bits(), shared.bits());
            [own, base, shared].into_iter().for_each(|entry| entry.set_bits(joined));
        }
    }
}

/// Eight floats at a time.
///
/// Other threads may change the shared ones meanwhile. So this is not the library's loads and
/// stores, which would be a data race, but the instructions: they stand for eight relaxed ones of
/// aligned 32-bit words, each of which the processor does at once.
///
/// # Safety
/// From each place on there must be so many bytes of arrays of atomics, a multiple of 32; the
/// processor must have AVX.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx")]
unsafe fn join_by_eights([own, base, shared]: [*const u8; 3], bytes: usize) {
    for at in (0..bytes).step_by(32) {
        // SAFETY: the caller's promise; atomics may be written through a shared reference.
        unsafe {
            std::arch::asm!(
                "vmovups {floats}, [{own}]",
                "vsubps {floats}, {floats}, [{base}]",
                "vaddps {floats}, {floats}, [{shared}]",
                "vmovups [{own}], {floats}",
                "vmovups [{base}], {floats}",
                "vmovups [{shared}], {floats}",
                floats = out(ymm_reg) _,
                own = in(reg) own.add(at),
                base = in(reg) base.add(at),
                shared = in(reg) shared.add(at),
                options(nostack, preserves_flags),
            );
        }
    }
}

impl<T: Entry> Drop for Memory<T> {
    fn drop(&mut self) {
        if self.len > 0 && self.mapped.is_none() {
            // SAFETY: allocated in `new` with the same layout; atomics need no drop.
            unsafe { dealloc(self.start.as_ptr().cast(), Self::layout(self.room)) };
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

    /// All floats. No other thread can change them meanwhile, so they can be read several at a time.
    pub fn floats(&mut self) -> &[f32] {
        // SAFETY: `start` points to `len` values of four bytes (or `len` is 0) that are valid floats
        // whatever their bits, and the exclusive borrow keeps all other access away.
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

/// An array whose indices are not checked; a value of its own, so that inner loops keep its start in
/// a register.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

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

    #[cfg(target_os = "linux")]
    #[test]
    fn pages_are_made_huge_where_most_of_them_are_written() {
        let memory = Memory::<AtomicU32>::try_lazy(4 * HUGE_PAGE / 4).unwrap();
        memory.decline_huge_pages();
        // The first huge page in full, of the third a quarter of its pages.
        (0..HUGE_PAGE as u32 / 4).for_each(|entry| memory.set(entry, entry as f32));
        let quarter = (2 * HUGE_PAGE as u32 / 4..).step_by(4096).take(HUGE_PAGE / PAGE / 4);
        quarter.clone().for_each(|entry| memory.set(entry, 1.0));
        let before = memory.reserved_bytes();
        // A system may refuse, but never make one of pages that few have written.
        assert!(memory.collapse() <= 1);
        assert_eq!(memory.reserved_bytes(), before);
        assert!((0..HUGE_PAGE as u32 / 4).all(|entry| memory.get(entry) == entry as f32));
        assert!(quarter.into_iter().all(|entry| memory.get(entry) == 1.0));
        assert_eq!(memory.get(HUGE_PAGE as u32 / 4), 0.0);
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
        let spread = Memory::redistribute(arrays, &[0, 1, 0, 2]).unwrap();
        let values: Vec<f32> = spread.iter().map(|array| array.get(3)).collect();
        assert_eq!(values, [1.0, 2.0, 1.0, 3.0]);
        let moved: Vec<bool> = spread.iter().map(|array| starts.contains(&array.start)).collect();
        assert_eq!(moved[..3], [false, true, true]);
        assert!(!spread[3].lazy.load(Relaxed));
        spread[0].set(3, 9.0);
        assert_eq!(spread[2].get(3), 1.0, "not one array under two numbers");
    }

    #[test]
    fn places_are_joined_as_defined_to_the_bit() {
        let mut random = Random::new(8);
        let mut float = || (random.unit() as f32 - 0.5) * 10f32.powi(random.below(9) as i32 - 4);
        for _ in 0..100 {
            let (fast, slow) = (Memory::<AtomicU32>::new(64), Memory::<AtomicU32>::new(64));
            let (fast_pairs, slow_pairs) = (Memory::<AtomicU64>::new(64), Memory::<AtomicU64>::new(64));
            for entry in 0..64 {
                let (one, two) = (float(), [float(), float()]);
                [&fast, &slow].into_iter().for_each(|memory| memory.set(entry, one));
                [&fast_pairs, &slow_pairs].into_iter().for_each(|memory| memory.set_pair(entry, two));
            }
            fast.join::<16>([48, 0, 16]);
            slow.join_portable::<16>([48, 0, 16]);
            fast_pairs.join::<16>([0, 16, 48]);
            slow_pairs.join_portable::<16>([0, 16, 48]);
            for entry in 0..64 {
                assert_eq!(fast.get(entry).to_bits(), slow.get(entry).to_bits());
                assert_eq!(fast_pairs.get_pair(entry), slow_pairs.get_pair(entry));
            }
            assert_eq!([fast.get(3), fast.get(19)], [fast.get(51); 2]);
        }
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
