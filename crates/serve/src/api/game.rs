//! The rules over HTTP: a new game, a position, a move, all that chance can do.

use super::{direction, game_of, legal, random, read};
use crate::body::{Answer, Typed};
use crate::problem::Problem;
use crate::wire::{Look, Move, Moved, NewGame, Outcome, Outcomes, Position};
use afterstate::episode::Spawn;
use afterstate::game::catalogue::GameSpec;
use afterstate::game::{Game, notation};
use afterstate::with_game;

fn told<G: Game>(game: &G, spec: &GameSpec, state: &G::State) -> Position {
    let cells = &game.state_view(state).cells[..game.shape().cells()];
    let legal = legal(game, state);
    Position {
        game: spec.name(),
        id: game.id(),
        rows: game.shape().rows(),
        cols: game.shape().cols(),
        position: notation::write(game, state),
        tiles: cells.iter().map(|&rank| game.label(rank)).collect(),
        score: game.start_score(state),
        over: legal.is_empty(),
        legal,
        win: game.label(game.win_rank()),
    }
}

pub(super) async fn new(Typed(asked): Typed<NewGame>) -> Result<Answer<Position>, Problem> {
    let game = game_of(&asked.game, &asked.variant)?;
    let spec = &game.spec;
    Ok(Answer(with_game!(&game.rules, game => told(game, spec, &game.start(&mut random(asked.seed))))))
}

pub(super) async fn look(Typed(asked): Typed<Look>) -> Result<Answer<Position>, Problem> {
    let game = game_of(&asked.game, &asked.variant)?;
    let spec = &game.spec;
    with_game!(&game.rules, game => Ok(Answer(told(game, spec, &read(game, &asked.position)?))))
}

pub(super) async fn slide(Typed(asked): Typed<Move>) -> Result<Answer<Moved>, Problem> {
    let game = game_of(&asked.game, &asked.variant)?;
    with_game!(&game.rules, game => {
        let state = read(game, &asked.position)?;
        let slide = game.slide(&state, direction(&asked.direction)?).ok_or_else(illegal)?;
        let outcome = game.spawn(&slide.afterstate, &mut random(asked.seed));
        let spawn = Spawn::between(game, &slide.afterstate, &outcome.state);
        let legal = legal(game, &outcome.state);
        Ok(Answer(Moved {
            position: notation::write(game, &outcome.state),
            reward: slide.reward + outcome.reward,
            spawn: [spawn.cell, spawn.rank, spawn.hint],
            over: legal.is_empty(),
            legal,
        }))
    })
}

fn illegal() -> Problem {
    Problem::wrong("that move is not legal here: nothing would slide; /api/v1/position lists the legal ones")
}

pub(super) async fn outcomes(Typed(asked): Typed<Move>) -> Result<Answer<Outcomes>, Problem> {
    let game = game_of(&asked.game, &asked.variant)?;
    with_game!(&game.rules, game => {
        let state = read(game, &asked.position)?;
        let slide = game.slide(&state, direction(&asked.direction)?).ok_or_else(illegal)?;
        let ways = game.ways(&slide.afterstate) as f64;
        let mut outcomes = Vec::new();
        game.outcomes(&slide.afterstate, |outcome| {
            let spawn = Spawn::between(game, &slide.afterstate, &outcome.state);
            let position = notation::write(game, &outcome.state);
            let hint = position.split(' ').find_map(|word| word.strip_prefix("hint=")).unwrap_or("");
            outcomes.push(Outcome {
                cell: spawn.cell,
                rank: spawn.rank,
                tile: game.label(spawn.rank),
                hint: hint.into(),
                probability: outcome.ways as f64 / ways,
                position,
            });
        });
        Ok(Answer(Outcomes { reward: slide.reward, outcomes }))
    })
}
