//! Positions to start training games from, read from a file.

use super::files::{RunError, at};
use crate::recipe::{Built, Recipe, Start};
use afterstate::game::{Game, notation};
use afterstate::learn::start::Begun;
use std::path::Path;

/// Reads the file of positions to start from, if the recipe names one: `position [score]` on each line.
pub(super) fn read_boards<G: Game>(
    game: &G,
    recipe: &Recipe,
    built: &Built,
) -> Result<Vec<Begun<G::State>>, RunError> {
    let Some(name) = recipe.learning.boards.as_ref().filter(|_| recipe.learning.start == Start::Boards)
    else {
        return Ok(Vec::new());
    };
    let path = Path::new(name);
    let text = std::fs::read_to_string(path).map_err(at("cannot read", path))?;
    let mut boards = Vec::new();
    for (number, line) in
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
    {
        let (position, score) = match line.split_once('\t') {
            Some((position, score)) => (position, score.trim().parse().ok()),
            None => (line, Some(0)),
        };
        let wrong = |what: String| RunError::Unusable(format!("{}:{}: {what}", path.display(), number + 1));
        let score = score.ok_or_else(|| wrong("the score after the tab is not a number".into()))?;
        let state = notation::read(game, position).map_err(|e| wrong(e.to_string()))?;
        let stage = built.structure.stages.implied(game.state_view(&state).cells);
        boards.push(Begun { state, stage, score });
    }
    if boards.is_empty() {
        return Err(RunError::Unusable(format!("{} holds no positions", path.display())));
    }
    Ok(boards)
}
