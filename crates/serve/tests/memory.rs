//! Memory of the server: models are there once, what does not fit is refused, and the server goes
//! on. In a process of its own, because memory is counted for the whole of it.

mod client;

use afterstate::budget::{self, fault};
use afterstate::grid::Shape;
use afterstate::network::{Network, Structure};
use afterstate_lab::model::{self, Format, GAME, Model};
use client::serve;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

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
    drop(server);
    any_allocation_may_fail();
    #[cfg(target_os = "linux")]
    readers_that_do_not_read_take_little();
}

/// Clients that ask for a large report and do not read it: a few pieces of it wait for each.
#[cfg(target_os = "linux")]
fn readers_that_do_not_read_take_little() {
    let resident = || -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10
    };
    let place = tempfile::tempdir().unwrap();
    let run = place.path().join("run");
    std::fs::create_dir(&run).unwrap();
    std::fs::write(run.join("config.toml"), "").unwrap();
    std::fs::write(run.join("report.html"), " ".repeat(31 << 20)).unwrap();
    let server = serve(|options| options.runs = place.path().into());
    let before = resident();
    let readers: Vec<_> = (0..20)
        .map(|_| {
            let mut stream = server.connect();
            let head = "GET /api/v1/runs/run/files/report.html HTTP/1.1\r\nhost: localhost\r\n\r\n";
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    std::thread::sleep(Duration::from_secs(1));
    for mut stream in &readers {
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 200");
    }
    let grown = resident().saturating_sub(before);
    assert!(grown < 100, "{grown} MiB for {} readers of 31", readers.len());
}

/// Whichever large allocation is refused: a hint is told so, or comes without, and the next comes.
fn any_allocation_may_fail() {
    let small = r#"{"game": "2048-3x3", "position": "121/330/004"}"#;
    let (mut n, mut refused) = (0, 0);
    loop {
        n += 1;
        let server = serve(|_| ());
        fault::refuse_anywhere(n);
        let first = server.post(ANALYZE, small);
        let asked = fault::calm_anywhere();
        if first.status != 200 {
            refused += 1;
            assert_eq!(first.status, 507, "allocation {n}: {}", first.body);
            assert!(first.message().contains("not enough memory"), "{}", first.body);
        }
        assert_eq!(server.post(ANALYZE, small).status, 200, "after allocation {n}");
        if asked < n {
            break;
        }
    }
    assert!(refused >= 3, "{refused} of {n}");
}
