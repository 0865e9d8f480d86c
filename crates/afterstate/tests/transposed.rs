//! A network on the board turned on its side, and the values a learned player compares.

use afterstate::game::Game;
use afterstate::game::twenty48::Twenty48;
use afterstate::grid::{Shape, View};
use afterstate::learn::greedy::ValueKind;
use afterstate::network::feature::Feature;
use afterstate::network::stage::Stages;
use afterstate::network::{Active, Network, Structure};
use afterstate::player::{NetworkPlayer, Player, move_values};
use afterstate::random::Random;

/// A network whose weights are whole numbers, so that sums do not depend on their order.
fn noisy(structure: Structure) -> Network {
    let network = Network::new(structure);
    let mut random = Random::new(1);
    for bank in 0..network.structure().banks() as u8 {
        for table in 0..network.tables() {
            for entry in network.table_entries(table) {
                network.bank(bank).set(entry, random.below(1000) as f32);
            }
        }
    }
    network
}

fn value(network: &Network, cells: &[u8], bank: u8) -> f32 {
    let mut padded = [0; 64];
    padded[..cells.len()].copy_from_slice(cells);
    let length = if cells.len() <= 16 { 16 } else { 64 };
    let mut active = Active::default();
    network.activate(&View { cells: &padded[..length], hint: 0, bag: [0; 3] }, bank, &mut active);
    network.sum(&active)
}

#[test]
fn a_transposed_network_says_of_a_transposed_board_what_it_said_of_the_board() {
    let mut random = Random::new(2);
    for (rows, cols, patterns) in
        [(2, 3, "012 0134"), (3, 4, "0123 0145 48"), (4, 4, "4x4"), (5, 3, "0134 0369")]
    {
        for shared in [true, false] {
            let shape = Shape::new(rows, cols).unwrap();
            let structure = Structure {
                features: vec![Feature::EmptyCells, Feature::MergeablePairs { threes: false }],
                shared,
                stages: Stages::new(vec![vec![7]]),
                ..Structure::tuples(shape, patterns, 10).unwrap()
            };
            let original = noisy(structure.clone());
            let turned = noisy(structure).transposed();
            assert_eq!(turned.structure().shape, shape.transposed());
            let mut different = 0;
            for _ in 0..300 {
                let cells: Vec<u8> = (0..rows * cols).map(|_| random.below(12) as u8).collect();
                let image: Vec<u8> = (0..rows * cols).map(|i| cells[i % rows * cols + i / rows]).collect();
                let bank = random.below(2) as u8;
                assert_eq!(value(&turned, &image, bank), value(&original, &cells, bank), "{shape} {cells:?}");
                different += u32::from(image != cells);
            }
            assert!(different > 250);
            let back = turned.transposed();
            assert_eq!(back.structure(), original.structure());
        }
    }
}

#[test]
fn scaling_scales_every_value() {
    let network = noisy(Structure::tuples(Shape::FOUR, "4x4", 16).unwrap());
    assert_eq!(network.largest_rank(), Some(15));
    let cells: Vec<u8> = (0..16).collect();
    let before = value(&network, &cells, 0);
    network.scale(0.5);
    assert_eq!(value(&network, &cells, 0), before / 2.0);
}

#[test]
fn a_learned_player_plays_the_best_of_the_values_told() {
    let game = Twenty48::<16>::new(Shape::new(3, 3).unwrap());
    for value_kind in [ValueKind::Afterstates, ValueKind::States, ValueKind::Actions] {
        let structure = Structure::tuples(game.shape, "0134 012", 8).unwrap();
        let network = noisy(Structure { sets: value_kind.sets(), ..structure });
        let mut player = NetworkPlayer::new(&network, value_kind);
        let mut random = Random::new(3);
        let mut state = game.start(&mut random);
        let mut moves = 0;
        while let Some(choice) = player.choose(&game, &state) {
            let values = move_values(&game, &network, value_kind, &state, 0);
            let legal = game.slides(&state).map(|slide| slide.is_some());
            assert_eq!(values.map(|value| value.is_some()), legal);
            let most = values.into_iter().flatten().fold(f32::NEG_INFINITY, f32::max);
            assert_eq!(values[choice.direction as usize], Some(most), "{value_kind:?}");
            state = game.spawn(&choice.slide.afterstate, &mut random).state;
            moves += 1;
        }
        assert!(moves > 5);
        assert_eq!(move_values(&game, &network, value_kind, &state, 0), [None; 4]);
    }
}
