//! Run directories: everything needed to repeat, resume and judge a training run.
//!
//! ```text
//! config.toml                the recipe, every choice written out
//! meta.json                  version, processor, threads, command line, times
//! train.jsonl                averages of every 1,000 and every 100,000 games
//! events.out.tfevents.*      the same for TensorBoard
//! eval/*.json                games played in between without learning
//! boards/stage-*.boards      boards that were collected to train a stage from
//! checkpoints/*.afterstate   the last few and the best; written beside, synced, renamed
//! model.afterstate           the result
//! lock                       held by the process that works here
//! ```

mod boards;
pub mod checkpoint;
mod evaluating;
pub mod files;
pub mod log;
pub mod phase;
mod resume;
pub mod saturation;
mod staging;
mod train;
mod watch;
mod window;

pub use boards::{collected_boards, whole as whole_boards};
pub use files::RunError;
pub use train::{Finished, Limits, train};
pub use watch::{Reporter, Status};
pub use window::Window;
