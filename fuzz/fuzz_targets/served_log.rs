//! `cargo +nightly fuzz run served_log`
#![no_main]

#[path = "../http.rs"]
mod http;

libfuzzer_sys::fuzz_target!(|data: &[u8]| http::served_log(data));
