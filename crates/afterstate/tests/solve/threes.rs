//! The published numbers of Threes.

use crate::{assert_close, counts, summary};
use afterstate::game::Game;
use afterstate::game::threes::{Afterstate, Next, Rules, State, Threes, score};
use afterstate::grid::{Board, Direction, Shape};
use afterstate::solve::{Solution, SolveOptions, solve};
use std::collections::{HashMap, HashSet};

#[test]
fn paper_two_by_two() {
    let game = Threes::<16> { start_tiles: 2, ..Threes::new(Shape::new(2, 2).unwrap(), Rules::PAPER) };
    let solution = solve(&game, &SolveOptions::default()).unwrap();
    let found = solution.summary();
    assert_eq!(counts(found), [1_462, 948, 534, 9_384]);
    assert_close(found.optimal, 33_284_987.0 / 952_875.0, 1e-12);
    assert_close(found.random, 14.846023604, 5e-10);

    // The published counts of start and terminal states tell mirror images apart.
    let mut starts = HashSet::new();
    game.starts(&mut |state, _| {
        starts.insert(state);
    });
    assert_eq!(starts.len(), 162);
    let maps = game.shape.symmetries();
    let dead = solution.states().filter(|state| game.is_over(state));
    let images =
        |state: State<16>| maps.iter().map(move |map| state.board.permuted(map)).collect::<HashSet<_>>();
    assert_eq!(dead.map(|state| images(state).len()).sum::<usize>(), 3_006);
}

#[test]
fn course_two_by_three() {
    let game = Threes::<16> { start_tiles: 1, ..Threes::new(Shape::new(2, 3).unwrap(), Rules::COURSE) };
    let found = summary(&game, &SolveOptions::default()).unwrap();
    assert_close(found.optimal, 455.965664507, 5e-10);
    assert_eq!(found.raw_states, 225_779);
}

/// The lowest and the highest final score that optimal play can end with.
struct Range<'a> {
    game: &'a Threes<16>,
    solution: &'a Solution<Threes<16>>,
    known: HashMap<State<16>, [u64; 2]>,
}

impl Range<'_> {
    fn of_state(&mut self, state: &State<16>) -> [u64; 2] {
        if let Some(&known) = self.known.get(state) {
            return known;
        }
        let range = match self.solution.best(state) {
            None => [points(&state.board); 2],
            Some(best) => self.of_afterstate(&self.game.slide(state, best).unwrap().afterstate),
        };
        self.known.insert(*state, range);
        range
    }

    fn of_afterstate(&mut self, afterstate: &Afterstate<16>) -> [u64; 2] {
        let mut states = Vec::new();
        self.game.outcomes(afterstate, |outcome| states.push(outcome.state));
        states
            .iter()
            .map(|state| self.of_state(state))
            .fold([u64::MAX, 0], |[low, high], [l, h]| [low.min(l), high.max(h)])
    }
}

fn points(board: &Board<16>) -> u64 {
    board.0.iter().map(|&rank| score(rank)).sum()
}

/// The empty cells of the edge a slide in this direction leaves behind.
fn open_edge(board: &Board<16>, shape: Shape, direction: Direction) -> u64 {
    let last = (0..shape.lines(direction)).map(|i| shape.line(direction, i).last().unwrap());
    last.filter(|&cell| board.get(cell) == 0).fold(0, |set, cell| set | 1 << cell)
}

/// 50 lines `type board +hint = min avg max`, or `-1` for what play cannot reach.
///
/// Both types show the tile to come as the hint. The bag is not written: at most one
/// bag makes the position reachable. Nor is the direction of the slide that led to an
/// afterstate: it is the first of up, right, down, left that can have done so.
#[test]
fn the_published_lines() {
    let shape = Shape::new(2, 3).unwrap();
    let game = Threes::<16>::new(shape, Rules::COURSE);
    let solution = solve(&game, &SolveOptions::default()).unwrap();
    let mut range = Range { game: &game, solution: &solution, known: HashMap::new() };
    let bags = || (1..8u8).map(|set| [set & 1, set >> 1 & 1, set >> 2]);
    let mut lines = 0;
    for line in include_str!("../data/threes-2x3-course.txt").lines() {
        let (position, expected) = line.split_once(" = ").unwrap();
        let words: Vec<&str> = position.split(' ').collect();
        let rank = |word: &&str| if *word == "0" { 0 } else { game.rank_of(word.parse().unwrap()).unwrap() };
        let board = Board::from_cells(&words[1..7].iter().map(rank).collect::<Vec<_>>());
        let next = Next::tile(words[7].parse().unwrap());
        let found: Vec<(f64, [u64; 2])> = bags()
            .filter_map(|bag| match words[0] {
                "b" => {
                    let state = State { board, bag, next, credit: 0 };
                    let value = solution.value(&state)?;
                    Some((value.optimal, range.of_state(&state)))
                }
                _ => Direction::ALL.into_iter().find_map(|direction| {
                    let slots = open_edge(&board, shape, direction);
                    let afterstate = Afterstate { board, slots, bag, next, credit: 0 };
                    let value = (slots != 0).then(|| solution.afterstate_value(&afterstate))??;
                    Some((value.optimal, range.of_afterstate(&afterstate)))
                }),
            })
            .collect();
        if expected == "-1" {
            assert_eq!(found, [], "{line}");
        } else {
            let [(value, [low, high])] = found[..] else { panic!("{line}: {found:?}") };
            let numbers: Vec<f64> = expected.split(' ').map(|word| word.parse().unwrap()).collect();
            assert_eq!([low as f64, high as f64], [numbers[0], numbers[2]], "{line}");
            let average = value + points(&board) as f64;
            assert!((average / numbers[1] - 1.0).abs() < 1e-9, "{line}: {average}");
        }
        lines += 1;
    }
    assert_eq!(lines, 50);
}
