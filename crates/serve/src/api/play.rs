//! Moves of the player, many at once: a page that shows a hundred a second asks a few times a
//! second.

use super::{budget, game_of, random, read};
use crate::body::{Answer, Typed};
use crate::problem::Problem;
use crate::wire::{Play, Track};
use crate::{App, Shared};
use afterstate::episode::Spawn;
use afterstate::game::{Game, notation};
use afterstate::grid::Direction;
use afterstate::search::Workspace;
use afterstate::with_game;
use afterstate_lab::engine::{Engine, SearchBudget};
use axum::extract::State;
use std::sync::Arc;
use std::time::Instant;

pub(super) async fn batch(State(app): Shared, Typed(asked): Typed<Play>) -> Result<Answer<Track>, Problem> {
    let most = app.options.limits.batch_moves;
    if !(1..=most).contains(&asked.moves) {
        return Err(Problem::wrong(format!("moves must be from 1 to {most}")));
    }
    let game = game_of(&asked.game, &asked.variant)?;
    // What is wrong with the position is said before anybody waits.
    if let Some(position) = &asked.position {
        with_game!(&game.rules, game => read(game, position).map(drop))?;
    }
    let inner = Arc::clone(&app);
    let track = app.pool.run(&app.metrics, move |gone| {
        let (engine, id) = inner.engines.get(&game, asked.model.as_deref())?;
        let cancelled = || gone.is_gone();
        let budget = budget(&inner, &engine, asked.ply, asked.time_ms)?.unless(Some(&cancelled));
        let track = with_game!(&game.rules, game => play(game, &inner, &engine, &asked, budget))?;
        inner.metrics.searched(track.rewards.len() as u64);
        Ok(Track { game: game.spec.name(), model: Some(id), ..track })
    });
    track.await.map(Answer)
}

/// Plays until enough moves are made, the time is up, the game is over or the client is gone.
fn play<G: Game>(
    game: &G,
    app: &App,
    engine: &Engine,
    asked: &Play,
    budget: SearchBudget<'_>,
) -> Result<Track, Problem> {
    let end = Instant::now() + app.options.limits.batch_time;
    let mut random = random(asked.seed);
    let mut state = match &asked.position {
        Some(position) => read(game, position)?,
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
        if budget.cancelled.is_some_and(|ask| ask()) || Instant::now() >= end {
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
