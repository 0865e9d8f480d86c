//! From a position to the entries it activates.
//!
//! A [`Plan`] is made once for a network: which cells of which image of which pattern
//! give which digit. Filling in the entries of a position has one definition
//! ([`Plan::fill_portable`]) and one fast way (16-cell boards on processors with AVX2),
//! with equal results.
//!
//! **Order of a table.** In the definition, index = Σ rankᵢ · alphabetⁱ. With 16 ranks
//! a cache line would then hold the 16 ranks of the first cell, most of them never
//! seen beside the same neighbours. What changes from move to move are small tiles, so
//! such tables swap index bits 2–3 with 4–5: a cache line then holds the four ranks
//! that share the upper bits for the *first two* cells, and fewer lines are touched
//! per move. [`Plan::place`] tells where an index lies; files keep the order of the definition.

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
    /// Whether its entries are in the swapped order.
    pub(super) swapped: bool,
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
    #[cfg(target_arch = "x86_64")]
    fast: bool,
}

/// Up to eight images of one pattern, found together.
#[derive(Clone, Debug)]
struct Group {
    offset: u32,
    /// `cells[digit][lane]`.
    cells: Vec<[u8; 8]>,
    lanes: usize,
    /// What a cell adds to the index: `adds[digit][rank]`.
    adds: Vec<[u32; 64]>,
    /// Which cell each byte of a vector takes: by pairs of digits for nibbles, else one digit each.
    shuffles: Vec<[u8; 32]>,
    kind: Kind,
}

/// In a shuffle: this byte becomes zero.
const NO_CELL: u8 = 0x80;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// 16 ranks: four bits each, the bits 2–3 and 4–5 exchanged.
    Nibbles,
    /// Any other alphabet.
    Strides,
}

/// Exchanges bits 2–3 and 4–5.
#[inline(always)]
fn swap_bits(index: u32) -> u32 {
    let t = (index ^ (index >> 2)) & 0b1100;
    index ^ t ^ (t << 2)
}

impl Group {
    fn new(pattern: &Pattern, images: &[Vec<u8>], offset: u32, swapped: bool) -> Self {
        let digits = pattern.cells().len();
        let lane_cell = |digit: usize, lane: usize| images.get(lane).map_or(NO_CELL, |image| image[digit]);
        let alphabet = u32::from(pattern.alphabet());
        let adds = (0..digits as u32)
            .map(|digit| {
                std::array::from_fn(|rank| {
                    let index = (rank as u32).min(alphabet - 1) * alphabet.pow(digit);
                    if swapped { swap_bits(index) } else { index }
                })
            })
            .collect();
        let mut shuffles = vec![[NO_CELL; 32]; if swapped { 2 } else { digits }];
        for lane in 0..8 {
            for digit in 0..digits {
                let (vector, byte) = if swapped { (digit % 2, digit / 2) } else { (digit, 0) };
                shuffles[vector][4 * lane + byte] = lane_cell(digit, lane);
            }
        }
        Self {
            offset,
            cells: (0..digits).map(|digit| std::array::from_fn(|lane| lane_cell(digit, lane))).collect(),
            lanes: images.len(),
            adds,
            shuffles,
            kind: if swapped { Kind::Nibbles } else { Kind::Strides },
        }
    }

    /// The largest rank of the alphabet.
    fn top(&self) -> u8 {
        (self.adds[0][63] / self.adds[0][1]) as u8
    }
}

impl Plan {
    pub(super) fn new(shape: Shape, patterns: &[Pattern], features: &[Feature], shared: bool) -> Self {
        let mut tables: Vec<Table> = Vec::new();
        let mut len = 0usize;
        let mut add_table = |entries: usize, swapped: bool| {
            let offset = u32::try_from(len).expect("a network of more than 2^32 weights");
            len += entries.next_multiple_of(16);
            tables.push(Table { offset, len: entries, swapped });
            offset
        };
        let mut groups = Vec::new();
        for pattern in patterns {
            let swapped = pattern.alphabet() == 16 && pattern.cells().len() >= 2;
            let offset = add_table(pattern.table_len(), swapped);
            let images = if shared { pattern.images(shape) } else { vec![pattern.cells().to_vec()] };
            groups.extend(images.chunks(8).map(|images| Group::new(pattern, images, offset, swapped)));
        }
        let features: Vec<(Feature, u32)> =
            features.iter().map(|&feature| (feature, add_table(feature.table_len(shape), false))).collect();
        let active = groups.iter().map(|group| group.lanes).sum::<usize>() + features.len();
        Self {
            shape,
            groups,
            features,
            tables,
            active,
            len,
            #[cfg(target_arch = "x86_64")]
            fast: is_x86_feature_detected!("avx2"),
        }
    }

