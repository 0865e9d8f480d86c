//! The fast search computes what the naive one does, whatever helps or limits it.

#[path = "reference/expectimax.rs"]
mod naive;

use afterstate::game::threes::{Rules, Threes};
use afterstate::game::twenty48::{SpawnTable, Twenty48};
use afterstate::game::{Game, Hint, Setup};
use afterstate::grid::{Direction, Shape};
use afterstate::network::stage::{Judging, Stages};
use afterstate::network::{Network, Structure};
use afterstate::player::{Choice, Player, SearchPlayer, legal};
use afterstate::random::{Random, split_mix};
use afterstate::search::heuristic::{Heuristic, MayerHirshfeld, Weights};
use afterstate::search::{Answer, Limits, Search, TranspositionTable, Workspace};
use afterstate::value::{Stage, Staged, Value};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Unpredictable values of all that a value function sees, so that any mistake shows.
struct Noise {
    staged: bool,
}

fn digest<G: Game>(game: &G, afterstate: &G::Afterstate) -> u64 {
    let view = game.view(afterstate);
    let mut hash = u64::from(view.hint) << 32
        | u64::from(view.bag[0]) << 16
        | u64::from(view.bag[1]) << 8
        | u64::from(view.bag[2]);
    for &cell in view.cells {
        hash ^= u64::from(cell);
        hash = split_mix(&mut hash);
    }
    hash
}

impl<G: Game> Value<G> for Noise {
    fn value(&self, game: &G, at: &Staged<G::Afterstate>) -> f32 {
        let mut hash = digest(game, &at.afterstate) ^ u64::from(at.stage) << 7;
        (split_mix(&mut hash) >> 40) as f32 / 1024.0
    }

    fn advance(&self, game: &G, stage: Stage, afterstate: &G::Afterstate) -> Stage {
        if self.staged && digest(game, afterstate).is_multiple_of(5) { (stage + 1).min(3) } else { stage }
    }
}

/// Positions from random games: all of a game's, so that dead and nearly dead ones occur.
fn positions<G: Game>(game: &G, count: usize, seed: u64) -> Vec<G::State> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut state = game.start(&mut random);
        loop {
            if random.below(4) == 0 {
                found.push(state);
            }
            let slides: Vec<_> = game.slides(&state).into_iter().flatten().collect();
            if slides.is_empty() {
                found.push(state);
                break;
            }
            let slide = slides[random.below(slides.len() as u64) as usize];
            state = game.spawn(&slide.afterstate, &mut random).state;
        }
    }
    // A long game has more positions than asked for: take them from all of it.
    let step = found.len() / count;
    found.into_iter().step_by(step.max(1)).take(count).collect()
}

fn close(found: &Answer, expected: &[Option<f64>; 4]) {
    for (found, expected) in found.moves.iter().zip(expected) {
        match (found, expected) {
            (None, None) => {}
            (Some(found), Some(expected)) => {
                let error = (f64::from(found.value) - expected).abs();
                assert!(error <= 1e-6 * expected.abs().max(1.0), "{found:?} instead of {expected}");
            }
            _ => panic!("{found:?} instead of {expected:?}"),
        }
    }
    let best = expected.iter().flatten().copied().reduce(f64::max);
    assert_eq!(found.best.is_some(), best.is_some());
    if let (Some(value), Some(best)) = (found.value(), best) {
        assert!(f64::from(value) >= best - 1e-6 * best.abs().max(1.0));
    }
}

/// Compares on `count` positions: plain, with a table, with two threads and both.
fn compare<G: Game>(game: &G, ply: u8, count: usize, cut_off: f32) {
    let table = TranspositionTable::new(1 << 16);
    let mut work = Workspace::default();
    for staged in [false, true] {
        let value = Noise { staged };
        table.clear();
        for state in positions(game, count, u64::from(ply)) {
            let expected = naive::moves(game, &value, &state, 0, ply, cut_off, 1.0);
            let plain = Search::new(game, &value);
            let tabled = plain.clone().with_table(&table);
            for threads in [1, 2] {
                if threads == 2 && ply < 3 {
                    continue;
                }
                let limits = Limits { cut_off, threads, ..Limits::ply(ply) };
                let first = plain.run(&state, 0, &limits, &mut work);
                close(&first, &expected);
                // Not nearly the same but the same.
                let second = tabled.run(&state, 0, &limits, &mut work);
                assert_eq!(first.moves, second.moves);
                let again = tabled.run(&state, 0, &limits, &mut work);
                assert_eq!(first.moves, again.moves);
                let one = Limits { threads: 1, ..limits };
                assert_eq!(first.moves, plain.run(&state, 0, &one, &mut work).moves);
            }
        }
    }
}

