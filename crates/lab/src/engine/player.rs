//! Players for whole games.

use super::memoized::Memoized;
use super::{Engine, Evaluator, PlayerName};
use crate::host;
use afterstate::game::Game;
use afterstate::learn::greedy::ValueKind;
use afterstate::network::Network;
use afterstate::player::{
    Choice, CornerPlayer, GreedyPlayer, NetworkPlayer, Player, RandomPlayer, SearchPlayer,
};
use afterstate::random::Random;
use afterstate::search::TranspositionTable;
use afterstate::value::{Stage, Value};
use std::ops::Deref;
use std::time::Duration;

impl<N: Deref<Target = Network> + Send + Sync> Engine<N> {
    /// A player for one thread. With a stage it continues a game that is in that stage already.
    pub fn player<G: Game>(&self, stage: Stage) -> Box<dyn Player<G> + '_> {
        match &self.evaluator {
            Evaluator::Afterstates(network, largest) if self.is_greedy() => {
                let mut learned = NetworkPlayer::new(network, ValueKind::Afterstates);
                learned.set_stage(stage);
                let searcher = self.searcher(&**network, *largest, stage, &self.table);
                Box::new(DowngradingPlayer { learned, largest: *largest, searcher })
            }
            Evaluator::Afterstates(network, largest) => {
                Box::new(self.searcher(&**network, *largest, stage, &self.table))
            }
            Evaluator::Quantized(network, largest) => {
                Box::new(self.searcher(&**network, *largest, stage, &self.table))
            }
            Evaluator::Heuristic(leaf) => Box::new(self.searcher(leaf.as_ref(), None, stage, &self.table)),
            Evaluator::MayerHirshfeld(leaf) => Box::new(Memoized::new(self, leaf.as_ref())),
            Evaluator::Greedy(network, value_kind) => {
                let mut player = NetworkPlayer::new(network, *value_kind);
                player.set_stage(stage);
                Box::new(player)
            }
            Evaluator::None => match self.player {
                PlayerName::Greedy => Box::new(GreedyPlayer),
                PlayerName::Corner => Box::new(CornerPlayer::default()),
                _ => Box::new(RandomPlayer::default()),
            },
        }
    }

    /// True for one ply over nothing but the network.
    fn is_greedy(&self) -> bool {
        let one_ply = self.budget.ply == 1 && self.budget.time.is_none();
        one_ply && self.endgames.is_none() && self.tuning.by_empty.is_empty()
    }

    pub(super) fn searcher<'a, G: Game, L: Value<G>>(
        &'a self,
        leaf: &'a L,
        largest: Option<u8>,
        stage: Stage,
        table: &'a TranspositionTable,
    ) -> TimedPlayer<'a, G, L> {
        let mut player = SearchPlayer::new(leaf, self.limits(self.budget.ply));
        if self.uses_table(self.budget.ply) {
            player = player.with_table(table);
        }
        if let Some(largest) = largest {
            player = player.with_downgrading(largest);
        }
        if let Some(endgames) = &self.endgames {
            player = player.with_endgames(endgames);
        }
        player.set_stage(stage);
        TimedPlayer { player, time: self.budget.time }
    }
}

/// Searches each move, within a time limit if there is one. The library reads no clock.
pub(super) struct TimedPlayer<'a, G: Game, L> {
    player: SearchPlayer<'a, G, L>,
    time: Option<Duration>,
}

impl<G: Game, L: Value<G>> Player<G> for TimedPlayer<'_, G, L> {
    fn begin(&mut self, game: &G, random: Random) {
        self.player.begin(game, random);
    }

    fn choose(&mut self, game: &G, state: &G::State) -> Option<Choice<G::Afterstate>> {
        let deadline = self.time.map(|time| host::now() + time);
        let expired = || deadline.is_some_and(|deadline| host::now() >= deadline);
        self.player.choose_until(game, state, deadline.map(|_| &expired as _))
    }
}

