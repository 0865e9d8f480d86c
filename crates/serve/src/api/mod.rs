//! The requests, and what they have in common: a game, a position, a depth.

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
use afterstate::game::{Game, notation};
use afterstate::grid::Direction;
use afterstate::random::Random;
use afterstate::search::MAX_PLY;
use afterstate_lab::engine::{Engine, SearchBudget};
use afterstate_lab::variant::{ConfiguredGame, Variant};
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

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
        .route("/api/v1/analyze", post(analyze::position))
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

/// The longest name of a game, position or replay line that is looked at.
const LONGEST_POSITION: usize = 4096;

/// A game by name, with its options.
fn game_of(name: &str, variant: &Variant) -> Result<ConfiguredGame, Problem> {
    ConfiguredGame::parse(name, variant.clone()).map_err(Problem::wrong)
}

/// A position of a game.
fn read<G: Game>(game: &G, text: &str) -> Result<G::State, Problem> {
    if text.len() > LONGEST_POSITION {
        return Err(Problem::wrong(format!("the position is longer than {LONGEST_POSITION} bytes")));
    }
    notation::read(game, text).map_err(|error| Problem::wrong(format!("the position: {error}")))
}

fn direction(name: &str) -> Result<Direction, Problem> {
    Direction::parse(name).ok_or_else(|| Problem::wrong("the move must be up, right, down or left"))
}

/// The names of the legal moves.
fn legal<G: Game>(game: &G, state: &G::State) -> Vec<&'static str> {
    let slides = game.slides(state);
    Direction::ALL
        .into_iter()
        .zip(slides)
        .filter(|(_, slide)| slide.is_some())
        .map(|(d, _)| d.name())
        .collect()
}

/// A seed nobody can foresee, unless one is asked for.
fn random(seed: Option<u64>) -> Random {
    Random::new(seed.unwrap_or_else(|| RandomState::new().build_hasher().finish()))
}

/// The budget asked for, within the limits. A search by ply also has to end in time.
fn budget(
    app: &App,
    engine: &Engine,
    ply: Option<u64>,
    time_ms: Option<u64>,
) -> Result<SearchBudget<'static>, Problem> {
    let most = app.options.limits.search_time;
    let ply = match ply {
        Some(ply) => {
            Some(u8::try_from(ply).ok().filter(|ply| (1..=MAX_PLY).contains(ply)).ok_or_else(|| {
                Problem::wrong(format!("a ply of {ply} is not possible; ask for 1 to {MAX_PLY}"))
            })?)
        }
        None => None,
    };
    let time = match time_ms {
        Some(0) => return Err(Problem::wrong("time_ms must be at least 1")),
        Some(ms) if Duration::from_millis(ms) > most => {
            let message = format!("time_ms of {ms} is too long; ask for at most {}", most.as_millis());
            return Err(Problem::wrong(message));
        }
        Some(ms) => Some(Duration::from_millis(ms)),
        None => None,
    };
    if ply.is_some() && time.is_some() {
        return Err(Problem::wrong("a search has a ply or a time_ms; send one of them"));
    }
    let mut budget = SearchBudget::of(ply, time).unwrap_or(engine.budget);
    if budget.ply > 1 && !engine.searches() {
        return Err(Problem::wrong("this model's values cannot be searched; ask for a ply of 1"));
    }
    if budget.ply > 2 && budget.time.is_none() {
        budget.time = Some(most);
    }
    Ok(budget)
}