    /// Writes the entries of a position, always [`Plan::active`] of them in the same order.
    #[inline]
    pub(super) fn fill(&self, view: &View<'_>, entries: &mut [u32]) {
        #[cfg(target_arch = "x86_64")]
        if self.fast
            && let Ok(cells) = view.cells.try_into()
        {
            // SAFETY: the processor was found to have AVX2 when the plan was made; the function is safe code
            // but for its vector loads and stores, which have arguments of their own.
            #[allow(unsafe_code)]
            unsafe {
                self.fill_avx2(cells, entries);
            }
            return self.fill_features(view, entries);
        }
        self.fill_portable(view, entries);
    }

    /// The definition.
    pub(super) fn fill_portable(&self, view: &View<'_>, entries: &mut [u32]) {
        let mut at = 0;
        for group in &self.groups {
            for lane in 0..group.lanes {
                let mut index = group.offset;
                for (cells, adds) in group.cells.iter().zip(&group.adds) {
                    index += adds[usize::from(view.cells[usize::from(cells[lane])] & 63)];
                }
                entries[at] = index;
                at += 1;
            }
        }
        self.fill_features(view, entries);
    }

    #[inline]
    fn fill_features(&self, view: &View<'_>, entries: &mut [u32]) {
        let first = self.active - self.features.len();
        for (entry, (feature, offset)) in entries[first..].iter_mut().zip(&self.features) {
            *entry = offset + feature.index(self.shape, view) as u32;
        }
    }

    /// Eight images of a pattern at a time, as the eight 32-bit lanes of a vector.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn fill_avx2(&self, cells: &[u8; 16], entries: &mut [u32]) {
        use std::arch::x86_64::*;
        // SAFETY: 16 readable bytes.
        #[allow(unsafe_code)]
        let board = _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(cells.as_ptr().cast()) });
        let board16 = _mm256_min_epu8(board, _mm256_set1_epi8(15));
        let mut at = 0;
        let mut lanes = [0u32; 8];
        // SAFETY: 32 readable bytes.
        #[allow(unsafe_code)]
        let load = |shuffle: &[u8; 32]| unsafe { _mm256_loadu_si256(shuffle.as_ptr().cast()) };
        for group in &self.groups {
            let offset = _mm256_set1_epi32(group.offset as i32);
            let index = match group.kind {
                Kind::Nibbles => {
                    // Even digits in the lower four bits of each byte, odd digits in the upper four.
                    let low = _mm256_shuffle_epi8(board16, load(&group.shuffles[0]));
                    let high = _mm256_shuffle_epi8(board16, load(&group.shuffles[1]));
                    let index = _mm256_or_si256(low, _mm256_slli_epi32::<4>(high));
                    // swap_bits
                    let t = _mm256_and_si256(
                        _mm256_xor_si256(index, _mm256_srli_epi32::<2>(index)),
                        _mm256_set1_epi32(0b1100),
                    );
                    _mm256_xor_si256(index, _mm256_xor_si256(t, _mm256_slli_epi32::<2>(t)))
                }
                Kind::Strides => {
                    let top = _mm256_set1_epi8(group.top() as i8);
                    let board = _mm256_min_epu8(board, top);
                    let mut index = _mm256_setzero_si256();
                    for digit in 0..group.cells.len() {
                        let rank = _mm256_shuffle_epi8(board, load(&group.shuffles[digit]));
                        let stride = _mm256_set1_epi32(group.adds[digit][1] as i32);
                        index = _mm256_add_epi32(index, _mm256_mullo_epi32(rank, stride));
                    }
                    index
                }
            };
            let index = _mm256_add_epi32(index, offset);
            if let Some(eight) = entries.get_mut(at..at + 8)
                && group.lanes == 8
            {
                // SAFETY: 32 writable bytes.
                #[allow(unsafe_code)]
                unsafe {
                    _mm256_storeu_si256(eight.as_mut_ptr().cast(), index);
                }
            } else {
                // SAFETY: as above.
                #[allow(unsafe_code)]
                unsafe {
                    _mm256_storeu_si256(lanes.as_mut_ptr().cast(), index);
                }
                entries[at..at + group.lanes].copy_from_slice(&lanes[..group.lanes]);
            }
            at += group.lanes;
        }
    }

    /// Where in table `table` the entry with this index of the definition lies.
    pub(super) fn place(&self, table: usize, index: usize) -> usize {
        if self.tables[table].swapped { swap_bits(index as u32) as usize } else { index }
    }
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
    fn swapping_bits_is_its_own_inverse() {
        for index in 0..1 << 12 {
            assert_eq!(swap_bits(swap_bits(index)), index);
        }
        assert_eq!(swap_bits(0b01_0000), 0b00_0100);
    }
}
