//! Fuzz bodies: plain functions of bytes that panic when something is wrong.
//!
//! Two things call them: the libFuzzer targets beside this file (nightly compiler), and
//! the test `fuzz` of the library, which runs everywhere for a few seconds.

#![allow(dead_code)] // each target uses its part

use afterstate::game::catalogue::GameSpec;
use afterstate::game::threes::{self, Rules, Threes};
use afterstate::game::twenty48::{SpawnTable, Twenty48};
use afterstate::game::{Game, Hint, Setup, notation as text};
use afterstate::grid::{Direction, MAX_RANK, Shape};
use afterstate::with_game;
use slow_threes::{Position, Version};
use std::collections::BTreeMap;

#[path = "../crates/afterstate/tests/reference/twenty48.rs"]
mod slow;
#[path = "../crates/afterstate/tests/reference/threes.rs"]
mod slow_threes;

/// Games whose notation differs: small and large boards, bag, candidates, bonus count.
const NAMES: [&str; 9] = [
    "2048",
    "2048-2x3",
    "2048-1x2",
    "2048-6x6",
    "1024",
    "threes",
    "threes-app",
    "threes-course",
    "threes-2x2",
];

/// The first byte chooses the game, the rest is a text. Whatever it is, reading gives a
/// position that survives being written and read again, or a message of one line.
pub(crate) fn notation(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let input = String::from_utf8_lossy(rest);
    let spec = GameSpec::parse(NAMES[usize::from(first) % NAMES.len()]).expect("a name");
    let any = spec.build().expect("a game");
    with_game!(&any, game => match text::read(game, &input) {
        Ok(state) => {
            let written = text::write(game, &state);
            assert_eq!(text::read(game, &written).as_ref(), Ok(&state), "{written}");
            assert_eq!(text::write(game, &state), written);
            assert_eq!(game.position(&game.setup(&state)).as_ref(), Ok(&state), "{written}");
        }
        Err(error) => one_line(&error.to_string()),
    });
    match GameSpec::parse(&input) {
        Ok(spec) => assert_eq!(GameSpec::parse(&spec.name()), Ok(spec)),
        Err(error) => one_line(&error.to_string()),
    }
}

fn one_line(message: &str) {
    assert!(!message.is_empty() && message.len() < 400 && !message.contains('\n'), "{message:?}");
}

/// The bytes are shape and game, parameters, and ranks of a board: legality, result, points
/// and outcomes of all four slides are the reference's.
pub(crate) fn rules_against_reference(data: &[u8]) {
    let [first, more @ ..] = data else { return };
    let Some(shape) = Shape::new(usize::from(first & 7) + 1, usize::from(first >> 3 & 7) + 1) else { return };
    match first >> 6 {
        0 => twenty48(shape, more),
        1 => threes(shape, more, Rules::PAPER, Version::Paper),
        2 => threes(shape, more, Rules::APP, Version::App),
        _ => threes(shape, more, Rules::COURSE, Version::Course),
    }
}

/// Ranks for all cells: as many as there are bytes, the rest empty.
fn cells_from(shape: Shape, ranks: &[u8], max: u8) -> Vec<u8> {
    (0..shape.cells()).map(|cell| ranks.get(cell).map_or(0, |byte| byte % (max + 1))).collect()
}

fn twenty48(shape: Shape, data: &[u8]) {
    let [cap, table, ranks @ ..] = data else { return };
    let cap = if *cap == 0 { MAX_RANK } else { 1 + cap % MAX_RANK };
    let weights = [table & 3, table >> 2 & 3, table >> 4 & 3];
    let table = (1..).zip(weights.map(u64::from)).collect();
    let spawn = SpawnTable::new(table).unwrap_or_default();
    let cells = cells_from(shape, ranks, MAX_RANK);
    let grid = numbers(shape, &cells, power);
    // A slide earns at most what lies on the board; only points of 64 bits are promised.
    if grid.iter().flatten().map(|&tile| u128::from(tile)).sum::<u128>() > u64::MAX.into() {
        return;
    }
    if shape.cells() <= 16 {
        let game = Twenty48::<16> { cap_rank: cap, spawn: spawn.clone(), ..Twenty48::new(shape) };
        compare(&game, &cells, &grid);
    }
    compare(&Twenty48::<64> { cap_rank: cap, spawn, ..Twenty48::new(shape) }, &cells, &grid);
}

