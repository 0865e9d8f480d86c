//! Somebody who plays: a network or a player by name, and how far it looks ahead.

mod clock;
mod greedy;
mod judge;
mod memoized;
mod name;
mod tuning;

pub use judge::{Cancelled, Effort};
pub use name::{AgentError, PlayerName};
pub use tuning::{Tuning, depth_by_empty, probability};

use afterstate::endgame::Endgames;
use afterstate::game::Game;
use afterstate::grid::Shape;
use afterstate::learn::subject::Subject;
use afterstate::learned::LearnedPlayer;
use afterstate::lookahead::SearchPlayer;
use afterstate::network::Network;
use afterstate::player::{CornerPlayer, GreedyPlayer, Player, RandomPlayer};
use afterstate::search::heuristic::{Heuristic, MayerHirshfeld};
use afterstate::search::{Leaf, Limits, MAX_PLY, Points, Table};
use afterstate::value::Stage;
use clock::{Timed, expired};
use greedy::Greedy;
use memoized::Memoized;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

/// The memory of searches that look further than two moves.
const TABLE_BYTES: usize = 64 << 20;

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

/// How positions are judged, or moves chosen without judging. `P` points to a network.
enum Judge<P> {
    /// A network that values afterstates, with the largest rank it can tell from others.
    Values(Points<P>, Option<u8>),
    /// A network that values states or actions.
    Learned(P, Subject),
    Heuristic(Box<Heuristic>),
    MayerHirshfeld(Box<MayerHirshfeld>),
    None(PlayerName),
}

/// Somebody who plays.
pub struct Agent<P> {
    /// How far it looks ahead.
    pub depth: Depth,
    judge: Judge<P>,
    shape: Shape,
    table: Table,
    tuning: Tuning,
    endgames: Option<Arc<Endgames>>,
}

impl<P: Deref<Target = Network> + Send + Sync> Agent<P> {
    /// A player who needs no model, on boards of this shape.
    pub fn named(
        player: PlayerName,
        shape: Shape,
        ply: Option<u8>,
        time: Option<Duration>,
    ) -> Result<Self, AgentError> {
        if !player.is_heuristic() && (ply.is_some() || time.is_some()) {
            return Err(AgentError::Blind(player.name()));
        }
        let (judge, usual) = match player {
            PlayerName::Heuristic => (Judge::Heuristic(Box::new(Heuristic::tuned(shape))), 2),
            PlayerName::MayerHirshfeld => {
                let published = Box::new(MayerHirshfeld::new(shape));
                (Judge::MayerHirshfeld(published), MayerHirshfeld::limits(shape).ply)
            }
            other => (Judge::None(other), 1),
        };
        Self::new(judge, shape, Depth::of(ply, time, usual))
    }

    /// A network whose values are values of `subject`.
    pub fn of_network(
        network: P,
        subject: Subject,
        ply: Option<u8>,
        time: Option<Duration>,
    ) -> Result<Self, AgentError> {
        let shape = network.structure().shape;
        let looks_ahead = ply.is_some_and(|ply| ply > 1) || time.is_some();
        let judge = match subject {
            Subject::Afterstates => {
                let largest = network.largest_rank();
                Judge::Values(Points(network), largest)
            }
            Subject::States if looks_ahead => return Err(AgentError::Values("states")),
            Subject::Actions if looks_ahead => return Err(AgentError::Values("actions")),
            Subject::States | Subject::Actions => Judge::Learned(network, subject),
        };
        Self::new(judge, shape, Depth::of(ply, time, 1))
    }

    fn new(judge: Judge<P>, shape: Shape, depth: Depth) -> Result<Self, AgentError> {
        if !(1..=MAX_PLY).contains(&depth.ply) {
            return Err(AgentError::Ply(depth.ply));
        }
        let table = Table::new(if depth.ply > 2 { TABLE_BYTES } else { 0 });
        Ok(Self { depth, judge, shape, table, tuning: Tuning::default(), endgames: None })
    }

    /// How many moves it looks ahead, if it does.
    pub fn ply(&self) -> Option<u8> {
        self.searches().then_some(self.depth.ply)
    }

    /// Whether it can look further than one move.
    pub fn searches(&self) -> bool {
        matches!(self.judge, Judge::Values(..) | Judge::Heuristic(_) | Judge::MayerHirshfeld(_))
    }

