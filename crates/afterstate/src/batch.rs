//! Many games side by side, a step at a time: what a vector environment is made of.
//!
//! Every game has its own generator, `Random::stream(seed, index)`, and all its chance comes from
//! there: game `i` of a batch goes the same way in a batch of any size. Its four slides are
//! computed once, when a position is reached; they tell which moves are legal, and the next move is
//! looked up among them.
//!
//! ```
//! use afterstate::batch::{Batch, Ending};
//! use afterstate::game::twenty48::Twenty48;
//! use afterstate::grid::Shape;
//! let mut batch = Batch::new(Twenty48::<16>::new(Shape::FOUR), 100, 1, Ending::NextStep);
//! let mut points = 0;
//! for _ in 0..1000 {
//!     batch.step(|lane, random| lane.random_action(random), |_, turn| points += turn.reward);
//! }
//! assert!(points > 100_000);
//! ```

use crate::game::{Game, Slide};
use crate::random::Random;

/// Treatment of a game that is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ending {
    /// The next step deals a new game instead of moving.
    #[default]
    NextStep,
    /// A new game is dealt in the same step; the turn tells how the old one ended.
    SameStep,
    /// It stays over until [`Batch::deal`] is called.
    Wait,
}

/// One game of a batch.
#[derive(Clone, Debug)]
pub struct Lane<G: Game> {
    state: G::State,
    slides: [Option<Slide<G::Afterstate>>; 4],
    score: u64,
    moves: u64,
    mask: u8,
}

/// Result of one step of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The points of the slide and of the new tile.
    pub reward: u64,
    /// True if the move was legal; an illegal one changes nothing.
    pub legal: bool,
    /// True if the game is over now.
    pub over: bool,
    /// True if a new game was dealt instead of moving.
    pub dealt: bool,
}

/// End of a game of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Final<S> {
    /// The last position.
    pub state: S,
    /// Its points.
    pub score: u64,
    /// Its moves.
    pub moves: u64,
}

/// The directions of a mask in order: `CHOICE[mask][k]` is its `k`-th legal one.
const CHOICE: [[u8; 4]; 16] = {
    let mut table = [[0; 4]; 16];
    let mut mask = 0;
    while mask < 16 {
        let (mut direction, mut k) = (0, 0);
        while direction < 4 {
            if mask >> direction & 1 == 1 {
                table[mask][k] = direction as u8;
                k += 1;
            }
            direction += 1;
        }
        mask += 1;
    }
    table
};

impl<G: Game> Lane<G> {
    fn at(game: &G, state: G::State) -> Self {
        let mut lane = Self { state, slides: [None; 4], score: game.start_score(&state), moves: 0, mask: 0 };
        lane.look(game);
        lane
    }

    /// Finds the slides of the position.
    #[inline]
    fn look(&mut self, game: &G) {
        self.slides = game.slides(&self.state);
        self.mask = 0;
        for direction in 0..4 {
            self.mask |= u8::from(self.slides[direction].is_some()) << direction;
        }
    }

    /// The position.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The legal directions as a bit set, bit 0 for up.
    #[inline]
    pub fn mask(&self) -> u8 {
        self.mask
    }

    /// True if the game is over.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.mask == 0
    }

    /// Points so far.
    pub fn score(&self) -> u64 {
        self.score
    }

    /// Moves so far.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// A legal direction, each with equal chance; 0 where there is none.
    #[inline]
    pub fn random_action(&self, random: &mut Random) -> u8 {
        let count = self.mask.count_ones().max(1);
        CHOICE[usize::from(self.mask)][random.below(count.into()) as usize]
    }

    /// Moves, if the move is legal.
    #[inline]
    fn step(&mut self, game: &G, action: u8, random: &mut Random) -> Turn {
        let Some(slide) = self.slides.get(usize::from(action)).copied().flatten() else {
            return Turn { reward: 0, legal: false, over: self.is_over(), dealt: false };
        };
        let outcome = game.spawn(&slide.afterstate, random);
        let reward = slide.reward + outcome.reward;
        self.state = outcome.state;
        self.score += reward;
        self.moves += 1;
        self.look(game);
        Turn { reward, legal: true, over: self.is_over(), dealt: false }
    }
}

