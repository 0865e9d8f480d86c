//! One number that tells a functional change from a non-functional one.
//!
//! It is a hash of fixed games: changes that make the program faster or tidier must keep it;
//! changes of what a game, a player or chance does change it.

use crate::episode::{Opening, play};
use crate::game::Game;
use crate::game::catalogue::GameSpec;
use crate::game::twenty48::Twenty48;
use crate::grid::Shape;
use crate::learn::Learner;
use crate::learn::step_size::{StepRule, StepSize};
use crate::learn::target::Target;
use crate::network::{Network, Structure};
use crate::player::{CornerPlayer, GreedyPlayer, Player, RandomPlayer, SearchPlayer};
use crate::random::Random;
use crate::search::Limits;
use crate::search::heuristic::Heuristic;
use crate::train::{Method, Trainer};
use crate::with_game;

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

/// The signature of rules, chance, players, search and learning: every move and spawn of fixed
/// games, the weights of small networks after training, and what a search with them says.
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
    add_learning(&mut signature);
    signature.value()
}

/// Trains small networks by different rules, and searches with each.
fn add_learning(signature: &mut Signature) {
    let game = Twenty48::<16>::new(Shape::FOUR);
    let rules = [
        (StepRule::Fixed { per_weight: 0.01 }, Target::td0()),
        (StepRule::Coherence { beta: 1.0, kept: 1.0 }, Target::Backward { lambda: 0.5 }),
        (StepRule::VisitCount { eta: 1.0 }, Target::td0()),
    ];
    for (kind, target) in rules {
        let network = Network::new(Structure::tuples(game.shape, "4x4", 16).expect("a set known by name"));
        let step_size = StepSize::new(kind, &network);
        let learner = Learner { network, step_size };
        let mut trainer = Trainer::new(game.clone(), Method { target, ..Method::default() }, 1, 1);
        trainer.round(&learner, 100, &());
        let progress = trainer.progress();
        signature.add(&progress.moves.to_le_bytes());
        for table in 0..learner.network.tables() {
            for entry in learner.network.table_entries(table) {
                signature.add(&learner.network.bank(0).get(entry).to_le_bytes());
            }
        }
        let mut player = SearchPlayer::new(&learner.network, Limits::ply(3));
        let mut random = Random::new(2);
        let mut state = game.start(&mut random);
        for _ in 0..20 {
            let answer = player.search(&game, &state);
            for value in answer.moves.into_iter().flatten() {
                signature.add(&value.value.to_le_bytes());
            }
            let Some(choice) = player.choose(&game, &state) else { break };
            state = game.spawn(&choice.slide.afterstate, &mut random).state;
        }
    }
}

/// Games are broken off here: enough to see a difference.
const MOVES: usize = 200;

fn add_game<G: Game>(signature: &mut Signature, game: &G, player: &mut dyn Player<G>, seed: u64) {
    let mut opening = Opening::of(MOVES);
    let episode = play(game, player, &mut Random::new(seed), &mut opening);
    for (direction, spawn) in &opening.record.steps {
        signature.add(&[*direction as u8, spawn.cell, spawn.rank, spawn.hint]);
    }
    signature.add(&episode.score.to_le_bytes());
}
