//! Threes on any board: every tile moves one cell, 1 + 2 make 3, equal tiles from 3 on merge.
//!
//! Tiles come from a bag, one is always announced, and it enters at the edge behind
//! the slide. The published versions are [`Rules`] of this one game.
//!
//! ```text
//! state       board, bag without the announced tile, announced tile
//! afterstate  board after the slide, cells where the tile may enter, bag, announced tile
//! outcome     cell × tile × next announcement
//! ```
//!
//! A value function sees in [`View::hint`] 1, 2 or 3 for a tile of the bag and the
//! rank of the smallest candidate for a bonus: always 4 where the hint is only `+`,
//! and 4 or more where candidates are shown.

mod chance;
mod fast;
mod position;
mod rules;
mod slide;

pub use chance::{BONUS_FROM, BONUS_LOW, Bag, Next};
pub use fast::slide_four as slide_four_fast;
pub use rules::{BonusRule, Rewards, Rules, SlotRule, WindowRule};
pub use slide::{Slid, label, merge_gain, score, slide_board};

use super::expand::OutcomeMoves;
use super::{Game, Outcome, Setup, SetupError, Slide};
use crate::grid::{Board, Direction, Shape, View};
use crate::random::Random;
use chance::{Drawn, HintLaw, full_bag, take};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// The rules of Threes on one board. `N` bytes hold a board: 16 or 64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threes<const N: usize> {
    /// Rows and columns.
    pub shape: Shape,
    /// Version of the rules.
    pub rules: Rules,
    /// Definition of reward.
    pub rewards: Rewards,
    /// Tiles on the board at the start.
    pub start_tiles: usize,
}

/// A position in which the player moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State<const N: usize> {
    /// The tiles.
    pub board: Board<N>,
    /// Rest of the bag, the announced tile taken out.
    pub bag: Bag,
    /// The announced tile.
    pub next: Next,
    /// Under [`BonusRule::Quota`]: draws since a 48 appeared − `one_in` · bonus tiles among them;
    /// else 0.
    pub credit: i16,
}

/// A position in which the announced tile is about to enter.
#[derive(Clone, Copy, Eq, PartialOrd, Ord, Debug)]
pub struct Afterstate<const N: usize> {
    /// The tiles after the slide.
    pub board: Board<N>,
    /// The cells where a tile may enter, as a bit set; never empty after a legal slide.
    pub slots: u64,
    /// Rest of the bag.
    pub bag: Bag,
    /// The tile to enter.
    pub next: Next,
    /// As in [`State::credit`].
    pub credit: i16,
}

impl<const N: usize> Afterstate<N> {
    /// Bag, announced tile and credit as one number.
    #[inline(always)]
    fn beside_the_board(&self) -> u64 {
        let Self { bag: [a, b, c], next: Next { low, high }, credit, .. } = *self;
        u64::from(u32::from_le_bytes([a, b, c, low])) | u64::from(high) << 32 | u64::from(credit as u16) << 40
    }
}

/// Without branches: a search compares afterstates, and whether they are the same cannot be predicted.
impl<const N: usize> PartialEq for Afterstate<N> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        let beside = self.beside_the_board() == other.beside_the_board();
        (self.board == other.board) & (self.slots == other.slots) & beside
    }
}

impl<const N: usize> Hash for Afterstate<N> {
    #[inline(always)]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.board.hash(hasher);
        hasher.write_u64(self.slots);
        hasher.write_u64(self.beside_the_board());
    }
}

impl<const N: usize> Threes<N> {
    /// A version of the rules on a board of this shape, with its usual number of start tiles:
    /// nine sixteenths of the cells, and a single one in the course's game on 2×3.
    ///
    /// # Panics
    /// If the board does not fit in `N` cells.
    pub fn new(shape: Shape, rules: Rules) -> Self {
        assert!(shape.cells() <= N, "{shape} does not fit in {N} cells");
        let course_2x3 = rules == Rules::COURSE && shape.rows().min(shape.cols()) == 2 && shape.cells() == 6;
        let start_tiles = if course_2x3 { 1 } else { (shape.cells() * 9 / 16).max(1) };
        Self { shape, rules, rewards: Rewards::FinalScore, start_tiles }
    }

    fn hint_law(&self, board: &Board<N>, bag: Bag, credit: i16) -> HintLaw {
        HintLaw::new(&self.rules, bag, board.max_rank(), self.shape.cells(), credit)
    }

