//! The player who looks one move ahead, as in training.

use super::clock::Timed;
use afterstate::game::Game;
use afterstate::learn::subject::Subject;
use afterstate::learned::LearnedPlayer;
use afterstate::network::Network;
use afterstate::player::{Choice, Player};
use afterstate::random::Random;
use afterstate::search::Leaf;
use afterstate::value::Stage;

/// Plays greedily by values of afterstates, without the machinery of a search.
///
/// Only boards with tiles beyond the network's alphabet are left to a search of one move, which lowers them.
pub(super) struct Greedy<'a, G: Game, L> {
    learned: LearnedPlayer<'a>,
    /// The largest rank the network knows.
    largest: Option<u8>,
    searcher: Timed<'a, G, L>,
}

impl<'a, G: Game, L: Leaf<G>> Greedy<'a, G, L> {
    pub(super) fn new(
        network: &'a Network,
        largest: Option<u8>,
        stage: Stage,
        searcher: Timed<'a, G, L>,
    ) -> Self {
        let mut learned = LearnedPlayer::new(network, Subject::Afterstates);
        learned.set_stage(stage);
        Self { learned, largest, searcher }
    }
}

impl<G: Game, L: Leaf<G>> Player<G> for Greedy<'_, G, L> {
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
    use crate::agent::Agent;
    use afterstate::episode::play;
    use afterstate::game::twenty48::Twenty48;
    use afterstate::grid::Shape;
    use afterstate::learn::subject::Subject;
    use afterstate::lookahead::SearchPlayer;
    use afterstate::network::stage::Stages;
    use afterstate::network::{Network, Structure};
    use afterstate::random::Random;
    use afterstate::search::{Limits, Points};

    /// With stages, and with tiles that only a lowered board can show to the network.
    #[test]
    fn plays_what_a_search_of_one_move_plays() {
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
        let leaf = Points(&network);
        let mut search = SearchPlayer::new(&leaf, Limits::ply(1)).with_downgrading(6);
        let agent = Agent::of_network(&network, Subject::Afterstates, Some(1), None).unwrap();
        let mut greedy = agent.player(0);
        let mut lowered = 0;
        for seed in 0..60 {
            let by_search = play(&game, &mut search, &mut Random::new(seed), &mut ());
            let by_values = play(&game, &mut *greedy, &mut Random::new(seed), &mut ());
            assert_eq!(by_search, by_values);
            lowered += u32::from(by_values.max_rank > 6);
        }
        assert!(lowered > 5, "{lowered} games had tiles beyond the alphabet");
    }
}
