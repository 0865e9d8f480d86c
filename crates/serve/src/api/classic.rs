//! The protocol of macroxue's clients: `GET /move?board=…` answers one letter.

use crate::Shared;
use crate::client::Client;
use crate::engine_pool;
use crate::pool::Length;
use crate::problem::Problem;
use crate::wire::ClassicMove;
use afterstate::game::catalogue::AnyGame;
use afterstate::game::twenty48::Twenty48;
use afterstate::grid::Direction;
use afterstate::search::Workspace;
use afterstate_lab::api;
use afterstate_lab::variant::{ConfiguredGame, Variant};
use axum::extract::{Query, State};
use axum::http::Uri;
use std::sync::Arc;

fn asked(uri: &Uri) -> Result<(String, Option<String>), Problem> {
    let Query(asked) = Query::<ClassicMove>::try_from_uri(uri).map_err(Problem::malformed)?;
    let board = asked.board.ok_or_else(|| {
        Problem::malformed(
            "there is no board; ask for /move?board=EDC1BA9187611111 (one digit per cell, row by row)",
        )
    })?;
    Ok((board, asked.direction))
}

fn four() -> Result<(ConfiguredGame, Twenty48<16>), Problem> {
    let any = api::game("2048", &Variant::default())?;
    match any.rules.clone() {
        AnyGame::Twenty48(game) => Ok((any, game)),
        _ => Err(Problem::defect("2048 has another board")),
    }
}

/// `u`, `r`, `d` or `l`, or `g` where the game is over.
pub(super) async fn best(State(app): Shared, client: Client, uri: Uri) -> Result<&'static str, Problem> {
    let (board, _) = asked(&uri)?;
    let (any, game) = four()?;
    let state = api::position(&game, &board).map_err(Problem::malformed)?;
    let (engine, _) = engine_pool::engine(&app, &any, None).await?;
    let inner = Arc::clone(&app);
    let best = app.pool.run(Length::Short, client, &app.metrics, move |gone| {
        let cancelled = || gone.is_gone();
        let budget = api::budget(&inner.options.limits.bounds, &engine, None, None)?.unless(Some(&cancelled));
        let stage = engine.implied_stage(&game, &state);
        let answer = engine.search(&game, &state, stage, budget, &mut Workspace::default());
        inner.metrics.searched(1);
        Ok(answer.best)
    });
    Ok(best.await?.map_or("g", |direction: Direction| &direction.name()[..1]))
}

/// Their clients report every move made; we take it and have nothing to say.
pub(super) async fn analyze(uri: Uri) -> Result<&'static str, Problem> {
    let (board, direction) = asked(&uri)?;
    let (_, game) = four()?;
    api::position(&game, &board).map_err(Problem::malformed)?;
    match direction {
        Some(name) if name != "g" => api::direction(&name).map(|_| "").map_err(Problem::malformed),
        _ => Ok(""),
    }
}
