//! The trainer against the naive learner, and against itself.

#[path = "reference/learner.rs"]
mod naive_learner;
#[path = "reference/network.rs"]
mod naive_network;

use afterstate::game::Game;
use afterstate::game::threes::{Rules, Threes};
use afterstate::game::twenty48::{State, Twenty48};
use afterstate::grid::{Board, Shape};
use afterstate::learn::Learner;
use afterstate::learn::greedy::{Staging, ValueKind};
use afterstate::learn::stage_starts::Keep;
use afterstate::learn::start::{Start, StartPoint};
use afterstate::learn::step_size::{StepRule, StepSize};
use afterstate::learn::target::{Target, lambda_weights};
use afterstate::network::feature::Feature;
use afterstate::network::pattern::parse_patterns;
use afterstate::network::stage::{Judging, Rule, Stages};
use afterstate::network::walls::Walls;
use afterstate::network::{Network, Sets, Structure};
use afterstate::task::{Generator, Goal};
use afterstate::train::{Method, Played, TrainObserver, Trainer};
use naive_learner::NaiveLearner;
use naive_network::NaiveNetwork;
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;

type Small = Twenty48<16>;
type Position = State<16>;

const VALUE_KINDS: [ValueKind; 3] = [ValueKind::Afterstates, ValueKind::States, ValueKind::Actions];
const FIXED: StepRule = StepRule::Fixed { per_weight: 0.01 };
const STEPS: [StepRule; 6] = [
    FIXED,
    StepRule::Coherence { beta: 1.0, kept: 1.0 },
    StepRule::Credit { beta: 1.0, kept: 1.0 },
    StepRule::Coherence { beta: 1.0, kept: 0.9 },
    StepRule::Credit { beta: 1.0, kept: 0.9 },
    StepRule::VisitCount { eta: 0.5 },
];

fn targets() -> Vec<Target> {
    vec![
        Target::td0(),
        Target::n_step(3),
        Target::Returns { weights: lambda_weights(0.5, 5), after_game: true },
        Target::Returns { weights: lambda_weights(0.7, 3), after_game: false },
        Target::Backward { lambda: 0.5 },
        Target::Delayed { lambda: 0.5, horizon: 4 },
    ]
}

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).unwrap()
}

fn two_by_three() -> Small {
    Twenty48::new(shape(2, 3))
}

/// Two overlapping patterns whose alphabet is smaller than the ranks that come up, and a count.
fn structure(game: &Small, value_kind: ValueKind, shared: bool) -> Structure {
    Structure {
        shape: game.shape,
        patterns: parse_patterns("013 0124", game.shape, 6).unwrap(),
        features: vec![Feature::EmptyCells],
        shared,
        stages: Stages::default(),
        sets: value_kind.sets(),
        walls: None,
    }
}

/// Keeps every game it is told.
#[derive(Default)]
struct Log(Mutex<Vec<Played>>);

impl TrainObserver for Log {
    fn game(&self, played: &Played) {
        self.0.lock().unwrap().push(*played);
    }
}

impl Log {
    fn games(self) -> Vec<Played> {
        self.0.into_inner().unwrap()
    }
}

fn learner(structure: &Structure, step: StepRule, initial: f32) -> Learner {
    let network = Network::new(structure.clone());
    network.fill(initial);
    let step_size = StepSize::new(step, &network);
    Learner { network, step_size }
}

/// A run on one thread: what it learned and the games it played.
fn train<G: Game>(
    game: &G,
    method: &Method<G::State>,
    step: StepRule,
    structure: &Structure,
    games: u64,
    initial: f32,
) -> (Learner, Vec<Played>) {
    let learner = learner(structure, step, initial);
    let log = Log::default();
    Trainer::new(game.clone(), method.clone(), 1, SEED).round(&learner, games, &log);
    (learner, log.games())
}

const SEED: u64 = 2048;

