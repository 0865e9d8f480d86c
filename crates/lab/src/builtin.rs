//! The models that ship with the program, inside it.
//!
//! They lie packed in `models/` (see [`crate::pack`]), each with a card that says where it comes from, how strong it is and how
//! to make it again.

use crate::fit;
use crate::model::{self, Model};
use afterstate::game::catalogue::GameSpec;
use afterstate::network::file::{self, FileError};

/// Games and models.
const BUILT_IN: [(&str, &[u8]); 4] = [
    ("2048", include_bytes!("../../../models/2048.afterstate")),
    ("2048-3x3", include_bytes!("../../../models/2048-3x3.afterstate")),
    ("2048-4x3", include_bytes!("../../../models/2048-4x3.afterstate")),
    ("threes", include_bytes!("../../../models/threes.afterstate")),
];

/// The file of the model that plays a game, if there is one.
fn find(wanted: &GameSpec) -> Option<&'static [u8]> {
    let own = |name: &str| GameSpec::parse(name).expect("built-in models are of games of the catalogue");
    BUILT_IN.iter().find(|(name, _)| fit::fits(&own(name), wanted)).map(|(_, bytes)| *bytes)
}

/// Whether a model of this game ships with the program.
pub fn exists(wanted: &GameSpec) -> bool {
    find(wanted).is_some()
}

/// The model of this game that ships with the program; it takes seconds to unpack.
pub fn model(wanted: &GameSpec) -> Option<Result<Model, FileError>> {
    find(wanted).map(|mut bytes| {
        let mut model = file::read(&mut bytes)?;
        model::settle(&mut model);
        Ok(model)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{GAME, RECIPE};
    use crate::recipe::Recipe;

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
