//! Refusals of the server, each with the right status and a sentence that helps.

mod client;

use client::{read, serve};
use std::io::Write;
use std::time::{Duration, Instant};

const ANALYZE: &str = "/api/v1/analyze";

#[test]
fn what_is_not_json_is_malformed_and_what_makes_no_sense_is_wrong() {
    let server = serve(|_| {});
    for (body, status, word) in [
        ("", 400, "not JSON"),
        ("{", 400, "not JSON"),
        (r#"{"position": "1210/3302/0043/5512","#, 400, "not JSON"),
        ("[1]", 422, "expected a string"),
        ("{}", 422, "position"),
        (r#"{"position": 7}"#, 422, "string"),
        (r#"{"position": "1210/3302/0043/5512", "depth": 3}"#, 422, "depth"),
        (r#"{"position": "1210/3302/0043/5512", "ply": 99}"#, 422, "1 to 20"),
        (r#"{"position": "1210/3302/0043/5512", "ply": 0}"#, 422, "1 to 20"),
        (r#"{"position": "1210/3302/0043/5512", "ply": -1}"#, 422, "-1"),
        (r#"{"position": "1210/3302/0043/5512", "ply": 99999999999}"#, 422, "1 to 20"),
        (r#"{"position": "1210/3302/0043/5512", "time_ms": 3600000}"#, 422, "at most"),
        (r#"{"position": "1210/3302/0043/5512", "time_ms": 0}"#, 422, "at least 1"),
        (r#"{"position": "1210/3302/0043/5512", "ply": 2, "time_ms": 5}"#, 422, "one of them"),
        (r#"{"position": "1210/3302/0043/5512", "model": "nobody"}"#, 422, "no model 'nobody'"),
        (r#"{"position": "1210/3302/0043/5512", "model": "run:../../etc"}"#, 422, "has no model"),
        (r#"{"position": "1210/3302/0043"}"#, 422, "4x4"),
        (r#"{"position": "1210/33?2/0043/5512"}"#, 422, "'?'"),
        (r#"{"position": "(61)000/0000/0000/0000"}"#, 422, "61"),
        (r#"{"position": "1210/3302/0043/5512 hint=1"}"#, 422, "Threes"),
        (r#"{"game": "threes", "position": "1210/3302/0043/5512"}"#, 422, "hint"),
        (r#"{"game": "threes", "position": "1210/3302/0043/5512 bag=9,9,9 hint=1"}"#, 422, "bag"),
        (r#"{"game": "chess", "position": "1210/3302/0043/5512"}"#, 422, "no game 'chess'"),
        (r#"{"game": "2048-9x9", "position": "1210/3302/0043/5512"}"#, 422, "1 to 8"),
    ] {
        let answer = server.post(ANALYZE, body);
        assert_eq!(answer.status, status, "{body}: {}", answer.body);
        assert!(answer.message().contains(word), "{body}: {}", answer.body);
    }
    let long = format!(r#"{{"position": "{}"}}"#, "1 ".repeat(10_000));
    assert_eq!(server.post(ANALYZE, &long).status, 422);
    let deep = "[".repeat(100_000);
    assert!([400, 422].contains(&server.post(ANALYZE, &deep).status));
    let plain = server.ask("POST", ANALYZE, &["content-type: text/plain"], b"{}");
    assert_eq!(plain.status, 415);
    assert!(plain.message().contains("application/json"));
}

#[test]
fn illegal_moves_and_broken_games_are_wrong() {
    let server = serve(|_| {});
    for (path, body, word) in [
        ("move", r#"{"position": "1200/0000/0000/0000", "move": "up"}"#, "not legal"),
        ("move", r#"{"position": "1200/0000/0000/0000", "move": "sideways"}"#, "up, right, down or left"),
        ("play", r#"{"moves": 0}"#, "from 1 to"),
        ("play", r#"{"moves": 100000000}"#, "from 1 to"),
        ("replay/read", r#"{"text": ""}"#, "empty"),
        ("replay/read", r#"{"text": "é"}"#, "no replay"),
        ("replay/read", r#"{"text": "a@0|01F2#U#R31|"}"#, "two slides"),
        ("replay/read", r#"{"text": "a@0|0111#U31|"}"#, "not legal"),
        (
            "replay/write",
            r#"{"start": "1000/0000/0000/0000", "moves": "r", "spawns": []}"#,
            "1 moves but 0 spawns",
        ),
        ("replay/write", r#"{"start": "1000/0000/0000/0000", "moves": "x", "spawns": [[0,1,0]]}"#, "letters"),
        ("replay/write", r#"{"start": "1000/0000/0000/0000", "moves": "r", "spawns": [[3,1,0]]}"#, "no tile"),
        (
            "replay/write",
            r#"{"start": "1000/0000/0000/0000", "moves": "", "spawns": [], "format": "pdf"}"#,
            "format",
        ),
        (
            "replay/analyze",
            r#"{"start": "1000/0000/0000/0000", "moves": "u", "spawns": [[0,1,0]]}"#,
            "not legal",
        ),
    ] {
        let answer = server.post(&format!("/api/v1/{path}"), body);
        assert_eq!(answer.status, 422, "{path} {body}: {}", answer.body);
        assert!(answer.message().contains(word), "{path} {body}: {}", answer.body);
    }
}

#[test]
fn a_body_of_ten_megabytes_is_too_large() {
    let server = serve(|_| {});
    let answer = server.post(ANALYZE, &"x".repeat(10_000_000));
    assert_eq!(answer.status, 413, "{}", answer.body);
    assert!(answer.message().contains("at most 1048576 bytes"));
    // Nor does it help to hide the size.
    let mut stream = server.connect();
    let head = format!(
        "POST {ANALYZE} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
        server.addr
    );
    stream.write_all(head.as_bytes()).unwrap();
    let piece = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    for _ in 0..32 {
        stream.write_all(piece.as_bytes()).unwrap();
    }
    stream.write_all(b"0\r\n\r\n").unwrap();
    assert_eq!(read(&mut stream).status, 413);
    // What only promises to be large is not even read.
    let answer =
        server.ask("POST", ANALYZE, &["content-type: application/json", "content-length: 99999999999"], b"");
    assert_eq!(answer.status, 413);
}

#[test]
fn a_slow_client_is_not_waited_for() {
    let server = serve(|options| options.limits.request_time = Duration::from_millis(300));
    for start in ["GET /healthz HTT", "GET /healthz HTTP/1.1\r\nhost: x\r\n"] {
        let mut stream = server.connect();
        let begun = Instant::now();
        stream.write_all(start.as_bytes()).unwrap();
        let answer = read(&mut stream);
        assert_eq!(answer.status, 408, "{start}");
        assert!(answer.message().contains("too long"));
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
    let mut stream = server.connect();
    let head = format!(
        "POST {ANALYZE} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{{",
        server.addr
    );
    stream.write_all(head.as_bytes()).unwrap();
    let answer = read(&mut stream);
    assert_eq!(answer.status, 408);
    assert_eq!(answer.header("connection"), "close");
}

#[test]
fn foreign_pages_and_foreign_names_are_refused() {
    let server = serve(|options| options.hosts = vec!["box.lan".into()]);
    let body = br#"{"game": "2048"}"#;
    let json = "content-type: application/json";
    let own = format!("origin: http://{}", server.addr);
    assert_eq!(server.ask("POST", "/api/v1/game", &[json, &own], body).status, 200);
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1.evil.example"] {
        let answer = server.ask("POST", "/api/v1/game", &[json, &format!("origin: {origin}")], body);
        assert_eq!(answer.status, 403, "{origin}");
        assert!(answer.message().contains("own page"));
        assert_eq!(answer.header("access-control-allow-origin"), "");
    }
    // A name that was made to point here.
    let answer = server.ask("GET", "/api/v1/models", &["host: evil.example"], b"");
    assert_eq!(answer.status, 421);
    assert!(answer.message().contains("can allow it"));
    assert_eq!(server.ask("GET", "/api/v1/models", &["host: box.lan:2048"], b"").status, 200);
    // The old protocol is open to any page.
    let asked = server.ask("GET", "/move?board=EDC1BA9187611111", &["origin: http://evil.example"], b"");
    assert_eq!((asked.status, asked.header("access-control-allow-origin")), (200, "*"));
}

#[test]
fn nothing_outside_the_runs_is_read() {
    let place = tempfile::tempdir().unwrap();
    let runs = place.path().join("runs");
    std::fs::create_dir_all(runs.join("one/figures")).unwrap();
    std::fs::write(place.path().join("secret.html"), "secret").unwrap();
    std::fs::write(place.path().join("config.toml"), "secret").unwrap();
    std::fs::write(runs.join("one/config.toml"), "about = \"x\"").unwrap();
    std::fs::write(runs.join("one/report.html"), "<script>alert(1)</script>").unwrap();
    std::fs::write(runs.join("one/model.afterstate"), "secret").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(place.path().join("secret.html"), runs.join("one/link.html")).unwrap();
    let server = serve(|options| options.runs = runs.clone());
    for path in [
        "/api/v1/runs/..",
        "/api/v1/runs/../secret.html",
        "/api/v1/runs/..%2f",
        "/api/v1/runs/%2e%2e",
        "/api/v1/runs/%2e%2e%2fruns%2fone",
        "/api/v1/runs/one%2f..%2f..",
        "/api/v1/runs/%2fetc",
        "/api/v1/runs/one/files/../../secret.html",
        "/api/v1/runs/one/files/..%2f..%2fsecret.html",
        "/api/v1/runs/one/files/%2e%2e/%2e%2e/secret.html",
        "/api/v1/runs/one/files//etc/passwd",
        "/api/v1/runs/one/files/model.afterstate",
        "/api/v1/runs/one/files/config.toml",
        "/api/v1/runs/one/files/link.html",
        "/api/v1/runs/../stream",
        "/api/v1/runs/..%2f/stream",
        "/../Cargo.toml",
        "/js/../../Cargo.toml",
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}: {}", answer.body);
        assert!(!answer.body.contains("secret"), "{path}");
        assert!(!answer.message().is_empty());
    }
    // What may be read does not run.
    let report = server.get("/api/v1/runs/one/files/report.html");
    assert_eq!(report.status, 200);
    let policy = report.header("content-security-policy");
    assert!(policy.starts_with("sandbox;") && policy.contains("default-src 'none'"), "{policy}");
    let details = server.get("/api/v1/runs/one").json();
    assert_eq!(details["files"], serde_json::json!(["link.html", "report.html"]));
}

#[test]
fn unknown_addresses_and_methods_are_told_apart() {
    let server = serve(|_| {});
    assert_eq!(server.get("/nothing").status, 404);
    assert_eq!(server.get("/api/v2/games").status, 404);
    assert_eq!(server.get(ANALYZE).status, 405);
    assert_eq!(server.ask("DELETE", "/api/v1/games", &[], b"").status, 405);
    assert_eq!(server.ask("POST", "/", &[], b"").status, 405);
    for (path, word) in [("/move", "no board"), ("/move?board=12", "4x4"), ("/move?board=%ff", "board")] {
        let answer = server.get(path);
        assert_eq!(answer.status, 400, "{path}: {}", answer.body);
        assert!(answer.message().contains(word) || path.ends_with("ff"), "{path}: {}", answer.body);
    }
}

#[test]
fn garbage_hurts_nobody() {
    let server = serve(|options| options.limits.request_time = Duration::from_millis(150));
    let body = r#"{"game":"threes","position":"1020/0310/2003/0312 bag=0,1,1 hint=3","ply":2}"#;
    let good = format!(
        "POST {ANALYZE} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        server.addr,
        body.len()
    );
    let mut random = afterstate::random::Random::new(1);
    let mut below = |n: usize| random.below(n as u64) as usize;
    let mut statuses = std::collections::BTreeMap::new();
    for _ in 0..150 {
        let mut bytes = good.clone().into_bytes();
        for _ in 0..=below(4) {
            if bytes.len() < 2 {
                break;
            }
            let at = below(bytes.len());
            match below(4) {
                0 => bytes[at] = below(256) as u8,
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, below(256) as u8),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let mut stream = server.connect();
        let _ = stream.write_all(&bytes);
        let mut answer = Vec::new();
        let _ = std::io::Read::read_to_end(&mut stream, &mut answer);
        let status = String::from_utf8_lossy(answer.get(9..12).unwrap_or(b"")).into_owned();
        *statuses.entry(status).or_insert(0) += 1;
    }
    assert!(statuses.keys().all(|status| !status.starts_with('5')), "{statuses:?}");
    assert!(statuses.contains_key("200") && statuses.contains_key("400"), "{statuses:?}");
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_client_that_does_not_read_makes_room_for_others() {
    let place = tempfile::tempdir().unwrap();
    std::fs::create_dir(place.path().join("one")).unwrap();
    std::fs::write(place.path().join("one/config.toml"), "").unwrap();
    let line = format!("{{\"games\":1,\"note\":\"{}\"}}\n", "x".repeat(1000));
    std::fs::write(place.path().join("one/train.jsonl"), line.repeat(30_000)).unwrap();
    let server = serve(|options| {
        options.runs = place.path().into();
        options.limits.followers = 1;
        options.limits.unread_time = Duration::from_millis(300);
    });
    let ask = format!("GET /api/v1/runs/one/stream HTTP/1.1\r\nhost: {}\r\n\r\n", server.addr);
    let mut silent = server.connect();
    silent.write_all(ask.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    let begun = Instant::now();
    loop {
        let mut stream = server.connect();
        stream.write_all(ask.as_bytes()).unwrap();
        let mut head = [0; 12];
        std::io::Read::read_exact(&mut stream, &mut head).unwrap();
        match &head[9..] {
            b"200" => break,
            status => assert_eq!(status, b"503"),
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "the silent client keeps its place");
        std::thread::sleep(Duration::from_millis(100));
    }
}
