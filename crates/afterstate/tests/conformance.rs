//! Every game of the catalogue passes the conformance kit.

mod kit;

use afterstate::game::Game;
use afterstate::game::catalogue::{Family, GameSpec};
use afterstate::game::threes::{self, Rewards, Rules, Threes};
use afterstate::game::twenty48::{SpawnTable, State, Twenty48};
use afterstate::grid::Shape;
use afterstate::with_game;
use kit::{chance, laws};
use std::collections::BTreeMap;

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).expect("a shape")
}

/// The laws that need nothing but the trait.
fn conforms<G: Game>(game: &G) {
    laws::labels_name_ranks(game);
    laws::same_seed_same_game(game);
    laws::slides_agree_with_slide(game);
    laws::positions_survive_setup(game);
    laws::positions_survive_notation(game);
    laws::slides_commute_with_symmetry(game);
    chance::ways_add_up(game);
    chance::sampling_follows_the_outcomes(game);
}

/// Every family of the catalogue, also one that is added later.
#[test]
fn every_game_of_the_catalogue() {
    for family in Family::ALL {
        for (rows, cols) in [(4, 4), (2, 2), (2, 3), (4, 3), (3, 6)] {
            let spec = GameSpec::new(family, shape(rows, cols));
            let any = spec.build().expect("a game");
            assert_eq!(GameSpec::parse(&any.id()).as_ref(), Ok(&spec), "the id is a name");
            with_game!(&any, game => conforms(game));
        }
    }
}

/// The score of 2048 can be read off the final board and the tiles chance placed: making a
/// tile of rank k from 2s earns (k − 1)·2^k; a tile placed with rank k came without earning that.
fn twenty48_score<const N: usize>(game: &Twenty48<N>, last: &State<N>, placed: &BTreeMap<u8, u64>) -> u64 {
    let worth = |rank: u8| if rank == 0 { 0 } else { (u64::from(rank) - 1) << rank };
    let board: u64 = last.0.0.iter().map(|&rank| worth(rank)).sum();
    let gifts: u64 = placed.iter().map(|(&rank, &count)| worth(rank) * count).sum();
    (board - gifts) >> u32::from(game.halved)
}

fn twenty48<const N: usize>(game: Twenty48<N>) {
    conforms(&game);
    laws::rewards_add_up(&game, twenty48_score);
    if game.shape.cells() <= 9 {
        chance::starts_follow_the_list(&game);
    }
}

#[test]
fn game_2048_on_4x4() {
    twenty48(Twenty48::<16>::new(Shape::FOUR));
    twenty48(Twenty48::<64>::new(Shape::FOUR));
}

#[test]
fn game_1024() {
    twenty48(Twenty48::<16>::halved(Shape::FOUR));
}

#[test]
fn game_2048_on_small_boards() {
    for (rows, cols) in [(1, 2), (2, 1), (1, 3), (1, 4), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (1, 8)] {
        twenty48(Twenty48::<16>::new(shape(rows, cols)));
    }
}

#[test]
fn game_2048_on_oblong_boards() {
    for (rows, cols) in [(3, 4), (4, 3), (2, 8), (8, 2)] {
        twenty48(Twenty48::<16>::new(shape(rows, cols)));
    }
    twenty48(Twenty48::<64>::new(shape(3, 6)));
}

/// Large boards play very long: the corner player's games on 5×5 are long enough here.
#[test]
fn game_2048_on_5x5() {
    twenty48(Twenty48::<64>::new(shape(5, 5)));
}

#[test]
fn variants_of_2048() {
    let spawn = SpawnTable::parse("2:.5,4:.3,8:.2").expect("a table");
    twenty48(Twenty48::<16> { spawn, start_tiles: 3, ..Twenty48::new(shape(3, 3)) });
    let spawn = SpawnTable::parse("4:1").expect("a table");
    twenty48(Twenty48::<16> { spawn, cap_rank: 5, ..Twenty48::new(Shape::FOUR) });
    twenty48(Twenty48::<16> { cap_rank: 3, start_tiles: 1, ..Twenty48::new(shape(2, 3)) });
}

/// The score of Threes: the tiles on the board; with merges only, less the tiles chance placed.
fn threes_score<const N: usize>(
    game: &Threes<N>,
    last: &threes::State<N>,
    placed: &BTreeMap<u8, u64>,
) -> u64 {
    let worth = |rank: u8| if rank < 3 { 0 } else { 3u64.pow(u32::from(rank) - 2) };
    let board: u64 = last.board.0.iter().map(|&rank| worth(rank)).sum();
    let gifts: u64 = placed.iter().map(|(&rank, &count)| worth(rank) * count).sum();
    match game.rewards {
        Rewards::FinalScore => board,
        Rewards::MergesOnly => board - gifts,
    }
}

fn threes<const N: usize>(game: Threes<N>) {
    conforms(&game);
    for rewards in [Rewards::FinalScore, Rewards::MergesOnly] {
        laws::rewards_add_up(&Threes { rewards, ..game.clone() }, threes_score);
    }
    kit::threes::the_bag_is_fair(&game);
    let bonuses = kit::threes::tiles_enter_as_announced(&game);
    assert!(bonuses > 0 || game.shape.cells() < 16, "the games of the test were too short");
    if game.shape.cells() <= 6 {
        chance::starts_follow_the_list(&game);
    }
}

const VERSIONS: [Rules; 3] = [Rules::PAPER, Rules::APP, Rules::COURSE];

#[test]
fn threes_on_4x4() {
    for rules in VERSIONS {
        threes(Threes::<16>::new(Shape::FOUR, rules));
        threes(Threes::<64>::new(Shape::FOUR, rules));
    }
}

#[test]
fn threes_on_other_boards() {
    for rules in VERSIONS {
        for (rows, cols) in [(1, 2), (1, 3), (4, 1), (2, 2), (2, 3), (3, 2), (3, 3), (3, 4)] {
            threes(Threes::<16>::new(shape(rows, cols), rules));
        }
        threes(Threes::<64>::new(shape(4, 5), rules));
    }
    threes(Threes::<16> { start_tiles: 2, ..Threes::new(shape(2, 2), Rules::PAPER) });
    threes(Threes::<16> { start_tiles: 2, ..Threes::new(shape(1, 3), Rules::PAPER) });
}

#[test]
fn the_chi_square_test_can_fail() {
    chance::the_test_can_fail();
}
