//! The tables and figures of the papers, ours beside theirs.
//!
//! A [`PaperTarget`] is data: which trainings, which games, which numbers of the paper.
//! [`reproduce`] carries one out in a directory: what was trained and played is kept there, so that
//! targets share it and an interrupted one goes on.
//!
//! ```
//! use afterstate_reproduce::{find, targets};
//! let table = find("yeh2016-table2").unwrap();
//! assert_eq!(table.trainings()[0].recipe, "yeh2016-2048-3stage");
//! assert!(find("yeh2016-tabel2").unwrap_err().to_string().contains("did you mean yeh2016-table2"));
//! assert!(targets().len() > 50);
//! ```

mod cell;
mod claims;
mod curve;
mod estimate;
mod execute;
mod figure;
mod found;
mod page;
mod papers;
mod play;
mod reporter;
mod setting;
mod target;
mod timing;
mod training;

#[cfg(test)]
mod tests;

pub use claims::claims;
pub use estimate::{Estimate, Speeds, estimate};
pub use execute::{Made, reproduce};
pub use reporter::{TargetReporter, Task};
pub use setting::{Setting, fraction};
pub use target::{Paper, PaperTarget, Part, Play, Player, Quantity, Training, Way};

use afterstate::game::catalogue::{CatalogueError, similar};
use afterstate_lab::engine::EngineError;
use afterstate_lab::recipe::RecipeError;
use afterstate_lab::run::RunError;
use afterstate_report::WriteError;
use thiserror::Error;

/// Why a target could not be made.
#[derive(Debug, Error)]
pub enum ReproduceError {
    /// There is no such target.
    #[error("there is no target '{name}'{}", .similar.as_ref().map_or(String::new(), |s| format!("; did you mean {s}?")))]
    Unknown {
        /// Name asked for.
        name: String,
        /// A similar name.
        similar: Option<String>,
    },
    /// A drawing that measures nothing.
    #[error("{place} of {key} is a drawing that measures nothing ({shows}): {instead}")]
    Diagram {
        /// The place.
        place: String,
        /// In which paper.
        key: &'static str,
        /// Of what.
        shows: String,
        /// A hint where to look instead.
        instead: &'static str,
    },
    /// A recipe does not go with these settings.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// A run or its files.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Nobody can play.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] CatalogueError),
    /// The report.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// All targets, paper by paper.
pub fn targets() -> Vec<PaperTarget> {
    papers::all()
}

/// The target of this name.
pub fn find(name: &str) -> Result<PaperTarget, ReproduceError> {
    let mut all = targets();
    if let Some(found) = all.iter().position(|target| target.name == name) {
        return Ok(all.swap_remove(found));
    }
    let similar = similar(name, all.into_iter().map(|target| target.name));
    Err(ReproduceError::Unknown { name: name.into(), similar })
}
