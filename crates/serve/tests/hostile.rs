//! Requests that mean harm: by their form, not by what they ask for. Each is answered by the rules,
//! or not at all, and the server goes on.

mod client;

use client::{Running, read, serve};
use std::io::{Read, Write};
use std::time::{Duration, Instant};

/// Sends bytes; the status, 0 where there was no answer.
fn status(server: &Running, bytes: &[u8]) -> u16 {
    let mut stream = server.connect();
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let text = String::from_utf8_lossy(&answer).into_owned();
    text.get(9..12).and_then(|status| status.parse().ok()).unwrap_or(0)
}

fn get(path: &str, lines: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{lines}\r\n").into_bytes()
}

fn post(lines: &str, body: &str) -> Vec<u8> {
    let head = "POST /api/v1/analyze HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
                content-type: application/json\r\n";
    format!("{head}{lines}\r\n{body}").into_bytes()
}

#[test]
fn heads_of_any_form_and_size_are_answered_by_the_rules() {
    let server = serve(|_| {});
    let many = |count: usize| (0..count).map(|i| format!("x{i}: y\r\n")).collect::<String>();
    for (what, bytes, expected) in [
        ("90 headers", get("/healthz", &many(90)), 200),
        ("200 headers", get("/healthz", &many(200)), 431),
        ("10,000 headers", get("/healthz", &many(10_000)), 431),
        ("a header of 1 MiB", get("/healthz", &format!("x: {}\r\n", "y".repeat(1 << 20))), 431),
        ("an address of 70,000 characters", get(&format!("/{}", "a".repeat(70_000)), ""), 414),
        ("HTTP/1.0", b"GET /healthz HTTP/1.0\r\nhost: localhost\r\n\r\n".to_vec(), 200),
        ("HTTP/1.0 without a host", b"GET /healthz HTTP/1.0\r\n\r\n".to_vec(), 400),
        ("HTTP/0.9", b"GET /healthz\r\n\r\n".to_vec(), 400),
        ("HTTP/3.7", b"GET /healthz HTTP/3.7\r\nhost: localhost\r\n\r\n".to_vec(), 400),
        ("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(), 0),
        ("a zero byte", get("/heal\0thz", ""), 400),
        ("a folded header", get("/healthz", "x: y\r\n z\r\n"), 400),
        (
            "CONNECT",
            b"CONNECT localhost:80 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".to_vec(),
            404,
        ),
        ("TRACE", b"TRACE /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".to_vec(), 405),
        ("two hosts", get("/healthz", "host: localhost\r\n"), 400),
        ("two hosts, one foreign", get("/healthz", "host: evil.example\r\n"), 400),
        ("a foreign name in the address", get("http://evil.example/api/v1/games", ""), 421),
        ("our name in the address", get("http://localhost:7/api/v1/games", ""), 200),
    ] {
        assert_eq!(status(&server, &bytes), expected, "{what}");
    }
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn bodies_whose_length_is_a_lie_are_refused() {
    let server = serve(|options| options.limits.request_time = Duration::from_millis(300));
    let chunked = "transfer-encoding: chunked\r\n";
    let trailers: String = (0..5000).map(|i| format!("x{i}: y\r\n")).collect();
    for (what, bytes, expected) in [
        ("a chunk of no size", post(chunked, "ZZZ\r\n{}\r\n0\r\n\r\n"), 400),
        ("a chunk of 2^64 - 1", post(chunked, "ffffffffffffffff\r\n{}\r\n0\r\n\r\n"), 408),
        ("a chunk beyond 2^64", post(chunked, "fffffffffffffffff\r\n{}\r\n0\r\n\r\n"), 400),
        (
            "an endless extension",
            post(chunked, &format!("2;{}\r\n{{}}\r\n0\r\n\r\n", "a".repeat(60_000))),
            400,
        ),
        ("5,000 trailers", post(chunked, &format!("2\r\n{{}}\r\n0\r\n{trailers}\r\n")), 400),
        ("two lengths", post("content-length: 2\r\ncontent-length: 3\r\n", "{}"), 400),
        ("a length below zero", post("content-length: -1\r\n", "{}"), 400),
        ("an unknown encoding", post("transfer-encoding: gzip\r\n", "{}"), 400),
        ("less than was promised", post("content-length: 100\r\n", "{"), 408),
    ] {
        assert_eq!(status(&server, &bytes), expected, "{what}");
    }
    // What hides behind a length that does not count is no second request.
    let hidden = "0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let mut stream = server.connect();
    stream.write_all(&post("content-length: 3\r\ntransfer-encoding: chunked\r\n", hidden)).unwrap();
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    assert_eq!(answer.matches("HTTP/1.1").count(), 1, "{answer}");
}

#[test]
fn json_of_any_size_and_depth_is_refused_in_words() {
    let server = serve(|_| {});
    let position = r#""position": "1210/3302/0043/5512""#;
    for (body, expected) in [
        (format!(r#"{{{position}, "ply": 1e400}}"#), 400),
        (format!(r#"{{{position}, "ply": {}}}"#, "9".repeat(100_000)), 400),
        (format!(r#"{{{position}, "ply": 1.5}}"#), 422),
        (format!(r#"{{{position}, "ply": 1, "ply": 2}}"#), 422),
        (format!(r#"{{"position": {}"#, "[".repeat(500_000)), 422),
        (r#"{"a":"#.repeat(100_000), 422),
        (format!(r#"{{"position": "{}"}}"#, "\\u0000".repeat(100_000)), 422),
        ("\u{feff}{}".into(), 400),
        (format!(r#"{{{position}, "variant": {{"spawn": "{}"}}}}"#, "2:1,".repeat(100_000)), 422),
        (format!(r#"{{{position}, "variant": {{"start_tiles": 18446744073709551615}}}}"#), 422),
        (format!(r#"{{{position}, "variant": {{"merge_cap": 18446744073709551615}}}}"#), 422),
    ] {
        let begun = Instant::now();
        let answer = server.post("/api/v1/analyze", &body);
        let shown = &body[..body.len().min(80)];
        assert_eq!(answer.status, expected, "{shown}: {}", answer.body);
        assert!(answer.message().len() < 400, "{shown}: {}", answer.body);
        assert!(begun.elapsed() < Duration::from_secs(5), "{shown}");
    }
}

#[test]
fn every_spelling_of_a_way_out_is_refused_in_json() {
    let place = tempfile::tempdir().unwrap();
    let runs = place.path().join("runs");
    std::fs::create_dir_all(runs.join("one")).unwrap();
    std::fs::write(runs.join("one/config.toml"), "").unwrap();
    std::fs::write(place.path().join("secret.html"), "secret").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(place.path(), runs.join("up")).unwrap();
    let server = serve(|options| options.runs = runs.clone());
    for (path, expected) in [
        ("/api/v1/runs/%252e%252e", 404),
        ("/api/v1/runs/..%5c..", 404),
        ("/api/v1/runs/%ef%bc%8e%ef%bc%8e", 404),
        ("/api/v1/runs/one%00", 404),
        ("/api/v1/runs/up", 404),
        ("/api/v1/runs/one/files/%00", 404),
        ("/api/v1/runs/one/files/....//secret.html", 404),
        ("/api/v1/runs/one/files/..%5csecret.html", 404),
        ("/api/v1/runs/one/files/..;/secret.html", 404),
        ("/api/v1/runs/one/files/secret.html%00.svg", 404),
        ("/api/v1/runs/up/files/secret.html", 404),
        ("/api/v1/runs/%c0%ae%c0%ae", 400),
        ("/api/v1/runs/one/files/%ff.html", 400),
        ("/api/v1/runs/%2e%2e%c0%af", 400),
        ("//etc/passwd", 404),
        ("/%2e%2e/%2e%2e/etc/passwd", 404),
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, expected, "{path}: {}", answer.body);
        assert!(!answer.message().is_empty() && !answer.body.contains("secret\n"), "{path}");
    }
}

#[test]
fn a_client_that_sends_a_byte_at_a_time_is_not_waited_for_longer() {
    let server = serve(|options| options.limits.request_time = Duration::from_millis(400));
    for (start, slowly) in [
        (String::new(), "GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: "),
        (String::from_utf8(post("content-length: 1000\r\n", "")).unwrap(), "{"),
    ] {
        let mut stream = server.connect();
        stream.write_all(start.as_bytes()).unwrap();
        let begun = Instant::now();
        for byte in slowly.bytes().chain(std::iter::repeat_n(b' ', 1000)) {
            if stream.write_all(&[byte]).is_err() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
            if begun.elapsed() > Duration::from_secs(2) {
                break;
            }
        }
        assert_eq!(read(&mut stream).status, 408);
        assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    }
}

/// Every refusal carries the headers that forbid what the page does not need, also those of the
/// server's innermost parts.
#[test]
fn refusals_are_dressed_like_answers() {
    let server = serve(|_| {});
    for (path, method) in [
        ("/", "GET"),
        ("/nothing", "GET"),
        ("/api/v1/analyze", "GET"),
        ("/api/v1/runs/%ff", "GET"),
        ("/", "PUT"),
    ] {
        let answer = server.ask(method, path, &[], b"");
        assert!(answer.header("content-security-policy").contains("default-src 'none'"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("x-frame-options"), "DENY", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), "", "{path}");
        assert!(answer.header("server").is_empty() && answer.header("x-powered-by").is_empty(), "{path}");
    }
}
