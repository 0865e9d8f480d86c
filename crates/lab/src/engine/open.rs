//! From options to an engine.

use super::{Engine, EngineError, Judging, PlayerName, SearchBudget, Tuning};
use crate::builtin::{self, PlayWeights};
use crate::model::{self, Model};
use crate::variant::{ConfiguredGame, Variant};
use crate::{compat, endgames};
use afterstate::learn::greedy::ValueKind;
use std::path::PathBuf;

/// Options of an engine, as front ends collect them.
#[derive(Clone, Default)]
pub struct EngineOptions {
    /// The player; by default the model given, else the built-in model of the game.
    pub player: Option<PlayerName>,
    /// The file of the model.
    pub model: Option<PathBuf>,
    /// The game; by default the model's, else 2048.
    pub game: Option<ConfiguredGame>,
    /// Options of the default game, where `game` is not given.
    pub variant: Variant,
    /// The budget of one search; by default the player's usual depth.
    pub budget: Option<SearchBudget<'static>>,
    /// Further limits of searches.
    pub tuning: Tuning,
    /// The stage that judges leaves; by default the model says it.
    pub judging: Option<Judging>,
    /// A directory of endgame tables to follow.
    pub endgames: Option<PathBuf>,
    /// Bytes of the transposition table where the tuning names none; by default what the budget
    /// needs.
    pub table_bytes: Option<usize>,
}

impl EngineOptions {
    fn game_or_2048(&self) -> Result<ConfiguredGame, EngineError> {
        match &self.game {
            Some(game) => Ok(game.clone()),
            None => Ok(ConfiguredGame::parse("2048", self.variant.clone())?),
        }
    }
}

impl Engine {
    /// Opens the model or player that the options name.
    pub fn open(options: &EngineOptions) -> Result<Self, EngineError> {
        let named = options.player.filter(|&player| player != PlayerName::Model);
        let engine = match (&options.model, named) {
            (Some(_), Some(player)) => return Err(EngineError::NeedsNoModel(player)),
            (None, Some(player)) if options.endgames.is_some() => {
                return Err(EngineError::NeedsNoEndgames(player));
            }
            (None, Some(player)) if options.judging.is_some() => {
                return Err(EngineError::NoStages(player));
            }
            (None, Some(player)) => Self::of_player(player, options.game_or_2048()?, options.budget)?,
            (Some(path), None) => {
                Self { model: Some(path.clone()), ..Self::of_model(model::load(path)?, options)? }
            }
            (None, None) => {
                let game = options.game_or_2048()?;
                let found = builtin::in_use(&game.spec);
                let found = found.ok_or_else(|| EngineError::NoBuiltin(game.spec.name()))??;
                let own = found.weights.structure().stages.judged_by();
                if options.judging.is_some_and(|judging| judging != own) {
                    return Err(EngineError::SharedJudging);
                }
                Self::with_tables(found.weights, found.value_kind, game, options)?
            }
        };
        let engine = Self { judging: options.judging, ..engine.tuned(options.tuning.clone())? };
        Ok(match options.table_bytes.filter(|_| options.tuning.table.is_none()) {
            Some(bytes) => engine.with_table(bytes),
            None => engine,
        })
    }

    /// Opens an engine that has values to show: by default a model, else the heuristic player.
    pub fn open_for_analysis(options: &EngineOptions) -> Result<Self, EngineError> {
        match options.player {
            Some(player) if !player.has_values() => Err(EngineError::NoValues(player)),
            None if options.model.is_none() && !builtin::exists(&options.game_or_2048()?.spec) => {
                Self::open(&EngineOptions { player: Some(PlayerName::Heuristic), ..options.clone() })
            }
            _ => Self::open(options),
        }
    }

    fn of_model(model: Model, options: &EngineOptions) -> Result<Self, EngineError> {
        let own = compat::own_game(&model);
        let game = match &options.game {
            Some(game) => game.clone(),
            None => ConfiguredGame::new(own.clone(), options.variant.or(&compat::own_variant(&model)))?,
        };
        let value_kind = model::value_kind(&model);
        let mut network = compat::adapt(model.network.folded(), &own, &game.spec)?;
        if options.judging.is_some_and(|judging| !network.judge_by(judging)) {
            return Err(EngineError::JudgedByWalls);
        }
        Self::with_tables(PlayWeights::of(network, value_kind), value_kind, game, options)
    }

    fn with_tables(
        weights: PlayWeights,
        value_kind: ValueKind,
        game: ConfiguredGame,
        options: &EngineOptions,
    ) -> Result<Self, EngineError> {
        let mut engine = match weights {
            PlayWeights::Whole(network) => Self::of_network(network, value_kind, game, options.budget)?,
            PlayWeights::Quantized(network) => Self::of_quantized(network, game, options.budget)?,
        };
        if let Some(place) = &options.endgames {
            if value_kind != ValueKind::Afterstates {
                return Err(EngineError::EndgamesNeedAfterstates);
            }
            engine.endgames = Some(endgames::shared(place, &engine.game.rules)?);
        }
        Ok(engine)
    }
}