/// One run by the trainer and by the naive learner must give the same games and the same weights.
fn compare<G: Game>(
    game: &G,
    method: Method<G::State>,
    step: StepRule,
    structure: Structure,
    games: u64,
    initial: f32,
) -> NaiveLearner<G> {
    let (ours, played) = train(game, &method, step, &structure, games, initial);
    let mut network = NaiveNetwork::new(structure);
    network.initial = initial / ours.network.active() as f32;
    let mut naive = NaiveLearner::new(game.clone(), method.clone(), step, network, SEED);
    for (i, played) in played.iter().enumerate() {
        let first = naive.log.len();
        naive.play();
        let (score, moves) = naive.log[first];
        let extra: u64 = naive.log[first + 1..].iter().map(|&(_, moves)| moves).sum();
        let found = (played.score, played.moves, played.extra_moves);
        assert_eq!(found, (score, moves, extra), "game {i} of {method:?} with {step:?}");
    }
    assert_eq!(played.len() as u64, games);
    if let Some(difference) = naive.network.difference(&ours.network, 1e-4) {
        panic!("{method:?} with {step:?}: {difference}");
    }
    naive
}

/// Threes: with one set of weights, with one for each announced tile, and in two stages of these.
#[test]
fn announced_tiles_have_weights_of_their_own() {
    let game = Threes::<16>::new(shape(3, 3), Rules::PAPER);
    for (sets, splits) in [(Sets::One, vec![]), (Sets::Hints, vec![]), (Sets::Hints, vec![vec![5]])] {
        let structure = Structure { sets, stages: Stages::new(splits), ..threes_structure(&game) };
        for target in [Target::td0(), Target::Backward { lambda: 0.5 }] {
            let method = Method { target, ..Method::default() };
            compare(&game, method, StepRule::Coherence { beta: 1.0, kept: 1.0 }, structure.clone(), 150, 0.0);
        }
    }
}

fn threes_structure(game: &Threes<16>) -> Structure {
    Structure::tuples(game.shape(), "0134 012", 8).unwrap()
}

#[test]
fn every_combination_learns_what_the_equations_say() {
    let game = two_by_three();
    for value_kind in VALUE_KINDS {
        for target in targets() {
            for step in STEPS {
                let method = Method { value_kind, target: target.clone(), ..Method::default() };
                let games = if value_kind == ValueKind::States { 30 } else { 120 };
                compare(&game, method, step, structure(&game, value_kind, true), games, 0.0);
            }
        }
    }
}

/// Whole expectations: on boards of two games, in stages, with restarts, and with moves that
/// explore.
#[test]
fn expectations_are_over_all_that_may_follow() {
    for explore in [0.0, 0.2] {
        let target = Target::Expected { explore };
        for step in STEPS {
            let game = two_by_three();
            let stages = Stages::new(vec![vec![4], vec![4, 3]]);
            let structure = Structure { stages, ..structure(&game, ValueKind::Afterstates, true) };
            let start = Start::Restart { shortest: 8 };
            let method = Method { target: target.clone(), start, ..Method::default() };
            compare(&game, method, step, structure, 60, 50.0);
            let game = Threes::<16>::new(shape(3, 3), Rules::PAPER);
            let structure = Structure { sets: Sets::Hints, ..threes_structure(&game) };
            let method = Method { target: target.clone(), ..Method::default() };
            compare(&game, method, step, structure, 20, 0.0);
        }
    }
}

#[test]
#[should_panic(expected = "of afterstates")]
fn expectations_are_of_afterstates() {
    let target = Target::Expected { explore: 0.0 };
    let method = Method { value_kind: ValueKind::States, target, ..Method::default() };
    let _ = Trainer::new(two_by_three(), method, 1, SEED);
}

/// A game that comes to its goal is cut: its last target is the reward and the value of the board
/// with the goal.
#[test]
fn games_are_cut_at_their_goal() {
    let game = Twenty48::<16>::new(shape(3, 3));
    let generator = Generator {
        large: vec![6, 4],
        way: vec![3, 2],
        anywhere: 0.2,
        small: 1,
        pool: 30,
        renew: 20,
        seed: 5,
    };
    for start in [Start::Fresh, Start::Generated(generator), Start::Restart { shortest: 10 }] {
        for target in targets() {
            for (step, goal) in STEPS.into_iter().zip([vec![5], vec![6, 5], vec![4, 4]].into_iter().cycle()) {
                let goal = Some(Goal::new(goal));
                let (start, target) = (start.clone(), target.clone());
                let method = Method { target, start, goal, ..Method::default() };
                // Ranks from 5 on are alike, so that the board with the goal looks like one on the
                // way to it.
                let structure = Structure::tuples(game.shape(), "0134 012", 6).unwrap();
                compare(&game, method, step, structure, 60, 10.0);
            }
        }
    }
}

