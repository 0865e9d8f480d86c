//! Somebody who plays one game: a model or a player by name, and how far ahead it looks.

use afterstate::game::Game;
use afterstate::game::catalogue::GameSpec;
use afterstate::grid::Shape;
use afterstate::learn::subject::Subject;
use afterstate::learned::{LearnedPlayer, move_values};
use afterstate::lookahead::SearchPlayer;
use afterstate::network::Network;
use afterstate::player::{CornerPlayer, GreedyPlayer, Player, RandomPlayer};
use afterstate::search::heuristic::Heuristic;
use afterstate::search::{Leaf, Limits, MAX_PLY, Points, Search, Table, Workspace, downgraded};
use afterstate::value::Stage;
use std::ops::Deref;
use thiserror::Error;

/// The memory of searches that look further than two moves.
const TABLE_BYTES: usize = 64 << 20;

/// The players that need no model.
pub const PLAYERS: [&str; 4] = ["random", "greedy", "corner", "heuristic"];

/// Why there is no such agent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AgentError {
    /// No player of this name.
    #[error("there is no player '{0}'; there are random, greedy, corner and heuristic")]
    Unknown(String),
    /// A player who does not look ahead was asked to.
    #[error("the {0} player does not look ahead; leave the ply out, or use the heuristic player or a model")]
    Blind(String),
    /// A depth nobody searches.
    #[error("{0} is not a depth; look from 1 to {MAX_PLY} moves ahead")]
    Ply(u8),
    /// Values that cannot be searched.
    #[error("the model holds values of {0}, which cannot be searched; leave the ply out")]
    Values(&'static str),
}

/// How positions are judged, or moves chosen without judging. `P` points to a network.
enum Judge<P> {
    /// Values of afterstates, with the largest rank the network can tell from others.
    Values(Points<P>, Option<u8>),
    Learned(P, Subject),
    Heuristic(Box<Heuristic>),
    Random,
    Greedy,
    Corner,
}

/// Somebody who plays.
pub struct Agent<P> {
    judge: Judge<P>,
    ply: u8,
    table: Table,
}

impl<P: Deref<Target = Network> + Send + Sync> Agent<P> {
    /// A player by name, on boards of this shape.
    pub fn named(name: &str, shape: Shape, ply: Option<u8>) -> Result<Self, AgentError> {
        let judge = match name {
            "random" => Judge::Random,
            "greedy" => Judge::Greedy,
            "corner" => Judge::Corner,
            "heuristic" => Judge::Heuristic(Box::new(Heuristic::tuned(shape))),
            _ => return Err(AgentError::Unknown(name.into())),
        };
        if ply.is_some() && !matches!(judge, Judge::Heuristic(_)) {
            return Err(AgentError::Blind(name.into()));
        }
        Self::new(judge, ply.unwrap_or(2))
    }

    /// A network whose values are values of `subject`.
    pub fn of_network(network: P, subject: Subject, ply: Option<u8>) -> Result<Self, AgentError> {
        let judge = match (subject, ply) {
            (Subject::Afterstates, _) => {
                let largest = network.largest_rank();
                Judge::Values(Points(network), largest)
            }
            (_, None | Some(1)) => Judge::Learned(network, subject),
            (Subject::States, _) => return Err(AgentError::Values("states")),
            (Subject::Actions, _) => return Err(AgentError::Values("actions")),
        };
        Self::new(judge, ply.unwrap_or(1))
    }

    fn new(judge: Judge<P>, ply: u8) -> Result<Self, AgentError> {
        if !(1..=MAX_PLY).contains(&ply) {
            return Err(AgentError::Ply(ply));
        }
        Ok(Self { judge, ply, table: Table::new(if ply > 2 { TABLE_BYTES } else { 0 }) })
    }

    /// How many moves it looks ahead, if it does.
    pub fn ply(&self) -> Option<u8> {
        matches!(self.judge, Judge::Values(..) | Judge::Heuristic(_)).then_some(self.ply)
    }

    /// The network, if it has one.
    pub fn network(&self) -> Option<&Network> {
        match &self.judge {
            Judge::Values(Points(network), _) | Judge::Learned(network, _) => Some(network),
            _ => None,
        }
    }

    /// The stage a bare position is taken to be in.
    pub fn implied_stage<G: Game>(&self, game: &G, state: &G::State) -> Stage {
        self.network().map_or(0, |network| network.structure().stages.implied(game.state_view(state).cells))
    }

    /// A player for one thread, its game in this stage.
    pub fn player<G: Game>(&self, stage: Stage) -> Box<dyn Player<G> + '_> {
        match &self.judge {
            Judge::Values(leaf, largest) => {
                let mut player = self.searcher(leaf, stage);
                if let Some(largest) = *largest {
                    player = player.with_downgrading(largest);
                }
                Box::new(player)
            }
            Judge::Heuristic(leaf) => Box::new(self.searcher(leaf.as_ref(), stage)),
            Judge::Learned(network, subject) => {
                let mut player = LearnedPlayer::new(network, *subject);
                player.set_stage(stage);
                Box::new(player)
            }
            Judge::Random => Box::new(RandomPlayer::default()),
            Judge::Greedy => Box::new(GreedyPlayer),
            Judge::Corner => Box::new(CornerPlayer::default()),
        }
    }

    fn searcher<'a, G: Game, L: Leaf<G>>(&'a self, leaf: &'a L, stage: Stage) -> SearchPlayer<'a, G, L> {
        let mut player = SearchPlayer::new(leaf, Limits::ply(self.ply));
        if self.ply > 2 {
            player = player.with_table(&self.table);
        }
        player.set_stage(stage);
        player
    }

    /// What every move of a state is worth, `None` where it is not legal; without judgement, its reward.
    pub fn values<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        stage: Stage,
        work: &mut Workspace<G>,
    ) -> [Option<f32>; 4] {
        match &self.judge {
            Judge::Values(leaf, largest) => {
                let lowered = largest.and_then(|largest| downgraded(game, state, largest));
                self.searched(game, leaf, lowered.as_ref().unwrap_or(state), stage, work)
            }
            Judge::Heuristic(leaf) => self.searched(game, leaf.as_ref(), state, stage, work),
            Judge::Learned(network, subject) => move_values(game, network, *subject, state, stage),
            _ => game.slides(state).map(|slide| slide.map(|slide| slide.reward as f32)),
        }
    }

    fn searched<G: Game, L: Leaf<G>>(
        &self,
        game: &G,
        leaf: &L,
        state: &G::State,
        stage: Stage,
        work: &mut Workspace<G>,
    ) -> [Option<f32>; 4] {
        let mut search = Search::new(game, leaf);
        if self.ply > 2 {
            search = search.with_table(&self.table);
        }
        let answer = search.run(state, stage, &Limits::ply(self.ply), work);
        answer.moves.map(|found| found.map(|found| found.value))
    }
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
        let agent = Boxed::of_network(network(), Subject::Afterstates, None).unwrap();
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
        let named = |name, ply| Boxed::named(name, Shape::FOUR, ply).map(|_| ()).unwrap_err().to_string();
        assert!(named("magnus", None).contains("no player 'magnus'"));
        assert!(named("greedy", Some(2)).contains("does not look ahead"));
        assert!(named("heuristic", Some(0)).contains("not a depth"));
        for subject in [Subject::States, Subject::Actions] {
            let error = Boxed::of_network(network(), subject, Some(2)).map(|_| ()).unwrap_err();
            assert!(error.to_string().contains("cannot be searched"));
        }
        for name in PLAYERS {
            assert!(Boxed::named(name, Shape::FOUR, None).is_ok());
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
