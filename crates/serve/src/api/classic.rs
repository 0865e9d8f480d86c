//! The protocol of macroxue's clients: `GET /move?board=…` answers one letter.

use super::{depth, read};
use crate::Shared;
use crate::problem::Problem;
use crate::wire::ClassicMove;
use afterstate::game::catalogue::AnyGame;
use afterstate::grid::Direction;
use afterstate::search::Workspace;
use afterstate_lab::mind::{self, Effort};
use afterstate_lab::recipe::Variant;
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

fn four() -> Result<AnyGame, Problem> {
    mind::game("2048", &Variant::default()).map_err(Problem::defect)
}

/// `u`, `r`, `d` or `l`, or `g` where the game is over.
pub(super) async fn best(State(app): Shared, uri: Uri) -> Result<&'static str, Problem> {
    let (board, _) = asked(&uri)?;
    let AnyGame::Twenty48(game) = four()? else { return Err(Problem::defect("2048 has another board")) };
    let state = read(&game, &board).map_err(|problem| Problem::malformed(problem.message))?;
    let inner = Arc::clone(&app);
    let best = app.pool.run(&app.metrics, move |gone| {
        let spec = afterstate::game::catalogue::GameSpec::parse("2048").map_err(Problem::defect)?;
        let (mind, _) = inner.minds.get(&spec, &Variant::default(), None)?;
        let depth = depth(&inner, &mind, None, None)?;
        let stage = mind.implied_stage(&game, &state);
        let cancelled = || gone.is_gone();
        let effort = Effort::of(depth).unless(Some(&cancelled));
        let answer = mind.judge(&game, &state, stage, effort, &mut Workspace::default());
        inner.metrics.searched(1);
        Ok(answer.best)
    });
    Ok(best.await?.map_or("g", |direction: Direction| &direction.name()[..1]))
}

/// Their clients report every move made; we take it and have nothing to say.
pub(super) async fn analyze(uri: Uri) -> Result<&'static str, Problem> {
    let (board, direction) = asked(&uri)?;
    let AnyGame::Twenty48(game) = four()? else { return Err(Problem::defect("2048 has another board")) };
    read(&game, &board).map_err(|problem| Problem::malformed(problem.message))?;
    match direction {
        Some(name) if name != "g" => {
            super::direction(&name).map(|_| "").map_err(|p| Problem::malformed(p.message))
        }
        _ => Ok(""),
    }
}
