//! `analyze`: values of the moves of positions, lists of positions and whole games.

mod list;
mod page;
mod replays;
mod rollouts;

use crate::failure::usage;
use crate::{cli, output, wire};
use afterstate::game::{Game, notation};
use afterstate::search::Workspace;
use afterstate::value::Stage;
use afterstate::with_game;
use afterstate_lab::analysis::Analysed;
use afterstate_lab::engine::{Engine, SearchBudget};
use afterstate_lab::replay::{Format, Replay};
use afterstate_lab::variant::{ConfiguredGame, Variant};
use anyhow::Context;
use std::path::Path;

/// Something to analyse.
enum Item {
    Position(String),
    /// Lines with a position each, from a file or standard input.
    Lines(Box<dyn std::io::BufRead>, String),
    Replay {
        source: String,
        replay: Box<Replay>,
        format: Format,
    },
}

pub(crate) fn run(args: &cli::Analyze) -> anyhow::Result<()> {
    let mut options = args.engine.options()?;
    let items = items(args)?;
    // A replay says which game it is, unless the user does.
    let first = items.iter().find_map(|item| match item {
        Item::Replay { replay, .. } => Some(replay),
        _ => None,
    });
    if let (Some(replay), None) = (first, &options.game) {
        let variant = options.variant.or(&Variant::of(&replay.game));
        options.game = Some(ConfiguredGame::new(replay.game.clone(), variant).map_err(usage)?);
    }
    if args.rollouts.is_some() && first.is_some() {
        return Err(usage("--rollouts goes with positions, not with whole games; leave it out"));
    }
    // What is wrong with a position is said before anybody waits for a model.
    if let Some(game) = options.known_game() {
        with_game!(&game.rules, game => check(game, &items))?;
    }
    let engine = crate::command::open_for_analysis(&options)?;
    let budget = engine.budget.with_threads(cli::threads(args.engine.threads));
    with_game!(&engine.game.rules, game => {
        Session { game, engine: &engine, budget, args, work: Workspace::default() }.run(items)
    })
}

/// Items of the arguments. Words like `hint=3` belong to the position before them.
fn items(args: &cli::Analyze) -> anyhow::Result<Vec<Item>> {
    let mut items: Vec<Item> = Vec::new();
    for word in &args.positions {
        match items.last_mut() {
            Some(Item::Position(text)) if is_extra(word) => *text += &format!(" {word}"),
            _ if word == "-" => {
                items.push(Item::Lines(Box::new(std::io::BufReader::new(std::io::stdin())), "-".into()))
            }
            _ if Path::new(word).is_file() => replays::open(Path::new(word), args, &mut items)?,
            _ => items.push(Item::Position(word.clone())),
        }
    }
    Ok(items)
}

/// Checks the positions of the arguments.
fn check<G: Game>(game: &G, items: &[Item]) -> anyhow::Result<()> {
    let texts = items.iter().filter_map(|item| match item {
        Item::Position(text) => Some(text),
        _ => None,
    });
    texts.into_iter().try_for_each(|text| read(game, text).map(drop).map_err(usage))
}

/// A position, with what was wrong about it in words.
fn read<G: Game>(game: &G, text: &str) -> Result<G::State, String> {
    notation::read(game, text).map_err(|error| {
        let file = !text.contains('/') && text.contains('.') || text.starts_with(['.', '/']);
        if file { format!("there is no file {text}, and as a position: {error}") } else { error.to_string() }
    })
}

fn is_extra(word: &str) -> bool {
    ["bag=", "hint=", "bonus="].iter().any(|key| word.starts_with(key))
}

/// One run of the command with everything it needs.
struct Session<'a, G: Game> {
    game: &'a G,
    engine: &'a Engine,
    budget: SearchBudget<'static>,
    args: &'a cli::Analyze,
    work: Workspace<G>,
}

impl<G: Game> Session<'_, G> {
    fn run(mut self, items: Vec<Item>) -> anyhow::Result<()> {
        let mut answer = wire::Analysis {
            game: self.game.id(),
            variant: self.engine.game.variant.clone(),
            player: self.engine.player.name(),
            model: self.engine.model.clone(),
            ply: self.budget.time.is_none().then_some(self.budget.ply),
            time_per_move: self.budget.time.map(|time| time.as_secs_f64()),
            positions: Vec::new(),
            replays: Vec::new(),
        };
        let mut pages = Vec::new();
        for item in items {
            match item {
                Item::Position(text) => {
                    let state = read(self.game, &text).map_err(usage)?;
                    let found = self.position(&state);
                    pages.push(page::position(self.game, &state, &found));
                    answer.positions.push(found);
                }
                Item::Lines(lines, source) => self.lines(lines, &source, &mut answer)?,
                Item::Replay { source, replay, format } => {
                    let from = answer.positions.len();
                    self.replay(&source, &replay, format, &mut answer).with_context(|| source.clone())?;
                    if let Some(whole) = answer.replays.last() {
                        pages.push(page::replay(whole, &answer.positions[from..]));
                    }
                }
            }
        }
        if self.args.json {
            return output::json(&answer);
        }
        match pages.is_empty() {
            true => Ok(()),
            false => {
                let args = &self.args.engine;
                let usual = args.ply.is_none() && args.time_per_move.is_none();
                output::text(&(page::header(&answer, usual) + &pages.join("\n")))
            }
        }
    }

    /// A bare position: its stage is what its tiles imply.
    fn position(&mut self, state: &G::State) -> wire::Analysed {
        let stage = self.engine.implied_stage(self.game, state);
        let mut found = self.analyse(state, stage);
        found.rollouts = self.args.rollouts.and_then(|games| self.rollouts(state, stage, games));
        found
    }

    fn analyse(&mut self, state: &G::State, stage: Stage) -> wire::Analysed {
        let answer = self.engine.search(self.game, state, stage, self.budget, &mut self.work);
        let mut analysed = Analysed::of(notation::write(self.game, state), &answer);
        if let Some(advice) = self.engine.endgame_chances(self.game, state) {
            analysed = analysed.with_chances(advice.chances, self.game.label(advice.goal));
        }
        wire::Analysed { analysed, rollouts: None, played: None }
    }
}
