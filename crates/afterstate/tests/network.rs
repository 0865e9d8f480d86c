//! The network against its definition, and what an update may touch.

#[path = "reference/network.rs"]
mod naive_network;

use afterstate::game::Game;
use afterstate::game::twenty48::{Afterstate, Twenty48};
use afterstate::grid::{Board, Shape, View};
use afterstate::learn::Learner;
use afterstate::learn::step_size::{StepRule, StepSize};
use afterstate::network::feature::Feature;
use afterstate::network::memory::Memory;
use afterstate::network::pattern::parse_patterns;
use afterstate::network::stage::Stages;
use afterstate::network::{Active, Network, Sets, Structure};
use afterstate::random::Random;
use afterstate::value::{Staged, Value};
use naive_network::{Key, NaiveNetwork};
use proptest::prelude::*;
use std::collections::HashMap;

const ALL_FEATURES: [Feature; 9] = [
    Feature::LargeTiles { from: 11 },
    Feature::EmptyCells,
    Feature::DistinctTiles,
    Feature::MergeablePairs { threes: false },
    Feature::MergeablePairs { threes: true },
    Feature::DoublePairs { threes: false },
    Feature::DoublePairs { threes: true },
    Feature::Hint,
    Feature::Bag,
];

/// Boards that fit in one vector, square and not, and boards that do not.
const CASES: [(usize, usize, &str); 12] = [
    (4, 4, "01234 45678 01245 45689"),
    (4, 4, "lines4+squares"),
    (4, 4, "0 5 05 05af 3210"),
    (1, 2, "01 1"),
    (1, 4, "0123 12"),
    (2, 2, "0123 0"),
    (2, 3, "012 0134 4"),
    (4, 3, "012 0134 7ab"),
    (2, 8, "089 0123"),
    (3, 3, "lines3+squares"),
    (5, 5, "lines4 squares 0co 7"),
    (6, 6, "lines4 z01"),
];

fn structure(case: usize, alphabet: u8, shared: bool, features: bool) -> Structure {
    let (rows, cols, patterns) = CASES[case];
    let shape = Shape::new(rows, cols).unwrap();
    Structure {
        shape,
        patterns: parse_patterns(patterns, shape, alphabet).unwrap(),
        features: if features { ALL_FEATURES.to_vec() } else { Vec::new() },
        shared,
        stages: Stages::new(vec![vec![3]]),
        sets: Sets::One,
        walls: None,
    }
}

/// A position of any kind, as it is shown to a network.
#[derive(Clone, Debug)]
struct Shown {
    cells: Vec<u8>,
    hint: u8,
    bag: [u8; 3],
}

impl Shown {
    /// Ranks often small, sometimes beyond every alphabet.
    fn random(shape: Shape, random: &mut Random) -> Self {
        let top = [2, 8, 18, 61][random.below(4) as usize];
        let bytes = if shape.cells() <= 16 { 16 } else { 64 };
        let mut cells = vec![0; bytes];
        cells[..shape.cells()].fill_with(|| random.below(top) as u8);
        Self { cells, hint: random.below(20) as u8, bag: [(); 3].map(|()| random.below(6) as u8) }
    }

    fn view(&self) -> View<'_> {
        View { cells: &self.cells, hint: self.hint, bag: self.bag }
    }

    fn turned(&self, map: &[u8]) -> Self {
        let mut image = self.clone();
        for (to, &from) in image.cells.iter_mut().zip(map) {
            *to = self.cells[usize::from(from)];
        }
        image
    }
}

fn activate(network: &Network, shown: &Shown, bank: u8) -> Active {
    let mut active = Active::default();
    network.activate(&shown.view(), bank, &mut active);
    active
}

