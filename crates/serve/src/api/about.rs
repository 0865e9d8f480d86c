//! Descriptions: games, models, health, metrics, the API itself.

use super::runs;
use crate::Shared;
use crate::body::Answer;
use crate::problem::Problem;
use afterstate::game::catalogue::GAMES;
use afterstate_lab::api::Model;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde_json::{Value, json};
use std::sync::Arc;

/// The description of the API.
pub(crate) const OPENAPI: &str = include_str!("../../openapi.json");

pub(super) async fn games(State(app): Shared) -> Answer<Value> {
    let limits = &app.options.limits;
    let games: Vec<Value> =
        GAMES.iter().map(|game| json!({ "name": game.name, "description": game.description })).collect();
    Answer(json!({
        "games": games,
        "limits": {
            "body_bytes": limits.body,
            "ply": afterstate::search::MAX_PLY,
            "time_ms": limits.bounds.search_time.as_millis() as u64,
            "batch_moves": limits.bounds.batch_moves,
            "replay_moves": limits.bounds.replay_moves,
            "searches": limits.searches,
            "queue": limits.queue,
        },
        "version": env!("CARGO_PKG_VERSION"),
    }))
}

pub(super) async fn models(State(app): Shared) -> Answer<Value> {
    let mut models: Vec<Model> = app.engines.list();
    let inner = Arc::clone(&app);
    let of_runs = app.files.run(move || {
        let runs: Vec<String> = runs::found(&inner.options.runs).into_iter().map(|run| run.name).collect();
        Ok(inner.engines.list_of_runs(&runs))
    });
    // Where the disk of the runs does not answer, the other models are still there.
    models.extend(of_runs.await.unwrap_or_default());
    Answer(json!({ "models": models }))
}

pub(super) async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}

pub(super) async fn health() -> &'static str {
    "ok\n"
}

/// True to the default game's player being there: who balances load sends nobody before.
pub(super) async fn ready(State(app): Shared) -> Result<&'static str, Problem> {
    match app.ready.get() {
        _ if app.options.lazy => Ok("ready\n"),
        None => Err(Problem::busy("the player of the default game is being loaded")),
        Some(Ok(_)) => Ok("ready\n"),
        Some(Err(why)) => Err(Problem::busy(why)),
    }
}

pub(super) async fn metrics(State(app): Shared) -> impl IntoResponse {
    let followers = app.options.limits.followers - app.followers.available_permits();
    let page = app.metrics.page(app.pool.waiting(), followers);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], page)
}
