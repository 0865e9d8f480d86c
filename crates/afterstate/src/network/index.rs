//! From a position to the entries it activates.
//!
//! A [`Plan`] is made once for a network: which cells of which image of which pattern
//! give which digit. Filling in the entries of a position has one definition
//! ([`Plan::fill_portable`]) and one fast way (16-cell boards on processors with AVX2),
//! with equal results.
//!
//! **Order of a table.** In the definition, index = Σ rankᵢ · alphabetⁱ. With 16 ranks a cache line
//! would then hold the 16 ranks of the first cell, most of them never seen beside the same
//! neighbours. What changes from move to move are small tiles in many cells. So a table of up to 16
//! ranks and at least four cells is *clustered*: its places begin with the two low bits of every
//! rank, third and last cell first, and what is left of the ranks counts blocks of 4ⁿ entries:
//!
//! ```text
//! place = two low bits of each cell in the order 2, n-1, 0, 1, 3, 4, … | Σ (rank / 4) · hⁱ in the same order
//! ```
//!
//! Where every table has a *twin*, a table of tuples that differ in one cell, the two share their
//! lines instead (`twins`).
//!
//! A cache line holds the 16 combinations of two bits of two cells, a page of 4 KiB those of five
//! cells. Which two cells share a line matters: for the common 6-tuples no other pair misses fewer
//! lines (`docs/log.md`).
//!
//! with h = ⌈alphabet / 4⌉. Where h is 4, the last part is the third bits of all cells and then
//! their fourth bits: the first 8ⁿ places hold the boards whose ranks are all below 8, the *hot*
//! part of a table, which threads that learn together each have a replica of ([`super::replica`]).
//! On a 4×4 board 13 to 16 ranks lie in 16ⁿ places, the rest of which is never touched. On other
//! boards only tables that fill their places are clustered. (`docs/speed.md` has the measurements.)
//! [`Plan::place`] tells where an index lies; files keep the order of the definition.

mod clustered;
mod places;
mod twins;

use super::feature::Feature;
use super::pattern::Pattern;
use crate::grid::{Shape, View};
use clustered::{BITWISE, Kind, clustered_at, hot_len, position};
pub(super) use clustered::{HOT_BLOCK, room};
use places::Places;
pub(super) use twins::HALF_LINE;
use twins::Order;
#[cfg(target_arch = "x86_64")]
use {clustered::high_part, twins::WITHIN};

/// One table of weights among those of the network.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// Its first entry.
    pub(super) offset: u32,
    /// Its number of entries.
    pub(super) len: usize,
    /// Places of its entries, if not in the order of the definition.
    places: Option<Places>,
}

/// The places of one table, or of two that lie in one another, [`HALF_LINE`] by [`HALF_LINE`] by
/// turns.
#[derive(Clone, Debug)]
pub(super) struct Area {
    pub(super) places: std::ops::Range<usize>,
    /// The tables; twice the same if there is one.
    pub(super) tables: [usize; 2],
}

/// Way to find the entries of a position.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    shape: Shape,
    groups: Vec<Group>,
    features: Vec<(Feature, u32)>,
    /// The tables, patterns first, then features.
    pub(super) tables: Vec<Table>,
    /// All places.
    pub(super) areas: Vec<Area>,
    /// The table of each entry of a position.
    pub(super) entry_tables: Vec<u16>,
    /// Number of entries of a position.
    pub(super) active: usize,
    /// Number of entries of all tables together.
    pub(super) len: usize,
    /// Number of entries of a replica: of all hot parts together.
    pub(super) replica_len: usize,
    /// Place in the tables of each block of a replica.
    pub(super) hot_blocks: Vec<u32>,
    /// The fastest way this processor knows.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    way: Way,
}

/// Ways to find entries, all with equal results.
#[derive(Clone, Debug)]
enum Way {
    /// As defined.
    Portable,
    /// 16-cell boards, any mixture of groups, up to eight images of a pattern at a time.
    #[cfg(target_arch = "x86_64")]
    Strides,
    /// 16-cell boards, all groups of the commonest kind and of one alphabet, with its largest rank.
    #[cfg(target_arch = "x86_64")]
    Octets(Vec<Octet>, u8),
}

