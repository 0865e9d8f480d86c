//! The course frameworks' episodes: `tag@ms|0112#U23#R…|tag@ms`.
//!
//! A slide is `#U`, `#R`, `#D` or `#L`, a placed tile two base-36 digits: its cell and its rank.
//! After either may stand the reward in `[]` and the time in `()`, which we skip and do not write.
//! The tiles before the first slide are the start.
//!
//! In Threes a placed tile is followed by `+` and the tile announced next (1, 2, 3, or 4 for a
//! bonus). Where that is missing, the next tile placed is what was announced; after the last one
//! any tile of the bag is. An episode does not say which game it is: two start tiles mean 2048,
//! more or hints mean the course's Threes, both on 4×4, unless the reader is told.

use super::{Format, Placed, Replay, ReplayError, start_of, tiles};
use afterstate::episode::Spawn;
use afterstate::game::catalogue::{AnyGame, Family, GameSpec};
use afterstate::game::threes::{Rules, Threes};
use afterstate::game::{Game, Hint, Setup, notation};
use afterstate::grid::{Direction, Shape};
use afterstate::with_game;

/// The hint of a bonus tile.
const BONUS: u8 = 4;

/// True if the line looks like one: `tag@digits|`, tiles, and at the end nothing or `tag@digits`
/// again.
///
/// All of these characters are symbols of other formats too.
pub fn begins(line: &str) -> bool {
    let stamp = |text: &str| {
        text.rsplit_once('@').is_some_and(|(_, ms)| !ms.is_empty() && ms.bytes().all(|b| b.is_ascii_digit()))
    };
    let Some((open, rest)) = line.trim_end().split_once('|') else { return false };
    let (moves, close) = rest.split_once('|').unwrap_or((rest, ""));
    stamp(open)
        && moves.starts_with(|c: char| c.is_ascii_alphanumeric())
        && (close.is_empty() || stamp(close))
}

/// An action.
enum Action {
    Slide(Direction),
    Place { cell: u8, rank: u8, hint: Option<u8> },
}

/// Reads the actions between the bars.
fn actions(line: &str) -> Result<Vec<(usize, Action)>, ReplayError> {
    let wrong = |at: usize, what: &str| ReplayError::Wrong { format: Format::Episode, at, what: what.into() };
    let chars: Vec<char> = line.chars().collect();
    let bar = |from: usize| chars[from..].iter().position(|&c| c == '|').map(|at| from + at);
    let first = bar(0).ok_or_else(|| wrong(1, "there is no '|' before the moves"))?;
    let last = bar(first + 1).unwrap_or(chars.len());
    let digit = |at: usize| chars.get(at).filter(|_| at < last).and_then(|c| c.to_digit(36)).map(|d| d as u8);
    let mut found = Vec::new();
    let mut at = first + 1;
    while at < last {
        let here = at + 1;
        match chars[at] {
            '#' => {
                let letter = chars.get(at + 1).filter(|_| at + 1 < last);
                let direction = letter.and_then(|c| Direction::parse(&c.to_string()));
                let direction = direction.ok_or_else(|| wrong(here, "after # comes U, R, D or L"))?;
                found.push((here, Action::Slide(direction)));
                at += 2;
            }
            open @ ('[' | '(') => {
                let close = if open == '[' { ']' } else { ')' };
                let length = chars[at..last].iter().position(|&c| c == close);
                at += 1 + length.ok_or_else(|| wrong(here, "a bracket is not closed"))?;
            }
            _ => {
                let tile = digit(at).zip(digit(at + 1));
                let (cell, rank) =
                    tile.ok_or_else(|| wrong(here, "a tile is two base-36 digits, cell and rank"))?;
                at += 2;
                let mut hint = None;
                if chars.get(at) == Some(&'+') {
                    hint = Some(digit(at + 1).ok_or_else(|| wrong(at + 1, "after + comes the next tile"))?);
                    at += 2;
                }
                found.push((here, Action::Place { cell, rank, hint }));
            }
        }
    }
    Ok(found)
}