/// Stages by the walls on the board: what is judged in one of them may be reached in another, and
/// stages fall.
#[test]
fn stages_by_walls_learn_across_their_boundaries() {
    let game = Twenty48::<16>::new(shape(3, 3));
    for target in targets() {
        for step in STEPS {
            let stages = Stages::by(Rule::Walls { from: 4, stages: 3 });
            let tuples = Structure::tuples(game.shape(), "0134 012", 6).unwrap();
            for walls in [None, Some(Walls { from: 4, apart: 0 })] {
                let structure = Structure { stages: stages.clone(), walls, ..tuples.clone() };
                let method = Method { target: target.clone(), ..Method::default() };
                compare(&game, method, step, structure, 60, 0.0);
            }
        }
    }
}

/// The stage of the game judges what follows from it: the first board of a stage is still learned
/// in the stage before.
#[test]
fn stages_judged_by_the_game_learn_across_their_boundaries() {
    let game = two_by_three();
    for value_kind in [ValueKind::Afterstates, ValueKind::States] {
        for (target, step) in targets().into_iter().zip(STEPS.into_iter().cycle()) {
            let mut structure = structure(&game, value_kind, true);
            let splits = Stages::new(vec![vec![3], vec![3, 2, 2], vec![4]]);
            structure.stages = splits.judging_by(Judging::Game).unwrap();
            let method = Method { value_kind, target, ..Method::default() };
            compare(&game, method, step, structure, 40, 0.0);
        }
    }
}

/// Counts of reached stages equal those of the games themselves.
#[test]
fn goals_are_counted_and_their_tiles_are_there() {
    let game = two_by_three();
    let method = Method { goal: Some(Goal::new(vec![4])), ..Method::default() };
    let structure = structure(&game, ValueKind::Afterstates, true);
    let (_, played) = train(&game, &method, FIXED, &structure, 300, 0.0);
    let reached = played.iter().filter(|game| game.goal).count();
    assert!((30..300).contains(&reached), "{reached}");
    assert!(played.iter().all(|game| (game.largest >= 4) == game.goal && game.largest <= 4));
}

#[test]
fn unshared_weights_and_optimism_too() {
    let game = Twenty48::new(shape(3, 3));
    for value_kind in VALUE_KINDS {
        for (target, step) in targets().into_iter().zip(STEPS.into_iter().cycle()) {
            let method = Method { value_kind, target, ..Method::default() };
            compare(&game, method, step, structure(&game, value_kind, false), 25, 300.0);
        }
    }
}

#[test]
fn stages_follow_the_tiles_or_are_held_and_losing_may_cost_the_score() {
    let game = two_by_three();
    for value_kind in VALUE_KINDS {
        for staging in [Staging::Follow, Staging::Hold] {
            for forfeit in [false, true] {
                let mut structure = structure(&game, value_kind, true);
                structure.stages = Stages::new(vec![vec![3], vec![3, 2, 2], vec![4]]);
                let target = Target::Backward { lambda: 0.5 };
                let method = Method { value_kind, target, staging, forfeit, ..Method::default() };
                let (learner, _) = train(&game, &method, FIXED, &structure, 40, 0.0);
                let last = structure.banks() as u8 - 1;
                let touched =
                    |bank| learner.network.bank(bank).entries().iter().any(|e| e.load(Relaxed) != 0);
                let reached = (last + 1 - value_kind.sets().count() as u8..=last).any(touched);
                assert_eq!(reached, staging == Staging::Follow, "{value_kind:?}");
                compare(&game, method, FIXED, structure, 40, 0.0);
            }
        }
    }
}

/// Online, with promotion and with the carousel, alone and together, also with restarts.
#[test]
fn promotion_and_the_carousel_are_what_their_definitions_say() {
    let game = two_by_three();
    for (promoted, carousel) in [(true, false), (false, true), (true, true)] {
        for (value_kind, step) in VALUE_KINDS.into_iter().zip(STEPS) {
            for start in [Start::Fresh, Start::Restart { shortest: 12 }] {
                let mut structure = structure(&game, value_kind, true);
                structure.stages = Stages::new(vec![vec![3], vec![4], vec![4, 3]]).promoting(|_| promoted);
                let keep = if carousel { Keep::Last(3) } else { Keep::Nothing };
                let target = Target::Backward { lambda: 0.5 };
                let method = Method { value_kind, target, start, keep, carousel, ..Method::default() };
                let naive = compare(&game, method, step, structure, 40, 0.0);
                assert!(
                    naive.entries[1].len() > 20 && naive.entries[2].len() > 3,
                    "later stages are reached"
                );
                if naive.method.start == Start::Fresh {
                    assert_eq!(naive.log.len() > 60, carousel, "{}", naive.log.len());
                }
            }
        }
    }
}

