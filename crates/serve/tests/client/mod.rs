//! A small HTTP client that can misbehave, and a server to talk to.

#![allow(dead_code)]

use afterstate_serve::{Options, Server};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// A server that stops when it is dropped.
pub(crate) struct Running {
    pub(crate) addr: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server ends");
        }
    }
}

/// Starts a server on a free port.
pub(crate) fn serve(change: impl FnOnce(&mut Options)) -> Running {
    let mut options = Options { addr: ([127, 0, 0, 1], 0).into(), lazy: true, ..Options::default() };
    options.limits.table_bytes = 1 << 20;
    change(&mut options);
    let server = Server::bind(options).expect("a free port");
    let (addr, stop) = (server.addr(), Arc::new(AtomicBool::new(false)));
    let asked = Arc::clone(&stop);
    let thread =
        std::thread::spawn(move || server.run(move || asked.load(Ordering::Relaxed)).expect("it serves"));
    Running { addr, stop, thread: Some(thread) }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The words of a refusal.
    pub(crate) fn message(&self) -> String {
        let told = self.json();
        assert_eq!(told["error"]["status"], self.status, "{}", self.body);
        told["error"]["message"].as_str().expect("a message").to_string()
    }
}

impl Running {
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.addr).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        stream
    }

    /// Sends a request with these header lines, and reads the answer to its end.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[&str], body: &[u8]) -> Answer {
        let mut stream = self.connect();
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        if !headers.iter().any(|line| line.starts_with("host:")) {
            head += &format!("host: {}\r\n", self.addr);
        }
        if !body.is_empty() {
            head += &format!("content-length: {}\r\n", body.len());
        }
        for line in headers {
            head += &format!("{line}\r\n");
        }
        stream.write_all(format!("{head}\r\n").as_bytes()).expect("the request is sent");
        // A server that refuses early may close before it has read everything.
        let _ = stream.write_all(body);
        read(&mut stream)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], b"")
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Answer {
        self.ask("POST", path, &["content-type: application/json"], body.as_bytes())
    }
}

/// Reads an answer until the server closes.
pub(crate) fn read(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let split = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer with a head");
    let head = String::from_utf8_lossy(&bytes[..split]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|code| code.parse().ok());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(key, value)| (key.to_ascii_lowercase(), value.trim().to_string()))
        .collect();
    let chunked = headers.iter().any(|(key, value)| key == "transfer-encoding" && value == "chunked");
    let rest = &bytes[split + 4..];
    let body = if chunked { unchunked(rest) } else { rest.to_vec() };
    Answer { status: status.expect("a status"), headers, body: String::from_utf8_lossy(&body).into_owned() }
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let size = usize::from_str_radix(String::from_utf8_lossy(&rest[..end]).trim(), 16).unwrap_or(0);
        rest = &rest[end + 2..];
        if size == 0 || rest.len() < size {
            break;
        }
        body.extend_from_slice(&rest[..size]);
        rest = &rest[(size + 2).min(rest.len())..];
    }
    body
}
