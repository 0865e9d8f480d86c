//! `engine`: a line protocol for other programs. See `docs/4-search.md`.

use crate::{cli, output};
use afterstate::game::{Game, notation};
use afterstate::search::{MAX_PLY, Workspace};
use afterstate::with_game;
use afterstate_lab::mind::{Depth, Effort, Mind, Wish};
use std::io::BufRead;
use std::time::Duration;

/// The longest a `go time` may ask for, in milliseconds: a day.
const LONGEST: u64 = 86_400_000;

pub(crate) fn run(args: &cli::Engine) -> anyhow::Result<()> {
    let wish = args.thinker.wish();
    let mut lines = Lines { input: std::io::stdin().lock(), raw: Vec::new() };
    let mut mind = crate::command::open_judge(&wish)?;
    mind.prepare(Depth::of(Some(MAX_PLY), None, 1));
    let threads = cli::threads(args.thinker.threads);
    // Each turn of the loop is one game; the types of its positions change with it.
    loop {
        let left = with_game!(&mind.game, game => Talk { game, mind: &mind, wish: &wish, threads }.listen(&mut lines))?;
        let Leaving::For(other) = left else { return Ok(()) };
        mind = *other;
        mind.prepare(Depth::of(Some(MAX_PLY), None, 1));
    }
}

/// Why a conversation about one game ends.
enum Leaving {
    Quit,
    /// Another game is asked for, and this is who plays it.
    For(Box<Mind>),
}

struct Lines<R> {
    input: R,
    raw: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// The next line; `None` at the end.
    fn next(&mut self) -> anyhow::Result<Option<String>> {
        self.raw.clear();
        let read = self.input.read_until(b'\n', &mut self.raw)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&self.raw).trim().to_string()))
    }
}

/// One line out, at once.
fn say(line: &str) -> anyhow::Result<()> {
    output::text(&format!("{}\n", line.split_whitespace().collect::<Vec<_>>().join(" ")))
}

struct Talk<'a, G> {
    game: &'a G,
    mind: &'a Mind,
    /// Who is wished for.
    wish: &'a Wish,
    threads: usize,
}

impl<G: Game> Talk<'_, G> {
    fn listen(&self, lines: &mut Lines<impl BufRead>) -> anyhow::Result<Leaving> {
        let mut state: Option<G::State> = None;
        let mut work = Workspace::default();
        while let Some(line) = lines.next()? {
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            let answer = match (word, rest.trim()) {
                ("", _) => continue,
                ("quit", _) => return Ok(Leaving::Quit),
                ("isready", _) => Ok(Some("readyok".into())),
                ("newgame", _) => {
                    state = None;
                    Ok(None)
                }
                // A game that cannot be played leaves everything as it is.
                ("game", name) if !name.is_empty() => {
                    match crate::command::open_judge(&Wish { game: Some(name.into()), ..self.wish.clone() }) {
                        Ok(mind) => return Ok(Leaving::For(Box::new(mind))),
                        Err(error) => Err(format!("{error:#}")),
                    }
                }
                ("position", text) => {
                    notation::read(self.game, text).map_err(|error| error.to_string()).map(|found| {
                        state = Some(found);
                        None
                    })
                }
                ("go", limits) => match (&state, self.depth(limits)) {
                    (_, Err(error)) => Err(error),
                    (None, _) => Err("there is no position; send one first".into()),
                    (Some(state), Ok(depth)) => Ok(Some(self.best(state, depth, &mut work))),
                },
                ("stop", _) => Err("stop is not supported; limit a search by go ply or go time".into()),
                _ => Err(format!(
                    "'{}' is not understood; known are position, go, game, newgame, isready and quit",
                    word.chars().take(40).collect::<String>().escape_debug()
                )),
            };
            match answer {
                Ok(Some(text)) => say(&text)?,
                Ok(None) => {}
                Err(error) => say(&format!("error {error}"))?,
            }
        }
        Ok(Leaving::Quit)
    }

    /// What follows `go`.
    fn depth(&self, limits: &str) -> Result<Depth, String> {
        let words: Vec<&str> = limits.split_whitespace().collect();
        let depth = match words[..] {
            [] => self.mind.depth,
            ["ply", ply] => {
                let ply = ply.parse().ok().filter(|ply| (1..=MAX_PLY).contains(ply));
                Depth::of(Some(ply.ok_or_else(|| format!("write go ply N, N from 1 to {MAX_PLY}"))?), None, 1)
            }
            ["time", time] => {
                let time = time.parse().ok().filter(|time| (1..=LONGEST).contains(time));
                let time =
                    time.ok_or_else(|| format!("write go time T, T milliseconds from 1 to {LONGEST}"))?;
                Depth::of(None, Some(Duration::from_millis(time)), 1)
            }
            _ => return Err("write go, go ply N or go time MILLISECONDS".into()),
        };
        if depth.ply > 1 && !self.mind.searches() {
            return Err("this model's values cannot be searched; write go ply 1".into());
        }
        Ok(depth)
    }

    fn best(&self, state: &G::State, depth: Depth, work: &mut Workspace<G>) -> String {
        let stage = self.mind.implied_stage(self.game, state);
        let answer = self.mind.judge(
            self.game,
            state,
            stage,
            Effort { threads: self.threads, ..Effort::of(depth) },
            work,
        );
        match (answer.best, answer.value()) {
            (Some(best), Some(value)) => format!("bestmove {best} value {value} ply {}", answer.ply),
            _ => "bestmove none".into(),
        }
    }
}
