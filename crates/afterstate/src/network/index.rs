//! From a position to the entries it activates.
//!
//! A [`Plan`] is made once for a network: which cells of which image of which pattern
//! give which digit. Filling in the entries of a position has one definition
//! ([`Plan::fill_portable`]) and one fast way (16-cell boards on processors with AVX2),
//! with equal results.
//!
//! **Order of a table.** In the definition, index = Σ rankᵢ · alphabetⁱ. With 16 ranks
//! a cache line would then hold the 16 ranks of the first cell, most of them never
//! seen beside the same neighbours. What changes from move to move are small tiles in
//! many cells, so such tables begin with the lowest *bit* of each of the last four cells:
//! a cache line holds their 16 combinations, and half as many lines are touched per move.
//! (`docs/log.md` has the measurements.) [`Plan::place`] tells where an index lies; files
//! keep the order of the definition.

use super::feature::Feature;
use super::pattern::Pattern;
use crate::grid::{Shape, View};

/// One table of weights among those of the network.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// Its first entry.
    pub(super) offset: u32,
    /// Its number of entries.
    pub(super) len: usize,
    /// Its number of cells, if its entries begin with the lowest bits of the last four.
    pub(super) bits_first: Option<u32>,
}

/// How the entries of a position are found.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    shape: Shape,
    groups: Vec<Group>,
    features: Vec<(Feature, u32)>,
    /// Where each table lies, patterns first, then features.
    pub(super) tables: Vec<Table>,
    /// Number of entries of a position.
    pub(super) active: usize,
    /// Number of entries of all tables together.
    pub(super) len: usize,
    /// The fastest way this processor knows.
    way: Way,
}

/// How entries are found, all with equal results.
#[derive(Clone, Debug)]
enum Way {
    /// As defined.
    Portable,
    /// 16-cell boards, any mixture of groups, up to eight images of a pattern at a time.
    #[cfg(target_arch = "x86_64")]
    Strides,
    /// 16-cell boards, all groups of the commonest kind.
    #[cfg(target_arch = "x86_64")]
    Octets(Vec<Octet>),
}

/// Eight images whose lowest bits come first.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Debug)]
struct Octet {
    /// Which cell each byte takes: the leading ones, and the last four.
    leading: [u8; 32],
    last: [u8; 32],
    /// Where the table of each begins.
    offsets: [u32; 8],
    /// By how many bits the upper bits of the last four are shifted.
    above: i32,
}

/// One place of a pattern on the board.
#[derive(Clone, Debug)]
struct Image {
    cells: Vec<u8>,
    alphabet: u8,
    /// Where its table begins.
    offset: u32,
}

/// Up to eight images found together; all have as many cells and as many ranks.
#[derive(Clone, Debug)]
struct Group {
    /// Where the table of each lane begins.
    offsets: [u32; 8],
    /// `cells[digit][lane]`.
    cells: Vec<[u8; 8]>,
    lanes: usize,
    /// What a cell adds to the index: `adds[digit][rank]`.
    adds: Vec<[u32; 64]>,
    /// Which cell each byte of a vector takes: leading and last four cells, or one digit each.
    shuffles: Vec<[u8; 32]>,
    kind: Kind,
}

/// In a shuffle: this byte becomes zero.
const NO_CELL: u8 = 0x80;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// 16 ranks, at least four cells: the lowest bits of the last four cells come first.
    BitsFirst,
    /// Any other alphabet, in the order of the definition.
    Strides,
}

impl Kind {
    fn of(digits: usize, alphabet: u8) -> Self {
        if alphabet == 16 && digits >= 4 { Self::BitsFirst } else { Self::Strides }
    }
}

/// What a rank in digit `digit` of `digits` adds to a place where the lowest bits of the last four come first:
/// 4 bits of lowest bits, then the leading digits whole, then the upper bits of the last four.
fn bits_first(rank: u32, digit: u32, digits: u32) -> u32 {
    let leading = digits - 4;
    match digit.checked_sub(leading) {
        None => rank << (4 + 4 * digit),
        Some(last) => (rank & 1) << last | (rank >> 1) << (4 + 4 * leading + 3 * last),
    }
}