/// Plays greedily by V(s′), as in training, without the machinery of a search.
///
/// Boards with tiles beyond the network's alphabet go to a search of one ply, which downgrades
/// them.
struct DowngradingPlayer<'a, G: Game, L> {
    learned: NetworkPlayer<'a>,
    /// The largest rank the network knows.
    largest: Option<u8>,
    searcher: TimedPlayer<'a, G, L>,
}

impl<G: Game, L: Value<G>> Player<G> for DowngradingPlayer<'_, G, L> {
    fn begin(&mut self, game: &G, random: Random) {
        self.learned.begin(game, random);
    }

    fn choose(&mut self, game: &G, state: &G::State) -> Option<Choice<G::Afterstate>> {
        let is_known = |largest| game.state_view(state).cells.iter().all(|&rank| rank <= largest);
        if self.largest.is_none_or(is_known) {
            return self.learned.choose(game, state);
        }
        self.searcher.player.set_stage(self.learned.stage());
        let choice = self.searcher.choose(game, state);
        self.learned.set_stage(self.searcher.player.stage());
        choice
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::SearchBudget;
    use crate::variant::{ConfiguredGame, Variant};
    use afterstate::episode::play;
    use afterstate::game::twenty48::Twenty48;
    use afterstate::grid::Shape;
    use afterstate::network::Structure;
    use afterstate::network::stage::Stages;
    use afterstate::search::Limits;
    use std::time::Instant;

    /// With stages, and with tiles that the network sees on downgraded boards only.
    #[test]
    fn greedy_play_equals_a_search_of_one_ply() {
        let game = Twenty48::<16>::new(Shape::FOUR);
        let stages = Stages::new(vec![vec![5], vec![6, 5]]);
        let structure = Structure { stages, ..Structure::tuples(Shape::FOUR, "0123 0145", 7).unwrap() };
        let network = Network::new(structure);
        let mut random = Random::new(5);
        for (bank, table) in (0..3).flat_map(|bank| (0..network.tables()).map(move |table| (bank, table))) {
            for entry in network.table_entries(table) {
                network.bank(bank).set(entry, random.below(200) as f32);
            }
        }
        let mut search = SearchPlayer::new(&network, Limits::ply(1)).with_downgrading(6);
        let any = ConfiguredGame::parse("2048", Variant::default()).unwrap();
        let budget = Some(SearchBudget::ply(1));
        let engine = Engine::of_network(&network, ValueKind::Afterstates, any, budget).unwrap();
        let mut greedy = engine.player(0);
        let mut lowered = 0;
        for seed in 0..60 {
            let by_search = play(&game, &mut search, &mut Random::new(seed), &mut ());
            let by_values = play(&game, &mut *greedy, &mut Random::new(seed), &mut ());
            assert_eq!(by_search, by_values);
            lowered += u32::from(by_values.max_rank > 6);
        }
        assert!(lowered > 5, "{lowered} games had tiles beyond the alphabet");
    }

    /// A generous limit changes no move, and one that is over at once still makes legal ones.
    #[test]
    fn a_time_limit_ends_each_move() {
        let game = Twenty48::<16>::new(Shape::new(2, 3).unwrap());
        let player = |budget| {
            let any = ConfiguredGame::parse("2048-2x3", Variant::default()).unwrap();
            Engine::<Box<Network>>::of_player(PlayerName::Heuristic, any, Some(budget)).unwrap()
        };
        let hour = SearchBudget { time: Some(Duration::from_secs(3600)), ..SearchBudget::ply(2) };
        let played = |budget, seed| {
            let engine = player(budget);
            play(&game, &mut engine.player::<Twenty48<16>>(0), &mut Random::new(seed), &mut ())
        };
        assert_eq!(played(hour, 1), played(SearchBudget::ply(2), 1));
        let began = Instant::now();
        let hurried = played(SearchBudget::time(Duration::from_micros(10)), 1);
        assert!(hurried.moves > 5 && began.elapsed() < Duration::from_secs(20));
    }
}
