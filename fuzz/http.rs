//! Requests as bytes on a connection: whatever comes, the server answers by its rules or hangs up,
//! and goes on.

#![allow(dead_code)] // each target uses its part

use afterstate_serve::{Options, Server};
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

/// A server of this process with short limits, and its directory of runs.
fn server() -> &'static (SocketAddr, PathBuf) {
    static SERVER: OnceLock<(SocketAddr, PathBuf)> = OnceLock::new();
    SERVER.get_or_init(|| {
        let runs = std::env::temp_dir().join(format!("fuzz-http-{}", std::process::id()));
        std::fs::create_dir_all(runs.join("one/eval")).expect("a directory of runs");
        std::fs::write(runs.join("one/config.toml"), "").expect("a run");
        let mut options = Options {
            addr: ([127, 0, 0, 1], 0).into(),
            runs: runs.clone(),
            lazy: true,
            ..Options::default()
        };
        let limits = &mut options.limits;
        limits.table_bytes = 1 << 20;
        limits.engines = 2;
        (limits.request_time, limits.unread_time) = (Duration::from_millis(50), Duration::from_millis(500));
        (limits.bounds.search_time, limits.bounds.game_time) =
            (Duration::from_millis(20), Duration::from_millis(50));
        limits.bounds.batch_time = Duration::from_millis(10);
        let server = Server::bind(options).expect("a free port");
        let addr = server.addr();
        std::thread::spawn(move || server.run(|| false).expect("it serves"));
        (addr, runs)
    })
}

/// Sends bytes and reads what comes, until the server closes or there was nothing for a while.
fn exchange(bytes: &[u8], and_close: bool) -> Vec<u8> {
    let mut stream = TcpStream::connect(server().0).expect("the server listens");
    stream.set_read_timeout(Some(Duration::from_millis(700))).expect("a timeout");
    let _ = stream.write_all(bytes);
    if and_close {
        let _ = stream.shutdown(Shutdown::Write);
    }
    let (mut answer, mut piece) = (Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = stream.read(&mut piece) {
        answer.extend_from_slice(&piece[..count]);
    }
    answer
}

/// A plain request and its answer.
fn ask(path: &str) -> Vec<u8> {
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    exchange(request.as_bytes(), false)
}

/// Every answer begins like one, and none says that the server has a defect.
fn check(answer: &[u8]) {
    let Some(status) = answer.get(..12) else { return assert!(answer.is_empty(), "{answer:?}") };
    let text = String::from_utf8_lossy(status);
    assert!(text.starts_with("HTTP/1.") && text.is_char_boundary(9), "{text}");
    assert!(!text[9..].starts_with('5') || &text[9..] == "503", "{}", String::from_utf8_lossy(answer));
}

/// The first byte: whether the client closes its side at once; the rest goes over the connection.
pub(crate) fn request(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    check(&exchange(rest, first % 16 != 0));
    // The limits are short: on a busy machine the first try may come too late.
    let mut alive = (0..20).map(|_| ask("/healthz"));
    assert!(alive.any(|answer| answer.starts_with(b"HTTP/1.1 200")), "the server is gone");
}

/// The bytes are the log of a run, or an evaluation, that the page asks for.
pub(crate) fn served_log(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let name = if first % 2 == 0 { "one/train.jsonl" } else { "one/eval/000000001000.json" };
    std::fs::write(server().1.join(name), rest).expect("a file");
    for path in ["/api/v1/runs", "/api/v1/runs/one"] {
        let mut answers = (0..20).map(|_| ask(path)).inspect(|answer| check(answer));
        assert!(answers.any(|answer| answer.starts_with(b"HTTP/1.1 200")), "{path} is not answered");
    }
}
