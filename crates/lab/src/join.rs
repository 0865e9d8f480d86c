//! Networks that were trained apart, each for so many walls, joined into one model.

use crate::metadata::{GAME, NOTE, TRAINED_GAMES};
use crate::model::Model;
use afterstate::network::memory::Memory;
use afterstate::network::pattern::Pattern;
use afterstate::network::stage::{MAX_STAGES, Rule, Stages};
use afterstate::network::{Network, Sets, Structure};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicU32;
use thiserror::Error;

/// Why models cannot be joined.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum JoinError {
    /// Fewer than two, or more than stages there may be.
    #[error("2 to {MAX_STAGES} models can be joined, not {0}")]
    Number(usize),
    /// One of them is of another kind.
    #[error(
        "model {number} {what}; join networks of one stage, of one game, without other features than tuples"
    )]
    Kind {
        /// Its number, from 1 on.
        number: usize,
        /// Its description.
        what: &'static str,
    },
    /// A tuple of as many ranks is too large.
    #[error("with as many ranks as the other models have, {0}")]
    Pattern(String),
}

/// Joins models in the order of their walls: the first judges boards with at most one, the next
/// those with two, and so on.
///
/// The joined network has the tuples of all of them, and as many ranks as the one with most. What a
/// model does not tell apart gets equal weights, a tuple it does not have zeros. A tile is a wall
/// from the last rank of the smallest alphabet on.
pub fn join(models: &[Model]) -> Result<Model, JoinError> {
    let structure = joined(models)?;
    let network = Network::lazy(structure);
    for (bank, model) in models.iter().enumerate() {
        let (from, to) = (model.network.bank(0), network.bank(bank as u8));
        for (table, pattern) in network.structure().patterns.iter().enumerate() {
            let own = &model.network.structure().patterns;
            if let Some(own_table) = own.iter().position(|own| own.cells() == pattern.cells()) {
                copy(&model.network, own_table, from, &network, table, to);
            }
        }
    }
    Ok(Model { metadata: metadata(models), network, sums: Vec::new(), visits: Vec::new() })
}

fn joined(models: &[Model]) -> Result<Structure, JoinError> {
    if !(2..=MAX_STAGES).contains(&models.len()) {
        return Err(JoinError::Number(models.len()));
    }
    let first = models[0].network.structure();
    for (number, model) in (1..).zip(models) {
        let structure = model.network.structure();
        let what = match () {
            () if structure.stages.count() > 1 => "has several stages",
            () if structure.sets != Sets::One => "has several sets of weights",
            () if !structure.features.is_empty() => "has other features",
            () if structure.patterns.is_empty() => "has no tuples",
            () if (structure.shape, structure.shared) != (first.shape, first.shared) => {
                "is for another board"
            }
            () if model.metadata.get(GAME) != models[0].metadata.get(GAME) => "plays another game",
            () => continue,
        };
        return Err(JoinError::Kind { number, what });
    }
    let all = || models.iter().flat_map(|model| &model.network.structure().patterns);
    let most = all().map(Pattern::alphabet).max().unwrap_or(2);
    let least = all().map(Pattern::alphabet).min().unwrap_or(2);
    let mut patterns: Vec<Pattern> = Vec::new();
    for pattern in all() {
        if !patterns.iter().any(|known| known.cells() == pattern.cells()) {
            let wide = Pattern::new(pattern.cells(), most).map_err(|e| JoinError::Pattern(e.to_string()))?;
            patterns.push(wide);
        }
    }
    let stages = Stages::by(Rule::Walls { from: least - 1, stages: models.len() as u8 });
    Ok(Structure { patterns, stages, walls: true, ..first.clone() })
}

