//! Experiments people can trust: everything that touches files.

pub mod atomic;
pub mod export;
pub mod import;
pub mod model;
