//! From options to an engine.

use super::{Engine, EngineError, Judging, PlayerName, SearchBudget, Tuning};
use crate::builtin::{self, PlayWeights};
use crate::model::{self, GAME};
use crate::model_source::{BUILTIN, ModelSource};
use crate::variant::{ConfiguredGame, Variant};
use crate::{compat, endgames, mapped};
use afterstate::game::catalogue::GameSpec;
use afterstate::learn::greedy::ValueKind;
use afterstate::network::Favour;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Options of an engine, as front ends collect them.
#[derive(Clone, Default)]
pub struct EngineOptions {
    /// The player; by default the model given, else the built-in model of the game.
    pub player: Option<PlayerName>,
    /// The model by its name: a file, a run directory, `builtin`, `builtin:2048`.
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
    /// The tile from which on they are followed; by default always.
    pub endgames_from: Option<u64>,
    /// A directory where processes of this machine share networks, see [`crate::mapped`].
    pub mapped: Option<PathBuf>,
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

    /// The game that will be played, where it can be told without reading weights: positions can be
    /// checked before anybody waits for a model.
    pub fn known_game(&self) -> Option<ConfiguredGame> {
        let Some(name) = self.model.as_ref().filter(|_| self.game.is_none()) else {
            return self.game_or_2048().ok();
        };
        match ModelSource::find(name).ok()? {
            ModelSource::BuiltIn(None) => self.game_or_2048().ok(),
            ModelSource::BuiltIn(Some(own)) => ConfiguredGame::new(own, self.variant.clone()).ok(),
            ModelSource::File(path) => {
                let told = compat::Told::of_file(File::open(path).ok()?)?;
                ConfiguredGame::new(told.game, self.variant.or(&told.variant)).ok()
            }
        }
    }
}

impl Engine {
    /// Opens the model or player that the options name, to play many games.
    pub fn open(options: &EngineOptions) -> Result<Self, EngineError> {
        Self::open_for(Favour::Speed, options)
    }

    fn open_for(favour: Favour, options: &EngineOptions) -> Result<Self, EngineError> {
        let named = options.player.filter(|&player| player != PlayerName::Model);
        // Missing tables are told before weights are read; the code below shares them.
        let _tables = match (&options.endgames, options.known_game()) {
            (Some(place), Some(game)) if named.is_none() => {
                Some(endgames::shared(place, &game.rules, options.endgames_from)?)
            }
            _ => None,
        };
        let engine = match (&options.model, named) {
            (Some(_), Some(player)) => return Err(EngineError::NeedsNoModel(player)),
            (None, Some(player)) if options.endgames.is_some() => {
                return Err(EngineError::NeedsNoEndgames(player));
            }
            (None, Some(player)) if options.judging.is_some() => {
                return Err(EngineError::NoStages(player));
            }
            (None, Some(player)) => Self::of_player(player, options.game_or_2048()?, options.budget)?,
            (None, None) => Self::of_builtin(None, favour, options)?,
            (Some(name), None) => match ModelSource::find(name)? {
                ModelSource::BuiltIn(game) => Self::of_builtin(game, favour, options)?,
                ModelSource::File(path) => {
                    let engine = Self::of_file(&path, options)?;
                    Self { model: Some(name.display().to_string()), ..engine }
                }
            },
        };
        Self { judging: options.judging, ..engine.tuned(options.tuning.clone())? }.with_table_of(options)
    }

    /// The engine with a table as large as the options say.
    pub(super) fn with_table_of(self, options: &EngineOptions) -> Result<Self, EngineError> {
        match options.table_bytes.filter(|_| options.tuning.table.is_none()) {
            Some(bytes) => self.with_table(bytes),
            None => Ok(self),
        }
    }

    /// Opens an engine for hints and for play beside a user, soon and in little memory: by default a
    /// model, else the heuristic player, at the usual depth of [`SearchBudget::usual`].
    pub fn open_for_analysis(options: &EngineOptions) -> Result<Self, EngineError> {
        let engine = match options.player {
            Some(player) if !player.has_values() => return Err(EngineError::NoValues(player)),
            None if options.model.is_none() && !builtin::exists(&options.game_or_2048()?.spec) => {
                Self::open(&EngineOptions { player: Some(PlayerName::Heuristic), ..options.clone() })?
            }
            _ => Self::open_for(Favour::Memory, options)?,
        };
        engine.for_analysis(options)
    }