/// Eight images of a clustered pattern.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Debug)]
#[repr(align(32))]
pub(super) struct Octet {
    /// Cells of each byte: the first four, and those after them.
    pub(super) first: [u8; 32],
    pub(super) after: [u8; 32],
    /// Of a table with a twin: the cell that the twin does not have, for the lowest byte of each
    /// lane.
    pub(super) odd: [u8; 32],
    /// By how many bits the number of the line is shifted, and the fourth bit of the odd cell's
    /// rank.
    pub(super) within: u32,
    pub(super) odd_shift: u32,
    /// Start of the table of each.
    pub(super) offsets: [u32; 8],
    /// Start of the hot part of its table in the first replica, and the number of its places.
    pub(super) hot_offsets: [u32; 8],
    pub(super) hot: u32,
    pub(super) block: BlockDigits,
}

/// Join of the high parts of ranks to the number of a block: the factors of neighbouring
/// bytes and of pairs of them, as the instructions want them that multiply pairs and add.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockDigits {
    /// The high part of each rank.
    pub(super) high: [u8; 16],
    /// By how many bits the number of the block is shifted: two for each cell.
    pub(super) shift: u32,
    /// Factors of neighbouring cells.
    pub(super) bytes: i16,
    /// Factors of pairs of the first four cells.
    pub(super) first: i32,
    /// Factors of pairs of those after them.
    pub(super) after: i32,
}

#[cfg(target_arch = "x86_64")]
impl BlockDigits {
    fn new(digits: u32, alphabet: u8) -> Self {
        let base = i32::from(alphabet.div_ceil(4));
        let step = if base == BITWISE { 2 } else { base };
        let pair = |low: i32, high: i32| high << 16 | low;
        Self {
            high: std::array::from_fn(|rank| high_part(rank as u32, digits, alphabet.into()) as u8),
            shift: 2 * digits,
            bytes: (step << 8 | 1) as i16,
            first: pair(1, step.pow(2)),
            after: pair(step.pow(4), step.pow(6)),
        }
    }
}

/// Factors that join two bits of neighbouring cells (1 and 4), and of pairs of them: of the first
/// four cells (1 and 16), and of those after them, above the eight bits of these (256 and 4096).
#[cfg(target_arch = "x86_64")]
pub(super) const JOIN_FIRST: (i16, i32) = (0x0401, 0x0010_0001);
#[cfg(target_arch = "x86_64")]
pub(super) const JOIN_AFTER: (i16, i32) = (0x0401, 0x1000_0100);

/// One place of a pattern on the board.
#[derive(Clone, Debug)]
struct Image {
    cells: Vec<u8>,
    alphabet: u8,
    /// Order of its digits, if the table is clustered.
    order: Option<Order>,
    /// Start of its table, and of its hot part within a replica.
    offset: u32,
    hot_offset: u32,
}

/// Up to eight images found together; all have as many cells and as many ranks.
#[derive(Clone, Debug)]
struct Group {
    /// Order of its digits, if the table is clustered.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    order: Option<Order>,
    /// Start of the table of each lane.
    offsets: [u32; 8],
    /// Start of its hot part within a replica, and the number of its places.
    hot_offsets: [u32; 8],
    hot: u32,
    /// `cells[digit][lane]`.
    cells: Vec<[u8; 8]>,
    lanes: usize,
    /// Addend of a cell to the index: `adds[digit][rank]`.
    adds: Vec<[u32; 64]>,
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    /// Cells of each byte of a vector: the first four, those after them and the odd one, or one
    /// digit each.
    shuffles: Vec<[u8; 32]>,
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    kind: Kind,
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    alphabet: u8,
}

/// In a shuffle: this byte becomes zero.
const NO_CELL: u8 = 0x80;

/// The shuffle of the odd cell of a clustered table.
const ODD: usize = 2;

