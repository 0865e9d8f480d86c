//! Commands of installers and operators: completions, manual pages, the health of a server.

mod common;

use common::{Files, run, text};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Command, Stdio};

#[test]
fn every_shell_completes_every_command() {
    let commands: Vec<String> = text(&["--help"])
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with("   ")) // a description that goes on
        .filter_map(|line| line.split_whitespace().next().map(String::from))
        .collect();
    assert!(commands.len() > 20, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = text(&["completions", shell]);
        for command in &commands {
            assert!(script.contains(command.as_str()), "{shell} does not know {command}");
        }
        assert!(script.contains("time-per-move"), "{shell} does not know options");
    }
    let output = run(&["completions", "tcsh"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("bash"));
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let files = Files::new();
    let out = files.file("man/man1");
    text(&["man", "--out", &out]);
    let whole = std::fs::read_to_string(format!("{out}/afterstate.1")).unwrap();
    assert!(whole.starts_with(".ie") && whole.contains(".TH afterstate 1"), "{whole}");
    let train = std::fs::read_to_string(format!("{out}/afterstate-train.1")).unwrap();
    for word in [".TH afterstate-train 1", "Examples", "\\-\\-resume", "afterstate train td\\-4x6"] {
        assert!(train.contains(word), "{word}: {train}");
    }
    let pages = std::fs::read_dir(&out).unwrap().count();
    assert!(pages > 20, "{pages} pages");
    // Written again over what is there; and not where they cannot be.
    text(&["man", "--out", &out]);
    let file = format!("{out}/afterstate.1/below");
    let output = run(&["man", "--out", &file]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write manual pages"));
}

#[test]
fn a_server_that_is_well_is_told_from_one_that_is_not() {
    let mut server = Command::new(assert_cmd::cargo::cargo_bin("afterstate"))
        .args(["serve", "--addr", "127.0.0.1:0", "--lazy"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let addr = line.trim().trim_start_matches("listening on http://").trim_end_matches('/').to_string();
    let well = run(&["health", "--addr", &addr]);
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!((well.status.code(), well.stdout), (Some(0), b"ok\n".to_vec()));
    let gone = run(&["health", "--addr", &addr]);
    assert_eq!(gone.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&gone.stderr).contains("is not well"));

    // Somebody else answers.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = listener.local_addr().unwrap().to_string();
    let other = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 1024]).unwrap();
        stream.write_all(b"HTTP/1.1 404 Not Found\r\n\r\n").unwrap();
    });
    let wrong = run(&["health", "--addr", &addr]);
    other.join().unwrap();
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(wrong.status.code() == Some(1) && said.contains("404 Not Found"), "{said}");
}
