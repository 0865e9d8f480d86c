//! 2048 on any board, and 1024: slide, merge equal neighbours, get a 2 or a 4.
//!
//! Spawn table, merge cap and number of start tiles are parameters. 1024 is the
//! same game with every label and score halved.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod expand;
mod fast;
mod slide;
mod spawn;

pub use fast::slide_four as slide_four_fast;
pub use slide::slide_board;
pub use spawn::{SpawnError, SpawnTable};

use super::expand::{OutcomeMoves, expand_by_outcomes};
use super::{Game, Outcome, Setup, SetupError, Slide, check_cells};
use crate::grid::{Board, Direction, MAX_RANK, Shape, View};
use crate::processor::nth_set_bit;
use crate::random::Random;

/// The rules of 2048 with their parameters. `N` bytes hold a board: 16 or 64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twenty48<const N: usize> {
    /// Rows and columns.
    pub shape: Shape,
    /// New tiles and their probabilities.
    pub spawn: SpawnTable,
    /// Tiles of this rank no longer merge.
    pub cap_rank: u8,
    /// Tiles on the board at the start.
    pub start_tiles: usize,
    /// Labels and scores are halved (the game 1024).
    pub halved: bool,
}

/// A board in which the player moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State<const N: usize>(pub Board<N>);

/// A board to which a tile is about to be added.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Afterstate<const N: usize>(pub Board<N>);

impl<const N: usize> Twenty48<N> {
    /// The ordinary game on a board of this shape.
    ///
    /// # Panics
    /// If the board does not fit in `N` cells.
    pub fn new(shape: Shape) -> Self {
        assert!(shape.cells() <= N, "{shape} does not fit in {N} cells");
        Self { shape, spawn: SpawnTable::default(), cap_rank: MAX_RANK, start_tiles: 2, halved: false }
    }

    /// The game 1024.
    pub fn halved(shape: Shape) -> Self {
        Self { halved: true, ..Self::new(shape) }
    }

    /// The slides of any board, however large its tiles.
    #[inline(never)]
    fn slides_one_by_one(&self, state: &State<N>) -> [Option<Slide<Afterstate<N>>>; 4] {
        Direction::ALL.map(|direction| self.slide(state, direction))
    }

    #[inline]
    fn scale(&self, points: u64) -> u64 {
        points >> u32::from(self.halved)
    }
}

impl<const N: usize> Game for Twenty48<N> {
    type State = State<N>;
    type Afterstate = Afterstate<N>;

    fn id(&self) -> String {
        format!("{}-{}-v1", if self.halved { "1024" } else { "2048" }, self.shape)
    }

    fn shape(&self) -> Shape {
        self.shape
    }

    fn label(&self, rank: u8) -> u64 {
        if rank == 0 { 0 } else { self.scale(1 << rank) }
    }

    fn win_rank(&self) -> u8 {
        11
    }

    fn starts(&self, visit: &mut dyn FnMut(State<N>, u64)) {
        fn place<const N: usize>(
            game: &Twenty48<N>,
            board: Board<N>,
            ways: u64,
            left: usize,
            visit: &mut dyn FnMut(State<N>, u64),
        ) {
            if left == 0 {
                return visit(State(board), ways);
            }
            game.outcomes(&Afterstate(board), |o| place(game, o.state.0, ways * o.ways, left - 1, visit));
        }
        place(self, Board::EMPTY, 1, self.start_tiles, visit);
    }

    fn start(&self, random: &mut Random) -> State<N> {
        let empty = State(Board::EMPTY);
        (0..self.start_tiles).fold(empty, |s, _| self.spawn(&Afterstate(s.0), random).state)
    }

    fn start_score(&self, _: &State<N>) -> u64 {
        0
    }

    fn slide(&self, state: &State<N>, direction: Direction) -> Option<Slide<Afterstate<N>>> {
        let (board, points) = slide_board(&state.0, self.shape, direction, self.cap_rank)?;
        Some(Slide { afterstate: Afterstate(board), reward: self.scale(points) })
    }

    #[inline(always)]
    fn slides(&self, state: &State<N>) -> [Option<Slide<Afterstate<N>>>; 4] {
        let slide =
            |board, points: u32| Slide { afterstate: Afterstate(board), reward: self.scale(points.into()) };
        if self.shape == Shape::FOUR
            && let Some(slides) = fast::slide_four(&state.0, self.cap_rank, slide)
        {
            return slides;
        }
        self.slides_one_by_one(state)
    }

    #[inline(always)]
    fn ways(&self, afterstate: &Afterstate<N>) -> u64 {
        let empty = afterstate.0.empty_cells(self.shape.cells()).count_ones();
        u64::from(empty) * self.spawn.total()
    }

    #[inline]
    fn outcomes(&self, afterstate: &Afterstate<N>, mut visit: impl FnMut(Outcome<State<N>>)) {
        let mut empty = afterstate.0.empty_cells(self.shape.cells());
        while empty != 0 {
            let cell = empty.trailing_zeros() as usize;
            empty &= empty - 1;
            for &(rank, ways) in self.spawn.tiles() {
                visit(Outcome { state: State(afterstate.0.with(cell, rank)), reward: 0, ways });
            }
        }
    }

    #[inline]
    fn expand(
        &self,
        afterstate: &Afterstate<N>,
        outcomes: &mut Vec<OutcomeMoves>,
        number: impl FnMut(Afterstate<N>) -> u32,
    ) {
        if self.shape == Shape::FOUR && expand::fits(self, afterstate) {
            expand::expand_four(self, afterstate, outcomes, number);
        } else {
            expand_by_outcomes(self, afterstate, outcomes, number);
        }
    }

    /// Cells come first in the list, so cell and tile can be read off the number directly.
    #[inline(always)]
    fn outcome(&self, afterstate: &Afterstate<N>, way: u64) -> Outcome<State<N>> {
        let empty = afterstate.0.empty_cells(self.shape.cells());
        // 32-bit division, which is several times faster, wherever it is enough.
        let total = self.spawn.total();
        let (nth, rest) = match (u32::try_from(way), u32::try_from(total)) {
            (Ok(way), Ok(total)) => ((way / total).into(), (way % total).into()),
            _ => (way / total, way % total),
        };
        let (rank, ways) = self.spawn.tile(rest);
        let cell = nth_set_bit(empty, nth as u32) as usize;
        Outcome { state: State(afterstate.0.with(cell, rank)), reward: 0, ways }
    }

    #[inline]
    fn state_view<'a>(&self, state: &'a State<N>) -> View<'a> {
        View { cells: &state.0.0, hint: 0, bag: [0; 3] }
    }

    #[inline]
    fn view<'a>(&self, afterstate: &'a Afterstate<N>) -> View<'a> {
        View { cells: &afterstate.0.0, hint: 0, bag: [0; 3] }
    }

    fn position(&self, setup: &Setup) -> Result<State<N>, SetupError> {
        check_cells(setup, self.shape, MAX_RANK)?;
        if setup.bag.is_some() || setup.hint.is_some() || setup.bonus_count.is_some() {
            return Err(SetupError::Extra("bag and hint belong to Threes, not to this game".into()));
        }
        Ok(State(Board::from_cells(&setup.ranks)))
    }

    fn setup(&self, state: &State<N>) -> Setup {
        Setup { ranks: state.0.0[..self.shape.cells()].to_vec(), ..Setup::default() }
    }
}
