//! Collecting the first boards of later stages, and carrying the stage through play and search.

use afterstate::game::Game;
use afterstate::game::twenty48::{State, Twenty48};
use afterstate::grid::{Board, Shape};
use afterstate::learn::Learner;
use afterstate::learn::greedy::Staging;
use afterstate::learn::stage_starts::{Keep, StageStart, StageStarts};
use afterstate::learn::start::{Start, StartPoint};
use afterstate::learn::step_size::{StepRule, StepSize};
use afterstate::learn::target::Target;
use afterstate::network::stage::Stages;
use afterstate::network::{Network, Structure};
use afterstate::player::{Player, SearchPlayer};
use afterstate::random::Random;
use afterstate::search::{Limits, Search, TranspositionTable, Workspace};
use afterstate::train::{Method, Played, TrainObserver, Trainer};
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;

type Small = Twenty48<16>;
type Position = State<16>;

fn game() -> Small {
    Twenty48::new(Shape::new(2, 3).unwrap())
}

fn learner(splits: &[&[u8]]) -> Learner {
    let mut structure = Structure::tuples(game().shape, "013 0124", 8).unwrap();
    structure.stages = Stages::new(splits.iter().map(|split| split.to_vec()).collect());
    let network = Network::new(structure);
    let step_size = StepSize::new(StepRule::Coherence { beta: 1.0, kept: 1.0 }, &network);
    Learner { network, step_size }
}

#[derive(Default)]
struct Log(Mutex<Vec<Played>>);

impl TrainObserver for Log {
    fn game(&self, played: &Played) {
        self.0.lock().unwrap().push(*played);
    }
}

/// A frozen stage, held, that collects the boards at its next split.
fn collect(wanted: usize, start: Start<Position>) -> Method<Position> {
    let (target, staging) = (Target::Nothing, Staging::Hold);
    Method { target, staging, start, keep: Keep::First(wanted), ..Method::default() }
}

/// Plays by rewards alone, as weights of zero do, and writes down the first state after an 8 was
/// made.
fn by_hand(games: usize, seed: u64) -> (Vec<StageStart<Position>>, Random) {
    let game = game();
    let mut random = Random::stream(seed, 0);
    let mut all = Vec::new();
    for _ in 0..games {
        let mut state = game.start(&mut random);
        let (mut score, mut first) = (0, None);
        loop {
            let slides = game.slides(&state);
            // The first of those with the largest reward.
            let most = slides.iter().flatten().map(|slide| slide.reward).max();
            let Some(slide) = slides.into_iter().flatten().find(|slide| Some(slide.reward) == most) else {
                break;
            };
            state = game.spawn(&slide.afterstate, &mut random).state;
            score += slide.reward;
            if first.is_none() && game.view(&slide.afterstate).cells.contains(&3) {
                first = Some(StartPoint { state, stage: 1, score });
            }
        }
        // Nobody can start from where the game is over.
        let first = first.filter(|begun| !game.is_over(&begun.state));
        all.extend(first.map(|start| StageStart { start, last: score }));
    }
    (all, random)
}

#[test]
fn boards_at_the_split_are_collected_with_their_scores_and_the_scores_of_their_games() {
    let learner = learner(&[&[3], &[5]]);
    let mut trainer = Trainer::new(game(), collect(1000, Start::Fresh), 1, 7);
    trainer.round(&learner, 50, &Log::default());
    let (all, random) = by_hand(50, 7);
    assert!(all.len() > 30);
    assert_eq!(trainer.stage_starts().of(1).copied().collect::<Vec<_>>(), all);
    assert_eq!(trainer.stage_starts().met(), [0, all.len() as u64]);
    assert_eq!(trainer.progress().randoms, [random.save()], "and nothing else happened");
    let touched = learner.network.bank(0).entries().iter().any(|weight| weight.load(Relaxed) != 0);
    assert!(!touched, "weights are frozen");
}

#[test]
fn a_collection_ends_with_the_game_that_brought_the_last_board_however_it_is_cut() {
    let learner = learner(&[&[3]]);
    let whole = {
        let mut trainer = Trainer::new(game(), collect(12, Start::Fresh), 1, 3);
        trainer.round(&learner, 10_000, &Log::default());
        let starts = trainer.stage_starts().clone();
        (trainer.progress(), starts)
    };
    assert_eq!(whole.1.of(1).len(), 12);
    let method = collect(12, Start::Fresh);
    let mut trainer = Trainer::new(game(), method.clone(), 1, 3);
    for _ in 0..100 {
        trainer.round(&learner, 1, &Log::default());
        let kept = trainer.stage_starts().clone();
        let kept = StageStarts::restored(method.keep, kept.all().copied(), kept.met().to_vec());
        trainer = Trainer::resume(game(), method.clone(), &trainer.progress()).unwrap();
        *trainer.stage_starts() = kept;
    }
    let starts = trainer.stage_starts().clone();
    assert_eq!((trainer.progress(), starts), whole);
}

