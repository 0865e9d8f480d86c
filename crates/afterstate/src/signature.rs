//! One number that tells a functional change from a non-functional one.
//!
//! It is a hash of fixed games: whoever makes the program faster or tidier must not
//! change it, and whoever changes what a game, a player or chance does cannot help it.

use crate::episode::{Record, Witness, play};
use crate::game::catalogue::GameSpec;
use crate::game::{Game, Outcome};
use crate::lookahead::SearchPlayer;
use crate::player::{Choice, CornerPlayer, GreedyPlayer, Player, RandomPlayer};
use crate::random::Random;
use crate::search::Limits;
use crate::search::heuristic::Heuristic;
use crate::with_game;
use std::ops::ControlFlow;

/// A running FNV-1a hash of 64 bits (Fowler, Noll & Vo).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature(u64);

impl Default for Signature {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Signature {
    /// Takes in bytes.
    ///
    /// ```
    /// use afterstate::signature::Signature;
    /// let mut signature = Signature::default();
    /// signature.add(b"foobar");
    /// assert_eq!(signature.value(), 0x85944171f73967e8);
    /// ```
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// The hash so far.
    pub fn value(&self) -> u64 {
        self.0
    }
}

/// The games that are played for the signature.
const GAMES: [&str; 7] = ["2048", "2048-3x3", "2048-5x5", "1024", "threes", "threes-app", "threes-course"];

/// The signature of rules, chance, baseline players and search: every move and spawn of fixed games.
pub fn signature() -> u64 {
    let mut signature = Signature::default();
    for name in GAMES {
        let any = GameSpec::parse(name).and_then(|spec| spec.build()).expect("a game of the catalogue");
        with_game!(&any, game => {
            signature.add(game.id().as_bytes());
            let judge = Heuristic::tuned(game.shape());
            for seed in 0..5 {
                add_game(&mut signature, game, &mut RandomPlayer::default(), seed);
                add_game(&mut signature, game, &mut GreedyPlayer, seed);
                add_game(&mut signature, game, &mut CornerPlayer::default(), seed);
            }
            add_game(&mut signature, game, &mut SearchPlayer::new(&judge, Limits::ply(2)), 0);
        });
    }
    signature.value()
}

/// Games are broken off here: enough to see a difference.
const MOVES: usize = 200;

fn add_game<G: Game>(signature: &mut Signature, game: &G, player: &mut dyn Player<G>, seed: u64) {
    let mut start = Opening(Record::default());
    let episode = play(game, player, &mut Random::new(seed), &mut start);
    for (direction, spawn) in &start.0.steps {
        signature.add(&[*direction as u8, spawn.cell, spawn.rank, spawn.hint]);
    }
    signature.add(&episode.score.to_le_bytes());
}

/// The first moves of a game.
struct Opening<S>(Record<S>);

impl<G: Game> Witness<G> for Opening<G::State> {
    fn start(&mut self, game: &G, state: &G::State) {
        self.0.start(game, state);
    }

    fn step(
        &mut self,
        game: &G,
        choice: &Choice<G::Afterstate>,
        outcome: &Outcome<G::State>,
    ) -> ControlFlow<()> {
        self.0.step(game, choice, outcome)?;
        if self.0.steps.len() < MOVES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
