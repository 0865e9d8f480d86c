//! Training runs as a whole: equal rules, repeatable runs, several threads.

use afterstate::game::twenty48::{State, Twenty48};
use afterstate::grid::Shape;
use afterstate::learn::Learner;
use afterstate::learn::greedy::ValueKind;
use afterstate::learn::start::Start;
use afterstate::learn::step_size::{StepRule, StepSize, per_weight};
use afterstate::learn::target::{Target, lambda_weights};
use afterstate::network::{Network, Structure};
use afterstate::train::{Method, Played, Progress, TrainObserver, Trainer};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

type Small = Twenty48<16>;

const COHERENCE: StepRule = StepRule::Coherence { beta: 1.0, kept: 1.0 };
const FIXED: StepRule = StepRule::Fixed { per_weight: 0.01 };

fn game() -> Small {
    Twenty48::new(Shape::new(2, 3).unwrap())
}

fn fresh(value_kind: ValueKind, step: StepRule) -> Learner {
    let mut structure = Structure::tuples(game().shape, "013 0124", 7).unwrap();
    structure.sets = value_kind.sets();
    let network = Network::new(structure);
    let step_size = StepSize::new(step, &network);
    Learner { network, step_size }
}

/// Counts, and stops once it was told `limit` games.
struct Counter {
    games: AtomicU64,
    moves: AtomicU64,
    points: AtomicU64,
    limit: u64,
}

impl Counter {
    fn new(limit: u64) -> Self {
        let zero = || AtomicU64::new(0);
        Self { games: zero(), moves: zero(), points: zero(), limit }
    }

    fn average(&self) -> f64 {
        self.points.load(Relaxed) as f64 / self.games.load(Relaxed) as f64
    }
}

impl TrainObserver for Counter {
    fn game(&self, played: &Played) {
        self.games.fetch_add(1, Relaxed);
        self.moves.fetch_add(played.moves + played.extra_moves, Relaxed);
        self.points.fetch_add(played.score, Relaxed);
    }

    fn stop(&self) -> bool {
        self.games.load(Relaxed) >= self.limit
    }
}

/// Everything a run leaves behind, bit by bit.
fn bits(learner: &Learner) -> Vec<u64> {
    let banks = 0..learner.network.structure().banks() as u8;
    let weights =
        banks.flat_map(|bank| learner.network.bank(bank).entries()).map(|e| u64::from(e.load(Relaxed)));
    let sums = learner.step_size.sums().iter().flat_map(|sums| sums.entries()).map(|e| e.load(Relaxed));
    let visits = learner.step_size.visits().iter().flat_map(|v| v.entries()).map(|e| e.load(Relaxed).into());
    weights.chain(sums).chain(visits).collect()
}

fn run(method: &Method<State<16>>, step: StepRule, seed: u64, games: u64) -> (Vec<u64>, Progress) {
    let learner = fresh(method.value_kind, step);
    let mut trainer = Trainer::new(game(), method.clone(), 1, seed);
    trainer.round(&learner, games, &Counter::new(u64::MAX));
    (bits(&learner), trainer.progress())
}

fn with_target(target: Target) -> Method<State<16>> {
    Method { target, ..Method::default() }
}

#[test]
fn rules_that_must_coincide_do() {
    let weights = |target| run(&with_target(target), COHERENCE, 3, 300).0;
    let td0 = weights(Target::td0());
    assert_eq!(weights(Target::n_step(1)), td0);
    assert_eq!(weights(Target::Delayed { lambda: 0.0, horizon: 1 }), td0);
    assert_eq!(weights(Target::Delayed { lambda: 0.5, horizon: 1 }), td0);
    assert_eq!(weights(Target::Returns { weights: lambda_weights(0.0, 1), after_game: false }), td0);
    let one_step_later = weights(Target::Returns { weights: lambda_weights(0.0, 4), after_game: false });
    assert_ne!(one_step_later, td0, "λ = 0 over four steps learns the same targets three steps later");
    let n_step = weights(Target::n_step(3));
    assert_eq!(weights(Target::Returns { weights: lambda_weights(1.0, 3), after_game: false }), n_step);
}

/// One table of all cells and α = 1: every afterstate of a game has a weight of its own (none comes
/// twice, the sum of the tiles grows), and learning replaces its value by the target.
#[test]
fn backward_with_lambda_zero_is_td0_in_reverse_order() {
    let all_cells = |target: Target| {
        let structure = Structure { shared: false, ..Structure::tuples(game().shape, "012345", 7).unwrap() };
        let network = Network::new(structure);
        let step_size = StepSize::new(StepRule::Fixed { per_weight: 1.0 }, &network);
        let learner = Learner { network, step_size };
        let mut trainer = Trainer::new(game(), with_target(target), 1, 9);
        trainer.round(&learner, 1, &Counter::new(u64::MAX));
        bits(&learner)
    };
    // With λ = 1 the target is the rest of the game, whatever the values are.
    let to_the_end = all_cells(Target::n_step(10_000));
    assert_eq!(all_cells(Target::Backward { lambda: 1.0 }), to_the_end);
    // With λ = 0 it is the reward and the new value of the successor: the rest of the game again.
    assert_eq!(all_cells(Target::Backward { lambda: 0.0 }), to_the_end);
    // TD(0) in the order of play sees successors still at zero: one reward each.
    assert_ne!(all_cells(Target::td0()), to_the_end);
    let after_game = Target::Returns { weights: vec![1.0], after_game: true };
    assert_eq!(all_cells(Target::td0()), all_cells(after_game));
}

