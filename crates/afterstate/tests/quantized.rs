//! A quantised network says what the network said, but for rounding, by every way there is.

use afterstate::game::Game;
use afterstate::game::threes::{Rules, Threes};
use afterstate::game::twenty48::Twenty48;
use afterstate::grid::{Shape, View};
use afterstate::network::feature::Feature;
use afterstate::network::stage::Stages;
use afterstate::network::{Active, Network, QuantizedNetwork, Sets, Structure};
use afterstate::player::{Player, SearchPlayer};
use afterstate::random::Random;
use afterstate::search::Limits;
use afterstate::value::{Staged, Value};

fn structure(patterns: &str, alphabet: u8, sets: Sets, features: &[Feature]) -> Structure {
    let tuples = Structure::tuples(Shape::FOUR, patterns, alphabet).unwrap();
    Structure { stages: Stages::new(vec![vec![9]]), sets, features: features.to_vec(), ..tuples }
}

/// A network whose tables have weights of different sizes, a third of them zero.
fn network(structure: Structure, random: &mut Random) -> Network {
    let network = Network::new(structure);
    for bank in 0..network.structure().banks() as u8 {
        for table in 0..network.tables() {
            let size = [0.0, 3.0, 700.0, 250_000.0][(table + usize::from(bank)) % 4];
            for entry in network.table_entries(table).filter(|entry| entry % 3 > 0) {
                network.bank(bank).set(entry, size * (random.unit() as f32 - 0.4));
            }
        }
    }
    network
}

/// A second network with the same weights.
fn copy(network: &Network) -> Network {
    let copy = Network::new(network.structure().clone());
    for bank in 0..network.structure().banks() as u8 {
        let entries = (0..network.tables()).flat_map(|table| network.table_entries(table));
        entries.for_each(|entry| copy.bank(bank).set(entry, network.bank(bank).get(entry)));
    }
    copy
}

const CASES: [(&str, u8, Sets, &[Feature]); 8] = [
    ("4x5", 13, Sets::One, &[]),
    ("0124 0125 01245", 12, Sets::One, &[]), // an odd number of octets
    ("0124 0126 01245 45689", 16, Sets::Hints, &[]),
    ("0124 0126 01245", 14, Sets::Hints, &[]),
    ("0123 0145", 16, Sets::One, &[]),
    ("0123 0145", 16, Sets::Hints, &[]),
    ("0124 0126", 16, Sets::One, &[Feature::EmptyCells, Feature::LargeTiles { from: 11 }]),
    ("012 01", 20, Sets::Hints, &[Feature::Bag]),
];

#[test]
fn values_differ_by_rounding_only() {
    let mut random = Random::new(3);
    for (patterns, alphabet, sets, features) in CASES {
        let network = network(structure(patterns, alphabet, sets, features), &mut random);
        let quantized = QuantizedNetwork::new(copy(&network)).unwrap();
        let (mut active, mut other) = (Active::default(), Active::default());
        let mut off = 0.0f32;
        for round in 0..2000u32 {
            let cells: [u8; 16] = std::array::from_fn(|_| random.below(18) as u8);
            let view = View { cells: &cells, hint: 1 + random.below(4) as u8, bag: [1, 2, 3] };
            let stage = (round % 2) as u8;
            network.activate(&view, network.bank_of(&view, stage), &mut active);
            quantized.activate(&view, quantized.bank_of(&view, stage), &mut other);
            let (whole, rounded) = (network.sum(&active), quantized.sum(&other));
            // The floats of the whole network are rounded too, to 24 bits of their largest sum.
            let bound = quantized.error_bound(stage) + 250_000.0 * network.active() as f32 / (1 << 22) as f32;
            assert!((whole - rounded).abs() <= bound, "{patterns}: {whole} became {rounded}, bound {bound}");
            off = off.max((whole - rounded).abs() / whole.abs().max(1.0));
        }
        assert!(off > 0.0, "{patterns}: weights are rounded at all");
    }
}