fn twenty48<const N: usize>(rows: usize, cols: usize) -> Twenty48<N> {
    Twenty48::new(Shape::new(rows, cols).unwrap())
}

#[test]
fn four_by_four() {
    let game = twenty48::<16>(4, 4);
    compare(&game, 1, 2000, 0.0);
    compare(&game, 2, 1000, 0.0);
    compare(&game, 3, 20, 0.0);
}

#[test]
fn threes() {
    for rules in [Rules::PAPER, Rules::APP, Rules::COURSE] {
        compare(&Threes::<16>::new(Shape::FOUR, rules), 1, 500, 0.0);
        compare(&Threes::<16>::new(Shape::FOUR, rules), 2, 300, 0.0);
        compare(&Threes::<16>::new(Shape::FOUR, rules), 3, 20, 0.0);
    }
    let small = Threes { start_tiles: 2, ..Threes::<16>::new(Shape::new(2, 2).unwrap(), Rules::PAPER) };
    compare(&small, 4, 200, 0.0);
    compare(&small, 4, 100, 0.0131);
}

/// A merged 1 and 2, a placed tile: both kinds of reward reach the value.
#[test]
fn rewards_of_slides_and_of_chance_count() {
    struct Nothing;
    impl<G: Game> Value<G> for Nothing {
        fn value(&self, _: &G, _: &Staged<G::Afterstate>) -> f32 {
            0.0
        }
    }
    let game = Threes { start_tiles: 2, ..Threes::<16>::new(Shape::new(2, 2).unwrap(), Rules::PAPER) };
    let setup =
        Setup { ranks: vec![1, 2, 0, 0], bag: Some([3, 3, 3]), hint: Some(Hint::Tile(3)), bonus_count: None };
    let state = game.position(&setup).unwrap();
    let search = Search::new(&game, &Nothing);
    let value = |ply, direction: Direction| {
        let answer = search.run(&state, 0, &Limits::ply(ply), &mut Workspace::default());
        answer.moves[direction as usize].unwrap().value
    };
    assert_eq!(value(1, Direction::Left), 3.0);
    // The slide makes a 3 (3 points), the 3 to come scores 3. It appears in the right cell of
    // the top row, the line that moved: the next slide merges the two (3 points).
    assert_eq!(value(2, Direction::Left), 9.0);
}

#[test]
fn other_boards() {
    compare(&twenty48::<16>(2, 2), 5, 200, 0.0);
    compare(&twenty48::<16>(2, 3), 4, 60, 0.0);
    compare(&twenty48::<16>(3, 3), 3, 60, 0.0);
    compare(&twenty48::<16>(1, 6), 4, 100, 0.0);
    compare(&twenty48::<64>(4, 4), 2, 200, 0.0);
    compare(&twenty48::<64>(5, 5), 2, 100, 0.0);
    compare(&twenty48::<64>(3, 6), 2, 100, 0.0);
    compare(&twenty48::<64>(8, 8), 1, 50, 0.0);
}

/// Boards small enough that the naive search is fast, deep enough (3-ply) that threads and the
/// table take part.
#[test]
fn thousands_of_positions_of_every_game() {
    compare(&twenty48::<16>(2, 3), 3, 1500, 0.0);
    compare(&Twenty48::<16>::halved(Shape::new(2, 3).unwrap()), 3, 1500, 0.0);
    compare(&twenty48::<64>(3, 2), 3, 1000, 0.0);
    compare(&twenty48::<16>(3, 3), 2, 1500, 0.0);
    for rules in [Rules::PAPER, Rules::APP, Rules::COURSE] {
        let small = Threes { start_tiles: 2, ..Threes::<16>::new(Shape::new(2, 2).unwrap(), rules) };
        compare(&small, 3, 1500, 0.0);
    }
}

