//! Expectimax: looking ahead over our moves and what chance answers.
//!
//! A *p-ply* search has `p` layers of our moves and `p − 1` layers of chance between them;
//! 1-ply takes the best `reward + V(afterstate)`. Rewards on the path count, of slides and
//! of chance outcomes alike. [`Search::run`] begins a search, `expectimax.rs` expands the chance
//! nodes, a [`Value`] judges the leaves.
//!
//! ```
//! use afterstate::game::{Game, Setup, twenty48::Twenty48};
//! use afterstate::grid::{Direction, Shape};
//! use afterstate::search::{Limits, Search, Workspace};
//! use afterstate::value::{Staged, Value};
//!
//! /// Knows nothing: every future is worth 0.
//! struct Nothing;
//! impl<G: Game> Value<G> for Nothing {
//!     fn value(&self, _: &G, _: &Staged<G::Afterstate>) -> f32 {
//!         0.0
//!     }
//! }
//!
//! // 2 2 .      Merging the 2s at once gives 4 points.
//! // . . .
//! let game = Twenty48::<16>::new(Shape::new(2, 3).unwrap());
//! let state = game.position(&Setup { ranks: vec![1, 1, 0, 0, 0, 0], ..Setup::default() }).unwrap();
//! let search = Search::new(&game, Nothing);
//! let answer = search.run(&state, 0, &Limits::ply(1), &mut Workspace::default());
//! assert_eq!(answer.moves[Direction::Left as usize].unwrap().value, 4.0);
//! assert_eq!(answer.moves[Direction::Up as usize], None); // nothing would move
//! assert_eq!(answer.best, Some(Direction::Right)); // the first of the best
//! ```

mod downgrade;
mod expectimax;
mod frontier;
mod hash;
pub mod heuristic;
mod limits;
mod parallel;
mod transposition;

pub use downgrade::{downgrade, downgraded};
pub use frontier::Workspace;
pub use limits::{Limits, MAX_PLY};
pub use transposition::{Key, TranspositionTable};

use crate::game::Game;
use crate::grid::Direction;
use crate::value::{Stage, Staged, Value};
use expectimax::{Context, Nodes};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Result of a search for one move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveValue {
    /// The points the slide earns at once.
    pub reward: u64,
    /// Its worth: those points and all that is expected after them, unless a heuristic judges.
    pub value: f32,
}

/// Result of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Answer {
    /// The legal moves, indexed by direction.
    pub moves: [Option<MoveValue>; 4],
    /// The move of the largest value, the first of equals; `None` in a dead position.
    pub best: Option<Direction>,
    /// Number of leaves evaluated, all iterations together.
    pub leaves: u64,
    /// The depth of the search that gave the values; 0 in a dead position.
    pub ply: u8,
    /// True if the depth asked for was reached.
    pub complete: bool,
}

impl Answer {
    /// The value of the best move.
    pub fn value(&self) -> Option<f32> {
        self.best.and_then(|best| self.moves[best as usize]).map(|best| best.value)
    }
}

/// A search of one game with one kind of leaf, perhaps with a table.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a, G, L> {
    game: &'a G,
    leaf: L,
    table: Option<&'a TranspositionTable>,
}

impl<'a, G: Game, L: Value<G>> Search<'a, G, L> {
    /// A search without a table.
    pub fn new(game: &'a G, leaf: L) -> Self {
        Self { game, leaf, table: None }
    }

    /// Adds a transposition table, from 4-ply on worth its memory.
    ///
    /// A table belongs to one game and one leaf: [`TranspositionTable::clear`] it before it serves
    /// another.
    #[must_use]
    pub fn with_table(self, table: &'a TranspositionTable) -> Self {
        Self { table: Some(table), ..self }
    }

    /// Searches a position of a game that is in this stage.
    pub fn run(
        &self,
        state: &G::State,
        stage: Stage,
        limits: &Limits<'_>,
        work: &mut Workspace<G>,
    ) -> Answer {
        if let Some(table) = self.table {
            table.age();
        }
        let cells = self.game.state_view(state).cells;
        let empty = cells[..self.game.shape().cells()].iter().filter(|&&rank| rank == 0).count();
        let depth = limits.depth(empty);
        let mut context = Context {
            game: self.game,
            leaf: &self.leaf,
            limits,
            table: self.table,
            stopped: AtomicBool::new(false),
            leaves: AtomicU64::new(0),
            may_stop: false,
        };
        let root = Root::new(&context, state, stage);
        let mut answer = Answer { moves: [None; 4], best: None, leaves: 0, ply: 0, complete: true };
        if root.list.is_empty() {
            return answer;
        }
        let mut ply = if limits.may_stop() { 1 } else { depth };
        loop {
            let before = context.leaves.load(Relaxed);
            let values = root.values(&context, ply, work);
            let leaves = context.leaves.load(Relaxed);
            answer.leaves = leaves;
            if context.stopped.load(Relaxed) {
                answer.complete = false;
                return answer;
            }
            answer.ply = ply;
            root.fill(&mut answer, &values, self.leaf.counts_rewards());
            // Nothing was judged: every line of play ends within the horizon.
            if ply == depth || (leaves == before && self.table.is_none()) {
                return answer;
            }
            ply += 1;
            context.may_stop = true;
        }
    }
}

/// The slides of the position searched.
struct Root<A> {
    list: Vec<Staged<A>>,
    moves: Vec<(Direction, u64)>,
}

impl<A: Copy + Send + Sync> Root<A> {
    fn new<G: Game<Afterstate = A>, L: Value<G>>(
        context: &Context<'_, G, L>,
        state: &G::State,
        stage: Stage,
    ) -> Self {
        let slides = context.game.slides(state);
        let mut root = Root { list: Vec::with_capacity(4), moves: Vec::with_capacity(4) };
        for (direction, slide) in Direction::ALL.into_iter().zip(slides) {
            if let Some(slide) = slide {
                let stage = context.leaf.judging(context.game, stage, &slide.afterstate);
                root.list.push(Staged { afterstate: slide.afterstate, stage });
                root.moves.push((direction, slide.reward));
            }
        }
        root
    }

    /// The values of the slides without their rewards, by a search of this depth.
    fn values<G, L>(&self, context: &Context<'_, G, L>, ply: u8, work: &mut Workspace<G>) -> Vec<f32>
    where
        G: Game<Afterstate = A>,
        L: Value<G>,
    {
        let certain = [1.0; 4];
        let probabilities = if context.limits.cut_off > 0.0 { &certain[..self.list.len()] } else { &[] };
        let mut values = Vec::with_capacity(4);
        let threads = context.limits.threads;
        let nodes = Nodes { list: &self.list, probabilities, layers: ply - 1, threads };
        context.chance_nodes(work, &nodes, &mut values);
        values
    }

    fn fill(&self, answer: &mut Answer, values: &[f32], counts_rewards: bool) {
        let mut best = f32::NEG_INFINITY;
        answer.best = None;
        for (&(direction, reward), &future) in self.moves.iter().zip(values) {
            let value = future + if counts_rewards { reward as f32 } else { 0.0 };
            answer.moves[direction as usize] = Some(MoveValue { reward, value });
            if value > best || answer.best.is_none() {
                best = value;
                answer.best = Some(direction);
            }
        }
    }
}
