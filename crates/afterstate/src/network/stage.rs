//! Stages: when a game moves on to the next set of weights (Wu et al. 2014, Yeh et al. 2016).

use std::fmt;

/// Stage: number of the set of weights that evaluates a position. It only grows during a game.
///
/// A value function without stages stays in stage 0 for ever.
pub type Stage = u8;

/// The stages of a game, as data: what begins each of them, and which of them are promoted.
///
/// A stage is history: it only grows, even when the tiles that began it merge away ([`Rule::Walls`]
/// excepted).
///
/// ```
/// use afterstate::network::stage::Stages;
/// let stages = Stages::new(vec![vec![14], vec![14, 13]]); // 16384, then 16384 + 8192
/// assert_eq!(stages.advance(0, &[1, 14, 2]), 1);
/// assert_eq!(stages.advance(0, &[13, 14]), 2);
/// assert_eq!(stages.advance(2, &[1, 1]), 2);
/// ```
///
/// A *promoted* stage begins as a copy of the one before: an entry of it that is zero, because
/// nothing was learned there yet, reads the entry of the stage before ([`super::Network::sum`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stages {
    rule: Rule,
    /// The last stage: the common case of one stage is known by a glance.
    last: u8,
    /// True if the board alone says which stage it is.
    by_board: bool,
    judging: Judging,
    /// Promoted stages, as a bit set.
    promoted: u64,
}

/// The stage that judges a board while a player looks ahead to it: the two differ where a stage
/// begins in between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Judging {
    /// The board's own: the stage the game will be in when it comes there.
    ///
    /// Values of two stages are then compared with each other, so both must be on one scale.
    #[default]
    Leaf,
    /// The stage of the position that is looked ahead from, however far the board is (Wu et al.
    /// 2014, Yeh et al. 2016).
    ///
    /// All boards of a search are judged by one set of weights; a stage must know what comes after
    /// it.
    Game,
}

/// Rule that begins a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Stage *k* + 1 begins the first time that all tiles of split *k* are on the board
    /// (a rank listed twice must be there twice).
    Splits(Vec<Vec<u8>>),
    /// The large tiles, counted in tiles of rank `from`: one of rank `from` + 2 counts as four.
    ///
    /// No merge changes that count, so it grows like the game itself. Cells may then show all of
    /// these tiles as one rank (an alphabet of `from` + 1): the stage knows which they are, the
    /// tables are smaller.
    Counted {
        /// The smallest rank that counts.
        from: u8,
        /// Number of stages; larger counts belong to the last.
        stages: u8,
    },
    /// The number of walls, tiles of rank `from` or more, on the board as it is: none or one is the
    /// first stage.
    ///
    /// This is no history: when walls merge the game is in an earlier stage again. While a player
    /// looks ahead, boards are judged by the stage of the position it is in ([`Judging::Game`]), which
    /// sees a wall more as a goal about to be made; those with fewer walls by their own.
    Walls {
        /// The smallest rank that is a wall.
        from: u8,
        /// Number of stages; more walls belong to the last.
        stages: u8,
    },
}

/// More stages than this are refused.
pub const MAX_STAGES: usize = 64;

