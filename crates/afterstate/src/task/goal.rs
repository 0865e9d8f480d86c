//! Sub-goals: tiles with which a training game is cut.

/// The tiles that end a training game before its time.
///
/// A game that comes to its goal is *cut*, not lost: the last point is pulled towards the reward
/// and the value of the board with the goal on it, as the network sees that board. A network whose
/// alphabet ends with the tiles of the goal takes the new tile for the one it began with, so that
/// it learns to make one more again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    ranks: Vec<u8>,
}

impl Goal {
    /// The goal of having all tiles of these ranks at once; a rank listed twice must be there
    /// twice.
    pub fn new(mut ranks: Vec<u8>) -> Self {
        ranks.sort_unstable();
        Self { ranks }
    }

    /// The ranks, smallest first.
    pub fn ranks(&self) -> &[u8] {
        &self.ranks
    }

    /// True if the goal is on this board. A larger tile does not stand for a smaller one.
    #[inline(always)]
    pub fn is_on(&self, cells: &[u8]) -> bool {
        let count = |list: &[u8], rank: u8| list.iter().map(|&r| u32::from(r == rank)).sum::<u32>();
        self.ranks.iter().all(|&rank| count(cells, rank) >= count(&self.ranks, rank))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tiles_must_be_there_as_often_as_listed() {
        let goal = Goal::new(vec![13, 14]);
        assert!(goal.is_on(&[14, 0, 13, 1]));
        assert!(!goal.is_on(&[14, 14, 12, 12]) && !goal.is_on(&[15, 13, 0, 0]));
        let twice = Goal::new(vec![3, 3]);
        assert!(twice.is_on(&[3, 1, 3]) && !twice.is_on(&[3, 1, 2]));
    }
}