#[test]
fn other_spawns() {
    let spawn = SpawnTable::parse("2:.5,4:.3,8:.2").unwrap();
    let game = Twenty48 { spawn, cap_rank: 4, ..twenty48::<16>(2, 3) };
    compare(&game, 3, 200, 0.0);
}

#[test]
fn a_probability_cut_off() {
    compare(&twenty48::<16>(2, 3), 4, 200, 0.0131);
    compare(&twenty48::<16>(4, 4), 3, 40, 0.0431);
    compare(&twenty48::<64>(4, 5), 2, 100, 0.0731);
}

#[test]
fn stages_are_history() {
    let game = twenty48::<16>(3, 3);
    let value = Noise { staged: true };
    let mut differ = 0;
    for state in positions(&game, 50, 8) {
        let search = Search::new(&game, &value);
        let late = search.run(&state, 2, &Limits::ply(2), &mut Workspace::default());
        close(&late, &naive::moves(&game, &value, &state, 2, 2, 0.0, 1.0));
        let early = search.run(&state, 0, &Limits::ply(2), &mut Workspace::default());
        differ += u32::from(late.moves != early.moves);
    }
    assert!(differ > 20);
}

/// One set of weights of a network, whatever the stage.
struct OneStage<'a>(&'a Network);

impl<G: Game> Value<G> for OneStage<'_> {
    fn value(&self, game: &G, at: &Staged<G::Afterstate>) -> f32 {
        Value::value(self.0, game, at)
    }
}

/// By the leaf's stage values of several stages meet in one search, by the game's never; the game
/// itself goes on alike.
#[test]
fn leaves_are_judged_by_their_own_stage_or_by_that_of_the_game() {
    let game = twenty48::<16>(3, 3);
    let mut structure = Structure::tuples(game.shape(), "0134 012", 10).unwrap();
    structure.stages = Stages::new(vec![vec![4], vec![5], vec![5, 4]]);
    let mut network = Network::new(structure);
    let mut random = Random::new(3);
    for bank in 0..4 {
        for table in 0..network.tables() {
            network
                .table_entries(table)
                .for_each(|entry| network.bank(bank).set(entry, random.below(100) as f32));
        }
    }
    let mut by_game = 0;
    for (i, state) in positions(&game, 60, 8).into_iter().enumerate() {
        let (ply, stage) = (1 + (i % 3) as u8, (i % 4) as u8);
        let run = |network: &Network| {
            Search::new(&game, network).run(&state, stage, &Limits::ply(ply), &mut Workspace::default())
        };
        assert!(network.judge_by(Judging::Leaf));
        let own = run(&network);
        close(&own, &naive::moves(&game, &network, &state, stage, ply, 0.0, 1.0));
        assert!(network.judge_by(Judging::Game));
        let games = run(&network);
        close(&games, &naive::moves(&game, &OneStage(&network), &state, stage, ply, 0.0, 1.0));
        by_game += u32::from(own.moves != games.moves);
    }
    assert!(by_game > 10, "{by_game}");
}

#[test]
fn a_stopped_search_is_a_complete_shallower_one() {
    let game = twenty48::<16>(4, 4);
    let value = Noise { staged: false };
    let search = Search::new(&game, &value);
    let mut work = Workspace::default();
    for (i, state) in positions(&game, 60, 4).into_iter().enumerate() {
        for threads in [1, 2] {
            let asked = AtomicU64::new(0);
            let stop = || asked.fetch_add(1, Relaxed) as usize >= i;
            let limits = Limits { stop: Some(&stop), threads, ..Limits::ply(4) };
            let answer = search.run(&state, 0, &limits, &mut work);
            if answer.best.is_none() {
                assert!(game.is_over(&state));
                continue;
            }
            assert!(answer.ply >= 1, "one ply is always completed");
            assert!(answer.complete == (answer.ply == 4) || answer.leaves < 100);
            let same = search.run(&state, 0, &Limits::ply(answer.ply), &mut work);
            assert_eq!(answer.moves, same.moves);
        }
    }
}

