//! The published vectors of the rules: lines, a board, the row table and perft.

mod support;

use afterstate::game::threes::{Rewards, Rules, Threes};
use afterstate::game::twenty48::{Twenty48, slide_board, slide_four_fast};
use afterstate::game::{Game, Hint, Setup};
use afterstate::grid::{Board, Direction, MAX_RANK, Shape};
use afterstate::perft::{TooLarge, perft};
use afterstate::signature::Signature;
use support::{lines, ranks, state};

fn four() -> Twenty48<16> {
    Twenty48::new(Shape::FOUR)
}

/// Lays a line of four on the board so that a slide in `direction` meets its first cell at the
/// wall.
fn lay(line: &[u8], direction: Direction, index: usize) -> Board<16> {
    let cells = Shape::FOUR.line(direction, index);
    cells.zip(line).fold(Board::EMPTY, |board, (cell, &rank)| board.with(cell, rank))
}

#[test]
fn lines_of_2048() {
    for vector in lines(include_str!("data/twenty48-lines.txt")) {
        let fields: Vec<_> = vector.split_whitespace().collect();
        for direction in Direction::ALL {
            for index in 0..4 {
                let before = four().position(&Setup {
                    ranks: lay(&ranks(fields[0]), direction, index).0.to_vec(),
                    ..Setup::default()
                });
                let slide = four().slide(&before.unwrap(), direction);
                let found = slide.map(|slide| (slide.afterstate.0, slide.reward));
                let expected = (fields[1] != "=")
                    .then(|| (lay(&ranks(fields[1]), direction, index), fields[2].parse().unwrap()));
                assert_eq!(found, expected, "{vector} {direction} line {index}");
            }
        }
    }
}

#[test]
fn a_board_of_2048_in_all_directions() {
    let expected = [
        ("1212/3343/5512/0000", 0),
        ("0121/0042/0043/0612", 80),
        ("0000/1212/3343/5512", 0),
        ("1210/4200/4300/6120", 80),
    ];
    let slides = four().slides(&state(&four(), "1210/3302/0043/5512"));
    for (slide, (board, reward)) in slides.into_iter().zip(expected) {
        let slide = slide.expect("every direction is legal");
        assert_eq!(slide.afterstate.0.0, *ranks(board));
        assert_eq!(slide.reward, reward);
    }
}

/// The halved game earns half and knows the same boards.
#[test]
fn a_board_of_1024() {
    let game = Twenty48::<16>::halved(Shape::FOUR);
    let rewards = game.slides(&state(&game, "1210/3302/0043/5512")).map(|slide| slide.expect("legal").reward);
    assert_eq!(rewards, [0, 40, 0, 40]);
    assert_eq!(game.label(game.win_rank()), 1024);
    assert_eq!(four().label(four().win_rank()), 2048);
}

/// Slides every line of four ranks below `base`, the wall at the lowest digit, and
/// returns (movable, with reward, reward sum, FNV-1a 64 of results and rewards).
fn row_table(base: u64, slide: impl Fn(&Board<16>) -> Option<(Board<16>, u64)>) -> (u32, u32, u64, u64) {
    let (mut movable, mut rewarded, mut sum, mut hash) = (0, 0, 0, Signature::default());
    for index in 0..base.pow(4) {
        let row: Vec<u8> = (0..4).map(|p| (index / base.pow(p) % base) as u8).collect();
        let board = Board::from_cells(&row);
        let moved = slide(&board);
        let (result, reward) = moved.unwrap_or((board, 0));
        movable += u32::from(moved.is_some());
        rewarded += u32::from(reward > 0);
        sum += reward;
        hash.add(&result.0[..4]);
        hash.add(&u32::try_from(reward).expect("a reward of 32 bits").to_le_bytes());
    }
    (movable, rewarded, sum, hash.value())
}

#[test]
fn row_table_of_2048() {
    let expected = (21_210, 11_295, 100_660_224, 0xdac1_f3a9_f7bd_65bd);
    let general = |board: &Board<16>| slide_board(board, Shape::FOUR, Direction::Left, MAX_RANK);
    assert_eq!(row_table(16, general), expected);
    let fast = |board: &Board<16>| {
        let slides = slide_four_fast(board, MAX_RANK, |board, points| (board, points)).expect("small ranks");
        slides[Direction::Left as usize].map(|(board, points)| (board, points.into()))
    };
    assert_eq!(row_table(16, fast), expected);
}

