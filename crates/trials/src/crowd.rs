//! Honest clients among hostile ones, and a limit on memory: every hint comes soon, nothing dies,
//! the limit holds.
//!
//! Hostile clients send whole games to be analysed and do not read, or read slowly, ask for every
//! game in every variant, for twenty plies, send bodies without an end. Half of them come from this
//! machine's own name, as behind a proxy, where addresses tell nobody apart; half from its address
//! in the network, which is one client to the server. Honest ones ask for hints, and one for the
//! analysis of games, which it reads.

use crate::client::{self, Server, post};
use crate::place::{self, get, memory, succeed, word};
use crate::{Setup, Trial};
use afterstate::random::Random;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream, UdpSocket};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Memory that the server may take.
const LIMIT_MIB: f64 = 2048.0;
const HOSTILE: u64 = 48;
const HONEST: u64 = 4;
/// Time between two hints of a client.
const PAUSE: Duration = Duration::from_millis(100);
/// Promise: 99 of 100 hints come within this time.
const SOON: Duration = Duration::from_millis(200);

/// Games, each with a position; hints are asked for in the first few.
const GAMES: [(&str, &str); 9] = [
    ("2048", "1210/3302/0043/5512"),
    ("threes", "1210/3302/0043/4412 hint=1"),
    ("2048-3x3", "121/330/004"),
    ("1024", "1210/3302/0043/5512"),
    ("2048-4x3", "121/330/004/551"),
    ("2048-3x4", "1210/3302/0043"),
    ("2048-5x5", "12100/33020/00430/55120/00010"),
    ("2048-6x6", "121000/330200/004300/551200/000100/000000"),
    ("threes-app", "1210/3302/0043/4412 hint=1"),
];
const HINTED: usize = 3;

/// All of it.
pub fn run(setup: &Setup) -> Trial {
    let place = place::temporary()?;
    let at = |name: &str| word(&place.path().join(name));
    let games = |name: &str, words: &[&str]| -> Result<String, String> {
        let command =
            ["evaluate", "--player", "heuristic", "--ply", "1", "--games", "1", "--save", &at(name)];
        succeed(setup, &[&command[..], words].concat())?;
        let text = String::from_utf8_lossy(&get(&place.path().join(name))?).into_owned();
        Ok(json!({ "text": text }).to_string())
    };
    let (long, short) =
        (games("long.jsonl", &["--game", "2048-5x5"])?, games("short.jsonl", &["--game", "2048-3x3"])?);
    let limit = format!("{LIMIT_MIB}M");
    let server = Server::start_at(setup, "0.0.0.0:0", &["--runs", &at("runs"), "--memory-limit", &limit])?;
    let process = server.child.id();
    let near = SocketAddr::from((Ipv4Addr::LOCALHOST, server.addr.port()));
    let far = SocketAddr::new(own_address(), near.port());
    // The first hint of each game waits for its model.
    let first = Instant::now();
    let mut game = 0;
    while game < HINTED {
        match client::ask(near, &hint(GAMES[game])) {
            200 => game += 1,
            503 if first.elapsed() < Duration::from_secs(300) => {}
            status => return Err(format!("the first hint in {} got {status}", GAMES[game].0)),
        }
    }
    let first = first.elapsed();
    let [long, short] = [long, short].map(|text| analysis(near, &text));
    let (long, short) = (long?, short?);

    let (stop, sent, replays) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let hints = Mutex::new(Vec::new());
    let refused = Mutex::new(BTreeMap::<u16, u64>::new());
    let time = Duration::from_secs(setup.pick(5, 600));
    let mut lasted = true;
    std::thread::scope(|scope| {
        for client in 0..HOSTILE {
            let (stop, sent, long) = (&stop, &sent, &long);
            let addr = if client % 2 == 0 { near } else { far };
            scope.spawn(move || {
                let mut random = Random::new(client);
                while !stop.load(Relaxed) {
                    harm(addr, client / 2, long, &mut random, stop);
                    sent.fetch_add(1, Relaxed);
                }
            });
        }
        for client in 0..HONEST {
            let (stop, hints, refused) = (&stop, &hints, &refused);
            scope.spawn(move || {
                let mut random = Random::new(1000 + client);
                while !stop.load(Relaxed) {
                    let asked = Instant::now();
                    let status = client::ask(near, &hint(GAMES[random.below(HINTED as u64) as usize]));
                    if status == 200 {
                        hints.lock().expect("nobody panics").push(asked.elapsed());
                    } else {
                        *refused.lock().expect("nobody panics").entry(status).or_default() += 1;
                    }
                    std::thread::sleep(PAUSE);
                }
            });
        }
        scope.spawn(|| {
            while !stop.load(Relaxed) {
                replays.fetch_add(u64::from(client::ask(near, &short) == 200), Relaxed);
                std::thread::sleep(PAUSE);
            }
        });
        let begun = Instant::now();
        while begun.elapsed() < time && lasted {
            std::thread::sleep(Duration::from_millis(200));
            lasted = memory(process, "VmRSS") > 0.0;
        }
        stop.store(true, Relaxed);
    });
    let most = memory(process, "VmHWM");
    if !lasted || !server.stop()? {
        return Err("the server did not last".into());
    }
    let mut hints = hints.into_inner().map_err(|_| "a client panicked")?;
    let refused = refused.into_inner().map_err(|_| "a client panicked")?;
    hints.sort_unstable();
    let share = |percent: usize| hints.get(hints.len() * percent / 100).copied().unwrap_or(Duration::MAX);
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let told = format!(
        "{HOSTILE} hostile clients for {:.0} s, {} requests, {LIMIT_MIB} MiB allowed: at most {most:.0} MiB; {} honest \
         hints were answered, {refused:?} not (by status): median {:.1} ms, 99 % within {:.1} ms, the last after {:.1} ms; {} games \
         analysed meanwhile; the first hints of {HINTED} games, their models included, took {:.1} s",
        time.as_secs_f64(),
        sent.load(Relaxed),
        hints.len(),
        milliseconds(share(50)),
        milliseconds(share(99)),
        milliseconds(*hints.last().unwrap_or(&Duration::MAX)),
        replays.load(Relaxed),
        first.as_secs_f64()
    );
    // Five seconds beside all other tests of a machine say nothing about times.
    let late = !setup.short && share(99) > SOON;
    let bad =
        late || most > LIMIT_MIB || !refused.is_empty() || hints.is_empty() || replays.load(Relaxed) == 0;
    if bad { Err(told) } else { Ok(vec![told]) }
}