#[test]
fn many_boards_at_once_are_judged_as_one_by_one() {
    let mut random = Random::new(4);
    for (patterns, alphabet, sets, features) in CASES {
        let quantized =
            QuantizedNetwork::new(network(structure(patterns, alphabet, sets, features), &mut random))
                .unwrap();
        // Some boards several times in a row, in other banks.
        let mut boards: Vec<([u8; 16], u8)> = Vec::new();
        for _ in 0..1000 {
            let cells = std::array::from_fn(|_| random.below(18) as u8);
            let banks = quantized.structure().banks() as u64;
            (0..=random.below(3)).for_each(|_| boards.push((cells, random.below(banks) as u8)));
        }
        let mut values = vec![-1.0];
        if !quantized.sums(boards.iter().map(|(cells, bank)| (cells, *bank)), &mut values) {
            assert_eq!(values, [-1.0]);
            continue;
        }
        let mut active = Active::default();
        for ((cells, bank), value) in boards.iter().zip(&values[1..]) {
            quantized.activate(&View { cells, hint: 0, bag: [0; 3] }, *bank, &mut active);
            assert_eq!(quantized.sum(&active).to_bits(), value.to_bits(), "{patterns}");
        }
        assert_eq!(values.len(), 1 + boards.len());
    }
}

#[test]
fn the_fast_way_is_taken_where_the_processor_has_it() {
    #[cfg(target_arch = "x86_64")]
    for (number, (patterns, alphabet, sets, features)) in CASES.into_iter().enumerate() {
        let quantized =
            QuantizedNetwork::new(Network::new(structure(patterns, alphabet, sets, features))).unwrap();
        let taken = quantized.sums([(&[0; 16], 0)].into_iter(), &mut Vec::new());
        let there = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        assert_eq!(taken, there && number < 6, "{patterns}");
    }
}

#[test]
fn promoted_stages_keep_the_weights_they_read() {
    let mut random = Random::new(5);
    let mut network = network(structure("4x5", 12, Sets::One, &[]), &mut random);
    network.promote(|stage| stage == 1);
    let mut settled = copy(&network);
    settled.materialize_promotions(0..2).unwrap();
    let (promoted, settled) =
        (QuantizedNetwork::new(network).unwrap(), QuantizedNetwork::new(settled).unwrap());
    let mut active = Active::default();
    for _ in 0..200 {
        let cells: [u8; 16] = std::array::from_fn(|_| random.below(12) as u8);
        let mut value = |network: &QuantizedNetwork| {
            network.activate(&View { cells: &cells, hint: 0, bag: [0; 3] }, 1, &mut active);
            network.sum(&active)
        };
        assert_eq!(value(&promoted), value(&settled));
    }
}

/// A game by the values of single afterstates, and by all of them at once.
fn plays_alike<G: Game>(game: &G, quantized: &QuantizedNetwork) {
    let mut random = Random::new(6);
    let mut player = SearchPlayer::new(quantized, Limits::ply(1));
    let mut state = game.start(&mut random);
    let mut moves = 0;
    while let Some(choice) = player.choose(game, &state) {
        let worth = |slide: &afterstate::game::Slide<G::Afterstate>| {
            let at = Staged { afterstate: slide.afterstate, stage: 0 };
            slide.reward as f64 + f64::from(quantized.value(game, &at))
        };
        let best = game.slides(&state).iter().flatten().map(worth).fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(worth(&choice.slide), best);
        state = game.spawn(&choice.slide.afterstate, &mut random).state;
        moves += 1;
    }
    assert!(moves > 20);
}

#[test]
fn players_follow_it_in_both_games() {
    let mut random = Random::new(7);
    let of = |sets| Structure { sets, ..Structure::tuples(Shape::FOUR, "0124 0126 01245", 12).unwrap() };
    let single = QuantizedNetwork::new(network(of(Sets::One), &mut random)).unwrap();
    let quad = QuantizedNetwork::new(network(of(Sets::Hints), &mut random)).unwrap();
    plays_alike(&Twenty48::<16>::new(Shape::FOUR), &single);
    for rules in [Rules::PAPER, Rules::APP] {
        plays_alike(&Threes::<16>::new(Shape::FOUR, rules), &quad);
        plays_alike(&Threes::<16>::new(Shape::FOUR, rules), &single);
    }
}
