//! `play`, `watch` and `train` in a real pseudo-terminal, which util-linux's `script` provides: the
//! terminal is taken, keys work, and it is given back after a quit, Ctrl-C, SIGTERM and a panic.

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
    /// Everything that was sent since the last wait for a sequence.
    sent: String,
    screen: Screen,
}

impl Terminal {
    /// `None` where the machine has no `script`.
    fn open(args: &str, environment: &[(&str, &str)]) -> Option<Self> {
        let program = assert_cmd::cargo::cargo_bin("afterstate");
        let command = format!("stty rows {ROWS} cols {COLUMNS}; exec '{}' {args}", program.display());
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
            // A piece may end in the middle of a character.
            let (mut buffer, mut rest) = ([0; 4096], Vec::new());
            while let Ok(read @ 1..) = out.read(&mut buffer) {
                rest.extend_from_slice(&buffer[..read]);
                let whole = std::str::from_utf8(&rest).map_or_else(|error| error.valid_up_to(), str::len);
                let piece = String::from_utf8_lossy(&rest[..whole]).into_owned();
                rest.drain(..whole);
                if sender.send(piece).is_err() {
                    break;
                }
            }
        });
        Some(Self { child, pieces, sent: String::new(), screen: Screen::default() })
    }

    fn press(&mut self, keys: &str) {
        let input = self.child.stdin.as_mut().expect("a keyboard");
        input.write_all(keys.as_bytes()).and_then(|()| input.flush()).expect("keys arrive");
    }

    /// Reads until something holds.
    fn wait(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        let end = Instant::now() + Duration::from_secs(120);
        while !holds(self) {
            let left = end.saturating_duration_since(Instant::now());
            match self.pieces.recv_timeout(left) {
                Ok(piece) => {
                    self.screen.feed(&piece);
                    self.sent += &piece;
                }
                Err(_) => panic!("{what:?} was not shown, but\n{}", self.screen.text()),
            }
        }
    }

    /// Waits until a text stands on the screen.
    fn wait_for(&mut self, text: &str) {
        self.wait(text, |terminal| terminal.screen.text().contains(text));
    }

    /// Waits until this was sent since the last such wait, sequences of control included.
    fn wait_for_sequence(&mut self, text: &str) {
        self.wait(text, |terminal| terminal.sent.contains(text));
        self.sent = self.sent.split_off(self.sent.find(text).unwrap_or(0) + text.len());
    }

    /// Everything until the program ends, and its status.
    fn end(mut self) -> (String, Option<i32>) {
        drop(self.child.stdin.take());
        let status = self.child.wait().expect("it ends").code();
        while let Ok(piece) = self.pieces.recv_timeout(Duration::from_secs(5)) {
            self.sent += &piece;
        }
        (self.sent, status)
    }
}

const ROWS: usize = 24;
const COLUMNS: usize = 80;

/// The characters on a terminal; as much of its language as these programs speak.
struct Screen {
    cells: Vec<Vec<char>>,
    row: usize,
    column: usize,
    /// A sequence of control that has not ended yet.
    sequence: Option<String>,
}

impl Default for Screen {
    fn default() -> Self {
        Self { cells: vec![vec![' '; COLUMNS]; ROWS], row: 0, column: 0, sequence: None }
    }
}

impl Screen {
    fn text(&self) -> String {
        let rows = self.cells.iter().map(|row| row.iter().collect::<String>().trim_end().to_string());
        rows.collect::<Vec<_>>().join("\n")
    }

    fn feed(&mut self, text: &str) {
        for c in text.chars() {
            match (&mut self.sequence, c) {
                (Some(sequence), c) => {
                    sequence.push(c);
                    if c.is_ascii_alphabetic() {
                        let done = std::mem::take(&mut self.sequence).unwrap_or_default();
                        self.obey(&done);
                    }
                }
                (None, '\x1b') => self.sequence = Some(String::new()),
                (None, '\r') => self.column = 0,
                (None, '\n') if self.row + 1 == ROWS => {
                    self.cells.remove(0);
                    self.cells.push(vec![' '; COLUMNS]);
                }
                (None, '\n') => self.row += 1,
                (None, c) if self.column < COLUMNS => {
                    self.cells[self.row][self.column] = c;
                    self.column += 1;
                }
                (None, _) => {}
            }
        }
    }

    fn obey(&mut self, sequence: &str) {
        let body = &sequence[1..sequence.len() - 1];
        let numbers: Vec<usize> = body.split(';').filter_map(|number| number.parse().ok()).collect();
        let number = |i: usize| numbers.get(i).copied().unwrap_or(1);
        match sequence.chars().last() {
            Some('H') => {
                (self.row, self.column) = (number(0).clamp(1, ROWS) - 1, number(1).clamp(1, COLUMNS) - 1)
            }
            Some('A') => self.row = self.row.saturating_sub(number(0)),
            Some('J') => {
                // What comes after the cursor, or everything.
                let all = number(0) == 2;
                let (row, column) = if all { (0, 0) } else { (self.row, self.column) };
                self.cells[row][column.min(COLUMNS)..].fill(' ');
                self.cells[row + 1..].iter_mut().for_each(|row| row.fill(' '));
            }
            _ => {}
        }
    }
}

