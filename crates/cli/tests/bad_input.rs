//! Bad input gets one clear line and exit status 1 or 2, never a panic.

mod common;

/// Arguments, exit status, a word the line must hold.
#[rustfmt::skip]
const CASES: &[(&[&str], i32, &str)] = &[
    // Commands and options.
    (&["frobnicate"], 2, "frobnicate"),
    (&["--frobnicate"], 2, "--frobnicate"),
    (&["evaluate", "--frobnicate"], 2, "--frobnicate"),
    (&["evaluate", "extra"], 2, "extra"),
    (&["perft"], 2, "<GAME>"),
    (&["perft", "2048"], 2, "<POSITION>"),
    (&["solve"], 2, "<GAME>"),
    // Games.
    (&["evaluate", "--game", "chess"], 2, "no game 'chess' (`games` lists all)"),
    (&["evaluate", "--game", ""], 2, "no game"),
    (&["evaluate", "--game", "2048-9x9"], 2, "1 to 8"),
    (&["evaluate", "--game", "2048-1x1"], 2, "at least 2 cells"),
    (&["evaluate", "--game", "2048-0x4"], 2, "1 to 8"),
    (&["evaluate", "--game", "2048-99999999999999999999x2"], 2, "1 to 8"),
    (&["evaluate", "--game", "2048-4x4-v2"], 2, "version"),
    (&["solve", "2048-2x3x4"], 2, "2048-2x3x4"),
    (&["solve", "treees"], 2, "did you mean"),
    // Variants.
    (&["evaluate", "--start-tiles", "0"], 2, "start tiles"),
    (&["evaluate", "--start-tiles", "17"], 2, "start tiles"),
    (&["evaluate", "--start-tiles", "-1"], 2, "-1"),
    (&["evaluate", "--spawn", "nonsense"], 2, "2:.9,4:.1"),
    (&["evaluate", "--spawn", "2:.9"], 2, "add up to 0.9"),
    (&["evaluate", "--spawn", "3:1"], 2, "3 is not a tile"),
    (&["evaluate", "--spawn", "2:-1,4:2"], 2, "between 0 and 1"),
    (&["evaluate", "--spawn", "2:nan"], 2, "between 0 and 1"),
    (&["evaluate", "--spawn", ""], 2, "not a tile"),
    (&["evaluate", "--game", "threes", "--spawn", "2:1"], 2, "bag"),
    (&["evaluate", "--merge-cap", "100"], 2, "merge cap"),
    (&["completions"], 2, "<SHELL>"),
    (&["completions", "tcsh"], 2, "bash"),
    (&["man"], 2, "--out"),
    (&["man", "--out", "/dev/null/below"], 1, "cannot write manual pages"),
    (&["health", "--addr", "nowhere"], 2, "nowhere"),
    (&["health", "--addr", "127.0.0.1:1"], 1, "not well"),
    (&["evaluate", "--merge-cap", "-4"], 2, "-4"),
    (&["site"], 2, "--out"),
    (&["site", "--out", "x", "--pack", "0"], 2, "MiB above zero"),
    (&["site", "--out", "x", "--engine", "/no/such/file"], 1, "cannot read /no/such/file"),
    (&["site", "--out", "x", "--engine", "/dev/null"], 1, "tools/wasm builds one"),
    // Numbers.
    (&["evaluate", "--games", "0"], 2, "--games"),
    (&["evaluate", "--games", "-5"], 2, "-5"),
    (&["evaluate", "--games", "many"], 2, "many"),
    (&["evaluate", "--games", "1e99"], 2, "1e99"),
    (&["evaluate", "--games", "99999999999999999999"], 2, "99999999999999999999"),
    (&["evaluate", "--seed", "-1"], 2, "-1"),
    (&["evaluate", "--threads", "0"], 2, "--threads"),
    (&["evaluate", "--threads", "100000"], 2, "--threads"),
    (&["evaluate", "--player", "magnus"], 2, "magnus"),
    (&["evaluate", "--player", "heuristic", "--ply", "0"], 2, "--ply"),
    (&["evaluate", "--player", "heuristic", "--ply", "21"], 2, "--ply"),
    (&["evaluate", "--player", "heuristic", "--ply", "-1"], 2, "-1"),
    (&["evaluate", "--player", "heuristic", "--time-per-move", "-1s"], 2, "50ms"),
    (&["evaluate", "--player", "heuristic", "--time-per-move", "soon"], 2, "50ms"),
    (&["evaluate", "--player", "heuristic", "--ply", "2", "--time-per-move", "1s"], 2, "--time-per-move"),
    (&["evaluate", "--player", "random", "--ply", "2"], 2, "does not look ahead"),
    (&["evaluate", "--game", "2048-7x3"], 2, "no built-in model of 2048-7x3"),
    (&["evaluate", "--player", "model", "--game", "threes-2x3"], 2, "--model"),
    (&["evaluate", "--model", "x", "--player", "greedy"], 2, "leave out --model or --player"),
    (&["evaluate", "--player", "heuristic", "--cut-off", "1"], 2, "probability from 0"),
    (&["evaluate", "--player", "heuristic", "--cut-off", "-1"], 2, "probability from 0"),
    (&["evaluate", "--player", "heuristic", "--ply-by-empty", "4"], 2, "EMPTY:PLY"),
    (&["evaluate", "--player", "heuristic", "--ply-by-empty", "4:99"], 2, "EMPTY:PLY"),
    (&["evaluate", "--player", "heuristic", "--table", "-1"], 2, "-1"),
    (&["evaluate", "--player", "greedy", "--cut-off", "0.1"], 2, "does not look ahead"),
    (&["evaluate", "--player", "greedy", "--judging", "game"], 2, "no stages"),
    (&["analyze", "1210/3302/0043/5512", "--judging", "root"], 2, "leaf, game"),
    (&["climbs"], 2, "<FILE>"),
    (&["climbs", "/no/such/file"], 1, "cannot read /no/such/file"),
    (&["climbs", "/dev/null"], 1, "no game in it"),
    (&["reproduce", "yeh2016-table1", "--game", "threes"], 2, "--game goes with the target tournament"),
    (&["reproduce", "tournament", "--game", "chess", "--games", "1"], 2, "no game 'chess'"),
    (&["compare"], 2, "<A>"),
    (&["compare", "greedy"], 2, "<B>"),
    (&["compare", "greedy", "magnus"], 2, "magnus is neither"),
    (&["compare", "greedy", "/dev/null"], 1, "/dev/null"),
    (&["compare", "greedy", "/"], 1, "has no model"),
    (&["compare", "greedy", "random", "--games", "1"], 2, "--games"),
    (&["compare", "greedy", "random", "--ply", "21"], 2, "--ply"),
    (&["evaluate", "--model", "/no/such/model"], 1, "/no/such/model"),
    (&["evaluate", "--model", "/dev/null"], 1, "no model"),
    (&["perft", "2048", "0000/0100/0000/0001", "--depth", "-1"], 2, "-1"),
    (&["perft", "2048", "0000/0100/0000/0001", "--depth", "0"], 2, "--depth"),
    (&["perft", "2048", "0000/0100/0000/0001", "--depth", "65"], 2, "--depth"),
    (&["perft", "2048", "0000/0100/0000/0001", "--depth", "4294967296"], 2, "--depth"),
    (&["perft", "2048", "0000/0100/0000/0001", "--depth", "x"], 2, "--depth"),
    (&["perft", "2048", "0000/0100/0000/0001", "--depth", "12"], 1, "try --depth"),
    (&["perft", "2048-8x8", "1000000000000000000000000000000000000000000000000000000000000001", "--depth", "9"], 1, "try --depth"),
    // Positions.
    (&["perft", "2048", ""], 2, "write"),
    (&["perft", "2048", "123"], 2, "4x4"),
    (&["perft", "2048", "0000/0100/0000/00011"], 2, "row 4"),
    (&["perft", "2048", "0000/0100/0000"], 2, "4x4"),
    (&["perft", "2048", "0000/01?0/0000/0001"], 2, "'?'"),
    (&["perft", "2048", "0000/01é0/0000/0001"], 2, "é"),
    (&["perft", "2048", "000(61)/0000/0000/0000"], 2, "61"),
    (&["perft", "2048", "3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"], 2, "3"),
    (&["perft", "2048", "0x11111111111111111"], 2, "0x"),
    (&["perft", "2048-3x3", "0x1111"], 2, "4x4"),
    (&["perft", "2048", "0000/0100/0000/0001 hint=1"], 2, "Threes"),
    (&["perft", "threes", "0000/0100/0000/0001"], 2, "hint"),
    (&["perft", "threes", "0000/0100/0000/0001 hint=7"], 2, "hint"),
    (&["perft", "threes", "0000/0100/0000/0001 bag=9,9,9 hint=1"], 2, "bag"),
    (&["perft", "threes", "0000/0100/0000/0001 bag=0,0,0 hint=1"], 2, "bag"),
    (&["perft", "threes", "0000/0100/0000/0001 bag=-1,1,1 hint=1"], 2, "bag"),
    (&["perft", "threes", "000z/0100/0000/0001 bag=1,1,1 hint=1"], 2, "rank"),
    // Serving and playing.
    (&["serve", "--addr", "nonsense"], 2, "--addr"),
    (&["serve", "--addr", "127.0.0.1:99999"], 2, "--addr"),
    (&["serve", "--addr", "192.0.2.1:80"], 1, "choose another port"),
    (&["serve", "--addr", "127.0.0.1:0", "--model", "/no/such/model"], 1, "/no/such/model"),
    (&["serve", "--addr", "127.0.0.1:0", "--ply", "99"], 2, "--ply"),
    (&["serve", "--memory-limit", "7"], 2, "128M"),
    (&["serve", "--memory-limit", "much"], 2, "--memory-limit"),
    (&["play", "--ply", "99"], 2, "--ply"),
    (&["play", "--game", "2O48"], 2, "did you mean '2048'"),
    (&["watch", "--speed", "0"], 2, "--speed"),
    (&["watch", "--player", "random"], 2, "no values"),
    (&["watch"], 2, "need a terminal"),
    // What is too large, and files.
    (&["solve", "2048"], 1, "too large"),
    (&["solve", "2048-8x8"], 1, "too large"),
    (&["solve", "threes"], 1, "too large"),
    (&["solve", "2048-2x2", "--tile", "3"], 2, "3 is not a tile"),
    (&["solve", "2048-2x2", "--tile", "-2"], 2, "-2"),
    (&["solve", "2048-2x2", "--memory", "0"], 2, "--memory"),
    (&["endgames", "2048"], 2, "--out"),
    (&["endgames", "threes", "--out", "/no/such"], 2, "2048 and 1024"),
    (&["endgames", "2048-5x5", "--out", "/no/such"], 2, "16 cells"),
    (&["endgames", "2048-3x3", "--out", "/no/such"], 2, "--hold"),
    (&["endgames", "2048", "--out", "/no/such", "--hold", "##/..", "--goal", "64"], 2, "no formation"),
    (&["endgames", "2048", "--out", "/no/such", "--hold", "####/..../..../....", "--goal", "63"], 2, "63 is not a tile"),
    (&["endgames", "2048", "--out", "/proc/no", "--hold", "####/####/####/....", "--goal", "32"], 1, "/proc/no"),
    (&["endgames", "2048", "--out", "tables", "--hold", "#.../..../..../....", "--goal", "2048"], 1, "too large"),
    (&["evaluate", "--player", "greedy", "--endgames", "/no/such"], 2, "no use for endgame tables"),
    (&["evaluate", "--game", "2048-3x3", "--endgames", "/no/such"], 1, "/no/such"),
    (&["evaluate", "--player", "random", "--games", "1", "--save", "/no/such/directory/games.jsonl"], 1, "/no/such/directory"),
    (&["evaluate", "--player", "random", "--games", "1", "--save", "/"], 1, "cannot write /"),
];

#[test]
fn every_mistake_gets_one_clear_line() {
    let mut wrong = Vec::new();
    for (args, status, word) in CASES {
        let output = common::run(args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let good = output.status.code() == Some(*status)
            && output.stdout.is_empty()
            && said.lines().count() == 1
            && said.starts_with("afterstate: ")
            && said.len() < 400
            && said.contains(word)
            && !said.contains("panicked")
            && !said.contains("defect");
        if !good {
            wrong.push(format!(
                "{args:?}: status {:?}, wanted {status} and '{word}': {said}",
                output.status.code()
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_full_disk_is_told() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let output = common::run(&["evaluate", "--player", "random", "--games", "5", "--save", "/dev/full"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
    assert!(said.contains("/dev/full") && said.contains("disk"), "{said}");
}

/// A reader who leaves early is no failure of ours.
#[test]
fn a_closed_pipe_is_silent() {
    use std::process::{Command, Stdio};
    for args in [&["games"][..], &["--help"], &["evaluate", "--player", "random", "--games", "3"]] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("afterstate"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the command ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.is_empty() && output.status.code().is_some_and(|code| code < 2), "{args:?}: {said}");
    }
}
