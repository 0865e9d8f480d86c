//! A player who follows what a learner knows, whatever its values are values of.

use crate::game::Game;
use crate::learn::subject::{Chooser, Staging, Subject};
use crate::network::Network;
use crate::player::{Choice, Player};
use crate::random::Random;

/// Plays greedily by values of afterstates, states or actions, exactly as in training.
#[derive(Debug)]
pub struct LearnedPlayer<'a> {
    network: &'a Network,
    chooser: Chooser,
    stage: u8,
}

impl<'a> LearnedPlayer<'a> {
    /// A player with this network, whose values are values of `subject`.
    pub fn new(network: &'a Network, subject: Subject) -> Self {
        Self { network, chooser: Chooser::new(subject, Staging::Follow), stage: 0 }
    }
}

impl<G: Game> Player<G> for LearnedPlayer<'_> {
    fn begin(&mut self, _: &G, _: Random) {
        self.stage = 0;
    }

    fn choose(&mut self, game: &G, state: &G::State) -> Option<Choice<G::Afterstate>> {
        let choice = self.chooser.choose(game, self.network, state, self.stage)?;
        self.stage = choice.stage;
        Some(Choice { direction: choice.direction, slide: choice.slide })
    }
}
