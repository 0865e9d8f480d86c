//! Compatibility of models and games, and the changes a network needs.
//!
//! | a model of | also plays | because |
//! |---|---|---|
//! | R×C | C×R | the board is turned on its side, and the patterns with it |
//! | 2048 | 1024 | the boards are the same, scores and so all values halve |
//! | 1024 | 2048 | the other way round |
//! | any Threes | any other Threes | tiles and merges are the same; only what comes next differs |

use crate::metadata::{self, GAME, Model};
use crate::variant::Variant;
use afterstate::game::catalogue::{Family, GameSpec};
use afterstate::network::Network;
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

/// The game a model was made for: 2048 on its board, unless its metadata says otherwise.
pub fn own_game(model: &Model) -> GameSpec {
    let said = model.metadata.get(GAME).and_then(|name| GameSpec::parse(name).ok());
    let family = said.map_or(Family::Twenty48, |spec| spec.family);
    GameSpec::new(family, model.network.structure().shape)
}

/// The options of the game it was trained on, as its recipe names them.
pub fn own_variant(model: &Model) -> Variant {
    metadata::recipe(&model.metadata).map(|recipe| recipe.variant).unwrap_or_default()
}

/// True if a model of one game plays another, after [`adapt`].
pub fn is_compatible(own: &GameSpec, wanted: &GameSpec) -> bool {
    let slides_far = |family| matches!(family, Family::Twenty48 | Family::TenTwentyFour);
    slides_far(own.family) == slides_far(wanted.family)
        && (wanted.shape == own.shape || wanted.shape == own.shape.transposed())
}

/// Makes the network of one game play another, where that is possible.
pub fn adapt(network: Network, own: &GameSpec, wanted: &GameSpec) -> Result<Network, GameMismatch> {
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
    let shape = network.structure().shape;
    let network = match wanted.shape {
        same if same == shape => network,
        turned if turned == shape.transposed() => network.transposed(),
        _ => return Err(mismatch()),
    };
    if factor != 1.0 {
        network.scale(factor);
    }
    Ok(network)
}

/// True if a network of one game plays another as it stands, without being turned or scaled.
pub fn plays_unchanged(own: &GameSpec, wanted: &GameSpec) -> bool {
    let threes = |spec: &GameSpec| spec.family.name().starts_with("threes");
    own.shape == wanted.shape && (own.family == wanted.family || threes(own) && threes(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate::game::Game;
    use afterstate::game::twenty48::Twenty48;
    use afterstate::grid::{Direction, Shape};
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
    fn families_with_the_same_boards_need_no_change() {
        let spec = |name| GameSpec::parse(name).unwrap();
        assert!(plays_unchanged(&spec("threes"), &spec("threes-app")));
        assert!(plays_unchanged(&spec("2048-3x3"), &spec("2048-3x3")));
        for (own, wanted) in [("2048", "1024"), ("2048-2x3", "2048-3x2"), ("2048", "threes")] {
            assert!(!plays_unchanged(&spec(own), &spec(wanted)));
        }
    }
}
