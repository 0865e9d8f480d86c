//! Experiments: everything around the library that touches files and the clock.
//!
//! A [`recipe`] says what to try, a [`run`] directory holds the results, a [`model`] is a network
//! in a file, an [`engine`] plays with it.
//!
//! ```
//! use afterstate_lab::engine::{Engine, EngineOptions, SearchBudget};
//! use afterstate_lab::recipe::Recipe;
//! use afterstate_lab::run::{Reporter, RunOptions, train};
//!
//! struct Quiet;
//! impl Reporter for Quiet {}
//!
//! let recipe = "[network]\npatterns = \"0123 0145\"\n[run]\ngames = 200\n";
//! let recipe = Recipe::parse("tiny", recipe, &[]).unwrap();
//! let place = tempfile::tempdir().unwrap();
//! let finished = train(&recipe, &place.path().join("run"), RunOptions::default(), &Quiet).unwrap();
//! let engine = Engine::open(&EngineOptions {
//!     model: Some(finished.model),
//!     budget: Some(SearchBudget::ply(2)),
//!     ..EngineOptions::default()
//! })
//! .unwrap();
//! assert_eq!(engine.game.rules.id(), "2048-4x4-v1");
//! ```
//!
//! | group | modules |
//! |---|---|
//! | training | [`recipe`], [`run`], [`sweep`], [`export`] (TensorBoard) |
//! | models | [`model`], [`metadata`], [`import`], [`export`], [`pack`], [`join`], [`model_card`], [`builtin`], [`mapped`], [`model_source`], [`compat`] |
//! | play | [`engine`], [`endgames`], [`analysis`], [`api`], [`replay`], [`variant`] |
//! | results | [`results`], [`shard`], [`shard_index`], [`game_times`], [`climbs`], [`compare`], [`stage_gap`] |
//! | files | [`atomic`], [`disk`], [`host`], [`memory`], [`number`] |

pub mod analysis;
pub mod api;
pub mod atomic;
pub mod builtin;
pub mod climbs;
pub mod compare;
pub mod compat;
pub mod disk;
pub mod endgames;
pub mod engine;
pub mod export;
pub mod game_times;
pub mod host;
pub mod import;
pub mod join;
pub mod mapped;
pub mod memory;
pub mod metadata;
pub mod model;
pub mod model_card;
pub mod model_source;
pub mod number;
pub mod pack;
pub mod recipe;
pub mod replay;
pub mod results;
pub mod run;
pub mod shard;
pub mod shard_index;
pub mod stage_gap;
pub mod sweep;
pub mod variant;