impl Default for Stages {
    /// One stage.
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Stages {
    /// Stages with these splitting times, each a set of ranks (a rank listed twice must be there
    /// twice).
    ///
    /// # Panics
    /// If there are more than 63 of them.
    pub fn new(splits: Vec<Vec<u8>>) -> Self {
        Self::by(Rule::Splits(splits))
    }

    /// Stages by a rule of any kind.
    ///
    /// # Panics
    /// If there are more than 64 of them, or none.
    pub fn by(rule: Rule) -> Self {
        let count = match &rule {
            Rule::Splits(splits) => splits.len() + 1,
            Rule::Counted { stages, .. } | Rule::Walls { stages, .. } => usize::from(*stages),
        };
        assert!((1..=MAX_STAGES).contains(&count), "1 to {MAX_STAGES} stages, not {count}");
        let by_board = matches!(rule, Rule::Walls { .. });
        let judging = if by_board { Judging::Game } else { Judging::default() };
        Self { rule, last: count as u8 - 1, by_board, judging, promoted: 0 }
    }

    /// Rule that begins the stages.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// The splitting times; none if stages begin otherwise.
    pub fn splits(&self) -> &[Vec<u8>] {
        match &self.rule {
            Rule::Splits(splits) => splits,
            Rule::Counted { .. } | Rule::Walls { .. } => &[],
        }
    }

    /// The number of stages, at least one.
    pub fn count(&self) -> usize {
        usize::from(self.last) + 1
    }

    /// The stage of a game that was in `stage` and now shows these cells.
    #[inline(always)]
    pub fn advance(&self, stage: Stage, cells: &[u8]) -> Stage {
        if stage >= self.last && !self.by_board { stage } else { self.advance_within(stage, cells) }
    }

    /// The choice of the stage that judges what a player looks ahead to.
    #[inline(always)]
    pub fn judged_by(&self) -> Judging {
        self.judging
    }

    /// These stages with another choice of who judges; `None` for [`Judging::Leaf`] if the board
    /// alone says which stage it is.
    pub fn judging_by(self, judging: Judging) -> Option<Self> {
        (judging == Judging::Game || !self.by_board).then_some(Self { judging, ..self })
    }

    /// The stage of a position whose game was in `stage`: another one only if the board alone says
    /// so.
    #[inline(always)]
    pub fn standing(&self, stage: Stage, cells: &[u8]) -> Stage {
        if self.by_board { self.advance_within(stage, cells) } else { stage }
    }

    /// The stage that judges a board reached from a position in `stage`.
    #[inline(always)]
    pub fn judging(&self, stage: Stage, cells: &[u8]) -> Stage {
        match self.judging {
            Judging::Leaf => self.advance(stage, cells),
            Judging::Game if self.by_board => stage.min(self.advance_within(stage, cells)),
            Judging::Game => stage,
        }
    }

    #[inline(never)]
    fn advance_within(&self, stage: Stage, cells: &[u8]) -> Stage {
        match &self.rule {
            Rule::Splits(splits) => {
                let passed = splits[usize::from(stage)..].iter().take_while(|split| shows(split, cells));
                stage + passed.count() as u8
            }
            Rule::Counted { from, .. } => counted(*from, self.last, cells).max(stage),
            Rule::Walls { from, .. } => walls(*from, self.last, cells),
        }
    }

    /// The stage a bare position is taken to be in: the last one whose beginning its tiles show,
    /// merged or not.
    ///
    /// A game with a 32768 once had 16384 and 8192.
    pub fn implied(&self, cells: &[u8]) -> Stage {
        match &self.rule {
            Rule::Splits(splits) => {
                let last = splits.iter().rposition(|split| holds(cells, split));
                last.map_or(0, |split| split as u8 + 1)
            }
            Rule::Counted { from, .. } => counted(*from, self.last, cells),
            Rule::Walls { from, .. } => walls(*from, self.last, cells),
        }
    }

    /// The stage of `other` that judged the boards with which a stage of these begins.
    pub fn origin(&self, stage: Stage, other: &Self) -> Stage {
        match (&self.rule, stage.checked_sub(1)) {
            (Rule::Splits(splits), Some(split)) if self.rule != other.rule => {
                other.implied(&splits[usize::from(split)])
            }
            (Rule::Counted { from, .. }, _) if matches!(other.rule, Rule::Splits(_)) => {
                // So many tiles of rank `from`, merged as far as they go: one for each bit.
                let tiles: Vec<u8> =
                    (0..8).filter(|bit| stage >> bit & 1 == 1).map(|bit| from + bit).collect();
                other.implied(&tiles)
            }
            _ => stage.min(other.last),
        }
    }

    /// Copy whose stages begin with tiles `by` ranks larger (smaller if negative).
    ///
    /// `None` if a rank would no longer be from 1 to 60.
    pub fn shifted(&self, by: i32) -> Option<Self> {
        let shift = |&rank: &u8| {
            let moved = i32::from(rank).checked_add(by)?;
            u8::try_from(moved).ok().filter(|rank| (1..=crate::grid::MAX_RANK).contains(rank))
        };
        let rule = match &self.rule {
            Rule::Splits(splits) => {
                let split = |ranks: &Vec<u8>| ranks.iter().map(shift).collect::<Option<Vec<u8>>>();
                Rule::Splits(splits.iter().map(split).collect::<Option<_>>()?)
            }
            Rule::Counted { from, stages } => Rule::Counted { from: shift(from)?, stages: *stages },
            Rule::Walls { from, stages } => Rule::Walls { from: shift(from)?, stages: *stages },
        };
        Some(Self { rule, ..self.clone() })
    }

    /// True if entries of this stage that are zero read the stage before.
    pub fn is_promoted(&self, stage: Stage) -> bool {
        self.promoted >> stage & 1 == 1
    }

    /// Copy in which those stages are promoted for which this holds; the first never is.
    #[must_use]
    pub fn promoting(mut self, promoted: impl Fn(u8) -> bool) -> Self {
        self.promoted =
            (1..=self.last).filter(|&stage| promoted(stage)).fold(0, |set, stage| set | 1 << stage);
        self
    }
}

/// True if all tiles of a split are there.
fn shows(split: &[u8], cells: &[u8]) -> bool {
    let count = |list: &[u8], rank: u8| list.iter().filter(|&&r| r == rank).count();
    split.iter().all(|&rank| count(cells, rank) >= count(split, rank))
}

/// True if the tiles of a split are there or have merged into those that are.
fn holds(cells: &[u8], split: &[u8]) -> bool {
    split.iter().all(|&rank| worth(rank, cells) >= worth(rank, split))
}

/// The stage of a board by its walls.
fn walls(from: u8, last: u8, cells: &[u8]) -> Stage {
    let walls = cells.iter().map(|&rank| u8::from(rank >= from)).sum::<u8>();
    walls.saturating_sub(1).min(last)
}

/// Worth of the tiles from rank `from` on, in tiles of that rank, `most` at most.
fn counted(from: u8, most: u8, cells: &[u8]) -> Stage {
    worth(from, cells).min(most.into()) as u8
}

/// Worth of the tiles from rank `from` on, in tiles of that rank.
fn worth(from: u8, cells: &[u8]) -> u64 {
    cells.iter().filter(|&&rank| rank >= from).map(|&rank| 1u64 << (rank - from).min(32)).sum()
}

impl fmt::Display for Stages {
    /// Ranks joined by `+`, splits by spaces: `14 14+13`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.rule {
            Rule::Splits(splits) => {
                let ranks = |split: &Vec<u8>| split.iter().map(u8::to_string).collect::<Vec<_>>().join("+");
                f.write_str(&splits.iter().map(ranks).collect::<Vec<_>>().join(" "))
            }
            Rule::Counted { from, stages } => write!(f, "{stages} by tiles counted from rank {from}"),
            Rule::Walls { from, stages } => write!(f, "{stages} by walls from rank {from}"),
        }
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
        assert_eq!(stages.implied(&[15, 3]), 3);
        assert_eq!(stages.implied(&[14, 14]), 3);
        assert_eq!(stages.to_string(), "14 14+13 14+13+12");
    }

    #[test]
    fn a_stage_originates_from_the_one_that_judged_its_first_boards() {
        let none = Stages::default();
        let one = Stages::new(vec![vec![14]]);
        let three = Stages::new(vec![vec![13], vec![14], vec![14, 13]]);
        let origins = |own: &Stages, other: &Stages| -> Vec<u8> {
            (0..own.count() as u8).map(|stage| own.origin(stage, other)).collect()
        };
        assert_eq!(origins(&three, &one), [0, 0, 1, 1]);
        assert_eq!(origins(&three, &none), [0; 4]);
        assert_eq!(origins(&three, &three), [0, 1, 2, 3]);
        // A game with a 32768 has been through all of the three.
        let merged = Stages::new(vec![vec![13, 12], vec![14], vec![14, 13, 12], vec![15]]);
        assert_eq!(origins(&merged, &three), [0, 1, 2, 3, 3]);
        assert_eq!(origins(&Stages::new(vec![vec![15]]), &one), [0, 1]);
        let counted = |stages| Stages::by(Rule::Counted { from: 12, stages });
        assert_eq!(origins(&counted(4), &counted(2)), [0, 1, 1, 1]);
        assert_eq!(origins(&Stages::new(vec![vec![12], vec![14]]), &counted(3)), [0, 1, 2]);
        assert_eq!(origins(&counted(10), &three), [0, 0, 1, 1, 2, 2, 3, 3, 3, 3]);
        assert_eq!(origins(&counted(3), &none), [0; 3]);
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

    /// 4096 + 4096 are two, and so is the 8192 they merge to.
    #[test]
    fn counted_stages_do_not_notice_merges() {
        let stages = Stages::by(Rule::Counted { from: 12, stages: 16 });
        assert_eq!(stages.count(), 16);
        let cases: &[(&[u8], u8)] = &[
            (&[11, 11, 3], 0),
            (&[12], 1),
            (&[12, 12], 2),
            (&[13], 2),
            (&[13, 12], 3),
            (&[15, 14, 13, 12], 15),
            (&[16], 15),
            (&[60, 60], 15),
        ];
        for (cells, stage) in cases {
            assert_eq!(stages.implied(cells), *stage, "{cells:?}");
            assert_eq!(stages.advance(0, cells), *stage, "{cells:?}");
        }
        assert_eq!(stages.advance(5, &[12]), 5, "history only grows");
    }

    #[test]
    fn walls_are_counted_on_the_board_as_it_is() {
        let stages = Stages::by(Rule::Walls { from: 12, stages: 3 });
        let cases: &[(&[u8], u8)] = &[
            (&[11, 11], 0),
            (&[12], 0),
            (&[12, 12], 1),
            (&[14, 13, 12], 2),
            (&[15, 14, 13, 12], 2),
            (&[16, 1], 0),
        ];
        for (cells, stage) in cases {
            assert_eq!(stages.implied(cells), *stage, "{cells:?}");
            assert!((0..3).all(|before| stages.advance(before, cells) == *stage), "{cells:?}");
            assert!((0..3).all(|before| stages.judging(before, cells) == before.min(*stage)), "{cells:?}");
            assert!((0..3).all(|before| stages.standing(before, cells) == *stage));
        }
        assert_eq!(stages.shifted(1).unwrap().advance(0, &[12, 12]), 0);
    }

    #[test]
    fn the_leaf_or_the_game_judges() {
        let stages = Stages::new(vec![vec![14], vec![14, 13]]);
        assert_eq!((stages.judged_by(), stages.judging(0, &[14])), (Judging::Leaf, 1));
        let by_game = stages.clone().judging_by(Judging::Game).unwrap();
        assert_eq!((by_game.judging(0, &[14]), by_game.judging(1, &[14, 13])), (0, 1));
        assert_eq!(by_game.advance(0, &[14]), 1, "the game itself goes on as before");
        assert_eq!((by_game.standing(0, &[14]), by_game.implied(&[14])), (0, 1));
        assert_eq!(by_game.shifted(-1).unwrap().judged_by(), Judging::Game);
        assert_eq!(by_game.judging_by(Judging::Leaf), Some(stages));
        let walls = Stages::by(Rule::Walls { from: 12, stages: 3 });
        assert_eq!(walls.judged_by(), Judging::Game);
        assert_eq!(walls.judging_by(Judging::Leaf), None);
    }

    #[test]
    fn a_shift_moves_every_rank_or_is_refused() {
        let stages = Stages::new(vec![vec![14], vec![14, 13]]).promoting(|stage| stage == 2);
        let lower = stages.shifted(-3).unwrap();
        assert_eq!(lower.splits(), [vec![11], vec![11, 10]]);
        assert!(lower.is_promoted(2) && !lower.is_promoted(1));
        assert_eq!(stages.shifted(0).unwrap(), stages);
        assert!(stages.shifted(-13).is_none() && stages.shifted(i32::MIN).is_none());
        let counted = Stages::by(Rule::Counted { from: 12, stages: 4 }).shifted(-2).unwrap();
        assert_eq!(*counted.rule(), Rule::Counted { from: 10, stages: 4 });
    }

    #[test]
    fn the_first_stage_is_never_promoted() {
        let stages = Stages::new(vec![vec![3], vec![4]]).promoting(|_| true);
        assert_eq!([0, 1, 2].map(|stage| stages.is_promoted(stage)), [false, true, true]);
    }
}