#[test]
fn a_node_limit_ends_the_search_soon() {
    let game = twenty48::<16>(4, 4);
    let value = Noise { staged: false };
    let search = Search::new(&game, &value);
    let mut work = Workspace::default();
    let mut reached = [0; 7];
    for state in positions(&game, 60, 5) {
        let limits = Limits { nodes: Some(3_000), ..Limits::ply(6) };
        let answer = search.run(&state, 0, &limits, &mut work);
        assert!(answer.leaves < 3_000 + 4_096, "{}", answer.leaves);
        reached[usize::from(answer.ply)] += 1;
    }
    assert!(reached[2] + reached[3] > 30 && reached[1] < 10, "{reached:?}");
}

/// All limits at once: whichever ends the search, the answer is the naive one of the depth it
/// names.
#[test]
fn limits_combine() {
    let game = twenty48::<16>(3, 3);
    let value = Noise { staged: true };
    let table = TranspositionTable::new(1 << 16);
    let (plain, mut work) = (Search::new(&game, &value), Workspace::default());
    let mut ends = [0; 3];
    for (i, state) in positions(&game, 120, 12).into_iter().enumerate() {
        let asked = AtomicU64::new(0);
        let stop = || asked.fetch_add(1, Relaxed) as usize > i % 40;
        let limits = Limits {
            by_empty: vec![(2, 4), (5, 3)],
            stop: Some(&stop),
            nodes: Some(200 + 20 * i as u64),
            cut_off: [0.0, 0.0171][i % 2],
            threads: 1 + i / 2 % 2,
            ..Limits::ply(2)
        };
        let deepest = limits.depth(state.0.empty_cells(9).count_ones() as usize);
        let answer = plain.clone().with_table(&table).run(&state, 0, &limits, &mut work);
        if answer.best.is_none() {
            continue;
        }
        assert!((1..=deepest).contains(&answer.ply) && answer.leaves < limits.nodes.unwrap() + 4_096);
        close(&answer, &naive::moves(&game, &value, &state, 0, answer.ply, limits.cut_off, 1.0));
        let why =
            if answer.ply == deepest { 0 } else { 1 + usize::from(asked.load(Relaxed) as usize <= i % 40) };
        ends[why] += 1;
    }
    assert!(ends.iter().all(|&count| count > 3), "depth, time, nodes: {ends:?}");
}

#[test]
fn depth_by_empty_cells() {
    let game = twenty48::<16>(3, 3);
    let value = Noise { staged: false };
    let search = Search::new(&game, &value);
    for state in positions(&game, 200, 6) {
        let empty = state.0.empty_cells(9).count_ones() as u8;
        let limits = Limits { by_empty: vec![(2, 4), (4, 3)], ..Limits::ply(1) };
        let answer = search.run(&state, 0, &limits, &mut Workspace::default());
        let expected = if empty <= 2 {
            4
        } else if empty <= 4 {
            3
        } else {
            1
        };
        assert!(answer.best.is_none() || answer.ply == expected);
    }
}

#[test]
fn mayer_hirshfeld_as_published() {
    for (rows, cols, depth, cut_off) in [(2, 2, 4, 0.0), (2, 3, 3, 0.0), (2, 3, 3, 0.0131), (3, 3, 2, 0.0313)]
    {
        let game = twenty48::<16>(rows, cols);
        let published = MayerHirshfeld::new(game.shape);
        let look = Heuristic::new(game.shape, Weights::PLAIN);
        let table = TranspositionTable::new(1 << 14);
        for state in positions(&game, 60, 9) {
            let heuristic = |state: &_| f64::from(look.look(game.state_view(state).cells));
            let expected = naive::mayer_hirshfeld(&game, &heuristic, &state, depth, cut_off, 1.0);
            let limits = Limits { cut_off, ..Limits::ply(depth) };
            let search = Search::new(&game, &published).with_table(&table);
            match search.run(&state, 0, &limits, &mut Workspace::default()).value() {
                None => assert_eq!(expected, -100.0),
                Some(value) => assert!((f64::from(value) - expected).abs() < 1e-4, "{value} {expected}"),
            }
        }
    }
    assert_eq!(MayerHirshfeld::limits(Shape::FOUR).ply, 9);
    assert_eq!(MayerHirshfeld::limits(Shape::new(5, 5).unwrap()).cut_off, 5e-5);
    assert_eq!(MayerHirshfeld::limits(Shape::new(6, 6).unwrap()).ply, 6);
}

