//! Analysis of a position, and of every position of a game.

use crate::body::{Answer, Sender, Typed, stream};
use crate::client::Client;
use crate::engine_pool;
use crate::pool::{Length, LongTurn};
use crate::problem::Problem;
use crate::{App, Shared};
use afterstate_lab::api::{self, Analysis, Analyze, Chosen, JudgedLines, Line, Record, RepeatedAnalysis};
use afterstate_lab::engine::Engine;
use axum::extract::State;
use axum::response::Response;
use hyper::body::Bytes;
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::error::TrySendError;

/// For longer than this a search is long work; and so it is if it is deeper than usual.
const SHORT: Duration = Duration::from_millis(500);

fn length(asked: &Analyze, engine: &Engine) -> Length {
    if asked.exceeds(engine, SHORT) { Length::Long } else { Length::Short }
}

pub(super) async fn position(
    State(app): Shared,
    client: Client,
    Typed(asked): Typed<Analyze>,
) -> Result<Answer<Analysis>, Problem> {
    analysis(&app, client, asked).await.map(Answer)
}

/// As the first version promises it.
pub(super) async fn repeated(
    State(app): Shared,
    client: Client,
    Typed(asked): Typed<Analyze>,
) -> Result<Answer<RepeatedAnalysis>, Problem> {
    analysis(&app, client, asked).await.map(|analysis| Answer(analysis.repeated()))
}

async fn analysis(app: &Arc<App>, client: Client, asked: Analyze) -> Result<Analysis, Problem> {
    let game = asked.checked()?;
    let (engine, id) = engine_pool::engine(app, &game, asked.model.as_deref()).await?;
    let inner = Arc::clone(app);
    let analysis = app.pool.run(length(&asked, &engine), client, &app.metrics, move |gone| {
        let chosen = Chosen { engine: &engine, id: &id };
        let cancelled = || gone.is_gone();
        let bounds = &inner.options.limits.bounds;
        let analysis = api::judge_position(&asked, &game, chosen, bounds, Some(&cancelled))?;
        inner.metrics.searched(1);
        Ok(analysis)
    });
    analysis.await
}

/// Streams a line for every move as soon as it is analysed, then one for the whole game.
pub(super) async fn replay(
    State(app): Shared,
    client: Client,
    Typed(asked): Typed<Record>,
) -> Result<Response, Problem> {
    let game = asked.game()?;
    let (engine, id) = engine_pool::engine(&app, &game, asked.effort.model.as_deref()).await?;
    let (sender, response) = stream("application/x-ndjson");
    let inner = Arc::clone(&app);
    let (ready, opened) = tokio::sync::oneshot::channel();
    let work = move |mut turn: LongTurn| {
        let gone = || sender.is_closed();
        let bounds = &inner.options.limits.bounds;
        match api::judge_game(&asked, &game, engine, id, bounds, Some(&gone)) {
            Err(refusal) => drop(ready.send(Err(refusal.into()))),
            Ok(judged) => {
                drop(ready.send(Ok(())));
                let searched = send(judged, &sender, &mut turn);
                inner.metrics.searched(searched);
            }
        }
    };
    app.pool.start(client, &app.metrics, work).await?;
    match opened.await {
        Ok(opened) => opened.map(|()| response),
        Err(_) => Err(Problem::defect("the analysis ended early")),
    }
}

/// Sends lines as they come, while somebody is there; the number of moves judged. Between two
/// positions others may have their turn.
fn send(judged: JudgedLines<'_>, sender: &Sender, turn: &mut LongTurn) -> u64 {
    let mut lines = Lines::new(sender);
    let mut moves = 0;
    for line in judged {
        moves += u64::from(matches!(line, Line::Move(_)));
        if !lines.put(&line, turn) {
            break;
        }
        turn.breathe();
    }
    lines.flush(turn);
    moves
}

/// Lines that are sent a few at a time: when there are many, or when the last were sent a while
/// ago.
struct Lines<'a> {
    sender: &'a Sender,
    waiting: Vec<u8>,
    sent: Instant,
}

impl<'a> Lines<'a> {
    fn new(sender: &'a Sender) -> Self {
        Self { sender, waiting: Vec::new(), sent: Instant::now() }
    }

    /// True if anybody is still there.
    fn put(&mut self, line: &impl Serialize, turn: &mut LongTurn) -> bool {
        if serde_json::to_writer(&mut self.waiting, line).is_err() {
            return false;
        }
        self.waiting.push(b'\n');
        let soon = self.waiting.len() < 16 << 10 && self.sent.elapsed() < Duration::from_millis(100);
        soon || self.flush(turn)
    }

    /// Where the reader is behind, the turn is given back until he is not.
    fn flush(&mut self, turn: &mut LongTurn) -> bool {
        self.sent = Instant::now();
        let piece = Bytes::from(std::mem::take(&mut self.waiting));
        match self.sender.try_send(piece) {
            Ok(()) => true,
            Err(TrySendError::Closed(_)) => false,
            Err(TrySendError::Full(piece)) => turn.pause(|| self.sender.blocking_send(piece).is_ok()),
        }
    }
}
