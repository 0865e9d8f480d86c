//! A server as its operator starts it: ready, its models by name, its log, its memory.

mod common;

use common::Files;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

struct Server {
    child: Child,
    addr: String,
}

impl Server {
    fn start(words: &[&str]) -> Self {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("afterstate"))
            .args(["serve", "--port", "0"])
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let addr = line.trim().strip_prefix("listening on http://").and_then(|rest| rest.strip_suffix('/'));
        Self { addr: addr.expect("an address").into(), child }
    }

    /// The status and the body of an answer.
    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.addr).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + body).as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), body.into())
    }

    fn json(&self, path: &str, asked: &Value) -> Value {
        let (status, body) = match asked {
            Value::Null => self.ask("GET", path, ""),
            asked => self.ask("POST", path, &asked.to_string()),
        };
        assert_eq!(status, 200, "{path} {asked}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    fn wait_until_ready(&self) {
        let until = Instant::now() + Duration::from_secs(120);
        while self.ask("GET", "/readyz", "").0 != 200 {
            assert!(Instant::now() < until, "it is never ready");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Stops it; what it said on standard error.
    fn stop(mut self) -> String {
        let told = Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        assert!(told.success());
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(self.child.wait().unwrap().success());
        said
    }
}

/// The start of a game, for a position to ask about.
fn position(server: &Server, game: &str) -> Value {
    server.json("/api/v1/game", &json!({"game": game, "seed": 1}))["position"].clone()
}

#[test]
fn every_listed_model_answers_by_its_name() {
    let place = Files::new();
    let model = place.model("mine.afterstate", "2048-3x3", "012 345", 300, "");
    let run = std::path::Path::new(&model).with_file_name("runs").join("one");
    std::fs::create_dir_all(&run).unwrap();
    std::fs::write(run.join("config.toml"), "").unwrap();
    common::trained(&run.join("model.afterstate"), "2048-2x3", "012 345", 300, "");
    let runs = place.file("runs");
    let server = Server::start(&["--model", &model, "--runs", &runs, "--log"]);
    server.wait_until_ready();
    let list = || server.json("/api/v1/models", &Value::Null)["models"].as_array().unwrap().clone();
    let of = |all: &[Value], id: &str| all.iter().find(|one| one["id"] == id).cloned().unwrap();
    let all = list();
    let names: Vec<&str> = all.iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!((names[0], of(&all, "mine")["loaded"].as_bool()), ("mine", Some(true)));
    for name in ["builtin:2048", "builtin:threes", "heuristic", "run:one"] {
        assert!(names.contains(&name), "{name} is not in {names:?}");
    }
    assert_eq!(of(&all, "builtin:2048-6x6")["loaded"], false);
    for model in &all {
        let game = model["game"].as_str().unwrap_or("2048");
        let (position, id) = (position(&server, game), &model["id"]);
        let asked = json!({"game": game, "position": position, "model": id, "ply": 1});
        for path in ["/api/v1/analyze", "/api/v2/analyze"] {
            let answer = server.json(path, &asked);
            assert_eq!((&answer["model"], &answer["game"]), (id, &json!(game)), "{path}");
            assert!(answer["best"].is_string(), "{answer}");
            assert_eq!(answer.get("positions").is_some(), path.contains("v1"), "{answer}");
        }
        let played = json!({"game": game, "position": position, "model": id, "ply": 1, "moves": 2});
        assert_eq!(server.json("/api/v1/play", &played)["model"], *id);
    }
    let now = list();
    for (before, now) in all.iter().zip(&now) {
        assert_eq!(before["bytes"], now["bytes"]);
        let is_model = now["kind"] != "heuristic";
        assert_eq!((now["loaded"].as_bool(), now["memory"].is_u64()), (Some(true), is_model), "{now}");
    }
    // Relatives of a game are played by its model, and say so; whose model plays another game does not.
    let half = json!({"game": "1024", "position": "1210/3302/0043/5512"});
    let answer = server.json("/api/v2/analyze", &half);
    assert_eq!((&answer["model"], &answer["usual"]), (&json!("builtin:2048"), &json!(true)));
    let other = json!({"game": "threes", "position": "1210/3302/0043/5512 hint=1", "model": "builtin:2048"});
    let (status, body) = server.ask("POST", "/api/v2/analyze", &other.to_string());
    assert!(status == 422 && body.contains("builtin:2048 does not play threes"), "{status} {body}");
    // Rules that no model learned are warned of, and named.
    let even = json!({"position": "1210/3302/0043/5512", "ply": 1, "variant": {"spawn": "2:.5,4:.5"}});
    let answer = server.json("/api/v2/analyze", &even);
    assert_eq!(answer["variant"]["spawn"], "2:.5,4:.5");
    assert!(answer["warning"].as_str().unwrap().contains("learned 2048"), "{answer}");
    let said = server.stop();
    let lines: Vec<&str> = said.lines().filter(|line| line.contains(" POST /api/v2/analyze 200 ")).collect();
    assert!(lines.len() >= all.len() && lines[0].contains("Z 127.0.0.1 POST "), "{said}");
    assert!(said.contains(" POST /api/v2/analyze 422 ") && said.contains(" GET /readyz "), "{said}");
}

/// A time for all searches, where requests do not say.
#[test]
fn searches_by_time_are_the_usual_ones_where_the_operator_says_so() {
    let server = Server::start(&["--time-per-move", "20ms", "--lazy"]);
    let asked = json!({"game": "2048-3x3", "position": "121/330/004"});
    assert_eq!(server.json("/api/v2/analyze", &asked)["usual"], true);
    let begun = Instant::now();
    let deep = server.json("/api/v2/analyze", &asked)["ply"].as_u64().unwrap();
    assert!(deep > 3 && begun.elapsed() < Duration::from_secs(5), "{deep} plies in {:?}", begun.elapsed());
    server.stop();
}

/// What is wrong with a position is said before a model is opened: here there is no memory for one.
#[test]
#[cfg(target_os = "linux")]
fn a_wrong_position_needs_no_model() {
    let command = assert_cmd::cargo::cargo_bin("afterstate");
    for (words, part) in [
        (&["1210/3302/0043/551"][..], "row 4 has 3 cells"),
        (&["1210/3302/0043/5512", "--game", "threes"][..], "hint"),
        (&["121/330/00", "--model", "builtin:2048-3x3"][..], "row 3 has 2 cells"),
        (&["1210/3302/0043/5512", "--endgames", "/no/such/place"][..], "/no/such/place"),
    ] {
        let mut limited = Command::new("sh");
        limited.args(["-c", "ulimit -v 300000; exec \"$0\" analyze \"$@\""]).arg(&command).args(words);
        let output = limited.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(part), "{words:?}: {said}");
    }
}