/// Copies a table into one of as many or more ranks: a larger rank gets what the largest of the
/// smaller table has.
fn copy(
    small: &Network,
    small_table: usize,
    from: &Memory<AtomicU32>,
    large: &Network,
    large_table: usize,
    to: &Memory<AtomicU32>,
) {
    let ranks = |network: &Network, table: usize| usize::from(network.structure().patterns[table].alphabet());
    let (few, many) = (ranks(small, small_table), ranks(large, large_table));
    let entries: Vec<u32> = small.table_entries(small_table).collect();
    for (index, entry) in large.table_entries(large_table).enumerate() {
        let (mut left, mut unit, mut found) = (index, 1, 0);
        while left > 0 {
            found += unit * (left % many).min(few - 1);
            left /= many;
            unit *= few;
        }
        let weight = from.get(entries[found]);
        // Zeros are there already; writing them would take memory.
        if weight.to_bits() != 0 {
            to.set(entry, weight);
        }
    }
}

fn metadata(models: &[Model]) -> BTreeMap<String, String> {
    let mut metadata = BTreeMap::new();
    if let Some(game) = models[0].metadata.get(GAME) {
        metadata.insert(GAME.into(), game.clone());
    }
    let games = |model: &Model| model.metadata.get(TRAINED_GAMES)?.parse::<u64>().ok();
    metadata.insert(TRAINED_GAMES.into(), models.iter().filter_map(games).sum::<u64>().to_string());
    metadata.insert(NOTE.into(), format!("joined from {} models, each for so many walls", models.len()));
    metadata
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate::grid::{Shape, View};
    use afterstate::network::Active;
    use afterstate::random::Random;

    fn model(patterns: &str, alphabet: u8, seed: u64) -> Model {
        let network = Network::new(Structure::tuples(Shape::FOUR, patterns, alphabet).unwrap());
        let mut random = Random::new(seed);
        for table in 0..network.tables() {
            for entry in network.table_entries(table) {
                network.bank(0).set(entry, random.below(1000) as f32);
            }
        }
        let metadata =
            BTreeMap::from([(GAME.to_string(), "2048".to_string()), (TRAINED_GAMES.into(), "5".into())]);
        Model { network, metadata, sums: Vec::new(), visits: Vec::new() }
    }

    fn value(network: &Network, cells: &[u8; 16], bank: u8) -> f32 {
        let mut active = Active::default();
        network.activate(&View { cells, hint: 0, bag: [0; 3] }, bank, &mut active);
        network.sum(&active)
    }

    #[test]
    fn each_stage_says_what_its_model_said() {
        let models = [model("0123 0145", 5, 1), model("0145 0124", 7, 2), model("0123", 6, 3)];
        let joined = join(&models).unwrap();
        let stages = &joined.network.structure().stages;
        assert_eq!(*stages.rule(), Rule::Walls { from: 4, stages: 3 });
        assert_eq!(joined.metadata[TRAINED_GAMES], "15");
        assert_eq!(joined.network.structure().patterns.len(), 3);
        let mut random = Random::new(9);
        for _ in 0..2000 {
            let cells: [u8; 16] = std::array::from_fn(|_| random.below(10) as u8);
            for (bank, model) in models.iter().enumerate() {
                assert_eq!(value(&joined.network, &cells, bank as u8), value(&model.network, &cells, 0));
            }
        }
    }

    #[test]
    fn what_cannot_be_joined_is_refused() {
        let one = || model("0123", 5, 1);
        assert_eq!(join(&[one()]).unwrap_err(), JoinError::Number(1));
        let mut other = one();
        other.metadata.insert(GAME.into(), "threes".into());
        let error = join(&[one(), other]).unwrap_err();
        assert_eq!(error, JoinError::Kind { number: 2, what: "plays another game" });
        let stages = Stages::new(vec![vec![3]]);
        let structure = Structure { stages, ..one().network.structure().clone() };
        let staged = Model { network: Network::new(structure), ..one() };
        assert!(join(&[one(), staged]).unwrap_err().to_string().starts_with("model 2 has several stages"));
    }
}