fn compare<const N: usize>(game: &Twenty48<N>, cells: &[u8], grid: &slow::Grid) {
    let shape = game.shape;
    let state = game.position(&Setup { ranks: cells.to_vec(), ..Setup::default() }).expect("a position");
    let spawn: Vec<_> = game.spawn.tiles().iter().map(|&(rank, weight)| (1 << rank, weight)).collect();
    let together = game.slides(&state);
    for direction in Direction::ALL {
        let step = slow::STEPS[direction as usize];
        let slide = game.slide(&state, direction);
        assert_eq!(slide, together[direction as usize], "slides differs from slide");
        let expected = slow::slide(grid, step, 1 << game.cap_rank);
        assert_eq!(slow::legal(grid, step, 1 << game.cap_rank), expected.is_some());
        let shown = slide.map(|s| (numbers(shape, &s.afterstate.0.0, power), u128::from(s.reward)));
        assert_eq!(shown, expected, "{shape} {direction}");
        let (Some(slide), Some((after, _))) = (slide, expected) else { continue };
        let mut found = Vec::new();
        game.outcomes(&slide.afterstate, |o| found.push((numbers(shape, &o.state.0.0, power), o.ways)));
        assert_eq!(found, slow::outcomes(&after, &spawn));
        assert_eq!(game.ways(&slide.afterstate), found.iter().map(|outcome| outcome.1).sum::<u64>());
    }
}

fn numbers(shape: Shape, cells: &[u8], label: fn(u8) -> u64) -> Vec<Vec<u64>> {
    let row = |row: &[u8]| row.iter().map(|&rank| label(rank)).collect();
    cells[..shape.cells()].chunks(shape.cols()).map(row).collect()
}

fn power(rank: u8) -> u64 {
    if rank == 0 { 0 } else { 1 << rank }
}

fn threes(shape: Shape, data: &[u8], rules: Rules, version: Version) {
    let [hint, bag, ranks @ ..] = data else { return };
    let game = Threes::<64>::new(shape, rules);
    let copies = rules.copies + 1;
    let bag = [bag % copies, (bag >> 2) % copies, (bag >> 4) % copies];
    let setup = Setup {
        ranks: cells_from(shape, ranks, 15),
        bag: (bag != [0; 3]).then_some(bag),
        hint: Some(Hint::Tile(1 + hint % 3)),
        bonus_count: None,
    };
    let state = game.position(&setup).expect("a position");
    compare_threes(&game, &state, version);
    if shape.cells() <= 16 {
        let small = Threes::<16>::new(shape, rules);
        compare_threes(&small, &small.position(&setup).expect("a position"), version);
    }
}

fn compare_threes<const N: usize>(game: &Threes<N>, state: &threes::State<N>, version: Version) {
    let before = reference_position(game, state);
    let together = game.slides(state);
    for direction in Direction::ALL {
        let slide = game.slide(state, direction);
        assert_eq!(slide, together[direction as usize], "slides differs from slide");
        let expected = slow_threes::slide(version, &before.grid, direction as usize);
        let shown = slide.map(|s| (numbers(game.shape, &s.afterstate.board.0, threes::label), s.reward));
        assert_eq!(shown, expected.clone().map(|(grid, gain, _)| (grid, gain)), "{direction}");
        let (Some(slide), Some(expected)) = (slide, expected) else { continue };
        let ways = game.ways(&slide.afterstate);
        let mut found: BTreeMap<_, u64> = BTreeMap::new();
        game.outcomes(&slide.afterstate, |o| {
            *found.entry((reference_position(game, &o.state), o.reward)).or_default() += o.ways;
        });
        let mut outcomes = BTreeMap::new();
        for ((mut position, reward), share) in slow_threes::outcomes(version, &before, &expected) {
            (position.bonuses, position.draws) = (0, 0);
            assert!(outcomes.insert((position, reward), share).is_none());
        }
        assert!(found.keys().eq(outcomes.keys()), "{found:?} {outcomes:?}");
        for (one, share) in found.values().zip(outcomes.values()) {
            assert_eq!(u128::from(*one) * share.1, u128::from(ways) * share.0, "a probability");
        }
    }
}

/// A state as the reference has it, but for the counts of bonus tiles, which are left at 0.
fn reference_position<const N: usize>(game: &Threes<N>, state: &threes::State<N>) -> Position {
    let bag = (1u64..).zip(state.bag).flat_map(|(tile, count)| vec![tile; count.into()]).collect();
    let next = (state.next.low..=state.next.high).map(threes::label).collect();
    Position { grid: numbers(game.shape, &state.board.0, threes::label), bag, next, bonuses: 0, draws: 0 }
}
