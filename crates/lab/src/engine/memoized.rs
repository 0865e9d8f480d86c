//! The player of Mayer-Hirshfeld et al., who remembers within a move and no longer.

use super::player::TimedPlayer;
use super::{Engine, SearchBudget, TABLE_BYTES};
use afterstate::game::Game;
use afterstate::network::Network;
use afterstate::player::{Choice, Player};
use afterstate::random::Random;
use afterstate::search::TranspositionTable;
use afterstate::value::Value;
use std::ops::Deref;

/// A search whose table takes a position for known whatever the probability it was reached with.
///
/// A value then depends on what was searched before. So every move begins with an empty table of
/// its own: a game is the same on any number of threads, and `analyze` says of a position what the
/// player thinks of it.
pub(super) struct Memoized<'a, N, L> {
    engine: &'a Engine<N>,
    leaf: &'a L,
    table: TranspositionTable,
}

impl<'a, N, L> Memoized<'a, N, L> {
    pub(super) fn new(engine: &'a Engine<N>, leaf: &'a L) -> Self {
        Self { engine, leaf, table: engine.empty_table(engine.budget) }
    }
}

/// Bytes of a table for a second of thinking: they are emptied in a tenth of it.
const BYTES_PER_SECOND: f64 = 5e8;

impl<N> Engine<N> {
    /// An empty table for one search. Shallow and hasty ones would spend their time on emptying a
    /// large one.
    pub(super) fn empty_table(&self, budget: SearchBudget<'_>) -> TranspositionTable {
        let by_ply = TABLE_BYTES >> (2 * 7_u8.saturating_sub(budget.ply).min(4));
        let by_time = budget.time.map_or(by_ply, |time| (time.as_secs_f64() * BYTES_PER_SECOND) as usize);
        let most = by_ply.min(by_time).min(self.table.bytes());
        // Where there is no memory for it, less is remembered.
        let bytes = self.tuning.table.unwrap_or(most);
        TranspositionTable::try_new(bytes).unwrap_or_else(|_| TranspositionTable::new(0))
    }
}

impl<G: Game, N: Deref<Target = Network> + Send + Sync, L: Value<G>> Player<G> for Memoized<'_, N, L> {
    fn begin(&mut self, _: &G, _: Random) {}

    fn choose(&mut self, game: &G, state: &G::State) -> Option<Choice<G::Afterstate>> {
        self.table.clear();
        let mut player: TimedPlayer<'_, G, L> = self.engine.searcher(self.leaf, None, 0, &self.table);
        player.choose(game, state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::PlayerName;
    use crate::variant::{ConfiguredGame, Variant};
    use std::time::Duration;

    #[test]
    fn hasty_searches_have_small_tables() {
        let game = ConfiguredGame::parse("2048", Variant::default()).unwrap();
        let engine: Engine<Box<Network>> = Engine::of_player(PlayerName::MayerHirshfeld, game, None).unwrap();
        let bytes = |ply, time| engine.empty_table(SearchBudget { time, ..SearchBudget::ply(ply) }).bytes();
        assert_eq!((bytes(9, None), bytes(3, None)), (TABLE_BYTES, TABLE_BYTES >> 8));
        assert!(bytes(20, Some(Duration::from_millis(1))) <= 500_000);
        assert_eq!(bytes(20, Some(Duration::from_secs(9))), TABLE_BYTES);
    }
}
