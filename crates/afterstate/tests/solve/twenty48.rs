//! The published numbers of 2048.

use crate::{assert_close, counts, summary};
use afterstate::game::twenty48::Twenty48;
use afterstate::game::{Game, Setup};
use afterstate::grid::Shape;
use afterstate::solve::{Objective, SolveOptions, solve};

fn game(rows: usize, cols: usize) -> Twenty48<16> {
    Twenty48::new(Shape::new(rows, cols).unwrap())
}

#[test]
fn two_by_two() {
    let game = game(2, 2);
    let solution = solve(&game, &SolveOptions::default()).unwrap();
    let summary = solution.summary();
    assert_eq!(counts(summary), [110, 67, 36, 662]);
    assert_close(summary.optimal, 66.964149457, 5e-10);
    assert_close(summary.random, 19.656540175, 5e-10);
    let exact = 423_101_650_492_305_816_249_503f64 / 6_250_000_000_000_000_000_000f64;
    for ranks in [[1, 1, 0, 0], [0, 1, 0, 1]] {
        let state = game.position(&Setup { ranks: ranks.to_vec(), ..Setup::default() }).unwrap();
        assert_close(solution.value(&state).unwrap().optimal, exact, 1e-12);
    }
}

#[test]
fn two_by_three_whichever_way_it_lies() {
    for game in [game(2, 3), game(3, 2)] {
        let summary = summary(&game, &SolveOptions::default()).unwrap();
        assert_eq!(counts(&summary), [21_752, 14_883, 4_484, 85_844]);
        assert_close(summary.optimal, 480.258271776, 5e-10);
        assert_close(summary.random, 61.168880295, 5e-10);
    }
}

#[test]
fn probability_of_a_tile() {
    for (cols, rank, probability) in
        [(2, 4, 0.962511253750), (2, 5, 0.082887289072), (3, 6, 0.939263692431), (3, 7, 0.056992160496)]
    {
        let options = SolveOptions { objective: Objective::Tile(rank), ..SolveOptions::default() };
        let summary = summary(&game(2, cols), &options).unwrap();
        assert_close(summary.optimal, probability, 5e-13);
        assert!(summary.random < summary.optimal);
    }
    let sure = SolveOptions { objective: Objective::Tile(1), ..SolveOptions::default() };
    assert_eq!(summary(&game(2, 2), &sure).unwrap().optimal, 1.0);
    let impossible = SolveOptions { objective: Objective::Tile(6), ..SolveOptions::default() };
    assert_eq!(summary(&game(2, 2), &impossible).unwrap().optimal, 0.0);
}

/// 1024 is 2048 with halved points.
#[test]
fn halved() {
    let summary =
        summary(&Twenty48::<16>::halved(Shape::new(2, 3).unwrap()), &SolveOptions::default()).unwrap();
    assert_eq!(summary.states, 21_752);
    assert_close(summary.optimal, 480.258271776 / 2.0, 5e-10);
}

/// Minutes and gigabytes: only with `./test --long`.
#[cfg(feature = "long")]
#[test]
fn three_by_three() {
    let summary = summary(&game(3, 3), &SolveOptions::default()).unwrap();
    assert_eq!(counts(&summary), [48_713_519, 31_431_374, 7_388_502, 388_921_077]);
    assert_close(summary.optimal, 5468.486797, 5e-7);
    assert_close(summary.random, 178.7, 0.3);
}
