//! Positions of any game: an enum at the edge, generic code behind it.

use afterstate::game::catalogue::AnyGame;
use afterstate::game::{Game, threes, twenty48};
use afterstate::solve::Solvable;

/// A state of any game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum AnyState {
    Twenty48(twenty48::State<16>),
    LargeTwenty48(twenty48::State<64>),
    Threes(threes::State<16>),
    LargeThrees(threes::State<64>),
}

/// An afterstate of any game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum AnyAfterstate {
    Twenty48(twenty48::Afterstate<16>),
    LargeTwenty48(twenty48::Afterstate<64>),
    Threes(threes::Afterstate<16>),
    LargeThrees(threes::Afterstate<64>),
}

/// A game whose positions fit in the enums.
pub(crate) trait Known: Game + Solvable {
    /// A state, wrapped.
    fn state(state: Self::State) -> AnyState;
    /// The state inside, if it is of this kind of game.
    fn open(state: &AnyState) -> Option<Self::State>;
    /// An afterstate, wrapped.
    fn afterstate(afterstate: Self::Afterstate) -> AnyAfterstate;
}

macro_rules! known {
    ($($variant:ident: $game:ty),*) => {$(
        impl Known for $game {
            fn state(state: Self::State) -> AnyState {
                AnyState::$variant(state)
            }

            fn open(state: &AnyState) -> Option<Self::State> {
                match state {
                    AnyState::$variant(state) => Some(*state),
                    _ => None,
                }
            }

            fn afterstate(afterstate: Self::Afterstate) -> AnyAfterstate {
                AnyAfterstate::$variant(afterstate)
            }
        }
    )*};
}

known! {
    Twenty48: twenty48::Twenty48<16>,
    LargeTwenty48: twenty48::Twenty48<64>,
    Threes: threes::Threes<16>,
    LargeThrees: threes::Threes<64>
}

/// Runs an expression on a game and a position of it, whichever they are.
macro_rules! with_position {
    ($kind:ident, $game:expr, $position:expr, ($g:ident, $p:ident) => $body:expr) => {
        match ($game, $position) {
            (AnyGame::Twenty48($g), $kind::Twenty48($p)) => $body,
            (AnyGame::LargeTwenty48($g), $kind::LargeTwenty48($p)) => $body,
            (AnyGame::Threes($g), $kind::Threes($p)) => $body,
            (AnyGame::LargeThrees($g), $kind::LargeThrees($p)) => $body,
            _ => unreachable!("a position is kept with its own game"),
        }
    };
}
pub(crate) use with_position;

/// The cells, the announced tile and the bag of a state.
pub(crate) fn state_parts(game: &AnyGame, state: &AnyState) -> (Vec<u8>, u8, [u8; 3]) {
    let cells = game.shape().cells();
    with_position!(AnyState, game, state, (g, s) => {
        let view = g.state_view(s);
        (view.cells[..cells].to_vec(), view.hint, view.bag)
    })
}

/// Parts of an afterstate.
pub(crate) fn afterstate_parts(game: &AnyGame, afterstate: &AnyAfterstate) -> (Vec<u8>, u8, [u8; 3]) {
    let cells = game.shape().cells();
    with_position!(AnyAfterstate, game, afterstate, (g, a) => {
        let view = g.view(a);
        (view.cells[..cells].to_vec(), view.hint, view.bag)
    })
}
