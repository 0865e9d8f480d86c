//! Learners on boards small enough to be solved: the greedy player must be nearly perfect.
//!
//! What a trained player is worth is not sampled but computed: the sum of the tiles grows
//! with every move, so its expected score follows by going through the positions once.

use afterstate::game::Game;
use afterstate::game::twenty48::Twenty48;
use afterstate::grid::Shape;
use afterstate::learn::Learner;
use afterstate::learn::greedy::{Chooser, Staging, ValueKind};
use afterstate::learn::start::{Start, StartPoint};
use afterstate::learn::step_size::{StepRule, StepSize};
use afterstate::learn::target::{Target, lambda_weights};
use afterstate::network::{Network, Structure};
use afterstate::random::Random;
use afterstate::train::{Method, Trainer};
use std::collections::HashMap;

type Small = Twenty48<16>;
type Position = <Small as Game>::State;

/// Move in a position: the slide, or none when the game is over.
type Policy<'a> = dyn FnMut(&Position) -> Option<(<Small as Game>::Afterstate, u64)> + 'a;

/// The expected score from a state on.
fn worth(game: &Small, state: &Position, policy: &mut Policy<'_>, known: &mut HashMap<Position, f64>) -> f64 {
    if let Some(&value) = known.get(state) {
        return value;
    }
    let value = match policy(state) {
        None => 0.0,
        Some((after, reward)) => {
            reward as f64 + expected(game, &after, |next| worth(game, next, policy, known))
        }
    };
    known.insert(*state, value);
    value
}

fn expected(
    game: &Small,
    after: &<Small as Game>::Afterstate,
    mut value: impl FnMut(&Position) -> f64,
) -> f64 {
    let mut sum = 0.0;
    game.outcomes(after, |outcome| {
        sum += outcome.ways as f64 * (outcome.reward as f64 + value(&outcome.state));
    });
    sum / game.ways(after) as f64
}

fn average_over_starts(game: &Small, mut value: impl FnMut(&Position) -> f64) -> f64 {
    let (mut sum, mut all) = (0.0, 0.0);
    game.starts(&mut |state, ways| {
        sum += ways as f64 * value(&state);
        all += ways as f64;
    });
    sum / all
}

/// The score of perfect play.
fn best(game: &Small, state: &Position, known: &mut HashMap<Position, f64>) -> f64 {
    if let Some(&value) = known.get(state) {
        return value;
    }
    let mut value: f64 = 0.0;
    for slide in game.slides(state).into_iter().flatten() {
        value = value
            .max(slide.reward as f64 + expected(game, &slide.afterstate, |next| best(game, next, known)));
    }
    known.insert(*state, value);
    value
}

fn board(rows: usize, cols: usize) -> Small {
    Twenty48::new(Shape::new(rows, cols).unwrap())
}

const TWO_BY_TWO: f64 = 66.964149457;
const TWO_BY_THREE: f64 = 480.258271776;

#[test]
fn the_optimum_is_the_known_one() {
    for (game, optimum) in [(board(2, 2), TWO_BY_TWO), (board(2, 3), TWO_BY_THREE)] {
        let mut known = HashMap::new();
        let found = average_over_starts(&game, |state| best(&game, state, &mut known));
        assert!((found - optimum).abs() < 1e-8, "{}: {found}", game.id());
    }
}

/// Training of a network: one phase after the other, each with a step size whose sums are new.
struct Settings {
    value_kind: ValueKind,
    target: Target,
    optimistic: f32,
    phases: Vec<(Start<Position>, StepRule, u64)>,
}

/// Trains a network of one tuple of all cells, and returns the exact value of its greedy play.
fn trained(game: &Small, settings: &Settings, seed: u64) -> f64 {
    let cells: String = (0..game.shape.cells()).map(|cell| cell.to_string()).collect();
    // The largest possible rank is one more than the number of cells.
    let alphabet = game.shape.cells() as u8 + 2;
    let mut structure = Structure::tuples(game.shape, &cells, alphabet).unwrap();
    // The mirror image of a position asks for another action.
    structure.shared = settings.value_kind != ValueKind::Actions;
    structure.sets = settings.value_kind.sets();
    let mut network = Network::new(structure);
    network.fill(settings.optimistic);
    for (phase, (start, step, games)) in settings.phases.iter().enumerate() {
        let step_size = StepSize::new(*step, &network);
        let learner = Learner { network, step_size };
        let (value_kind, target, start) = (settings.value_kind, settings.target.clone(), start.clone());
        let method = Method { value_kind, target, start, ..Method::default() };
        Trainer::new(game.clone(), method, 1, seed + phase as u64).round(&learner, *games, &());
        network = learner.network;
    }

    let mut chooser = Chooser::new(settings.value_kind, Staging::Follow);
    let mut policy = |state: &Position| {
        let choice = chooser.choose(game, &network, state, 0)?;
        Some((choice.slide.afterstate, choice.slide.reward))
    };
    let mut known = HashMap::new();
    average_over_starts(game, |state| worth(game, state, &mut policy, &mut known))
}