/// Many games side by side.
#[derive(Clone, Debug)]
pub struct Batch<G: Game> {
    game: G,
    ending: Ending,
    lanes: Vec<Lane<G>>,
    randoms: Vec<Random>,
    finals: Vec<(usize, Final<G::State>)>,
}

impl<G: Game> Batch<G> {
    /// `count` games under a seed, dealt.
    pub fn new(game: G, count: usize, seed: u64, ending: Ending) -> Self {
        let mut randoms: Vec<Random> = (0..count as u64).map(|i| Random::stream(seed, i)).collect();
        let lanes = randoms.iter_mut().map(|random| Lane::at(&game, game.start(random))).collect();
        Self { game, ending, lanes, randoms, finals: Vec::new() }
    }

    /// The game being played.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// All games.
    pub fn lanes(&self) -> &[Lane<G>] {
        &self.lanes
    }

    /// Ends of the games that were over in the last step, where new ones were dealt in the same
    /// step.
    pub fn finals(&self) -> &[(usize, Final<G::State>)] {
        &self.finals
    }

    /// Gives a game a generator of its own and deals it anew.
    ///
    /// # Panics
    /// If there is no game of this number.
    pub fn seed(&mut self, index: usize, seed: u64) {
        self.randoms[index] = Random::new(seed);
        self.deal(index);
    }

    /// Deals a game anew, with the chance that is next.
    ///
    /// # Panics
    /// If there is no game of this number.
    pub fn deal(&mut self, index: usize) {
        let state = self.game.start(&mut self.randoms[index]);
        self.place(index, state);
    }

    /// Has a game go on from a position, its score that of a game that starts there.
    ///
    /// # Panics
    /// If there is no game of this number.
    pub fn place(&mut self, index: usize, state: G::State) {
        self.lanes[index] = Lane::at(&self.game, state);
    }

