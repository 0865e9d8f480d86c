//! Models that are being loaded hold nobody up but those who asked for them. In a process of its
//! own, where nothing is loaded before.

mod client;

use client::{Running, serve};

fn hint(server: &Running, game: &str, position: &str, variant: &str) -> u16 {
    let body = format!(r#"{{"game": "{game}", "position": "{position}", "variant": {variant}}}"#);
    server.post("/api/v2/analyze", &body).status
}

#[test]
fn hints_of_a_loaded_model_come_while_others_are_loaded() {
    const FOUR: &str = "1210/3302/0043/5512";
    let server = serve(|options| options.limits.engines = 8);
    let small = |variant: &str| hint(&server, "2048-3x3", "121/330/004", variant);
    assert_eq!(small("{}"), 200);
    std::thread::scope(|scope| {
        // More variants than engines are kept, and two games, whose models take seconds.
        for tiles in 1..=10 {
            let variant = format!(r#"{{"start_tiles": {tiles}}}"#);
            let server = &server;
            scope.spawn(move || hint(server, "2048-5x5", "12100/33020/00430/55120/00010", &variant));
        }
        let large = [
            scope.spawn(|| hint(&server, "2048", FOUR, "{}")),
            scope.spawn(|| hint(&server, "threes", &format!("{FOUR} hint=1"), "{}")),
        ];
        std::thread::sleep(std::time::Duration::from_millis(100));
        for tiles in 3..=6 {
            assert_eq!(small("{}"), 200);
            assert_eq!(small(&format!(r#"{{"start_tiles": {tiles}}}"#)), 200);
            assert_eq!(hint(&server, "2048-2x2", "12/10", "{}"), 200, "who needs no model waits for none");
            assert_eq!(server.get("/api/v1/models").status, 200);
        }
        assert!(large.iter().all(|asked| !asked.is_finished()), "the hints came after the models");
        for asked in large {
            assert_eq!(asked.join().unwrap(), 200);
        }
    });
    // Many games that are soon made do not push out the one that takes seconds.
    for (rows, columns) in (2..=5).flat_map(|rows| (1..=3).map(move |columns| (rows, columns))) {
        let (game, row) = (format!("2048-{rows}x{columns}"), "1".repeat(columns));
        assert_eq!(hint(&server, &game, &vec![row; rows].join("/"), "{}"), 200, "{game}");
    }
    let models = server.get("/api/v1/models").json();
    let large =
        models["models"].as_array().unwrap().iter().find(|model| model["id"] == "builtin:2048").unwrap();
    assert_eq!(large["loaded"], true, "{models}");
}
