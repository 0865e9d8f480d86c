//! The player of Mayer-Hirshfeld et al., who remembers within a move and no longer.

use super::{Agent, TABLE_BYTES};
use afterstate::game::Game;
use afterstate::network::Network;
use afterstate::player::{Choice, Player};
use afterstate::random::Random;
use afterstate::search::{Leaf, Table};
use std::ops::Deref;

/// A search whose table takes a position for known whatever the probability it was reached with.
///
/// A value then depends on what was searched before. So every move begins with an empty table of its own: a game is the same on
/// any number of threads, and `analyze` says of a position what the player thinks of it.
pub(super) struct Memoized<'a, P, L> {
    agent: &'a Agent<P>,
    leaf: &'a L,
    table: Table,
}

impl<'a, P, L> Memoized<'a, P, L> {
    pub(super) fn new(agent: &'a Agent<P>, leaf: &'a L) -> Self {
        Self { agent, leaf, table: fresh(agent.depth.ply) }
    }
}

/// An empty table for a search so deep: shallow ones would spend their time on emptying a large one.
pub(super) fn fresh(ply: u8) -> Table {
    Table::new(TABLE_BYTES >> (2 * 7_u8.saturating_sub(ply).min(4)))
}

impl<G: Game, P: Deref<Target = Network> + Send + Sync, L: Leaf<G>> Player<G> for Memoized<'_, P, L> {
    fn begin(&mut self, _: &G, _: Random) {}

    fn choose(&mut self, game: &G, state: &G::State) -> Option<Choice<G::Afterstate>> {
        self.table.clear();
        self.agent.searcher(self.leaf, None, 0, &self.table).choose(game, state)
    }
}