    /// Makes room for searches so deep.
    pub fn prepare(&mut self, depth: Depth) {
        if self.tuning.table.is_none() && depth.ply > 2 && self.table.bytes() < TABLE_BYTES {
            self.table = Table::new(TABLE_BYTES);
        }
    }

    /// The same with this much memory for its searches, however deep they go.
    #[must_use]
    pub fn with_table(self, bytes: usize) -> Self {
        Self { table: Table::new(bytes), ..self }
    }

    /// Spends the depth of its searches like this; whoever does not search is refused.
    pub fn tuned(mut self, tuning: Tuning) -> Result<Self, AgentError> {
        if tuning.is_default() {
            return Ok(self);
        }
        if !self.searches() {
            return Err(AgentError::Tuned);
        }
        let usual = if tuning.deepest(self.depth.ply) > 2 { TABLE_BYTES } else { 0 };
        self.table = Table::new(tuning.table.unwrap_or(usual));
        self.tuning = tuning.ordered();
        Ok(self)
    }

    /// The way it spends its depth.
    pub fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// The same with these tables for the last climbs of a game; whoever does not look for points has no use for them.
    #[must_use]
    pub fn with_endgames(self, endgames: Arc<Endgames>) -> Self {
        Self { endgames: Some(endgames), ..self }
    }

    /// A player for one thread. With a stage it goes on with a game that is in that stage already.
    pub fn player<G: Game>(&self, stage: Stage) -> Box<dyn Player<G> + '_> {
        match &self.judge {
            Judge::Values(leaf, largest) if self.is_greedy() => {
                let searcher = self.searcher(leaf, *largest, stage, &self.table);
                Box::new(Greedy::new(&leaf.0, *largest, stage, searcher))
            }
            Judge::Values(leaf, largest) => Box::new(self.searcher(leaf, *largest, stage, &self.table)),
            Judge::Heuristic(leaf) => Box::new(self.searcher(leaf.as_ref(), None, stage, &self.table)),
            Judge::MayerHirshfeld(leaf) => Box::new(Memoized::new(self, leaf.as_ref())),
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

    /// Whether it looks one move ahead and follows nothing but its values.
    fn is_greedy(&self) -> bool {
        let one_ply = self.depth == (Depth { ply: 1, budget: None });
        one_ply && self.endgames.is_none() && self.tuning.by_empty.is_empty()
    }

    /// The limits of a search so deep.
    fn limits(&self, ply: u8) -> Limits<'static> {
        let usual = match self.judge {
            Judge::MayerHirshfeld(_) => Limits { ply, ..MayerHirshfeld::limits(self.shape) },
            _ => Limits::ply(ply),
        };
        let Tuning { cut_off, by_empty, .. } = &self.tuning;
        Limits { cut_off: cut_off.unwrap_or(usual.cut_off), by_empty: by_empty.clone(), ..usual }
    }

    /// Says whether a search so deep is worth a table.
    fn remembers(&self, ply: u8) -> bool {
        self.tuning.deepest(ply) > 2 || self.tuning.table.is_some()
    }

