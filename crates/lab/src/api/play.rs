//! Moves of the player, many at once: a page that shows a hundred a second asks a few times a
//! second.

use super::{Bounds, Chosen, Play, Refusal, Track, budget, game, position, random};
use crate::engine::{Cancelled, Engine, SearchBudget};
use crate::host;
use crate::variant::ConfiguredGame;
use afterstate::episode::Spawn;
use afterstate::game::{Game, notation};
use afterstate::grid::Direction;
use afterstate::search::Workspace;
use afterstate::with_game;

impl Play {
    /// The game that is asked for, if the request makes sense as far as that can be said without
    /// an engine.
    pub fn checked(&self, bounds: &Bounds) -> Result<ConfiguredGame, Refusal> {
        let most = bounds.batch_moves;
        if !(1..=most).contains(&self.moves) {
            return Err(Refusal::wrong(format!("moves must be from 1 to {most}")));
        }
        let game = game(&self.game, &self.variant)?;
        if let Some(text) = &self.position {
            with_game!(&game.rules, game => position(game, text).map(drop))?;
        }
        Ok(game)
    }
}

/// Moves of the player, until enough are made, the time is up, the game is over or it is cancelled.
pub fn play(
    asked: &Play,
    game: &ConfiguredGame,
    chosen: Chosen<'_>,
    bounds: &Bounds,
    cancelled: Cancelled<'_>,
) -> Result<Track, Refusal> {
    let budget = budget(bounds, chosen.engine, asked.ply, asked.time_ms)?.unless(cancelled);
    let track = with_game!(&game.rules, game => batch(game, bounds, chosen.engine, asked, budget))?;
    Ok(Track {
        game: game.spec.name(),
        model: Some(chosen.id.into()),
        warning: chosen.warning(),
        variant: Some(game.variant.clone()),
        ..track
    })
}

fn batch<G: Game>(
    game: &G,
    bounds: &Bounds,
    engine: &Engine,
    asked: &Play,
    budget: SearchBudget<'_>,
) -> Result<Track, Refusal> {
    let end = host::now() + bounds.batch_time;
    let mut random = random(asked.seed);
    let mut state = match &asked.position {
        Some(text) => position(game, text)?,
        None => game.start(&mut random),
    };
    let mut track = Track {
        start: notation::write(game, &state),
        start_score: game.start_score(&state),
        ..Track::default()
    };
    let mut stage = engine.implied_stage(game, &state);
    let mut work = Workspace::default();
    for _ in 0..asked.moves {
        let answer = engine.search(game, &state, stage, budget, &mut work);
        let Some(best) = answer.best else { break };
        let Some(slide) = game.slide(&state, best) else { break };
        stage = engine.next_stage(game, stage, &slide.afterstate);
        let outcome = game.spawn(&slide.afterstate, &mut random);
        track.step(game, best, &slide.afterstate, &outcome.state, slide.reward + outcome.reward);
        state = outcome.state;
        if budget.cancelled.is_some_and(|ask| ask()) || host::now() >= end {
            break;
        }
    }
    track.over = game.is_over(&state);
    Ok(track)
}

impl Track {
    /// Adds a move.
    pub(super) fn step<G: Game>(
        &mut self,
        game: &G,
        direction: Direction,
        afterstate: &G::Afterstate,
        state: &G::State,
        reward: u64,
    ) {
        let spawn = Spawn::between(game, afterstate, state);
        self.moves.push_str(&direction.name()[..1]);
        self.spawns.push([spawn.cell, spawn.rank, spawn.hint]);
        self.positions.push(notation::write(game, state));
        self.rewards.push(reward);
    }
}
