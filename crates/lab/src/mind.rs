//! Who plays, at which game and how far ahead: what the commands, the server and other front ends share.

use crate::clock::{Timed, expired};
use crate::model::{Model, ModelError};
use crate::recipe::Variant;
use crate::{builtin, fit, model};
use afterstate::game::Game;
use afterstate::game::catalogue::{AnyGame, GameSpec};
use afterstate::game::twenty48::SpawnTable;
use afterstate::grid::Direction;
use afterstate::learn::subject::Subject;
use afterstate::learned::{LearnedPlayer, move_values};
use afterstate::lookahead::SearchPlayer;
use afterstate::network::Network;
use afterstate::player::{CornerPlayer, GreedyPlayer, Player, RandomPlayer};
use afterstate::search::heuristic::{Heuristic, MayerHirshfeld};
use afterstate::search::{
    Answer, Leaf, Limits, MAX_PLY, MoveValue, Points, Search, Table, Workspace, downgraded,
};
use afterstate::value::Stage;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use thiserror::Error;

/// The memory of searches that look further than two moves.
const TABLE_BYTES: usize = 64 << 20;

/// Why nobody can play as wished.
#[derive(Debug, Error)]
pub enum MindError {
    /// The wishes do not fit together; the text says what would.
    #[error("{0}")]
    Wish(String),
    /// The model cannot be loaded.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// A wish that makes no sense, from anything that says why.
fn usage(what: impl fmt::Display) -> MindError {
    MindError::Wish(what.to_string())
}

/// Who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerName {
    /// The network of a model.
    Model,
    /// Every legal move with equal chance.
    Random,
    /// The largest immediate reward.
    Greedy,
    /// Left and down by turns.
    Corner,
    /// Expectimax with a hand-made judgement of boards.
    Heuristic,
    /// The expectimax of Mayer and Hirshfeld, with their depths and cut-offs.
    MayerHirshfeld,
}

impl PlayerName {
    /// The name as it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Corner => "corner",
            Self::Heuristic => "heuristic",
            Self::MayerHirshfeld => "mayer-hirshfeld",
        }
    }

    /// Whether it searches without a model.
    pub fn is_heuristic(self) -> bool {
        matches!(self, Self::Heuristic | Self::MayerHirshfeld)
    }
}

/// The game of this name with these options.
pub fn game(name: &str, variant: &Variant) -> Result<AnyGame, MindError> {
    let mut spec = GameSpec::parse(name).map_err(usage)?;
    spec.start_tiles = variant.start_tiles;
    spec.spawn = variant.spawn.as_deref().map(SpawnTable::parse).transpose().map_err(usage)?;
    spec.merge_cap = variant.merge_cap;
    spec.build().map_err(usage)
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
}

/// How far to look ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// The number of moves.
    pub ply: u8,
    /// The time for one move.
    pub budget: Option<Duration>,
}

impl Depth {
    /// As asked: a number of moves, or as many as the time allows.
    pub fn of(ply: Option<u8>, time: Option<Duration>, usual: u8) -> Self {
        Self { ply: ply.unwrap_or(if time.is_some() { MAX_PLY } else { usual }), budget: time }
    }
}

/// Asked again and again while a search goes on: whether nobody waits for it any more.
pub type Cancelled<'a> = Option<&'a (dyn Fn() -> bool + Sync)>;

/// How positions are judged, or moves chosen without judging.
enum Judge {
    /// A network that values afterstates, with the largest rank it can tell from others.
    Values(Points<Box<Network>>, Option<u8>),
    /// A network that values states or actions.
    Learned(Box<Network>, Subject),
    Heuristic(Box<Heuristic>),
    MayerHirshfeld(Box<MayerHirshfeld>),
    None(PlayerName),
}