/// Gives the weights of these keys random values, in both networks.
fn set_random(naive: &mut NaiveNetwork, network: &Network, keys: &[Key], random: &mut Random) {
    let tables: Vec<Vec<u32>> = (0..network.tables()).map(|t| network.table_entries(t).collect()).collect();
    for key in keys {
        let weight = random.unit() as f32 * 100.0 - 50.0;
        naive.set(key, weight);
        network.bank(key.bank).set(tables[key.table][naive.index(key)], weight);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_fast_value_is_the_naive_value(
        case in 0..CASES.len(),
        alphabet in prop_oneof![Just(16u8), 2u8..=20],
        shared: bool,
        features: bool,
        bank in 0..2u8,
        seed: u64,
    ) {
        let structure = structure(case, alphabet, shared, features);
        let network = Network::new(structure.clone());
        let mut naive = NaiveNetwork::new(structure.clone());
        let mut random = Random::new(seed);
        for _ in 0..3 {
            let shown = Shown::random(structure.shape, &mut random);
            let keys = naive.keys(&shown.view(), bank);
            prop_assert_eq!(keys.len(), network.active());
            set_random(&mut naive, &network, &keys, &mut random);
            let fast = network.sum(&activate(&network, &shown, bank));
            prop_assert_eq!(fast, naive.value(&keys));
            let exact: f64 = keys.iter().map(|key| f64::from(naive.weight(key))).sum();
            prop_assert!((f64::from(fast) - exact).abs() < 1e-2, "{} for {}", fast, exact);
            // In the other bank nothing was set.
            prop_assert_eq!(network.sum(&activate(&network, &shown, 1 - bank)), 0.0);
        }
        prop_assert_eq!(naive.difference(&network, 0.0), None);
    }

    #[test]
    fn shared_weights_value_all_images_alike(case in 0..CASES.len(), seed: u64) {
        let structure = structure(case, 9, true, true);
        let network = Network::new(structure.clone());
        let mut naive = NaiveNetwork::new(structure.clone());
        let mut random = Random::new(seed);
        let shown = Shown::random(structure.shape, &mut random);
        let keys = naive.keys(&shown.view(), 0);
        set_random(&mut naive, &network, &keys, &mut random);
        let mut entries = activate(&network, &shown, 0).entries().to_vec();
        let value = network.sum(&activate(&network, &shown, 0));
        entries.sort_unstable();
        for map in structure.shape.symmetries() {
            let image = activate(&network, &shown.turned(&map), 0);
            prop_assert!((network.sum(&image) - value).abs() < 1e-2);
            let mut image = image.entries().to_vec();
            image.sort_unstable();
            prop_assert_eq!(&image, &entries);
        }
    }

    /// Boards with few ranks are often symmetric: the rules are followed weight by weight.
    #[test]
    fn an_update_touches_exactly_the_active_entries(
        case in 0..CASES.len(),
        kind in 0..6usize,
        shared: bool,
        errors in prop::collection::vec(-100.0f32..100.0, 1..4),
        seed: u64,
    ) {
        let kinds = [
            StepRule::Fixed { per_weight: 0.25 },
            StepRule::Coherence { beta: 0.5, kept: 1.0 },
            StepRule::VisitCount { eta: 2.0 },
            StepRule::Credit { beta: 0.5, kept: 1.0 },
            StepRule::Coherence { beta: 0.5, kept: 0.8 },
            StepRule::Credit { beta: 0.5, kept: 0.8 },
        ];
        let kept = match kinds[kind] {
            StepRule::Coherence { kept, .. } | StepRule::Credit { kept, .. } => kept,
            _ => 1.0,
        };
        let structure = structure(case, 5, shared, true);
        let network = Network::new(structure.clone());
        let step_size = StepSize::new(kinds[kind], &network);
        let mut naive = NaiveNetwork::new(structure.clone());
        let mut random = Random::new(seed);
        let shown = Shown::random(structure.shape, &mut random);
        let (keys, point) = (naive.keys(&shown.view(), 1), activate(&network, &shown, 1));
        let m = keys.len() as f32;
        // Every occurrence of a weight counts as an update of its own.
        let mut history: HashMap<Key, Vec<f32>> = HashMap::new();
        for &error in &errors {
            step_size.update(&network, &point, error);
            // The youngest error counts whole, each before it less by the share that is kept.
            let sum = |past: &[f32], of: fn(f32) -> f32| {
                past.iter().fold(0.0, |sum, &error| kept * sum + of(error))
            };
            let coherence = |past: &[f32]| match sum(past, f32::abs) {
                0.0 => 1.0,
                absolute => sum(past, |error| error).abs() / absolute,
            };
            let all: f32 = keys.iter().map(|key| coherence(history.get(key).map_or(&[], |past| past))).sum();
            for key in &keys {
                let past = history.entry(key.clone()).or_default();
                let step = match kinds[kind] {
                    StepRule::Fixed { per_weight } => per_weight * error,
                    StepRule::Coherence { beta, .. } => beta / m * error * coherence(past),
                    StepRule::Credit { .. } if all == 0.0 => 0.0,
                    StepRule::Credit { beta, .. } => beta * error * coherence(past) * coherence(past) / all,
                    StepRule::VisitCount { eta } => {
                        (eta * error.abs()).sqrt().copysign(error) / (past.len() as f32 + 1.0).sqrt()
                    }
                };
                past.push(error);
                let weight = naive.weight(key) + step;
                naive.set(key, weight);
            }
        }
        prop_assert_eq!(naive.difference(&network, 1e-4), None);
    }

    #[test]
    fn many_values_at_once_are_the_values_one_by_one(count in 0..20usize, seed: u64) {
        let mut structure = structure(0, 16, true, true);
        structure.patterns.truncate(2);
        let game = Twenty48::<16>::new(structure.shape);
        let network = Network::new(structure);
        let mut random = Random::new(seed);
        let at: Vec<_> = (0..count)
            .map(|_| {
                let board = Board::from_cells(&Shown::random(game.shape, &mut random).cells);
                Staged { afterstate: Afterstate(board), stage: random.below(2) as u8 }
            })
            .collect();
        let mut active = Active::default();
        for one in &at {
            network.activate(&game.view(&one.afterstate), one.stage, &mut active);
            network.add(&active, random.unit() as f32);
        }
        let mut values = vec![7.0; 3];
        network.values(&game, &at, &mut values);
        let singly: Vec<f32> = at.iter().map(|one| network.value(&game, one)).collect();
        prop_assert_eq!(values, singly);
    }
}

/// A board of equal tiles: its mirror images are itself, so a shared table is hit four times in one
/// place.
#[test]
fn a_symmetric_board_moves_its_weight_once_for_every_image() {
    let shape = Shape::new(2, 3).unwrap();
    let moved = |kind| {
        let network = Network::new(Structure::tuples(shape, "012345", 4).unwrap());
        let step_size = StepSize::new(kind, &network);
        let learner = Learner { network, step_size };
        let shown = Shown { cells: vec![1; 16], hint: 0, bag: [0; 3] };
        let point = activate(&learner.network, &shown, 0);
        assert_eq!(point.entries(), [point.entries()[0]; 4]);
        let error = learner.learn(&point, 8.0);
        assert_eq!(error, 8.0);
        let sums = learner.step_size.sums().first().map(|sums| sums.get_pair(point.entries()[0]));
        let visits = learner.step_size.visits().first().map(|visits| visits.get(point.entries()[0]));
        (learner.network.bank(0).get(point.entries()[0]), sums, visits)
    };
    // Four steps of α δ; the value is four times the weight, so it moves by 16 α δ.
    assert_eq!(moved(StepRule::Fixed { per_weight: 0.125 }), (4.0, None, None));
    // Coherence is 1 at each: one error four times over does not contradict itself.
    assert_eq!(moved(StepRule::Coherence { beta: 1.0, kept: 1.0 }), (8.0, Some([32.0, 32.0]), None));
    // Equally settled weights share an error equally.
    assert_eq!(moved(StepRule::Credit { beta: 1.0, kept: 1.0 }), (8.0, Some([32.0, 32.0]), None));
    // √8 (1 + 1/√2 + 1/√3 + 1/√4)
    let (weight, _, visits) = moved(StepRule::VisitCount { eta: 1.0 });
    let expected = 8f32.sqrt() * (1.0 + 0.5f32.sqrt() + (1.0 / 3.0f32).sqrt() + 0.5);
    assert!((weight - expected).abs() < 1e-5);
    assert_eq!(visits, Some(4.0));
}

#[test]
fn an_optimistic_start_gives_every_position_the_same_value() {
    for (case, shared) in [(0, true), (2, true), (6, false), (10, true)] {
        let structure = structure(case, 16, shared, true);
        let network = Network::new(structure.clone());
        network.fill(320.0);
        let mut random = Random::new(1);
        for bank in [0, 1] {
            let shown = Shown::random(structure.shape, &mut random);
            let value = network.sum(&activate(&network, &shown, bank));
            assert!((value - 320.0).abs() < 1e-2, "{value}");
        }
        let mut naive = NaiveNetwork::new(structure);
        naive.initial = 320.0 / network.active() as f32;
        assert_eq!(naive.difference(&network, 0.0), None);
    }
}

#[test]
fn stages_advance_through_the_value_contract() {
    let network = Network::new(structure(6, 5, true, false));
    let game = Twenty48::<16>::new(Shape::new(2, 3).unwrap());
    let after = |cells: &[u8]| Afterstate(Board::from_cells(cells));
    assert_eq!(network.advance(&game, 0, &after(&[1, 2])), 0);
    assert_eq!(network.advance(&game, 0, &after(&[1, 3])), 1);
    assert_eq!(network.advance(&game, 1, &after(&[1, 2])), 1);
}

#[test]
fn every_index_of_a_feature_is_inside_its_table() {
    let full = [60u8; 64];
    let empty = [0u8; 64];
    for shape in [Shape::new(1, 2).unwrap(), Shape::FOUR, Shape::new(8, 8).unwrap()] {
        for feature in ALL_FEATURES {
            for cells in [&full, &empty] {
                for hint in [0, 4, 255] {
                    let view = View { cells, hint, bag: [255; 3] };
                    assert!(feature.index(shape, &view) < feature.table_len(shape), "{feature} {shape}");
                }
            }
        }
    }
}

#[test]
fn names_of_features_round_trip() {
    for feature in ALL_FEATURES {
        assert_eq!(Feature::parse(&feature.to_string()), Some(feature));
    }
    assert_eq!(Feature::parse("large"), None);
    assert_eq!(Feature::parse("large-99"), None);
}

/// Every bank, and what learning keeps beside it, begins as that of the stage it comes from.
#[test]
fn a_network_begins_as_one_with_fewer_stages_and_sets() {
    let plain = Structure { stages: Stages::new(vec![vec![6]]), ..structure(0, 9, true, false) };
    let (old, mut random) = (Network::new(plain.clone()), Random::new(3));
    let coherence = StepRule::Coherence { beta: 1.0, kept: 1.0 };
    let old_steps = StepSize::new(coherence, &old);
    let shown = Shown::random(plain.shape, &mut random);
    for (bank, error) in [(0, 3.0), (1, -5.0)] {
        old_steps.update(&old, &activate(&old, &shown, bank), error);
    }
    let stages = Stages::new(vec![vec![5], vec![6], vec![6, 5]]);
    let more = Structure { stages, sets: Sets::Hints, ..plain.clone() };
    let origins = more.origins(&plain).unwrap();
    let copy = |steps: &StepSize, bank: usize| {
        let copy = Memory::new(old.bank_len());
        (0..old.bank_len() as u32).for_each(|entry| copy.set_pair(entry, steps.sums()[bank].get_pair(entry)));
        copy
    };
    let sums = Memory::redistribute(vec![copy(&old_steps, 0), copy(&old_steps, 1)], &origins).unwrap();
    let said = [0, 1].map(|bank| old.sum(&activate(&old, &shown, bank)));
    let new = old.regrouped(more.clone(), &origins).unwrap();
    let new_steps = StepSize::with_sums(coherence, &new, sums, Vec::new()).unwrap();
    for bank in 0..16 {
        let origin = if bank < 8 { 0 } else { 1 };
        assert_eq!(new.sum(&activate(&new, &shown, bank)), said[usize::from(origin)], "{bank}");
        let entry = activate(&new, &shown, bank).entries()[0];
        let sums = |steps: &StepSize, bank: u8| steps.sums()[usize::from(bank)].get_pair(entry);
        assert_eq!(sums(&new_steps, bank), sums(&old_steps, origin), "{bank}");
        assert_ne!(sums(&new_steps, bank), [0.0; 2]);
    }
    assert_eq!(plain.origins(&more), None, "stages and sets cannot be thrown away");
}
