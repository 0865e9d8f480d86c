//! Who plays, at which game and how far ahead: what the commands, the server and other front ends share.

pub use crate::agent::{Cancelled, Depth, Effort, PlayerName, Tuning, depth_by_empty, probability};
pub use afterstate::network::stage::Judging;

use crate::agent::Agent;
use crate::endgames::{self, EndgamesError};
use crate::model::{Model, ModelError};
use crate::variant::Variant;
use crate::{builtin, fit, model};
use afterstate::game::catalogue::{AnyGame, GameSpec};
use afterstate::learn::subject::Subject;
use afterstate::network::Network;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// Why nobody can play as wished.
#[derive(Debug, Error)]
pub enum MindError {
    /// The wishes do not fit together; the text says what would.
    #[error("{0}")]
    Wish(String),
    /// The model cannot be loaded.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The endgame tables cannot be loaded.
    #[error(transparent)]
    Endgames(#[from] EndgamesError),
}

/// A wish that makes no sense, from anything that says why.
fn usage(what: impl fmt::Display) -> MindError {
    MindError::Wish(what.to_string())
}

/// The game of this name with these options.
pub fn game(name: &str, variant: &Variant) -> Result<AnyGame, MindError> {
    variant.spec(name).map_err(usage)?.build().map_err(usage)
}

/// What somebody says about the player they want.
#[derive(Clone, Default)]
pub struct Wish {
    /// Who plays.
    pub player: Option<PlayerName>,
    /// The model's file.
    pub model: Option<PathBuf>,
    /// The game; without it the model's, else 2048.
    pub game: Option<String>,
    /// Options that make a variant of the game.
    pub variant: Variant,
    /// How many moves to look ahead.
    pub ply: Option<u8>,
    /// The time for one move.
    pub time: Option<Duration>,
    /// Ways to spend the depth of searches.
    pub tuning: Tuning,
    /// The stage that judges what is looked ahead to, instead of what the model says.
    pub judging: Option<Judging>,
    /// The directory of endgame tables, for those who look for points.
    pub endgames: Option<PathBuf>,
}

/// An agent that knows its game, and where it comes from: it can be asked whatever an [`Agent`] can.
pub struct Mind {
    /// What it plays.
    pub game: AnyGame,
    /// The options that make a variant of the game, those of the model's recipe among them.
    pub variant: Variant,
    /// Who it is.
    pub player: PlayerName,
    /// The model's file.
    pub model: Option<PathBuf>,
    /// The stage that judges, if one was asked for.
    judging: Option<Judging>,
    agent: Agent<Arc<Network>>,
}

impl Deref for Mind {
    type Target = Agent<Arc<Network>>;

    fn deref(&self) -> &Self::Target {
        &self.agent
    }
}

impl DerefMut for Mind {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.agent
    }
}

/// Whether a model of the game that is asked for ships with the program; yes for what is no game, which is said elsewhere.
fn has_builtin(wish: &Wish) -> bool {
    GameSpec::parse(wish.game.as_deref().unwrap_or("2048")).map_or(true, |game| builtin::exists(&game))
}

impl Mind {
    /// Finds game and player; whatever does not fit together is a usage error.
    pub fn open(wish: &Wish) -> Result<Self, MindError> {
        // A wrong game is said before a missing model.
        let named = wish.game.as_deref().map(|name| game(name, &wish.variant)).transpose()?;
        if wish.game.is_none() && wish.model.is_none() {
            game("2048", &wish.variant)?;
        }
        match (&wish.model, wish.player) {
            (Some(path), None | Some(PlayerName::Model)) => Self::with_model(path, wish),
            (Some(_), Some(player)) => Err(usage(format!(
                "the {} player needs no model; leave out --model or --player",
                player.name()
            ))),
            (None, Some(player)) if player != PlayerName::Model && wish.judging.is_some() => Err(usage(
                format!("the {} player has no stages; leave out --judging or --player", player.name()),
            )),
            (None, Some(player)) if player != PlayerName::Model && wish.endgames.is_some() => {
                Err(usage(format!(
                    "the {} player has no use for endgame tables; leave out --endgames or --player",
                    player.name()
                )))
            }
            (None, None | Some(PlayerName::Model)) => Self::with_builtin(wish),
            (None, Some(player)) => {
                let game = named.map_or_else(|| game("2048", &wish.variant), Ok)?;
                let agent = Agent::named(player, game.shape(), wish.ply, wish.time).map_err(usage)?;
                let agent = agent.tuned(wish.tuning.clone()).map_err(usage)?;
                Ok(Self { game, variant: wish.variant.clone(), player, model: None, judging: None, agent })
            }
        }
    }

