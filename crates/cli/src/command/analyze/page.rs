//! The answer of `analyze` for people.

use crate::terminal::{Table, board, grouped, percent};
use crate::wire;
use afterstate::game::Game;
use afterstate_lab::analysis::AnalysedMove;
use afterstate_lab::variant::game_name;

/// Number of worst moves of a game that are shown.
const WORST: usize = 20;

/// Header: the game and the engine. `usual`: nobody asked for its depth.
pub(super) fn header(answer: &wire::Analysis, usual: bool) -> String {
    let who = match (&answer.model, answer.player) {
        (Some(name), _) => name.clone(),
        (None, player) => format!("the {player} player, whose values are no points (--model for those)"),
    };
    let ahead = match (answer.ply, answer.time_per_move) {
        (_, Some(seconds)) => {
            format!("{} ms per move", grouped(seconds * 1e3, if seconds < 1e-3 { 2 } else { 0 }))
        }
        (ply, None) => format!("{}-ply{}", ply.unwrap_or(1), if usual { " (the default)" } else { "" }),
    };
    format!("{}, {ahead}, by {who}\n\n", game_name(&answer.game, &answer.variant))
}

/// One position.
pub(super) fn position<G: Game>(game: &G, state: &G::State, found: &wire::Analysed) -> String {
    let view = game.state_view(state);
    let mut text = format!("  {}\n", found.position);
    text += &board(game.shape(), view.cells, |rank| game.label(rank));
    let Some(best) = found.best else { return text + "  The game is over.\n" };
    let mut table = Table::new(["move", "reward", "value", "loss", ""]);
    let number = |value: Option<f32>| value.map_or("–".into(), |value| grouped(value.into(), 2));
    for m in &found.moves {
        table.row([
            m.direction.into(),
            m.reward.map_or("–".into(), |reward| grouped(reward as f64, 0)),
            number(m.value),
            number(m.loss),
            if m.direction == best { "best".into() } else { String::new() },
        ]);
    }
    text += &table.render();
    if let Some(tile) = found.endgame_tile {
        let chance = |m: &AnalysedMove| Some(format!("{} {}", m.direction, percent(m.chance?.into())));
        let chances: Vec<String> = found.moves.iter().filter_map(chance).collect();
        text += &format!("  chance of one more {tile}: {}\n", chances.join(", "));
    }
    if let Some(rollouts) = &found.rollouts {
        text += &played_on(rollouts);
    }
    text
}

fn played_on(rollouts: &wire::Rollouts) -> String {
    let mut text = format!("\n  {} games played on from here", grouped(rollouts.games as f64, 0));
    if let Some(score) = &rollouts.score {
        let margin = score.ci95.map(|[low, high]| format!(" ± {}", grouped((high - low) / 2.0, 1)));
        text += &format!(": {}{} points\n", grouped(score.mean, 1), margin.unwrap_or_default());
    }
    let mut table = Table::new(["tile", "reached", "95 % interval"]);
    for (label, tile) in rollouts.tiles.iter().filter(|(_, tile)| tile.rate < 1.0 || tile.largest > 0) {
        let range = format!("{:.2} – {}", tile.ci95[0] * 100.0, percent(tile.ci95[1]));
        table.row([label.to_string(), percent(tile.rate), range]);
    }
    text + &table.render()
}

/// A whole game: totals and its worst moves.
pub(super) fn replay(whole: &wire::Replayed, positions: &[wire::Analysed]) -> String {
    let count = |n: usize| grouped(n as f64, 0);
    let share = percent(whole.losses.best_moves as f64 / whole.moves.max(1) as f64);
    let average = whole.losses.total_loss / whole.moves.max(1) as f64;
    let mut text = format!(
        "{} ({}): {} moves, {} points\n  best moves {} ({share}), mistakes {}, points lost {} ({} per move)\n",
        whole.source,
        whole.format,
        count(whole.moves),
        grouped(whole.score as f64, 0),
        count(whole.losses.best_moves),
        count(whole.losses.mistakes.len()),
        grouped(whole.losses.total_loss, 1),
        grouped(average, 3),
    );
    let mut worst: Vec<(&wire::Analysed, &wire::PlayedMove)> = positions
        .iter()
        .filter_map(|p| Some((p, p.played.as_ref().filter(|played| played.mistake)?)))
        .collect();
    worst.sort_by(|a, b| b.1.loss.total_cmp(&a.1.loss));
    worst.truncate(WORST);
    if worst.is_empty() {
        return text;
    }
    text += if whole.losses.mistakes.len() > WORST { "  The worst of them:\n" } else { "" };
    let mut table = Table::new(["position", "move", "played", "best", "loss"]);
    for (position, played) in worst {
        table.row([
            position.position.clone(),
            count(played.number),
            played.direction.into(),
            position.best.unwrap_or("none").into(),
            grouped(played.loss.into(), 2),
        ]);
    }
    text + &table.render()
}
