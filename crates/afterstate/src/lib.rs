//! `afterstate`: 2048, Threes! and their relatives, played exactly and learned well.
//!
//! The library opens no file or socket, prints nothing and reads no clock. Given a
//! seed and one thread it is a pure function.

#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod batch;
pub mod endgame;
pub mod episode;
pub mod evaluate;
pub mod exchange;
pub mod game;
pub mod grid;
mod judge;
pub mod learn;
pub mod learned;
pub mod lookahead;
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
pub mod train;
pub mod value;
