//! Experiments people can trust: everything around the library that touches files and the clock.
//!
//! A [`recipe`] says what to try; a [`run`] directory holds what came of it; a [`model`]
//! is what players load, in our format or another program's.

pub mod agent;
pub mod analysis;
pub mod atomic;
pub mod builtin;
pub mod card;
pub mod climbs;
pub mod compare;
pub mod disk;
pub mod endgames;
pub mod export;
pub mod fit;
pub mod import;
pub mod join;
pub mod jumps;
pub mod metadata;
pub mod mind;
pub mod model;
pub mod number;
pub mod pack;
pub mod part;
pub mod recipe;
pub mod replay;
pub mod report;
pub mod reproduce;
pub mod results;
pub mod run;
pub mod shard;
pub mod sweep;
pub mod variant;
