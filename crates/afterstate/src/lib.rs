//! 2048, Threes! and their relatives: exact rules, n-tuple networks, temporal difference learning,
//! expectimax search, exact solutions of small boards.
//!
//! A game alternates *states*, in which the player slides, and *afterstates*, to which chance adds
//! a tile. Values belong to afterstates, V(s′); players see states. A network learns them by
//! playing:
//!
//! ```
//! use afterstate::evaluate::{Plan, Summary, evaluate};
//! use afterstate::game::twenty48::Twenty48;
//! use afterstate::grid::Shape;
//! use afterstate::learn::Learner;
//! use afterstate::learn::step_size::{StepRule, StepSize};
//! use afterstate::learn::greedy::ValueKind;
//! use afterstate::player::NetworkPlayer;
//! use afterstate::network::{Network, Structure};
//! use afterstate::train::{Method, Trainer};
//!
//! let game = Twenty48::<16>::new(Shape::FOUR);
//! let network = Network::new(Structure::tuples(Shape::FOUR, "0123 0145", 12).unwrap());
//! let step_size = StepSize::new(StepRule::Coherence { beta: 1.0, kept: 1.0 }, &network);
//! let learner = Learner { network, step_size };
//! let mut trainer = Trainer::new(game.clone(), Method::default(), 1, 1);
//! trainer.round(&learner, 300, &());
//! let player = || NetworkPlayer::new(&learner.network, ValueKind::Afterstates);
//! let played = evaluate(&game, player, &Plan::new(20, 1), &());
//! assert!(Summary::of(&game, &played).unwrap().score.moments.mean() > 3000.0);
//! ```
//!
//! | group | modules |
//! |---|---|
//! | rules | [`game`] (2048, Threes!, the catalogue, the notation of positions), [`grid`], [`random`] |
//! | values | [`network`] (n-tuples, stages, the file format), [`value`] (the contract), [`endgame`] |
//! | learning | [`learn`] (target × step size × start), [`train`] (the loop), [`task`], [`exchange`] |
//! | play | [`player`], [`search`], [`episode`], [`batch`], [`budget`] (memory), [`threads`] |
//! | measurement | [`mod@evaluate`], [`statistics`], [`mod@perft`], [`solve`], [`stage_gap`], [`signature`] |
//!
//! [`player`] says which player to use when.
//!
//! The library opens no file or socket, prints nothing and reads no clock. Given a seed and one
//! thread it is a pure function.

#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod batch;
pub mod budget;
pub mod endgame;
pub mod episode;
pub mod evaluate;
pub mod exchange;
pub mod game;
pub mod grid;
pub mod learn;
pub mod network;
pub mod perft;
pub mod player;
pub mod processor;
pub mod random;
pub mod search;
pub mod signature;
pub mod solve;
pub mod stage_gap;
pub mod statistics;
pub mod task;
pub mod threads;
pub mod train;
pub mod value;

/// The README's example, as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
