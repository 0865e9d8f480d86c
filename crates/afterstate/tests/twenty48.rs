//! 2048 against its slow, obvious reference: every shape, every rank, every cap.

#[path = "reference/twenty48.rs"]
mod slow;

use afterstate::game::twenty48::{Afterstate, SpawnTable, State, Twenty48, slide_board, slide_four_fast};
use afterstate::game::{Game, Setup};
use afterstate::grid::{Board, Direction, MAX_RANK, Shape};
use proptest::prelude::*;
use slow::{Grid, STEPS};

/// Every shape from 1×2 to 8×8.
fn shapes() -> Vec<Shape> {
    (1..=8).flat_map(|rows| (1..=8).filter_map(move |cols| Shape::new(rows, cols))).collect()
}

/// Numbers on a grid, from ranks.
fn grid(shape: Shape, ranks: &[u8]) -> Grid {
    let number = |&rank: &u8| if rank == 0 { 0 } else { 1u64 << rank };
    ranks[..shape.cells()].chunks(shape.cols()).map(|row| row.iter().map(number).collect()).collect()
}

/// A shape, ranks for its cells and a cap. Few different ranks within a window, so that
/// merges are common; the window lies anywhere up to the largest rank.
fn boards() -> impl Strategy<Value = (Shape, Vec<u8>, u8)> {
    let shape = prop::sample::select(shapes());
    let cap = prop_oneof![Just(MAX_RANK), 1..=MAX_RANK];
    (shape, 1..=MAX_RANK, 1u8..6, 0u8..=100, cap).prop_flat_map(|(shape, top, width, full, cap)| {
        let low = top.saturating_sub(width).max(1);
        let near_cap = prop_oneof![Just(cap), Just(MAX_RANK)];
        let cell = (0u8..100, low..=top).prop_map(move |(chance, rank)| if chance < full { rank } else { 0 });
        (Just(shape), prop::collection::vec(cell, shape.cells()), near_cap)
    })
}

/// Legality, result and points of all four slides of one board.
fn check_slides<const N: usize>(shape: Shape, ranks: &[u8], cap: u8) -> Result<(), TestCaseError> {
    let game = Twenty48::<N> { cap_rank: cap, ..Twenty48::new(shape) };
    let state = game.position(&Setup { ranks: ranks.to_vec(), ..Setup::default() }).unwrap();
    let before = grid(shape, ranks);
    // A slide earns at most what lies on the board; only points of 64 bits are promised.
    let sum: u128 = before.iter().flatten().map(|&tile| u128::from(tile)).sum();
    prop_assume!(sum <= u64::MAX.into());
    let together = game.slides(&state);
    let mut any = false;
    for direction in Direction::ALL {
        let step = STEPS[direction as usize];
        let expected = slow::slide(&before, step, 1 << cap);
        prop_assert_eq!(expected.is_some(), slow::legal(&before, step, 1 << cap));
        any |= expected.is_some();
        let found = slide_board(&state.0, shape, direction, cap);
        let shown = found.map(|(board, points)| (grid(shape, &board.0), u128::from(points)));
        prop_assert_eq!(&shown, &expected, "{} {}", shape, direction);
        for slide in [game.slide(&state, direction), together[direction as usize]] {
            let slide = slide.map(|slide| (slide.afterstate.0, slide.reward));
            prop_assert_eq!(slide, found);
        }
        if let Some((board, _)) = found {
            prop_assert!(board.0[shape.cells()..].iter().all(|&rank| rank == 0), "tiles beyond the board");
        }
    }
    prop_assert_eq!(game.is_over(&state), !any);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn slides_are_the_references((shape, ranks, cap) in boards()) {
        check_slides::<64>(shape, &ranks, cap)?;
        if shape.cells() <= 16 {
            check_slides::<16>(shape, &ranks, cap)?;
        }
    }

    #[test]
    fn the_fast_slide_is_the_general_one(
        ranks in prop_oneof![
            prop::collection::vec(0u8..4, 16),
            prop::collection::vec(0u8..=18, 16),
            prop::collection::vec(prop_oneof![Just(0u8), 25u8..=27], 16),
        ],
        cap in prop_oneof![Just(MAX_RANK), 1u8..30],
    ) {
        let before = grid(Shape::FOUR, &ranks);
        let board = Board::<16>::from_cells(&ranks);
        let fast = slide_four_fast(&board, cap, |board, points| (board, points)).expect("ranks within the fast path");
        for direction in Direction::ALL {
            let fast = fast[direction as usize].map(|(board, points)| (board, u64::from(points)));
            prop_assert_eq!(fast, slide_board(&board, Shape::FOUR, direction, cap));
            let shown = fast.map(|(board, points)| (grid(Shape::FOUR, &board.0), u128::from(points)));
            prop_assert_eq!(shown, slow::slide(&before, STEPS[direction as usize], 1 << cap));
        }
    }

    #[test]
    fn ranks_too_large_for_the_fast_slide_take_the_general_one(
        ranks in prop::collection::vec(prop_oneof![Just(0u8), 26u8..=28], 16),
    ) {
        let board = Board::<16>::from_cells(&ranks);
        prop_assert_eq!(slide_four_fast(&board, MAX_RANK, |board, _| board).is_some(), board.max_rank() < 28);
        check_slides::<16>(Shape::FOUR, &ranks, MAX_RANK)?;
    }

    #[test]
    fn outcomes_are_the_references(
        (shape, ranks, _) in boards(),
        weights in prop::collection::vec(1u64..20, 1..4),
    ) {
        let table: Vec<_> = (1u8..).zip(weights).collect();
        let spawn = SpawnTable::new(table.clone()).unwrap();
        let game = Twenty48::<64> { spawn: spawn.clone(), ..Twenty48::new(shape) };
        let numbers: Vec<_> = spawn.tiles().iter().map(|&(rank, weight)| (1 << rank, weight)).collect();
        // Lowest terms: the same proportions as asked for.
        for (asked, got) in table.iter().zip(spawn.tiles()) {
            prop_assert_eq!(asked.1 * spawn.total(), got.1 * table.iter().map(|tile| tile.1).sum::<u64>());
        }
        let after = Afterstate(Board::from_cells(&ranks));
        let mut found = Vec::new();
        game.outcomes(&after, |outcome| {
            assert_eq!(outcome.reward, 0);
            found.push((grid(shape, &outcome.state.0.0), outcome.ways));
        });
        let mut expected = slow::outcomes(&grid(shape, &ranks), &numbers);
        prop_assert_eq!(game.ways(&after), expected.iter().map(|outcome| outcome.1).sum::<u64>());
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected);
    }
}