    fn with_builtin(wish: &Wish) -> Result<Self, MindError> {
        let name = wish.game.as_deref().unwrap_or("2048");
        let wanted = GameSpec::parse(name).map_err(usage)?;
        match builtin::in_use(&wanted) {
            Some(found) => {
                let builtin::InUse { network, subject } = found.map_err(usage)?;
                let own = network.structure().stages.judged_by();
                if wish.judging.is_some_and(|judging| judging != own) {
                    return Err(usage(
                        "--judging needs a model of its own, and the built-in one is shared by all who play with it; \
                         give a file, like --model models/2048.afterstate",
                    ));
                }
                Self::playing(network, subject, game(name, &wish.variant)?, wish.variant.clone(), wish)
            }
            None => Err(usage(format!(
                "no built-in model of {} ships; give --model FILE, or --player random, greedy, corner or heuristic",
                wanted.name()
            ))),
        }
    }

    fn with_model(path: &Path, wish: &Wish) -> Result<Self, MindError> {
        let mind = Self::of_model(model::load(path)?, wish)?;
        Ok(Self { model: Some(path.into()), ..mind })
    }

    fn of_model(model: Model, wish: &Wish) -> Result<Self, MindError> {
        let own = fit::own_game(&model);
        let (name, variant) = match &wish.game {
            Some(name) => (name.clone(), wish.variant.clone()),
            None => (own.name(), wish.variant.or(&fit::own_variant(&model))),
        };
        let wanted = GameSpec::parse(&name).map_err(usage)?;
        let game = game(&name, &variant)?;
        let subject = model::subject(&model);
        let mut network = fit::adapt(model.network.folded(), &own, &wanted).map_err(usage)?;
        if wish.judging.is_some_and(|judging| !network.judge_by(judging)) {
            return Err(usage("this model counts walls, which the game's stage judges; leave out --judging"));
        }
        Self::playing(Arc::new(network), subject, game, variant, wish)
    }

    fn playing(
        network: Arc<Network>,
        subject: Subject,
        game: AnyGame,
        variant: Variant,
        wish: &Wish,
    ) -> Result<Self, MindError> {
        let mut agent = Agent::of_network(network, subject, wish.ply, wish.time).map_err(usage)?;
        agent = agent.tuned(wish.tuning.clone()).map_err(usage)?;
        if let Some(place) = &wish.endgames {
            if subject != Subject::Afterstates {
                return Err(usage(
                    "endgame tables need a model that values afterstates; leave out --endgames",
                ));
            }
            agent = agent.with_endgames(Arc::new(endgames::load(place, &game)?));
        }
        Ok(Self { game, variant, player: PlayerName::Model, model: None, judging: wish.judging, agent })
    }

    /// The same for commands that need to know what moves are worth: without a model, given or built in, the heuristic player.
    pub fn open_judge(wish: &Wish) -> Result<Self, MindError> {
        match wish.player {
            Some(player @ (PlayerName::Random | PlayerName::Greedy | PlayerName::Corner)) => {
                Err(usage(format!(
                    "the {} player has no values to show; use --model FILE or --player heuristic",
                    player.name()
                )))
            }
            None if wish.model.is_none() && !has_builtin(wish) => {
                Self::open(&Wish { player: Some(PlayerName::Heuristic), ..wish.clone() })
            }
            _ => Self::open(wish),
        }
    }

    /// The player in words: its name, and what was asked for beside depth and time.
    pub fn who(&self) -> String {
        let judging = match self.judging {
            None => "",
            Some(Judging::Leaf) => ", judged by the leaf's stage",
            Some(Judging::Game) => ", judged by the game's stage",
        };
        format!("{}{}{judging}", self.player.name(), self.tuning())
    }

    /// The same with this much memory for its searches, however deep they go.
    #[must_use]
    pub fn with_table(self, bytes: usize) -> Self {
        Self { agent: self.agent.with_table(bytes), ..self }
    }
}
