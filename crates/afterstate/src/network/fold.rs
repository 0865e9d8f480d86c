//! Redundant tuples, folded into the larger ones that contain them.
//!
//! Small tuples beside large ones that contain them add nothing a network could not express,
//! but they learn faster, because each of their weights is met more often (redundant encoding).
//! For play they are a waste: a small tuple's weight can be added to every weight of the large
//! table whose digits agree. Values stay what they were, and fewer weights are summed.

use super::{Network, Structure};
use crate::budget::OutOfMemory;
use crate::network::pattern::Pattern;

/// A small pattern and where its digits are found in a large one.
struct Fold {
    small: usize,
    large: usize,
    /// For each digit of the small pattern, the digit of the large one that shows the same cell.
    digits: Vec<usize>,
    /// Multiplicity of a small weight in a large one: images of the small pattern per image of the
    /// large one.
    share: f32,
}

impl Network {
    /// Folds the network into fewer weights with the same values: every tuple whose cells lie
    /// within those of a larger tuple is added to it.
    ///
    /// ```
    /// use afterstate::grid::Shape;
    /// use afterstate::network::{Network, Structure};
    /// let network = Network::new(Structure::tuples(Shape::FOUR, "01245 0123 012 014", 12).unwrap());
    /// assert_eq!(network.active(), 32);
    /// // 0123 is no part of 01245, but 012 is part of it, and so is 014, which is 012 on its side.
    /// assert_eq!(network.folded()?.active(), 16);
    /// # Ok::<(), afterstate::budget::OutOfMemory>(())
    /// ```
    pub fn folded(self) -> Result<Self, OutOfMemory> {
        let folds = folds(self.structure());
        // Where a zero means that the stage before is read, nothing can be added to it.
        let promoted = (0..self.structure().banks() as u8).any(|bank| self.reads_through(bank));
        if folds.is_empty() || promoted {
            return Ok(self);
        }
        let old = self.structure();
        let gone = |table: usize| folds.iter().any(|fold| fold.small == table);
        let kept: Vec<usize> = (0..self.tables()).filter(|&table| !gone(table)).collect();
        let patterns = kept.iter().filter_map(|&table| old.patterns.get(table).cloned()).collect();
        let new = Self::try_new(Structure { patterns, ..old.clone() })?;
        for bank in 0..old.banks() as u8 {
            let (from, to) = (self.bank(bank), new.bank(bank));
            for (new_table, &table) in kept.iter().enumerate() {
                let parts: Vec<(&Fold, Vec<u32>)> = folds
                    .iter()
                    .filter(|fold| fold.large == table)
                    .map(|fold| (fold, self.table_entries(fold.small).collect()))
                    .collect();
                let entries = self.table_entries(table).zip(new.table_entries(new_table));
                for (index, (old_entry, new_entry)) in entries.enumerate() {
                    let mut weight = from.get(old_entry);
                    for (fold, small) in &parts {
                        let part = fold.index(&old.patterns[table], &old.patterns[fold.small], index);
                        weight += fold.share * from.get(small[part]);
                    }
                    to.set(new_entry, weight);
                }
            }
        }
        Ok(new)
    }
}

impl Fold {
    /// The index of the small pattern on a board that shows this index of the large one.
    fn index(&self, large: &Pattern, small: &Pattern, index: usize) -> usize {
        let base = usize::from(large.alphabet());
        let rank =
            |digit: usize| (index / base.pow(digit as u32) % base).min(usize::from(small.alphabet()) - 1);
        self.digits.iter().rev().fold(0, |sum, &digit| sum * usize::from(small.alphabet()) + rank(digit))
    }
}

