//! Answers of the server: the documented requests, the rules, streams, the old protocol, the
//! headers.

mod client;

use client::{read, serve};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::time::{Duration, Instant};

fn document() -> Value {
    serde_json::from_str(include_str!("../openapi.json")).expect("the document is JSON")
}

#[test]
fn every_documented_request_works_as_its_example_says() {
    let place = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(place.path().join("one")).unwrap();
    std::fs::write(place.path().join("one/config.toml"), "").unwrap();
    std::fs::write(place.path().join("one/report.html"), "").unwrap();
    let server = serve(|options| options.runs = place.path().into());
    let document = document();
    assert_eq!(server.get("/api/v1/openapi.json").json(), document);
    let mut tried = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, about) in methods.as_object().unwrap() {
            let mut address = path.replace("{run}", "one").replace("{file}", "report.html");
            let asked: Vec<String> = about["parameters"]
                .as_array()
                .into_iter()
                .flatten()
                .filter(|one| one["in"] == "query")
                .map(|one| format!("{}={}", one["name"].as_str().unwrap(), one["example"].as_str().unwrap()))
                .collect();
            if !asked.is_empty() {
                address += &format!("?{}", asked.join("&"));
            }
            tried += 1;
            if path.ends_with("/stream") {
                continue; // has no end; tried below
            }
            let body = &about["requestBody"]["content"]["application/json"]["example"];
            let answer = match method.as_str() {
                "get" => server.get(&address),
                _ if body.is_null() => server.ask("POST", &address, &[], b""),
                _ => server.post(&address, &body.to_string()),
            };
            assert_eq!(answer.status, 200, "{method} {address}: {}", answer.body);
            let kinds = about["responses"]["200"]["content"].as_object().unwrap();
            let kind = answer.header("content-type").split(';').next().unwrap().to_string();
            assert!(kinds.contains_key(&kind), "{address} is {kind}");
            if kind == "application/json" {
                let schema = &kinds[&kind]["schema"];
                fits(&document, schema, &answer.json(), &address);
            }
        }
    }
    // All routes are documented: the sources name as many.
    let routes = include_str!("../src/api/mod.rs").matches(".route(\"").count();
    assert_eq!(tried, routes, "a route is not in openapi.json");
}

/// Programs that are generated from the document need a name for each request.
#[test]
fn every_request_has_a_name_of_its_own() {
    let document = document();
    let mut names = std::collections::BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, about) in methods.as_object().unwrap() {
            let name = about["operationId"].as_str().unwrap_or_else(|| panic!("{method} {path} has no name"));
            assert!(names.insert(name), "{name} stands twice");
        }
    }
}

/// The types of requests name the fields they know where one is unknown: the document has the same.
#[test]
fn the_document_has_the_fields_of_the_types() {
    let server = serve(|_| {});
    let document = document();
    let mut checked = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        let content = &methods["post"]["requestBody"]["content"]["application/json"];
        let Some(told) = content["schema"]["properties"].as_object() else { continue };
        for (inside, properties) in told
            .iter()
            .filter_map(|(name, schema)| {
                let schema = schema["$ref"]
                    .as_str()
                    .and_then(|path| path.rsplit('/').next())
                    .map_or(schema, |name| &document["components"]["schemas"][name]);
                Some((Some(name), schema["properties"].as_object()?))
            })
            .chain([(None, told)])
        {
            let mut asked = content["example"].clone();
            match inside {
                Some(name) => asked[name] = json!({"nonsense": 1}),
                None => asked["nonsense"] = json!(1),
            }
            let answer = server.post(path, &asked.to_string());
            assert_eq!(answer.status, 422, "{path}: {}", answer.body);
            let known: std::collections::BTreeSet<String> =
                answer.message().split('`').skip(3).step_by(2).map(String::from).collect();
            let told: std::collections::BTreeSet<String> = properties.keys().cloned().collect();
            assert_eq!(known, told, "{path} {inside:?}: {}", answer.message());
            checked += 1;
        }
    }
    assert_eq!(checked, 15, "requests, and objects within them");
}