impl Group {
    fn new(shape: Shape, images: &[Image]) -> Self {
        let (digits, alphabet) = (images[0].cells.len(), u32::from(images[0].alphabet));
        let (kind, order) = (Kind::of(shape, digits, images[0].alphabet), images[0].order.clone());
        let lane_cell =
            |digit: usize, lane: usize| images.get(lane).map_or(NO_CELL, |image| image.cells[digit]);
        let adds = (0..digits)
            .map(|digit| {
                std::array::from_fn(|rank| {
                    let rank = (rank as u32).min(alphabet - 1);
                    let of_definition = || rank * alphabet.pow(digit as u32);
                    order.as_ref().map_or_else(of_definition, |order| order.adds(digit, rank))
                })
            })
            .collect();
        let mut shuffles = vec![[NO_CELL; 32]; if kind == Kind::Clustered { 3 } else { digits }];
        for lane in 0..8 {
            for digit in 0..digits {
                let (vector, byte) = match order.as_ref().map(|order| order.positions[digit]) {
                    None => (digit, 0),
                    Some(None) => (ODD, 0),
                    Some(Some(position)) => (usize::from(position / 4), usize::from(position % 4)),
                };
                shuffles[vector][4 * lane + byte] = lane_cell(digit, lane);
            }
        }
        Self {
            offsets: std::array::from_fn(|lane| images.get(lane).map_or(0, |image| image.offset)),
            hot_offsets: std::array::from_fn(|lane| images.get(lane).map_or(0, |image| image.hot_offset)),
            hot: order.as_ref().map_or(0, Order::hot_len) as u32,
            order,
            cells: (0..digits).map(|digit| std::array::from_fn(|lane| lane_cell(digit, lane))).collect(),
            lanes: images.len(),
            adds,
            shuffles,
            kind,
            alphabet: images[0].alphabet,
        }
    }

