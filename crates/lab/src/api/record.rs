//! Games in the formats of other programs: read, written, played again by the rules.

use super::{Bounds, ReadReplay, Record, Refusal, Track, Written, game, position};
use crate::replay::{self, Format, Replay, ours};
use crate::variant::{ConfiguredGame, Variant};
use afterstate::episode::{self, Spawn, retrace};
use afterstate::game::catalogue::GameSpec;
use afterstate::game::{Game, notation};
use afterstate::grid::Direction;
use afterstate::with_game;

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
fn again<G: Game>(game: &G, bounds: &Bounds, start: &str, steps: Steps) -> Result<Checked<G>, Refusal> {
    let most = bounds.replay_moves;
    if steps.len() > most {
        return Err(Refusal::wrong(format!("the game has {} moves; at most {most} are read", steps.len())));
    }
    let start = position(game, start)?;
    let mut checked = Checked { start, steps: Vec::with_capacity(steps.len()) };
    retrace(game, &episode::Record { start: Some(start), steps }, |choice, outcome| {
        checked.steps.push(Step {
            direction: choice.direction,
            afterstate: choice.slide.afterstate,
            state: outcome.state,
            reward: choice.slide.reward + outcome.reward,
        });
    })
    .map_err(Refusal::wrong)?;
    Ok(checked)
}

impl Record {
    /// The game that is asked for.
    pub fn game(&self) -> Result<ConfiguredGame, Refusal> {
        game(&self.game, &self.variant)
    }

    fn steps(&self) -> Result<Steps, Refusal> {
        ours::steps(&self.moves, &self.spawns).map_err(Refusal::wrong)
    }

    /// The game as it was played, if it follows the rules.
    pub(super) fn checked<G: Game>(&self, game: &G, bounds: &Bounds) -> Result<Checked<G>, Refusal> {
        again(game, bounds, &self.start, self.steps()?)
    }
}

/// A game as a text tells it, not played again yet.
pub struct Found {
    replay: Replay,
    format: Format,
}

impl ReadReplay {
    /// The game that the text tells.
    pub fn found(&self) -> Result<Found, Refusal> {
        // A replay may begin with a blank, which is a symbol of its own: only ends of lines are cut.
        let line = self.text.split(['\n', '\r']).find(|line| !line.trim().is_empty());
        let line = line.ok_or_else(|| Refusal::wrong("the replay is empty; paste one game"))?;
        let named = self.game.as_deref().map(GameSpec::parse).transpose().map_err(Refusal::wrong)?;
        let (replay, format) = replay::read(line, named.as_ref()).map_err(Refusal::wrong)?;
        Ok(Found { replay, format })
    }
}

/// All positions and points of a game.
pub fn read_replay(found: &Found, bounds: &Bounds) -> Result<Track, Refusal> {
    let Found { replay, format } = found;
    let game = replay.game.build().map_err(Refusal::wrong)?;
    with_game!(&game, game => {
        let checked = again(game, bounds, &replay.start, replay.steps.clone())?;
        let mut track = Track {
            game: replay.game.name(),
            format: Some(format.name()),
            variant: Some(Variant::of(&replay.game)),
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
}

/// A game as text, in the format asked for.
pub fn write_replay(asked: &Record, game: &ConfiguredGame, bounds: &Bounds) -> Result<Written, Refusal> {
    let format = asked.format()?;
    with_game!(&game.rules, game => asked.checked(game, bounds).map(drop))?;
    let (start, steps) = (asked.start.clone(), asked.steps()?);
    let found = Replay { game: game.spec.clone(), start, steps, player: None, chance: None };
    let text = replay::write(&found, format).map_err(Refusal::wrong)?;
    Ok(Written { format: format.name(), text })
}

impl Record {
    /// The format to write it in.
    pub fn format(&self) -> Result<Format, Refusal> {
        match self.format.as_deref() {
            None | Some("ours") => Ok(Format::Ours),
            Some("league") => Ok(Format::League),
            Some("verse") => Ok(Format::Verse),
            Some("episode") => Ok(Format::Episode),
            Some(_) => Err(Refusal::wrong("the format must be ours, league, verse or episode")),
        }
    }
}