#[test]
fn one_thread_repeats_bit_for_bit_however_it_is_cut() {
    let starts = [Start::Fresh, Start::Restart { shortest: 8 }];
    let targets = [
        Target::td0(),
        Target::n_step(4),
        Target::Backward { lambda: 0.5 },
        Target::Delayed { lambda: 0.5, horizon: 4 },
    ];
    let steps = [FIXED, COHERENCE, StepRule::VisitCount { eta: 1.0 }];
    for value_kind in [ValueKind::Afterstates, ValueKind::Actions] {
        for start in &starts {
            for (target, step) in targets.iter().zip(steps.iter().cycle()) {
                let method =
                    Method { value_kind, start: start.clone(), target: target.clone(), ..Method::default() };
                let whole = run(&method, *step, 5, 60);
                assert_eq!(run(&method, *step, 5, 60), whole);
                assert_ne!(run(&method, *step, 6, 60).0, whole.0);

                let learner = fresh(value_kind, *step);
                let mut trainer = Trainer::new(game(), method.clone(), 1, 5);
                for games in [1, 20, 0, 39] {
                    trainer.round(&learner, games, &Counter::new(u64::MAX));
                    trainer = Trainer::resume(game(), method.clone(), &trainer.progress()).unwrap();
                }
                assert_eq!((bits(&learner), trainer.progress()), whole);
            }
        }
    }
}

#[test]
fn a_generator_that_cannot_be_is_refused() {
    let progress = Progress { randoms: vec![[0; 4]], ..Progress::default() };
    assert!(Trainer::resume(game(), Method::default(), &progress).is_none());
}

#[test]
fn an_observer_stops_the_round_and_the_counts_say_so() {
    let learner = fresh(ValueKind::Afterstates, COHERENCE);
    let mut trainer = Trainer::new(game(), Method::default(), 1, 1);
    let counter = Counter::new(7);
    trainer.round(&learner, 100, &counter);
    assert_eq!(trainer.progress().games, 7);
    assert_eq!(trainer.progress().moves, counter.moves.load(Relaxed));
}

#[test]
fn two_threads_share_the_games_and_learn() {
    let learner = fresh(ValueKind::Afterstates, COHERENCE);
    let method = Method { start: Start::Restart { shortest: 10 }, ..Method::default() };
    let mut trainer = Trainer::new(game(), method, 2, 1);
    let first = Counter::new(u64::MAX);
    trainer.round(&learner, 201, &first);
    let middle = Counter::new(u64::MAX);
    trainer.round(&learner, 5_000, &middle);
    let last = Counter::new(u64::MAX);
    trainer.round(&learner, 2_000, &last);
    let progress = trainer.progress();
    assert_eq!(progress.games, 7_201);
    let moves: u64 = [&first, &middle, &last].map(|counter| counter.moves.load(Relaxed)).iter().sum();
    assert_eq!(progress.moves, moves);
    assert_eq!(last.games.load(Relaxed), 2_000);
    assert_eq!(progress.randoms.len(), 2);
    assert_ne!(progress.randoms[0], progress.randoms[1]);
    assert!(last.average() > 1.2 * first.average(), "{} after {}", last.average(), first.average());
}

/// Threads with replicas learn as much from as many games as threads that share all weights.
#[test]
fn threads_with_replicas_learn_like_threads_without() {
    let average = |rule: StepRule, replicated: bool| {
        let network = Network::new(Structure::tuples(Shape::FOUR, "4x5", 16).unwrap());
        let step_size = StepSize::new(rule, &network);
        let mut learner = Learner { network, step_size };
        if replicated {
            learner.replicate(2);
        }
        let mut trainer = Trainer::new(Twenty48::<16>::new(Shape::FOUR), Method::default(), 2, 1);
        trainer.round(&learner, 4_000, &Counter::new(u64::MAX));
        // The weights that everybody sees are those that were learned: one thread plays on with them.
        let played = Counter::new(u64::MAX);
        let frozen = Method { target: Target::Nothing, ..Method::default() };
        Trainer::new(Twenty48::<16>::new(Shape::FOUR), frozen, 1, 2).round(&learner, 300, &played);
        assert_eq!(trainer.progress().games, 4_000);
        played.average()
    };
    for rule in [StepRule::Fixed { per_weight: 0.0025 }, COHERENCE] {
        let (with, without) = (average(rule, true), average(rule, false));
        assert!(with > 0.8 * without && with > 5_000.0, "{rule:?}: {with} with replicas, {without} without");
    }
}

#[test]
fn a_lower_factor_makes_smaller_steps() {
    let moved = |kind, factor| {
        let learner = fresh(ValueKind::Afterstates, kind);
        learner.step_size.set_factor(factor);
        assert_eq!(learner.step_size.factor(), factor);
        Trainer::new(game(), Method::default(), 1, 1).round(&learner, 1, &Counter::new(u64::MAX));
        let network = &learner.network;
        network.bank(0).entries().iter().map(|e| f32::from_bits(e.load(Relaxed)).abs()).sum::<f32>()
    };
    for kind in [FIXED, COHERENCE, StepRule::VisitCount { eta: 1.0 }] {
        assert!(moved(kind, 0.01) < 0.1 * moved(kind, 1.0), "{kind:?}");
        assert_eq!(moved(kind, 0.0), 0.0);
    }
    assert_eq!(per_weight(0.1, 32), 0.003_125);
}
