//! Games in the formats of other programs: read, written, played again by the rules.

use crate::Shared;
use crate::body::{Answer, Typed};
use crate::client::Client;
use crate::pool::Length;
use crate::problem::Problem;
use afterstate_lab::api::{self, ReadReplay, Record, Track, Written};
use axum::extract::State;
use std::sync::Arc;

pub(super) async fn read(
    State(app): Shared,
    client: Client,
    Typed(asked): Typed<ReadReplay>,
) -> Result<Answer<Track>, Problem> {
    let found = asked.found()?;
    let inner = Arc::clone(&app);
    let track = app.pool.run(Length::Short, client, &app.metrics, move |_| {
        Ok(api::read_replay(&found, &inner.options.limits.bounds)?)
    });
    track.await.map(Answer)
}

pub(super) async fn write(
    State(app): Shared,
    client: Client,
    Typed(asked): Typed<Record>,
) -> Result<Answer<Written>, Problem> {
    asked.format()?;
    let game = asked.game()?;
    let inner = Arc::clone(&app);
    let written = app.pool.run(Length::Short, client, &app.metrics, move |_| {
        Ok(api::write_replay(&asked, &game, &inner.options.limits.bounds)?)
    });
    written.await.map(Answer)
}
