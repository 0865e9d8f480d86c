//! Games by name.

use afterstate::game::Game;
use afterstate::game::catalogue::{AnyGame, Family, GAMES, GameSpec};
use afterstate::game::twenty48::SpawnTable;
use afterstate::grid::Shape;
use afterstate::random::Random;
use afterstate::with_game;
use proptest::prelude::*;

fn spec(name: &str) -> GameSpec {
    GameSpec::parse(name).unwrap()
}

fn build(name: &str) -> AnyGame {
    spec(name).build().unwrap()
}

#[test]
fn names_and_ids() {
    for (name, id) in [
        ("2048", "2048-4x4-v1"),
        ("2048-4x4", "2048-4x4-v1"),
        ("2048-3x3", "2048-3x3-v1"),
        ("2048-1x2", "2048-1x2-v1"),
        ("2048-8x8", "2048-8x8-v1"),
        ("1024", "1024-4x4-v1"),
        ("1024-3x5", "1024-3x5-v1"),
        ("threes", "threes-4x4-v1"),
        ("Threes", "threes-4x4-v1"),
        ("threes-2x2", "threes-2x2-v1"),
        ("threes-app", "threes-app-4x4-v1"),
        ("threes-app-5x5", "threes-app-5x5-v1"),
        ("threes-course", "threes-course-4x4-v1"),
        ("threes-course-2x3", "threes-course-2x3-v1"),
    ] {
        assert_eq!(build(name).id(), id);
        assert_eq!(build(id).id(), id, "an id is a name too");
        assert_eq!(build(&spec(name).name()).id(), id);
    }
    assert!(matches!(build("2048-6x6"), AnyGame::LargeTwenty48(_)));
    assert!(matches!(build("2048-2x8"), AnyGame::Twenty48(_)));
}

#[test]
fn every_listed_name_is_a_game() {
    for entry in GAMES {
        let any = build(&entry.name.replace("RxC", "3x3"));
        with_game!(&any, game => {
            let state = game.start(&mut Random::new(1));
            assert_eq!(game.position(&game.setup(&state)), Ok(state));
        });
        assert!(!entry.description.contains('\n'));
    }
    for family in Family::ALL {
        assert!(GAMES.iter().any(|entry| entry.name == family.name()));
    }
}

#[test]
fn wrong_names_get_the_nearest_right_one() {
    for (name, part) in [
        ("2047", "did you mean '2048'?"),
        ("tree", "did you mean 'threes'?"),
        ("threes-ap", "did you mean 'threes-app'?"),
        ("threes-coarse-2x3", "did you mean 'threes-course-2x3'?"),
        ("", "`games` lists all"),
        ("-", "`games` lists all"),
        ("2048-9x9", "1 to 8 each"),
        ("2048-1x1", "at least 2 cells"),
        ("2048-0x4", "1 to 8 each"),
        ("2048-x", "rows x columns"),
        ("2048-+3x3", "rows x columns"),
        ("2048-99999999999999999999x1", "1 to 8 each"),
        ("2048-4x4-v2", "knows v1"),
    ] {
        let error = GameSpec::parse(name).unwrap_err().to_string();
        assert!(error.contains(part), "{name}: {error}");
    }
}

#[test]
fn options_change_the_game() {
    let mut variant = spec("2048-2x3");
    variant.start_tiles = Some(6);
    variant.spawn = Some(SpawnTable::parse("2:.8,4:.2").unwrap());
    variant.merge_cap = Some(64);
    let AnyGame::Twenty48(game) = variant.build().unwrap() else { panic!("not 2048") };
    assert_eq!((game.start_tiles, game.cap_rank, game.spawn.total()), (6, 6, 5));

    let mut variant = spec("1024");
    variant.merge_cap = Some(64);
    let AnyGame::Twenty48(game) = variant.build().unwrap() else { panic!("not 1024") };
    assert_eq!(game.cap_rank, 7);

    let mut variant = spec("threes");
    variant.merge_cap = Some(12288);
    let AnyGame::Threes(game) = variant.build().unwrap() else { panic!("not Threes") };
    assert_eq!(game.rules.cap_rank, 15);
    assert_eq!(game.id(), "threes-custom-4x4-v1", "other rules, other name");
}

#[test]
fn start_tiles_have_their_defaults() {
    for (name, tiles) in
        [("threes", 9), ("threes-2x2", 2), ("threes-2x3", 3), ("threes-course-2x3", 1), ("threes-1x2", 1)]
    {
        let AnyGame::Threes(game) = build(name) else { panic!("not Threes") };
        assert_eq!(game.start_tiles, tiles, "{name}");
    }
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let refusal = |name: &str, change: &dyn Fn(&mut GameSpec)| {
        let mut variant = spec(name);
        change(&mut variant);
        variant.build().unwrap_err().to_string()
    };
    assert!(refusal("2048-2x3", &|s| s.start_tiles = Some(7)).contains("from 1 to 6"));
    assert!(refusal("threes-2x3", &|s| s.start_tiles = Some(0)).contains("from 1 to 6"));
    assert!(refusal("threes", &|s| s.spawn = Some(SpawnTable::default())).contains("bag"));
    assert!(refusal("2048", &|s| s.merge_cap = Some(100)).contains("100"));
    assert!(refusal("2048", &|s| s.merge_cap = Some(0)).contains("like 2048"));
    assert!(refusal("threes", &|s| s.merge_cap = Some(2)).contains("like 6144"));
}

proptest! {
    #[test]
    fn every_board_has_its_name(family in 0usize..5, rows in 1usize..=8, cols in 1usize..=8) {
        prop_assume!(rows * cols >= 2);
        let spec = GameSpec::new(Family::ALL[family], Shape::new(rows, cols).unwrap());
        prop_assert_eq!(&GameSpec::parse(&spec.name()).unwrap(), &spec);
        prop_assert_eq!(GameSpec::parse(&spec.build().unwrap().id()).unwrap(), spec);
    }

    #[test]
    fn no_name_makes_the_catalogue_panic(name in "\\PC*") {
        if let Err(error) = GameSpec::parse(&name) {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }
}
