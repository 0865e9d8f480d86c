//! The models that ship with the program, inside it.
//!
//! They lie packed in `models/` (see [`crate::pack`]), each with a card that says where it comes
//! from, how strong it is and how to make it again.

use crate::compat;
use crate::model::{self, Model};
use afterstate::game::catalogue::GameSpec;
use afterstate::learn::greedy::ValueKind;
use afterstate::network::file::{self, FileError};
use afterstate::network::{Network, QuantizedNetwork, Sets, Structure};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::{fs, io};

/// Games and models; nothing for those that are left out of this build, see `build.rs`.
const BUILT_IN: [(&str, Option<&[u8]>); 6] = include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// The environment variable that names a directory with the models that are left out.
pub const MODELS: &str = "AFTERSTATE_MODELS";

/// A model that may ship with the program.
struct BuiltIn {
    name: &'static str,
    game: GameSpec,
    inside: Option<&'static [u8]>,
}

/// The model that plays this game, if there is one.
fn find(wanted: &GameSpec) -> Option<BuiltIn> {
    let own = |name: &str| GameSpec::parse(name).expect("built-in models are of games of the catalogue");
    let all = BUILT_IN.iter().map(|&(name, inside)| BuiltIn { name, game: own(name), inside });
    all.into_iter().find(|model| compat::is_compatible(&model.game, wanted))
}

/// True if a model of this game ships with the program, even if this build is without it.
pub fn exists(wanted: &GameSpec) -> bool {
    find(wanted).is_some()
}

impl BuiltIn {
    /// Its file: from inside the program, else from the directory.
    fn content(&self, directory: Option<&Path>) -> Result<Cow<'static, [u8]>, FileError> {
        if let Some(bytes) = self.inside {
            return Ok(Cow::Borrowed(bytes));
        }
        let file = format!("{}.afterstate", self.name);
        match directory {
            Some(place) => fs::read(place.join(&file)).map(Cow::Owned).map_err(|error| {
                let what = format!(
                    "{}: {error}; {MODELS} must name a directory with it",
                    place.join(&file).display()
                );
                FileError::Io(io::Error::new(error.kind(), what))
            }),
            None => Err(FileError::Io(io::Error::new(
                io::ErrorKind::NotFound,
                format!(
                    "this build is without {file}, which is too large for a package of sources; take it from a \
                     release, and let {MODELS} name its directory"
                ),
            ))),
        }
    }
}

/// Unpacks a model; this takes a second or two.
fn unpack(mut bytes: &[u8]) -> Result<Model, FileError> {
    let mut model = file::read(&mut bytes)?;
    model::materialize_promotions(&mut model);
    Ok(model)
}

/// A built-in model in use, ready to play.
#[derive(Clone, Debug)]
pub struct InUse {
    /// Its weights.
    pub weights: PlayWeights,
    /// Kind of its values.
    pub value_kind: ValueKind,
}

/// A network in memory for play.
#[derive(Clone, Debug)]
pub enum PlayWeights {
    /// The network itself.
    Whole(Arc<Network>),
    /// With 16-bit weights.
    Quantized(Arc<QuantizedNetwork>),
}

impl PlayWeights {
    /// The faster form of a network: 16-bit weights where several sets of them lie side by side.
    pub fn of(network: Network, value_kind: ValueKind) -> Self {
        if value_kind == ValueKind::Afterstates && network.structure().sets == Sets::Hints {
            Self::Quantized(Arc::new(QuantizedNetwork::new(network)))
        } else {
            Self::Whole(Arc::new(network))
        }
    }

    /// The structure of the network.
    pub fn structure(&self) -> &Structure {
        match self {
            Self::Whole(network) => network.structure(),
            Self::Quantized(network) => network.structure(),
        }
    }

    fn downgrade(&self) -> WeakWeights {
        match self {
            Self::Whole(network) => WeakWeights::Whole(Arc::downgrade(network)),
            Self::Quantized(network) => WeakWeights::Quantized(Arc::downgrade(network)),
        }
    }
}

/// Weights in use, kept only while somebody plays with them.
enum WeakWeights {
    Whole(Weak<Network>),
    Quantized(Weak<QuantizedNetwork>),
}

impl WeakWeights {
    fn upgrade(&self) -> Option<PlayWeights> {
        Some(match self {
            Self::Whole(network) => PlayWeights::Whole(network.upgrade()?),
            Self::Quantized(network) => PlayWeights::Quantized(network.upgrade()?),
        })
    }
}

/// The networks somebody plays with: each takes up to four GiB, so all who play a game share one.
static IN_USE: Mutex<Vec<(GameSpec, WeakWeights, ValueKind)>> = Mutex::new(Vec::new());

