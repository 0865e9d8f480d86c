//! New tiles and their probabilities.

use thiserror::Error;

/// The tiles chance may add, each with its weight in whole numbers.
///
/// ```
/// use afterstate::game::twenty48::SpawnTable;
/// let table = SpawnTable::parse("2:.8,4:.2").unwrap();
/// assert_eq!(table.tiles(), [(1, 4), (2, 1)]);
/// assert_eq!(SpawnTable::default(), SpawnTable::parse("2:.9,4:.1").unwrap());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpawnTable {
    tiles: Vec<(u8, u64)>,
    total: u64,
}

/// Why a spawn table was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}; write tiles with their probabilities, like 2:.9,4:.1")]
pub struct SpawnError(String);

impl Default for SpawnTable {
    /// 2 with 9 in 10, 4 with 1 in 10.
    fn default() -> Self {
        Self::new(vec![(1, 9), (2, 1)]).expect("a valid table")
    }
}

impl SpawnTable {
    /// A table from ranks and weights; weights are reduced to lowest terms.
    pub fn new(mut tiles: Vec<(u8, u64)>) -> Result<Self, SpawnError> {
        tiles.retain(|&(_, weight)| weight > 0);
        tiles.sort_unstable();
        if tiles.is_empty() {
            return Err(SpawnError("a spawn table needs at least one tile".into()));
        }
        if tiles.iter().any(|&(rank, _)| rank == 0 || rank > 20) {
            return Err(SpawnError("a spawned tile must be a power of two from 2 to 2^20".into()));
        }
        if tiles.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(SpawnError("a tile is listed twice".into()));
        }
        let divisor = tiles.iter().fold(0, |a, &(_, weight)| gcd(a, weight));
        for (_, weight) in &mut tiles {
            *weight /= divisor;
        }
        let total = tiles.iter().map(|&(_, weight)| weight).sum();
        Ok(Self { tiles, total })
    }

    /// Reads `2:.9,4:.1`: tile labels with probabilities of up to nine decimals that add up to one.
    pub fn parse(text: &str) -> Result<Self, SpawnError> {
        const ONE: u64 = 1_000_000_000;
        let mut tiles = Vec::new();
        for part in text.split(',') {
            let wrong = || SpawnError(format!("'{part}' is not a tile with its probability"));
            let (label, probability) = part.trim().split_once(':').ok_or_else(wrong)?;
            let label: u64 = label.trim().parse().map_err(|_| wrong())?;
            if !label.is_power_of_two() || label < 2 {
                return Err(SpawnError(format!("{label} is not a tile")));
            }
            let probability: f64 = probability.trim().parse().map_err(|_| wrong())?;
            if !(0.0..=1.0).contains(&probability) {
                return Err(SpawnError(format!("'{part}' has no probability between 0 and 1")));
            }
            tiles.push((label.trailing_zeros().min(255) as u8, (probability * ONE as f64).round() as u64));
        }
        let sum: u64 = tiles.iter().map(|&(_, weight)| weight).sum();
        if sum.abs_diff(ONE) > tiles.len() as u64 {
            return Err(SpawnError(format!("the probabilities add up to {}", sum as f64 / ONE as f64)));
        }
        Self::new(tiles)
    }

    /// Ranks and weights, smallest rank first.
    #[inline]
    pub fn tiles(&self) -> &[(u8, u64)] {
        &self.tiles
    }

    /// The sum of all weights.
    #[inline]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The tile that owns way number `way` of [`SpawnTable::total`].
    #[inline]
    pub fn tile(&self, way: u64) -> (u8, u64) {
        // Counted rather than searched: which tile it is cannot be foreseen, how many there are can.
        let mut beyond = 0;
        let mut index = 0;
        for &(_, weight) in &self.tiles {
            beyond += weight;
            index += usize::from(way >= beyond);
        }
        self.tiles[index]
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_make_no_sense_are_refused() {
        for text in ["", "2", "2:x", "3:1", "2:.5,4:.4", "2:-1,4:2", "2:.5,2:.5", "1:1", "0:1", "2:nan"] {
            let error = SpawnTable::parse(text).unwrap_err().to_string();
            assert!(error.contains("2:.9,4:.1"), "{text}: {error}");
        }
    }

    #[test]
    fn three_tiles_work() {
        let table = SpawnTable::parse("2:.5, 4:.3, 8:.2").unwrap();
        assert_eq!(table.total(), 10);
        assert_eq!(table.tile(4), (1, 5));
        assert_eq!(table.tile(5), (2, 3));
        assert_eq!(table.tile(9), (3, 2));
    }
}
