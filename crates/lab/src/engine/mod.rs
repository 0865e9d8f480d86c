//! The engine: a player, its game, and its search budget.
//!
//! [`EngineOptions`] say who is to play, [`Engine::open`] makes the engine, a [`SearchBudget`]
//! limits each search. The command line, the server, Python and the evaluations of runs use this
//! one type.
//!
//! ```
//! use afterstate_lab::engine::{Engine, EngineOptions, PlayerName, SearchBudget};
//! use afterstate::{game::notation, search::Workspace, with_game};
//! let engine = Engine::open(&EngineOptions {
//!     player: Some(PlayerName::Heuristic),
//!     budget: Some(SearchBudget::ply(2)),
//!     ..EngineOptions::default()
//! })?;
//! let best = with_game!(&engine.game.rules, game => {
//!     let state = notation::read(game, "1210/3302/0043/5512").unwrap();
//!     engine.search(game, &state, 0, engine.budget, &mut Workspace::default()).best
//! });
//! assert!(best.is_some());
//! # Ok::<(), afterstate_lab::engine::EngineError>(())
//! ```

mod budget;
mod error;
mod loaded;
mod memoized;
mod name;
mod open;
mod player;
mod search;
mod tuning;

pub use budget::{Cancelled, SearchBudget};
pub use error::EngineError;
pub use loaded::LoadedModel;
pub use name::PlayerName;
pub use open::EngineOptions;
pub use tuning::{Tuning, depth_by_empty, probability};

pub use afterstate::endgame::Advice;
pub use afterstate::network::stage::Judging;

use crate::compat::OtherRules;
use crate::shard;
use crate::variant::ConfiguredGame;
use afterstate::endgame::Endgames;
use afterstate::game::Game;
use afterstate::learn::greedy::ValueKind;
use afterstate::network::{Network, QuantizedNetwork, Structure};
use afterstate::search::heuristic::{Heuristic, MayerHirshfeld};
use afterstate::search::{Limits, MAX_PLY, TranspositionTable};
use afterstate::value::Stage;
use std::ops::Deref;
use std::sync::Arc;

/// Bytes of the transposition table of searches deeper than two plies.
pub const TABLE_BYTES: usize = 64 << 20;

/// Evaluation of positions, or none. `N` points to a network.
enum Evaluator<N> {
    /// A network of V(s′), with the largest rank of its alphabet.
    Afterstates(N, Option<u8>),
    /// Values of afterstates with 16-bit weights.
    Quantized(Arc<QuantizedNetwork>, Option<u8>),
    /// A network of V(s) or Q(s, a), which is played greedily.
    Greedy(N, ValueKind),
    Heuristic(Box<Heuristic>),
    MayerHirshfeld(Box<MayerHirshfeld>),
    None,
}

/// A player with its game and its search budget. `N` points to the network, if there is one.
pub struct Engine<N = Arc<Network>> {
    /// The game it plays.
    pub game: ConfiguredGame,
    /// The kind of player.
    pub player: PlayerName,
    /// The model by its name: `builtin:2048`, a file, a run directory.
    pub model: Option<String>,
    /// The rules the model learned, where they are not those of the game.
    pub other_rules: Option<OtherRules>,
    /// The usual budget of one search.
    pub budget: SearchBudget<'static>,
    evaluator: Evaluator<N>,
    tuning: Tuning,
    /// The stage that judges leaves, if one was asked for.
    judging: Option<Judging>,
    table: TranspositionTable,
    endgames: Option<Arc<Endgames>>,
}

impl<N: Deref<Target = Network> + Send + Sync> Engine<N> {
    /// An engine without a model.
    pub fn of_player(
        player: PlayerName,
        game: ConfiguredGame,
        budget: Option<SearchBudget<'static>>,
    ) -> Result<Self, EngineError> {
        if !player.is_heuristic() && budget.is_some() {
            return Err(EngineError::NoSearch(player));
        }
        let shape = game.rules.shape();
        let (evaluator, ply) = match player {
            PlayerName::Heuristic => (Evaluator::Heuristic(Box::new(Heuristic::tuned(shape))), 2),
            PlayerName::MayerHirshfeld => {
                let published = Box::new(MayerHirshfeld::new(shape));
                (Evaluator::MayerHirshfeld(published), MayerHirshfeld::limits(shape).ply)
            }
            _ => (Evaluator::None, 1),
        };
        Self::new(evaluator, player, game, budget.unwrap_or(SearchBudget::ply(ply)))
    }

