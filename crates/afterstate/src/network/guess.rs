//! Guesses for weights that were never met.
//!
//! A weight at zero is no neutral guess: beside others of a thousand points each it says that a
//! position is bad, so the position is avoided and nothing is ever learned about it. Tiles one rank
//! larger or smaller tell more.

use super::Network;

impl Network {
    /// Gives every weight of a pattern that is zero the mean of its neighbours that are not, where
    /// there are at least two.
    ///
    /// Neighbours differ by one rank in one cell; an empty cell is nobody's neighbour. The weights
    /// as they were before count, so the order does not matter.
    pub fn guess_unmet(&self) {
        for (table, pattern) in self.structure().patterns.iter().enumerate() {
            let (alphabet, places) = (usize::from(pattern.alphabet()), self.table_entries(table));
            let places: Vec<u32> = places.collect();
            for bank in &self.banks {
                let before: Vec<f32> = places.iter().map(|&place| bank.get(place)).collect();
                for (index, &place) in places.iter().enumerate().filter(|&(index, _)| before[index] == 0.0) {
                    if let Some(guess) = mean_of_neighbours(&before, index, alphabet) {
                        bank.set(place, guess);
                    }
                }
            }
        }
    }
}

/// The mean of the neighbours of a weight that are not zero; `None` with fewer than two.
fn mean_of_neighbours(weights: &[f32], index: usize, alphabet: usize) -> Option<f32> {
    let (mut sum, mut count) = (0.0, 0.0);
    let mut add = |weight: f32| {
        sum += weight;
        count += if weight == 0.0 { 0.0 } else { 1.0 };
    };
    let mut stride = 1; // what one rank more in this cell adds to the index
    while stride < weights.len() {
        let rank = index / stride % alphabet;
        if rank > 1 {
            add(weights[index - stride]);
        }
        if rank > 0 && rank + 1 < alphabet {
            add(weights[index + stride]);
        }
        stride *= alphabet;
    }
    (count > 1.0).then(|| sum / count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Shape;
    use crate::network::{Structure, pattern::Pattern, stage::Stages};
    use crate::random::Random;

    /// The ranks that an index stands for.
    fn ranks(index: usize, pattern: &Pattern) -> Vec<usize> {
        let alphabet = usize::from(pattern.alphabet());
        (0..pattern.cells().len() as u32).map(|cell| index / alphabet.pow(cell) % alphabet).collect()
    }

    #[test]
    fn unmet_weights_become_the_mean_of_what_is_one_rank_away() {
        for (patterns, alphabet) in [("012 01", 4), ("0145", 16)] {
            let stages = Stages::new(vec![vec![3]]);
            let structure =
                Structure { stages, ..Structure::tuples(Shape::FOUR, patterns, alphabet).unwrap() };
            let network = Network::new(structure.clone());
            let mut random = Random::new(5);
            for bank in 0..2 {
                (0..network.bank_len() as u32)
                    .filter(|_| random.below(3) == 0)
                    .for_each(|entry| network.bank(bank).set(entry, 1.0 + entry as f32));
            }
            let weights = |network: &Network, bank, table| -> Vec<f32> {
                network.table_entries(table).map(|entry| network.bank(bank).get(entry)).collect()
            };
            let all = (0..2).flat_map(|bank| (0..structure.patterns.len()).map(move |table| (bank, table)));
            let before: Vec<_> = all.clone().map(|(bank, table)| weights(&network, bank, table)).collect();
            network.guess_unmet();
            let mut guessed = 0;
            for ((bank, table), old) in all.zip(before) {
                let pattern = &structure.patterns[table];
                for (index, new) in weights(&network, bank, table).into_iter().enumerate() {
                    let own = ranks(index, pattern);
                    let near = (0..old.len()).filter(|&other| {
                        let other = ranks(other, pattern);
                        let apart: Vec<_> = own.iter().zip(&other).filter(|(a, b)| a != b).collect();
                        matches!(apart[..], [(&a, &b)] if a.abs_diff(b) == 1 && a.min(b) > 0)
                    });
                    // Only a few of the large table: the definition compares everything with
                    // everything.
                    if old[index] != 0.0 || index % 997 > 0 && old.len() > 1000 {
                        assert!(old[index] == 0.0 || new == old[index]);
                        continue;
                    }
                    let known: Vec<f32> =
                        near.map(|other| old[other]).filter(|&weight| weight != 0.0).collect();
                    let mean =
                        if known.len() < 2 { 0.0 } else { known.iter().sum::<f32>() / known.len() as f32 };
                    assert!((new - mean).abs() <= 1e-5 * mean, "{own:?}: {new} {mean}");
                    guessed += usize::from(new != 0.0);
                }
            }
            assert!(guessed > 20);
        }
    }
}
