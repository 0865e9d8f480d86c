//! Typed-in positions of Threes: what a bag, a hint and a count must look like.

use super::chance::{BONUS_FROM, Bag, Next, Windows, full_bag, take};
use super::rules::{BonusRule, Rules, WindowRule};
use super::slide::label;
use super::{State, Threes};
use crate::game::{Hint, Setup, SetupError, check_cells};
use crate::grid::Board;

/// The largest tile of the game, 12288; more only if the rules let tiles merge beyond.
const LARGEST: u8 = 15;

/// Turns a typed-in position into a state.
///
/// The hint must be there: nobody can guess it. A bag that is not given is the
/// full one without the announced tile.
pub(super) fn from_setup<const N: usize>(game: &Threes<N>, setup: &Setup) -> Result<State<N>, SetupError> {
    let rules = &game.rules;
    check_cells(setup, game.shape, LARGEST.max(rules.cap_rank))?;
    let board = Board::from_cells(&setup.ranks);
    let next = next_of(rules, setup.hint, board.max_rank())?;
    let bag = match setup.bag {
        Some(bag) => checked_bag(rules, bag)?,
        None if next.is_bonus() => full_bag(rules),
        None => take(rules, full_bag(rules), next.low),
    };
    let credit = match (game.quota(), setup.bonus_count) {
        (_, None) => 0,
        (Some(one_in), Some([bonuses, draws])) => {
            let credit = i32::from(draws) - i32::from(one_in) * i32::from(bonuses);
            let credit = i16::try_from(credit).ok().filter(|c| c.abs() <= 10_000);
            credit.ok_or_else(|| {
                let hint = "write bonus=B/D, B bonus tiles among the D draws since a 48 appeared";
                extra(format!("bonus={bonuses}/{draws} is out of proportion; {hint}"))
            })?
        }
        (None, Some(_)) => {
            return Err(extra("bonus= is counted only in threes-course on boards from 4x4 on; leave it out"));
        }
    };
    Ok(State { board, bag, next, credit })
}

/// The inverse of [`from_setup`].
pub(super) fn to_setup<const N: usize>(game: &Threes<N>, state: &State<N>) -> Setup {
    let bonus_count = game.quota().map(|one_in| {
        // The smallest counts with draws − one_in · bonuses = credit.
        let (credit, one_in) = (i32::from(state.credit), i32::from(one_in));
        let bonuses = (one_in - 1 - credit.min(one_in - 1)) / one_in;
        [bonuses as u16, (credit + one_in * bonuses) as u16]
    });
    Setup {
        ranks: state.board.0[..game.shape.cells()].to_vec(),
        bag: Some(state.bag),
        hint: Some(state.next.hint(&game.rules)),
        bonus_count,
    }
}

fn extra(text: impl Into<String>) -> SetupError {
    SetupError::Extra(text.into())
}

fn checked_bag(rules: &Rules, bag: Bag) -> Result<Bag, SetupError> {
    let [a, b, c] = bag;
    let full = rules.copies;
    if bag.iter().any(|&n| n > full) {
        return Err(extra(format!(
            "bag={a},{b},{c} holds too many tiles; a full bag is bag={full},{full},{full}"
        )));
    }
    if bag == [0; 3] {
        return Err(extra(format!(
            "the bag is never empty, it is refilled at once; write bag={full},{full},{full}"
        )));
    }
    Ok(bag)
}

fn next_of(rules: &Rules, hint: Option<Hint>, max: u8) -> Result<Next, SetupError> {
    let windows = || {
        if max < BONUS_FROM {
            let text = "a bonus tile comes only when a 48 or more is on the board; write hint=1, 2 or 3";
            return Err(extra(text));
        }
        Ok(Windows::new(rules.window, max))
    };
    match hint {
        None => Err(extra("the next tile is missing; add hint=1, hint=2, hint=3 or hint=+ to the position")),
        Some(Hint::Tile(rank @ 1..=3)) => Ok(Next::tile(rank)),
        Some(Hint::Tile(rank)) => {
            Err(extra(format!("hint={} is not possible; write hint=1, 2, 3 or +", label(rank))))
        }
        Some(Hint::Bonus) => {
            let windows = windows()?;
            if windows.count == 1 {
                return Ok(windows.get(0));
            }
            Err(extra("hint=+ leaves open which bonus tiles are shown; write them, like hint=6,12,24"))
        }
        Some(Hint::Candidates { low, high }) => {
            let windows = windows()?;
            let wanted = Next { low, high };
            (0..windows.count).map(|i| windows.get(i)).find(|&next| next == wanted).ok_or_else(|| {
                let possible = match (rules.window, windows.count) {
                    (WindowRule::UpToEighth, _) => "hint=+".to_string(),
                    (WindowRule::ThreeInARow, 1) => format!("hint={}", values(windows.get(0))),
                    (WindowRule::ThreeInARow, n) => {
                        format!("hint={} to hint={}", values(windows.get(0)), values(windows.get(n - 1)))
                    }
                };
                extra(format!(
                    "hint={} cannot come when the largest tile is {}; write {possible}",
                    values(wanted),
                    label(max)
                ))
            })
        }
    }
}

/// The candidates as tile values: `6,12,24`.
fn values(next: Next) -> String {
    let all: Vec<String> = (next.low..=next.high).map(|rank| label(rank).to_string()).collect();
    all.join(",")
}

impl<const N: usize> Threes<N> {
    /// The `one_in` of a bonus quota, where one is kept.
    fn quota(&self) -> Option<u8> {
        match self.rules.bonus {
            BonusRule::Quota { one_in } if self.shape.cells() >= 16 => Some(one_in),
            _ => None,
        }
    }
}