    /// An engine over a network in memory, whose values are of this kind.
    pub fn of_network(
        network: N,
        value_kind: ValueKind,
        game: ConfiguredGame,
        budget: Option<SearchBudget<'static>>,
    ) -> Result<Self, EngineError> {
        let budget = budget.unwrap_or(SearchBudget::ply(1));
        let searches = budget.ply > 1 || budget.time.is_some();
        let evaluator = match value_kind {
            ValueKind::Afterstates => {
                let largest = network.largest_rank();
                Evaluator::Afterstates(network, largest)
            }
            ValueKind::States if searches => return Err(EngineError::Unsearchable("states")),
            ValueKind::Actions if searches => return Err(EngineError::Unsearchable("actions")),
            ValueKind::States | ValueKind::Actions => Evaluator::Greedy(network, value_kind),
        };
        Self::new(evaluator, PlayerName::Model, game, budget)
    }

    /// An engine over a quantised network of afterstates.
    pub fn of_quantized(
        network: Arc<QuantizedNetwork>,
        game: ConfiguredGame,
        budget: Option<SearchBudget<'static>>,
    ) -> Result<Self, EngineError> {
        let largest = network.structure().largest_rank();
        let evaluator = Evaluator::Quantized(network, largest);
        Self::new(evaluator, PlayerName::Model, game, budget.unwrap_or(SearchBudget::ply(1)))
    }

    fn new(
        evaluator: Evaluator<N>,
        player: PlayerName,
        game: ConfiguredGame,
        budget: SearchBudget<'static>,
    ) -> Result<Self, EngineError> {
        if !(1..=MAX_PLY).contains(&budget.ply) {
            return Err(EngineError::Ply(budget.ply));
        }
        let table = TranspositionTable::try_new(if budget.ply > 2 { TABLE_BYTES } else { 0 })?;
        let (model, other_rules, tuning) = (None, None, Tuning::default());
        let (judging, endgames) = (None, None);
        Ok(Self { game, player, model, other_rules, budget, evaluator, tuning, judging, table, endgames })
    }

    /// This engine with another usual budget, and a table of so many bytes, or of the usual.
    fn with_budget(self, budget: SearchBudget<'static>, table: Option<usize>) -> Result<Self, EngineError> {
        let usual = if self.tuning.deepest(budget.ply) > 2 { TABLE_BYTES } else { 0 };
        Self { budget, ..self }.with_table(table.unwrap_or(usual))
    }

