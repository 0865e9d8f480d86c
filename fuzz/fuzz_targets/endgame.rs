//! `cargo +nightly fuzz run endgame`
#![no_main]

#[path = "../endgames.rs"]
mod endgames;

libfuzzer_sys::fuzz_target!(|data: &[u8]| endgames::endgame(data));
