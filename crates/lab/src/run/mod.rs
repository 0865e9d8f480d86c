//! Run directories: everything needed to repeat, resume and judge a training run.
//!
//! ```text
//! config.toml                the recipe, every choice written out
//! meta.json                  version, processor, threads, command line, times
//! train.jsonl                averages of every 1,000 and every 100,000 games
//! train.csv, train.log       the same for other programs (`run.logs`)
//! events.out.tfevents.*      the same for TensorBoard
//! eval/*.json                games played without learning, in between and in the end
//! boards/stage-*.boards      boards that were collected to train a stage from
//! checkpoints/*.afterstate   the last few and the best; written beside, synced, renamed
//! model.afterstate           the result
//! model.md                   its card
//! result.json                how it ended
//! lock                       held by the process that works here
//! ```

mod about;
mod begin;
mod boards;
pub mod checkpoint;
mod evaluating;
pub mod files;
pub mod log;
pub mod phase;
pub mod result;
mod resume;
pub mod saturation;
pub mod space;
mod staging;
mod text_log;
mod train;
mod watch;
mod window;

pub use boards::{collected_boards, whole as whole_boards};
pub use files::{Remedy, RunError};
pub use result::FinalScore;
pub use train::{Finished, RunOptions, train};
pub use watch::{Place, Reporter, Status};
pub use window::Window;
