//! Stage gaps of a model, measured on boards its run collected or its games reach.

use crate::metadata::{self, Model};
use crate::recipe::begins;
use crate::run::collected_boards;
use afterstate::game::catalogue::{AnyGame, GameSpec};
use afterstate::learn::Learner;
use afterstate::learn::step_size::{StepRule, StepSize};
use afterstate::stage_gap::{self, StageGap};
use afterstate::with_game;
use std::path::Path;

/// The most boards a gap is measured on.
const BOARDS: usize = 1_000;

/// The gap at one boundary.
#[derive(Clone, Debug)]
pub struct MeasuredGap {
    /// Tiles that begin the stage after it.
    pub begins: String,
    /// True if the boards are those the run collected, rather than the first ones of new games.
    pub collected: bool,
    /// The measurement.
    pub gap: StageGap,
}

/// Measures the gap at every boundary of the model in file `path`.
///
/// Boards are those its run collected, if they lie beside it, else those that `games` greedy games
/// reach.
pub fn measure(path: &Path, model: Model, games: u64, seed: u64) -> Result<Vec<MeasuredGap>, String> {
    let game = game_of(&model)?;
    let value_kind = metadata::value_kind(&model.metadata);
    let network = model.network;
    let step_size = StepSize::new(StepRule::Fixed { per_weight: 0.0 }, &network); // keeps no sums
    let learner = Learner { network, step_size };
    let rules = learner.network.structure().stages.clone();
    with_game!(&game, game => {
        let mut played = None;
        let mut all = Vec::new();
        for stage in 1..rules.count() as u8 {
            let mut boards = collected_boards(game, path, stage)?;
            let collected = !boards.is_empty();
            if !collected {
                let entries = played
                    .get_or_insert_with(|| stage_gap::first_boards(game, &learner, value_kind, games, BOARDS, seed));
                boards = entries.of(stage).map(|entry| entry.start).collect();
            }
            boards.truncate(BOARDS);
            let gap = stage_gap::measure(game, &learner, value_kind, stage, boards, seed);
            all.push(MeasuredGap { begins: begins(game, &rules, stage), collected, gap });
        }
        Ok(all)
    })
}

/// The game of a model, with the variant of its recipe.
fn game_of(model: &Model) -> Result<AnyGame, String> {
    let recipe = metadata::recipe(&model.metadata);
    if let Some(built) = recipe.and_then(|recipe| recipe.build().ok()) {
        return Ok(built.game.rules);
    }
    let name = model.metadata.get(metadata::GAME).ok_or("the model does not say which game it plays")?;
    GameSpec::parse(name).and_then(|spec| spec.build()).map_err(|error| error.to_string())
}
