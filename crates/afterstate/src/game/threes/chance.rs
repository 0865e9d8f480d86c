//! The bag, the hint, and the law by which the next hint is drawn.

use super::rules::{BonusRule, Rules, WindowRule};
use crate::game::Hint;

/// Bonus tiles come once a tile of this rank (48) is on the board.
pub const BONUS_FROM: u8 = 7;

/// The smallest bonus tile, 6.
pub const BONUS_LOW: u8 = 4;

/// Numbers of 1s, 2s and 3s left; never empty.
pub type Bag = [u8; 3];

/// The announced tile: one of the ranks `low ..= high`, all equally likely.
///
/// A tile from the bag has `low == high <= 3`; a bonus has `low >= 4`. What a bonus
/// may be is settled when it is announced, so nothing else need be remembered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Next {
    /// The smallest rank it may be.
    pub low: u8,
    /// The largest rank it may be.
    pub high: u8,
}

impl Next {
    /// A tile from the bag: rank 1, 2 or 3.
    #[inline]
    pub const fn tile(rank: u8) -> Self {
        Self { low: rank, high: rank }
    }

    /// True if it is a bonus tile.
    #[inline]
    pub const fn is_bonus(self) -> bool {
        self.low >= BONUS_LOW
    }

    /// Number of tiles it may be.
    #[inline]
    pub(super) fn choices(self) -> u64 {
        (self.high - self.low + 1).into()
    }

    /// The hint as the player sees it under these rules.
    pub fn hint(self, rules: &Rules) -> Hint {
        match rules.window {
            _ if !self.is_bonus() => Hint::Tile(self.low),
            WindowRule::UpToEighth => Hint::Bonus,
            WindowRule::ThreeInARow => Hint::Candidates { low: self.low, high: self.high },
        }
    }
}

/// The bonus windows of a board whose largest rank is `max`, which is at least [`BONUS_FROM`].
#[derive(Clone, Copy)]
pub(super) struct Windows {
    /// Their number, all equally likely; window `i` begins at `BONUS_LOW + i`.
    pub(super) count: u64,
    width: u8,
}

impl Windows {
    #[inline]
    pub(super) fn new(rule: WindowRule, max: u8) -> Self {
        let all = max - BONUS_FROM + 1; // 6 … max/8
        let width = match rule {
            WindowRule::UpToEighth => all,
            WindowRule::ThreeInARow => all.min(3),
        };
        Self { count: u64::from(all - width + 1), width }
    }

    #[inline]
    pub(super) fn get(self, index: u64) -> Next {
        let low = BONUS_LOW + index as u8;
        Next { low, high: low + self.width - 1 }
    }
}

/// A full bag.
#[inline]
pub(super) fn full_bag(rules: &Rules) -> Bag {
    [rules.copies; 3]
}

/// The bag without one tile of this rank, refilled at once if that was the last.
#[inline]
pub(super) fn take(rules: &Rules, mut bag: Bag, rank: u8) -> Bag {
    bag[usize::from(rank - 1)] -= 1;
    if bag == [0; 3] { full_bag(rules) } else { bag }
}

/// Distribution of the next hint, in whole numbers of equally likely ways.
///
/// In this order: the 1s, 2s and 3s of the bag, each tile of it `tile_ways` ways;
/// then the bonus windows, `window_ways` ways each.
pub(super) struct HintLaw {
    bag: Bag,
    tile_ways: u64,
    windows: Windows,
    window_ways: u64,
    /// The sum of all ways.
    pub(super) total: u64,
    /// Amount a draw adds to the credit of [`BonusRule::Quota`], and what a bonus takes from it.
    credit: (i16, i16),
}

/// A hint that was drawn.
pub(super) struct Drawn {
    pub(super) next: Next,
    pub(super) bag: Bag,
    /// Amount to add to the credit.
    pub(super) credit: i16,
    pub(super) ways: u64,
}

impl HintLaw {
    /// The law on a board of `cells` cells whose largest rank is `max`.
    ///
    /// `credit` is `draws − one_in · bonuses` under [`BonusRule::Quota`]: all that
    /// the two counts are needed for.
    #[inline]
    pub(super) fn new(rules: &Rules, bag: Bag, max: u8, cells: usize, credit: i16) -> Self {
        let size = u64::from(bag[0]) + u64::from(bag[1]) + u64::from(bag[2]);
        let none = Windows { count: 0, width: 1 };
        let mut law = Self { bag, tile_ways: 1, windows: none, window_ways: 0, total: size, credit: (0, 0) };
        if max < BONUS_FROM {
            return law;
        }
        match rules.bonus {
            BonusRule::Chance { one_in } => {
                let one_in = u64::from(one_in);
                law.windows = Windows::new(rules.window, max);
                law.window_ways = size;
                law.tile_ways = (one_in - 1) * law.windows.count;
                law.total = one_in * law.windows.count * size;
            }
            BonusRule::Quota { one_in } if cells >= 16 => {
                let one_in = i16::from(one_in);
                law.credit = (1, one_in);
                // (bonuses + 1) / draws < 1 / one_in
                if credit > one_in {
                    law.windows = Windows::new(rules.window, max);
                    law.window_ways = 1;
                    law.tile_ways = 0;
                    law.total = law.windows.count;
                }
            }
            BonusRule::Quota { .. } => {}
        }
        law
    }

    #[inline]
    fn tile(&self, rules: &Rules, k: usize) -> Drawn {
        let rank = k as u8 + 1;
        Drawn {
            next: Next::tile(rank),
            bag: take(rules, self.bag, rank),
            credit: self.credit.0,
            ways: self.tile_ways * u64::from(self.bag[k]),
        }
    }

    #[inline]
    fn bonus(&self, index: u64) -> Drawn {
        Drawn {
            next: self.windows.get(index),
            bag: self.bag,
            credit: self.credit.0 - self.credit.1,
            ways: self.window_ways,
        }
    }

    /// Every hint that can be drawn, in the order of the ways.
    #[inline]
    pub(super) fn each(&self, rules: &Rules, mut visit: impl FnMut(Drawn)) {
        if self.tile_ways != 0 {
            for k in 0..3 {
                if self.bag[k] != 0 {
                    visit(self.tile(rules, k));
                }
            }
        }
        for index in 0..self.windows.count {
            visit(self.bonus(index));
        }
    }

    /// The hint that owns way number `way` of `total`.
    #[inline]
    pub(super) fn draw(&self, rules: &Rules, way: u64) -> Drawn {
        let mut left = way;
        for k in 0..3 {
            let ways = self.tile_ways * u64::from(self.bag[k]);
            if left < ways {
                return self.tile(rules, k);
            }
            left -= ways;
        }
        self.bonus(left / self.window_ways)
    }
}
