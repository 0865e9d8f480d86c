//! The engine in a browser plays the games of the engine on this machine, move by move.
//!
//! `tools/wasm` builds the module as it is now, Node runs it. Both sides are asked the same; every
//! answer must be the same to the last letter.

use afterstate_lab::api::{self, Bounds, Chosen, Play};
use afterstate_lab::engine::{Engine, EngineOptions};
use afterstate_lab::variant::{ConfiguredGame, Variant};
use afterstate_wasm::service::Service;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn model(name: &str) -> PathBuf {
    root().join(format!("models/{name}.afterstate"))
}

/// The module in Node.
struct Browser {
    node: Child,
    asked: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Browser {
    /// Builds the module, and starts it with a model.
    fn start(model: &Path) -> Self {
        let built = Command::new(root().join("tools/wasm")).output().expect("tools/wasm can be run");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let mut node = Command::new("node")
            .arg(root().join("crates/wasm/tests/play.mjs"))
            .arg(root().join("crates/serve/engine/afterstate.wasm"))
            .args([model, Path::new("talk")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Node runs the module: install it (nodejs), version 20 or later");
        let (asked, said) = (node.stdin.take().unwrap(), node.stdout.take().unwrap());
        Self { node, asked, answers: BufReader::new(said).lines() }
    }

    fn answer(&mut self, path: &str, body: &str) -> (u16, String) {
        writeln!(self.asked, "{path} {body}").unwrap();
        let line = self.answers.next().expect("an answer").unwrap();
        let (status, text) = line.split_once(' ').unwrap();
        (status.parse().unwrap(), text.into())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.node.kill();
        let _ = self.node.wait();
    }
}

/// Both sides.
struct Pair {
    here: Service,
    there: Browser,
}

impl Pair {
    fn with(name: &str) -> Self {
        let mut here = Service::default();
        here.add_model("model", &std::fs::read(model(name)).unwrap()).unwrap();
        Self { here, there: Browser::start(&model(name)) }
    }

    /// Asks both; the answer, if it is one and the same.
    fn ask(&mut self, path: &str, body: &Value) -> Result<Value, String> {
        let body = body.to_string();
        let here = match self.here.answer(path, body.as_bytes()) {
            Ok(answer) => (200, String::from_utf8(answer).unwrap()),
            Err(problem) => (problem.status, problem.message),
        };
        let there = self.there.answer(path, &body);
        // How much memory weights take depends on the pages of the system.
        let alike = |(status, text): &(u16, String)| (*status, without_memory(text));
        assert_eq!(alike(&here), alike(&there), "{path} {body}");
        if here.0 == 200 { Ok(serde_json::from_str(&here.1).unwrap()) } else { Err(here.1) }
    }

    /// Plays a game of at most so many moves, a request for each: its moves, what chance did, and
    /// where it began.
    fn play(&mut self, asked: &Value, most: u64) -> (String, Vec<Value>, String) {
        let start = self.ask("game", &pick(asked, &["game", "seed"])).unwrap();
        let start = start["position"].as_str().unwrap().to_string();
        let (mut moves, mut spawns, mut position) = (String::new(), Vec::new(), start.clone());
        for number in 0..most {
            let mut body = asked.clone();
            body["seed"] = json!(asked["seed"].as_u64().unwrap() + number);
            body["position"] = json!(position);
            body["moves"] = json!(1);
            let track = self.ask("play", &body).unwrap();
            moves.push_str(track["moves"].as_str().unwrap());
            spawns.extend(track["spawns"].as_array().unwrap().iter().cloned());
            match track["positions"].as_array().unwrap().last() {
                Some(next) => position = next.as_str().unwrap().into(),
                None => break,
            }
        }
        (moves, spawns, start)
    }
}

/// A list of models with no word about their memory; other answers as they are.
fn without_memory(text: &str) -> String {
    let Ok(mut answer) = serde_json::from_str::<Value>(text) else { return text.into() };
    match answer.get_mut("models").and_then(Value::as_array_mut) {
        Some(models) => models.iter_mut().for_each(|model| model["memory"] = Value::Null),
        None => return text.into(),
    }
    answer.to_string()
}

fn pick(from: &Value, keys: &[&str]) -> Value {
    keys.iter().map(|&key| (key.to_string(), from[key].clone())).collect::<serde_json::Map<_, _>>().into()
}

#[test]
fn twenty_games_are_the_same_move_by_move() {
    let mut pair = Pair::with("2048-3x3");
    let own = Engine::open_for_analysis(&EngineOptions {
        game: Some(ConfiguredGame::parse("2048-3x3", Variant::default()).unwrap()),
        ..EngineOptions::default()
    })
    .unwrap();
    for game in 0..10 {
        let asked = json!({ "game": "2048-3x3", "ply": 3, "seed": 1000 * game });
        let (moves, spawns, start) = pair.play(&asked, 10_000);
        assert!(moves.len() > 20, "{moves}");
        // The program's own engine, with its weights in another form, would make these moves.
        let mut position = start.clone();
        for (number, made) in moves.chars().enumerate() {
            let body = json!({ "game": "2048-3x3", "ply": 3, "moves": 1, "position": position,
                "seed": 1000 * game + number as u64 });
            let asked: Play = api::parse(body.to_string().as_bytes()).unwrap();
            let chosen = Chosen { engine: &own, id: "own" };
            let bounds = Bounds::default();
            let rules = asked.checked(&bounds).unwrap();
            let track =
                serde_json::to_value(api::play(&asked, &rules, chosen, &bounds, None).unwrap()).unwrap();
            assert_eq!(track["moves"], made.to_string());
            position = track["positions"][0].as_str().unwrap().into();
        }
        if game < 2 {
            let record = json!({ "game": "2048-3x3", "start": start, "moves": moves, "spawns": spawns,
                "effort": { "ply": 3 } });
            let ticket = pair.ask("replay/analyze", &record).unwrap();
            assert_eq!(judged(&mut pair, &ticket), moves.len());
        }
    }
    // A large board, a game whose player needs no model, and one with announced tiles.
    for (game, ply, most) in [("2048", 2, 60), ("2048-5x5", 1, 40), ("threes", 2, 40)] {
        for seed in 0..3 {
            let (moves, ..) = pair.play(&json!({ "game": game, "ply": ply, "seed": 100 * seed }), most);
            assert_eq!(moves.len() as u64, most, "{game}");
        }
    }
    pair.play(&json!({ "game": "1024-3x3", "ply": 2, "seed": 5 }), 100);
}

/// Reads all lines of a judgement, which come in pieces that depend on the clock.
fn judged(pair: &mut Pair, ticket: &Value) -> usize {
    let mut both = [Vec::new(), Vec::new()];
    let body = ticket.to_string();
    for (side, lines) in both.iter_mut().enumerate() {
        loop {
            let answer = match side {
                0 => String::from_utf8(pair.here.answer("replay/lines", body.as_bytes()).unwrap()).unwrap(),
                _ => pair.there.answer("replay/lines", &body).1,
            };
            let answer: Value = serde_json::from_str(&answer).unwrap();
            lines.extend(answer["lines"].as_array().unwrap().iter().cloned());
            if answer["more"] != json!(true) {
                break;
            }
        }
    }
    let [here, there] = both;
    assert_eq!(here, there);
    assert_eq!(here.last().unwrap()["done"], json!(true));
    here.len() - 1
}

#[test]
fn all_requests_are_answered_alike() {
    let mut pair = Pair::with("2048-6x6");
    let position = "1210/3302/0043/5512";
    pair.ask("models", &json!({})).unwrap();
    pair.ask("position", &json!({ "position": position })).unwrap();
    pair.ask("move", &json!({ "position": position, "move": "left", "seed": 4 })).unwrap();
    pair.ask("outcomes", &json!({ "position": position, "move": "up" })).unwrap();
    pair.ask("analyze", &json!({ "position": position, "ply": 3 })).unwrap();
    let text = "me@1700|01F2#U41[4](12)#R02|N/A@1800";
    let read = pair.ask("replay/read", &json!({ "text": text })).unwrap();
    let mut record = pick(&read, &["game", "start", "moves", "spawns"]);
    record["format"] = json!("league");
    pair.ask("replay/write", &record).unwrap();
    for (path, body, word) in [
        ("nothing", json!({}), "no request"),
        ("position", json!({ "position": "nonsense" }), "the position"),
        ("move", json!({ "position": position, "move": "sideways" }), "up, right, down or left"),
        ("analyze", json!({ "position": position, "model": "magnus" }), "no model 'magnus'"),
        ("analyze", json!({ "position": position, "model": "model" }), "plays 2048-6x6"),
        ("analyze", json!({ "position": position, "ply": 99 }), "99"),
        ("replay/lines", json!({ "number": 7 }), "another game"),
    ] {
        let said = pair.ask(path, &body).unwrap_err();
        assert!(said.contains(word), "{path}: {said}");
    }
    // A request that is no JSON, and an engine that goes on after it.
    assert_eq!(pair.there.answer("position", "{").0, 400);
    pair.ask("models", &json!({})).unwrap();
}
