//! What is fuzzed, as plain functions of bytes that panic when something is wrong.
//!
//! Two things call them: the libFuzzer targets beside this file (nightly compiler), and
//! the test `fuzz` of the library, which runs everywhere for a few seconds.

#![allow(dead_code)] // each target uses its part

use afterstate::game::catalogue::GameSpec;
use afterstate::game::twenty48::{SpawnTable, Twenty48};
use afterstate::game::{Game, Setup, notation as text};
use afterstate::grid::{Direction, MAX_RANK, Shape};
use afterstate::with_game;

#[path = "../crates/afterstate/tests/reference/twenty48.rs"]
mod slow;

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

/// The bytes are shape, cap, spawn table and ranks of a board of 2048: legality, result,
/// points and outcomes of all four slides are the reference's.
pub(crate) fn rules_against_reference(data: &[u8]) {
    let [size, cap, table, ranks @ ..] = data else { return };
    let Some(shape) = Shape::new(usize::from(size & 7) + 1, usize::from(size >> 3 & 7) + 1) else { return };
    let cap = if *cap == 0 { MAX_RANK } else { 1 + cap % MAX_RANK };
    let weights = [table & 3, table >> 2 & 3, table >> 4 & 3];
    let table = (1..).zip(weights.map(u64::from)).collect();
    let spawn = SpawnTable::new(table).unwrap_or_default();
    let mut cells: Vec<u8> = ranks.iter().take(shape.cells()).map(|byte| byte % (MAX_RANK + 1)).collect();
    cells.resize(shape.cells(), 0);

    let grid = numbers(shape, &cells);
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
        let shown = slide.map(|s| (numbers(shape, &s.afterstate.0.0), u128::from(s.reward)));
        assert_eq!(shown, expected, "{shape} {direction}");
        let (Some(slide), Some((after, _))) = (slide, expected) else { continue };
        let mut found = Vec::new();
        game.outcomes(&slide.afterstate, |o| found.push((numbers(shape, &o.state.0.0), o.ways)));
        assert_eq!(found, slow::outcomes(&after, &spawn));
        assert_eq!(game.ways(&slide.afterstate), found.iter().map(|outcome| outcome.1).sum::<u64>());
    }
}

fn numbers(shape: Shape, cells: &[u8]) -> slow::Grid {
    let number = |&rank: &u8| if rank == 0 { 0 } else { 1u64 << rank };
    cells[..shape.cells()].chunks(shape.cols()).map(|row| row.iter().map(number).collect()).collect()
}
