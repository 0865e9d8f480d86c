//! The models that ship with the program, inside it.
//!
//! They lie packed in `models/` (see [`crate::pack`]), each with a card that says where it comes
//! from, how strong it is and how to make it again.

use crate::compat;
use crate::model::{self, Model};
use afterstate::game::catalogue::GameSpec;
use afterstate::learn::subject::Subject;
use afterstate::network::Network;
use afterstate::network::file::{self, FileError};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Games and models.
const BUILT_IN: [(&str, &[u8]); 6] = [
    ("2048", include_bytes!("../../../models/2048.afterstate")),
    ("2048-3x3", include_bytes!("../../../models/2048-3x3.afterstate")),
    ("2048-4x3", include_bytes!("../../../models/2048-4x3.afterstate")),
    ("2048-5x5", include_bytes!("../../../models/2048-5x5.afterstate")),
    ("2048-6x6", include_bytes!("../../../models/2048-6x6.afterstate")),
    ("threes", include_bytes!("../../../models/threes.afterstate")),
];

/// The built-in model able to play `wanted`: its own game and its file.
fn find(wanted: &GameSpec) -> Option<(GameSpec, &'static [u8])> {
    let own = |name: &str| GameSpec::parse(name).expect("built-in models are of games of the catalogue");
    BUILT_IN
        .iter()
        .map(|(name, bytes)| (own(name), *bytes))
        .find(|(own, _)| compat::is_compatible(own, wanted))
}

/// True if a model of this game ships with the program.
pub fn exists(wanted: &GameSpec) -> bool {
    find(wanted).is_some()
}

/// Unpacks a model; this takes a second or two.
fn unpack(mut bytes: &[u8]) -> Result<Model, FileError> {
    let mut model = file::read(&mut bytes)?;
    model::settle(&mut model);
    Ok(model)
}

/// A built-in model in use, ready to play.
#[derive(Clone, Debug)]
pub struct InUse {
    /// Its weights.
    pub network: Arc<Network>,
    /// Kind of its values.
    pub subject: Subject,
}

/// The networks somebody plays with: each takes up to four GiB, so all who play a game share one.
static IN_USE: Mutex<Vec<(GameSpec, Weak<Network>, Subject)>> = Mutex::new(Vec::new());

/// The model of this game that ships with the program, if there is one, unpacked once for all who
/// play with it at the same time.
pub fn in_use(wanted: &GameSpec) -> Option<Result<InUse, FileError>> {
    // Options of the game change neither its boards nor its network.
    let wanted = &GameSpec::new(wanted.family, wanted.shape);
    find(wanted).map(|(own, bytes)| {
        // A relative whose boards must be turned, or its points scaled, has a network of its own.
        let plays = if compat::plays_unchanged(&own, wanted) { &own } else { wanted };
        let mut all = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(_, network, _)| network.strong_count() > 0);
        let known = all.iter().find(|(game, ..)| game == plays);
        if let Some(found) = known.and_then(|(_, network, subject)| Some((network.upgrade()?, *subject))) {
            return Ok(InUse { network: found.0, subject: found.1 });
        }
        let model = unpack(bytes)?;
        let subject = model::subject(&model);
        let network = compat::adapt(model.network.folded(), &own, wanted).expect("found because it fits");
        let network = Arc::new(network);
        all.push((plays.clone(), Arc::downgrade(&network), subject));
        Ok(InUse { network, subject })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{GAME, RECIPE};
    use crate::recipe::Recipe;

    #[test]
    fn all_who_play_a_game_share_its_network() {
        let of = |name: &str| in_use(&GameSpec::parse(name).unwrap()).map(Result::unwrap);
        let (first, second) = (of("2048-3x3").unwrap(), of("2048-3x3").unwrap());
        assert!(Arc::ptr_eq(&first.network, &second.network));
        let half = of("1024-3x3").unwrap();
        assert!(
            !Arc::ptr_eq(&first.network, &half.network)
                && Arc::ptr_eq(&half.network, &of("1024-3x3").unwrap().network)
        );
        assert!(of("2048-7x7").is_none());
        drop(second);
        let memory = Arc::downgrade(&first.network);
        drop(first);
        assert!(memory.upgrade().is_none(), "nobody plays, nothing is kept");
        of("2048-3x3").unwrap();
    }

    /// A file of the repository may be 24 MiB long, all of them together 64.
    #[test]
    fn models_are_small_and_say_what_they_are() {
        let total: usize = BUILT_IN.iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(total <= 64 << 20);
        for (name, mut bytes) in BUILT_IN {
            assert!(bytes.len() <= 24 << 20, "{name}");
            let header = file::read_header(&mut bytes).unwrap();
            assert_eq!(header.metadata[GAME], name);
            Recipe::parse("recipe", &header.metadata[RECIPE], &[]).unwrap();
        }
    }
}