/// Pairs of patterns to fold, the smaller into the larger. A pattern that others are folded into is
/// not folded itself.
fn folds(structure: &Structure) -> Vec<Fold> {
    let patterns = &structure.patterns;
    let images = |pattern: &Pattern| {
        if structure.shared { pattern.images(structure.shape) } else { vec![pattern.cells().to_vec()] }
    };
    let mut by_size: Vec<usize> = (0..patterns.len()).collect();
    by_size.sort_by_key(|&table| std::cmp::Reverse(patterns[table].cells().len()));
    let mut kept: Vec<usize> = Vec::new();
    let mut folds = Vec::new();
    for small in by_size {
        let places = images(&patterns[small]);
        // Ranks the large table does not tell apart, the small one must not tell apart either.
        let within = |&&large: &&usize| patterns[small].alphabet() <= patterns[large].alphabet();
        let found = kept.iter().filter(within).find_map(|&large| {
            let cells = patterns[large].cells();
            let digit = |cell: &u8| cells.iter().position(|c| c == cell);
            let digits =
                places.iter().find_map(|place| place.iter().map(digit).collect::<Option<Vec<_>>>())?;
            let share = places.len() as f32 / images(&patterns[large]).len() as f32;
            Some(Fold { small, large, digits, share })
        });
        match found {
            Some(fold) => folds.push(fold),
            None => kept.push(small),
        }
    }
    folds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Shape, View};
    use crate::network::Active;
    use crate::network::feature::Feature;
    use crate::network::pattern::parse_patterns;
    use crate::random::Random;

    #[test]
    fn values_stay_what_they_were_with_fewer_entries() {
        let cases = [
            (Shape::FOUR, "4x5 0123 012 5", true, 16, 14, 32),
            (Shape::FOUR, "01245 0145 3", true, 10, 10, 8),
            (Shape::FOUR, "012456 124 456 0123", false, 12, 9, 2),
            (Shape::new(2, 3).unwrap(), "012345 0134 01", true, 11, 11, 4),
            (Shape::new(3, 3).unwrap(), "012345 01 345", true, 11, 10, 8),
        ];
        let mut random = Random::new(7);
        for (shape, text, shared, alphabet, small_alphabet, expected) in cases {
            let mut patterns = Vec::new();
            for part in text.split(' ') {
                let all = parse_patterns(part, shape, alphabet).unwrap();
                for pattern in all {
                    let ranks = if pattern.cells().len() > 4 { alphabet } else { small_alphabet };
                    patterns.push(Pattern::new(pattern.cells(), ranks).unwrap());
                }
            }
            let tuples = Structure::tuples(shape, "01", 2).unwrap();
            let features = vec![Feature::EmptyCells];
            let network = Network::new(Structure { patterns, features, shared, ..tuples });
            let bank = network.bank(0);
            (0..network.bank_len() as u32).for_each(|entry| bank.set(entry, random.unit() as f32 - 0.5));
            let boards: Vec<Vec<u8>> = (0..500)
                .map(|_| {
                    (0..16).map(|i| if i < shape.cells() { random.below(18) as u8 } else { 0 }).collect()
                })
                .collect();
            let value = |network: &Network, cells: &Vec<u8>| {
                let mut active = Active::default();
                network.activate(&View { cells, hint: 0, bag: [0; 3] }, 0, &mut active);
                network.sum(&active)
            };
            let before: Vec<f32> = boards.iter().map(|cells| value(&network, cells)).collect();
            let folded = network.folded().unwrap();
            assert_eq!(folded.active(), expected + 1, "{text}");
            for (cells, before) in boards.iter().zip(before) {
                let after = value(&folded, cells);
                assert!((after - before).abs() < 1e-4, "{text} on {cells:?}: {before} became {after}");
            }
        }
    }

    #[test]
    fn a_network_without_redundant_tuples_is_left_alone() {
        let network = Network::new(Structure::tuples(Shape::FOUR, "4x5", 8).unwrap());
        assert_eq!(network.folded().unwrap().active(), 32);
    }

    #[test]
    fn a_small_tuple_that_tells_more_ranks_apart_stays() {
        let mut patterns = parse_patterns("01245", Shape::FOUR, 8).unwrap();
        patterns.extend(parse_patterns("012", Shape::FOUR, 12).unwrap());
        let tuples = Structure::tuples(Shape::FOUR, "01", 2).unwrap();
        assert_eq!(Network::new(Structure { patterns, ..tuples }).folded().unwrap().active(), 16);
    }
}
