//! The clock of players: the library reads none, so a time limit reaches the search as a question.

use afterstate::game::Game;
use afterstate::lookahead::SearchPlayer;
use afterstate::player::{Choice, Player};
use afterstate::random::Random;
use afterstate::search::{Leaf, Limits, Table};
use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    /// When the move this thread is thinking about must be made.
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

fn expired() -> bool {
    DEADLINE.get().is_some_and(|deadline| Instant::now() >= deadline)
}

/// A player who searches on one thread, with a limit on the time of each move if there is one.
pub(crate) struct Timed<'a, G: Game, L> {
    player: SearchPlayer<'a, G, L>,
    budget: Option<Duration>,
}

impl<'a, G: Game, L: Leaf<G>> Timed<'a, G, L> {
    pub(crate) fn new(leaf: &'a L, ply: u8, table: &'a Table, budget: Option<Duration>) -> Self {
        let mut limits = Limits::ply(ply);
        if budget.is_some() {
            limits.stop = Some(&expired);
        }
        let player = SearchPlayer::new(leaf, limits);
        Self { player: if ply > 2 { player.with_table(table) } else { player }, budget }
    }
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
