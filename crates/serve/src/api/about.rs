//! Descriptions: games, models, health, metrics, the API itself.

use crate::body::Answer;
use crate::{Shared, wire};
use afterstate::game::catalogue::GAMES;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde_json::{Value, json};

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
            "time_ms": limits.search_time.as_millis() as u64,
            "batch_moves": limits.batch_moves,
            "replay_moves": limits.replay_moves,
            "searches": limits.searches,
            "queue": limits.queue,
        },
        "version": env!("CARGO_PKG_VERSION"),
    }))
}

pub(super) async fn models(State(app): Shared) -> Answer<Value> {
    let models: Vec<wire::Model> = app.engines.list();
    Answer(json!({ "models": models }))
}

pub(super) async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}

pub(super) async fn health() -> &'static str {
    "ok\n"
}

pub(super) async fn metrics(State(app): Shared) -> impl IntoResponse {
    let followers = app.options.limits.followers - app.followers.available_permits();
    let page = app.metrics.page(app.pool.waiting(), followers);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], page)
}
