//! The rules: a new game, a position, a move, all that chance can do.

use super::wire::Outcome;
use super::{Look, Move, Moved, NewGame, Outcomes, Position, Refusal, direction, game, position, random};
use afterstate::episode::Spawn;
use afterstate::game::catalogue::GameSpec;
use afterstate::game::{Game, notation};
use afterstate::grid::Direction;
use afterstate::with_game;

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

/// The first position of a new game.
pub fn new_game(asked: &NewGame) -> Result<Position, Refusal> {
    let game = game(&asked.game, &asked.variant)?;
    let spec = &game.spec;
    Ok(with_game!(&game.rules, game => told(game, spec, &game.start(&mut random(asked.seed)))))
}

/// A position, described.
pub fn look(asked: &Look) -> Result<Position, Refusal> {
    let game = game(&asked.game, &asked.variant)?;
    let spec = &game.spec;
    with_game!(&game.rules, game => Ok(told(game, spec, &position(game, &asked.position)?)))
}

/// A slide and what chance answers.
pub fn slide(asked: &Move) -> Result<Moved, Refusal> {
    let game = game(&asked.game, &asked.variant)?;
    with_game!(&game.rules, game => {
        let state = position(game, &asked.position)?;
        let slide = game.slide(&state, direction(&asked.direction)?).ok_or(Refusal::Illegal)?;
        let outcome = game.spawn(&slide.afterstate, &mut random(asked.seed));
        let spawn = Spawn::between(game, &slide.afterstate, &outcome.state);
        let legal = legal(game, &outcome.state);
        Ok(Moved {
            position: notation::write(game, &outcome.state),
            reward: slide.reward + outcome.reward,
            spawn: [spawn.cell, spawn.rank, spawn.hint],
            over: legal.is_empty(),
            legal,
        })
    })
}

/// A slide and all that chance can do.
pub fn outcomes(asked: &Move) -> Result<Outcomes, Refusal> {
    let game = game(&asked.game, &asked.variant)?;
    with_game!(&game.rules, game => {
        let state = position(game, &asked.position)?;
        let slide = game.slide(&state, direction(&asked.direction)?).ok_or(Refusal::Illegal)?;
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
        Ok(Outcomes { reward: slide.reward, outcomes })
    })
}
