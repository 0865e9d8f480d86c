//! Every baseline player within an upper and a lower bound on score, largest tile and moves;
//! evaluations that repeat; records that replay.

use afterstate::episode::{Record, ReplayError, play, replay};
use afterstate::evaluate::{GameObserver, Plan, Played, Summary, evaluate};
use afterstate::game::twenty48::{Afterstate, Twenty48};
use afterstate::game::{Game, Slide};
use afterstate::grid::{Direction, Shape};
use afterstate::player::{Choice, CornerPlayer, GreedyPlayer, Player, RandomPlayer, SearchPlayer};
use afterstate::random::Random;
use afterstate::search::Limits;
use afterstate::task::{Generator, Goal, Task};
use afterstate::value::{Stage, Staged, Value};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

type Game4 = Twenty48<16>;

fn game() -> Game4 {
    Twenty48::new(Shape::FOUR)
}

fn summary<P: Player<Game4>>(player: impl Fn() -> P + Sync, games: u64) -> Summary {
    let plan = Plan { threads: 2, ..Plan::new(games, 20) };
    Summary::of(&game(), &evaluate(&game(), player, &plan, &())).unwrap()
}

fn check(name: &str, s: &Summary, score: Range<f64>, largest: Range<f64>, moves: Range<f64>) {
    let found = format!(
        "{name}: score {:.1} largest {:.1} moves {:.1} of {} games",
        s.score.moments.mean(),
        s.largest.moments.mean(),
        s.moves.moments.mean(),
        s.games
    );
    assert!(score.contains(&s.score.moments.mean()), "{found}");
    assert!(largest.contains(&s.largest.moments.mean()), "{found}");
    assert!(moves.contains(&s.moves.moments.mean()), "{found}");
}

/// Published: 1095.4 points, 118.4 moves. One game's deviation is about 538 points,
/// so the mean of 100,000 has an error of 1.7.
#[test]
fn random_play_scores_as_published() {
    let s = summary(RandomPlayer::default, 100_000);
    check("random", &s, 1095.4 - 3.7..1095.4 + 3.7, 105.0..111.0, 117.4..119.4);
    assert!(s.score.moments.ci95().unwrap().margin() < 3.7);
    assert_eq!(s.win.hits, 0);
}

#[test]
fn greedy_play_stays_in_bounds() {
    let s = summary(|| GreedyPlayer, 4_000);
    check("greedy", &s, 2950.0..3320.0, 225.0..255.0, 250.0..275.0);
}

#[test]
fn corner_play_stays_in_bounds() {
    let s = summary(CornerPlayer::default, 4_000);
    check("corner", &s, 2500.0..2860.0, 194.0..218.0, 224.0..247.0);
}

/// Empty cells are worth something: a little better than greed alone.
struct EmptyCells;

impl Value<Game4> for EmptyCells {
    fn value(&self, game: &Game4, at: &Staged<Afterstate<16>>) -> f32 {
        let empty = at.afterstate.0.empty_cells(game.shape.cells()).count_ones();
        50.0 * empty as f32
    }
}

#[test]
fn a_one_ply_player_uses_its_value() {
    let s = summary(|| SearchPlayer::new(&EmptyCells, Limits::ply(1)), 1_000);
    check("empty cells", &s, 2900.0..3480.0, 220.0..270.0, 245.0..287.0);
}

/// A value whose stage counts the moves.
struct Staircase;

impl Value<Game4> for Staircase {
    fn value(&self, _: &Game4, at: &Staged<Afterstate<16>>) -> f32 {
        f32::from(at.stage)
    }

    fn advance(&self, _: &Game4, stage: Stage, _: &Afterstate<16>) -> Stage {
        stage.saturating_add(1)
    }
}

#[test]
fn a_one_ply_player_carries_the_stage_along() {
    let game = game();
    let mut player = SearchPlayer::new(&Staircase, Limits::ply(1));
    let mut random = Random::new(3);
    let mut state = game.start(&mut random);
    for moves in 1..=9 {
        let choice = player.choose(&game, &state).unwrap();
        assert_eq!(player.stage(), moves);
        state = game.spawn(&choice.slide.afterstate, &mut random).state;
    }
    player.begin(&game, Random::new(0));
    assert_eq!(player.stage(), 0);
}