#[test]
fn answers_are_compressed_for_those_who_want_it() {
    let server = serve(|_| {});
    for (path, kind) in [("/api/v1/openapi.json", "application/json"), ("/js/words.js", "text/javascript")] {
        let plain = server.get(path);
        assert_eq!(
            (plain.header("content-encoding"), plain.header("vary")),
            ("", "accept-encoding"),
            "{path}"
        );
        let mut stream = server.connect();
        let head = format!(
            "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\naccept-encoding: br, gzip\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut stream, &mut bytes).unwrap();
        let split = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8_lossy(&bytes[..split]).to_lowercase();
        assert!(head.contains("content-encoding: gzip") && head.contains(kind), "{head}");
        assert!(head.contains(&format!("content-length: {}", bytes.len() - split - 4)), "{head}");
        let packed = &bytes[split + 4..];
        assert!(packed.len() * 2 < plain.body.len(), "{} of {}", packed.len(), plain.body.len());
        let deflated = &packed[10..packed.len() - 8];
        let told = miniz_oxide::inflate::decompress_to_vec_with_limit(deflated, 1 << 20).unwrap();
        assert_eq!(String::from_utf8(told).unwrap(), plain.body, "{path}");
        let sum = u32::from_le_bytes(packed[packed.len() - 8..][..4].try_into().unwrap());
        assert_eq!(sum, crc32fast::hash(plain.body.as_bytes()));
    }
    // Too short to gain anything, and streams.
    let short = server.ask("GET", "/healthz", &["accept-encoding: gzip"], b"");
    assert_eq!((short.header("content-encoding"), short.body.as_str()), ("", "ok\n"));
}

/// Checks an answer against its schema: all that is required, nothing that is unknown.
fn fits(document: &Value, schema: &Value, value: &Value, at: &str) {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return fits(document, &document["components"]["schemas"][name], value, at);
    }
    if let Some(parts) = schema["allOf"].as_array() {
        for part in parts {
            let mut open = if let Some(name) = part["$ref"].as_str().and_then(|path| path.rsplit('/').next())
            {
                document["components"]["schemas"][name].clone()
            } else {
                part.clone()
            };
            open["open"] = true.into();
            fits(document, &open, value, at);
        }
        return;
    }
    if let (Some(list), Some(items)) = (value.as_array(), schema.get("items")) {
        list.iter().for_each(|one| fits(document, items, one, at));
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(value.get(name.as_str().unwrap()).is_some(), "{at}: {name} is missing from {value}");
    }
    if let (Some(known), Some(object)) = (schema["properties"].as_object(), value.as_object()) {
        for (name, inner) in object {
            match known.get(name) {
                Some(schema) => fits(document, schema, inner, at),
                None => assert!(schema.get("open").is_some(), "{at}: {name} is not documented"),
            }
        }
    }
}

#[test]
fn a_game_is_played_through_requests() {
    let server = serve(|_| {});
    for game in ["2048", "1024-3x3", "threes", "threes-app", "threes-course-2x3", "2048-8x8", "2048-1x2"] {
        let start = server.post("/api/v1/game", &json!({"game": game, "seed": 5}).to_string()).json();
        let again = server.post("/api/v1/game", &json!({"game": game, "seed": 5}).to_string()).json();
        assert_eq!(start, again, "a seed means one game");
        let mut position = start["position"].as_str().unwrap().to_string();
        let mut legal = start["legal"].as_array().unwrap().clone();
        let mut moves = 0;
        while let Some(direction) = legal.first().filter(|_| moves < 30) {
            let asked = json!({"game": game, "position": position, "move": direction, "seed": moves});
            let all = server.post("/api/v1/outcomes", &asked.to_string()).json();
            let sum: f64 = all["outcomes"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["probability"].as_f64().unwrap())
                .sum();
            assert!((sum - 1.0).abs() < 1e-9, "{game}: {sum}");
            let moved = server.post("/api/v1/move", &asked.to_string()).json();
            let possible = all["outcomes"].as_array().unwrap();
            assert!(possible.iter().any(|one| one["position"] == moved["position"]), "{moved}");
            position = moved["position"].as_str().unwrap().into();
            legal = moved["legal"].as_array().unwrap().clone();
            assert_eq!(moved["over"], legal.is_empty());
            moves += 1;
        }
        assert!(moves > 0);
    }
}

