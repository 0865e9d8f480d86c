//! The n-tuple network as a definition: no indices, no images made in advance, no vectors.
//!
//! A weight is found by what it stands for: its bank, its table, and the ranks (or counts) seen.

use afterstate::grid::{Shape, View};
use afterstate::network::feature::Feature;
use afterstate::network::{Network, Structure};
use std::collections::{HashMap, HashSet};

/// Key of a weight.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Key {
    pub(crate) bank: u8,
    /// Patterns first, then features.
    pub(crate) table: usize,
    /// Ranks, clamped to the alphabet, or counts; the first is the least significant.
    pub(crate) digits: Vec<u8>,
}

/// Structure and weights; a weight never set has the value `initial`.
pub(crate) struct NaiveNetwork {
    pub(crate) structure: Structure,
    pub(crate) initial: f32,
    weights: HashMap<Key, f32>,
}

impl NaiveNetwork {
    pub(crate) fn new(structure: Structure) -> Self {
        Self { structure, initial: 0.0, weights: HashMap::new() }
    }

    /// Keys of a position, one for each weight that its value sums.
    pub(crate) fn keys(&self, view: &View<'_>, bank: u8) -> Vec<Key> {
        let cells = self.shown(view.cells, self.structure.sets.stage(bank));
        let view = &View { cells: &cells, ..*view };
        let Structure { shape, patterns, features, shared, .. } = &self.structure;
        let mut keys = Vec::new();
        for (table, pattern) in patterns.iter().enumerate() {
            let mut read: Vec<Vec<u8>> = Vec::new();
            for turned in turned_boards(*shape) {
                // The cells the pattern lies on when the board is turned like this.
                let cells: Vec<u8> = pattern.cells().iter().map(|&cell| turned[usize::from(cell)]).collect();
                if !read.contains(&cells) && (*shared || read.is_empty()) {
                    read.push(cells);
                }
            }
            for cells in read {
                let clamp = |&cell: &u8| view.cells[usize::from(cell)].min(pattern.alphabet() - 1);
                keys.push(Key { bank, table, digits: cells.iter().map(clamp).collect() });
            }
        }
        for (i, &feature) in features.iter().enumerate() {
            let digits = counts(feature, *shape, view).into_iter().map(|(count, _)| count).collect();
            keys.push(Key { bank, table: patterns.len() + i, digits });
        }
        keys
    }

    /// The cells as a stage sees them: so many of the largest tiles are walls, other large tiles as
    /// if they had just become large.
    fn shown(&self, cells: &[u8], stage: u8) -> Vec<u8> {
        let Some(walls) = self.structure.walls else { return cells.to_vec() };
        let mut largest: Vec<usize> = (0..cells.len()).collect();
        largest.sort_by_key(|&at| (std::cmp::Reverse(cells[at]), at));
        largest.truncate((walls.apart + stage).into());
        let show = |(at, &rank): (usize, &u8)| match rank > walls.from && largest.contains(&at) {
            true => walls.from + 1,
            false => rank.min(walls.from),
        };
        cells.iter().enumerate().map(show).collect()
    }

    /// Its own, or while that is zero in a promoted stage, that of the stage before.
    pub(crate) fn weight(&self, key: &Key) -> f32 {
        let own = self.own_weight(key);
        let banks = self.structure.sets.count() as u8;
        if own == 0.0 && self.structure.stages.is_promoted(key.bank / banks) {
            return self.weight(&Key { bank: key.bank - banks, ..key.clone() });
        }
        own
    }

    fn own_weight(&self, key: &Key) -> f32 {
        *self.weights.get(key).unwrap_or(&self.initial)
    }

    pub(crate) fn set(&mut self, key: &Key, weight: f32) {
        self.weights.insert(key.clone(), weight);
    }

    /// V: the sum of the weights.
    ///
    /// Mirror images of a position are worth the same, and then the last bit of the sum decides
    /// which is played. So the order of addition belongs to the definition: four partial sums
    /// in turn, the last one to three weights to the first of them.
    pub(crate) fn value(&self, keys: &[Key]) -> f32 {
        let dealt = keys.len() / 4 * 4;
        let mut four = [0.0f32; 4];
        for (i, key) in keys.iter().enumerate() {
            four[if i < dealt { i % 4 } else { 0 }] += self.weight(key);
        }
        (four[0] + four[1]) + (four[2] + four[3])
    }

    /// Index = Σ digitᵢ · radixⁱ, the order of a table in files.
    pub(crate) fn index(&self, key: &Key) -> usize {
        let patterns = &self.structure.patterns;
        let radices: Vec<usize> = match patterns.get(key.table) {
            Some(pattern) => vec![pattern.alphabet().into(); key.digits.len()],
            None => {
                let feature = self.structure.features[key.table - patterns.len()];
                let view = View { cells: &[0; 64], hint: 0, bag: [0; 3] };
                counts(feature, self.structure.shape, &view).into_iter().map(|(_, radix)| radix).collect()
            }
        };
        let digits = key.digits.iter().zip(radices);
        digits.rev().fold(0, |index, (&digit, radix)| index * radix + usize::from(digit))
    }