fn board(rows: &str) -> <Game4 as Game>::State {
    let ranks = rows.chars().filter_map(|c| c.to_digit(36)).map(|rank| rank as u8).collect();
    game().position(&afterstate::game::Setup { ranks, ..Default::default() }).unwrap()
}

#[test]
fn ties_go_to_the_first_direction() {
    let symmetric = board("1001/0000/0000/1001");
    let first = GreedyPlayer.choose(&game(), &symmetric).unwrap();
    assert_eq!((first.direction, first.slide.reward), (Direction::Up, 8));
    let richer = board("1133/0000/0000/0000");
    assert_eq!(GreedyPlayer.choose(&game(), &richer).unwrap().direction, Direction::Right);
    assert_eq!(GreedyPlayer.choose(&game(), &board("1212/2121/1212/2121")), None);
}

#[test]
fn the_corner_player_takes_turns_and_goes_up_last() {
    let mut player = CornerPlayer::default();
    let mut next = |rows| player.choose(&game(), &board(rows)).map(|c: Choice<_>| c.direction);
    let open = "0000/0110/0110/0000";
    assert_eq!(next(open), Some(Direction::Left));
    assert_eq!(next(open), Some(Direction::Down));
    assert_eq!(next(open), Some(Direction::Left));
    assert_eq!(next("0000/0000/0000/1234"), Some(Direction::Up));
    assert_eq!(next("0000/0000/0000/1230"), Some(Direction::Right));
    assert_eq!(next("1000/2000/3000/4000"), Some(Direction::Right));
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let run = |threads| {
        let plan = Plan { threads, ..Plan::new(150, 7) };
        evaluate(&game(), RandomPlayer::default, &plan, &())
    };
    let one = run(1);
    assert_eq!(one.len(), 150);
    assert_eq!(one, run(2));
    assert_eq!(one, run(5));
    // A shard plays its own part of the same games.
    let plan = Plan { games: 40..60, ..Plan::new(0, 7) };
    assert_eq!(evaluate(&game(), RandomPlayer::default, &plan, &()), one[40..60]);
}

/// Counts games and stops after a number of them.
struct StopAfter(u64, AtomicU64);

impl GameObserver<Game4> for StopAfter {
    fn ended(&self, played: &Played, record: Option<Record<<Game4 as Game>::State>>) {
        let again = replay(&game(), &record.unwrap()).unwrap();
        assert_eq!((again.score, again.moves), (played.score, played.moves));
        self.1.fetch_add(1, Ordering::Relaxed);
    }

    fn stop(&self) -> bool {
        self.1.load(Ordering::Relaxed) >= self.0
    }
}

#[test]
fn an_observer_sees_every_game_and_can_stop() {
    let observer = StopAfter(10, AtomicU64::new(0));
    let plan = Plan { record: true, threads: 2, ..Plan::new(1000, 1) };
    let results = evaluate(&game(), RandomPlayer::default, &plan, &observer);
    assert_eq!(results.len() as u64, observer.1.into_inner());
    assert!((10..=11).contains(&results.len()));
}

#[test]
fn a_record_replays_and_a_damaged_one_is_refused() {
    let game = game();
    for seed in 0..20 {
        let mut record = Record::default();
        let episode = play(&game, &mut RandomPlayer::default(), &mut Random::new(seed), &mut record);
        assert_eq!(replay(&game, &record), Ok(episode));
        assert!(game.is_over(&episode.last) && !episode.truncated);
        // Score = Σ (k − 1)·2^k of the tiles − 4 for every 4 that was spawned.
        let start = record.start.unwrap();
        let fours = start.0.0.iter().filter(|&&r| r == 2).count()
            + record.steps.iter().filter(|(_, spawn)| spawn.rank == 2).count();
        let tiles: u64 = episode.last.0.0.iter().filter(|&&k| k > 0).map(|&k| u64::from(k - 1) << k).sum();
        assert_eq!(episode.score, tiles - 4 * fours as u64);

        let mut damaged = record.clone();
        damaged.steps[5].1.rank = 3;
        assert!(matches!(replay(&game, &damaged), Err(ReplayError::Impossible { number: 6, .. })));
        damaged.steps.truncate(5);
        assert!(replay(&game, &damaged).unwrap().truncated);
        damaged.start = None;
        assert_eq!(replay(&game, &damaged), Err(ReplayError::Empty));
    }
}