/// Reads a line; `game` says which game it is, if that is known.
pub fn read(line: &str, game: Option<&GameSpec>) -> Result<Replay, ReplayError> {
    let wrong = |at: usize, what: String| ReplayError::Wrong { format: Format::Episode, at, what };
    let mut start: Vec<Placed> = Vec::new();
    let mut steps: Vec<(Direction, Spawn)> = Vec::new();
    let mut slid = None;
    let mut hints = Vec::new();
    let all = actions(line)?;
    for (at, action) in &all {
        match *action {
            Action::Slide(direction) if slid.is_none() => slid = Some(direction),
            Action::Slide(_) => return Err(wrong(*at, "two slides without a tile between them".into())),
            Action::Place { rank: 0, .. } => return Err(wrong(*at, "a tile has at least rank 1".into())),
            Action::Place { cell, rank, hint } => {
                match slid.take() {
                    Some(direction) => steps.push((direction, Spawn { cell, rank, hint: 0 })),
                    None if steps.is_empty() => start.push((cell.into(), rank)),
                    None => return Err(wrong(*at, "two tiles without a slide between them".into())),
                }
                hints.push(hint);
            }
        }
    }
    let plain = start.len() <= 2 && hints.iter().all(Option::is_none);
    let usual = GameSpec::new(if plain { Family::Twenty48 } else { Family::ThreesCourse }, Shape::FOUR);
    let mut game = game.cloned().unwrap_or(usual);
    game.start_tiles = Some(start.len());
    let shape = game.shape;
    let board = start_of(shape, &start)
        .map_err(|i| wrong(all[i].0, format!("a start tile is not on a free cell of {shape}")))?;
    let start = match game.build()? {
        AnyGame::Twenty48(_) | AnyGame::LargeTwenty48(_) => board,
        AnyGame::Threes(threes) => threes_start(&threes, &start, &board, &hints, &mut steps)?,
        AnyGame::LargeThrees(threes) => threes_start(&threes, &start, &board, &hints, &mut steps)?,
    };
    Ok(Replay { game, start, steps, player: None, chance: None })
}

/// Fills in the hints of the steps, and writes the start position with bag and hint.
fn threes_start<const N: usize>(
    game: &Threes<N>,
    tiles: &[Placed],
    board: &str,
    said: &[Option<u8>],
    steps: &mut [(Direction, Spawn)],
) -> Result<String, ReplayError> {
    if game.rules == Rules::APP {
        let what = "the candidates of threes-app's hints".into();
        return Err(ReplayError::CannotHold { format: Format::Episode, what });
    }
    let placed: Vec<u8> = steps.iter().map(|(_, spawn)| spawn.rank.min(BONUS)).collect();
    let before = tiles.len().saturating_sub(1);
    let hint = |step: usize| {
        let said = said.get(before + step).copied().flatten();
        said.or_else(|| placed.get(step).copied()).map(|hint| hint.clamp(1, BONUS))
    };
    let drawn = |upto: usize| tiles.iter().map(|&(_, rank)| rank).chain(placed[..upto].iter().copied());
    for (i, (_, spawn)) in steps.iter_mut().enumerate() {
        spawn.hint = hint(i + 1).unwrap_or_else(|| first_of(bag_after(&game.rules, drawn(i + 1))));
    }
    let first = hint(0).unwrap_or_else(|| first_of(bag_after(&game.rules, drawn(0))));
    let setup = Setup {
        ranks: notation::parse(board, game.shape, |_| None)?.ranks,
        bag: Some(bag_after(&game.rules, drawn(0).chain([first]))),
        hint: Some(if first == BONUS { Hint::Bonus } else { Hint::Tile(first) }),
        bonus_count: None,
    };
    let state = game.position(&setup).map_err(notation::NotationError::Setup)?;
    Ok(notation::write(game, &state))
}

