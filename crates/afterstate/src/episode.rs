//! One game from start to end, and its record.
//!
//! ```
//! use afterstate::episode::{Record, play, replay};
//! use afterstate::game::twenty48::Twenty48;
//! use afterstate::grid::Shape;
//! use afterstate::player::GreedyPlayer;
//! use afterstate::random::Random;
//!
//! let game = Twenty48::<16>::new(Shape::FOUR);
//! let mut record = Record::default();
//! let episode = play(&game, &mut GreedyPlayer, &mut Random::new(1), &mut record);
//! assert_eq!(replay(&game, &record).unwrap(), episode);
//! ```

use crate::game::{Game, Outcome};
use crate::grid::Direction;
use crate::player::{Choice, Player};
use crate::random::Random;
use std::ops::ControlFlow;
use thiserror::Error;

/// Result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Episode<S> {
    /// The points at the end: those of the start position, of slides and of new tiles.
    pub score: u64,
    /// Number of moves of the player.
    pub moves: u64,
    /// The rank of the largest tile at the end.
    pub max_rank: u8,
    /// The last position.
    pub last: S,
    /// True if its witness broke the game off before its end.
    pub truncated: bool,
}

/// Someone who watches a game move by move, and may break it off.
pub trait Witness<G: Game> {
    /// The game starts here.
    fn start(&mut self, game: &G, state: &G::State) {
        let _ = (game, state);
    }

    /// A player moved and chance answered.
    fn step(
        &mut self,
        game: &G,
        choice: &Choice<G::Afterstate>,
        outcome: &Outcome<G::State>,
    ) -> ControlFlow<()>;
}

/// Nobody watches.
impl<G: Game> Witness<G> for () {
    fn step(&mut self, _: &G, _: &Choice<G::Afterstate>, _: &Outcome<G::State>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// A chance outcome: the tile, its cell, and (in Threes) the tile announced next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spawn {
    /// The cell, numbered row by row.
    pub cell: u8,
    /// The new tile's rank.
    pub rank: u8,
    /// The hint of the state that follows, as in [`View::hint`](crate::grid::View::hint).
    pub hint: u8,
}

impl Spawn {
    /// Outcome that turned the afterstate into the state.
    pub fn between<G: Game>(game: &G, afterstate: &G::Afterstate, state: &G::State) -> Self {
        let (before, after) = (game.view(afterstate), game.state_view(state));
        let cell = before.cells.iter().zip(after.cells).position(|(old, new)| old != new).unwrap_or(0);
        Self { cell: cell as u8, rank: after.cells[cell], hint: after.hint }
    }

    /// The outcome of the afterstate in which chance did this; `None` if it cannot.
    pub fn outcome<G: Game>(self, game: &G, afterstate: &G::Afterstate) -> Option<Outcome<G::State>> {
        let mut found = None;
        game.outcomes(afterstate, |outcome| {
            if Self::between(game, afterstate, &outcome.state) == self {
                found = Some(outcome);
            }
        });
        found
    }
}

/// A whole game, four bytes per move: enough to play it again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record<S> {
    /// The position it started from; `None` until a game was recorded.
    pub start: Option<S>,
    /// Each move with what chance did next.
    pub steps: Vec<(Direction, Spawn)>,
}

impl<S> Default for Record<S> {
    fn default() -> Self {
        Self { start: None, steps: Vec::new() }
    }
}

impl<G: Game> Witness<G> for Record<G::State> {
    fn start(&mut self, _: &G, state: &G::State) {
        self.start = Some(*state);
        self.steps.clear();
    }

    fn step(
        &mut self,
        game: &G,
        choice: &Choice<G::Afterstate>,
        outcome: &Outcome<G::State>,
    ) -> ControlFlow<()> {
        self.steps.push((choice.direction, Spawn::between(game, &choice.slide.afterstate, &outcome.state)));
        ControlFlow::Continue(())
    }
}

/// The first moves of a game: a record that breaks the game off when it is full.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening<S> {
    /// The moves so far.
    pub record: Record<S>,
    /// Largest number of moves.
    pub most: usize,
}

impl<S> Opening<S> {
    /// Nothing yet, then at most so many moves.
    pub fn of(most: usize) -> Self {
        Self { record: Record::default(), most }
    }
}

