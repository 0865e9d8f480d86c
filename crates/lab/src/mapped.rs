//! Networks for play that all processes of a machine share: each maps the same file into memory, so
//! the weights are there once.
//!
//! The first process that needs a network reads its model and writes the file; those that come at
//! the same time wait for it, later ones find it. A file belongs to one model, game and version of
//! this program, and stays until it is removed by hand.

use crate::builtin::{self, PlayWeights};
use crate::compat::Adaptation;
use crate::metadata;
use crate::{atomic, disk};
use afterstate::game::catalogue::GameSpec;
use afterstate::learn::greedy::ValueKind;
use afterstate::network::Favour;
use afterstate::network::file::{self, FileError};
use std::collections::BTreeMap;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use thiserror::Error;

/// The key of the metadata that tells whose file it is.
const SOURCE: &str = "mapped_source";
/// Held while a file is made.
const LOCK: &str = "afterstate.lock";

/// A network that cannot be shared.
#[derive(Debug, Error)]
#[error("cannot share the network in {}: {source}", path.display())]
pub struct MapError {
    /// The directory, or the file in it.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

/// A network for play, and what is known about it.
pub type Known = (PlayWeights, BTreeMap<String, String>);

/// The network of this source, from its file in the directory; `read` makes it where there is none.
///
/// `source` tells it from all others: [`of_file`] and [`of_builtin`] say how.
pub fn open<E: From<MapError>>(
    directory: &Path,
    source: &str,
    read: impl FnOnce() -> Result<Known, E>,
) -> Result<Known, E> {
    let source = format!("{} {source}", env!("CARGO_PKG_VERSION"));
    let mut hasher = DefaultHasher::new();
    source.hash(&mut hasher);
    let path = directory.join(format!("afterstate-{:016x}.map", hasher.finish()));
    if let Some(known) = map(&path, &source) {
        return Ok(known);
    }
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |source| E::from(MapError { path, source })
    };
    disk::create_dir_all(directory).map_err(failed(directory))?;
    let lock = File::create(directory.join(LOCK)).map_err(failed(directory))?;
    // Where there are no locks several processes write the file, each for itself, and the last one stays.
    let _ = lock.lock();
    if let Some(known) = map(&path, &source) {
        return Ok(known);
    }
    let (weights, mut metadata) = read()?;
    metadata.insert(SOURCE.into(), source.clone());
    atomic::write(&path, |out| file::write_mappable(weights.for_play(), &metadata, out))
        .map_err(failed(&path))?;
    drop(weights);
    let again = || io::Error::other("it was written, and is gone or damaged");
    map(&path, &source).ok_or_else(|| failed(&path)(again()))
}

/// Maps a file if it is there, whole, and of this source.
fn map(path: &Path, source: &str) -> Option<Known> {
    let file = File::open(path).ok()?;
    let (network, metadata) = file::map(&file).ok()?;
    (metadata.get(SOURCE)? == source).then(|| (network.into(), metadata))
}

/// Identity of a model in a file: its path, length and time of change.
pub fn of_file(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let found = path.metadata().ok();
    let changed = found.as_ref().and_then(|found| found.modified().ok()?.duration_since(UNIX_EPOCH).ok());
    let nanoseconds = changed.unwrap_or_default().as_nanos();
    format!("{} {} {nanoseconds}", path.display(), found.map_or(0, |found| found.len()))
}

/// The built-in model that plays this game; `None` if there is none.
pub fn of_builtin(
    directory: &Path,
    wanted: &GameSpec,
) -> Option<Result<(PlayWeights, ValueKind), BuiltinError>> {
    let own = builtin::model_of(wanted)?;
    let plain = GameSpec::new(wanted.family, wanted.shape);
    let adaptation = Adaptation::between(&own, &plain).expect("found because it fits");
    builtin::bytes(wanted).map(|content| {
        let content = content?;
        let source = format!("builtin:{} {:08x}", own.name(), file::checksum(&content));
        let read = || Ok::<_, BuiltinError>(PlayWeights::read(&content, Favour::Speed)?);
        let (weights, metadata) = open(directory, &source, read)?;
        Ok((weights.adapted(adaptation).map_err(FileError::Memory)?, metadata::value_kind(&metadata)))
    })
}

/// Reason why a built-in model cannot be shared.
#[derive(Debug, Error)]
pub enum BuiltinError {
    /// The model is damaged, or not in this build.
    #[error(transparent)]
    Model(#[from] FileError),
    /// Its file cannot be made.
    #[error(transparent)]
    Map(#[from] MapError),
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate::grid::Shape;
    use afterstate::network::{Network, Structure};
    use std::sync::Arc;

    fn network(weight: f32) -> Result<Known, MapError> {
        let network = Network::new(Structure::tuples(Shape::FOUR, "0123", 12).unwrap());
        network.bank(0).set(7, weight);
        Ok((PlayWeights::Whole(Arc::new(network)), BTreeMap::from([("note".into(), "a".into())])))
    }

    fn weight((weights, _): &Known) -> f32 {
        let PlayWeights::Whole(network) = weights else { panic!("another form") };
        network.bank(0).get(7)
    }

    fn never() -> Result<Known, MapError> {
        panic!("read again")
    }

    #[test]
    fn a_network_is_read_once_for_all_who_play_with_it() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("new");
        let first = open(&directory, "a model", || network(3.0)).unwrap();
        let second = open(&directory, "a model", never).unwrap();
        assert_eq!((weight(&first), weight(&second)), (3.0, 3.0));
        assert_eq!(second.1["note"], "a");
        assert_eq!(second.0.memory(), 0, "nothing of the budget");
        assert_eq!(weight(&open(&directory, "another", || network(4.0)).unwrap()), 4.0);
    }

    #[test]
    fn a_damaged_file_is_written_again_and_a_useless_directory_is_told() {
        let place = tempfile::tempdir().unwrap();
        drop(open(place.path(), "a model", || network(3.0)).unwrap());
        let file = std::fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().path());
        let file = file.into_iter().find(|path| path.extension().is_some_and(|end| end == "map")).unwrap();
        std::fs::write(&file, "no network").unwrap();
        assert_eq!(weight(&open(place.path(), "a model", || network(5.0)).unwrap()), 5.0);
        let told = open(&file, "a model", || network(3.0)).unwrap_err().to_string();
        assert!(told.starts_with("cannot share the network in"), "{told}");
    }

    #[test]
    fn models_are_told_apart_by_what_changes_with_them() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("model");
        std::fs::write(&path, "one").unwrap();
        let first = of_file(&path);
        assert_eq!(of_file(&path), first);
        std::fs::write(&path, "another").unwrap();
        assert_ne!(of_file(&path), first);
    }

    #[test]
    fn a_builtin_model_is_shared_with_its_relatives() {
        let place = tempfile::tempdir().unwrap();
        let of = |name: &str| {
            let (weights, _) = of_builtin(place.path(), &GameSpec::parse(name).unwrap()).unwrap().unwrap();
            weights
        };
        let shared = of("2048-3x3");
        let plain = builtin::in_use(&GameSpec::parse("2048-3x3").unwrap(), Favour::Speed).unwrap().unwrap();
        assert_eq!(shared.fingerprint(), plain.weights.fingerprint());
        of("1024-3x3");
        let files = std::fs::read_dir(place.path()).unwrap();
        let maps =
            files.filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|end| end == "map"));
        assert_eq!(maps.count(), 1);
        assert!(of_builtin(place.path(), &GameSpec::parse("2048-7x7").unwrap()).is_none());
    }
}
