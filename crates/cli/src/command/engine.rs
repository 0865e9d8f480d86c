//! `engine`: a line protocol for other programs. See `docs/4-search.md`.

use crate::failure::usage;
use crate::{cli, output};
use afterstate::game::{Game, notation};
use afterstate::search::{MAX_PLY, Workspace};
use afterstate::with_game;
use afterstate_lab::engine::{Engine, EngineOptions, SearchBudget, TABLE_BYTES};
use afterstate_lab::variant::ConfiguredGame;
use std::io::BufRead;
use std::time::Duration;

/// The longest a `go time` may ask for, in milliseconds: a day.
const LONGEST: u64 = 86_400_000;

pub(crate) fn run(args: &cli::Engine) -> anyhow::Result<()> {
    // `go` may ask for deeper searches than the options do.
    let options = EngineOptions { table_bytes: Some(TABLE_BYTES), ..args.engine.options()? };
    let mut lines = Lines { input: std::io::stdin().lock(), raw: Vec::new() };
    let mut engine = crate::command::open_for_analysis(&options)?;
    let threads = cli::threads(args.engine.threads);
    // Each turn of the loop is one game; the types of its positions change with it.
    loop {
        let left = with_game!(&engine.game.rules, game => {
            Session { game, engine: &engine, options: &options, threads }.listen(&mut lines)
        })?;
        let Leaving::For(other) = left else { return Ok(()) };
        engine = *other;
    }
}

/// Why a conversation about one game ends.
enum Leaving {
    Quit,
    /// Another game is asked for, and this is who plays it.
    For(Box<Engine>),
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

/// The conversation about one game.
struct Session<'a, G> {
    game: &'a G,
    engine: &'a Engine,
    /// The options of the command line, for engines of other games.
    options: &'a EngineOptions,
    threads: usize,
}

impl<G: Game> Session<'_, G> {
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
                ("game", name) if !name.is_empty() => match self.other(name) {
                    Ok(engine) => return Ok(Leaving::For(Box::new(engine))),
                    Err(error) => Err(format!("{error:#}")),
                },
                ("position", text) => {
                    notation::read(self.game, text).map_err(|error| error.to_string()).map(|found| {
                        state = Some(found);
                        None
                    })
                }
                ("go", limits) => match (&state, self.budget(limits)) {
                    (_, Err(error)) => Err(error),
                    (None, _) => Err("there is no position; send one first".into()),
                    (Some(state), Ok(budget)) => Ok(Some(self.best(state, budget, &mut work))),
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

    /// The engine of another game.
    fn other(&self, name: &str) -> anyhow::Result<Engine> {
        let game = ConfiguredGame::parse(name, self.options.variant.clone()).map_err(usage)?;
        crate::command::open_for_analysis(&EngineOptions { game: Some(game), ..self.options.clone() })
    }

    /// The words after `go`.
    fn budget(&self, limits: &str) -> Result<SearchBudget<'static>, String> {
        let words: Vec<&str> = limits.split_whitespace().collect();
        let budget = match words[..] {
            [] => self.engine.budget,
            ["ply", ply] => {
                let ply = ply.parse().ok().filter(|ply| (1..=MAX_PLY).contains(ply));
                SearchBudget::ply(ply.ok_or_else(|| format!("write go ply N, N from 1 to {MAX_PLY}"))?)
            }
            ["time", time] => {
                let time = time.parse().ok().filter(|time| (1..=LONGEST).contains(time));
                let time =
                    time.ok_or_else(|| format!("write go time T, T milliseconds from 1 to {LONGEST}"))?;
                SearchBudget::time(Duration::from_millis(time))
            }
            _ => return Err("write go, go ply N or go time MILLISECONDS".into()),
        };
        if budget.ply > 1 && !self.engine.searches() {
            return Err("this model's values cannot be searched; write go ply 1".into());
        }
        Ok(budget.with_threads(self.threads))
    }

    fn best(&self, state: &G::State, budget: SearchBudget<'_>, work: &mut Workspace<G>) -> String {
        let stage = self.engine.implied_stage(self.game, state);
        let answer = self.engine.search(self.game, state, stage, budget, work);
        match (answer.best, answer.value()) {
            (Some(best), Some(value)) => format!("bestmove {best} value {value} ply {}", answer.ply),
            _ => "bestmove none".into(),
        }
    }
}
