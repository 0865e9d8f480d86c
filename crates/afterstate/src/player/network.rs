//! The greedy player over a trained network of V(s′), V(s) or Q(s, a).

use super::{Choice, Player};
use crate::game::Game;
use crate::learn::greedy::{self, Chooser, Staging, ValueKind};
use crate::network::Network;
use crate::network::stage::Stage;
use crate::processor::{Work, fastest};
use crate::random::Random;

/// Plays greedily by values of afterstates, states or actions, exactly as in training.
#[derive(Debug)]
pub struct NetworkPlayer<'a> {
    network: &'a Network,
    chooser: Chooser,
    stage: Stage,
}

impl<'a> NetworkPlayer<'a> {
    /// A player with this network, whose values are of this kind.
    pub fn new(network: &'a Network, value_kind: ValueKind) -> Self {
        Self { network, chooser: Chooser::new(value_kind, Staging::Follow), stage: 0 }
    }

    /// The stage its game is in.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Goes on with a game that is in this stage already.
    pub fn set_stage(&mut self, stage: Stage) {
        self.stage = stage;
    }
}

impl<G: Game> Player<G> for NetworkPlayer<'_> {
    fn begin(&mut self, _: &G, _: Random) {
        self.stage = 0;
    }

    fn choose(&mut self, game: &G, state: &G::State) -> Option<Choice<G::Afterstate>> {
        self.stage = self.network.structure().stages.standing(self.stage, game.state_view(state).cells);
        let choice = fastest(Greedily { player: self, game, state })?;
        self.stage = choice.stage;
        Some(Choice { direction: choice.direction, slide: choice.slide })
    }
}

/// The choice of a move, as training makes it.
struct Greedily<'a, 'n, G: Game> {
    player: &'a mut NetworkPlayer<'n>,
    game: &'a G,
    state: &'a G::State,
}

impl<G: Game> Work for Greedily<'_, '_, G> {
    type Result = Option<greedy::Choice<G::Afterstate>>;

    #[inline(always)]
    fn run(self) -> Self::Result {
        let NetworkPlayer { network, chooser, stage } = self.player;
        chooser.choose(self.game, network, self.state, *stage)
    }
}

/// Values of the legal moves, indexed by direction, as [`NetworkPlayer`] compares them.
pub fn move_values<G: Game>(
    game: &G,
    network: &Network,
    value_kind: ValueKind,
    state: &G::State,
    stage: Stage,
) -> [Option<f32>; 4] {
    let mut chooser = Chooser::new(value_kind, Staging::Follow);
    chooser.move_values(game, network, state, &game.slides(state), stage)
}
