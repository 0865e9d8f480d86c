//! Compatibility of models and games, and the changes a network needs.
//!
//! | a model of | also plays | because |
//! |---|---|---|
//! | R×C | C×R | the board is turned on its side, and the patterns with it |
//! | 2048 | 1024 | the boards are the same, scores and so all values halve |
//! | 1024 | 2048 | the other way round |
//! | any Threes | any other Threes | tiles and merges are the same; only what comes next differs |

use crate::metadata::{self, GAME, Model};
use crate::variant::{ConfiguredGame, Variant};
use afterstate::game::catalogue::{Family, GameSpec};
use afterstate::grid::Shape;
use afterstate::learn::greedy::ValueKind;
use afterstate::network::Network;
use afterstate::network::file::read_header;
use std::collections::BTreeMap;
use std::io::{BufReader, Read};
use thiserror::Error;

/// A model that knows another game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the model plays {model}, which says nothing about {wanted}; play {model}, or use a model of {wanted}"
)]
pub struct GameMismatch {
    /// The game it knows.
    pub model: String,
    /// The game it was to play.
    pub wanted: String,
}

/// A model that plays by other rules than it learned.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the model learned {learned} and plays {plays}: its values are those of the rules it learned")]
pub struct OtherRules {
    /// The game it learned.
    pub learned: String,
    /// The game it plays.
    pub plays: String,
}

/// The rules in which the game a model learned differs from the one it plays, in words. Its relatives
/// (see the table above) and other numbers of start tiles are no other rules.
pub fn other_rules(learned: &ConfiguredGame, plays: &ConfiguredGame) -> Option<OtherRules> {
    let alike = GameSpec {
        family: plays.spec.family,
        shape: plays.spec.shape,
        start_tiles: plays.spec.start_tiles,
        ..learned.spec.clone()
    };
    let same = alike.build().is_ok_and(|rules| rules == plays.rules);
    (!same).then(|| OtherRules { learned: learned.described(), plays: plays.described() })
}

/// The game a model was made for: 2048 on its board, unless its metadata says otherwise.
pub fn own_game(model: &Model) -> GameSpec {
    told_game(&model.metadata, model.network.structure().shape)
}

/// The game that the metadata of a model name, on a board of this shape.
pub(crate) fn told_game(metadata: &BTreeMap<String, String>, shape: Shape) -> GameSpec {
    let said = metadata.get(GAME).and_then(|name| GameSpec::parse(name).ok());
    GameSpec::new(said.map_or(Family::Twenty48, |spec| spec.family), shape)
}

/// The options of the game a model was trained on, as its recipe names them.
pub fn own_variant(metadata: &BTreeMap<String, String>) -> Variant {
    metadata::recipe(metadata).map(|recipe| recipe.variant).unwrap_or_default()
}

/// Statements of a model's header about playing, before its weights are read.
pub struct Told {
    /// The game it was made for.
    pub game: GameSpec,
    /// The options of the game it was trained on.
    pub variant: Variant,
    /// True if its values are of afterstates, which can be searched.
    pub searches: bool,
}

impl Told {
    /// Reads the header of a file of our own; `None` if it is another.
    pub fn of_file(file: impl Read) -> Option<Self> {
        let header = read_header(&mut BufReader::new(file)).ok()?;
        Some(Self {
            game: told_game(&header.metadata, header.structure.shape),
            variant: own_variant(&header.metadata),
            searches: metadata::value_kind(&header.metadata) == ValueKind::Afterstates,
        })
    }
}

/// True if a model of one game plays another, after [`adapt`].
pub fn is_compatible(own: &GameSpec, wanted: &GameSpec) -> bool {
    let slides_far = |family| matches!(family, Family::Twenty48 | Family::TenTwentyFour);
    slides_far(own.family) == slides_far(wanted.family)
        && (wanted.shape == own.shape || wanted.shape == own.shape.transposed())
}

/// Changes that make the network of one game that of another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptation {
    /// Points of the other game for one of the first.
    pub factor: f32,
    /// True if the board is turned on its side.
    pub transposed: bool,
}

impl Adaptation {
    /// True if the network plays the other game as it is.
    pub fn is_none(self) -> bool {
        self == Self { factor: 1.0, transposed: false }
    }

    /// The adaptation from one game to another, where there is one.
    pub fn between(own: &GameSpec, wanted: &GameSpec) -> Result<Self, GameMismatch> {
        let mismatch = || GameMismatch { model: own.name(), wanted: wanted.name() };
        let points = |family| match family {
            Family::Twenty48 => Some(1.0),
            Family::TenTwentyFour => Some(0.5),
            _ => None,
        };
        let factor = match (points(own.family), points(wanted.family)) {
            (Some(from), Some(to)) => to / from,
            (None, None) => 1.0,
            _ => return Err(mismatch()),
        };
        let transposed = wanted.shape != own.shape;
        match transposed && wanted.shape != own.shape.transposed() {
            true => Err(mismatch()),
            false => Ok(Self { factor, transposed }),
        }
    }

    /// The network of the other game.
    pub fn of_network(self, network: Network) -> Network {
        let network = if self.transposed { network.transposed() } else { network };
        if self.factor != 1.0 {
            network.scale(self.factor);
        }
        network
    }
}

