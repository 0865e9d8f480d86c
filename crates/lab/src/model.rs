//! Models in files of any format: recognised by what they contain, written atomically.
//!
//! | format | extension | holds |
//! |---|---|---|
//! | ours | `.afterstate`, or any other | everything |
//! | safetensors | `.safetensors` | everything |
//! | TDL2048 | `.w` | shared patterns of 16 ranks on 4×4, stages, coherence sums |
//! | aszczepanski | `.bin.special` | patterns of 16 ranks on 4×4, stages by the largest tiles |

use crate::atomic;
use crate::export::{self, ExportError};
use crate::import::{self, ImportError};
use afterstate::budget::OutOfMemory;
use afterstate::network::file::{self, Contents, Encoding, FileError, Header};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use thiserror::Error;

pub use crate::import::memory_limit;
pub use crate::metadata::{GAME, Model, NOTE, ORIGIN, RECIPE, STATE, TRAINED_GAMES, value_kind};

/// A format of model files.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Format {
    /// Our own, every number written.
    Ours,
    /// Our own without the zeros, for checkpoints.
    OursSparse,
    /// Our own, rounded and squeezed; see [`crate::pack`].
    OursPacked {
        /// Weights are multiples of this.
        step: f32,
        /// Told as differences from the weights they resemble.
        relative: bool,
    },
    /// `.safetensors`.
    Safetensors,
    /// TDL2048's `.w`.
    Tdl2048,
    /// `.bin.special`, compressed.
    Special,
}

impl Format {
    /// The format a file name asks for: ours, unless it ends like another's.
    pub fn of_name(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        match name {
            name if name.ends_with(".safetensors") => Self::Safetensors,
            name if name.ends_with(".w") => Self::Tdl2048,
            name if name.ends_with(".bin.special") => Self::Special,
            _ => Self::Ours,
        }
    }

    /// The format of a file that begins with these bytes (16 are enough).
    pub fn of_contents(begins: &[u8]) -> Option<Self> {
        match begins {
            _ if file::is_model(begins) => Some(Self::Ours),
            _ if import::safetensors::begins(begins) => Some(Self::Safetensors),
            _ if import::tdl2048::begins(begins) => Some(Self::Tdl2048),
            _ if import::special::begins(begins) => Some(Self::Special),
            _ => None,
        }
    }

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ours | Self::OursSparse | Self::OursPacked { .. } => "afterstate",
            Self::Safetensors => "safetensors",
            Self::Tdl2048 => "TDL2048 .w",
            Self::Special => "aszczepanski .bin.special",
        }
    }
}

/// Why a model could not be loaded or saved.
#[derive(Debug, Error)]
pub enum ModelError {
    /// There is no such file, or it may not be read.
    #[error("cannot read {}: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is of no format we know.
    #[error(
        "{} is no model: it begins with '{}'; a model is our own file, .safetensors, TDL2048's .w or .bin.special",
        path.display(), begins.escape_ascii()
    )]
    Unknown {
        /// The file.
        path: PathBuf,
        /// Its first bytes.
        begins: Vec<u8>,
    },
    /// Our own file is not as it should be.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The defect.
        source: FileError,
    },
    /// The file of another program is not as it should be.
    #[error("{}, read as {}: {source}", path.display(), format.name())]
    Import {
        /// The file.
        path: PathBuf,
        /// The format it was taken for.
        format: Format,
        /// The defect.
        source: ImportError,
    },
    /// The file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Save {
        /// The file.
        path: PathBuf,
        /// Why.
        source: ExportError,
    },
}

impl ModelError {
    /// The refusal of memory, if that is why.
    pub fn out_of_memory(&self) -> Option<OutOfMemory> {
        match self {
            Self::File { source: FileError::Memory(error), .. }
            | Self::Import { source: ImportError::Network(FileError::Memory(error)), .. } => Some(*error),
            _ => None,
        }
    }
}

/// Loads a model of any format, ready to play: promoted stages are settled.
pub fn load(path: &Path) -> Result<Model, ModelError> {
    load_with_format(path).map(|(model, _)| model)
}

/// Loads a model and says which format it was in.
pub fn load_with_format(path: &Path) -> Result<(Model, Format), ModelError> {
    let input = File::open(path).map_err(|source| ModelError::Open { path: path.into(), source })?;
    load_open(input, path)
}

/// Loads a model from an open file; `path` is its name in messages.
pub fn load_open(mut input: File, path: &Path) -> Result<(Model, Format), ModelError> {
    let open = |source| ModelError::Open { path: path.into(), source };
    if input.metadata().map_err(open)?.is_dir() {
        return Err(open(io::Error::new(
            io::ErrorKind::IsADirectory,
            "it is a directory; name a model in it",
        )));
    }
    let mut begins = Vec::new();
    (&input).take(16).read_to_end(&mut begins).map_err(open)?;
    let Some(format) = Format::of_contents(&begins) else {
        return Err(ModelError::Unknown { path: path.into(), begins });
    };
    input.rewind().map_err(open)?;
    let mut model = match format {
        Format::Ours | Format::OursSparse | Format::OursPacked { .. } => {
            file::read_limited(&mut input, memory_limit())
                .map_err(|source| ModelError::File { path: path.into(), source })?
        }
        Format::Safetensors => {
            import::safetensors::read(input).map_err(|source| wrong(path, format, source))?
        }
        Format::Tdl2048 => import::tdl2048::read(input).map_err(|source| wrong(path, format, source))?,
        Format::Special => import::special::read(input).map_err(|source| wrong(path, format, source))?,
    };
    let wrong = |source| ModelError::File { path: path.into(), source: FileError::Memory(source) };
    materialize_promotions(&mut model).map_err(wrong)?;
    Ok((model, format))
}

/// Writes out what stages read from the ones before them, so that all are as fast as the first.
pub(crate) fn materialize_promotions(model: &mut Model) -> Result<(), OutOfMemory> {
    let stages = model.network.structure().stages.count() as u8;
    model.network.materialize_promotions(0..stages)
}

/// Header of a model of our own format, readable even if its numbers are damaged.
pub fn header(path: &Path) -> Result<Header, ModelError> {
    let mut input = File::open(path).map_err(|source| ModelError::Open { path: path.into(), source })?;
    file::read_header(&mut input).map_err(|source| ModelError::File { path: path.into(), source })
}

fn wrong(path: &Path, format: Format, source: ImportError) -> ModelError {
    ModelError::Import { path: path.into(), format, source }
}

/// Saves a model; the file is replaced when all of it is written, or not at all.
pub fn save(path: &Path, model: &Model, format: Format) -> Result<(), ModelError> {
    let Model { network, metadata, sums, visits } = model;
    let contents = Contents { network, metadata, sums, visits };
    let saved = atomic::write(path, |out| match format {
        Format::Ours => Ok(file::write(&contents, Encoding::Raw, out)?),
        Format::OursSparse => Ok(file::write(&contents, Encoding::Sparse, out)?),
        Format::OursPacked { step, relative } => {
            Ok(file::write(&contents, Encoding::Packed { step, relative }, out)?)
        }
        Format::Safetensors => export::safetensors::write(model, out),
        Format::Tdl2048 => export::tdl2048::write(model, out),
        Format::Special => export::special::write(model, export::special::Kind::Compressed, out),
    });
    saved.map_err(|source| ModelError::Save { path: path.into(), source })
}