    /// An engine over the same network with another usual budget.
    pub fn within(&self, budget: SearchBudget<'static>) -> Result<Self, EngineError>
    where
        N: Clone,
    {
        let shape = self.game.rules.shape();
        let evaluator = match &self.evaluator {
            Evaluator::Afterstates(leaf, largest) => Evaluator::Afterstates(leaf.clone(), *largest),
            Evaluator::Quantized(leaf, largest) => Evaluator::Quantized(leaf.clone(), *largest),
            Evaluator::Greedy(network, kind) => Evaluator::Greedy(network.clone(), *kind),
            Evaluator::Heuristic(_) => Evaluator::Heuristic(Box::new(Heuristic::tuned(shape))),
            Evaluator::MayerHirshfeld(_) => Evaluator::MayerHirshfeld(Box::new(MayerHirshfeld::new(shape))),
            Evaluator::None => Evaluator::None,
        };
        let bytes = if self.tuning.deepest(budget.ply) > 2 { TABLE_BYTES } else { 0 };
        Ok(Self {
            game: self.game.clone(),
            player: self.player,
            model: self.model.clone(),
            other_rules: self.other_rules.clone(),
            budget,
            evaluator,
            tuning: self.tuning.clone(),
            judging: self.judging,
            table: TranspositionTable::try_new(self.tuning.table.unwrap_or(bytes))?,
            endgames: self.endgames.clone(),
        })
    }

    /// This engine behind another pointer to its network.
    pub fn map_network<M>(self, map: impl FnOnce(N) -> M) -> Engine<M> {
        let Self { game, player, model, other_rules, budget, evaluator, tuning, judging, table, endgames } =
            self;
        let evaluator = match evaluator {
            Evaluator::Afterstates(leaf, largest) => Evaluator::Afterstates(map(leaf), largest),
            Evaluator::Quantized(leaf, largest) => Evaluator::Quantized(leaf, largest),
            Evaluator::Greedy(network, kind) => Evaluator::Greedy(map(network), kind),
            Evaluator::Heuristic(leaf) => Evaluator::Heuristic(leaf),
            Evaluator::MayerHirshfeld(leaf) => Evaluator::MayerHirshfeld(leaf),
            Evaluator::None => Evaluator::None,
        };
        Engine { game, player, model, other_rules, budget, evaluator, tuning, judging, table, endgames }
    }

    /// Searches with a transposition table of so many bytes.
    pub fn with_table(mut self, bytes: usize) -> Result<Self, EngineError> {
        self.set_table(bytes)?;
        Ok(self)
    }

    /// Replaces the table; the old one goes first.
    fn set_table(&mut self, bytes: usize) -> Result<(), EngineError> {
        if self.table.bytes() != bytes {
            self.table = TranspositionTable::try_new(0)?;
            self.table = TranspositionTable::try_new(bytes)?;
        }
        Ok(())
    }

    /// Follows endgame tables, if its values are those of afterstates.
    #[must_use]
    pub fn with_endgames(mut self, tables: Arc<Endgames>) -> Self {
        if matches!(self.evaluator, Evaluator::Afterstates(..) | Evaluator::Quantized(..)) {
            self.endgames = Some(tables);
        }
        self
    }

    /// Tunes its searches; an error for players that do not search.
    pub fn tuned(mut self, tuning: Tuning) -> Result<Self, EngineError> {
        if tuning.is_default() {
            return Ok(self);
        }
        if !self.searches() {
            return Err(EngineError::NotTunable);
        }
        let usual = if tuning.deepest(self.budget.ply) > 2 { TABLE_BYTES } else { 0 };
        self.set_table(tuning.table.unwrap_or(usual))?;
        self.tuning = tuning.ordered();
        Ok(self)
    }

    /// The player in words: its name, and all that was asked for beside depth and time.
    pub fn description(&self) -> String {
        let judging = match self.judging {
            None => "",
            Some(Judging::Leaf) => ", judged by the leaf's stage",
            Some(Judging::Game) => ", judged by the game's stage",
        };
        format!("{}{}{judging}", self.player.name(), self.tuning)
    }

    /// The depth of its searches; `None` for players that do not search.
    pub fn ply(&self) -> Option<u8> {
        self.searches().then_some(self.budget.ply)
    }

    /// True if it can look further than one move ahead.
    pub fn searches(&self) -> bool {
        !matches!(self.evaluator, Evaluator::Greedy(..) | Evaluator::None)
    }

    /// The stage of a position without a history.
    pub fn implied_stage<G: Game>(&self, game: &G, state: &G::State) -> Stage {
        self.structure().map_or(0, |structure| structure.stages.implied(game.state_view(state).cells))
    }

    /// The stage of a game that was in `stage` before this move.
    pub fn next_stage<G: Game>(&self, game: &G, stage: Stage, after: &G::Afterstate) -> Stage {
        self.structure().map_or(0, |structure| structure.stages.advance(stage, game.view(after).cells))
    }

    /// The structure of the network, if there is one.
    pub fn structure(&self) -> Option<&Structure> {
        match &self.evaluator {
            Evaluator::Afterstates(network, _) | Evaluator::Greedy(network, _) => Some(network.structure()),
            Evaluator::Quantized(network, _) => Some(network.structure()),
            Evaluator::Heuristic(_) | Evaluator::MayerHirshfeld(_) | Evaluator::None => None,
        }
    }

    /// A number that tells the weights of the network from others'; `None` without a network.
    pub fn fingerprint(&self) -> Option<String> {
        match &self.evaluator {
            Evaluator::Afterstates(network, _) | Evaluator::Greedy(network, _) => {
                Some(shard::fingerprint(network))
            }
            Evaluator::Quantized(network, _) => Some(format!("{:016x}", network.fingerprint())),
            Evaluator::Heuristic(_) | Evaluator::MayerHirshfeld(_) | Evaluator::None => None,
        }
    }

    /// Search limits at this depth.
    fn limits(&self, ply: u8) -> Limits<'static> {
        let usual = match self.evaluator {
            Evaluator::MayerHirshfeld(_) => Limits { ply, ..MayerHirshfeld::limits(self.game.rules.shape()) },
            _ => Limits::ply(ply),
        };
        let Tuning { cut_off, by_empty, .. } = &self.tuning;
        Limits { cut_off: cut_off.unwrap_or(usual.cut_off), by_empty: by_empty.clone(), ..usual }
    }