/// Compares perft with the fields `leaves,distinct,legal,dead,reward,value …` of a data file.
fn check_perft<G: Game>(game: &G, root: &G::State, expected: &[&str]) {
    let found = perft(game, root, expected.len(), 1_000_000).expect("small trees");
    assert_eq!(found.len(), expected.len());
    for (d, (found, expected)) in found.iter().zip(expected).enumerate() {
        let (counts, value) = expected.rsplit_once(',').expect("six fields");
        let distinct = found.distinct as u128;
        let row = [found.leaves, distinct, found.legal, found.dead, found.reward].map(|n| n.to_string());
        if counts != "-,-,-,-,-" {
            assert_eq!(row.join(","), counts, "depth {} of {root:?}", d + 1);
        }
        let (over, under) = value.split_once('/').unwrap_or((value, "1"));
        let value = over.parse::<f64>().unwrap() / under.parse::<f64>().unwrap();
        assert!((found.value - value).abs() <= 1e-12 * value, "{} ≠ {value}, depth {}", found.value, d + 1);
    }
}

#[test]
fn perft_of_2048() {
    for vector in lines(include_str!("data/twenty48-perft.txt")) {
        let fields: Vec<_> = vector.split_whitespace().collect();
        check_perft(&four(), &state(&four(), fields[0]), &fields[1..]);
        // The same tree on the general board.
        let general = Twenty48::<64>::new(Shape::FOUR);
        check_perft(&general, &state(&general, fields[0]), &fields[1..]);
    }
}

/// Values count the gain of merges only, whatever the game itself counts as reward.
#[test]
fn perft_of_threes() {
    for vector in lines(include_str!("data/threes-perft.txt")) {
        let fields: Vec<_> = vector.split_whitespace().collect();
        let bag: Vec<u8> = fields[1].split(',').map(|n| n.parse().unwrap()).collect();
        let hint = fields[2].parse().map_or(Hint::Bonus, Hint::Tile);
        let setup = Setup {
            ranks: ranks(fields[0]),
            bag: Some(bag.try_into().unwrap()),
            hint: Some(hint),
            ..Setup::default()
        };
        for rewards in [Rewards::FinalScore, Rewards::MergesOnly] {
            let game = Threes::<16> { rewards, ..Threes::new(Shape::FOUR, Rules::PAPER) };
            check_perft(&game, &game.position(&setup).unwrap(), &fields[3..]);
            let game = Threes::<64> { rewards, ..Threes::new(Shape::FOUR, Rules::PAPER) };
            check_perft(&game, &game.position(&setup).unwrap(), &fields[3..]);
        }
    }
}

#[test]
fn a_dead_board() {
    let dead = state(&four(), "1212/2121/1212/2121");
    assert!(four().is_over(&dead));
    assert_eq!(four().slides(&dead), [None; 4]);
}

#[test]
fn perft_stops_at_its_limit_and_at_the_end_of_the_game() {
    let root = state(&four(), "0000/0100/0000/0001");
    assert_eq!(perft(&four(), &root, 3, 1_969), Err(TooLarge { depth: 3, limit: 1_969 }));
    assert_eq!(perft(&four(), &root, 2, 1_969).unwrap().len(), 2);
    assert_eq!(perft(&four(), &root, 0, 1).unwrap(), []);

    // A whole game: on 1×2 nothing lives for more than a few moves.
    let tiny = Twenty48::<16>::new(Shape::new(1, 2).unwrap());
    let depths = perft(&tiny, &state(&tiny, "11"), 50, 1_000).unwrap();
    let last = depths.iter().rposition(|depth| depth.legal > 0).unwrap();
    assert!(last < 10, "{depths:?}");
    assert_eq!(depths[49].leaves, 0);
    assert_eq!(depths[49].value, depths[last].value);
}

/// To the end of all games perft is a solver: 2048 on 2×2 from two 2s has a published exact value.
#[test]
fn perft_to_the_end_is_the_solution() {
    let game = Twenty48::<16>::new(Shape::new(2, 2).unwrap());
    let depths = perft(&game, &state(&game, "01/10"), 100, 10_000).unwrap();
    let exact = 423_101_650_492_305_816_249_503.0 / 6_250_000_000_000_000_000_000.0;
    assert_eq!(depths[99].leaves, 0, "some game did not end");
    assert!((depths[99].value - exact).abs() < 1e-12 * exact, "{}", depths[99].value);
}