impl Group {
    fn new(images: &[Image]) -> Self {
        let (digits, alphabet) = (images[0].cells.len(), u32::from(images[0].alphabet));
        let kind = Kind::of(digits, images[0].alphabet);
        let lane_cell =
            |digit: usize, lane: usize| images.get(lane).map_or(NO_CELL, |image| image.cells[digit]);
        let adds = (0..digits as u32)
            .map(|digit| {
                std::array::from_fn(|rank| {
                    let rank = (rank as u32).min(alphabet - 1);
                    match kind {
                        Kind::BitsFirst => bits_first(rank, digit, digits as u32),
                        Kind::Strides => rank * alphabet.pow(digit),
                    }
                })
            })
            .collect();
        let mut shuffles = vec![[NO_CELL; 32]; if kind == Kind::BitsFirst { 2 } else { digits }];
        for lane in 0..8 {
            for digit in 0..digits {
                let (vector, byte) = match kind {
                    Kind::Strides => (digit, 0),
                    Kind::BitsFirst if digit < digits - 4 => (0, digit),
                    Kind::BitsFirst => (1, digit - (digits - 4)),
                };
                shuffles[vector][4 * lane + byte] = lane_cell(digit, lane);
            }
        }
        Self {
            offsets: std::array::from_fn(|lane| images.get(lane).map_or(0, |image| image.offset)),
            cells: (0..digits).map(|digit| std::array::from_fn(|lane| lane_cell(digit, lane))).collect(),
            lanes: images.len(),
            adds,
            shuffles,
            kind,
        }
    }

    /// The entry of one image: the definition.
    fn entry(&self, cells: &[u8], lane: usize) -> u32 {
        let add =
            |(from, adds): (&[u8; 8], &[u32; 64])| adds[usize::from(cells[usize::from(from[lane])].min(63))];
        self.offsets[lane] + self.cells.iter().zip(&self.adds).map(add).sum::<u32>()
    }

    /// The largest rank of the alphabet.
    fn top(&self) -> u8 {
        (self.adds[0][63] / self.adds[0][1]) as u8
    }
}

#[cfg(target_arch = "x86_64")]
impl Octet {
    fn of(group: &Group) -> Option<Self> {
        let fits = group.kind == Kind::BitsFirst && group.lanes == 8;
        fits.then(|| Self {
            leading: group.shuffles[0],
            last: group.shuffles[1],
            offsets: group.offsets,
            above: 4 * (group.cells.len() as i32 - 4) + 4,
        })
    }
}

impl Way {
    #[cfg(target_arch = "x86_64")]
    fn of(groups: &[Group]) -> Self {
        if !is_x86_feature_detected!("avx2") {
            return Self::Portable;
        }
        groups.iter().map(Octet::of).collect::<Option<_>>().map_or(Self::Strides, Self::Octets)
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn of(_: &[Group]) -> Self {
        Self::Portable
    }
}

impl Plan {
    pub(super) fn new(shape: Shape, patterns: &[Pattern], features: &[Feature], shared: bool) -> Self {
        let mut tables: Vec<Table> = Vec::new();
        let mut len = 0usize;
        let mut add_table = |entries: usize, bits_first: Option<u32>| {
            let offset = u32::try_from(len).expect("a network of more than 2^32 weights");
            len += entries.next_multiple_of(16);
            tables.push(Table { offset, len: entries, bits_first });
            offset
        };
        let mut images = Vec::new();
        for pattern in patterns {
            let (digits, alphabet) = (pattern.cells().len(), pattern.alphabet());
            let bits_first = Kind::of(digits, alphabet) == Kind::BitsFirst;
            let offset = add_table(pattern.table_len(), bits_first.then_some(digits as u32));
            let all = if shared { pattern.images(shape) } else { vec![pattern.cells().to_vec()] };
            images.extend(all.into_iter().map(|cells| Image { cells, alphabet, offset }));
        }
        let alike = |a: &Image, b: &Image| (a.cells.len(), a.alphabet) == (b.cells.len(), b.alphabet);
        let groups: Vec<Group> =
            images.chunk_by(alike).flat_map(|run| run.chunks(8)).map(Group::new).collect();
        let features: Vec<(Feature, u32)> =
            features.iter().map(|&feature| (feature, add_table(feature.table_len(shape), None))).collect();
        let active = groups.iter().map(|group| group.lanes).sum::<usize>() + features.len();
        assert!(len < u32::MAX as usize, "a network of more than 2^32 weights in a bank");
        Self { shape, way: Way::of(&groups), groups, features, tables, active, len }
    }

