//! `play` and `watch` in a real pseudo-terminal, which util-linux's `script` provides: the terminal
//! is taken, keys work, and it is given back after a quit, Ctrl-C, SIGTERM and a panic.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const TAKEN: &str = "\x1b[?1049h";
const GIVEN_BACK: &str = "\x1b[?1049l";
const CURSOR: &str = "\x1b[?25h";

/// A command in a terminal of 80 columns and 24 rows.
struct Terminal {
    child: std::process::Child,
    pieces: Receiver<String>,
    seen: String,
}

impl Terminal {
    /// `None` where the machine has no `script`.
    fn open(args: &str, environment: &[(&str, &str)]) -> Option<Self> {
        let program = assert_cmd::cargo::cargo_bin("afterstate");
        let command = format!("stty rows 24 cols 80; exec '{}' {args}", program.display());
        let mut child = Command::new("script")
            .args(["-qfec", &command, "/dev/null"])
            .envs(environment.iter().copied())
            .env("COLORTERM", "truecolor")
            .env("TERM", "xterm-256color")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let mut out = child.stdout.take()?;
        let (sender, pieces) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = out.read(&mut buffer) {
                if sender.send(String::from_utf8_lossy(&buffer[..read]).into_owned()).is_err() {
                    break;
                }
            }
        });
        Some(Self { child, pieces, seen: String::new() })
    }

    fn press(&mut self, keys: &str) {
        let input = self.child.stdin.as_mut().expect("a keyboard");
        input.write_all(keys.as_bytes()).and_then(|()| input.flush()).expect("keys arrive");
    }

    /// Waits until something was shown since the last wait.
    fn wait_for(&mut self, text: &str) {
        let end = Instant::now() + Duration::from_secs(180);
        while !self.seen.contains(text) {
            let left = end.saturating_duration_since(Instant::now());
            match self.pieces.recv_timeout(left) {
                Ok(piece) => self.seen += &piece,
                Err(_) => panic!("{text:?} was not shown, but {:?}", self.seen),
            }
        }
        self.seen = self.seen.split_off(self.seen.find(text).unwrap_or(0) + text.len());
    }

    /// Everything until the program ends, and its status.
    fn end(mut self) -> (String, Option<i32>) {
        drop(self.child.stdin.take());
        let status = self.child.wait().expect("it ends").code();
        while let Ok(piece) = self.pieces.recv_timeout(Duration::from_secs(5)) {
            self.seen += &piece;
        }
        (self.seen, status)
    }
}

#[test]
fn a_game_is_played_and_the_terminal_given_back() {
    let Some(mut terminal) = Terminal::open("play --seed 1", &[]) else { return };
    terminal.wait_for(TAKEN);
    terminal.wait_for("2048-4x4");
    terminal.wait_for("moves 0");
    // Whatever the deal, two of these are legal.
    terminal.press("asdw");
    terminal.wait_for("t: hint");
    terminal.press("t");
    terminal.wait_for("hint: ");
    // Only what changes is sent: of the next two games, Threes is the one that announces a tile.
    terminal.press("gg");
    terminal.wait_for("next");
    terminal.press("q");
    let (rest, status) = terminal.end();
    assert!(rest.contains(GIVEN_BACK) && rest.contains(CURSOR), "{rest:?}");
    assert_eq!(status, Some(0), "{rest:?}");
}

#[test]
fn ctrl_c_ends_a_show() {
    let Some(mut terminal) = Terminal::open("watch --game threes --speed 1000 --seed 2", &[]) else { return };
    terminal.wait_for("AI plays, 1000 a second");
    terminal.press("-");
    terminal.wait_for("250 ");
    terminal.press("\x03");
    let (rest, status) = terminal.end();
    assert!(rest.contains(GIVEN_BACK), "{rest:?}");
    assert_eq!(status, Some(0), "{rest:?}");
}

#[cfg(debug_assertions)]
#[test]
fn a_panic_gives_the_terminal_back_and_is_told() {
    let Some(mut terminal) = Terminal::open("play", &[("AFTERSTATE_PANIC_ON_KEY", "1")]) else { return };
    terminal.wait_for("moves 0");
    terminal.press("x");
    terminal.press("t");
    let (rest, status) = terminal.end();
    let back = rest.find(GIVEN_BACK).expect("the terminal is given back");
    let told = rest.find("a defect in afterstate itself: asked to panic").expect("the panic is told");
    assert!(back < told, "{rest:?}");
    assert_eq!(status, Some(1), "{rest:?}");
}

#[test]
fn without_a_terminal_it_says_what_to_do() {
    let output = Command::new(assert_cmd::cargo::cargo_bin("afterstate"))
        .arg("play")
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
    assert!(said.contains("need a terminal"), "{said}");
}