/// The next stage: boards in turn, also while its own next boards are collected, and scores that go
/// on.
#[test]
fn a_later_stage_takes_its_boards_in_turn_while_training_and_while_collecting() {
    let learner = learner(&[&[9], &[3]]);
    // The first move makes an 8. Each board has a score of its own.
    let state = State(Board::from_cells(&[4, 5, 4, 0, 2, 2]));
    let begun = |i: u64| StartPoint { state, stage: 1, score: 1000 * i };
    let start = Start::Boards((0..3).map(begun).collect());
    let train = Method { start: start.clone(), staging: Staging::Hold, ..Method::default() };
    let mut trainer = Trainer::new(game(), train, 1, 1);
    let log = Log::default();
    trainer.round(&learner, 4, &log);
    let order = |log: &Log| log.0.lock().unwrap().iter().map(|one| one.score / 1000).collect::<Vec<_>>();
    assert_eq!(order(&log), [0, 1, 2, 0]);
    let touched = |bank| learner.network.bank(bank).entries().iter().any(|weight| weight.load(Relaxed) != 0);
    assert!(!touched(0) && touched(1), "only the stage's own weights learn");
    let mut collecting = Trainer::resume(game(), collect(5, start), &trainer.progress()).unwrap();
    let log = Log::default();
    collecting.round(&learner, 1000, &log);
    assert_eq!(order(&log), [1, 2, 0, 1, 2], "the turn goes on, and ends with the fifth board");
    let scores: Vec<u64> = collecting.stage_starts().of(2).map(|entry| entry.start.score).collect();
    assert_eq!(scores, [1008, 2008, 8, 1008, 2008], "the merge is worth 8");
    assert!(collecting.stage_starts().of(2).all(|entry| entry.last >= entry.start.score));
}

/// A held stage plays to the end of the game with its own weights; only one board of a game is
/// collected.
#[test]
fn a_held_stage_collects_one_board_of_each_game_whatever_it_skips() {
    let learner = learner(&[&[2], &[2, 1], &[3]]);
    let mut trainer = Trainer::new(game(), collect(1000, Start::Fresh), 1, 5);
    trainer.round(&learner, 30, &Log::default());
    assert_eq!(trainer.stage_starts().met(), [0, 30], "all games make a 4, and no later stage is looked at");
    assert!(trainer.stage_starts().all().all(|entry| entry.start.stage == 1));
}

/// The value of a stage shows nothing of another's: the same position in two stages, one table for
/// both.
#[test]
fn the_stage_is_part_of_the_key_of_the_table_and_is_carried_through_the_search() {
    let learner = learner(&[&[4], &[5]]);
    let network = &learner.network;
    // Every stage values positions differently.
    for bank in 0..3u8 {
        let mut random = Random::stream(1, bank.into());
        (0..network.bank_len() as u32).for_each(|e| network.bank(bank).set(e, random.below(1000) as f32));
    }
    let (game, table) = (game(), TranspositionTable::new(1 << 20));
    let mut random = Random::new(3);
    let mut differ = 0;
    for _ in 0..50 {
        let cells: Vec<u8> = (0..6).map(|_| random.below(4) as u8).collect();
        let state = State(Board::from_cells(&cells));
        let run = |stage, table: Option<&TranspositionTable>| {
            let mut search = Search::new(&game, network);
            if let Some(table) = table {
                search = search.with_table(table);
            }
            search.run(&state, stage, &Limits::ply(3), &mut Workspace::default()).moves
        };
        let alone = [0, 1, 2].map(|stage| run(stage, None));
        let shared = [0, 1, 2].map(|stage| run(stage, Some(&table)));
        assert_eq!(alone, shared);
        differ += usize::from(alone[0] != alone[1] && alone[1] != alone[2]);
    }
    assert!(differ > 30, "{differ}");
}

#[test]
fn a_player_keeps_the_stage_its_game_has_reached() {
    let learner = learner(&[&[3], &[4]]);
    let game = game();
    let mut player = SearchPlayer::new(&learner.network, Limits::ply(2));
    player.begin(&game, Random::new(1));
    let mut random = Random::new(2);
    let mut state = game.start(&mut random);
    let (mut reached, mut stages) = (0, Vec::new());
    while let Some(choice) = player.choose(&game, &state) {
        let cells = game.view(&choice.slide.afterstate).cells;
        reached = learner.network.structure().stages.advance(reached, cells);
        assert_eq!(player.stage(), reached);
        stages.push(reached);
        state = game.spawn(&choice.slide.afterstate, &mut random).state;
    }
    assert!(stages.is_sorted() && stages.contains(&1), "{stages:?}");
    player.begin(&game, Random::new(1));
    assert_eq!(player.stage(), 0);
}