#[test]
fn a_one_ply_searcher_takes_the_first_best_reward_and_value() {
    let game = twenty48::<16>(4, 4);
    let value = Noise { staged: true };
    let mut searcher = SearchPlayer::new(&value, Limits::ply(1));
    let mut random = Random::new(11);
    for _ in 0..20 {
        searcher.begin(&game, random.clone());
        let mut state = game.start(&mut random);
        let mut stage = 0;
        loop {
            let worth = |choice: &Choice<_>| {
                let afterstate = choice.slide.afterstate;
                let at = Staged { afterstate, stage: value.advance(&game, stage, &afterstate) };
                choice.slide.reward as f32 + value.value(&game, &at)
            };
            let best = legal(&game, &state)
                .reduce(|best, next| if worth(&next) > worth(&best) { next } else { best });
            assert_eq!(searcher.choose(&game, &state), best);
            let Some(choice) = best else { break };
            stage = value.advance(&game, stage, &choice.slide.afterstate);
            assert_eq!(searcher.stage(), stage);
            state = game.spawn(&choice.slide.afterstate, &mut random).state;
        }
    }
}

/// Knows ranks up to `largest` only, and says so loudly.
struct Limited {
    largest: u8,
}

impl<G: Game> Value<G> for Limited {
    fn value(&self, game: &G, at: &Staged<G::Afterstate>) -> f32 {
        let cells = game.view(&at.afterstate).cells;
        // One more than the largest may be made by the moves looked ahead.
        assert!(cells.iter().all(|&rank| rank <= self.largest + 3), "{cells:?}");
        cells.iter().filter(|&&rank| rank == 0).count() as f32
    }
}

#[test]
fn downgrading_plays_through_the_largest_tiles() {
    let game = twenty48::<16>(4, 4);
    for ply in 1..=3 {
        let mut player = SearchPlayer::new(&Limited { largest: 15 }, Limits::ply(ply)).with_downgrading(15);
        // One merge after the other makes 131072 out of 65536, 32768 … 4, 4.
        let ranks = vec![16, 15, 14, 13, 9, 10, 11, 12, 8, 7, 6, 5, 2, 2, 3, 4];
        let mut state = game.position(&Setup { ranks, ..Setup::default() }).unwrap();
        player.begin(&game, Random::new(1));
        let mut random = Random::new(u64::from(ply));
        let mut moves = 0;
        while let Some(choice) = player.choose(&game, &state) {
            assert_eq!(game.slide(&state, choice.direction), Some(choice.slide));
            state = game.spawn(&choice.slide.afterstate, &mut random).state;
            moves += 1;
            assert!(state.0.max_rank() >= 16, "the real board keeps its tiles");
        }
        assert!(moves > 10);
    }
}

#[test]
fn the_heuristic_player_reaches_large_tiles() {
    let game = twenty48::<16>(4, 4);
    let heuristic = Heuristic::tuned(Shape::FOUR);
    let mut player = SearchPlayer::new(&heuristic, Limits::ply(2));
    let mut score = 0;
    for number in 0..5 {
        let mut random = Random::stream(3, number);
        let mut state = game.start(&mut random);
        while let Some(choice) = player.choose(&game, &state) {
            score += choice.slide.reward;
            state = game.spawn(&choice.slide.afterstate, &mut random).state;
        }
    }
    // 47,000 on average with a deviation of 22,000; a search that forgets a part stays far below.
    assert!(score / 5 > 15_000, "{}", score / 5);
}