    fn searcher<'a, G: Game, L: Leaf<G>>(
        &'a self,
        leaf: &'a L,
        largest: Option<u8>,
        stage: Stage,
        table: &'a Table,
    ) -> Timed<'a, G, L> {
        let stop: Option<&(dyn Fn() -> bool + Sync)> =
            if self.depth.budget.is_some() { Some(&expired) } else { None };
        let mut player = SearchPlayer::new(leaf, Limits { stop, ..self.limits(self.depth.ply) });
        if self.remembers(self.depth.ply) {
            player = player.with_table(table);
        }
        if let Some(largest) = largest {
            player = player.with_downgrading(largest);
        }
        if let Some(endgames) = &self.endgames {
            player = player.with_endgames(endgames);
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate::episode::play;
    use afterstate::game::twenty48::Twenty48;
    use afterstate::network::Structure;
    use afterstate::player::ValuePlayer;
    use afterstate::random::Random;
    use afterstate::search::Workspace;

    type Boxed = Agent<Box<Network>>;

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
    fn an_agent_plays_as_its_network_values() {
        let game = Twenty48::<16>::new(Shape::FOUR);
        let agent = Boxed::of_network(network(), Subject::Afterstates, None, None).unwrap();
        let value = network();
        for seed in 0..5 {
            let mine = play(&game, &mut agent.player::<Twenty48<16>>(0), &mut Random::new(seed), &mut ());
            let theirs = play(&game, &mut ValuePlayer::new(&*value), &mut Random::new(seed), &mut ());
            assert_eq!(mine, theirs);
            let values = agent.values(&game, &mine.last, 0, &mut Workspace::default());
            assert_eq!(values, [None; 4], "the game is over");
        }
        assert_eq!(agent.ply(), Some(1));
    }

    /// A search that is told its depth by empty cells, or cut off, is the library's with the same limits.
    #[test]
    fn tuning_reaches_the_search() {
        let game = Twenty48::<16>::new(Shape::FOUR);
        let tuning = Tuning { cut_off: Some(0.02), by_empty: vec![(9, 2), (5, 3)], table: Some(1 << 20) };
        let agent = Boxed::of_network(network(), Subject::Afterstates, Some(1), None).unwrap();
        let plain = play(&game, &mut agent.player::<Twenty48<16>>(0), &mut Random::new(3), &mut ());
        let agent = agent.tuned(tuning).unwrap();
        let limits = Limits { by_empty: vec![(5, 3), (9, 2)], cut_off: 0.02, ..Limits::ply(1) };
        let leaf = Points(network());
        let mine = play(&game, &mut agent.player::<Twenty48<16>>(0), &mut Random::new(3), &mut ());
        let theirs = play(&game, &mut SearchPlayer::new(&leaf, limits), &mut Random::new(3), &mut ());
        assert_eq!(mine, theirs);
        assert_ne!(mine.score, plain.score);
        let blind = Boxed::named(PlayerName::Greedy, Shape::FOUR, None, None).unwrap();
        let tuning = Tuning { cut_off: Some(0.1), ..Tuning::default() };
        assert!(blind.tuned(tuning).map(|_| ()).unwrap_err().to_string().contains("does not look ahead"));
    }

    /// Mayer-Hirshfeld's table answers whatever the probability; still a game is a function of its seed, and what a position is
    /// worth does not depend on what was asked before.
    #[test]
    fn the_published_search_is_the_same_in_any_company() {
        let game = Twenty48::<16>::new(Shape::new(3, 3).unwrap());
        let agent = Boxed::named(PlayerName::MayerHirshfeld, game.shape(), Some(4), None).unwrap();
        let alone = play(&game, &mut agent.player::<Twenty48<16>>(0), &mut Random::new(1), &mut ());
        let mut player = agent.player::<Twenty48<16>>(0);
        let _ = play(&game, &mut player, &mut Random::new(2), &mut ());
        assert_eq!(play(&game, &mut player, &mut Random::new(1), &mut ()), alone);
        let mut state = game.start(&mut Random::new(5));
        let mut work = Workspace::default();
        let first = agent.values(&game, &state, 0, &mut work);
        let asked = state;
        while let Some(choice) = player.choose(&game, &state) {
            let values = agent.values(&game, &state, 0, &mut work);
            let best = values.iter().flatten().fold(f32::NEG_INFINITY, |best, &value| best.max(value));
            assert_eq!(values[choice.direction as usize], Some(best), "analysis and play agree");
            state = game.spawn(&choice.slide.afterstate, &mut Random::new(6)).state;
        }
        assert_eq!(agent.values(&game, &asked, 0, &mut work), first);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let named = |player, ply| Boxed::named(player, Shape::FOUR, ply, None).map(|_| ());
        let complaint = |player, ply| named(player, ply).unwrap_err().to_string();
        assert!(PlayerName::parse("magnus").unwrap_err().to_string().contains("no player 'magnus'"));
        assert!(complaint(PlayerName::Greedy, Some(2)).contains("does not look ahead"));
        assert!(complaint(PlayerName::Heuristic, Some(0)).contains("not a depth"));
        for subject in [Subject::States, Subject::Actions] {
            let error = Boxed::of_network(network(), subject, Some(2), None).map(|_| ()).unwrap_err();
            assert!(error.to_string().contains("cannot be searched"));
        }
        for name in ["random", "greedy", "corner", "heuristic", "mayer-hirshfeld"] {
            assert!(named(PlayerName::parse(name).unwrap(), None).is_ok());
        }
    }
}