/// The model of this game that ships with the program, if there is one, unpacked once for all who
/// play with it at the same time.
pub fn in_use(wanted: &GameSpec) -> Option<Result<InUse, FileError>> {
    // Options of the game change neither its boards nor its network.
    let wanted = &GameSpec::new(wanted.family, wanted.shape);
    find(wanted).map(|built_in| {
        let own = &built_in.game;
        // A relative whose boards must be turned, or its points scaled, has a network of its own.
        let plays = if compat::plays_unchanged(own, wanted) { own } else { wanted };
        let mut all = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(_, weights, _)| weights.upgrade().is_some());
        let known = all.iter().find(|(game, ..)| game == plays);
        if let Some((weights, value_kind)) =
            known.and_then(|(_, known, value_kind)| Some((known.upgrade()?, *value_kind)))
        {
            return Ok(InUse { weights, value_kind });
        }
        let directory = std::env::var_os(MODELS).map(PathBuf::from);
        let model = unpack(&built_in.content(directory.as_deref())?)?;
        let value_kind = model::value_kind(&model);
        let network = compat::adapt(model.network.folded(), own, wanted).expect("found because it fits");
        let weights = PlayWeights::of(network, value_kind);
        all.push((plays.clone(), weights.downgrade(), value_kind));
        Ok(InUse { weights, value_kind })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{GAME, RECIPE};
    use crate::recipe::Recipe;

    #[test]
    fn all_who_play_a_game_share_its_network() {
        let of = |name: &str| in_use(&GameSpec::parse(name).unwrap()).map(|found| found.unwrap().weights);
        let is_same = |one: &PlayWeights, other: &PlayWeights| match (one, other) {
            (PlayWeights::Whole(one), PlayWeights::Whole(other)) => Arc::ptr_eq(one, other),
            _ => false,
        };
        let (first, second) = (of("2048-3x3").unwrap(), of("2048-3x3").unwrap());
        assert!(is_same(&first, &second));
        let half = of("1024-3x3").unwrap();
        assert!(!is_same(&first, &half) && is_same(&half, &of("1024-3x3").unwrap()));
        assert!(of("2048-7x7").is_none());
        drop(second);
        let memory = first.downgrade();
        drop(first);
        assert!(memory.upgrade().is_none(), "nobody plays, nothing is kept");
        of("2048-3x3").unwrap();
    }

    /// A file of the repository may be 24 MiB long, all of them together 64.
    #[test]
    fn models_are_small_and_say_what_they_are() {
        let there = || BUILT_IN.iter().filter_map(|&(name, bytes)| Some((name, bytes?)));
        assert!(there().map(|(_, bytes)| bytes.len()).sum::<usize>() <= 64 << 20);
        for (name, mut bytes) in there() {
            assert!(bytes.len() <= 24 << 20, "{name}");
            let header = file::read_header(&mut bytes).unwrap();
            assert_eq!(header.metadata[GAME], name);
            Recipe::parse("recipe", &header.metadata[RECIPE], &[]).unwrap();
        }
    }

    /// A package of sources is without the large models: they come from a directory, or the reader
    /// is told to get them.
    #[test]
    fn models_that_are_left_out_come_from_a_directory() {
        let left_out = BuiltIn { name: "2048-6x6", game: GameSpec::parse("2048-6x6").unwrap(), inside: None };
        let said = left_out.content(None).unwrap_err().to_string();
        assert!(said.contains("without 2048-6x6.afterstate") && said.contains(MODELS), "{said}");
        let empty = tempfile::tempdir().unwrap();
        let said = left_out.content(Some(empty.path())).unwrap_err().to_string();
        assert!(said.contains("2048-6x6.afterstate: ") && said.contains(MODELS), "{said}");
        std::fs::write(empty.path().join("2048-6x6.afterstate"), b"a model").unwrap();
        assert_eq!(left_out.content(Some(empty.path())).unwrap().as_ref(), b"a model");
    }

    /// The registry takes packages of up to 10 MiB.
    #[test]
    fn what_the_package_contains_is_small_enough_for_the_registry() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap();
        let Ok(models) = fs::read_dir(package.join("models")) else { return };
        let packed = |path: &Path| {
            let name = format!("models/{}", path.file_name().unwrap().to_string_lossy());
            if manifest.contains(&format!("\"{name}\"")) { 0 } else { path.metadata().unwrap().len() }
        };
        let total: u64 = models.map(|model| packed(&model.unwrap().path())).sum();
        assert!(total < 9 << 20, "leave more models out: `exclude` in Cargo.toml");
    }
}
