//! The engine in a browser: what the server answers about games, without a server.
//!
//! | module | the one idea |
//! |---|---|
//! | [`service`] | requests by name, answered by [`afterstate_lab::api`] |
//! | `exports` | the functions that a page calls, in a module for browsers only |
//! | `host` | the clock and the chance of the browser |
//!
//! `tools/wasm` builds the module. The page's worker, `crates/serve/page/js/worker.js`, loads it
//! and brings it requests; there is no second implementation of the rules or the search.

#[cfg(target_family = "wasm")]
mod exports;
#[cfg(target_family = "wasm")]
mod host;
pub mod service;