/// A cheap exhaustive check beside the random ones: all 1×5 boards of ranks 0 … 4.
#[test]
fn every_short_line() {
    let shape = Shape::new(1, 5).unwrap();
    for index in 0..5u32.pow(5) {
        let ranks: Vec<u8> = (0..5).map(|p| (index / 5u32.pow(p) % 5) as u8).collect();
        check_slides::<16>(shape, &ranks, MAX_RANK).unwrap();
        check_slides::<16>(shape.transposed(), &ranks, 3).unwrap();
    }
}

/// Folds up the longest chain a board can hold, `cells … 3 2 2` along a snake, merge by
/// merge; the largest rank any play can reach on it remains alone.
fn fold<const N: usize>(shape: Shape) -> Board<N> {
    let (cells, cols) = (shape.cells(), shape.cols());
    let snake =
        |i: usize| if (i / cols).is_multiple_of(2) { i } else { i / cols * cols + cols - 1 - i % cols };
    let chain = (0..cells).map(|i| (snake(i), (cells - i).max(2) as u8));
    let mut board = chain.fold(Board::EMPTY, |board, (cell, rank)| board.with(cell, rank));
    let game = Twenty48::<N>::new(shape);
    for end in (1..cells).rev() {
        let direction = match snake(end) as isize - snake(end - 1) as isize {
            1 => Direction::Left,
            -1 => Direction::Right,
            _ => Direction::Up,
        };
        let slide = game.slides(&State(board))[direction as usize].expect("two equal tiles");
        assert_eq!(slide.reward, 2 << board.get(snake(end)), "one merge");
        board = slide.afterstate.0;
    }
    board
}

#[test]
fn the_largest_tile_of_a_board_can_be_made() {
    assert_eq!(fold::<16>(Shape::FOUR), Board::EMPTY.with(0, 17));
    assert_eq!(fold::<64>(Shape::FOUR), Board::EMPTY.with(0, 17));
    assert_eq!(fold::<64>(Shape::new(6, 6).unwrap()), Board::EMPTY.with(0, 37));
    assert_eq!(fold::<16>(Shape::new(3, 5).unwrap()), Board::EMPTY.with(0, 16));
}
