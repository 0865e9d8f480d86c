//! Logs in formats other programs read.

pub mod tensorboard;
