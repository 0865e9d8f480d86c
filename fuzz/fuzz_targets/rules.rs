//! `cargo +nightly fuzz run rules`
#![no_main]

#[path = "../bodies.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::rules_against_reference(data));
