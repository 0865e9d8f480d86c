//! Experiments people can trust: everything around the library that touches files and the clock.
//!
//! A [`recipe`] says what to try; a [`run`] directory holds what came of it.

pub mod export;
pub mod recipe;
pub mod run;
