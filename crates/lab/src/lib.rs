//! Experiments people can trust: everything around the library that touches files and the clock.
//!
//! A [`recipe`] says what to try; a [`run`] directory holds what came of it; a [`model`]
//! is what players load, in our format or another program's.

pub mod analysis;
pub mod atomic;
pub mod builtin;
pub mod compare;
pub mod compat;
pub mod disk;
pub mod endgames;
pub mod engine;
pub mod export;
pub mod import;
pub mod join;
pub mod metadata;
pub mod model;
pub mod model_card;
pub mod number;
pub mod pack;
pub mod recipe;
pub mod replay;
pub mod report;
pub mod reproduce;
pub mod results;
pub mod run;
pub mod shard;
pub mod shard_index;
pub mod stage_gap;
pub mod sweep;
pub mod variant;