/// Somebody who plays one game.
pub struct Mind {
    /// What it plays.
    pub game: AnyGame,
    /// The options that make a variant of the game, those of the model's recipe among them.
    pub variant: Variant,
    /// Who it is.
    pub player: PlayerName,
    /// The model's file.
    pub model: Option<PathBuf>,
    /// How far it looks ahead.
    pub depth: Depth,
    judge: Judge,
    table: Table,
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
        let looks_ahead = wish.ply.is_some() || wish.time.is_some();
        match (&wish.model, wish.player) {
            (Some(path), None | Some(PlayerName::Model)) => Self::with_model(path, wish),
            (Some(_), Some(player)) => Err(usage(format!(
                "the {} player needs no model; leave out --model or --player",
                player.name()
            ))),
            (None, None | Some(PlayerName::Model)) => Self::with_builtin(wish),
            (None, Some(player)) if looks_ahead && !player.is_heuristic() => Err(usage(format!(
                "the {} player does not look ahead; leave --ply and --time-per-move out, or use --player heuristic",
                player.name()
            ))),
            (None, Some(player)) => {
                let game = named.map_or_else(|| game("2048", &wish.variant), Ok)?;
                let shape = game.shape();
                let (judge, usual) = match player {
                    PlayerName::Heuristic => (Judge::Heuristic(Box::new(Heuristic::tuned(shape))), 2),
                    PlayerName::MayerHirshfeld => {
                        let published = Box::new(MayerHirshfeld::new(shape));
                        (Judge::MayerHirshfeld(published), MayerHirshfeld::limits(shape).ply)
                    }
                    other => (Judge::None(other), 1),
                };
                let depth = Depth::of(wish.ply, wish.time, usual);
                Ok(Self::new(game, wish.variant.clone(), player, judge, depth))
            }
        }
    }

    fn with_builtin(wish: &Wish) -> Result<Self, MindError> {
        let wanted = GameSpec::parse(wish.game.as_deref().unwrap_or("2048")).map_err(usage)?;
        match builtin::model(&wanted) {
            Some(model) => Self::of_model(model.map_err(usage)?, "the built-in model", wish),
            None => Err(usage(format!(
                "no built-in model of {} ships; give --model FILE, or --player random, greedy, corner or heuristic",
                wanted.name()
            ))),
        }
    }

    fn with_model(path: &Path, wish: &Wish) -> Result<Self, MindError> {
        let mind = Self::of_model(model::load(path)?, &path.display().to_string(), wish)?;
        Ok(Self { model: Some(path.into()), ..mind })
    }

    fn of_model(model: Model, from: &str, wish: &Wish) -> Result<Self, MindError> {
        let own = fit::own_game(&model);
        let (name, variant) = match &wish.game {
            Some(name) => (name.clone(), wish.variant.clone()),
            None => (own.name(), wish.variant.or(&fit::own_variant(&model))),
        };
        let wanted = GameSpec::parse(&name).map_err(usage)?;
        let game = game(&name, &variant)?;
        let subject = model::subject(&model);
        let network = Box::new(fit::adapt(model.network.folded(), &own, &wanted).map_err(usage)?);
        let judge = match subject {
            Subject::Afterstates => {
                let largest = network.largest_rank();
                Judge::Values(Points(network), largest)
            }
            Subject::States | Subject::Actions => {
                let what = if subject == Subject::States { "states" } else { "actions" };
                if wish.ply.is_some_and(|ply| ply > 1) || wish.time.is_some() {
                    return Err(usage(format!(
                        "{from} holds values of {what}, which cannot be searched; leave out --ply and --time-per-move"
                    )));
                }
                Judge::Learned(network, subject)
            }
        };
        let depth = Depth::of(wish.ply, wish.time, 1);
        Ok(Self::new(game, variant, PlayerName::Model, judge, depth))
    }

    fn new(game: AnyGame, variant: Variant, player: PlayerName, judge: Judge, depth: Depth) -> Self {
        let table = Table::new(if depth.ply > 2 { TABLE_BYTES } else { 0 });
        Self { game, variant, player, model: None, depth, judge, table }
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

    /// Whether it can look further than one move.
    pub fn searches(&self) -> bool {
        matches!(self.judge, Judge::Values(..) | Judge::Heuristic(_) | Judge::MayerHirshfeld(_))
    }

    /// The deepest search this mind was made for is this; a deeper one needs a larger table.
    pub fn prepare(&mut self, depth: Depth) {
        if depth.ply > 2 && self.table.bytes() < TABLE_BYTES {
            self.table = Table::new(TABLE_BYTES);
        }
    }

    /// The same with this much memory for its searches, however deep they go.
    #[must_use]
    pub fn with_table(self, bytes: usize) -> Self {
        Self { table: Table::new(bytes), ..self }
    }

    /// A player for one thread. With a stage it goes on with a game that is in that stage already.
    pub fn player<G: Game>(&self, stage: Stage) -> Box<dyn Player<G> + '_> {
        match &self.judge {
            Judge::Values(leaf, largest) => Box::new(self.searcher(leaf, *largest, stage)),
            Judge::Heuristic(leaf) => Box::new(self.searcher(leaf.as_ref(), None, stage)),
            Judge::MayerHirshfeld(leaf) => Box::new(self.searcher(leaf.as_ref(), None, stage)),
            Judge::Learned(network, subject) => {
                let mut player = LearnedPlayer::new(network, *subject);
                player.set_stage(stage);
                Box::new(player)
            }
            Judge::None(PlayerName::Greedy) => Box::new(GreedyPlayer),
            Judge::None(PlayerName::Corner) => Box::new(CornerPlayer::default()),
            Judge::None(_) => Box::new(RandomPlayer::default()),
        }
    }

    /// The limits of a search so deep.
    ///
    /// Mayer and Hirshfeld's table takes a position for known whatever its probability, so that a value depends on
    /// what was searched before. That is not allowed here: a game must be the same on any number of threads.
    fn limits(&self, ply: u8) -> Limits<'static> {
        match self.judge {
            Judge::MayerHirshfeld(_) => {
                Limits { ply, any_probability_hits: false, ..MayerHirshfeld::limits(self.game.shape()) }
            }
            _ => Limits::ply(ply),
        }
    }

    fn searcher<'a, G: Game, L: Leaf<G>>(
        &'a self,
        leaf: &'a L,
        largest: Option<u8>,
        stage: Stage,
    ) -> Timed<'a, G, L> {
        let stop: Option<&(dyn Fn() -> bool + Sync)> =
            if self.depth.budget.is_some() { Some(&expired) } else { None };
        let mut player = SearchPlayer::new(leaf, Limits { stop, ..self.limits(self.depth.ply) });
        if self.depth.ply > 2 {
            player = player.with_table(&self.table);
        }
        if let Some(largest) = largest {
            player = player.with_downgrading(largest);
        }
        player.set_stage(stage);
        Timed { player, budget: self.depth.budget }
    }

    /// The stage a bare position is taken to be in.
    pub fn implied_stage<G: Game>(&self, game: &G, state: &G::State) -> Stage {
        self.network().map_or(0, |network| network.structure().stages.implied(game.state_view(state).cells))
    }

    /// The stage of a game that was in `stage` when this move was made.
    pub fn next_stage<G: Game>(&self, game: &G, stage: Stage, after: &G::Afterstate) -> Stage {
        self.network().map_or(0, |network| network.structure().stages.advance(stage, game.view(after).cells))
    }

    /// The network that judges, if there is one.
    pub fn network(&self) -> Option<&Network> {
        match &self.judge {
            Judge::Values(Points(network), _) | Judge::Learned(network, _) => Some(network),
            Judge::Heuristic(_) | Judge::MayerHirshfeld(_) | Judge::None(_) => None,
        }
    }

    /// What every move of a position is worth. `threads` share deep searches.
    ///
    /// Positions with ranks beyond the model's are judged by a lowered copy; rewards are always the real ones.
    pub fn judge<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        stage: Stage,
        depth: Depth,
        threads: usize,
        work: &mut Workspace<G>,
    ) -> Answer {
        self.judge_unless(game, state, stage, depth, threads, work, None)
    }

    /// The same, given up as soon as somebody no longer wants to know; one ply is always answered.
    #[allow(clippy::too_many_arguments)]
    pub fn judge_unless<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        stage: Stage,
        depth: Depth,
        threads: usize,
        work: &mut Workspace<G>,
        cancelled: Cancelled<'_>,
    ) -> Answer {
        match &self.judge {
            Judge::Values(leaf, largest) => {
                let lowered = largest.and_then(|largest| downgraded(game, state, largest));
                let mut answer = self.search(
                    game,
                    leaf,
                    lowered.as_ref().unwrap_or(state),
                    stage,
                    depth,
                    threads,
                    work,
                    cancelled,
                );
                if lowered.is_some() {
                    for (found, slide) in answer.moves.iter_mut().zip(game.slides(state)) {
                        *found = found
                            .zip(slide)
                            .map(|(found, slide)| MoveValue { reward: slide.reward, ..found });
                    }
                }
                answer
            }
            Judge::Heuristic(leaf) => {
                self.search(game, leaf.as_ref(), state, stage, depth, threads, work, cancelled)
            }
            Judge::MayerHirshfeld(leaf) => {
                self.search(game, leaf.as_ref(), state, stage, depth, threads, work, cancelled)
            }
            Judge::Learned(network, subject) => {
                let values = move_values(game, network, *subject, state, stage);
                answer_of(
                    values.map(|value| value.unwrap_or(0.0)),
                    game.slides(state).map(|s| s.map(|s| s.reward)),
                )
            }
            // Without judgement a move is worth its reward.
            Judge::None(_) => {
                let rewards = game.slides(state).map(|slide| slide.map(|slide| slide.reward));
                answer_of(rewards.map(|reward| reward.unwrap_or(0) as f32), rewards)
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn search<G: Game, L: Leaf<G>>(
        &self,
        game: &G,
        leaf: &L,
        state: &G::State,
        stage: Stage,
        depth: Depth,
        threads: usize,
        work: &mut Workspace<G>,
        cancelled: Cancelled<'_>,
    ) -> Answer {
        let deadline = depth.budget.map(|budget| Instant::now() + budget);
        let ask = || {
            deadline.is_some_and(|deadline| Instant::now() >= deadline) || cancelled.is_some_and(|ask| ask())
        };
        let limited = deadline.is_some() || cancelled.is_some();
        let stop: Option<&(dyn Fn() -> bool + Sync)> = if limited { Some(&ask) } else { None };
        // Below four moves a search is over before a second thread has begun.
        let threads = if depth.ply > 3 { threads } else { 1 };
        let limits = Limits { stop, threads, ..self.limits(depth.ply) };
        let mut search = Search::new(game, leaf);
        if depth.ply > 2 {
            search = search.with_table(&self.table);
        }
        search.run(state, stage, &limits, work)
    }
}

/// One-ply values as the answer of a search: the first of the best moves.
fn answer_of(values: [f32; 4], rewards: [Option<u64>; 4]) -> Answer {
    let moves: [Option<MoveValue>; 4] =
        std::array::from_fn(|d| rewards[d].map(|reward| MoveValue { reward, value: values[d] }));
    let legal = Direction::ALL.into_iter().filter_map(|d| moves[d as usize].map(|found| (d, found.value)));
    let best = legal.clone().reduce(|best, next| if next.1 > best.1 { next } else { best });
    let leaves = legal.count() as u64;
    Answer { moves, best: best.map(|(d, _)| d), leaves, ply: u8::from(leaves > 0), complete: true }
}