    /// The first weight that differs by more than `tolerance` (relative above 1), in words.
    pub(crate) fn difference(&self, network: &Network, tolerance: f32) -> Option<String> {
        let tables: Vec<Vec<u32>> =
            (0..network.tables()).map(|t| network.table_entries(t).collect()).collect();
        let mut seen = HashSet::new();
        let mut keys: Vec<&Key> = self.weights.keys().collect();
        keys.sort();
        for key in keys {
            let entry = tables[key.table][self.index(key)];
            assert!(seen.insert((key.bank, entry)), "two meanings of one weight: {key:?}");
            let (ours, naive) = (network.bank(key.bank).get(entry), self.own_weight(key));
            if (ours - naive).abs() > tolerance * naive.abs().max(1.0) {
                return Some(format!("{key:?}: {ours} instead of {naive}"));
            }
        }
        for bank in 0..self.structure.banks() as u8 {
            for &entry in tables.iter().flatten().filter(|&&entry| !seen.contains(&(bank, entry))) {
                let weight = network.bank(bank).get(entry);
                if weight != self.initial {
                    return Some(format!("bank {bank} entry {entry}: {weight}, which nobody touched"));
                }
            }
        }
        None
    }
}

/// The board with its cells numbered, turned and mirrored in every way that keeps its shape.
fn turned_boards(shape: Shape) -> Vec<Vec<u8>> {
    let (rows, cols) = (shape.rows(), shape.cols());
    let mut boards = Vec::new();
    for transpose in [false, true] {
        for (upside_down, mirrored) in [(false, false), (false, true), (true, true), (true, false)] {
            if transpose && rows != cols {
                continue;
            }
            let mut board = Vec::new();
            for row in 0..rows {
                for col in 0..cols {
                    let row = if upside_down { rows - 1 - row } else { row };
                    let col = if mirrored { cols - 1 - col } else { col };
                    let cell = if transpose { col * cols + row } else { row * cols + col };
                    board.push(cell as u8);
                }
            }
            boards.push(board);
        }
    }
    boards
}

/// The counts of a feature, each with the number of values it can have.
fn counts(feature: Feature, shape: Shape, view: &View<'_>) -> Vec<(u8, usize)> {
    let cells = &view.cells[..shape.cells()];
    let count = |fits: &dyn Fn(u8) -> bool| cells.iter().filter(|&&rank| fits(rank)).count() as u8;
    match feature {
        Feature::LargeTiles { from } => (0..5u8)
            .map(|i| count(&|rank| if i < 4 { rank == from + i } else { rank >= from + 4 }))
            .map(|n| (n.min(7), 8))
            .collect(),
        Feature::EmptyCells => vec![(count(&|rank| rank == 0), 1)],
        Feature::DistinctTiles => {
            let distinct: HashSet<u8> = cells.iter().copied().filter(|&rank| rank > 0).collect();
            vec![(distinct.len() as u8, 1)]
        }
        Feature::MergeablePairs { threes: false } => {
            vec![(neighbours(shape, cells, |a, b| a == b), 1)]
        }
        Feature::MergeablePairs { threes: true } => {
            let merge = |a, b| [a, b] == [1, 2] || [a, b] == [2, 1] || (a == b && a != 1 && a != 2 && a < 14);
            vec![(neighbours(shape, cells, merge), 1)]
        }
        Feature::DoublePairs { threes: false } => {
            vec![(neighbours(shape, cells, |a, b| a == b + 1 || b == a + 1), 1)]
        }
        Feature::DoublePairs { threes: true } => {
            let tile = |rank: u8| if rank < 3 { u64::from(rank) } else { 3 << (rank - 3) };
            let doubles = |a, b| tile(a) == 2 * tile(b) || tile(b) == 2 * tile(a);
            vec![(neighbours(shape, cells, doubles), 1)]
        }
        Feature::Hint => vec![(view.hint.min(15), 16)],
        Feature::Bag => {
            let mut all = vec![(view.hint.min(15), 16)];
            all.extend(view.bag.map(|n| (n.min(4), 5)));
            all
        }
    }
}

/// Pairs of tiles at distance one that fit.
fn neighbours(shape: Shape, cells: &[u8], fits: impl Fn(u8, u8) -> bool) -> u8 {
    let place = |cell: usize| (cell / shape.cols(), cell % shape.cols());
    let mut count = 0;
    for a in 0..cells.len() {
        for b in 0..a {
            let ((ra, ca), (rb, cb)) = (place(a), place(b));
            let near = ra.abs_diff(rb) + ca.abs_diff(cb) == 1;
            count += u8::from(near && cells[a] > 0 && cells[b] > 0 && fits(cells[a], cells[b]));
        }
    }
    count
}
