//! Gap of the value at a boundary between stages: the difference of the weights after and before it
//! on the same boards.
//!
//! A search compares leaves on both sides of a boundary with each other. Where the stage after it
//! says less than the stage before, a search is afraid to cross; where it says more, it hurries.

use crate::game::Game;
use crate::learn::Learner;
use crate::learn::greedy::{Chooser, Staging, ValueKind};
use crate::learn::stage_starts::{Keep, StageStarts};
use crate::learn::start::{Start, StartPoint};
use crate::learn::target::Target;
use crate::network::Network;
use crate::network::stage::Stage;
use crate::statistics::Moments;
use crate::train::{Method, Played, TrainObserver, Trainer};
use std::sync::Mutex;

/// Values of the first boards beyond a stage boundary, by the stages before and after it.
#[derive(Clone, Debug, PartialEq)]
pub struct StageGap {
    /// The stage after the boundary, from 1 on.
    pub stage: Stage,
    /// The values by the weights before it.
    pub before: Moments,
    /// The values by the weights after it.
    pub after: Moments,
    /// After less before, board by board.
    pub gap: Moments,
    /// The points that games really brought from these boards to their ends.
    pub earned: Moments,
}

/// The value of a state by the weights of one stage: of its best move, reward included.
///
/// 0 if the game is over.
pub fn value<G: Game>(
    game: &G,
    network: &Network,
    value_kind: ValueKind,
    state: &G::State,
    stage: Stage,
) -> f32 {
    let choice = Chooser::new(value_kind, Staging::Hold).choose(game, network, state, stage);
    choice.map_or(0.0, |choice| match value_kind {
        ValueKind::Afterstates => choice.slide.reward as f32 + choice.value,
        ValueKind::States | ValueKind::Actions => choice.value,
    })
}

/// Plays greedy games without learning, and keeps up to `boards` first boards of each stage.
pub fn first_boards<G: Game>(
    game: &G,
    learner: &Learner,
    value_kind: ValueKind,
    games: u64,
    boards: usize,
    seed: u64,
) -> StageStarts<G::State> {
    let method =
        Method { value_kind, target: Target::Nothing, keep: Keep::Last(boards), ..Method::default() };
    let mut trainer = Trainer::new(game.clone(), method, 1, seed);
    trainer.round(learner, games, &Scores::default());
    trainer.stage_starts().clone()
}

/// Measures the gap at the beginning of `stage`, on these boards, and plays a game from each.
pub fn measure<G: Game>(
    game: &G,
    learner: &Learner,
    value_kind: ValueKind,
    stage: Stage,
    boards: Vec<StartPoint<G::State>>,
    seed: u64,
) -> StageGap {
    let (mut before, mut after, mut gap, mut earned) =
        (Moments::default(), Moments::default(), Moments::default(), Moments::default());
    for board in &boards {
        let by = |stage| f64::from(value(game, &learner.network, value_kind, &board.state, stage));
        let (old, new) = (by(stage - 1), by(stage));
        before.add(old);
        after.add(new);
        gap.add(new - old);
    }
    if !boards.is_empty() {
        let (games, start) = (boards.len() as u64, Start::Boards(boards.clone()));
        let method = Method { value_kind, start, target: Target::Nothing, ..Method::default() };
        let scores = Scores::default();
        Trainer::new(game.clone(), method, 1, seed).round(learner, games, &scores);
        let scores = scores.0.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        scores.iter().zip(&boards).for_each(|(score, board)| earned.add((score - board.score) as f64));
    }
    StageGap { stage, before, after, gap, earned }
}

/// The scores of games, in their order.
#[derive(Default)]
struct Scores(Mutex<Vec<u64>>);

impl TrainObserver for Scores {
    fn game(&self, played: &Played) {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(played.score);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::twenty48::Twenty48;
    use crate::grid::Shape;
    use crate::learn::step_size::{StepRule, StepSize};
    use crate::network::Structure;
    use crate::network::stage::Stages;

    /// Stages that say 10, 25 and 5 of every position.
    #[test]
    fn the_jump_is_the_difference_of_what_two_stages_say() {
        let game = Twenty48::<16>::new(Shape::new(2, 3).unwrap());
        let mut structure = Structure::tuples(game.shape, "012", 6).unwrap();
        structure.stages = Stages::new(vec![vec![3], vec![4]]);
        let network = Network::new(structure);
        [10.0, 25.0, 5.0].iter().enumerate().for_each(|(k, &v)| network.fill_stage(k as u8, v));
        let step_size = StepSize::new(StepRule::Fixed { per_weight: 0.0 }, &network);
        let learner = Learner { network, step_size };
        let starts = first_boards(&game, &learner, ValueKind::Afterstates, 100, 20, 1);
        for (stage, difference) in [(1, 15.0), (2, -20.0)] {
            let boards: Vec<_> = starts.of(stage).map(|entry| entry.start).collect();
            assert!(!boards.is_empty() && boards.len() <= 20);
            let found = measure(&game, &learner, ValueKind::Afterstates, stage, boards.clone(), 1);
            assert_eq!((found.gap.mean(), found.gap.std()), (difference, Some(0.0)));
            // The value counts the reward of the best move.
            assert!(found.before.mean() >= [10.0, 25.0][usize::from(stage) - 1]);
            assert_eq!(found.earned.count(), boards.len() as u64);
            assert!(found.earned.mean() > 0.0);
        }
        assert_eq!(measure(&game, &learner, ValueKind::Afterstates, 1, Vec::new(), 1).earned.count(), 0);
    }
}
