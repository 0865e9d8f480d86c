//! Models by name: built-in ones, files of any format, run directories.
//!
//! | name | model |
//! |---|---|
//! | `builtin` | the built-in model of the game that is played, else of 2048 |
//! | `builtin:2048` | this built-in model |
//! | a run directory | the model it ended with, else its newest checkpoint |
//! | a file | itself |
//!
//! A file that is called like a built-in model is named by a path: `./builtin`.

use crate::builtin;
use crate::model::{self, Format, Model, ModelError};
use afterstate::game::catalogue::GameSpec;
use afterstate::network::file::FileError;
use std::fs;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The name of the built-in model of a game.
pub const BUILTIN: &str = "builtin";

/// A model that was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelSource {
    /// The built-in model of this game; `None` where none is named.
    BuiltIn(Option<GameSpec>),
    /// A file.
    File(PathBuf),
}

/// Reason why a name leads to no model.
#[derive(Debug, Error)]
pub enum SourceError {
    /// No built-in model has this name.
    #[error("there is no model {BUILTIN}:{name}; built in are {}", builtin_names().join(", "))]
    UnknownBuiltIn {
        /// The game that was named.
        name: String,
    },
    /// A directory without a model.
    #[error(
        "{} is a directory without a model: it has neither model.afterstate nor a checkpoint; of a set of runs name one", path.display()
    )]
    NoModel {
        /// The directory.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The built-in model is damaged, or not in this build.
    #[error(transparent)]
    BuiltIn(#[from] FileError),
}

impl ModelSource {
    /// The model of this name.
    pub fn find(name: &Path) -> Result<Self, SourceError> {
        let text = name.to_string_lossy();
        if text == BUILTIN {
            return Ok(Self::BuiltIn(None));
        }
        if let Some(game) = text.strip_prefix(BUILTIN).and_then(|rest| rest.strip_prefix(':')) {
            let found = builtin::games().into_iter().find(|known| known.name() == game);
            let unknown = || SourceError::UnknownBuiltIn { name: game.chars().take(40).collect() };
            return found.map(|game| Self::BuiltIn(Some(game))).ok_or_else(unknown);
        }
        if name.is_dir() { of_run(name).map(Self::File) } else { Ok(Self::File(name.into())) }
    }

    /// Bytes of its file; `None` for what is built in.
    pub fn bytes(&self) -> Option<u64> {
        match self {
            Self::File(path) => Some(path.metadata().ok()?.len()),
            Self::BuiltIn(_) => None,
        }
    }

    /// Loads it, and tells its format.
    pub fn load(&self) -> Result<(Model, Format), SourceError> {
        match self {
            Self::File(path) => Ok(model::load_with_format(path)?),
            Self::BuiltIn(game) => {
                let game = game.clone().unwrap_or_else(|| builtin::games().swap_remove(0));
                let found = builtin::load(&game).expect("the names of built-in models are known");
                Ok((found?, Format::Ours))
            }
        }
    }
}

/// Loads the model of this name.
pub fn load(name: &Path) -> Result<Model, SourceError> {
    ModelSource::find(name)?.load().map(|(model, _)| model)
}

/// The names of all built-in models.
pub fn builtin_names() -> Vec<String> {
    builtin::games().iter().map(|game| format!("{BUILTIN}:{}", game.name())).collect()
}

/// The model of a run: the one it ended with, else its newest checkpoint.
pub fn of_run(place: &Path) -> Result<PathBuf, SourceError> {
    let ended = place.join("model.afterstate");
    if ended.is_file() {
        return Ok(ended);
    }
    let checkpoint = newest_checkpoint(&place.join("checkpoints"));
    checkpoint.ok_or_else(|| SourceError::NoModel { path: place.into() })
}

/// Checkpoints are named by their training games.
fn newest_checkpoint(place: &Path) -> Option<PathBuf> {
    let paths = fs::read_dir(place).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let games = |path: &PathBuf| path.file_name()?.to_str()?.strip_suffix(".afterstate")?.parse::<u64>().ok();
    paths
        .filter(|path| path.is_file())
        .filter_map(|path| Some((games(&path)?, path)))
        .max()
        .map(|(_, path)| path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(name: &str) -> Result<ModelSource, SourceError> {
        ModelSource::find(Path::new(name))
    }

    #[test]
    fn built_in_models_have_names() {
        assert_eq!(find("builtin").unwrap(), ModelSource::BuiltIn(None));
        for name in builtin_names() {
            let game = GameSpec::parse(name.trim_start_matches("builtin:")).unwrap();
            assert_eq!(find(&name).unwrap(), ModelSource::BuiltIn(Some(game)));
        }
        let said = find("builtin:2084").unwrap_err().to_string();
        assert!(said.contains("no model builtin:2084") && said.contains("builtin:2048, builtin:"), "{said}");
        assert_eq!(find("./builtin").unwrap(), ModelSource::File("./builtin".into()));
        let (model, format) = find("builtin:2048-6x6").unwrap().load().unwrap();
        assert_eq!((model.metadata[model::GAME].as_str(), format), ("2048-6x6", Format::Ours));
    }

    #[test]
    fn a_run_is_named_by_its_directory() {
        let place = tempfile::tempdir().unwrap();
        let said = ModelSource::find(place.path()).unwrap_err().to_string();
        assert!(said.contains("is a directory without a model"), "{said}");
        let checkpoints = place.path().join("checkpoints");
        fs::create_dir(&checkpoints).unwrap();
        for name in
            ["000000000900.afterstate", "000000001000.afterstate", "000000001000.boards", "best.afterstate"]
        {
            fs::write(checkpoints.join(name), "").unwrap();
        }
        let newest = checkpoints.join("000000001000.afterstate");
        assert_eq!(ModelSource::find(place.path()).unwrap(), ModelSource::File(newest));
        let ended = place.path().join("model.afterstate");
        fs::write(&ended, "").unwrap();
        assert_eq!(ModelSource::find(place.path()).unwrap(), ModelSource::File(ended));
    }
}
