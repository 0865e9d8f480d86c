//! Games in the formats of other programs: read, written, played again by the rules.

use super::{game_of, read as read_position};
use crate::body::{Answer, Typed};
use crate::problem::Problem;
use crate::wire::{ReadReplay, Record, Track};
use crate::{App, Shared};
use afterstate::episode::{self, Spawn, retrace};
use afterstate::game::catalogue::GameSpec;
use afterstate::game::{Game, notation};
use afterstate::grid::Direction;
use afterstate::with_game;
use afterstate_lab::recipe::Variant;
use afterstate_lab::replay::{self, Format, Replay, ours};
use axum::extract::State;
use serde_json::{Value, json};

/// Moves, each with what chance did next.
type Steps = Vec<(Direction, Spawn)>;

/// One move of a game that follows the rules.
pub(super) struct Step<G: Game> {
    pub(super) direction: Direction,
    pub(super) afterstate: G::Afterstate,
    pub(super) state: G::State,
    reward: u64,
}

/// A game that follows the rules.
pub(super) struct Checked<G: Game> {
    pub(super) start: G::State,
    pub(super) steps: Vec<Step<G>>,
}

/// Plays a game again, checking every step.
fn again<G: Game>(game: &G, app: &App, start: &str, steps: Steps) -> Result<Checked<G>, Problem> {
    let most = app.options.limits.replay_moves;
    if steps.len() > most {
        return Err(Problem::wrong(format!("the game has {} moves; at most {most} are read", steps.len())));
    }
    let start = read_position(game, start)?;
    let mut checked = Checked { start, steps: Vec::with_capacity(steps.len()) };
    retrace(game, &episode::Record { start: Some(start), steps }, |choice, outcome| {
        checked.steps.push(Step {
            direction: choice.direction,
            afterstate: choice.slide.afterstate,
            state: outcome.state,
            reward: choice.slide.reward + outcome.reward,
        });
    })
    .map_err(Problem::wrong)?;
    Ok(checked)
}

/// The steps a request names.
fn steps(asked: &Record) -> Result<Steps, Problem> {
    ours::steps(&asked.moves, &asked.spawns).map_err(Problem::wrong)
}

/// The game a request describes, if it follows the rules.
pub(super) fn checked<G: Game>(game: &G, app: &App, asked: &Record) -> Result<Checked<G>, Problem> {
    again(game, app, &asked.start, steps(asked)?)
}

pub(super) async fn read(
    State(app): Shared,
    Typed(asked): Typed<ReadReplay>,
) -> Result<Answer<Track>, Problem> {
    // A replay may begin with a blank, which is a symbol of its own: only ends of lines are cut.
    let line = asked.text.split(['\n', '\r']).find(|line| !line.trim().is_empty());
    let line = line.ok_or_else(|| Problem::wrong("the replay is empty; paste one game"))?;
    let named = asked.game.as_deref().map(GameSpec::parse).transpose().map_err(Problem::wrong)?;
    let (found, format) = replay::read(line, named.as_ref()).map_err(Problem::wrong)?;
    let game = found.game.build().map_err(Problem::wrong)?;
    let inner = app.clone();
    let track = app.pool.run(&app.metrics, move |_| {
        with_game!(&game, game => {
            let checked = again(game, &inner, &found.start, found.steps.clone())?;
            let mut track = Track {
                game: found.game.name(),
                format: Some(format.name()),
                variant: Some(Variant::of(&found.game)),
                start: notation::write(game, &checked.start),
                start_score: game.start_score(&checked.start),
                over: game.is_over(checked.steps.last().map_or(&checked.start, |step| &step.state)),
                ..Track::default()
            };
            for step in &checked.steps {
                track.step(game, step.direction, &step.afterstate, &step.state, step.reward);
            }
            Ok(track)
        })
    });
    track.await.map(Answer)
}

pub(super) async fn write(State(app): Shared, Typed(asked): Typed<Record>) -> Result<Answer<Value>, Problem> {
    let format = match asked.format.as_deref() {
        None | Some("ours") => Format::Ours,
        Some("league") => Format::League,
        Some("verse") => Format::Verse,
        Some("episode") => Format::Episode,
        Some(_) => return Err(Problem::wrong("the format must be ours, league, verse or episode")),
    };
    let game = game_of(&asked.game, &asked.variant)?;
    let inner = app.clone();
    let written = app.pool.run(&app.metrics, move |_| {
        with_game!(&game.rules, game => checked(game, &inner, &asked).map(drop))?;
        let steps = steps(&asked)?;
        let found = Replay { game: game.spec, start: asked.start, steps, player: None, chance: None };
        let text = replay::write(&found, format).map_err(Problem::wrong)?;
        Ok(json!({ "format": format.name(), "text": text }))
    });
    written.await.map(Answer)
}
