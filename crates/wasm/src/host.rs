//! The clock and the chance of the browser, and a place for its complaints.
//!
//! This is one of the few files with `unsafe`: it calls functions of the page.
#![allow(unsafe_code)]

use afterstate_lab::host::{self, Host};
use std::time::Duration;

// SAFETY: these are the functions that `engine.js` passes, with these arguments and answers.
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since some moment.
    safe fn now() -> f64;
    /// Sixty-four bits of chance.
    safe fn seed() -> u64;
    /// A message of the engine, before it stops.
    fn complain(start: *const u8, len: usize);
}

/// Has the lab ask the browser, and the browser hear of panics.
pub(crate) fn install() {
    let clock = || Duration::from_secs_f64(now().max(0.0) / 1000.0);
    host::install(Host { now: clock, seed: || seed() });
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.to_string();
        // SAFETY: the page reads the bytes before it returns, while the message lives.
        unsafe { complain(message.as_ptr(), message.len()) };
    }));
}
