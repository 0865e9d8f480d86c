//! Moves of the player, many at once.

use crate::Shared;
use crate::body::{Answer, Typed};
use crate::client::Client;
use crate::engine_pool;
use crate::pool::Length;
use crate::problem::Problem;
use afterstate_lab::api::{self, Chosen, Play, Track};
use axum::extract::State;
use std::sync::Arc;

pub(super) async fn batch(
    State(app): Shared,
    client: Client,
    Typed(asked): Typed<Play>,
) -> Result<Answer<Track>, Problem> {
    // What is wrong with the position is said before anybody waits.
    let game = asked.checked(&app.options.limits.bounds)?;
    let (engine, id) = engine_pool::engine(&app, &game, asked.model.as_deref()).await?;
    let inner = Arc::clone(&app);
    let track = app.pool.run(Length::Short, client, &app.metrics, move |gone| {
        let chosen = Chosen { engine: &engine, id: &id };
        let cancelled = || gone.is_gone();
        let track = api::play(&asked, &game, chosen, &inner.options.limits.bounds, Some(&cancelled))?;
        inner.metrics.searched(track.len() as u64);
        Ok(track)
    });
    track.await.map(Answer)
}
