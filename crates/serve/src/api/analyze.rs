//! Analysis of a position, and of every position of a game.

use super::replay::{Checked, checked};
use super::{budget, game_of, read};
use crate::body::{Answer, Sender, Typed, stream};
use crate::problem::Problem;
use crate::wire::{Analysis, Analyze, Judged, JudgedGame, JudgedMove, Record};
use crate::{App, Shared};
use afterstate::game::{Game, notation};
use afterstate::search::Workspace;
use afterstate::with_game;
use afterstate_lab::analysis::{Analysed, Loss, Losses};
use afterstate_lab::engine::{Engine, SearchBudget};
use axum::extract::State;
use axum::response::Response;
use hyper::body::Bytes;
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(super) async fn position(
    State(app): Shared,
    Typed(asked): Typed<Analyze>,
) -> Result<Answer<Analysis>, Problem> {
    let game = game_of(&asked.game, &asked.variant)?;
    with_game!(&game.rules, game => read(game, &asked.position).map(drop))?;
    let inner = Arc::clone(&app);
    let analysis = app.pool.run(&app.metrics, move |gone| {
        let (engine, model) = inner.engines.get(&game, asked.model.as_deref())?;
        let cancelled = || gone.is_gone();
        let budget = budget(&inner, &engine, asked.ply, asked.time_ms)?.unless(Some(&cancelled));
        let first = with_game!(&game.rules, game => {
            let state = read(game, &asked.position)?;
            let stage = engine.implied_stage(game, &state);
            let answer = engine.search(game, &state, stage, budget, &mut Workspace::default());
            let analysed = Analysed::of(notation::write(game, &state), &answer);
            let analysed = match engine.endgame_chances(game, &state) {
                Some(advice) => analysed.with_chances(advice.chances, game.label(advice.goal)),
                None => analysed,
            };
            Judged { analysed, complete: answer.complete }
        });
        inner.metrics.searched(1);
        Ok(Analysis { game: game.spec.name(), model, positions: [first.clone()], first })
    });
    analysis.await.map(Answer)
}

/// Streams a line for every move as soon as it is analysed, then one for the whole game.
pub(super) async fn replay(State(app): Shared, Typed(asked): Typed<Record>) -> Result<Response, Problem> {
    let effort = asked.effort.clone();
    let game = game_of(&asked.game, &asked.variant)?;
    let turn = app.pool.turn(&app.metrics).await?;
    let (sender, response) = stream("application/x-ndjson");
    let inner = Arc::clone(&app);
    let (ready, opened) = tokio::sync::oneshot::channel();
    tokio::task::spawn_blocking(move || {
        let _turn = turn;
        let opened = inner
            .engines
            .get(&game, effort.model.as_deref())
            .and_then(|(engine, id)| Ok((budget(&inner, &engine, effort.ply, effort.time_ms)?, engine, id)));
        let (budget, engine, id) = match opened {
            Ok(opened) => opened,
            Err(problem) => return drop(ready.send(Err(problem))),
        };
        with_game!(&game.rules, game => match checked(game, &inner, &asked) {
            Err(problem) => drop(ready.send(Err(problem))),
            Ok(record) => {
                drop(ready.send(Ok(())));
                Reader { game, app: &inner, engine: &engine, budget, sender }.judge(&record, id);
            }
        });
    });
    match opened.await {
        Ok(opened) => opened.map(|()| response),
        Err(_) => Err(Problem::defect("the analysis ended early")),
    }
}

/// Analyses every position of a game.
struct Reader<'a, G> {
    game: &'a G,
    app: &'a App,
    engine: &'a Engine,
    budget: SearchBudget<'static>,
    sender: Sender,
}

impl<G: Game> Reader<'_, G> {
    fn judge(&self, record: &Checked<G>, model: String) {
        let end = Instant::now() + self.app.options.limits.game_time;
        let mut work = Workspace::default();
        let mut stage = self.engine.implied_stage(self.game, &record.start);
        let mut state = record.start;
        let mut whole = JudgedGame { done: true, moves: 0, model, losses: Losses::default() };
        let mut lines = Lines::new(&self.sender);
        let gone = || self.sender.is_closed();
        let budget = self.budget.unless(Some(&gone));
        for (number, step) in (1..).zip(&record.steps) {
            let answer = self.engine.search(self.game, &state, stage, budget, &mut work);
            let values = answer.moves.map(|found| found.map(|found| found.value));
            let Loss { loss, mistake } =
                whole.losses.add(number, answer.value(), values[step.direction as usize]);
            whole.moves = number;
            let line = JudgedMove {
                number,
                direction: step.direction.name(),
                best: answer.best.map(|best| best.name()),
                value: answer.value(),
                values,
                loss,
                mistake,
            };
            if !lines.put(&line) {
                return;
            }
            if Instant::now() >= end {
                whole.done = false;
                break;
            }
            stage = self.engine.next_stage(self.game, stage, &step.afterstate);
            state = step.state;
        }
        self.app.metrics.searched(whole.moves as u64);
        lines.put(&whole);
        lines.flush();
    }
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
    fn put(&mut self, line: &impl Serialize) -> bool {
        if serde_json::to_writer(&mut self.waiting, line).is_err() {
            return false;
        }
        self.waiting.push(b'\n');
        let soon = self.waiting.len() < 16 << 10 && self.sent.elapsed() < Duration::from_millis(100);
        soon || self.flush()
    }

    fn flush(&mut self) -> bool {
        self.sent = Instant::now();
        self.sender.blocking_send(Bytes::from(std::mem::take(&mut self.waiting))).is_ok()
    }
}