    /// The entry of one image: the definition.
    fn entry(&self, cells: &[u8], lane: usize, replica: Option<u32>) -> u32 {
        let add =
            |(from, adds): (&[u8; 8], &[u32; 64])| adds[usize::from(cells[usize::from(from[lane])].min(63))];
        let place = self.cells.iter().zip(&self.adds).map(add).sum::<u32>();
        match replica {
            Some(start) if place < self.hot => start + self.hot_offsets[lane] + place,
            _ => self.offsets[lane] + place,
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Octet {
    /// The octet of a group, `None` unless it is one, and of this alphabet.
    fn of(group: &Group, alphabet: u8) -> Option<Self> {
        let order = group.order.as_ref().filter(|_| group.lanes == 8 && group.alphabet == alphabet)?;
        let common = order.common();
        Some(Self {
            first: group.shuffles[0],
            after: group.shuffles[1],
            odd: group.shuffles[ODD],
            within: if order.is_twin() { WITHIN } else { 0 },
            odd_shift: WITHIN + 4 * common - 3,
            offsets: group.offsets,
            hot_offsets: group.hot_offsets,
            hot: group.hot,
            block: BlockDigits::new(common, alphabet),
        })
    }
}

impl Way {
    #[cfg(target_arch = "x86_64")]
    fn of(groups: &[Group]) -> Self {
        if !is_x86_feature_detected!("avx2") {
            return Self::Portable;
        }
        let alphabet = groups.first().map_or(16, |group| group.alphabet);
        let octets: Option<Vec<Octet>> = groups.iter().map(|group| Octet::of(group, alphabet)).collect();
        octets.map_or(Self::Strides, |octets| Self::Octets(octets, alphabet - 1))
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn of(_: &[Group]) -> Self {
        Self::Portable
    }
}

impl Plan {
    pub(super) fn new(shape: Shape, patterns: &[Pattern], features: &[Feature], shared: bool) -> Self {
        let orders = twins::orders(shape, patterns, shared);
        let (mut tables, mut areas): (Vec<Table>, Vec<Area>) = (Vec::new(), Vec::new());
        let (mut len, mut replica_len) = (0usize, 0usize);
        let mut hot_blocks = Vec::new();
        // Room for a table of so many places, where it begins, and its hot part.
        let mut add_area = |table: usize, room: usize, hot: usize| {
            let offset = u32::try_from(len).expect("a network of more than 2^32 weights");
            let hot_offset = replica_len as u32;
            areas.push(Area { places: len..len + room, tables: [table; 2] });
            len += room.next_multiple_of(16);
            replica_len += hot;
            hot_blocks.extend((0..hot as u32).step_by(HOT_BLOCK).map(|place| offset + place));
            (offset, hot_offset)
        };
        let mut images: Vec<Image> = Vec::new();
        let mut entry_tables = Vec::new();
        // By pattern: where its table begins, and its hot part.
        let mut starts: Vec<(u32, u32)> = Vec::new();
        let mut pairs = Vec::new();
        for (table, (pattern, order)) in patterns.iter().zip(orders).enumerate() {
            let (room, alphabet) = (room(shape, pattern), pattern.alphabet());
            let first = order.as_ref().map_or(table, |(first, _)| *first);
            let order = order.map(|(_, order)| order);
            let hot = order.as_ref().map_or(0, Order::hot_len);
            let places = order.as_ref().map(|order| Places::new(order, alphabet.into()));
            let (offset, hot_offset) = if first < table {
                pairs.push([first, table]);
                (starts[first].0 + HALF_LINE as u32, starts[first].1 + HALF_LINE as u32)
            } else {
                let both = order.as_ref().is_some_and(Order::is_twin);
                add_area(table, if both { 2 * room } else { room }, hot)
            };
            starts.push((offset, hot_offset));
            tables.push(Table { offset, len: pattern.table_len(), places });
            let all = if shared { pattern.images(shape) } else { vec![pattern.cells().to_vec()] };
            entry_tables.resize(entry_tables.len() + all.len(), table as u16);
            let image = |cells| Image { cells, alphabet, order: order.clone(), offset, hot_offset };
            images.extend(all.into_iter().map(image));
        }
        let kind = |image: &Image| (image.cells.len(), image.alphabet, image.order.clone());
        let alike = |a: &Image, b: &Image| kind(a) == kind(b);
        let groups: Vec<Group> =
            images.chunk_by(alike).flat_map(|run| run.chunks(8)).map(|run| Group::new(shape, run)).collect();
        let mut add_feature = |&feature: &Feature| {
            let len = feature.table_len(shape);
            let (offset, _) = add_area(tables.len(), len, 0);
            tables.push(Table { offset, len, places: None });
            (feature, offset)
        };
        let features: Vec<(Feature, u32)> = features.iter().map(&mut add_feature).collect();
        for [first, second] in pairs {
            areas
                .iter_mut()
                .filter(|area| area.tables == [first; 2])
                .for_each(|area| area.tables[1] = second);
        }
        entry_tables.extend((patterns.len()..tables.len()).map(|table| table as u16));
        let active = groups.iter().map(|group| group.lanes).sum::<usize>() + features.len();
        assert!(len < u32::MAX as usize, "a network of more than 2^32 weights in a bank");
        Self {
            shape,
            way: Way::of(&groups),
            groups,
            features,
            tables,
            areas,
            entry_tables,
            active,
            len,
            replica_len,
            hot_blocks,
        }
    }

    /// Writes the entries of a position, always [`Plan::active`] of them in the same order; those
    /// of hot parts in the replica that begins at `replica`, if there is one.
    #[inline(always)]
    pub(super) fn fill(&self, view: &View<'_>, replica: Option<u32>, entries: &mut [u32]) {
        #[cfg(target_arch = "x86_64")]
        if let Way::Octets(octets, top) = &self.way
            && let Ok(cells) = view.cells.try_into()
        {
            // SAFETY: this way is only chosen if the processor has AVX2; the function is safe code
            // but for its vector loads and stores, which have arguments of their own.
            #[allow(unsafe_code)]
            unsafe {
                fill_octets(octets, *top, cells, replica, entries)
            };
            if !self.features.is_empty() {
                self.fill_features(view, entries);
            }
            return;
        }
        self.fill_mixed(view, replica, entries);
    }

    #[inline(never)]
    fn fill_mixed(&self, view: &View<'_>, replica: Option<u32>, entries: &mut [u32]) {
        #[cfg(target_arch = "x86_64")]
        if let (Way::Strides, Ok(cells)) = (&self.way, view.cells.try_into()) {
            // SAFETY: as above.
            #[allow(unsafe_code)]
            unsafe {
                self.fill_strides(cells, replica, entries)
            };
            return self.fill_features(view, entries);
        }
        self.fill_portable(view, replica, entries);
    }

    /// The definition.
    pub(super) fn fill_portable(&self, view: &View<'_>, replica: Option<u32>, entries: &mut [u32]) {
        let mut at = 0;
        for group in &self.groups {
            for lane in 0..group.lanes {
                entries[at] = group.entry(view.cells, lane, replica);
                at += 1;
            }
        }
        self.fill_features(view, entries);
    }

    #[inline]
    fn fill_features(&self, view: &View<'_>, entries: &mut [u32]) {
        let first = self.active - self.features.len();
        for (entry, (feature, offset)) in entries[first..].iter_mut().zip(&self.features) {
            let index = feature.index(self.shape, view).min(feature.table_len(self.shape) - 1);
            *entry = offset + index as u32;
        }
    }

    /// Any mixture of groups, up to eight images of a pattern at a time.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn fill_strides(&self, cells: &[u8; 16], replica: Option<u32>, entries: &mut [u32]) {
        use std::arch::x86_64::*;
        // SAFETY: 16 readable bytes.
        #[allow(unsafe_code)]
        let board = _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(cells.as_ptr().cast()) });
        let mut at = 0;
        for group in &self.groups {
            let mut lanes = [0u32; 8];
            match group.kind {
                Kind::Clustered => {
                    for (lane, entry) in lanes[..group.lanes].iter_mut().enumerate() {
                        *entry = group.entry(cells, lane, replica);
                    }
                }
                Kind::Strides => {
                    let board = _mm256_min_epu8(board, _mm256_set1_epi8(group.alphabet as i8 - 1));
                    // SAFETY: 32 readable bytes.
                    #[allow(unsafe_code)]
                    let mut index = unsafe { _mm256_loadu_si256(group.offsets.as_ptr().cast()) };
                    for (shuffle, adds) in group.shuffles.iter().zip(&group.adds) {
                        // SAFETY: 32 readable bytes.
                        #[allow(unsafe_code)]
                        let shuffle = unsafe { _mm256_loadu_si256(shuffle.as_ptr().cast()) };
                        let rank = _mm256_shuffle_epi8(board, shuffle);
                        let stride = _mm256_set1_epi32(adds[1] as i32);
                        index = _mm256_add_epi32(index, _mm256_mullo_epi32(rank, stride));
                    }
                    // SAFETY: 32 writable bytes.
                    #[allow(unsafe_code)]
                    unsafe {
                        _mm256_storeu_si256(lanes.as_mut_ptr().cast(), index);
                    }
                }
            }
            match entries[at..].first_chunk_mut::<8>() {
                // The lanes too many are overwritten by the next group.
                Some(eight) => *eight = lanes,
                None => entries[at..at + group.lanes].copy_from_slice(&lanes[..group.lanes]),
            }
            at += group.lanes;
        }
    }

    /// All patterns as octets, if that is what they are.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn octets(&self) -> Option<(&[Octet], u8)> {
        match &self.way {
            Way::Octets(octets, top) => Some((octets, *top)),
            _ => None,
        }
    }

