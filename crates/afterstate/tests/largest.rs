//! A 4×4 game goes on correctly through 65536 and 131072, at every depth, with and without
//! downgrading.
//!
//! The network has 16 ranks: it cannot tell 65536 from 32768. What is played must still be the
//! rules.

#[allow(dead_code)]
#[path = "reference/expectimax.rs"]
mod naive;
#[allow(dead_code)]
#[path = "reference/twenty48.rs"]
mod reference;

use afterstate::game::twenty48::{State, Twenty48};
use afterstate::game::{Game, Setup};
use afterstate::grid::{Direction, Shape};
use afterstate::network::{Network, Structure};
use afterstate::player::{Player, SearchPlayer};
use afterstate::random::Random;
use afterstate::search::{Limits, Search, TranspositionTable, Workspace};
use afterstate::value::{Stage, Staged, Value};

/// A small network of 16 ranks, with weights from 0 to `most`.
fn network(most: f32) -> Network {
    let network = Network::new(Structure::tuples(Shape::FOUR, "01245 45689", 16).unwrap());
    let mut random = Random::new(7);
    for entry in 0..network.bank_len() as u32 {
        network.bank(0).set(entry, random.below(1 << 20) as f32 / (1 << 20) as f32 * most);
    }
    network
}

fn state(ranks: Vec<u8>) -> State<16> {
    Twenty48::<16>::new(Shape::FOUR).position(&Setup { ranks, ..Setup::default() }).unwrap()
}

/// The cells as numbers: the reference implementation's kind of board.
fn grid(state: &State<16>) -> reference::Grid {
    let number = |&rank: &u8| if rank == 0 { 0 } else { 1u64 << rank };
    state.0.0.chunks(4).map(|row| row.iter().map(number).collect()).collect()
}

/// Three merges in a row make 65536, 131072 and 262144; whoever looks at points makes them at once.
#[test]
fn games_go_on_through_65536_and_131072() {
    let game = Twenty48::<16>::new(Shape::FOUR);
    let network = network(1.0);
    for ply in 1..=3 {
        for downgrading in [false, true] {
            let mut player = SearchPlayer::new(&network, Limits::ply(ply));
            if downgrading {
                player = player.with_downgrading(15);
            }
            let mut random = Random::new(u64::from(ply));
            player.begin(&game, random.clone());
            let mut state = state(vec![15, 15, 16, 17, 1, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 1]);
            let (mut score, mut made, mut moves) = (0u64, Vec::new(), 0);
            while let Some(choice) = player.choose(&game, &state) {
                let step = reference::STEPS[choice.direction as usize];
                let (after, points) = reference::slide(&grid(&state), step, u64::MAX).expect("a legal move");
                let points = u64::try_from(points).expect("few points");
                assert_eq!(grid(&State(choice.slide.afterstate.0)), after);
                assert_eq!(choice.slide.reward, points);
                score += points;
                if points >= 1 << 16 {
                    made.push(points & !0xffff);
                }
                state = game.spawn(&choice.slide.afterstate, &mut random).state;
                moves += 1;
            }
            assert_eq!(made, [1 << 16, 1 << 17, 1 << 18], "at {ply}-ply, downgrading {downgrading}");
            assert_eq!(state.0.max_rank(), 18);
            assert!(moves > 50 && score > 458_752, "{moves} moves, {score} points");
        }
    }
}

/// Boards with pairs of 32768, 65536 and 131072 among others: the search sees what the naive one
/// sees.
#[test]
fn values_beyond_the_alphabet_are_those_of_the_naive_search() {
    let game = Twenty48::<16>::new(Shape::FOUR);
    let network = network(5000.0);
    let search = Search::new(&game, &network);
    let table = TranspositionTable::new(1 << 16);
    let mut work = Workspace::default();
    let mut random = Random::new(3);
    let mut merged = 0;
    for round in 0..600 {
        let filled = 9 + round % 7;
        let cells = (0..16).map(|_| if random.below(16) < filled { 12 + random.below(6) as u8 } else { 0 });
        let state = state(cells.collect());
        let ply = if round % 20 == 0 { 3 } else { 1 + (round % 2) as u8 };
        let expected = naive::moves(&game, &network, &state, 0, ply, 0.0, 1.0);
        for search in [search.clone(), search.clone().with_table(&table)] {
            let found = search.run(&state, 0, &Limits::ply(ply), &mut work);
            for direction in Direction::ALL {
                let (found, expected) = (found.moves[direction as usize], expected[direction as usize]);
                assert_eq!(found.is_some(), expected.is_some());
                if let (Some(found), Some(expected)) = (found, expected) {
                    let error = (f64::from(found.value) - expected).abs();
                    assert!(error <= 1e-6 * expected.abs(), "{found:?} instead of {expected}");
                    merged += u32::from(found.reward >= 1 << 16);
                }
            }
        }
    }
    assert!(merged > 500, "{merged}");
}

/// Says which stage it was asked in; without a history a position is in stage 3.
struct Stages;

impl<G: Game> Value<G> for Stages {
    fn value(&self, _: &G, at: &Staged<G::Afterstate>) -> f32 {
        f32::from(at.stage)
    }

    fn implied(&self, _: &G, _: &G::State) -> Stage {
        3
    }
}

/// A copy has no history: its tiles say which stage judges it. The board itself stays in the stage
/// of its game.
#[test]
fn a_lowered_copy_is_judged_in_the_stage_its_tiles_imply() {
    let game = Twenty48::<16>::new(Shape::FOUR);
    for (largest, stage) in [(16, 3.0), (15, 1.0)] {
        let mut player = SearchPlayer::new(&Stages, Limits::ply(1)).with_downgrading(15);
        player.set_stage(1);
        let answer = player.search(&game, &state(vec![largest, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
        assert!(
            answer.moves.iter().flatten().all(|found| found.value == stage),
            "{largest}: {:?}",
            answer.moves
        );
    }
}
