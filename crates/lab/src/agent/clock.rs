//! The clock of players: the library reads none, so a time limit reaches the search as a question.

use afterstate::game::Game;
use afterstate::lookahead::SearchPlayer;
use afterstate::player::{Choice, Player};
use afterstate::random::Random;
use afterstate::search::Leaf;
use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    /// When the move this thread is thinking about must be made.
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Whether the move this thread is thinking about must be made now.
pub(crate) fn expired() -> bool {
    DEADLINE.get().is_some_and(|deadline| Instant::now() >= deadline)
}

/// A player who searches on one thread, with a limit on the time of each move if there is one.
///
/// The limits of the player ask [`expired`].
pub(crate) struct Timed<'a, G: Game, L> {
    pub(crate) player: SearchPlayer<'a, G, L>,
    pub(crate) budget: Option<Duration>,
}

impl<G: Game, L: Leaf<G>> Player<G> for Timed<'_, G, L> {
    fn begin(&mut self, game: &G, random: Random) {
        self.player.begin(game, random);
    }

    fn choose(&mut self, game: &G, state: &G::State) -> Option<Choice<G::Afterstate>> {
        DEADLINE.set(self.budget.map(|budget| Instant::now() + budget));
        self.player.choose(game, state)
    }
}
