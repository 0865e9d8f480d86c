//! Networks that were trained apart, each for so many walls, joined into one model.

use crate::metadata::{GAME, NOTE, TRAINED_GAMES};
use crate::model::Model;
use afterstate::budget::OutOfMemory;
use afterstate::network::memory::Memory;
use afterstate::network::pattern::Pattern;
use afterstate::network::stage::{MAX_STAGES, Rule, Stages};
use afterstate::network::{Network, Sets, Structure};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
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
    /// There is no memory for the joined model.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// A tuple of as many ranks is too large.
    #[error("with as many ranks as the other models have, {0}")]
    Pattern(String),
}

/// Joins models in the order of their walls: the first judges boards with at most one large tile,
/// the next those with two, and so on.
///
/// The joined network has the tuples of all of them, and as many ranks as the one with most. A tuple
/// that a model does not have gets zeros. Coherence sums are joined too where all models have them:
/// packing asks them which weights matter.
pub fn join(models: &[Model]) -> Result<Model, JoinError> {
    let structure = joined(models)?;
    let network = Network::try_lazy(structure)?;
    let learned = models.iter().all(|model| !model.sums.is_empty());
    let mut sums: Vec<Memory<AtomicU64>> = Vec::new();
    for (bank, model) in models.iter().enumerate() {
        let (from, to) = (model.network.bank(0), network.bank(bank as u8));
        to.reserve(4 * to.len() as u64)?;
        // Zeros are there already; writing them would take memory.
        each_place(model, &network, |own, place| match from.get(own) {
            0.0 => {}
            weight => to.set(place, weight),
        });
        if learned {
            let (from, to) = (&model.sums[0], Memory::<AtomicU64>::try_lazy(network.bank_len())?);
            to.reserve(8 * to.len() as u64)?;
            each_place(model, &network, |own, place| match from.get_pair(own) {
                [0.0, 0.0] => {}
                pair => to.set_pair(place, pair),
            });
            sums.push(to);
        }
    }
    Ok(Model { metadata: metadata(models), network, sums, visits: Vec::new() })
}

/// Every entry of a model, and where it stands in the joined network.
fn each_place(model: &Model, joined: &Network, mut visit: impl FnMut(u32, u32)) {
    for (table, pattern) in joined.structure().patterns.iter().enumerate() {
        let own = &model.network.structure().patterns;
        let Some(own_table) = own.iter().position(|own| own.cells() == pattern.cells()) else { continue };
        let (few, many) = (usize::from(own[own_table].alphabet()), usize::from(pattern.alphabet()));
        let places: Vec<u32> = joined.table_entries(table).collect();
        for (index, entry) in model.network.table_entries(own_table).enumerate() {
            // The same digits, in a number system of as many or more ranks.
            let (mut left, mut unit, mut found) = (index, 1, 0);
            while left > 0 {
                found += unit * (left % few);
                left /= few;
                unit *= many;
            }
            visit(entry, places[found]);
        }
    }
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
            () if structure.walls.is_none() => "shows no walls (`network.walls` in its recipe)",
            () if structure.walls.map(|walls| walls.from) != first.walls.map(|walls| walls.from) => {
                "has walls from another tile on"
            }
            () if structure.walls.is_some_and(|walls| usize::from(walls.apart) != number - 1) => {
                "is for another number of walls; join models in their order, the first with walls = 0"
            }
            () => continue,
        };
        return Err(JoinError::Kind { number, what });
    }
    let all = || models.iter().flat_map(|model| &model.network.structure().patterns);
    let most = all().map(Pattern::alphabet).max().unwrap_or(2);
    let mut patterns: Vec<Pattern> = Vec::new();
    for pattern in all() {
        if !patterns.iter().any(|known| known.cells() == pattern.cells()) {
            let wide = Pattern::new(pattern.cells(), most).map_err(|e| JoinError::Pattern(e.to_string()))?;
            patterns.push(wide);
        }
    }
    let from = first.walls.map_or(0, |walls| walls.from);
    let stages = Stages::by(Rule::Walls { from, stages: models.len() as u8 });
    Ok(Structure { patterns, stages, ..first.clone() })
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
    use afterstate::network::walls::Walls;
    use afterstate::random::Random;

    /// A model that sees `apart` walls, large tiles from rank 4 on.
    fn model(patterns: &str, apart: u8, seed: u64) -> Model {
        let walls = Walls { from: 4, apart };
        let tuples = Structure::tuples(Shape::FOUR, patterns, walls.alphabet(1)).unwrap();
        let network = Network::new(Structure { walls: Some(walls), ..tuples });
        let mut random = Random::new(seed);
        for table in 0..network.tables() {
            for entry in network.table_entries(table) {
                network.bank(0).set(entry, random.below(1000) as f32);
            }
        }
        let sums = Memory::new(network.bank_len());
        for entry in 0..network.bank_len() as u32 {
            sums.set_pair(entry, [1.0, network.bank(0).get(entry) + 1.0]);
        }
        let metadata =
            BTreeMap::from([(GAME.to_string(), "2048".to_string()), (TRAINED_GAMES.into(), "5".into())]);
        Model { network, metadata, sums: vec![sums], visits: Vec::new() }
    }

    fn value(network: &Network, cells: &[u8; 16], bank: u8) -> f32 {
        let mut active = Active::default();
        network.activate(&View { cells, hint: 0, bag: [0; 3] }, bank, &mut active);
        network.sum(&active)
    }

    #[test]
    fn each_stage_says_what_its_model_said() {
        let models = [model("0123 0145", 0, 1), model("0145 0124", 1, 2), model("0123", 2, 3)];
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
        // Sums stand beside their weights, and are there only if all models have them.
        for (bank, sums) in joined.sums.iter().enumerate() {
            let weights = joined.network.bank(bank as u8);
            for entry in (0..weights.len() as u32).filter(|&entry| weights.get(entry) != 0.0) {
                assert_eq!(sums.get_pair(entry), [1.0, weights.get(entry) + 1.0]);
            }
        }
        assert_eq!(joined.sums.len(), 3);
        let bare = Model { sums: Vec::new(), ..model("0145 0124", 1, 2) };
        assert!(join(&[model("0123 0145", 0, 1), bare]).unwrap().sums.is_empty());
    }

    #[test]
    fn what_cannot_be_joined_is_refused() {
        let refused = |models: &[Model]| join(models).unwrap_err().to_string();
        let one = || model("0123", 0, 1);
        assert_eq!(join(&[one()]).unwrap_err(), JoinError::Number(1));
        let mut other = model("0123", 1, 1);
        other.metadata.insert(GAME.into(), "threes".into());
        let error = join(&[one(), other]).unwrap_err();
        assert_eq!(error, JoinError::Kind { number: 2, what: "plays another game" });
        assert!(refused(&[one(), one()]).starts_with("model 2 is for another number of walls"));
        let changed = |structure| [one(), Model { network: Network::new(structure), ..one() }];
        let plain = one().network.structure().clone();
        let stages = Stages::new(vec![vec![3]]);
        let error = refused(&changed(Structure { stages, ..plain.clone() }));
        assert!(error.starts_with("model 2 has several stages"), "{error}");
        let error = refused(&changed(Structure { walls: None, ..plain.clone() }));
        assert!(error.starts_with("model 2 shows no walls"), "{error}");
        let walls = Some(Walls { from: 3, apart: 1 });
        let error = refused(&changed(Structure { walls, ..plain }));
        assert!(error.starts_with("model 2 has walls from another tile on"), "{error}");
    }
}
