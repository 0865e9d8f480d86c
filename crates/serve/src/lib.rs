//! The server: an HTTP API, and a page embedded in the binary that plays, analyses and watches.
//!
//! | module | the one idea |
//! |---|---|
//! | [`options`] | what may be asked for, and how much of it |
//! | `listen` | connections: how many, how slow, until when |
//! | `guard` | what every request must obey and every response carries |
//! | `pool` | searches: a few at a time, a short queue, given up when nobody waits |
//! | `engine_pool` | the engine of each game |
//! | `wire` | every JSON type |
//! | `body` | request bodies in, streams out |
//! | `api` | one file per group of requests |
//! | `assets` | the page |
//! | `metrics` | numbers for those who watch the server |
//! | `health` | the question of supervisors, asked from outside |
//! | `run_path` | names of runs, and the directories they stand for |
//! | `problem` | what goes wrong, as a status and a sentence |
//!
//! The server keeps nothing of its clients: a game lives in the page, a request carries its whole
//! position. Files are read below one directory only, and never executed.

mod api;
mod assets;
mod body;
mod engine_pool;
mod guard;
mod health;
mod listen;
mod metrics;
pub mod options;
mod pool;
mod problem;
mod run_path;
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
    metrics: metrics::Metrics,
    /// Number of clients that follow runs.
    followers: Arc<tokio::sync::Semaphore>,
}

type Shared = axum::extract::State<Arc<App>>;
