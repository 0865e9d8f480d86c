//! `cargo +nightly fuzz run tdl2048`
#![no_main]

#[path = "../files.rs"]
mod files;

libfuzzer_sys::fuzz_target!(|data: &[u8]| files::tdl2048(data));