    /// The law of the hint that follows this afterstate.
    ///
    /// It asks for the largest tile of the board with the new tile on it. That is the
    /// largest before, or no more than a 3: a bonus is at most an eighth of it.
    #[inline]
    fn law_after(&self, afterstate: &Afterstate<N>) -> HintLaw {
        self.hint_law(&afterstate.board, afterstate.bag, afterstate.credit)
    }

    #[inline]
    fn place(&self, afterstate: &Afterstate<N>, cell: usize, rank: u8, drawn: Drawn) -> Outcome<State<N>> {
        let (reward, ways) = (self.reward_of(rank), drawn.ways);
        Outcome { state: self.drawn(afterstate, afterstate.board.with(cell, rank), drawn), reward, ways }
    }

    /// The points of a tile that enters.
    #[inline]
    fn reward_of(&self, rank: u8) -> u64 {
        match self.rewards {
            Rewards::FinalScore => score(rank),
            Rewards::MergesOnly => 0,
        }
    }

    /// The state with this board once a hint was drawn after an afterstate.
    #[inline]
    fn drawn(&self, afterstate: &Afterstate<N>, board: Board<N>, drawn: Drawn) -> State<N> {
        let credit = afterstate.credit.saturating_add(drawn.credit);
        State { board, bag: drawn.bag, next: drawn.next, credit }
    }

    #[inline]
    fn after(&self, state: &State<N>, slid: Slid<N>) -> Slide<Afterstate<N>> {
        let Slid { board, points, slots } = slid;
        let State { bag, next, credit, .. } = *state;
        Slide { afterstate: Afterstate { board, slots, bag, next, credit }, reward: points }
    }

    #[inline]
    fn has_ended(&self, board: &Board<N>) -> bool {
        self.rules.end_rank.is_some_and(|end| board.max_rank() >= end)
    }
}

impl<const N: usize> Game for Threes<N> {
    type State = State<N>;
    type Afterstate = Afterstate<N>;

    fn id(&self) -> String {
        format!("{}-{}-v1", self.rules.name().unwrap_or("threes-custom"), self.shape)
    }

    fn shape(&self) -> Shape {
        self.shape
    }

    fn label(&self, rank: u8) -> u64 {
        label(rank)
    }

    /// The 192.
    fn win_rank(&self) -> u8 {
        9
    }

    /// Deals layer by layer, adding up the ways to the same board and bag: every state is visited
    /// once.
    fn starts(&self, visit: &mut dyn FnMut(State<N>, u64)) {
        let mut layer = BTreeMap::from([((Board::EMPTY, full_bag(&self.rules)), 1u64)]);
        for _ in 0..self.start_tiles {
            let mut dealt = BTreeMap::new();
            for ((board, bag), ways) in layer {
                for cell in (0..self.shape.cells()).filter(|&cell| board.get(cell) == 0) {
                    for rank in (1..=3).filter(|&rank| bag[usize::from(rank) - 1] > 0) {
                        let key = (board.with(cell, rank), take(&self.rules, bag, rank));
                        *dealt.entry(key).or_default() += ways * u64::from(bag[usize::from(rank) - 1]);
                    }
                }
            }
            layer = dealt;
        }
        for ((board, bag), ways) in layer {
            self.hint_law(&board, bag, 0).each(&self.rules, |drawn| {
                let state = State { board, bag: drawn.bag, next: drawn.next, credit: drawn.credit };
                visit(state, ways * drawn.ways);
            });
        }
    }

    fn start(&self, random: &mut Random) -> State<N> {
        let mut board = Board::EMPTY;
        let mut bag = full_bag(&self.rules);
        let draw = |board: &Board<N>, bag, random: &mut Random| {
            let law = self.hint_law(board, bag, 0);
            law.draw(&self.rules, random.below(law.total))
        };
        for _ in 0..self.start_tiles {
            let empty = board.empty_cells(self.shape.cells());
            let cell = nth_bit(empty, random.below(empty.count_ones().into()));
            let drawn = draw(&board, bag, random);
            board = board.with(cell, drawn.next.low);
            bag = drawn.bag;
        }
        let Drawn { next, bag, credit, .. } = draw(&board, bag, random);
        State { board, bag, next, credit }
    }

    fn start_score(&self, state: &State<N>) -> u64 {
        match self.rewards {
            Rewards::FinalScore => state.board.0.iter().map(|&rank| score(rank)).sum(),
            Rewards::MergesOnly => 0,
        }
    }

    fn slide(&self, state: &State<N>, direction: Direction) -> Option<Slide<Afterstate<N>>> {
        if self.has_ended(&state.board) {
            return None;
        }
        let slid = slide_board(&state.board, self.shape, direction, self.rules.cap_rank, self.rules.slots)?;
        Some(self.after(state, slid))
    }