    /// Writes the entries of a position, always [`Plan::active`] of them in the same order.
    #[inline(always)]
    pub(super) fn fill(&self, view: &View<'_>, entries: &mut [u32]) {
        #[cfg(target_arch = "x86_64")]
        if let Way::Octets(octets) = &self.way
            && let Ok(cells) = view.cells.try_into()
        {
            // SAFETY: this way is only chosen if the processor has AVX2; the function is safe code but for its
            // vector loads and stores, which have arguments of their own.
            #[allow(unsafe_code)]
            unsafe {
                fill_octets(octets, cells, entries)
            };
            if !self.features.is_empty() {
                self.fill_features(view, entries);
            }
            return;
        }
        self.fill_mixed(view, entries);
    }

    #[inline(never)]
    fn fill_mixed(&self, view: &View<'_>, entries: &mut [u32]) {
        #[cfg(target_arch = "x86_64")]
        if let (Way::Strides, Ok(cells)) = (&self.way, view.cells.try_into()) {
            // SAFETY: as above.
            #[allow(unsafe_code)]
            unsafe {
                self.fill_strides(cells, entries)
            };
            return self.fill_features(view, entries);
        }
        self.fill_portable(view, entries);
    }

    /// The definition.
    pub(super) fn fill_portable(&self, view: &View<'_>, entries: &mut [u32]) {
        let mut at = 0;
        for group in &self.groups {
            for lane in 0..group.lanes {
                entries[at] = group.entry(view.cells, lane);
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
    fn fill_strides(&self, cells: &[u8; 16], entries: &mut [u32]) {
        use std::arch::x86_64::*;
        // SAFETY: 16 readable bytes.
        #[allow(unsafe_code)]
        let board = _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(cells.as_ptr().cast()) });
        let mut at = 0;
        for group in &self.groups {
            let mut lanes = [0u32; 8];
            match group.kind {
                Kind::BitsFirst => {
                    for (lane, entry) in lanes[..group.lanes].iter_mut().enumerate() {
                        *entry = group.entry(cells, lane);
                    }
                }
                Kind::Strides => {
                    let board = _mm256_min_epu8(board, _mm256_set1_epi8(group.top() as i8));
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

    /// Where in table `table` the entry with this index of the definition lies.
    #[inline]
    pub(super) fn place(&self, table: usize, index: usize) -> usize {
        let Some(digits) = self.tables[table].bits_first else { return index };
        let index = index as u32;
        // The upper bits keep their order: only the last four digits lose their lowest bits to the front.
        let leading = 4 * (digits - 4);
        let last = index >> leading;
        let lowest = last & 1 | (last >> 3) & 2 | (last >> 6) & 4 | (last >> 9) & 8;
        let upper = (last >> 1) & 7 | (last >> 2) & 0o70 | (last >> 3) & 0o700 | (last >> 4) & 0o7000;
        (lowest | (index & ((1 << leading) - 1)) << 4 | upper << (4 + leading)) as usize
    }
}

/// The fastest way: eight images at a time, as the eight 32-bit lanes of a vector.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn fill_octets(octets: &[Octet], cells: &[u8; 16], entries: &mut [u32]) {
    use std::arch::x86_64::*;
    // SAFETY: 32 readable bytes.
    #[allow(unsafe_code)]
    let load = |bytes: &[u8; 32]| unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
    // SAFETY: 16 readable bytes.
    #[allow(unsafe_code)]
    let board = _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(cells.as_ptr().cast()) });
    let board = _mm256_min_epu8(board, _mm256_set1_epi8(15));
    let lowest_bits = _mm256_and_si256(board, _mm256_set1_epi8(1));
    let upper_bits = _mm256_and_si256(_mm256_srli_epi16::<1>(board), _mm256_set1_epi8(7));
    // Pairs of bytes, then pairs of pairs: four cells become one number in each 32-bit lane.
    let join = |cells: __m256i, pairs: i16, pairs_of_pairs: i32| {
        let pairs = _mm256_maddubs_epi16(cells, _mm256_set1_epi16(pairs));
        _mm256_madd_epi16(pairs, _mm256_set1_epi32(pairs_of_pairs))
    };
    let fill = |octet: &Octet, eight: &mut [u32; 8]| {
        let last = load(&octet.last);
        let lowest = join(_mm256_shuffle_epi8(lowest_bits, last), 0x0201, 0x0004_0001);
        let upper = join(_mm256_shuffle_epi8(upper_bits, last), 0x0801, 0x0040_0001);
        let leading = join(_mm256_shuffle_epi8(board, load(&octet.leading)), 0x1001, 0x0100_0001);
        let index = _mm256_or_si256(lowest, _mm256_slli_epi32::<4>(leading));
        let index = _mm256_or_si256(index, _mm256_sll_epi32(upper, _mm_cvtsi32_si128(octet.above)));
        // SAFETY: 32 readable bytes.
        #[allow(unsafe_code)]
        let offsets = unsafe { _mm256_loadu_si256(octet.offsets.as_ptr().cast()) };
        let index = _mm256_add_epi32(index, offsets);
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
mod tests {
    use super::super::pattern::parse_patterns;
    use super::*;
    use crate::random::Random;

    fn random_cells(random: &mut Random, shape: Shape, top: u64) -> Vec<u8> {
        let len = if shape.cells() <= 16 { 16 } else { 64 };
        (0..len).map(|cell| if cell < shape.cells() { random.below(top + 1) as u8 } else { 0 }).collect()
    }

    #[test]
    fn every_way_gives_the_entries_of_the_definition() {
        let cases = [
            (Shape::FOUR, "4x6", 16),
            (Shape::FOUR, "8x6", 16),
            (Shape::FOUR, "8x6", 13),
            (Shape::FOUR, "2x7 05af 3", 16),
            (Shape::FOUR, "szubert", 15),
            (Shape::FOUR, "lines4+squares", 15),
            (Shape::new(2, 3).unwrap(), "012345 0134", 11),
            (Shape::new(3, 3).unwrap(), "rectangles squares", 12),
            (Shape::new(5, 5).unwrap(), "lines4+rectangles", 14),
            (Shape::new(8, 8).unwrap(), "lines4", 20),
        ];
        let mut random = Random::new(1);
        for (shape, text, alphabet) in cases {
            for shared in [false, true] {
                let patterns = parse_patterns(text, shape, alphabet).unwrap();
                let features = [Feature::LargeTiles { from: 11 }, Feature::EmptyCells, Feature::Bag];
                let plan = Plan::new(shape, &patterns, &features, shared);
                let (mut fast, mut portable) = (vec![0; plan.active], vec![0; plan.active]);
                for _ in 0..200 {
                    let cells = random_cells(&mut random, shape, 20);
                    let view = View { cells: &cells, hint: 2, bag: [1, 2, 3] };
                    plan.fill(&view, &mut fast);
                    plan.fill_portable(&view, &mut portable);
                    assert_eq!(fast, portable, "{text} on {shape}");
                    let mut at = 0;
                    for (table, pattern) in patterns.iter().enumerate() {
                        let images =
                            if shared { pattern.images(shape) } else { vec![pattern.cells().to_vec()] };
                        for image in images {
                            let place = plan.place(table, pattern.index(&image, &cells));
                            assert_eq!(portable[at] as usize, plan.tables[table].offset as usize + place);
                            at += 1;
                        }
                    }
                    assert_eq!(at + features.len(), plan.active);
                }
            }
        }
    }

    #[test]
    fn places_are_a_permutation_and_add_up_digit_by_digit() {
        for (text, digits) in [("0123", 4), ("01234", 5)] {
            let patterns = parse_patterns(text, Shape::FOUR, 16).unwrap();
            let plan = Plan::new(Shape::FOUR, &patterns, &[], true);
            let mut seen = vec![false; 1 << (4 * digits)];
            for index in 0..seen.len() {
                let place = plan.place(0, index);
                assert!(!std::mem::replace(&mut seen[place], true));
                let sum: u32 = (0..digits).map(|d| bits_first(index as u32 >> (4 * d) & 15, d, digits)).sum();
                assert_eq!(place as u32, sum);
            }
        }
    }
}
