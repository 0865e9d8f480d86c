//! Pace of the AI: where nobody chose a depth, it looks less far rather than fall behind.

use afterstate_lab::engine::SearchBudget;

/// Frames that may end with moves overdue before the AI looks less far.
const PATIENCE: u8 = 10;

/// Depth of an AI that keeps up with the speed it was given.
#[derive(Default)]
pub(super) struct Pace {
    /// Nobody chose a depth.
    pub(super) usual: bool,
    /// Frames in a row that ended with moves overdue.
    behind: u8,
    /// Moves it looks less far.
    pub(super) less: u8,
}

impl Pace {
    /// A frame is over: `overdue`, moves are.
    pub(super) fn frame(&mut self, overdue: bool) {
        self.behind = if overdue { self.behind + 1 } else { 0 };
        if self.behind >= PATIENCE {
            self.behind = 0;
            self.less = self.less.saturating_add(u8::from(self.usual));
        }
    }

    /// Another speed: it tries its usual depth again.
    pub(super) fn again(&mut self) {
        (self.behind, self.less) = (0, 0);
    }

    /// The budget with which it keeps up.
    pub(super) fn budget(&self, budget: SearchBudget<'static>) -> SearchBudget<'static> {
        SearchBudget { ply: budget.ply.saturating_sub(self.less).max(1), ..budget }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_falls_behind_looks_less_far() {
        let mut pace = Pace { usual: true, ..Pace::default() };
        let ply = |pace: &Pace| pace.budget(SearchBudget::ply(3)).ply;
        for overdue in [true, true, false] {
            pace.frame(overdue);
        }
        assert_eq!(ply(&pace), 3, "a slow frame is none");
        (0..2 * PATIENCE).for_each(|_| pace.frame(true));
        assert_eq!(ply(&pace), 1);
        (0..9 * PATIENCE).for_each(|_| pace.frame(true));
        assert_eq!(ply(&pace), 1, "one move is the least");
        pace.again();
        assert_eq!(ply(&pace), 3);
    }

    #[test]
    fn a_depth_that_was_chosen_stays() {
        let mut pace = Pace::default();
        (0..9 * PATIENCE).for_each(|_| pace.frame(true));
        assert_eq!(pace.budget(SearchBudget::ply(5)).ply, 5);
    }
}
