//! Memory of the server: models are there once, what does not fit is refused, and the server goes
//! on. In a process of its own, because memory is counted for the whole of it.

mod client;

use afterstate::budget;
use afterstate::grid::Shape;
use afterstate::network::{Network, Structure};
use afterstate_lab::model::{self, Format, GAME, Model};
use client::serve;
use std::collections::BTreeMap;
use std::path::Path;

const ANALYZE: &str = "/api/v1/analyze";

/// A model whose value of the empty board says which it is.
fn write(path: &Path, game: &str, weight: f32) {
    let network = Network::new(Structure::tuples(Shape::FOUR, "01234 01245", 16).unwrap());
    for table in 0..network.tables() {
        network.table_entries(table).for_each(|entry| network.bank(0).set(entry, weight));
    }
    let metadata = BTreeMap::from([(GAME.to_owned(), game.to_owned())]);
    let model = Model { network, metadata, sums: Vec::new(), visits: Vec::new() };
    model::save(path, &model, Format::Ours).unwrap();
}

fn ask(model: &str, variant: &str) -> String {
    format!(r#"{{"position": "1210/3302/0043/5512", "ply": 1, "model": "{model}", "variant": {variant}}}"#)
}

/// One test, because the budget is one.
#[test]
fn models_are_read_once_and_what_does_not_fit_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("m.afterstate");
    write(&path, "2048", 1.0);
    let before = budget::taken();
    let server = serve(|options| {
        options.models = vec![path.clone(), path.clone()];
        options.runs = place.path().join("runs");
    });
    let own = budget::taken() - before;
    let first = server.post(ANALYZE, &ask("m", "{}"));
    assert_eq!(first.status, 200, "{}", first.body);
    // Replaced, then removed: nobody reads it again.
    write(&path, "2048", 1000.0);
    for tiles in [1, 3, 4, 5, 6, 7] {
        if tiles == 4 {
            std::fs::remove_file(&path).unwrap();
        }
        let answer = server.post(ANALYZE, &ask("m", &format!(r#"{{"start_tiles": {tiles}}}"#)));
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(answer.json()["moves"], first.json()["moves"], "judged by the same weights");
        assert!(!answer.body.contains(place.path().to_str().unwrap()));
    }
    let network = 2 * 4 * (16u64.pow(5));
    let tables = 9 << 20;
    let grown = budget::taken() - before;
    assert!(grown < own + tables, "{} MiB for six variants of a model of {} MiB", grown >> 20, own >> 20);
    assert!(own < 2 * network + tables, "two files with one content take {} MiB", own >> 20);

    // No room for another game, and nothing to give up that would make enough.
    budget::set_limit(budget::taken() + (1 << 20));
    let refused = server.post(ANALYZE, r#"{"game": "threes", "position": "1210/3302/0043/5512 hint=1"}"#);
    assert_eq!(refused.status, 507, "{}", refused.body);
    assert!(refused.message().contains("not enough memory"), "{}", refused.body);
    assert_eq!(server.post(ANALYZE, &ask("m", "{}")).status, 200, "the server goes on");
    // Nor for a large request; small ones are answered.
    let large = " ".repeat(1 << 19) + &ask("m", "{}");
    let refused = server.post(ANALYZE, &large);
    assert_eq!((refused.status, refused.header("retry-after")), (503, "1"), "{}", refused.body);
    budget::set_limit(budget::taken() + (8 << 20));
    assert_eq!(server.post(ANALYZE, &large).status, 200);
    // With room again it is loaded: the refusal was not kept.
    budget::set_limit(u64::MAX);
    let small = server.post(ANALYZE, r#"{"game": "2048-3x3", "position": "121/330/004"}"#);
    assert_eq!(small.status, 200, "{}", small.body);
}