/// Tiles left in the bag after these were drawn, in any order.
fn bag_after(rules: &Rules, drawn: impl Iterator<Item = u8>) -> [u8; 3] {
    let mut counts = [0u32; 3];
    for rank in drawn.filter(|&rank| (1..=3).contains(&rank)) {
        counts[usize::from(rank) - 1] += 1;
    }
    let copies = u32::from(rules.copies);
    let bags = counts.iter().sum::<u32>() / (3 * copies) + 1;
    counts.map(|count| (bags * copies).saturating_sub(count).min(copies) as u8)
}

fn first_of(bag: [u8; 3]) -> u8 {
    bag.iter().position(|&left| left > 0).map_or(1, |at| at as u8 + 1)
}

/// Writes a line; tags and times are not known.
pub fn write(replay: &Replay) -> Result<String, ReplayError> {
    let refuse = |what: String| ReplayError::CannotHold { format: Format::Episode, what };
    if replay.game.family == Family::ThreesApp {
        return Err(refuse("the candidates of threes-app's hints".into()));
    }
    let threes = matches!(replay.game.family, Family::Threes | Family::ThreesCourse);
    let digit = |n: usize| match char::from_digit(n as u32, 36) {
        Some(digit) if n < 36 => Ok(digit.to_ascii_uppercase()),
        _ => Err(refuse(format!("cell or rank {n}, only up to 35"))),
    };
    let place = |cell: usize, rank: u8, hint: Option<u8>| {
        let hint = hint.map(|hint| format!("+{hint}")).unwrap_or_default();
        Ok::<_, ReplayError>(format!("{}{}{hint}", digit(cell)?, digit(rank.into())?))
    };
    let start = tiles(replay)?;
    let mut text = String::from("afterstate@0|");
    for (i, &(cell, rank)) in start.iter().enumerate() {
        let last = threes && i + 1 == start.len();
        text += &place(cell, rank, if last { Some(first_hint(replay)?) } else { None })?;
    }
    for (direction, spawn) in &replay.steps {
        text += &format!("#{}", direction.name()[..1].to_ascii_uppercase());
        text += &place(spawn.cell.into(), spawn.rank, threes.then_some(spawn.hint))?;
    }
    Ok(text + "|afterstate@0")
}

fn first_hint(replay: &Replay) -> Result<u8, ReplayError> {
    Ok(with_game!(&replay.game.build()?, game => {
        let state = notation::read(game, &replay.start)?;
        game.state_view(&state).hint
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_by_hand() {
        let replay = read("me@1700|01F2#U31[4](12)#R02|N/A@1800", None).unwrap();
        assert_eq!((replay.game.name(), replay.start.as_str()), ("2048".into(), "1000/0000/0000/0002"));
        let steps = [(Direction::Up, [3, 1]), (Direction::Right, [0, 2])];
        let steps = steps.map(|(d, [cell, rank])| (d, Spawn { cell, rank, hint: 0 }));
        assert_eq!(replay.steps, steps);
        // The course's Threes: the bag of three tiles is counted, the hint is the next tile.
        let replay = read("me@0|011223#L32#D41|me@0", None).unwrap();
        assert_eq!(replay.game.name(), "threes-course");
        assert!(replay.start.starts_with("1230/0000/0000/0000 bag=1,0,1 hint=2"), "{}", replay.start);
        assert_eq!(replay.steps[0].1, Spawn { cell: 3, rank: 2, hint: 1 });
        assert_eq!(replay.steps[1].1.hint, 3, "what is left in the bag");
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        for (line, what) in [
            ("a@0|01F2#X31|", "after # comes"),
            ("a@0|01F2#U#R31|", "two slides"),
            ("a@0|01F2#U3121|", "two tiles"),
            ("a@0|01F2#U31[4|", "not closed"),
            ("a@0|01F2#U3|", "two base-36 digits"),
            ("a@0|0101#U31|", "free cell"),
            ("a@0|01G1#U31|", "free cell"),
            ("a@0|0110#U31|", "rank 1"),
        ] {
            let said = read(line, None).unwrap_err().to_string();
            assert!(said.contains(what) && said.contains("at character"), "{line}: {said}");
        }
    }
}