impl<G: Game> Witness<G> for Opening<G::State> {
    fn start(&mut self, game: &G, state: &G::State) {
        self.record.start(game, state);
    }

    fn step(
        &mut self,
        game: &G,
        choice: &Choice<G::Afterstate>,
        outcome: &Outcome<G::State>,
    ) -> ControlFlow<()> {
        self.record.step(game, choice, outcome)?;
        if self.record.steps.len() < self.most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Why a record cannot be played again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ReplayError {
    /// The record holds no start position.
    #[error("the record has no start position")]
    Empty,
    /// A move that is not legal where it was made.
    #[error(
        "move {number} ({direction}) is not legal there; the record belongs to another game or is damaged"
    )]
    Illegal {
        /// The number of the move, counted from 1.
        number: usize,
        /// Direction of the move.
        direction: Direction,
    },
    /// A tile that chance cannot add there.
    #[error(
        "after move {number} no tile of rank {} can appear on cell {}; the record belongs to another game or is damaged",
        spawn.rank, spawn.cell
    )]
    Impossible {
        /// The number of the move before it, counted from 1.
        number: usize,
        /// Outcome claimed by the record.
        spawn: Spawn,
    },
}

/// Plays one game from a dealt start. The first random number seeds the player, the others are
/// chance.
pub fn play<G: Game>(
    game: &G,
    player: &mut (impl Player<G> + ?Sized),
    random: &mut Random,
    witness: &mut (impl Witness<G> + ?Sized),
) -> Episode<G::State> {
    player.begin(game, Random::new(random.next_u64()));
    let start = game.start(random);
    play_on(game, player, start, random, witness)
}

/// Goes on from any state with a player who is ready; the score counts from there.
pub fn play_on<G: Game>(
    game: &G,
    player: &mut (impl Player<G> + ?Sized),
    start: G::State,
    random: &mut Random,
    witness: &mut (impl Witness<G> + ?Sized),
) -> Episode<G::State> {
    let mut walk = Walk::from(game, start);
    witness.start(game, &start);
    while let Some(choice) = player.choose(game, &walk.state) {
        let outcome = game.spawn(&choice.slide.afterstate, random);
        walk.step(&choice, &outcome);
        if witness.step(game, &choice, &outcome).is_break() {
            return walk.end(game, true);
        }
    }
    walk.end(game, false)
}

/// Plays a recorded game again and checks every step of it against the rules.
pub fn replay<G: Game>(game: &G, record: &Record<G::State>) -> Result<Episode<G::State>, ReplayError> {
    retrace(game, record, |_, _| {})
}

/// Replays a record and shows every step once it is checked.
pub fn retrace<G: Game>(
    game: &G,
    record: &Record<G::State>,
    mut each: impl FnMut(&Choice<G::Afterstate>, &Outcome<G::State>),
) -> Result<Episode<G::State>, ReplayError> {
    let start = record.start.ok_or(ReplayError::Empty)?;
    let mut walk = Walk::from(game, start);
    for (number, &(direction, spawn)) in (1..).zip(&record.steps) {
        let slide = game.slide(&walk.state, direction).ok_or(ReplayError::Illegal { number, direction })?;
        let outcome = spawn.outcome(game, &slide.afterstate);
        let outcome = outcome.ok_or(ReplayError::Impossible { number, spawn })?;
        let choice = Choice { direction, slide };
        walk.step(&choice, &outcome);
        each(&choice, &outcome);
    }
    Ok(walk.end(game, !game.is_over(&walk.state)))
}

/// A game under way.
struct Walk<S> {
    state: S,
    score: u64,
    moves: u64,
}

impl<S: Copy> Walk<S> {
    fn from<G: Game<State = S>>(game: &G, start: S) -> Self {
        Self { state: start, score: game.start_score(&start), moves: 0 }
    }

    fn step<A>(&mut self, choice: &Choice<A>, outcome: &Outcome<S>) {
        self.state = outcome.state;
        self.score += choice.slide.reward + outcome.reward;
        self.moves += 1;
    }

    fn end<G: Game<State = S>>(&self, game: &G, truncated: bool) -> Episode<S> {
        let max_rank = game.state_view(&self.state).cells.iter().copied().max().unwrap_or(0);
        Episode { score: self.score, moves: self.moves, max_rank, last: self.state, truncated }
    }
}