fn restart(shortest: usize) -> Method<Position> {
    let target = Target::Backward { lambda: 0.5 };
    Method { start: Start::Restart { shortest }, target, ..Method::default() }
}

#[test]
fn restarts_begin_in_the_middle_until_a_game_is_short() {
    let game = two_by_three();
    let structure = structure(&game, ValueKind::Afterstates, true);
    for shortest in [0, 2, 10, 25] {
        let naive = compare(&game, restart(shortest), FIXED, structure.clone(), 60, 0.0);
        // Every chain ends with a game too short to go on from, and has no other such game.
        let short = naive.log.iter().filter(|&&(_, moves)| (moves as usize) < shortest.max(2)).count();
        assert_eq!(short, 60, "shortest {shortest}");
        assert!(naive.log.len() > 90, "chains of several games: {}", naive.log.len());
    }
    let huge = compare(&game, restart(100_000), FIXED, structure, 10, 0.0);
    assert_eq!(huge.log.len(), 10, "no game is long enough");
}

#[test]
fn games_start_where_a_search_has_come_to() {
    let game = two_by_three();
    let mut structure = structure(&game, ValueKind::Afterstates, true);
    structure.stages = Stages::new(vec![vec![4]]);
    for starts in [0, 3, 8] {
        let target = Target::Backward { lambda: 0.5 };
        let method = Method { start: Start::Searched { ply: 2, starts }, target, ..Method::default() };
        let naive = compare(&game, method, FIXED, structure.clone(), 40, 0.0);
        assert_eq!(naive.log.len(), 40 * (1 + starts as usize));
        assert!(
            starts == 0 || naive.log.iter().any(|&(_, moves)| moves == 0),
            "the last state of a path ends at once"
        );
    }
}

/// On a 1×2 board with 2s only there is one game: 2 2 merge to 4, chance adds a 2, and it is over.
#[test]
fn a_game_of_one_move_is_not_restarted() {
    let game = Twenty48::<16> {
        spawn: afterstate::game::twenty48::SpawnTable::new(vec![(1, 1)]).unwrap(),
        ..Twenty48::new(shape(1, 2))
    };
    let structure = Structure::tuples(game.shape, "01", 4).unwrap();
    let (_, played) = train(&game, &restart(0), FIXED, &structure, 5, 0.0);
    for one in played {
        assert_eq!(one, Played { score: 4, largest: 2, moves: 1, ..Played::default() });
    }
}

#[test]
fn boards_are_taken_in_turn_with_their_stage_and_score() {
    let game = two_by_three();
    // Dead but for one merge of the last row, each with a score of its own.
    let begun = |i: u64| StartPoint {
        state: State(Board::from_cells(&[4, 3, 4, 5, 1, 1])),
        stage: (i % 2) as u8,
        score: 1000 * i,
    };
    let boards: Vec<_> = (0..3).map(begun).collect();
    let mut structure = structure(&game, ValueKind::Afterstates, true);
    structure.stages = Stages::new(vec![vec![9]]);
    let method = Method { start: Start::Boards(boards.clone()), ..Method::default() };
    let (_, played) = train(&game, &method, FIXED, &structure, 8, 0.0);
    let order: Vec<u64> = played.iter().map(|one| one.score / 1000).collect();
    assert_eq!(order, [0, 1, 2, 0, 1, 2, 0, 1]);
    compare(&game, method.clone(), FIXED, structure.clone(), 8, 0.0);

    // Cut into rounds and resumed, the turn goes on where it was.
    let learner = learner(&structure, FIXED, 0.0);
    let mut trainer = Trainer::new(game.clone(), method.clone(), 1, SEED);
    trainer.round(&learner, 4, &Log::default());
    assert_eq!(trainer.progress().next_board, 4);
    let log = Log::default();
    Trainer::resume(game, method, &trainer.progress()).unwrap().round(&learner, 3, &log);
    let order: Vec<u64> = log.games().iter().map(|one| one.score / 1000).collect();
    assert_eq!(order, [1, 2, 0]);
}
