//! Run directories: everything needed to repeat, resume and judge a training run.
//!
//! ```text
//! config.toml                the recipe, every choice written out
//! meta.json                  version, processor, threads, command line, times
//! train.jsonl                averages of every 1,000 and every 100,000 games
//! events.out.tfevents.*      the same for TensorBoard
//! eval/*.json                games played in between without learning
//! checkpoints/*.afterstate   the last few and the best; written beside, synced, renamed
//! model.afterstate           the result
//! lock                       held by the process that works here
//! ```

mod boards;
pub mod checkpoint;
pub mod files;
pub mod log;
mod resume;
pub mod saturation;
mod train;
mod watch;
mod window;

pub use files::RunError;
pub use train::{Finished, Limits, train};
pub use watch::{Reporter, Status};
pub use window::Window;
