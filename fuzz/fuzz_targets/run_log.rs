//! `cargo +nightly fuzz run run_log`
#![no_main]

#[path = "../files.rs"]
mod files;

libfuzzer_sys::fuzz_target!(|data: &[u8]| files::run_log(data));