/// Makes the network of one game play another, where that is possible.
pub fn adapt(network: Network, own: &GameSpec, wanted: &GameSpec) -> Result<Network, GameMismatch> {
    Adaptation::between(own, wanted).map(|adaptation| adaptation.of_network(network))
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate::game::Game;
    use afterstate::game::twenty48::Twenty48;
    use afterstate::grid::Direction;
    use afterstate::random::Random;
    use afterstate::value::{Staged, Value};

    fn spec(name: &str) -> GameSpec {
        GameSpec::parse(name).unwrap()
    }

    fn noisy(shape: Shape, patterns: &str) -> Network {
        let structure = afterstate::network::Structure::tuples(shape, patterns, 16).unwrap();
        let network = Network::new(structure);
        let mut random = Random::new(3);
        for table in 0..network.tables() {
            for entry in network.table_entries(table) {
                network.bank(0).set(entry, random.below(1000) as f32);
            }
        }
        network
    }

    #[test]
    fn a_model_of_2x3_says_of_3x2_what_it_says_of_the_same_board_on_its_side() {
        let (wide, tall) = (Shape::new(2, 3).unwrap(), Shape::new(3, 2).unwrap());
        let games = [Twenty48::<16>::new(wide), Twenty48::<16>::new(tall)];
        let networks = [noisy(wide, "012 0134 5"), noisy(wide, "012 0134 5")];
        let [first, second] = networks;
        let second = adapt(second, &spec("2048-2x3"), &spec("1024-3x2")).unwrap();
        assert_eq!(second.structure().shape, tall);
        let mut random = Random::new(1);
        let mut differ = std::collections::BTreeSet::new();
        for _ in 0..200 {
            let ranks: Vec<u8> = (0..6).map(|_| random.below(6) as u8).collect();
            let turned: Vec<u8> = [0, 3, 1, 4, 2, 5].map(|cell| ranks[cell]).to_vec();
            let setup =
                |ranks: &Vec<u8>| afterstate::game::Setup { ranks: ranks.clone(), ..Default::default() };
            let state = games[0].position(&setup(&ranks)).unwrap();
            let mirror = games[1].position(&setup(&turned)).unwrap();
            for (here, there) in [(Direction::Left, Direction::Up), (Direction::Down, Direction::Right)] {
                let slides = (games[0].slide(&state, here), games[1].slide(&mirror, there));
                let (Some(a), Some(b)) = slides else { continue };
                let value = first.value(&games[0], &Staged { afterstate: a.afterstate, stage: 0 });
                let half = second.value(&games[1], &Staged { afterstate: b.afterstate, stage: 0 });
                assert_eq!(value, 2.0 * half);
                differ.insert(value as u64);
            }
        }
        assert!(differ.len() > 50);
    }

    #[test]
    fn what_a_model_cannot_play_is_refused_with_both_names() {
        let four = |name: &str| adapt(noisy(Shape::FOUR, "0123"), &spec("2048"), &spec(name)).map(|_| ());
        for fits in ["2048", "1024"] {
            assert_eq!(four(fits), Ok(()));
        }
        for refused in ["threes", "2048-3x3", "2048-5x5", "1024-3x4"] {
            let said = four(refused).unwrap_err().to_string();
            assert!(said.contains("plays 2048,") && said.contains(refused), "{said}");
        }
        let threes = |name: &str| adapt(noisy(Shape::FOUR, "0123"), &spec("threes"), &spec(name)).map(|_| ());
        assert_eq!((threes("threes-app"), threes("threes-course")), (Ok(()), Ok(())));
        assert!(threes("2048").is_err());
    }

    #[test]
    fn other_rules_are_named() {
        let game = |name: &str, spawn: Option<&str>, start_tiles, merge_cap| {
            let variant = Variant { spawn: spawn.map(String::from), start_tiles, merge_cap };
            ConfiguredGame::parse(name, variant).unwrap()
        };
        let plain = |name| game(name, None, None, None);
        for (learned, plays) in [
            (plain("2048"), game("2048", Some("2:.9,4:.1"), Some(3), None)),
            (plain("2048-2x3"), plain("1024-3x2")),
            (plain("threes"), plain("threes-app")),
        ] {
            assert_eq!(other_rules(&learned, &plays), None);
        }
        let said = |learned: &ConfiguredGame, plays: &ConfiguredGame| {
            other_rules(learned, plays).expect("the rules differ").to_string()
        };
        let even = game("2048", Some("2:.5,4:.5"), None, None);
        let told = said(&plain("2048"), &even);
        assert!(told.contains("learned 2048 and plays 2048 (spawn 2:.5,4:.5)"), "{told}");
        assert!(said(&even, &plain("2048")).contains("learned 2048 (spawn"));
        assert!(said(&plain("2048"), &game("2048", None, None, Some(2048))).contains("merge cap 2048"));
    }

    #[test]
    fn families_with_the_same_boards_need_no_change() {
        let is_none = |own, wanted| Adaptation::between(&spec(own), &spec(wanted)).unwrap().is_none();
        assert!(is_none("threes", "threes-app") && is_none("2048-3x3", "2048-3x3"));
        assert!(!is_none("2048", "1024") && !is_none("2048-2x3", "2048-3x2"));
    }
}
