//! Clients that want all there is: more connections than are allowed, the largest bodies, bodies
//! without an end, long answers that nobody reads. The memory of the server stays below what its
//! limits add up to, and it goes on.

use crate::client::{self, Server, post};
use crate::place::{self, get, memory, put, succeed, word};
use crate::{Setup, Trial};
use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// As many as the server lets in, some connections left for others.
const ALLOWED: u64 = 240;
/// More than it lets in.
const CLIENTS: u64 = 320;
/// Memory that the server may take, models included.
const LIMIT_MIB: f64 = 2048.0;

/// All of it.
pub fn run(setup: &Setup) -> Trial {
    let place = place::temporary()?;
    let at = |name: &str| word(&place.path().join(name));
    put(&place.path().join("tiny.toml"), crate::mutations::TINY)?;
    succeed(setup, &["train", &at("tiny.toml"), "--run", &at("runs/run")])?;
    // A game of thousands of moves, whose answer is far longer than the request.
    let long = ["evaluate", "--player", "heuristic", "--game", "2048-5x5", "--ply", "1", "--games", "1"];
    succeed(setup, &[&long[..], &["--save", &at("long.jsonl")]].concat())?;
    let long = serde_json::json!({"text": String::from_utf8_lossy(&get(&place.path().join("long.jsonl"))?)});
    let requests = requests(&long.to_string());
    let limit = format!("{LIMIT_MIB}M");
    let (model, runs) = (at("runs/run/model.afterstate"), at("runs"));
    let server = Server::start(setup, &["--model", &model, "--runs", &runs, "--memory-limit", &limit])?;
    let (process, addr) = (server.child.id(), server.addr);
    let before = memory(process, "VmHWM");
    let (stop, sent) = (AtomicBool::new(false), AtomicU64::new(0));
    let half = Duration::from_secs(setup.pick(2, 20));
    let begun = Instant::now();
    let mut health = [Health::default(); 2];
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (stop, sent, request) = (&stop, &sent, &requests[client as usize % requests.len()]);
            scope.spawn(move || {
                while client >= ALLOWED && begun.elapsed() < half {
                    std::thread::sleep(Duration::from_millis(50));
                }
                while !stop.load(Relaxed) {
                    sent.fetch_add(u64::from(press(addr, request, stop)), Relaxed);
                }
            });
        }
        while begun.elapsed() < 2 * half {
            std::thread::sleep(Duration::from_millis(100));
            let now = &mut health[usize::from(begun.elapsed() >= half)];
            let asked = Instant::now();
            now.asked += 1;
            now.answered += u64::from(client::ask(addr, HEALTH) == 200);
            now.slowest = now.slowest.max(asked.elapsed());
        }
        stop.store(true, Relaxed);
    });
    let most = memory(process, "VmHWM");
    let patience = Instant::now();
    let alive = || client::ask(addr, &client::request(0)) == 200;
    while !alive() {
        if patience.elapsed() > Duration::from_secs(60) {
            return Err("a minute after the greedy clients left nobody is answered".into());
        }
    }
    let recovered = patience.elapsed();
    if !server.stop()? {
        return Err("the server did not end well".into());
    }
    let [few, many] = health;
    let told = vec![
        format!(
            "{ALLOWED} greedy clients, then {CLIENTS}, {:.0} s each, {} requests: memory {before:.0} MiB before, when nothing was loaded, at most {most:.0} of {LIMIT_MIB} MiB \
             meanwhile; a usual request was answered {:.1} s after they had left",
            half.as_secs_f64(),
            sent.load(Relaxed),
            recovered.as_secs_f64()
        ),
        format!(
            "health was answered {} of {} times beside {ALLOWED} of them, at the latest after {:.1} s; {} of {} beside {CLIENTS}, \
             more than are let in",
            few.answered,
            few.asked,
            few.slowest.as_secs_f64(),
            many.answered,
            many.asked
        ),
    ];
    let bad = most > LIMIT_MIB || 2 * few.answered < few.asked;
    if bad { Err(told.join("; ")) } else { Ok(told) }
}

/// Answer to a plain question meanwhile.
#[derive(Clone, Copy, Default)]
struct Health {
    asked: u64,
    answered: u64,
    slowest: Duration,
}

const HEALTH: &[u8] = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";

/// Requests: the most that is allowed, and more.
fn requests(long: &str) -> Vec<Vec<u8>> {
    let full = |body: &str| body.to_string() + &" ".repeat((1 << 20) - body.len().min(1 << 20));
    let deep = r#"{"position": "1210/3302/0043/5512", "ply": 20}"#;
    let endless = format!("100000\r\n{}\r\n", " ".repeat(1 << 20)).repeat(8);
    vec![
        post("/api/v1/replay/read", "", long),
        post("/api/v1/replay/read", "", &full(long)),
        post("/api/v1/analyze", "", &full(deep)),
        post("/api/v1/analyze", "transfer-encoding: chunked\r\n", &endless),
        post("/api/v1/play", "", r#"{"moves": 1000, "ply": 1}"#),
        post("/api/v1/play", "", r#"{"game": "threes", "moves": 1000, "ply": 1}"#),
        post("/api/v1/play", "", r#"{"game": "1024-4x3", "moves": 1000, "ply": 1}"#),
        b"GET /api/v1/runs/run/stream HTTP/1.1\r\nhost: localhost\r\n\r\n".to_vec(),
        // Five at once on a connection; no answer is read.
        post("/api/v1/replay/read", "", long).repeat(5),
        format!("GET / HTTP/1.1\r\nhost: localhost\r\nx: {}", "a".repeat(60_000)).into_bytes(),
    ]
}

/// Sends a request and reads nothing, for a few seconds; whether all of it was taken.
fn press(addr: SocketAddr, request: &[u8], stop: &AtomicBool) -> bool {
    let Ok(mut stream) = TcpStream::connect(addr) else { return false };
    let _ = stream.set_write_timeout(Some(Duration::from_secs(3)));
    let sent = stream.write_all(request).is_ok();
    let until = Instant::now() + Duration::from_secs(if sent { 5 } else { 0 });
    while Instant::now() < until && !stop.load(Relaxed) {
        std::thread::sleep(Duration::from_millis(50));
    }
    sent
}
