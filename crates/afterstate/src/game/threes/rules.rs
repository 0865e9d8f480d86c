//! The choices in which published versions of Threes differ.

/// One version of the rules: six independent choices.
///
/// ```
/// use afterstate::game::threes::{Rules, SlotRule};
/// // The course's slots in the paper's game: any combination is a game.
/// let mixed = Rules { slots: SlotRule::EmptyEdgeCell, ..Rules::PAPER };
/// assert_eq!(Rules::PAPER.name(), Some("threes"));
/// assert_eq!(mixed.name(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Numbers of 1s, 2s and 3s in a full bag.
    pub copies: u8,
    /// Cells where a tile may enter.
    pub slots: SlotRule,
    /// When a bonus tile is drawn instead of one from the bag.
    pub bonus: BonusRule,
    /// Possible bonus tiles.
    pub window: WindowRule,
    /// Tiles of this rank no longer merge.
    pub cap_rank: u8,
    /// A board with a tile of this rank is the end of the game.
    pub end_rank: Option<u8>,
}

/// Cells where a tile may enter after a slide; one such cell is chosen uniformly.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SlotRule {
    /// The cell farthest from the wall in a line that moved.
    MovedLine,
    /// Any empty cell of the edge opposite to the wall.
    EmptyEdgeCell,
}

/// When a bonus tile is drawn, once a 48 is on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BonusRule {
    /// Every draw is a bonus with probability `1 / one_in`.
    Chance {
        /// The reciprocal of the probability.
        one_in: u8,
    },
    /// A draw is a bonus if and only if `(bonuses so far + 1) / (draws so far) < 1 / one_in`,
    /// counting the draws made while a 48 was on the board, this one not included.
    ///
    /// Boards of fewer than 16 cells have no bonus under this rule.
    Quota {
        /// The reciprocal of the share of bonus tiles.
        one_in: u8,
    },
}

/// Possible bonus tiles; `max` is the largest tile when it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WindowRule {
    /// Any tile from 6 to `max / 8`, uniformly; the hint shows only `+`.
    UpToEighth,
    /// Three consecutive tiles (fewer below 192), the smallest uniform in 6 … `max / 32`;
    /// the hint shows them, and the tile is uniform among them.
    ThreeInARow,
}

/// Definition of reward.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rewards {
    /// The gain of merges, and of a tile that enters its score:
    /// start score + rewards = final score.
    #[default]
    FinalScore,
    /// The gain of merges only; a game starts with score 0.
    MergesOnly,
}

impl Rules {
    /// Yeh et al. 2016: the default.
    pub const PAPER: Rules = Rules {
        copies: 4,
        slots: SlotRule::MovedLine,
        bonus: BonusRule::Chance { one_in: 21 },
        window: WindowRule::UpToEighth,
        cap_rank: 14,
        end_rank: None,
    };

    /// The game as sold: hints show candidates, and 12288 ends it.
    ///
    /// The last tile still enters after the slide that makes 12288.
    pub const APP: Rules =
        Rules { window: WindowRule::ThreeInARow, cap_rank: 15, end_rank: Some(15), ..Rules::PAPER };

    /// A university course's game.
    pub const COURSE: Rules = Rules {
        copies: 1,
        slots: SlotRule::EmptyEdgeCell,
        bonus: BonusRule::Quota { one_in: 21 },
        ..Rules::PAPER
    };

    /// The catalogue name of these rules, if they have one.
    pub fn name(&self) -> Option<&'static str> {
        [(Self::PAPER, "threes"), (Self::APP, "threes-app"), (Self::COURSE, "threes-course")]
            .into_iter()
            .find_map(|(rules, name)| (rules == *self).then_some(name))
    }
}