    /// One move in every game: `act` chooses it (a number that is no direction is an illegal move),
    /// `seen` hears what became of it. Both are asked in the order of the games.
    #[inline]
    pub fn step(
        &mut self,
        mut act: impl FnMut(&Lane<G>, &mut Random) -> u8,
        mut seen: impl FnMut(&Lane<G>, Turn),
    ) {
        self.finals.clear();
        let game = &self.game;
        for (index, (lane, random)) in self.lanes.iter_mut().zip(&mut self.randoms).enumerate() {
            if self.ending == Ending::NextStep && lane.is_over() {
                act(lane, random);
                *lane = Lane::at(game, game.start(random));
                seen(lane, Turn { reward: 0, legal: true, over: lane.is_over(), dealt: true });
                continue;
            }
            let action = act(lane, random);
            let turn = lane.step(game, action, random);
            if turn.over && self.ending == Ending::SameStep {
                let last = Final { state: lane.state, score: lane.score, moves: lane.moves };
                self.finals.push((index, last));
                *lane = Lane::at(game, game.start(random));
            }
            seen(lane, turn);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::play;
    use crate::game::catalogue::GameSpec;
    use crate::player::{Choice, Player, legal};
    use crate::with_game;

    /// Plays like a batch: chance of moves and of tiles from one generator, the moves first.
    fn alone<G: Game>(game: &G, seed: u64, index: u64) -> (u64, u64) {
        let mut random = Random::stream(seed, index);
        let mut state = game.start(&mut random);
        let (mut score, mut moves) = (game.start_score(&state), 0);
        loop {
            let choices: Vec<Choice<G::Afterstate>> = legal(game, &state).collect();
            if choices.is_empty() {
                return (score, moves);
            }
            let slide = choices[random.below(choices.len() as u64) as usize].slide;
            let outcome = game.spawn(&slide.afterstate, &mut random);
            score += slide.reward + outcome.reward;
            state = outcome.state;
            moves += 1;
        }
    }

    #[test]
    fn every_game_of_a_batch_goes_as_it_would_alone() {
        for name in ["2048", "2048-2x3", "2048-5x5", "1024", "threes", "threes-app", "threes-course-2x3"] {
            let any = GameSpec::parse(name).unwrap().build().unwrap();
            with_game!(&any, game => {
                let mut batch = Batch::new(game.clone(), 9, 5, Ending::Wait);
                while !batch.lanes().iter().all(Lane::is_over) {
                    let mut sum = 0;
                    batch.step(|lane, random| if lane.is_over() { 0 } else { lane.random_action(random) }, |lane, turn| {
                        sum += u64::from(turn.legal);
                        assert_eq!(turn.over, game.is_over(lane.state()));
                    });
                    assert!(sum > 0);
                }
                for (i, lane) in batch.lanes().iter().enumerate() {
                    assert_eq!((lane.score(), lane.moves()), alone(game, 5, i as u64), "{name} {i}");
                }
            });
        }
    }

    #[test]
    fn illegal_moves_change_nothing_and_draw_no_chance() {
        let game = crate::game::twenty48::Twenty48::<16>::new(crate::grid::Shape::FOUR);
        let mut batch = Batch::new(game, 64, 3, Ending::NextStep);
        let before = batch.clone();
        batch.step(
            |lane, _| (0..4).find(|d| lane.mask() >> d & 1 == 0).unwrap_or(9),
            |_, turn| {
                assert_eq!((turn.reward, turn.legal, turn.over), (0, false, false));
            },
        );
        for (a, b) in before.lanes().iter().zip(batch.lanes()) {
            assert_eq!((a.state(), a.score(), a.moves()), (b.state(), b.score(), b.moves()));
        }
        assert_eq!(before.randoms, batch.randoms);
    }

    #[test]
    fn the_three_endings() {
        let game = crate::game::twenty48::Twenty48::<16>::new(crate::grid::Shape::new(2, 2).unwrap());
        let run = |ending| {
            let mut batch = Batch::new(game.clone(), 50, 1, ending);
            let (mut overs, mut dealt, mut finals) = (0, 0, 0);
            for _ in 0..100 {
                batch.step(
                    |lane, random| lane.random_action(random),
                    |lane, turn| {
                        overs += u64::from(turn.over);
                        dealt += u64::from(turn.dealt);
                        assert!(ending != Ending::SameStep || !lane.is_over());
                    },
                );
                finals += batch.finals().len() as u64;
                for (_, last) in batch.finals() {
                    assert!(game.is_over(&last.state) && last.moves > 0);
                }
            }
            (overs, dealt, finals)
        };
        let (overs, dealt, finals) = run(Ending::NextStep);
        assert!(dealt > 200 && overs >= dealt && overs <= dealt + 50 && finals == 0, "{overs} {dealt}");
        let (overs, dealt, finals) = run(Ending::SameStep);
        assert!(dealt == 0 && overs == finals && finals > 200);
        let mut batch = Batch::new(game.clone(), 1, 1, Ending::Wait);
        (0..100).for_each(|_| batch.step(|lane, random| lane.random_action(random), |_, _| {}));
        assert!(batch.lanes()[0].is_over());
        batch.deal(0);
        assert!(!batch.lanes()[0].is_over() && batch.lanes()[0].moves() == 0);
    }

    /// The scores of random play are those of the random player: the same game, drawn in another
    /// order.
    #[test]
    fn random_play_has_the_scores_of_the_random_player() {
        let game = crate::game::twenty48::Twenty48::<16>::new(crate::grid::Shape::FOUR);
        let mut batch = Batch::new(game.clone(), 200, 1, Ending::SameStep);
        let mut scores = crate::statistics::Moments::default();
        while scores.count() < 4000 {
            batch.step(|lane, random| lane.random_action(random), |_, _| {});
            batch.finals().iter().for_each(|(_, last)| scores.add(last.score as f64));
        }
        let mut player = crate::player::RandomPlayer::default();
        Player::<crate::game::twenty48::Twenty48<16>>::begin(&mut player, &game, Random::new(1));
        let one = play(&game, &mut player, &mut Random::new(1), &mut ());
        assert!(one.score > 0);
        // 1095.4 by the rules of the house; the first games to end are the short ones, hence a
        // little less.
        assert!((1040.0..1120.0).contains(&scores.mean()), "{}", scores.mean());
    }
}