#[test]
fn an_illegal_move_is_found() {
    let start = board("1000/2000/3000/4000");
    let Slide { afterstate, .. } = game().slide(&start, Direction::Right).unwrap();
    let state = game().spawn(&afterstate, &mut Random::new(1)).state;
    let spawn = afterstate::episode::Spawn::between(&game(), &afterstate, &state);
    let record = Record { start: Some(start), steps: vec![(Direction::Up, spawn)] };
    let error = ReplayError::Illegal { number: 1, direction: Direction::Up };
    assert_eq!(replay(&game(), &record), Err(error));
}

#[test]
fn a_summary_worked_by_hand() {
    let played = |index, score, max_rank| Played { index, score, moves: 10, max_rank, goal: false };
    let s = Summary::of(&game(), &[played(0, 100, 7), played(1, 300, 11), played(2, 200, 9)]).unwrap();
    assert_eq!((s.games, s.score.moments.mean(), s.score.median), (3, 200.0, 200.0));
    assert_eq!((s.win.hits, s.win.trials), (1, 3));
    assert_eq!((s.tiles.len(), s.tiles[0].reached.hits), (11, 3));
    let tiles: Vec<_> = s.tiles[6..].iter().map(|t| (t.label, t.largest, t.reached.hits)).collect();
    assert_eq!(tiles, [(128, 1, 3), (256, 0, 2), (512, 1, 2), (1024, 0, 1), (2048, 1, 1)]);
    assert_eq!((s.largest.median, s.largest.moments.max()), (512.0, Some(2048.0)));
    assert_eq!(Summary::of(&game(), &[]), None);
}

/// A task starts where it says and ends with its goal; which games succeed does not depend on the
/// threads.
#[test]
fn a_task_is_played_from_its_starts_to_its_goal() {
    let start =
        Generator { large: vec![9, 8], way: vec![7], anywhere: 0.0, small: 2, pool: 0, renew: 0, seed: 1 };
    let task = Task { start: Some(start), goal: Some(Goal::new(vec![9, 8, 7])) };
    let play = |threads| {
        let plan = Plan { threads, task: task.clone(), record: true, ..Plan::new(200, 3) };
        let records = Records(Mutex::default());
        let played = evaluate(&game(), CornerPlayer::default, &plan, &records);
        (played, records.0.into_inner().unwrap())
    };
    let (played, records) = play(2);
    assert_eq!(played, play(1).0);
    for (played, record) in played.iter().map(|played| (played, &records[&played.index])) {
        let start = record.start.unwrap().0.0;
        assert_eq!(start[..2], [9, 8]);
        let last = replay(&game(), record).unwrap().last.0.0;
        let holds = |cells: &[u8]| [9, 8, 7].iter().all(|rank| cells.contains(rank));
        assert_eq!(played.goal, holds(&last), "{last:?}");
        assert!(
            played.goal || game().is_over(&afterstate::game::twenty48::State(afterstate::grid::Board(last)))
        );
    }
    let goals = Summary::of(&game(), &played).unwrap().goal;
    assert!(goals.hits > 100 && goals.hits < 200, "{goals:?}");
}

struct Records(Mutex<HashMap<u64, Record<afterstate::game::twenty48::State<16>>>>);

impl GameObserver<Game4> for Records {
    fn ended(&self, played: &Played, record: Option<Record<afterstate::game::twenty48::State<16>>>) {
        self.0.lock().unwrap().insert(played.index, record.unwrap());
    }
}