#[test]
fn a_game_is_played_saved_and_the_terminal_given_back() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("games.jsonl");
    let args = format!("play --game 2048-3x3 --seed 1 --save '{}'", file.display());
    let Some(mut terminal) = Terminal::open(&args, &[]) else { return };
    terminal.wait_for_sequence(TAKEN);
    terminal.wait_for("2048-3x3");
    terminal.wait_for("moves 0");
    // Whatever the deal, two of these are legal.
    terminal.press("asdw");
    terminal.press("t");
    terminal.wait_for("hint: ");
    terminal.press("g");
    terminal.wait_for("1024");
    terminal.press("q");
    let (rest, status) = terminal.end();
    let back = rest.find(GIVEN_BACK).expect("the terminal is given back");
    assert!(rest.contains(CURSOR), "{rest:?}");
    assert_eq!(status, Some(0), "{rest:?}");
    // The score and the place of the game are told on the terminal as it was before.
    let told = &rest[back..];
    assert!(told.contains("2048-3x3: ") && told.contains(" points in "), "{told:?}");
    assert!(told.contains("saved in ") && told.contains("games.jsonl"), "{told:?}");
    let kept = std::fs::read_to_string(&file).unwrap();
    let game: serde_json::Value = serde_json::from_str(kept.trim()).expect("one game was played");
    let moves = game["moves"].as_str().unwrap().len();
    assert!(moves >= 2 && game["player"] == "person", "{game}");
    let judged = Command::new(assert_cmd::cargo::cargo_bin("afterstate"))
        .args(["analyze", file.to_str().unwrap(), "--player", "heuristic", "--ply", "1"])
        .output()
        .unwrap();
    assert!(judged.status.success(), "what was saved is read: {}", String::from_utf8_lossy(&judged.stderr));
}

/// The board is drawn and keys slide while the model is still loading; then the hint comes.
#[test]
fn nothing_stands_still_while_a_model_loads() {
    let Some(mut terminal) = Terminal::open("play --game 2048-4x3 --seed 3", &[]) else { return };
    terminal.wait_for("score ");
    terminal.wait_for("loading the model of 2048-4x3");
    terminal.press("t");
    terminal.wait_for("hint: ");
    terminal.press("q");
    assert_eq!(terminal.end().1, Some(0));
}

#[test]
fn without_colours_lines_make_the_board() {
    let Some(mut terminal) = Terminal::open("play --player heuristic", &[("NO_COLOR", "1")]) else { return };
    terminal.wait_for("┌────────┬────────┬────────┬────────┐");
    terminal.press("q");
    let (rest, _) = terminal.end();
    assert!(!rest.contains("38;2;") && !rest.contains("48;2;") && !rest.contains("48;5;"), "{rest:?}");
}

#[test]
fn ctrl_c_ends_a_show() {
    let Some(mut terminal) = Terminal::open("watch --game 2048-3x3 --speed 2 --seed 2", &[]) else {
        return;
    };
    terminal.wait_for("AI plays, 2 moves a second");
    terminal.press("-");
    terminal.wait_for("AI plays, 1 move a second");
    terminal.press("\x03");
    let (rest, status) = terminal.end();
    assert!(rest.contains(GIVEN_BACK) && rest.contains("not saved; --save FILE"), "{rest:?}");
    assert_eq!(status, Some(0), "{rest:?}");
}

/// crossterm reads the end of a closed terminal for ever: games used to run on at full speed.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_terminal_ends_the_game() {
    let place = tempfile::tempdir().unwrap();
    let save = place.path().join("game.txt");
    let args = format!("play --game 2048-3x3 --seed 2 --save '{}'", save.display());
    let Some(mut terminal) = Terminal::open(&args, &[]) else { return };
    terminal.wait_for("hint");
    terminal.press("hj");
    terminal.wait_for_sequence("2");
    let script = terminal.child.id();
    let children = std::fs::read_to_string(format!("/proc/{script}/task/{script}/children")).unwrap();
    let game = children.split_whitespace().next().expect("the game under way").to_string();
    terminal.child.kill().unwrap();
    terminal.child.wait().unwrap();
    let end = Instant::now() + Duration::from_secs(30);
    while std::path::Path::new(&format!("/proc/{game}")).exists() {
        assert!(Instant::now() < end, "the game goes on without a terminal");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(save.exists(), "the game is kept");
}

/// A terminal shows `^C` where the cursor stands; the next line used to begin with what was left
/// of the view: `trafterstate: stopping`.
#[test]
fn ctrl_c_leaves_whole_lines_of_a_training_run() {
    let place = tempfile::tempdir().unwrap();
    let recipe = place.path().join("small.toml");
    std::fs::write(
        &recipe,
        "game = \"2048-3x3\"\n[network]\npatterns = \"012 345\"\n[run]\ngames = 100000000\n",
    )
    .unwrap();
    let run = place.path().join("run");
    let args = format!("train '{}' --run '{}'", recipe.display(), run.display());
    let Some(mut terminal) = Terminal::open(&args, &[]) else { return };
    terminal.wait_for("games learned from");
    terminal.press("\x03");
    terminal.wait_for_sequence("\x1b[0Jafterstate: stopping");
    terminal.wait("a line of its own, not wrapped", |terminal| {
        let whole = |line: &str| line.starts_with("afterstate: stopping") && line.ends_with("at once");
        terminal.screen.text().lines().any(whole)
    });
    let (rest, status) = terminal.end();
    assert_eq!(status, Some(0), "{rest:?}");
    assert!(rest.contains("stopped after ") && rest.contains(" points on average"), "{rest:?}");
}

#[cfg(debug_assertions)]
#[test]
fn a_panic_gives_the_terminal_back_and_is_told() {
    let Some(mut terminal) = Terminal::open("play --player heuristic", &[("AFTERSTATE_PANIC_ON_KEY", "1")])
    else {
        return;
    };
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