    /// True if a search at this depth is worth a table.
    fn uses_table(&self, ply: u8) -> bool {
        self.tuning.deepest(ply) > 2 || self.tuning.table.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::Variant;
    use afterstate::episode::play;
    use afterstate::game::twenty48::Twenty48;
    use afterstate::grid::Shape;
    use afterstate::network::Structure;
    use afterstate::player::SearchPlayer;
    use afterstate::random::Random;
    use afterstate::search::Workspace;

    type Boxed = Engine<Box<Network>>;

    fn four() -> ConfiguredGame {
        ConfiguredGame::parse("2048", Variant::default()).unwrap()
    }

    fn network() -> Box<Network> {
        let network = Network::new(Structure::tuples(Shape::FOUR, "0123 0145", 16).unwrap());
        let mut random = Random::new(1);
        for table in 0..network.tables() {
            for entry in network.table_entries(table) {
                network.bank(0).set(entry, random.below(100) as f32);
            }
        }
        Box::new(network)
    }

    #[test]
    fn an_engine_plays_as_its_network_values() {
        let game = Twenty48::<16>::new(Shape::FOUR);
        let engine = Boxed::of_network(network(), ValueKind::Afterstates, four(), None).unwrap();
        let network = network();
        for seed in 0..5 {
            let mine = play(&game, &mut engine.player::<Twenty48<16>>(0), &mut Random::new(seed), &mut ());
            let mut player = SearchPlayer::new(&*network, Limits::ply(1));
            let theirs = play(&game, &mut player, &mut Random::new(seed), &mut ());
            assert_eq!(mine, theirs);
            let values = engine.values(&game, &mine.last, 0, &mut Workspace::default());
            assert_eq!(values, [None; 4], "the game is over");
        }
        assert_eq!(engine.ply(), Some(1));
    }

    /// A search that is told its depth by empty cells, or cut off, is the library's with the same
    /// limits.
    #[test]
    fn tuning_reaches_the_search() {
        let game = Twenty48::<16>::new(Shape::FOUR);
        let tuning = Tuning { cut_off: Some(0.02), by_empty: vec![(9, 2), (5, 3)], table: Some(1 << 20) };
        let engine = Boxed::of_network(network(), ValueKind::Afterstates, four(), None).unwrap();
        let plain = play(&game, &mut engine.player::<Twenty48<16>>(0), &mut Random::new(3), &mut ());
        let engine = engine.tuned(tuning).unwrap();
        let limits = Limits { by_empty: vec![(5, 3), (9, 2)], cut_off: 0.02, ..Limits::ply(1) };
        let network = network();
        let mine = play(&game, &mut engine.player::<Twenty48<16>>(0), &mut Random::new(3), &mut ());
        let theirs = play(&game, &mut SearchPlayer::new(&*network, limits), &mut Random::new(3), &mut ());
        assert_eq!(mine, theirs);
        assert_ne!(mine.score, plain.score);
        let blind = Boxed::of_player(PlayerName::Greedy, four(), None).unwrap();
        let tuning = Tuning { cut_off: Some(0.1), ..Tuning::default() };
        assert!(matches!(blind.tuned(tuning).map(|_| ()), Err(EngineError::NotTunable)));
    }

    /// Mayer-Hirshfeld's table answers whatever the probability; still a game is a function of its
    /// seed, and the value of a position does not depend on what was asked before.
    #[test]
    fn the_published_search_is_the_same_in_any_company() {
        let game = Twenty48::<16>::new(Shape::new(3, 3).unwrap());
        let three = ConfiguredGame::parse("2048-3x3", Variant::default()).unwrap();
        let budget = Some(SearchBudget::ply(4));
        let engine = Boxed::of_player(PlayerName::MayerHirshfeld, three, budget).unwrap();
        let alone = play(&game, &mut engine.player::<Twenty48<16>>(0), &mut Random::new(1), &mut ());
        let mut player = engine.player::<Twenty48<16>>(0);
        let _ = play(&game, &mut player, &mut Random::new(2), &mut ());
        assert_eq!(play(&game, &mut player, &mut Random::new(1), &mut ()), alone);
        let mut state = game.start(&mut Random::new(5));
        let mut work = Workspace::default();
        let first = engine.values(&game, &state, 0, &mut work);
        let asked = state;
        while let Some(choice) = player.choose(&game, &state) {
            let values = engine.values(&game, &state, 0, &mut work);
            let best = values.iter().flatten().fold(f32::NEG_INFINITY, |best, &value| best.max(value));
            assert_eq!(values[choice.direction as usize], Some(best), "analysis and play agree");
            state = game.spawn(&choice.slide.afterstate, &mut Random::new(6)).state;
        }
        assert_eq!(engine.values(&game, &asked, 0, &mut work), first);
    }

    #[test]
    fn options_that_make_no_sense_are_refused() {
        let named = |player, ply: Option<u8>| {
            Boxed::of_player(player, four(), ply.map(SearchBudget::ply)).map(|_| ())
        };
        assert!(matches!(PlayerName::parse("magnus"), Err(EngineError::UnknownPlayer(_))));
        assert!(matches!(named(PlayerName::Greedy, Some(2)), Err(EngineError::NoSearch(_))));
        assert!(matches!(named(PlayerName::Heuristic, Some(0)), Err(EngineError::Ply(0))));
        for value_kind in [ValueKind::States, ValueKind::Actions] {
            let deep = Boxed::of_network(network(), value_kind, four(), Some(SearchBudget::ply(2)));
            assert!(matches!(deep.map(|_| ()), Err(EngineError::Unsearchable(_))));
        }
        for name in ["random", "greedy", "corner", "heuristic", "mayer-hirshfeld"] {
            assert!(named(PlayerName::parse(name).unwrap(), None).is_ok());
        }
    }
}
