//! A model in memory, from which engines of several games and variants are made: the file is read
//! once, the weights are there once.

use super::{Engine, EngineError, EngineOptions};
use crate::builtin::{self, PlayWeights, WeakWeights};
use crate::compat::{self, Adaptation};
use crate::model::{self, Model};
use crate::model_source::ModelSource;
use crate::variant::{ConfiguredGame, Variant};
use afterstate::game::catalogue::GameSpec;
use afterstate::learn::greedy::ValueKind;
use afterstate::network::Favour;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A model ready to play.
pub struct LoadedModel {
    own: GameSpec,
    variant: Variant,
    value_kind: ValueKind,
    weights: PlayWeights,
    /// Weights turned on their side, or scaled, for relatives of its game, while they are in use.
    adapted: Mutex<Vec<(GameSpec, WeakWeights)>>,
}

impl LoadedModel {
    /// The model of this name: a file is read, a built-in model shared with all who play it.
    pub fn load(name: &Path) -> Result<Self, EngineError> {
        let game = match ModelSource::find(name)? {
            ModelSource::File(path) => return Self::of(model::load(&path)?),
            ModelSource::BuiltIn(game) => game.unwrap_or_else(|| builtin::games().swap_remove(0)),
        };
        let found =
            builtin::in_use(&game, Favour::Memory).ok_or_else(|| EngineError::NoBuiltin(game.name()))??;
        let (value_kind, weights) = (found.value_kind, found.weights);
        let adapted = Mutex::default();
        Ok(Self { own: game, variant: Variant::default(), value_kind, weights, adapted })
    }

    /// Takes a model that is in memory; what learning keeps beside its weights is dropped.
    pub fn of(model: Model) -> Result<Self, EngineError> {
        let (own, variant) = (compat::own_game(&model), compat::own_variant(&model.metadata));
        let value_kind = model::value_kind(&model.metadata);
        let weights = PlayWeights::of(model.network.folded()?, value_kind)?;
        Ok(Self { own, variant, value_kind, weights, adapted: Mutex::default() })
    }

    /// Reads a model of our own format, as small in memory as it can be.
    pub fn read(bytes: &[u8]) -> Result<Self, EngineError> {
        let (weights, metadata) = PlayWeights::read(bytes, Favour::Memory)?;
        let own = compat::told_game(&metadata, weights.structure().shape);
        let (variant, value_kind) = (compat::own_variant(&metadata), model::value_kind(&metadata));
        Ok(Self { own, variant, value_kind, weights, adapted: Mutex::default() })
    }

    /// The game it was made for.
    pub fn own(&self) -> &GameSpec {
        &self.own
    }

    /// Bytes of memory that its weights take.
    pub fn memory(&self) -> u64 {
        self.weights.memory()
    }

    /// A number that tells its weights from others'.
    pub fn fingerprint(&self) -> String {
        self.weights.fingerprint()
    }

    /// An engine of the game that the options name, or of its own, for hints and play.
    pub fn engine(&self, options: &EngineOptions) -> Result<Engine, EngineError> {
        let game = match &options.game {
            Some(game) => game.clone(),
            None => ConfiguredGame::new(self.own.clone(), options.variant.or(&self.variant))?,
        };
        let learned = ConfiguredGame::new(self.own.clone(), self.variant.clone())?;
        let other_rules = compat::other_rules(&learned, &game);
        let engine = Engine::with_tables(self.weights(&game.spec)?, self.value_kind, game, options)?;
        let engine = Engine { other_rules, ..engine };
        engine.tuned(options.tuning.clone())?.with_table_of(options)?.for_analysis(options)
    }

    /// The weights that play a game.
    fn weights(&self, wanted: &GameSpec) -> Result<PlayWeights, EngineError> {
        let plain = GameSpec::new(wanted.family, wanted.shape);
        let adaptation = Adaptation::between(&self.own, &plain)?;
        if adaptation.is_none() {
            return Ok(self.weights.clone());
        }
        let mut adapted = self.adapted.lock().unwrap_or_else(PoisonError::into_inner);
        adapted.retain(|(_, weights)| weights.upgrade().is_some());
        let known = adapted.iter().find(|(game, _)| *game == plain);
        if let Some(weights) = known.and_then(|(_, weights)| weights.upgrade()) {
            return Ok(weights);
        }
        let weights = self.weights.adapted(adaptation)?;
        adapted.push((plain, weights.downgrade()));
        Ok(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate::grid::Shape;
    use afterstate::network::{Network, Structure};
    use std::collections::BTreeMap;
    use std::sync::Arc;

    fn game(name: &str, variant: Variant) -> EngineOptions {
        EngineOptions {
            game: Some(ConfiguredGame::parse(name, variant).unwrap()),
            ..EngineOptions::default()
        }
    }

    #[test]
    fn variants_share_the_weights_and_relatives_theirs() {
        let network = Network::new(Structure::tuples(Shape::FOUR, "0123", 12).unwrap());
        network.bank(0).set(7, 3.0);
        let metadata = BTreeMap::from([(model::GAME.to_owned(), "2048".to_owned())]);
        let model = Model { network, metadata, sums: Vec::new(), visits: Vec::new() };
        let loaded = LoadedModel::of(model).unwrap();
        let PlayWeights::Whole(weights) = &loaded.weights else { panic!("not quantised") };
        let holders = || Arc::strong_count(weights);
        let before = holders();
        let engines: Vec<Engine> = (1..=6)
            .map(|tiles| Variant { start_tiles: Some(tiles), ..Variant::default() })
            .map(|variant| loaded.engine(&game("2048", variant)).unwrap())
            .collect();
        assert_eq!(holders(), before + engines.len());
        let [half, other] = [1, 2].map(|_| loaded.weights(&GameSpec::parse("1024").unwrap()).unwrap());
        let (PlayWeights::Whole(half), PlayWeights::Whole(other)) = (half, other) else { panic!() };
        assert!(Arc::ptr_eq(&half, &other) && !Arc::ptr_eq(&half, weights));
        assert_eq!((half.bank(0).get(7), weights.bank(0).get(7)), (1.5, 3.0));
        assert!(loaded.engine(&game("threes", Variant::default())).is_err());
    }
}