    /// The engine at the usual depth of hints, unless the options name one.
    pub(super) fn for_analysis(self, options: &EngineOptions) -> Result<Self, EngineError> {
        let as_published = self.player == PlayerName::MayerHirshfeld;
        if options.budget.is_some() || as_published || !self.searches() {
            return Ok(self);
        }
        let budget = SearchBudget::usual(self.game.rules.shape());
        self.with_budget(budget, options.tuning.table.or(options.table_bytes))
    }

    /// The built-in model of a game; of the game that is played, if none is named.
    fn of_builtin(
        named: Option<GameSpec>,
        favour: Favour,
        options: &EngineOptions,
    ) -> Result<Self, EngineError> {
        let game = match (&options.game, &named) {
            (None, Some(own)) => ConfiguredGame::new(own.clone(), options.variant.clone())?,
            _ => options.game_or_2048()?,
        };
        let own = builtin::model_of(&game.spec);
        if let Some(named) = named.filter(|named| own.as_ref() != Some(named)) {
            return Err(compat::GameMismatch { model: named.name(), wanted: game.spec.name() }.into());
        }
        let nothing = || EngineError::NoBuiltin(game.spec.name());
        let own = own.ok_or_else(nothing)?;
        let (weights, value_kind) = match &options.mapped {
            Some(directory) => mapped::of_builtin(directory, &game.spec).ok_or_else(nothing)??,
            None => {
                let found = builtin::in_use(&game.spec, favour).ok_or_else(nothing)??;
                (found.weights, found.value_kind)
            }
        };
        let judged_by = weights.structure().stages.judged_by();
        if options.judging.is_some_and(|judging| judging != judged_by) {
            return Err(EngineError::SharedJudging);
        }
        let name = format!("{BUILTIN}:{}", own.name());
        let learned = ConfiguredGame::new(own, Variant::default())?;
        let other_rules = compat::other_rules(&learned, &game);
        let engine = Self::with_tables(weights, value_kind, game, options)?;
        Ok(Self { model: Some(name), other_rules, ..engine })
    }

    /// The model in a file.
    fn of_file(path: &Path, options: &EngineOptions) -> Result<Self, EngineError> {
        let read = || read_for_play(path, options);
        let (weights, metadata) = match &options.mapped {
            Some(directory) => {
                let game = options.game.as_ref().map(|game| game.spec.name()).unwrap_or_default();
                let source = format!("{} {game} {:?}", mapped::of_file(path), options.judging);
                mapped::open(directory, &source, read)?
            }
            None => read()?,
        };
        let learned = ConfiguredGame::parse(&metadata[GAME], compat::own_variant(&metadata))?;
        let game = match &options.game {
            Some(game) => game.clone(),
            None => ConfiguredGame::new(learned.spec.clone(), options.variant.or(&learned.variant))?,
        };
        let other_rules = compat::other_rules(&learned, &game);
        let engine = Self::with_tables(weights, model::value_kind(&metadata), game, options)?;
        Ok(Self { other_rules, ..engine })
    }

    pub(super) fn with_tables(
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
            engine.endgames = Some(endgames::shared(place, &engine.game.rules, options.endgames_from)?);
        }
        Ok(engine)
    }
}

/// The weights of a model for the game of the options, and its metadata with the name of its own game.
fn read_for_play(path: &Path, options: &EngineOptions) -> Result<mapped::Known, EngineError> {
    let mut model = model::load(path)?;
    let own = compat::own_game(&model);
    let value_kind = model::value_kind(&model.metadata);
    let wanted = options.game.as_ref().map_or(&own, |game| &game.spec);
    let mut network = compat::adapt(model.network.folded()?, &own, wanted)?;
    if options.judging.is_some_and(|judging| !network.judge_by(judging)) {
        return Err(EngineError::JudgedByWalls);
    }
    model.metadata.insert(GAME.into(), own.name());
    Ok((PlayWeights::of(network, value_kind)?, model.metadata))
}
