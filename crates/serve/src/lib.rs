//! The server: an HTTP API, and a page embedded in the binary that plays, analyses and watches.
//!
//! | module | the one idea |
//! |---|---|
//! | [`options`] | what may be asked for, and how much of it |
//! | `listen` | connections: how many, how slow, until when |
//! | `guard` | what every request must obey and every response carries |
//! | `pool` | searches: a few at a time, a short queue, given up when nobody waits |
//! | `engine_pool` | the engine of each game |
//! | `wire` | JSON types of the server alone |
//! | `body` | request bodies in, streams out |
//! | `api` | one file per group of requests; those about games are answered by [`afterstate_lab::api`] |
//! | `assets` | the page |
//! | `compress` | answers in gzip |
//! | `request_log` | a line for each request |
//! | [`site`] | the page without a server, as a directory |
//! | `metrics` | numbers for those who watch the server |
//! | `health` | the question of supervisors, asked from outside |
//! | `client` | addresses that tell clients apart |
//! | `run_path` | names of runs |
//! | `run_files` | their files: no links, no pipes, off the threads that search |
//! | `problem` | what goes wrong, as a status and a sentence |
//!
//! The server keeps nothing of its clients: a game lives in the page, a request carries its whole
//! position. Files are read below one directory only, and never executed.

mod api;
mod assets;
mod body;
mod client;
mod compress;
mod engine_pool;
mod guard;
mod health;
mod listen;
mod metrics;
pub mod options;
mod pool;
mod problem;
mod request_log;
mod run_files;
mod run_path;
pub mod site;
mod wire;
mod write_timeout;

pub use health::health;
pub use listen::{Server, StartError};
pub use options::Options;

use std::sync::Arc;

/// State shared by all requests.
struct App {
    options: Options,
    engines: engine_pool::EnginePool,
    pool: pool::Pool,
    files: run_files::Files,
    /// Set when the player of the default game is there: what is to be said of it.
    ready: std::sync::OnceLock<Result<String, String>>,
    metrics: metrics::Metrics,
    log: std::sync::OnceLock<request_log::RequestLog>,
    /// Number of clients that follow runs.
    followers: Arc<tokio::sync::Semaphore>,
}

type Shared = axum::extract::State<Arc<App>>;