#[test]
fn analysis_is_that_of_the_rules() {
    let server = serve(|_| {});
    let found = server
        .post("/api/v1/analyze", r#"{"game": "2048", "position": "1100/0000/0000/0000", "ply": 1}"#)
        .json();
    let moves = found["moves"].as_array().unwrap();
    assert_eq!(
        moves.iter().map(|m| m["move"].as_str().unwrap()).collect::<Vec<_>>(),
        ["up", "right", "down", "left"]
    );
    assert_eq!(moves[0]["legal"], false);
    assert_eq!((&moves[1]["reward"], &moves[3]["reward"]), (&json!(4), &json!(4)));
    assert_eq!(found["positions"][0]["best"], found["best"]);
    let best = found["best"].as_str().unwrap();
    let losses = moves.iter().filter(|m| m["move"] == best).map(|m| m["loss"].as_f64().unwrap()).sum::<f64>();
    assert_eq!(losses, 0.0);
    // A dead position has no best move.
    let dead = server.post("/api/v1/analyze", r#"{"position": "1212/2121/1212/2121"}"#).json();
    assert_eq!((&dead["best"], &dead["ply"]), (&Value::Null, &json!(0)));
    // A deep search ends in time and says how far it came.
    let server = serve(|options| options.limits.bounds.search_time = Duration::from_millis(200));
    let begun = Instant::now();
    let deep = server.post("/api/v1/analyze", r#"{"position": "1210/3302/0043/5512", "ply": 20}"#).json();
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_eq!(deep["complete"], false);
    assert!(deep["ply"].as_u64().unwrap() >= 1, "{deep}");
}

#[test]
fn replays_go_in_and_out_and_every_move_is_judged() {
    let server = serve(|_| {});
    let played = server
        .post("/api/v1/play", r#"{"game": "2048", "moves": 60, "ply": 1, "model": "heuristic", "seed": 3}"#)
        .json();
    assert_eq!(played["moves"].as_str().unwrap().len(), 60);
    let record = |format: &str| json!({"game": "2048", "start": played["start"], "moves": played["moves"], "spawns": played["spawns"], "format": format});
    for format in ["ours", "league", "verse", "episode"] {
        let written = server.post("/api/v1/replay/write", &record(format).to_string()).json();
        let back = server.post("/api/v1/replay/read", &json!({"text": written["text"]}).to_string());
        assert_eq!(back.status, 200, "{format}: {}", back.body);
        let back = back.json();
        for key in ["start", "moves", "spawns", "positions", "rewards"] {
            assert_eq!(back[key], played[key], "{format}: {key}");
        }
    }
    let mut asked = record("ours");
    asked["effort"] = json!({"ply": 1, "model": "heuristic"});
    let answer = server.post("/api/v1/replay/analyze", &asked.to_string());
    let lines: Vec<Value> = answer.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 61, "{}", answer.body);
    // The player judges its own moves: nothing was lost.
    assert!(lines[..60].iter().all(|line| line["loss"] == 0.0 && line["mistake"] == false));
    assert_eq!((&lines[60]["done"], &lines[60]["best_moves"]), (&json!(true), &json!(60)));
    let threes = server.post("/api/v1/play", r#"{"game": "threes-app", "moves": 40, "ply": 1}"#).json();
    let record = json!({"game": "threes-app", "start": threes["start"], "moves": threes["moves"], "spawns": threes["spawns"]});
    let written = server.post("/api/v1/replay/write", &record.to_string()).json();
    let back = server.post("/api/v1/replay/read", &json!({"text": written["text"]}).to_string()).json();
    assert_eq!(back["moves"], threes["moves"]);
}

#[test]
fn the_old_protocol_is_spoken_verbatim() {
    let server = serve(|_| {});
    let best = server.get("/move?board=EDC1BA9187611111");
    assert_eq!(best.status, 200);
    assert!(["u", "r", "d", "l"].contains(&best.body.as_str()), "{}", best.body);
    assert_eq!(server.get("/move?board=1212212112122121").body, "g");
    // G is the 65536.
    assert_eq!(server.get("/move?board=G000000000000000").status, 200);
    let told = server.ask("POST", "/analyze?board=EDC1BA9187611111&move=u", &[], b"");
    assert_eq!((told.status, told.body.as_str()), (200, ""));
    assert!(told.header("content-type").starts_with("text/plain"));
    assert_eq!(server.get("/move?board=12").status, 400);
}

#[test]
fn responses_forbid_what_the_page_does_not_need() {
    let server = serve(|_| {});
    for path in ["/", "/js/main.js", "/api/v1/models", "/nothing", "/healthz"] {
        let answer = server.get(path);
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{path}");
        assert!(!policy.contains("unsafe-inline"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("x-frame-options"), "DENY", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
    }
    let page = server.get("/");
    let tag = format!("if-none-match: {}", page.header("etag"));
    assert_eq!(server.ask("GET", "/", &[&tag], b"").status, 304);
    assert_eq!(server.get("/healthz").body, "ok\n");
    let metrics = server.get("/metrics").body;
    assert!(metrics.contains("afterstate_requests_total{route=\"/healthz\",status=\"200\"} 2"), "{metrics}");
    assert!(metrics.contains("afterstate_request_seconds_bucket"));
}

#[test]
fn a_run_is_followed_live() {
    let place = tempfile::tempdir().unwrap();
    let run = place.path().join("sweep/one");
    std::fs::create_dir_all(&run).unwrap();
    std::fs::write(run.join("config.toml"), "about = \"x\"\n").unwrap();
    std::fs::write(run.join("train.jsonl"), "{\"games\":1000,\"window\":1000,\"mean\":5.0}\n").unwrap();
    let server = serve(|options| options.runs = place.path().into());
    let listed = server.get("/api/v1/runs").json();
    assert_eq!((&listed["runs"][0]["name"], &listed["runs"][0]["mean"]), (&json!("sweep/one"), &json!(5.0)));
    assert_eq!(server.get("/api/v1/runs/sweep%2Fone").json()["config"], "about = \"x\"\n");
    let mut stream = server.connect();
    write!(stream, "GET /api/v1/runs/sweep%2Fone/stream HTTP/1.1\r\nhost: {}\r\n\r\n", server.addr).unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok).take(300);
    assert!(lines.any(|line| line.contains("\"mean\":5.0")));
    let mut log = std::fs::OpenOptions::new().append(true).open(run.join("train.jsonl")).unwrap();
    log.write_all(b"{\"games\":2000,\"window\":1000,\"mean\":6.0}\n").unwrap();
    assert!(lines.any(|line| line.contains("\"mean\":6.0")));
    // A line that is far too long is left out, and the next one comes.
    let long = format!("{{\"games\":2500,\"note\":\"{}\"}}\n", "x".repeat(600 << 10));
    log.write_all(long.as_bytes()).unwrap();
    log.write_all(b"{\"games\":3000,\"window\":1000,\"mean\":7.0}\n").unwrap();
    assert!(lines.any(|line| line.contains("\"mean\":7.0")));
    // Whoever comes back goes on where it was.
    drop(lines);
    drop(stream);
    let mut stream = server.connect();
    write!(
        stream,
        "GET /api/v1/runs/sweep%2Fone/stream HTTP/1.1\r\nhost: {}\r\nlast-event-id: 40\r\n\r\n",
        server.addr
    )
    .unwrap();
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok).take(300);
    let first = lines.find(|line| line.starts_with("data: {\"games\"")).unwrap();
    assert!(first.contains("2000"), "{first}");
}

#[test]
fn a_full_queue_says_busy_and_health_is_answered_all_the_while() {
    let server = serve(|options| {
        options.limits.searches = 1;
        (options.limits.queue, options.limits.long_queue) = (1, 1);
        options.limits.bounds.search_time = Duration::from_secs(3);
    });
    let slow = r#"{"position": "1210/3302/0043/5512", "time_ms": 1500}"#;
    let answers: Vec<(u16, String)> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..6)
            .map(|_| {
                scope.spawn(|| {
                    let answer = server.post("/api/v1/analyze", slow);
                    (answer.status, answer.header("retry-after").to_string())
                })
            })
            .collect();
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(server.get("/healthz").status, 200);
        asked.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let busy = answers.iter().filter(|(status, retry)| *status == 503 && retry == "1").count();
    let served = answers.iter().filter(|(status, _)| *status == 200).count();
    assert!(busy >= 3 && served >= 1 && busy + served == 6, "{answers:?}");
    assert!(server.get("/metrics").body.contains(&format!("afterstate_busy_total {busy}")));
}

#[test]
fn a_client_that_leaves_takes_its_search_along() {
    let server = serve(|options| {
        options.limits.searches = 1;
        options.limits.bounds.search_time = Duration::from_secs(60);
    });
    // The model is loaded before the clock runs.
    let quick = r#"{"game": "2048-3x3", "position": "121/330/004", "ply": 1}"#;
    assert_eq!(server.post("/api/v1/analyze", quick).status, 200);
    let body = r#"{"game": "2048-3x3", "position": "121/330/004", "time_ms": 60000}"#;
    let mut stream = server.connect();
    write!(
        stream,
        "POST /api/v1/analyze HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        server.addr,
        body.len()
    )
    .unwrap();
    std::thread::sleep(Duration::from_millis(200));
    drop(stream);
    let begun = Instant::now();
    let next = server.post("/api/v1/analyze", quick);
    assert_eq!(next.status, 200);
    assert!(begun.elapsed() < Duration::from_secs(20), "the search went on for nobody");
}

#[test]
fn several_requests_share_a_connection_and_too_many_connections_are_refused() {
    let server = serve(|options| options.limits.connections = 2);
    let mut first = server.connect();
    for _ in 0..3 {
        write!(first, "GET /healthz HTTP/1.1\r\nhost: {}\r\n\r\n", server.addr).unwrap();
        let mut lines = BufReader::new(first.try_clone().unwrap()).lines().map_while(Result::ok).take(300);
        assert_eq!(lines.next().unwrap(), "HTTP/1.1 200 OK");
        assert!(lines.any(|line| line == "ok"));
    }
    let _second = server.connect();
    std::thread::sleep(Duration::from_millis(100));
    let answer = read(&mut server.connect());
    assert_eq!(answer.status, 503);
    assert!(answer.message().contains("too many connections"));
}

/// Chances of endgame tables are told for positions that a table knows, and for no others.
#[test]
fn endgame_tables_tell_the_chances_of_moves() {
    use afterstate_lab::{endgames, variant::ConfiguredGame};
    let place = tempfile::tempdir().unwrap();
    let game = ConfiguredGame::parse("2048-3x3", Default::default()).unwrap();
    let rules = endgames::rules(&game.rules).unwrap();
    let held = afterstate::endgame::Formation::parse(rules.shape, "##./.../...", 5).unwrap();
    endgames::make(place.path(), rules, held, 1, &mut |_, _| std::ops::ControlFlow::Continue(())).unwrap();
    let server = serve(|options| options.endgames = Some(place.path().into()));
    let ask = |game: &str, position: &str| {
        let asked = json!({ "game": game, "position": position, "ply": 1 }).to_string();
        let answer = server.post("/api/v1/analyze", &asked);
        assert_eq!(answer.status, 200, "{}", answer.body);
        let document = document();
        let path = "/api/v1/analyze";
        let content = &document["paths"][path]["post"]["responses"]["200"]["content"];
        fits(&document, &content["application/json"]["schema"], &answer.json(), path);
        answer.json()
    };
    let known = ask("2048-3x3", "651/200/000");
    assert_eq!(known["endgame_tile"], 32, "{known}");
    let chances: Vec<f64> =
        known["moves"].as_array().unwrap().iter().filter_map(|found| found["chance"].as_f64()).collect();
    assert!(!chances.is_empty() && chances.iter().all(|chance| (0.0..=1.0).contains(chance)), "{known}");
    assert!(chances.iter().any(|&chance| chance > 0.5), "{known}");
    for (game, position) in [("2048-3x3", "123/000/000"), ("2048-2x2", "12/00")] {
        let unknown = ask(game, position);
        assert!(unknown.get("endgame_tile").is_none(), "{unknown}");
        assert!(unknown["moves"].as_array().unwrap().iter().all(|found| found.get("chance").is_none()));
    }
}

/// Whoever balances load sends nobody before the player of the first game is there.
#[test]
fn a_server_is_ready_when_its_player_is() {
    let place = tempfile::tempdir().unwrap();
    let small = |options: &mut afterstate_serve::Options| options.runs = place.path().to_owned();
    assert_eq!(serve(small).get("/readyz").status, 200, "a lazy one is ready at once");
    let path = place.path().join("m.afterstate");
    let network = afterstate::network::Network::new(
        afterstate::network::Structure::tuples(afterstate::grid::Shape::FOUR, "0123", 12).unwrap(),
    );
    let model = afterstate_lab::model::Model {
        network,
        metadata: Default::default(),
        sums: Vec::new(),
        visits: Vec::new(),
    };
    afterstate_lab::model::save(&path, &model, afterstate_lab::model::Format::Ours).unwrap();
    let server = serve(|options| {
        small(options);
        options.lazy = false;
        options.models = vec![path];
    });
    let until = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while server.get("/readyz").status != 200 {
        assert!(std::time::Instant::now() < until);
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(server.get("/healthz").status, 200);
}

/// Links inside a run lead nowhere, pipes stop nobody.
#[cfg(unix)]
#[test]
fn links_and_pipes_in_a_run_are_not_followed() {
    let place = tempfile::tempdir().unwrap();
    let runs = place.path().join("runs");
    std::fs::create_dir_all(runs.join("x/eval")).unwrap();
    std::fs::write(place.path().join("secret"), "{\"secret\": 7}").unwrap();
    for name in ["meta.json", "report.html", "eval/1.json"] {
        std::os::unix::fs::symlink(place.path().join("secret"), runs.join("x").join(name)).unwrap();
    }
    std::fs::write(runs.join("x/config.toml"), "").unwrap();
    let made = std::process::Command::new("mkfifo").arg(runs.join("x/train.jsonl")).status();
    assert!(made.is_ok_and(|status| status.success()));
    let server = serve(|options| options.runs = runs);
    // More requests than there are threads for files: with one that waits for a pipe all would hang.
    for _ in 0..20 {
        let list = server.get("/api/v1/runs");
        assert_eq!(list.status, 200);
        assert_eq!(list.json()["runs"][0]["name"], "x");
    }
    let details = server.get("/api/v1/runs/x");
    assert_eq!(details.status, 200);
    assert!(!details.body.contains("secret"), "{}", details.body);
    for file in ["report.html", "eval/1.json"] {
        assert_eq!(server.get(&format!("/api/v1/runs/x/files/{file}")).status, 404);
    }
    let hint = r#"{"position": "1210/3302/0043/5512", "ply": 1, "model": "heuristic"}"#;
    assert_eq!(server.post("/api/v1/analyze", hint).status, 200);
}
