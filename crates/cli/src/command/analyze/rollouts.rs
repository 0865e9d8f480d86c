//! `analyze --rollouts`: many games played on from one position.

use super::Session;
use crate::{cli, wire};
use afterstate::episode::play_on;
use afterstate::evaluate::{Played, Summary};
use afterstate::game::Game;
use afterstate::random::Random;
use afterstate::value::Stage;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

impl<G: Game> Session<'_, G> {
    /// Plays the games with the player who judges; the same for any number of threads.
    pub(super) fn rollouts(&self, state: &G::State, stage: Stage, games: u64) -> Option<wire::Rollouts> {
        let next = AtomicU64::new(0);
        let results = Mutex::new(Vec::new());
        let work = || loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= games {
                return;
            }
            let mut player = self.engine.player::<G>(stage);
            let mut random = Random::stream(self.args.seed, index);
            let end = play_on(self.game, &mut player, *state, &mut random, &mut ());
            let played =
                Played { index, score: end.score, moves: end.moves, max_rank: end.max_rank, goal: false };
            results.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(played);
        };
        std::thread::scope(|scope| {
            for _ in 1..cli::threads(self.args.engine.threads) {
                scope.spawn(work);
            }
            work();
        });
        let mut results = results.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        results.sort_unstable_by_key(|played| played.index);
        Summary::of(self.game, &results).map(|summary| wire::Rollouts::of(&summary))
    }
}