    /// The places of a table; some may belong to no entry.
    pub(super) fn places(&self, table: usize) -> impl Iterator<Item = usize> {
        let area = self.areas.iter().find(|area| area.tables.contains(&table)).cloned();
        let area = area.expect("every table has an area");
        let is_own = move |place: &usize| area.tables[place / HALF_LINE % 2] == table;
        area.places.filter(is_own)
    }

    /// Place in table `table` of the entry with this index of the definition.
    #[inline]
    pub(super) fn place(&self, table: usize, index: usize) -> usize {
        self.tables[table].places.as_ref().map_or(index, |places| places.of(index))
    }
}

/// The fastest way: eight images at a time, as the eight 32-bit lanes of a vector.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn fill_octets(octets: &[Octet], top: u8, cells: &[u8; 16], replica: Option<u32>, entries: &mut [u32]) {
    use std::arch::x86_64::*;
    // SAFETY: 32 readable bytes.
    #[allow(unsafe_code)]
    let load = |bytes: &[u8; 32]| unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
    // SAFETY: 16 readable bytes.
    #[allow(unsafe_code)]
    let half = |bytes: &[u8; 16]| unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
    let board = _mm_min_epu8(half(cells), _mm_set1_epi8(top as i8));
    let twice = |half: __m128i| _mm256_broadcastsi128_si256(half);
    let (whole, low_bits) = (twice(board), twice(_mm_and_si128(board, _mm_set1_epi8(3))));
    // Pairs of bytes, then pairs of pairs: four cells become one number in each 32-bit lane.
    let join = |cells: __m256i, bytes: i16, pairs: i32| {
        _mm256_madd_epi16(_mm256_maddubs_epi16(cells, _mm256_set1_epi16(bytes)), _mm256_set1_epi32(pairs))
    };
    let fill = |octet: &Octet, eight: &mut [u32; 8]| {
        let (first, after) = (load(&octet.first), load(&octet.after));
        let low = join(_mm256_shuffle_epi8(low_bits, first), JOIN_FIRST.0, JOIN_FIRST.1);
        let low_after = join(_mm256_shuffle_epi8(low_bits, after), JOIN_AFTER.0, JOIN_AFTER.1);
        let digits = &octet.block;
        let high = twice(_mm_shuffle_epi8(half(&digits.high), board));
        let block = join(_mm256_shuffle_epi8(high, first), digits.bytes, digits.first);
        let block_after = join(_mm256_shuffle_epi8(high, after), digits.bytes, digits.after);
        let block = _mm256_add_epi32(block, block_after);
        let block = _mm256_sll_epi32(block, _mm_cvtsi32_si128(digits.shift as i32));
        let line = _mm256_add_epi32(_mm256_add_epi32(low, low_after), block);
        let shifted = |bits: __m256i, by: u32| _mm256_sll_epi32(bits, _mm_cvtsi32_si128(by as i32));
        let place = if octet.within == 0 {
            line
        } else {
            let odd = _mm256_shuffle_epi8(whole, load(&octet.odd));
            let top_bit = shifted(_mm256_and_si256(odd, _mm256_set1_epi32(8)), octet.odd_shift);
            let odd = _mm256_or_si256(_mm256_and_si256(odd, _mm256_set1_epi32(7)), top_bit);
            _mm256_add_epi32(shifted(line, octet.within), odd)
        };
        // SAFETY: 32 readable bytes.
        #[allow(unsafe_code)]
        let words = |words: &[u32; 8]| unsafe { _mm256_loadu_si256(words.as_ptr().cast()) };
        let mut offsets = words(&octet.offsets);
        if let Some(start) = replica {
            let is_hot = _mm256_cmpgt_epi32(_mm256_set1_epi32(octet.hot as i32), place);
            let hot_offsets = _mm256_add_epi32(words(&octet.hot_offsets), _mm256_set1_epi32(start as i32));
            offsets = _mm256_blendv_epi8(offsets, hot_offsets, is_hot);
        }
        let index = _mm256_add_epi32(place, offsets);
        // SAFETY: 32 writable bytes.
        #[allow(unsafe_code)]
        unsafe {
            _mm256_storeu_si256(eight.as_mut_ptr().cast(), index);
        }
    };
    // Four at a time: without a loop around each.
    let (fours, rest) = octets.as_chunks::<4>();
    let (eights, _) = entries.as_chunks_mut::<8>();
    let (places, places_left) = eights.as_chunks_mut::<4>();
    for ([a, b, c, d], [at_a, at_b, at_c, at_d]) in fours.iter().zip(places) {
        fill(a, at_a);
        fill(b, at_b);
        fill(c, at_c);
        fill(d, at_d);
    }
    rest.iter().zip(places_left).for_each(|(octet, eight)| fill(octet, eight));
}

#[cfg(test)]
mod tests;
