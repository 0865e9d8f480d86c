//! The models that ship with the program, inside it.
//!
//! They lie packed in `models/` (see [`crate::pack`]), each with a card that says where it comes
//! from, how strong it is and how to make it again.

use crate::compat::{self, Adaptation};
use crate::model::{self, Model};
use crate::shard;
use afterstate::budget::OutOfMemory;
use afterstate::game::catalogue::GameSpec;
use afterstate::learn::greedy::ValueKind;
use afterstate::network::file::{self, FileError, ForPlay};
use afterstate::network::{Favour, Network, QuantizedNetwork, Sets, Structure};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::{fs, io};

/// Games and models; nothing for those that are left out of this build, see `build.rs`.
const BUILT_IN: [(&str, Option<&[u8]>); 6] = include!(concat!(env!("OUT_DIR"), "/models.rs"));

static READING: [Mutex<()>; BUILT_IN.len()] = [const { Mutex::new(()) }; BUILT_IN.len()];

/// The environment variable that names a directory with the models that are left out.
pub const MODELS: &str = "AFTERSTATE_MODELS";

/// A model that may ship with the program.
struct BuiltIn {
    /// Held while it is read, so that it is read once, and nobody waits who plays another.
    reading: &'static Mutex<()>,
    name: &'static str,
    game: GameSpec,
    inside: Option<&'static [u8]>,
}

/// The model that plays this game, if there is one.
fn find(wanted: &GameSpec) -> Option<BuiltIn> {
    let mut all = BUILT_IN.iter().zip(&READING).zip(games());
    let found = all.find(|(_, game)| compat::is_compatible(game, wanted));
    found.map(|((&(name, inside), reading), game)| BuiltIn { reading, name, game, inside })
}

/// The games that have a model of their own, 2048 first.
pub fn games() -> Vec<GameSpec> {
    let own = |&(name, _): &(&str, _)| {
        GameSpec::parse(name).expect("built-in models are of games of the catalogue")
    };
    BUILT_IN.iter().map(own).collect()
}

/// The game whose model plays this one.
pub fn model_of(wanted: &GameSpec) -> Option<GameSpec> {
    find(wanted).map(|model| model.game)
}

/// A copy of the model that plays this game, as its file holds it.
pub fn load(wanted: &GameSpec) -> Option<Result<Model, FileError>> {
    bytes(wanted).map(|bytes| unpack(&bytes?))
}

/// The file of the model that plays this game.
pub fn bytes(wanted: &GameSpec) -> Option<Result<Cow<'static, [u8]>, FileError>> {
    let directory = std::env::var_os(MODELS).map(PathBuf::from);
    find(wanted).map(|found| found.content(directory.as_deref()))
}

/// A built-in model, for lists.
pub struct Listed {
    /// The game it was made for.
    pub game: GameSpec,
    /// Bytes of its file.
    pub bytes: u64,
    /// Bytes of memory it takes, while it is in use.
    pub memory: Option<u64>,
}

