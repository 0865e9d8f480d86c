//! A client of the server that asks one thing after the other.

use crate::place::{signal, start};
use crate::{Setup, failed};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Child;
use std::time::Duration;

/// A server that was started for a trial.
pub struct Server {
    /// Its process.
    pub child: Child,
    /// Its address.
    pub addr: SocketAddr,
}

impl Server {
    /// Starts it with these words besides the address.
    pub fn start(setup: &Setup, words: &[&str]) -> Result<Self, String> {
        Self::start_at(setup, "127.0.0.1:0", words)
    }

    /// Starts it at an address.
    pub fn start_at(setup: &Setup, addr: &str, words: &[&str]) -> Result<Self, String> {
        let mut child = start(setup, &[&["serve", "--addr", addr, "--lazy"], words].concat())?;
        let mut line = String::new();
        let out = child.stdout.take().ok_or("no output")?;
        BufReader::new(out).read_line(&mut line).map_err(failed("the server"))?;
        let addr = line.trim().trim_start_matches("listening on http://").trim_end_matches('/').parse();
        Ok(Self { child, addr: addr.map_err(|_| format!("the server said '{line}'"))? })
    }

    /// Asks it to stop, and waits; whether it ended well.
    pub fn stop(mut self) -> Result<bool, String> {
        signal(&self.child, "TERM")?;
        self.child.wait().map(|status| status.success()).map_err(failed("the server"))
    }
}

/// Asks once on a connection of its own: the status, or 0 if there was no whole answer.
pub fn ask(addr: SocketAddr, request: &[u8]) -> u16 {
    fetch(addr, request).0
}

/// The body as well.
pub fn fetch(addr: SocketAddr, request: &[u8]) -> (u16, String) {
    let answer = || -> std::io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(addr)?;
        stream.set_read_timeout(Some(Duration::from_secs(20)))?;
        stream.write_all(request)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(answer)
    };
    let nothing = || (0, String::new());
    let Ok(answer) = answer() else { return nothing() };
    let text = String::from_utf8_lossy(&answer);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return nothing() };
    let promised = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
    match promised {
        Some(length) if body.len() < length => nothing(),
        _ => (head.get(9..12).and_then(|status| status.parse().ok()).unwrap_or(0), body.to_owned()),
    }
}

/// A request with a body, which may be in chunks, and further lines in its head.
pub fn post(path: &str, lines: &str, body: &str) -> Vec<u8> {
    let chunked = lines.contains("chunked");
    let length = if chunked { String::new() } else { format!("content-length: {}\r\n", body.len()) };
    let head = format!("POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n");
    format!("{head}{lines}{length}\r\n{body}").into_bytes()
}

/// Requests of every kind, good and bad, the `i`-th of them.
pub fn request(i: u64) -> Vec<u8> {
    let position = ["1210/3302/0043/5512", "1000/0200/0010/0000", "(10)987/1234/2345/0123"][i as usize % 3];
    let post = |path: &str, body: String| {
        format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    let ply = 1 + i / 10 % 3;
    match i % 10 {
        0..=2 => post("/api/v1/analyze", format!(r#"{{"position": "{position}", "ply": {ply}}}"#)),
        3 => post("/api/v1/play", format!(r#"{{"position": "{position}", "moves": 20, "ply": 1}}"#)),
        4 => post("/api/v1/outcomes", format!(r#"{{"position": "{position}", "move": "left"}}"#)),
        5 => get("/api/v1/runs"),
        6 => get("/api/v1/runs/run"),
        7 => get(["/", "/metrics", "/api/v1/games"][i as usize / 10 % 3]),
        8 => post("/api/v1/analyze", "{\"position\": [[[[".into()),
        _ => get("/api/v1/runs/..%2f..%2fetc"),
    }
    .into_bytes()
}
