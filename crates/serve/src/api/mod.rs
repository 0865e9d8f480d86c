//! The requests. The lab answers those about games; here they meet HTTP and the queue.

mod about;
mod analyze;
mod classic;
mod follow;
mod game;
mod play;
mod replay;
mod runs;

use crate::problem::Problem;
use crate::{App, assets, guard};
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use std::sync::Arc;

/// All routes. `openapi.json` describes those below `/api/v1`; a test compares the two.
pub(crate) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/v1/games", get(about::games))
        .route("/api/v1/models", get(about::models))
        .route("/api/v1/openapi.json", get(about::openapi))
        .route("/api/v1/game", post(game::new))
        .route("/api/v1/position", post(game::look))
        .route("/api/v1/move", post(game::slide))
        .route("/api/v1/outcomes", post(game::outcomes))
        .route("/api/v1/analyze", post(analyze::repeated))
        .route("/api/v2/analyze", post(analyze::position))
        .route("/api/v1/play", post(play::batch))
        .route("/api/v1/replay/read", post(replay::read))
        .route("/api/v1/replay/write", post(replay::write))
        .route("/api/v1/replay/analyze", post(analyze::replay))
        .route("/api/v1/runs", get(runs::list))
        .route("/api/v1/runs/{run}", get(runs::details))
        .route("/api/v1/runs/{run}/stream", get(follow::stream))
        .route("/api/v1/runs/{run}/files/{*file}", get(runs::file))
        .route("/move", get(classic::best))
        .route("/analyze", post(classic::analyze))
        .route("/healthz", get(about::health))
        .route("/readyz", get(about::ready))
        .route("/metrics", get(about::metrics))
        .fallback(assets::page)
        .method_not_allowed_fallback(|| async {
            Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "this address does not take that method; see /api/v1/openapi.json",
            )
        })
        .layer(from_fn_with_state(Arc::clone(&app), guard::guard))
        .with_state(app)
}
