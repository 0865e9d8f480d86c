//! Exact values of small boards.

use afterstate::game::twenty48::Twenty48;
use afterstate::game::{Game, Setup};
use afterstate::grid::Shape;
use afterstate::solve::{Objective, Options, Summary, solve, summarize};
use std::ops::ControlFlow;

fn game(rows: usize, cols: usize) -> Twenty48<16> {
    Twenty48::new(Shape::new(rows, cols).unwrap())
}

fn counts(summary: &Summary) -> [u64; 4] {
    [summary.states, summary.afterstates, summary.terminal, summary.raw_states]
}

fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

#[test]
fn two_by_two() {
    let game = game(2, 2);
    let solution = solve(&game, &Options::default()).unwrap();
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
fn two_by_three() {
    let summary = *solve(&game(2, 3), &Options::default()).unwrap().summary();
    assert_eq!(counts(&summary), [21_752, 14_883, 4_484, 85_844]);
    assert_close(summary.optimal, 480.258271776, 5e-10);
    assert_close(summary.random, 61.168880295, 5e-10);
}

#[test]
fn tiles() {
    for (cols, rank, probability) in
        [(2, 4, 0.962511253750), (2, 5, 0.082887289072), (3, 6, 0.939263692431), (3, 7, 0.056992160496)]
    {
        let options = Options { objective: Objective::Tile(rank), ..Options::default() };
        let summary = summarize(&game(2, cols), &options, &mut |_| ControlFlow::Continue(())).unwrap();
        assert_close(summary.optimal, probability, 5e-13);
        assert!(summary.random < summary.optimal);
    }
}