/// The address of this machine in its network, if it has one.
fn own_address() -> IpAddr {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0));
    let found = socket.and_then(|socket| {
        // Nothing is sent: this only asks which way it would go.
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        Ok(socket.local_addr()?.ip())
    });
    found.unwrap_or(Ipv4Addr::LOCALHOST.into())
}

fn hint((game, position): (&str, &str)) -> Vec<u8> {
    let body = json!({ "game": game, "position": position }).to_string();
    post("/api/v1/analyze", "connection: close\r\n", &body)
}

/// The request to analyse a game that is told as a text.
fn analysis(addr: SocketAddr, text: &str) -> Result<Vec<u8>, String> {
    let (status, told) = client::fetch(addr, &post("/api/v1/replay/read", "connection: close\r\n", text));
    let track: serde_json::Value =
        serde_json::from_str(&told).map_err(|_| format!("a replay was read with {status}: {told}"))?;
    let field = |name: &str| track[name].clone();
    let body = json!({
        "game": field("game"), "start": field("start"), "moves": field("moves"), "spawns": field("spawns"),
    });
    Ok(post("/api/v1/replay/analyze", "connection: close\r\n", &body.to_string()))
}

/// One request of a hostile client.
fn harm(addr: SocketAddr, kind: u64, long: &[u8], random: &mut Random, stop: &AtomicBool) {
    let close = "connection: close\r\n";
    match kind % 6 {
        0 => hold(addr, long, stop),
        1 => read_slowly(addr, long, stop),
        2 | 3 => {
            let (game, position) = GAMES[random.below(GAMES.len() as u64) as usize];
            let variant = match random.below(3) {
                0 => json!({}),
                1 => json!({ "start_tiles": 1 + random.below(8) }),
                _ => json!({ "merge_cap": 2048 << random.below(4) }),
            };
            let body =
                json!({ "game": game, "position": position, "variant": variant, "ply": 1 + random.below(3) });
            client::ask(addr, &post("/api/v1/analyze", close, &body.to_string()));
        }
        4 => {
            let (game, position) = GAMES[random.below(GAMES.len() as u64) as usize];
            let body = json!({ "game": game, "position": position, "ply": 20 }).to_string();
            client::ask(addr, &post("/api/v1/analyze", close, &body));
        }
        _ => {
            let endless = format!("100000\r\n{}\r\n", " ".repeat(1 << 20)).repeat(8);
            hold(addr, &post("/api/v1/analyze", "transfer-encoding: chunked\r\n", &endless), stop);
        }
    }
}

/// Sends a request and reads nothing.
fn hold(addr: SocketAddr, request: &[u8], stop: &AtomicBool) {
    let Ok(mut stream) = TcpStream::connect(addr) else { return };
    let _ = stream.set_write_timeout(Some(Duration::from_secs(3)));
    let _ = stream.write_all(request);
    let until = Instant::now() + Duration::from_secs(10);
    while Instant::now() < until && !stop.load(Relaxed) {
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Sends a request and reads a few bytes now and then.
fn read_slowly(addr: SocketAddr, request: &[u8], stop: &AtomicBool) {
    let Ok(mut stream) = TcpStream::connect(addr) else { return };
    let _ = stream.set_read_timeout(Some(Duration::from_secs(3)));
    let _ = stream.write_all(request);
    let mut piece = [0; 512];
    let until = Instant::now() + Duration::from_secs(20);
    while Instant::now() < until && !stop.load(Relaxed) {
        if stream.read(&mut piece).is_ok_and(|read| read == 0) {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
