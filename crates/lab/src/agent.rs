//! Somebody who plays: a network or a player by name, and how far it looks ahead.

use crate::clock::{Timed, expired};
use afterstate::game::Game;
use afterstate::game::catalogue::GameSpec;
use afterstate::grid::{Direction, Shape};
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
use std::ops::Deref;
use std::time::{Duration, Instant};
use thiserror::Error;

/// The memory of searches that look further than two moves.
const TABLE_BYTES: usize = 64 << 20;

/// Why there is no such agent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AgentError {
    /// No player of this name.
    #[error("there is no player '{0}'; there are random, greedy, corner, heuristic and mayer-hirshfeld")]
    Unknown(String),
    /// A player who does not look ahead was asked to.
    #[error(
        "the {0} player does not look ahead; leave ply and time per move out, or use the heuristic player or a model"
    )]
    Blind(&'static str),
    /// A depth nobody searches.
    #[error("{0} is not a depth; look from 1 to {MAX_PLY} moves ahead")]
    Ply(u8),
    /// Values that cannot be searched.
    #[error("the model holds values of {0}, which cannot be searched; leave ply and time per move out")]
    Values(&'static str),
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

    /// The player of this name, if it needs no model.
    pub fn parse(name: &str) -> Result<Self, AgentError> {
        let all = [Self::Random, Self::Greedy, Self::Corner, Self::Heuristic, Self::MayerHirshfeld];
        all.into_iter().find(|player| player.name() == name).ok_or_else(|| AgentError::Unknown(name.into()))
    }

    /// Whether it searches without a model.
    pub fn is_heuristic(self) -> bool {
        matches!(self, Self::Heuristic | Self::MayerHirshfeld)
    }
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
        Ok(Self { depth, judge, shape, table })
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
                Limits { ply, any_probability_hits: false, ..MayerHirshfeld::limits(self.shape) }
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

    /// What every move of a state is worth at the agent's own depth, `None` where it is not legal.
    pub fn values<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        stage: Stage,
        work: &mut Workspace<G>,
    ) -> [Option<f32>; 4] {
        self.judge(game, state, stage, self.depth, 1, work).moves.map(|found| found.map(|found| found.value))
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

/// Whether a network of one game plays another as it stands, without being turned or scaled.
pub fn plays_as_it_is(own: &GameSpec, wanted: &GameSpec) -> bool {
    let threes = |spec: &GameSpec| spec.family.name().starts_with("threes");
    own.shape == wanted.shape && (own.family == wanted.family || threes(own) && threes(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate::episode::play;
    use afterstate::game::twenty48::Twenty48;
    use afterstate::network::Structure;
    use afterstate::player::ValuePlayer;
    use afterstate::random::Random;

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

    #[test]
    fn families_with_the_same_boards_need_no_change() {
        let spec = |name| GameSpec::parse(name).unwrap();
        assert!(plays_as_it_is(&spec("threes"), &spec("threes-app")));
        assert!(plays_as_it_is(&spec("2048-3x3"), &spec("2048-3x3")));
        for (own, wanted) in [("2048", "1024"), ("2048-2x3", "2048-3x2"), ("2048", "threes")] {
            assert!(!plays_as_it_is(&spec(own), &spec(wanted)));
        }
    }
}
