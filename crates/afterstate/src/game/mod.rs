//! Games: what every 2048-like game must tell, and nothing about playing it well.
//!
//! A game alternates two kinds of node. In a [`Game::State`] the player slides in
//! one of four directions, which gives a reward and an [`Game::Afterstate`]; there
//! chance adds a tile and the game is in a state again:
//!
//! ```text
//! state ──slide (reward)──▶ afterstate ──outcome (probability, reward)──▶ state
//! ```
//!
//! Chance is explicit: [`Game::outcomes`] lists every outcome with the number of
//! *ways* it can happen, out of [`Game::ways`] equally likely ones. Sampling is
//! derived from that list, and probabilities are written nowhere else.

pub mod catalogue;
pub mod expand;
mod lanes;
pub mod notation;
pub mod threes;
pub mod twenty48;

use crate::grid::{Direction, Shape, View};
use crate::random::Random;
use std::fmt;
use std::hash::Hash;
use thiserror::Error;

/// The result of a legal slide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slide<A> {
    /// The position before chance moves.
    pub afterstate: A,
    /// The points the slide earned.
    pub reward: u64,
}

/// One thing chance can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome<S> {
    /// The state that follows.
    pub state: S,
    /// The points the new tile is worth at once (always 0 in 2048).
    pub reward: u64,
    /// In how many of the [`Game::ways`] equally likely ways it happens.
    pub ways: u64,
}

/// A typed-in position: well-formed text, not yet proven to fit a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// The ranks, row by row.
    pub ranks: Vec<u8>,
    /// For Threes: the 1s, 2s and 3s left in the bag, the hint taken out.
    pub bag: Option<[u8; 3]>,
    /// For Threes: the tile to come.
    pub hint: Option<Hint>,
    /// For the `course` variant of Threes: bonus tiles so far, and draws since a 48 appeared.
    pub bonus_count: Option<[u16; 2]>,
}

/// The announced next tile of Threes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Hint {
    /// A tile of rank 1, 2 or 3.
    Tile(u8),
    /// A bonus tile of unknown rank (`+`).
    Bonus,
    /// A bonus tile, one of the ranks `low ..= high` with equal chance.
    Candidates {
        /// The smallest candidate's rank.
        low: u8,
        /// The largest candidate's rank.
        high: u8,
    },
}

/// Why a [`Setup`] is not a position of the game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SetupError {
    /// Another number of cells than the board has.
    #[error("the board has {found} cells, this game needs {expected}")]
    Cells {
        /// Expected number.
        expected: usize,
        /// Number given.
        found: usize,
    },
    /// A tile this game does not have.
    #[error("a tile of rank {rank} does not exist in this game (the largest rank is {max})")]
    Rank {
        /// The offending rank.
        rank: u8,
        /// The largest rank allowed.
        max: u8,
    },
    /// A bag, a hint or a count that does not fit; the text says what would.
    #[error("{0}")]
    Extra(String),
}

/// The rules of one game on one board.
pub trait Game: Clone + fmt::Debug + Send + Sync + 'static {
    /// A position in which the player moves.
    type State: Copy + Eq + Ord + Hash + fmt::Debug + Send + Sync;
    /// A position in which chance moves.
    type Afterstate: Copy + Eq + Ord + Hash + fmt::Debug + Send + Sync;

    /// The catalogue name, with a version that changes whenever the rules do: `2048-4x4-v1`.
    fn id(&self) -> String;

    /// Rows and columns.
    fn shape(&self) -> Shape;

    /// The number written on a tile of this rank.
    fn label(&self, rank: u8) -> u64;

    /// The rank with this number on it.
    fn rank_of(&self, label: u64) -> Option<u8> {
        (1..=crate::grid::MAX_RANK).find(|&rank| self.label(rank) == label)
    }

    /// The rank that counts as a win (the 2048 tile; 192 in Threes).
    fn win_rank(&self) -> u8;

    /// Every start position, with the number of ways it comes about.
    ///
    /// Meant for small boards: the list grows fast.
    fn starts(&self, visit: &mut dyn FnMut(Self::State, u64));

    /// Deals a start position.
    fn start(&self, random: &mut Random) -> Self::State;

    /// The score a game that starts here has already (Threes: its tiles; 2048: none).
    fn start_score(&self, state: &Self::State) -> u64;

    /// Slides; `None` where nothing would move.
    fn slide(&self, state: &Self::State, direction: Direction) -> Option<Slide<Self::Afterstate>>;

    /// All four slides, indexed by direction.
    #[inline]
    fn slides(&self, state: &Self::State) -> [Option<Slide<Self::Afterstate>>; 4] {
        Direction::ALL.map(|direction| self.slide(state, direction))
    }

    /// True if no slide is legal.
    fn is_over(&self, state: &Self::State) -> bool {
        self.slides(state).iter().all(Option::is_none)
    }

    /// The number of equally likely ways chance can go on from here.
    fn ways(&self, afterstate: &Self::Afterstate) -> u64;

    /// Every outcome, in a fixed order; their `ways` add up to [`Game::ways`].
    fn outcomes(&self, afterstate: &Self::Afterstate, visit: impl FnMut(Outcome<Self::State>));

    /// Appends every outcome with all its slides, as [`expand::expand_by_outcomes`] defines it.
    ///
    /// A game may find them faster.
    #[inline]
    fn expand(
        &self,
        afterstate: &Self::Afterstate,
        outcomes: &mut Vec<expand::OutcomeMoves>,
        number: impl FnMut(Self::Afterstate) -> u32,
    ) {
        expand::expand_by_outcomes(self, afterstate, outcomes, number);
    }

    /// Samples an outcome: way number `u` of [`Game::ways`], `u` uniform.
    #[inline(always)]
    fn spawn(&self, afterstate: &Self::Afterstate, random: &mut Random) -> Outcome<Self::State> {
        let way = random.below(self.ways(afterstate));
        self.outcome(afterstate, way)
    }

    /// The outcome that owns way number `way`: found by walking the list.
    ///
    /// A game may find it faster, but must find the same one.
    fn outcome(&self, afterstate: &Self::Afterstate, way: u64) -> Outcome<Self::State> {
        let mut left = way;
        let mut found = None;
        self.outcomes(afterstate, |outcome| {
            if found.is_none() {
                if left < outcome.ways {
                    found = Some(outcome);
                } else {
                    left -= outcome.ways;
                }
            }
        });
        found.expect("a way beyond the last")
    }

    /// View of a state, for players.
    fn state_view<'a>(&self, state: &'a Self::State) -> View<'a>;

    /// View of an afterstate, for value functions.
    fn view<'a>(&self, afterstate: &'a Self::Afterstate) -> View<'a>;

    /// Turns a typed-in position into a state, or says what is wrong with its form.
    fn position(&self, setup: &Setup) -> Result<Self::State, SetupError>;

    /// The inverse of [`Game::position`].
    fn setup(&self, state: &Self::State) -> Setup;
}

/// Checks what all games check of a typed-in position: the number of cells and the largest rank.
pub(crate) fn check_cells(setup: &Setup, shape: Shape, max: u8) -> Result<(), SetupError> {
    if setup.ranks.len() != shape.cells() {
        return Err(SetupError::Cells { expected: shape.cells(), found: setup.ranks.len() });
    }
    match setup.ranks.iter().find(|&&rank| rank > max) {
        Some(&rank) => Err(SetupError::Rank { rank, max }),
        None => Ok(()),
    }
}