/// The models that can be loaded: those inside this program, and those in the directory that
/// [`MODELS`] names.
pub fn list() -> Vec<Listed> {
    let directory = std::env::var_os(MODELS).map(PathBuf::from);
    let in_use = known();
    let memory = |game: &GameSpec| {
        let known = in_use.iter().filter(|known| known.model == *game);
        known.filter_map(|known| Some(known.weights.upgrade()?.memory())).max()
    };
    let size = |name: &str, inside: Option<&[u8]>| match (inside, &directory) {
        (Some(bytes), _) => Some(bytes.len() as u64),
        (None, Some(place)) => Some(place.join(format!("{name}.afterstate")).metadata().ok()?.len()),
        (None, None) => None,
    };
    let all = BUILT_IN.iter().zip(games());
    all.filter_map(|(&(name, inside), game)| {
        Some(Listed { bytes: size(name, inside)?, memory: memory(&game), game })
    })
    .collect()
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
    model::materialize_promotions(&mut model)?;
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

impl From<ForPlay> for PlayWeights {
    fn from(network: ForPlay) -> Self {
        match network {
            ForPlay::Whole(network) => Self::Whole(Arc::new(network)),
            ForPlay::Quantized(network) => Self::Quantized(Arc::new(network)),
        }
    }
}

impl PlayWeights {
    /// The faster form of a network: 16-bit weights where several sets of them lie side by side.
    pub fn of(network: Network, value_kind: ValueKind) -> Result<Self, OutOfMemory> {
        Ok(if value_kind == ValueKind::Afterstates && network.structure().sets == Sets::Hints {
            Self::Quantized(Arc::new(QuantizedNetwork::new(network)?))
        } else {
            Self::Whole(Arc::new(network))
        })
    }

    /// Reads a model of our own format, values of afterstates with 16 bits each, and its metadata.
    pub(crate) fn read(
        mut bytes: &[u8],
        favour: Favour,
    ) -> Result<(Self, BTreeMap<String, String>), FileError> {
        let metadata = file::read_header(&mut &*bytes)?.metadata;
        let weights = match model::value_kind(&metadata) {
            ValueKind::Afterstates => {
                let (network, _) = file::read_quantized(&mut bytes, file::MEMORY_LIMIT, favour)?;
                Self::Quantized(Arc::new(network))
            }
            _ => Self::Whole(Arc::new(unpack(bytes)?.network)),
        };
        Ok((weights, metadata))
    }

    /// These weights for a related game; those of 16 bits are shared, others copied.
    pub fn adapted(&self, adaptation: Adaptation) -> Result<Self, OutOfMemory> {
        Ok(match self {
            _ if adaptation.is_none() => self.clone(),
            Self::Whole(network) => Self::Whole(Arc::new(adaptation.of_network(network.duplicate()?))),
            Self::Quantized(network) if adaptation.transposed => {
                Self::Quantized(Arc::new(network.transposed().scaled(adaptation.factor)))
            }
            Self::Quantized(network) => Self::Quantized(Arc::new(network.scaled(adaptation.factor))),
        })
    }

    /// The weights as the library takes them.
    pub(crate) fn for_play(&self) -> ForPlay<&Network, &QuantizedNetwork> {
        match self {
            Self::Whole(network) => ForPlay::Whole(network),
            Self::Quantized(network) => ForPlay::Quantized(network),
        }
    }

    /// The structure of the network.
    pub fn structure(&self) -> &Structure {
        match self {
            Self::Whole(network) => network.structure(),
            Self::Quantized(network) => network.structure(),
        }
    }

    /// Bytes of memory that they take.
    pub fn memory(&self) -> u64 {
        match self {
            Self::Whole(network) => network.memory(),
            Self::Quantized(network) => network.memory(),
        }
    }

    /// A number that tells them from others.
    pub fn fingerprint(&self) -> String {
        match self {
            Self::Whole(network) => shard::fingerprint(network),
            Self::Quantized(network) => format!("{:016x}", network.fingerprint()),
        }
    }

    /// These weights, as long as others hold them.
    pub(crate) fn downgrade(&self) -> WeakWeights {
        match self {
            Self::Whole(network) => WeakWeights::Whole(Arc::downgrade(network)),
            Self::Quantized(network) => WeakWeights::Quantized(Arc::downgrade(network)),
        }
    }
}

/// Weights in use, not kept beyond that.
pub(crate) enum WeakWeights {
    Whole(Weak<Network>),
    Quantized(Weak<QuantizedNetwork>),
}

impl WeakWeights {
    pub(crate) fn upgrade(&self) -> Option<PlayWeights> {
        Some(match self {
            Self::Whole(network) => PlayWeights::Whole(network.upgrade()?),
            Self::Quantized(network) => PlayWeights::Quantized(network.upgrade()?),
        })
    }
}

/// A network in use.
struct Known {
    /// The model it comes from.
    model: GameSpec,
    /// The game it plays.
    plays: GameSpec,
    favour: Favour,
    weights: WeakWeights,
    value_kind: ValueKind,
}

/// The networks in use: all players of a game share one, and related games share the weights.
static IN_USE: Mutex<Vec<Known>> = Mutex::new(Vec::new());

/// Those of them that somebody still plays with.
fn known() -> MutexGuard<'static, Vec<Known>> {
    let mut all = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|known| known.weights.upgrade().is_some());
    all
}

/// True if the weights that play this game are in memory: an engine of it is made within a moment.
pub fn is_in_use(wanted: &GameSpec) -> bool {
    find(wanted).is_some_and(|found| known().iter().any(|known| known.model == found.game))
}

/// The model of this game that ships with the program, if there is one, unpacked once for all who
/// play with it at the same time.
pub fn in_use(wanted: &GameSpec, favour: Favour) -> Option<Result<InUse, FileError>> {
    // Options of the game change neither its boards nor its network.
    let wanted = &GameSpec::new(wanted.family, wanted.shape);
    find(wanted).map(|built_in| {
        let own = &built_in.game;
        let between = |from, to| Adaptation::between(from, to).expect("found because it fits");
        let plays = if between(own, wanted).is_none() { own } else { wanted };
        let _reading = built_in.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let related = {
            let all = known();
            // To save memory, what is there anyway is shared.
            let fits = |known: &&Known| known.favour == favour || favour == Favour::Memory;
            let related = all.iter().filter(|known| known.model == *own).filter(fits);
            let nearest = related.max_by_key(|known| known.plays == *plays);
            nearest.and_then(|known| Some((known.weights.upgrade()?, known.plays.clone(), known.value_kind)))
        };
        let (weights, value_kind) = match related {
            Some((weights, known, value_kind)) if known == *plays => {
                return Ok(InUse { weights, value_kind });
            }
            Some((weights, known, value_kind)) => (weights.adapted(between(&known, plays))?, value_kind),
            None => {
                let directory = std::env::var_os(MODELS).map(PathBuf::from);
                let bytes = built_in.content(directory.as_deref())?;
                let (weights, metadata) = PlayWeights::read(&bytes, favour)?;
                (weights.adapted(between(own, plays))?, model::value_kind(&metadata))
            }
        };
        let (model, plays) = (own.clone(), plays.clone());
        known().push(Known { model, plays, favour, weights: weights.downgrade(), value_kind });
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
        let of = |name: &str| {
            in_use(&GameSpec::parse(name).unwrap(), Favour::Memory).map(|found| found.unwrap().weights)
        };
        let is_same = |one: &PlayWeights, other: &PlayWeights| match (one, other) {
            (PlayWeights::Quantized(one), PlayWeights::Quantized(other)) => Arc::ptr_eq(one, other),
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
        let left_out = BuiltIn {
            reading: &READING[0],
            name: "2048-6x6",
            game: GameSpec::parse("2048-6x6").unwrap(),
            inside: None,
        };
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
