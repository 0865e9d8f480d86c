//! Laws of moves, symmetry, score and notation.

use super::{any, corner, play, positions};
use afterstate::game::{Game, notation};
use afterstate::grid::{Direction, Shape};
use afterstate::random::Random;
use std::collections::BTreeMap;

/// Same seed, same game; another seed, another game.
pub(crate) fn same_seed_same_game<G: Game>(game: &G) {
    let record = |seed| -> Vec<(G::State, Direction)> {
        let (_, steps) = play(game, &mut Random::new(seed), 1_000_000, any);
        steps.into_iter().map(|step| (step.next, step.direction)).collect()
    };
    assert_eq!(record(1), record(1));
    if game.shape().cells() > 4 {
        assert_ne!(record(1), record(2));
    }
}

/// `slides` is `slide` four times.
pub(crate) fn slides_agree_with_slide<G: Game>(game: &G) {
    for step in positions(game, 6) {
        for state in [&step.state, &step.next] {
            let one_by_one = Direction::ALL.map(|direction| game.slide(state, direction));
            assert_eq!(game.slides(state), one_by_one, "{} {state:?}", game.id());
        }
    }
}

/// A position survives the way to a [`Setup`](afterstate::game::Setup) and back.
pub(crate) fn positions_survive_setup<G: Game>(game: &G) {
    for step in positions(game, 4) {
        for state in [&step.state, &step.next] {
            assert_eq!(game.position(&game.setup(state)).as_ref(), Ok(state), "{}", game.id());
        }
    }
}

/// A position survives the way to text and back; so does its board as a list of tile values.
pub(crate) fn positions_survive_notation<G: Game>(game: &G) {
    for step in positions(game, 4) {
        for state in [&step.state, &step.next] {
            let text = notation::write(game, state);
            assert_eq!(notation::read(game, &text).as_ref(), Ok(state), "{} {text}", game.id());
            let values: Vec<String> =
                game.setup(state).ranks.iter().map(|&rank| game.label(rank).to_string()).collect();
            let extras = text.split_once(' ').map_or("", |(_, extras)| extras);
            let listed = format!("[{}] {extras}", values.join(", "));
            assert_eq!(notation::read(game, &listed).as_ref(), Ok(state), "{} {listed}", game.id());
        }
    }
}

/// Labels name ranks, both ways, as far as a game on this board can need.
pub(crate) fn labels_name_ranks<G: Game>(game: &G) {
    assert_eq!(game.label(0), 0);
    for rank in 1..=game.win_rank() {
        assert_eq!(game.rank_of(game.label(rank)), Some(rank), "{} rank {rank}", game.id());
    }
    assert_eq!(game.rank_of(5), None);
}

/// The direction a symmetry turns `direction` into: the image's line, read from its wall,
/// shows a line of the original read from its wall. `None` if no direction does.
fn image(shape: Shape, map: &[u8], direction: Direction) -> Option<Direction> {
    let walls = |d: Direction| -> Vec<Vec<usize>> {
        let mut lines: Vec<Vec<usize>> =
            (0..shape.lines(d)).map(|index| shape.line(d, index).collect()).collect();
        lines.sort();
        lines
    };
    Direction::ALL.into_iter().find(|&to| {
        let mut shown: Vec<Vec<usize>> = (0..shape.lines(to))
            .map(|index| shape.line(to, index).map(|cell| usize::from(map[cell])).collect())
            .collect();
        shown.sort();
        shown == walls(direction)
    })
}

/// Slides commute with every symmetry of the board: cells, reward, legality, and what
/// chance does next (as a multiset of boards, hints and ways).
pub(crate) fn slides_commute_with_symmetry<G: Game>(game: &G) {
    let shape = game.shape();
    let permuted =
        |cells: &[u8], map: &[u8]| -> Vec<u8> { map.iter().map(|&from| cells[usize::from(from)]).collect() };
    let seen = |after: &G::Afterstate, map: &[u8]| -> BTreeMap<_, u64> {
        let mut all = BTreeMap::new();
        game.outcomes(after, |outcome| {
            let view = game.state_view(&outcome.state);
            let key = (permuted(view.cells, map), view.hint, view.bag, outcome.reward);
            *all.entry(key).or_default() += outcome.ways;
        });
        all
    };
    let symmetries = shape.symmetries();
    let identity = &symmetries[0];
    for step in positions(game, 3) {
        let state = &step.state;
        for map in &symmetries {
            let mut setup = game.setup(state);
            setup.ranks = permuted(&setup.ranks, map);
            let turned = game.position(&setup).expect("a turned position is a position");
            for direction in Direction::ALL {
                let to = image(shape, map, direction).expect("a direction maps to a direction");
                let (before, after) = (game.slide(state, direction), game.slide(&turned, to));
                assert_eq!(before.map(|s| s.reward), after.map(|s| s.reward));
                let (Some(before), Some(after)) = (before, after) else { continue };
                let (before, after) = (before.afterstate, after.afterstate);
                let (view, turned_view) = (game.view(&before), game.view(&after));
                assert_eq!(permuted(view.cells, map), turned_view.cells[..shape.cells()]);
                assert_eq!((view.hint, view.bag), (turned_view.hint, turned_view.bag));
                assert_eq!(game.ways(&before), game.ways(&after));
                assert_eq!(seen(&before, map), seen(&after, identity), "{} {state:?}", game.id());
            }
        }
    }
}

/// Rewards add up to the score: `score(final state)` tells what start score and all
/// rewards must come to, given how often chance placed which rank.
pub(crate) fn rewards_add_up<G: Game>(game: &G, score: impl Fn(&G, &G::State, &BTreeMap<u8, u64>) -> u64) {
    for index in 0..20 {
        let mut random = Random::stream(99, index);
        let (start, steps) = play(game, &mut random, 1_000_000, if index % 2 == 0 { any } else { corner });
        let cells = |state: &G::State| game.setup(state).ranks;
        let mut placed: BTreeMap<u8, u64> = BTreeMap::new();
        for rank in cells(&start).into_iter().filter(|&rank| rank > 0) {
            *placed.entry(rank).or_default() += 1;
        }
        let mut total = game.start_score(&start);
        let mut last = start;
        for step in &steps {
            total += step.slide.reward + step.chance_reward;
            let before = game.view(&step.slide.afterstate).cells.to_vec();
            let after = cells(&step.next);
            let new: Vec<usize> = (0..after.len()).filter(|&cell| before[cell] != after[cell]).collect();
            assert_eq!(new.len(), 1, "chance adds exactly one tile");
            assert_eq!(before[new[0]], 0, "on an empty cell");
            *placed.entry(after[new[0]]).or_default() += 1;
            last = step.next;
        }
        assert_eq!(total, score(game, &last, &placed), "{} {last:?}", game.id());
    }
}