    #[inline]
    fn slides(&self, state: &State<N>) -> [Option<Slide<Afterstate<N>>>; 4] {
        if self.has_ended(&state.board) {
            return [None; 4];
        }
        if self.shape == Shape::FOUR
            && let Some(slides) = fast::slide_four(&state.board, self.rules.cap_rank, self.rules.slots)
        {
            return slides.map(|slid| slid.map(|slid| self.after(state, slid)));
        }
        Direction::ALL.map(|direction| self.slide(state, direction))
    }

    #[inline]
    fn ways(&self, afterstate: &Afterstate<N>) -> u64 {
        let cells = u64::from(afterstate.slots.count_ones());
        cells * afterstate.next.choices() * self.law_after(afterstate).total
    }

    #[inline]
    fn outcomes(&self, afterstate: &Afterstate<N>, mut visit: impl FnMut(Outcome<State<N>>)) {
        let law = self.law_after(afterstate);
        let mut slots = afterstate.slots;
        while slots != 0 {
            let cell = slots.trailing_zeros() as usize;
            slots &= slots - 1;
            for rank in afterstate.next.low..=afterstate.next.high {
                law.each(&self.rules, |drawn| visit(self.place(afterstate, cell, rank, drawn)));
            }
        }
    }

    /// Slides once for all hints: the hint that is drawn next changes no tile.
    ///
    /// The afterstates of a slide, one for each hint, are numbered one after the other, so that a
    /// value function meets the same board several times in a row.
    fn expand(
        &self,
        afterstate: &Afterstate<N>,
        outcomes: &mut Vec<OutcomeMoves>,
        mut number: impl FnMut(Afterstate<N>) -> u32,
    ) {
        let mut hints = Vec::with_capacity(16);
        self.law_after(afterstate).each(&self.rules, |drawn| {
            let ways = drawn.ways;
            hints.push((self.drawn(afterstate, afterstate.board, drawn), ways));
        });
        let Some(&(any, _)) = hints.first() else { return };
        let mut slots = afterstate.slots;
        while slots != 0 {
            let cell = slots.trailing_zeros() as usize;
            slots &= slots - 1;
            for rank in afterstate.next.low..=afterstate.next.high {
                let first = outcomes.len();
                let reward = self.reward_of(rank);
                outcomes.extend(hints.iter().map(|&(_, ways)| OutcomeMoves::dead(ways, reward)));
                let slides = self.slides(&State { board: afterstate.board.with(cell, rank), ..any });
                for (direction, slide) in slides.into_iter().enumerate() {
                    let Some(Slide { afterstate: after, reward }) = slide else { continue };
                    for (one, &(State { bag, next, credit, .. }, _)) in
                        outcomes[first..].iter_mut().zip(&hints)
                    {
                        one.slides[direction] = number(Afterstate { bag, next, credit, ..after });
                        one.rewards[direction] = reward as f32;
                    }
                }
            }
        }
    }

    /// Cell, tile and next hint are the digits of the way's number.
    #[inline]
    fn outcome(&self, afterstate: &Afterstate<N>, way: u64) -> Outcome<State<N>> {
        let law = self.law_after(afterstate);
        let (rest, hint) = (way / law.total, way % law.total);
        let choices = afterstate.next.choices();
        let (slot, tile) = if choices == 1 { (rest, 0) } else { (rest / choices, rest % choices) };
        let cell = nth_bit(afterstate.slots, slot);
        let rank = afterstate.next.low + tile as u8;
        self.place(afterstate, cell, rank, law.draw(&self.rules, hint))
    }

    #[inline]
    fn state_view<'a>(&self, state: &'a State<N>) -> View<'a> {
        View { cells: &state.board.0, hint: state.next.low, bag: state.bag }
    }

    #[inline]
    fn view<'a>(&self, afterstate: &'a Afterstate<N>) -> View<'a> {
        View { cells: &afterstate.board.0, hint: afterstate.next.low, bag: afterstate.bag }
    }

    fn position(&self, setup: &Setup) -> Result<State<N>, SetupError> {
        position::from_setup(self, setup)
    }

    fn setup(&self, state: &State<N>) -> Setup {
        position::to_setup(self, state)
    }
}

/// The place of the `n`-th set bit, counted from 0.
#[inline]
fn nth_bit(mut set: u64, n: u64) -> usize {
    for _ in 0..n {
        set &= set - 1;
    }
    set.trailing_zeros() as usize
}
