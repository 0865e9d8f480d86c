//! The built-in models, as a user meets them: nothing given, and it plays well.

mod common;

use common::json;

/// A level any of the seeds reaches easily; a model that is damaged or misread falls far below.
#[test]
fn the_built_in_models_still_play_at_their_levels() {
    for (game, games, level) in [
        ("2048", "40", 150_000.0),
        ("threes", "400", 60_000.0),
        ("threes-app", "400", 50_000.0),
        ("2048-3x3", "1000", 4_900.0),
        ("2048-4x3", "300", 26_000.0),
        ("2048-3x4", "300", 26_000.0),
        ("2048-5x5", "20", 450_000.0),
        ("2048-6x6", "4", 3_000_000.0),
    ] {
        let answer = json(&["evaluate", "--game", game, "--games", games, "--seed", "1"]);
        let mean = answer["score"]["mean"].as_f64().unwrap();
        assert!(mean > level, "{game}, {games} games at 1-ply: {mean}");
    }
}

#[test]
fn it_also_plays_1024_at_half_the_points() {
    let value = |game: &str| {
        let answer = json(&["analyze", "0x1234123412341234", "--game", game]);
        answer["positions"][0]["moves"][0]["value"].as_f64().unwrap()
    };
    let (whole, half) = (value("2048"), value("1024"));
    assert!((whole / 2.0 - half).abs() < 1.0, "{whole} and {half}");
}
