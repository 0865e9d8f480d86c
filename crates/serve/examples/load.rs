//! Load on a server that runs on this machine: latency alone, then many clients at once.
//!
//! ```text
//! afterstate serve --addr 127.0.0.1:2048 &
//! cargo run --release -p afterstate-serve --example load -- 127.0.0.1:2048 64 30
//! ```
//! The arguments are the address, the number of clients and the seconds. Nothing but loopback is
//! asked.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// One connection that is kept.
struct Client {
    stream: BufReader<TcpStream>,
    addr: SocketAddr,
}

impl Client {
    fn connect(addr: SocketAddr) -> std::io::Result<Self> {
        let stream = TcpStream::connect(addr)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        Ok(Self { stream: BufReader::new(stream), addr })
    }

    /// Status and body of one request.
    fn ask(&mut self, method: &str, path: &str, body: &str) -> std::io::Result<(u16, Vec<u8>)> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.addr,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let (mut status, mut length, mut line) = (0, 0, String::new());
        loop {
            line.clear();
            if self.stream.read_line(&mut line)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            let text = line.trim_end();
            if text.is_empty() {
                break;
            }
            if let Some(rest) = text.strip_prefix("HTTP/1.1 ") {
                status = rest.split(' ').next().and_then(|code| code.parse().ok()).unwrap_or(0);
            }
            if let Some(value) = text.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer)?;
        Ok((status, answer))
    }
}

/// Different positions, early to late, of several games: a table that was asked once knows the
/// answer.
fn positions(client: &mut Client) -> std::io::Result<Vec<String>> {
    let mut found = std::collections::BTreeSet::new();
    let mut from = serde_json::Value::Null;
    for seed in 1..=40 {
        let body =
            serde_json::json!({"game": "2048", "position": from, "moves": 500, "ply": 1, "seed": seed});
        let (status, answer) = client.ask("POST", "/api/v1/play", &body.to_string())?;
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&answer));
        let answer: serde_json::Value = serde_json::from_slice(&answer)?;
        let all = answer["positions"].as_array().cloned().unwrap_or_default();
        let over = answer["over"] == true;
        from = all.last().filter(|_| !over).cloned().unwrap_or_default();
        found.extend(all.iter().filter_map(|one| one.as_str().map(String::from)));
    }
    // In an order that has nothing to do with the game's.
    let mut shuffled: Vec<String> = found.into_iter().collect();
    let mut random = afterstate::random::Random::new(1);
    for i in (1..shuffled.len()).rev() {
        shuffled.swap(i, random.below(i as u64 + 1) as usize);
    }
    Ok(shuffled)
}

fn request(position: &str, ply: u8) -> String {
    format!(r#"{{"game": "2048", "position": "{position}", "ply": {ply}}}"#)
}

/// Milliseconds at a share of the sorted times.
fn at(times: &[Duration], share: f64) -> f64 {
    let index = ((times.len() as f64 - 1.0) * share).round().max(0.0) as usize;
    times.get(index).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
}

fn told(name: &str, mut times: Vec<Duration>) {
    times.sort();
    println!(
        "{name:<28} {:>8} answers   median {:>8.3} ms   90 % {:>8.3} ms   99 % {:>8.3} ms   worst {:>8.3} ms",
        times.len(),
        at(&times, 0.5),
        at(&times, 0.9),
        at(&times, 0.99),
        at(&times, 1.0)
    );
}

fn memory(client: &mut Client) -> std::io::Result<f64> {
    let (_, page) = client.ask("GET", "/metrics", "")?;
    let page = String::from_utf8_lossy(&page).into_owned();
    let line = page.lines().find_map(|line| line.strip_prefix("process_resident_memory_bytes "));
    Ok(line.and_then(|bytes| bytes.parse::<f64>().ok()).unwrap_or(0.0) / f64::from(1 << 20))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let addr: SocketAddr = args.next().unwrap_or_else(|| "127.0.0.1:2048".into()).parse()?;
    let clients: usize = args.next().map_or(Ok(64), |text| text.parse())?;
    let seconds: u64 = args.next().map_or(Ok(30), |text| text.parse())?;
    if !addr.ip().is_loopback() || !(1..=1000).contains(&clients) || seconds > 3600 {
        return Err("only a server on this machine is asked, by up to 1000 clients for up to an hour".into());
    }
    let mut client = Client::connect(addr)?;
    let positions = positions(&mut client)?;
    println!("{} positions", positions.len());
    for ply in [1, 2, 3] {
        let mut times = Vec::new();
        let end = Instant::now() + Duration::from_secs(5);
        let part = positions.len() / 3;
        let mine = &positions[part * (usize::from(ply) - 1)..part * usize::from(ply)];
        for position in mine.iter().take_while(|_| Instant::now() < end) {
            let body = request(position, ply);
            let begun = Instant::now();
            let (status, _) = client.ask("POST", "/api/v1/analyze", &body)?;
            assert_eq!(status, 200);
            times.push(begun.elapsed());
        }
        told(&format!("{ply}-ply, one client"), times);
    }
    let before = memory(&mut client)?;
    let end = Instant::now() + Duration::from_secs(seconds);
    let (mut statuses, mut times, mut broken) = (BTreeMap::<u16, u64>::new(), Vec::new(), 0);
    let (health, curve) = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..clients)
            .map(|n| {
                let positions = &positions;
                scope.spawn(move || {
                    let (mut statuses, mut times, mut broken) =
                        (BTreeMap::<u16, u64>::new(), Vec::new(), 0u64);
                    let Ok(mut client) = Client::connect(addr) else { return (statuses, times, 1) };
                    // Every client asks for another mixture of depths.
                    for (i, position) in positions.iter().cycle().skip(n * 97).enumerate() {
                        if Instant::now() >= end {
                            break;
                        }
                        let ply = 1 + ((i + n) % 3) as u8;
                        let begun = Instant::now();
                        match client.ask("POST", "/api/v1/analyze", &request(position, ply)) {
                            Ok((status, _)) => {
                                *statuses.entry(status).or_default() += 1;
                                times.push(begun.elapsed());
                            }
                            Err(_) => {
                                broken += 1;
                                match Client::connect(addr) {
                                    Ok(again) => client = again,
                                    Err(_) => break,
                                }
                            }
                        }
                    }
                    (statuses, times, broken)
                })
            })
            .collect();
        let (mut health, mut curve) = (Vec::new(), Vec::new());
        let mut prober = Client::connect(addr).expect("one more client");
        while Instant::now() < end {
            let begun = Instant::now();
            if prober.ask("GET", "/healthz", "").is_ok_and(|(status, _)| status == 200) {
                health.push(begun.elapsed());
            }
            curve.push(memory(&mut prober).unwrap_or(0.0));
            std::thread::sleep(Duration::from_millis(100));
        }
        for worker in workers {
            let (found, mine, lost) = worker.join().expect("a client");
            for (status, count) in found {
                *statuses.entry(status).or_default() += count;
            }
            times.extend(mine);
            broken += lost;
        }
        (health, curve)
    });
    let answers = times.len();
    told(&format!("1-3 ply, {clients} clients"), times);
    told("health under that load", health);
    println!(
        "{:.0} answers a second; statuses {statuses:?}; broken connections {broken}",
        answers as f64 / seconds as f64
    );
    let tenth = |n: usize| curve.get(curve.len() * n / 10).copied().unwrap_or(0.0);
    println!(
        "memory: {before:.1} MiB before, {:.1} after a tenth, {:.1} half-way, {:.1} at the end",
        tenth(1),
        tenth(5),
        curve.last().copied().unwrap_or(0.0)
    );
    Ok(())
}