/// Every position that perfect or imperfect play can meet, in a shuffled order.
fn everywhere(game: &Small) -> Start<Position> {
    let mut known = HashMap::new();
    let _ = average_over_starts(game, |state| best(game, state, &mut known));
    let mut states: Vec<Position> = known.into_keys().filter(|state| !game.is_over(state)).collect();
    states.sort_unstable();
    let mut random = Random::new(1);
    for i in (1..states.len()).rev() {
        states.swap(i, random.below(i as u64 + 1) as usize);
    }
    Start::Boards(states.into_iter().map(|state| StartPoint { state, stage: 0, score: 0 }).collect())
}

const AFTERSTATES: ValueKind = ValueKind::Afterstates;
const COHERENCE: StepRule = StepRule::Coherence { beta: 1.0, kept: 1.0 };

/// The share of perfect play that each of these seeds reaches.
fn shares(game: &Small, optimum: f64, seeds: &[u64], settings: &Settings) -> Vec<f64> {
    seeds.iter().map(|&seed| trained(game, settings, seed) / optimum).collect()
}

fn fixed(per_weight: f32) -> StepRule {
    StepRule::Fixed { per_weight }
}

/// Settings with one phase of games from the start.
fn simple(value_kind: ValueKind, target: Target, step: StepRule, optimistic: f32, games: u64) -> Settings {
    Settings { value_kind, target, optimistic, phases: vec![(Start::Fresh, step, games)] }
}

#[test]
fn on_2x2_every_target_comes_within_one_percent() {
    let game = board(2, 2);
    let targets = [
        Target::td0(),
        Target::n_step(3),
        Target::Returns { weights: lambda_weights(0.5, 5), after_game: true },
        Target::Backward { lambda: 0.5 },
        Target::Delayed { lambda: 0.5, horizon: 4 },
    ];
    for target in targets {
        for value_kind in [AFTERSTATES, ValueKind::States] {
            let settings = simple(value_kind, target.clone(), COHERENCE, 0.0, 10_000);
            let shares = shares(&game, TWO_BY_TWO, &[1, 2, 3], &settings);
            assert!(shares.iter().all(|share| *share > 0.99), "{value_kind:?} {target:?}: {shares:?}");
        }
    }
    let settings = simple(ValueKind::Actions, Target::td0(), fixed(0.1), 100.0, 100_000);
    let actions = shares(&game, TWO_BY_TWO, &[1, 2, 3], &settings);
    assert!(actions.iter().all(|share| *share > 0.99), "actions: {actions:?}");
}

/// With whole expectations some thousand games do what takes hundreds of thousands by samples, if
/// they explore and begin with optimism.
#[test]
fn on_2x3_whole_expectations_need_few_games() {
    let game = board(2, 3);
    let restart = Start::Restart { shortest: 8 };
    let phases = vec![(restart, COHERENCE, 20_000)];
    let target = Target::Expected { explore: 0.3 };
    let settings = Settings { value_kind: AFTERSTATES, target, optimistic: 300.0, phases };
    let shares = shares(&game, TWO_BY_THREE, &[1, 2, 3], &settings);
    assert!(shares.iter().all(|share| *share > 0.99), "{shares:?}");
}

/// Optimism tries everything, from everywhere; small fixed steps then average what is left of the
/// noise.
#[test]
fn on_2x3_afterstates_come_within_one_percent() {
    let game = board(2, 3);
    let all = everywhere(&game);
    let phases = vec![
        (all.clone(), StepRule::Coherence { beta: 0.25, kept: 1.0 }, 300_000),
        (all, fixed(0.02), 100_000),
        (Start::Fresh, fixed(0.01), 30_000),
    ];
    let settings = Settings { value_kind: AFTERSTATES, target: Target::td0(), optimistic: 600.0, phases };
    let share = trained(&game, &settings, 1) / TWO_BY_THREE;
    assert!(share > 0.99, "{share}");
}

/// Started from every state no state stays unknown, and optimism would only make death attractive.
#[test]
fn on_2x3_states_come_within_one_percent() {
    let game = board(2, 3);
    let all = everywhere(&game);
    let phases = vec![
        (all.clone(), COHERENCE, 150_000),
        (all, StepRule::Coherence { beta: 0.5, kept: 1.0 }, 100_000),
        (Start::Fresh, fixed(0.01), 20_000),
    ];
    let settings = Settings { value_kind: ValueKind::States, target: Target::td0(), optimistic: 0.0, phases };
    let share = trained(&game, &settings, 1) / TWO_BY_THREE;
    assert!(share > 0.99, "{share}");
}

/// The trap that the page on optimistic starts warns of.
#[test]
fn optimism_has_its_traps() {
    let game = board(2, 2);
    let shares = |settings: Settings| shares(&game, TWO_BY_TWO, &[1, 2, 3, 4, 5], &settings);
    // A dead state is never learned, so its value stays what it was.
    let states = shares(simple(ValueKind::States, Target::td0(), COHERENCE, 100.0, 5_000));
    assert!(states.iter().all(|share| *share < 0.5), "{states:?}");
    let backward = Target::Backward { lambda: 0.5 };
    let coherent = shares(simple(AFTERSTATES, backward.clone(), COHERENCE, 100.0, 5_000));
    assert!(coherent.iter().all(|share| *share < 2.0 / 3.0), "{coherent:?}");
    let steady = shares(simple(AFTERSTATES, backward, fixed(0.025), 100.0, 5_000));
    assert!(steady.iter().all(|share| *share > 0.99), "{steady:?}");
}
