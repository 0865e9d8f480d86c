//! Threes against a slow, obvious reference: slides, rewards, slots and whole distributions.

#[path = "reference/threes.rs"]
mod reference;

use afterstate::game::threes::{Next, Rules, SlotRule, State, Threes, label, slide_board, slide_four_fast};
use afterstate::game::{Game, notation};
use afterstate::grid::{Board, Direction, Shape};
use afterstate::random::Random;
use proptest::prelude::*;
use reference::{Fraction, Position, Version};
use std::collections::BTreeMap;

const VERSIONS: [(Version, Rules); 3] =
    [(Version::Paper, Rules::PAPER), (Version::App, Rules::APP), (Version::Course, Rules::COURSE)];

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).unwrap()
}

fn to_reference<const N: usize>(game: &Threes<N>, state: &State<N>) -> Position {
    let cols = game.shape.cols();
    let values: Vec<u64> = state.board.0[..game.shape.cells()].iter().map(|&r| label(r)).collect();
    Position {
        grid: values.chunks(cols).map(<[u64]>::to_vec).collect(),
        bag: (0..3).flat_map(|k| vec![k as u64 + 1; state.bag[k].into()]).collect(),
        next: (state.next.low..=state.next.high).map(label).collect(),
        bonuses: 0,
        draws: state.credit.into(),
    }
}

/// Slides, rewards, slots and the whole distribution of outcomes, fast and slow.
fn compare<const N: usize>(version: Version, game: &Threes<N>, state: &State<N>) {
    let position = to_reference(game, state);
    for (direction, slide) in game.slides(state).into_iter().enumerate() {
        assert_eq!(slide, game.slide(state, Direction::ALL[direction]));
        let expected = reference::slide(version, &position.grid, direction);
        let (Some(slide), Some(expected)) = (slide, &expected) else {
            assert!(slide.is_none() && expected.is_none());
            continue;
        };
        assert_eq!(slide.reward, expected.1);
        let slots = expected.2.iter().map(|&(r, c)| 1u64 << (r * game.shape.cols() + c)).sum::<u64>();
        assert_eq!(slide.afterstate.slots, slots);

        let total = game.ways(&slide.afterstate);
        let mut sum = 0;
        let mut ours = BTreeMap::new();
        game.outcomes(&slide.afterstate, |outcome| {
            for way in [sum, sum + outcome.ways / 2, sum + outcome.ways - 1] {
                assert_eq!(game.outcome(&slide.afterstate, way), outcome);
            }
            sum += outcome.ways;
            *ours.entry((to_reference(game, &outcome.state), outcome.reward)).or_insert(0) += outcome.ways;
        });
        assert_eq!(sum, total);
        let mut theirs = BTreeMap::new();
        for ((mut position, score), Fraction(n, d)) in reference::outcomes(version, &position, expected) {
            position.draws -= 21 * std::mem::take(&mut position.bonuses);
            assert_eq!(u128::from(total) * n % d, 0);
            theirs.insert((position, score), (u128::from(total) * n / d) as u64);
        }
        assert_eq!(ours, theirs);
    }
}

/// Boards with many neighbours that fit, some of them with large tiles.
fn cells(count: usize) -> impl Strategy<Value = Vec<u8>> {
    let rank = prop_oneof![3 => Just(0u8), 6 => 1u8..=4, 2 => 5u8..=9, 1 => 10u8..=15];
    prop_oneof![prop::collection::vec(0u8..=4, count), prop::collection::vec(rank, count)]
}

fn state_of<const N: usize>(game: &Threes<N>, cells: &[u8], choice: u64, credit: i16) -> State<N> {
    let board = Board::from_cells(cells);
    let copies = u64::from(game.rules.copies);
    let mut random = Random::new(choice);
    let mut bag = [0; 3].map(|_: u8| random.below(copies + 1) as u8);
    if bag == [0; 3] {
        bag[random.below(3) as usize] = 1;
    }
    let (max, version) = (label(board.max_rank()), VERSIONS.iter().find(|v| v.1 == game.rules).unwrap().0);
    let rank_of = |value: u64| (1..=15).find(|&rank| label(rank) == value).unwrap();
    let next = if max >= 48 && random.below(2) == 0 {
        let windows = reference::windows(version, max);
        let window = &windows[random.below(windows.len() as u64) as usize];
        Next { low: rank_of(window[0]), high: rank_of(window[window.len() - 1]) }
    } else {
        Next::tile(1 + random.below(3) as u8)
    };
    let quota = version == Version::Course && game.shape.cells() >= 16;
    State { board, bag, next, credit: if quota { credit } else { 0 } }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn four_by_four_equals_the_reference(cells in cells(16), choice: u64, credit in -30i16..40) {
        for (version, rules) in VERSIONS {
            let game = Threes::<16>::new(Shape::FOUR, rules);
            compare(version, &game, &state_of(&game, &cells, choice, credit));
        }
    }

    #[test]
    fn other_boards_equal_the_reference(cells in cells(30), choice: u64, credit in -30i16..40) {
        for (version, rules) in VERSIONS {
            for (rows, cols) in [(2, 2), (2, 3), (3, 2), (1, 4), (4, 1), (3, 3), (2, 8)] {
                let game = Threes::<16>::new(shape(rows, cols), rules);
                compare(version, &game, &state_of(&game, &cells[..rows * cols], choice, credit));
            }
            for (rows, cols) in [(5, 4), (5, 6), (4, 4)] {
                let game = Threes::<64>::new(shape(rows, cols), rules);
                compare(version, &game, &state_of(&game, &cells[..rows * cols], choice, credit));
            }
        }
    }

    #[test]
    fn states_are_written_and_read_back(cells in cells(16), choice: u64, credit in -30i16..40) {
        for (_, rules) in VERSIONS {
            let game = Threes::<16>::new(Shape::FOUR, rules);
            let state = state_of(&game, &cells, choice, credit);
            let text = notation::write(&game, &state);
            prop_assert_eq!(notation::read(&game, &text), Ok(state), "{}", text);
        }
    }

    #[test]
    fn fast_slides_equal_general_ones(cells in prop::collection::vec(0u8..=20, 16), cap in 3u8..=25) {
        let board = Board::<16>::from_cells(&cells);
        for rule in [SlotRule::MovedLine, SlotRule::EmptyEdgeCell] {
            let general = Direction::ALL.map(|d| slide_board(&board, Shape::FOUR, d, cap, rule));
            prop_assert_eq!(slide_four_fast(&board, cap, rule), Some(general));
        }
    }
}
