//! The first boards of later stages: collected to train the stages from (Yeh et al. 2016), or to
//! start games evenly all over the game (the carousel of Jaśkowski 2016).

use super::start::StartPoint;
use crate::network::stage::Stage;
use crate::random::Random;
use std::collections::VecDeque;

/// Number of stage-entry positions to keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// None are looked for.
    #[default]
    Nothing,
    /// The first so many of each stage; games go on until one stage has them.
    First(usize),
    /// The last so many of each stage.
    Last(usize),
}

/// The board on which a game first was in a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageStart<S> {
    /// The board, its stage, and the score so far.
    pub start: StartPoint<S>,
    /// The score at the end of the game that came by it.
    pub last: u64,
}

/// First boards by stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageStarts<S> {
    keep: Keep,
    stages: Vec<VecDeque<StageStart<S>>>,
    /// Number met of each stage, kept or not.
    met: Vec<u64>,
}

impl<S: Copy> StageStarts<S> {
    /// None yet.
    pub fn new(keep: Keep) -> Self {
        Self { keep, stages: Vec::new(), met: Vec::new() }
    }

    /// Those that were kept earlier, oldest first, and how many each stage had met by then.
    pub fn restored(keep: Keep, kept: impl IntoIterator<Item = StageStart<S>>, met: Vec<u64>) -> Self {
        let mut starts = Self::new(keep);
        kept.into_iter().for_each(|entry| starts.add(entry));
        starts.met = met;
        starts
    }

    /// One more, the newest of its stage.
    pub fn add(&mut self, entry: StageStart<S>) {
        let stage = usize::from(entry.start.stage);
        if self.stages.len() <= stage {
            self.stages.resize_with(stage + 1, VecDeque::new);
        }
        if self.met.len() <= stage {
            self.met.resize(stage + 1, 0);
        }
        self.met[stage] += 1;
        let boards = &mut self.stages[stage];
        match self.keep {
            Keep::First(most) if boards.len() < most => boards.push_back(entry),
            Keep::Last(most) => {
                if boards.len() >= most {
                    boards.pop_front();
                }
                boards.push_back(entry);
            }
            Keep::First(_) | Keep::Nothing => {}
        }
    }

    /// Those of a stage, oldest first.
    pub fn of(&self, stage: Stage) -> impl ExactSizeIterator<Item = &StageStart<S>> {
        self.stages.get(usize::from(stage)).map_or_else(Default::default, VecDeque::iter)
    }

    /// All of them, stage by stage.
    pub fn all(&self) -> impl Iterator<Item = &StageStart<S>> {
        self.stages.iter().flatten()
    }

    /// Number of games that came to each stage, kept or not.
    pub fn met(&self) -> &[u64] {
        &self.met
    }

    /// True if as many were kept as were wanted first.
    pub fn is_enough(&self) -> bool {
        matches!(self.keep, Keep::First(most) if self.stages.iter().any(|boards| boards.len() >= most))
    }

    /// Any of a stage.
    pub fn pick(&self, stage: Stage, random: &mut Random) -> Option<StartPoint<S>> {
        let boards = self.stages.get(usize::from(stage)).filter(|boards| !boards.is_empty())?;
        Some(boards[random.below(boards.len() as u64) as usize].start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(stage: Stage, score: u64) -> StageStart<u8> {
        StageStart { start: StartPoint { state: 0, stage, score }, last: 2 * score }
    }

    fn scores(starts: &StageStarts<u8>, stage: Stage) -> Vec<u64> {
        starts.of(stage).map(|entry| entry.start.score).collect()
    }

    #[test]
    fn the_first_or_the_last_are_kept_for_each_stage() {
        let (mut first, mut last) = (StageStarts::new(Keep::First(2)), StageStarts::new(Keep::Last(2)));
        for (stage, score) in [(1, 10), (2, 20), (1, 30)] {
            assert!(!first.is_enough());
            first.add(entry(stage, score));
            last.add(entry(stage, score));
        }
        assert!(first.is_enough() && !last.is_enough());
        first.add(entry(1, 40));
        last.add(entry(1, 40));
        assert_eq!((scores(&first, 1), scores(&last, 1)), (vec![10, 30], vec![30, 40]));
        assert_eq!(first.met(), [0, 3, 1]);
        let again = StageStarts::restored(Keep::Last(2), last.all().copied(), last.met().to_vec());
        assert_eq!(again, last);
        assert_eq!((scores(&first, 2), scores(&last, 2)), (vec![20], vec![20]));
        assert!(scores(&first, 7).is_empty());
        assert_eq!(last.all().map(|entry| entry.last).collect::<Vec<_>>(), [60, 80, 40]);
        let mut none = StageStarts::new(Keep::Nothing);
        none.add(entry(1, 1));
        assert_eq!(none.all().count(), 0);
    }

    #[test]
    fn any_board_of_a_stage_is_picked_equally_often() {
        let mut starts = StageStarts::new(Keep::Last(4));
        (0..4).for_each(|score| starts.add(entry(1, score)));
        let mut random = Random::new(1);
        let mut counts = [0; 4];
        for _ in 0..4000 {
            counts[starts.pick(1, &mut random).unwrap().score as usize] += 1;
        }
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
        assert!(starts.pick(0, &mut random).is_none() && starts.pick(2, &mut random).is_none());
    }
}
