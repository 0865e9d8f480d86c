//! `cargo +nightly fuzz run recipe`
#![no_main]

#[path = "../files.rs"]
mod files;

libfuzzer_sys::fuzz_target!(|data: &[u8]| files::recipe(data));
