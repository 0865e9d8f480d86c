//! Stages: when a game moves on to the next set of weights (Wu et al. 2014, Yeh et al. 2016).

use std::fmt;

/// The splitting times of a game: stage *k* + 1 begins the first time that all tiles of split *k* are on the board.
///
/// A stage is history: it only grows, even when the tiles that began it merge away.
///
/// ```
/// use afterstate::network::stage::Stages;
/// let stages = Stages::new(vec![vec![14], vec![14, 13]]); // 16384, then 16384 + 8192
/// assert_eq!(stages.advance(0, &[1, 14, 2]), 1);
/// assert_eq!(stages.advance(0, &[13, 14]), 2);
/// assert_eq!(stages.advance(2, &[1, 1]), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stages {
    splits: Vec<Vec<u8>>,
}

impl Stages {
    /// Stages with these splitting times, each a set of ranks (a rank listed twice must be there twice).
    ///
    /// # Panics
    /// If there are more than 63 of them.
    pub fn new(splits: Vec<Vec<u8>>) -> Self {
        assert!(splits.len() < 64, "more than 64 stages");
        Self { splits }
    }

    /// The splitting times.
    pub fn splits(&self) -> &[Vec<u8>] {
        &self.splits
    }

    /// The number of stages, at least one.
    pub fn count(&self) -> usize {
        self.splits.len() + 1
    }

    /// The stage of a game that was in `stage` and now shows these cells.
    #[inline(always)]
    pub fn advance(&self, stage: u8, cells: &[u8]) -> u8 {
        // In the last stage there is nothing to find out; most networks have no other.
        if usize::from(stage) >= self.splits.len() { stage } else { self.advance_by_tiles(stage, cells) }
    }

    #[inline(never)]
    fn advance_by_tiles(&self, stage: u8, cells: &[u8]) -> u8 {
        let mut stage = stage;
        while let Some(split) = self.splits.get(usize::from(stage)) {
            if !Self::shows(split, cells) {
                break;
            }
            stage += 1;
        }
        stage
    }

    /// The stage a bare position is taken to be in: the last one whose split its tiles show.
    pub fn implied(&self, cells: &[u8]) -> u8 {
        let last = self.splits.iter().rposition(|split| Self::shows(split, cells));
        last.map_or(0, |split| split as u8 + 1)
    }

    fn shows(split: &[u8], cells: &[u8]) -> bool {
        let count = |list: &[u8], rank: u8| list.iter().filter(|&&r| r == rank).count();
        split.iter().all(|&rank| count(cells, rank) >= count(split, rank))
    }
}

impl fmt::Display for Stages {
    /// Ranks joined by `+`, splits by spaces: `14 14+13`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, split) in self.splits.iter().enumerate() {
            let ranks: Vec<String> = split.iter().map(u8::to_string).collect();
            write!(f, "{}{}", if i == 0 { "" } else { " " }, ranks.join("+"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_is_history_and_a_bare_position_takes_the_last_its_tiles_imply() {
        let stages = Stages::new(vec![vec![14], vec![14, 13], vec![14, 13, 12]]);
        assert_eq!(stages.count(), 4);
        assert_eq!(stages.advance(1, &[14, 12]), 1);
        assert_eq!(stages.advance(2, &[14, 12, 11]), 2, "8192 has merged away");
        assert_eq!(stages.implied(&[14, 12, 11]), 1);
        assert_eq!(stages.implied(&[14, 13, 12]), 3);
        assert_eq!(stages.implied(&[13, 13]), 0);
        assert_eq!(stages.to_string(), "14 14+13 14+13+12");
    }

    #[test]
    fn a_rank_listed_twice_must_be_there_twice() {
        let stages = Stages::new(vec![vec![13, 13]]);
        assert_eq!(stages.advance(0, &[13, 1, 0]), 0);
        assert_eq!(stages.advance(0, &[13, 13, 0]), 1);
    }

    #[test]
    fn without_splits_there_is_one_stage() {
        assert_eq!(Stages::default().count(), 1);
        assert_eq!(Stages::default().advance(0, &[17; 16]), 0);
    }
}
