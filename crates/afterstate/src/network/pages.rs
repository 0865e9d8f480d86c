//! Pages asked from the system directly: zeroed memory in huge pages, and files mapped into memory.
//!
//! This is one of the few files with `unsafe`: it maps files.
#![allow(unsafe_code)]

use memmap2::{MmapAsRawDesc, MmapMut, MmapOptions};
use std::alloc::Layout;
use std::io;
use std::ptr::NonNull;

/// The size of a huge page; arrays at least as long lie in them.
pub(super) const HUGE_PAGE: usize = 2 << 20;

/// The size of a usual page.
pub(super) const PAGE: usize = 4096;

/// Answer of the system to a wish for pages.
pub(super) enum Mapping {
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    Mapped(Pages),
    /// There is no room for so many.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    Refused,
    /// Too few to ask for, or a system without them.
    Small,
}

/// Pages of the system, given back when dropped.
pub(super) struct Pages {
    /// The first byte in use.
    pub(super) start: NonNull<u8>,
    /// The whole mapping.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    map: MmapMut,
}

/// Zeroed memory where huge pages can be, for large arrays and where there are such pages.
///
/// Pages are to be advised to be huge before they are touched for the first
/// time, so that each comes huge at once. (An allocator that zeroes by writing would touch
/// them too early.)
#[cfg(target_os = "linux")]
pub(super) fn map_pages(layout: Layout) -> Mapping {
    if layout.size() < HUGE_PAGE {
        return Mapping::Small;
    }
    let Some(length) = layout.size().checked_add(HUGE_PAGE) else { return Mapping::Refused };
    // Pages that are never written are not to count, whatever the system thinks of promises.
    let map = MmapOptions::new().len(length).no_reserve_swap().map_anon();
    // The mapping is longer than what is wanted by a whole huge page, so the aligned part lies within it.
    let mapped = map.map(|map| Pages::from(map, |start| start.align_offset(HUGE_PAGE)));
    mapped.map_or(Mapping::Refused, Mapping::Mapped)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn map_pages(_: Layout) -> Mapping {
    Mapping::Small
}

/// Gives back to the system what was freed: the allocator keeps a good part of the lists that a file
/// was read into.
pub(super) fn give_back_freed() {
    // SAFETY: the call takes no address, and frees nothing that is in use.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::malloc_trim(0)
    };
}

impl Pages {
    /// Bytes of a file, read when they are touched and shared with all processes that map them. What
    /// is written stays in this process.
    ///
    /// They hold anything: a user of them must accept every pattern of bits. The file must not
    /// become shorter, or the process ends when it touches what is gone.
    pub(super) fn of_file(file: impl MmapAsRawDesc, offset: u64, length: usize) -> io::Result<Self> {
        let mut options = MmapOptions::new();
        options.offset(offset).len(length);
        // SAFETY: the bytes are used as atomics alone, for which every pattern of bits is a value, also
        // one that another process has changed.
        let map = unsafe { options.map_copy(file) }?;
        Ok(Self::from(map, |_| 0))
    }

    fn from(mut map: MmapMut, skipped: impl Fn(*mut u8) -> usize) -> Self {
        let start = map.as_mut_ptr();
        let start = NonNull::new(start.wrapping_add(skipped(start))).expect("a mapping is not at zero");
        Self { start, map }
    }

    /// Advises the system about some bytes. A refusal changes nothing but speed and memory.
    #[cfg(target_os = "linux")]
    fn advise(&self, advice: memmap2::Advice, from: usize, length: usize) {
        let skipped = self.start.as_ptr().addr() - self.map.as_ptr().addr();
        let _ = self.map.advise_range(advice, skipped + from, length);
    }

    /// Huge pages for these bytes where nothing was written yet.
    pub(super) fn request_huge(&self, from: usize, length: usize) {
        #[cfg(target_os = "linux")]
        self.advise(memmap2::Advice::HugePage, from, length);
        let _ = (from, length);
    }

    /// No huge pages where nothing was written yet.
    pub(super) fn decline_huge(&self, length: usize) {
        #[cfg(target_os = "linux")]
        self.advise(memmap2::Advice::NoHugePage, 0, length);
        let _ = length;
    }

    /// The number of pages among these bytes that were never written; all of them where the system
    /// does not tell.
    pub(super) fn missing(&self, from: usize, length: usize) -> usize {
        let count = length / PAGE;
        #[cfg(target_os = "linux")]
        {
            let mut there = vec![0u8; count];
            let start = self.start.as_ptr().wrapping_add(from);
            // SAFETY: there is a byte for each page; the system refuses what is not mapped.
            let told = unsafe { libc::mincore(start.cast(), length, there.as_mut_ptr()) };
            if told == 0 {
                return there.iter().filter(|&&page| page & 1 == 0).count();
            }
        }
        let _ = from;
        count
    }

    /// Makes one huge page of the usual ones from here on; false if the system does not.
    pub(super) fn collapse(&self, from: usize) -> bool {
        #[cfg(target_os = "linux")]
        {
            let start = self.start.as_ptr().wrapping_add(from);
            // SAFETY: the advice does not change what the bytes hold; the system refuses what is not mapped.
            unsafe { libc::madvise(start.cast(), HUGE_PAGE, libc::MADV_COLLAPSE) == 0 }
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = from;
            false
        }
    }

    /// All pages at once. A system that cannot do it lets them come when they are touched.
    pub(super) fn populate(&self, length: usize) {
        #[cfg(target_os = "linux")]
        self.advise(memmap2::Advice::PopulateWrite, 0, length);
        let _ = length;
    }
}
