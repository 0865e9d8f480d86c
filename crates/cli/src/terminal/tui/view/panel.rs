//! The numbers beside the board: score, next tile, values of the moves, who plays.

use super::super::palette::{self, BOLD, FAINT};
use super::super::session::{Helper, SPEEDS, Session};
use super::{loading, styled};
use crate::terminal::{bar, grouped};
use afterstate::game::{Game, Hint};
use afterstate::grid::Direction;
use afterstate::search::Answer;
use ratatui::text::Line;

/// Columns that the panel needs.
pub(super) const WIDTH: u16 = 31;

pub(super) fn lines<G: Game>(session: &Session<'_, G>) -> Vec<Line<'static>> {
    let mut lines = vec![
        Line::styled(format!("score {}", grouped(session.score() as f64, 0)), BOLD),
        Line::raw(format!("moves {}", grouped(session.moves() as f64, 0))),
    ];
    lines.extend(next_tile(session));
    lines.push(Line::raw(""));
    lines.extend(moves(session));
    lines.push(Line::raw(""));
    lines.extend(player(session));
    lines
}

/// The announced tile of Threes and what is left in the bag.
fn next_tile<G: Game>(session: &Session<'_, G>) -> Vec<Line<'static>> {
    let setup = session.game.setup(session.state());
    let Some(hint) = setup.hint else { return Vec::new() };
    let ranks: Vec<Option<u8>> = match hint {
        Hint::Tile(rank) => vec![Some(rank)],
        Hint::Bonus => vec![None],
        Hint::Candidates { low, high } => (low..=high).map(Some).collect(),
    };
    let mut next = Line::raw("next ");
    for rank in ranks {
        let text = rank.map_or(" + ".to_string(), |rank| format!(" {} ", session.game.label(rank)));
        next.push_span(styled(text, palette::tile(true, rank.unwrap_or(9))));
        next.push_span(" ");
    }
    let bag = setup.bag.map(|[a, b, c]| Line::raw(format!("bag  {a} × 1  {b} × 2  {c} × 3")));
    std::iter::once(next).chain(bag).collect()
}

/// The four moves, or how to see them. Always four lines.
fn moves<G: Game>(session: &Session<'_, G>) -> Vec<Line<'static>> {
    let mut lines = match session.shown_values() {
        Some(answer) => bars(answer),
        None if session.is_thinking() => vec![Line::styled("thinking …", FAINT)],
        None if session.over() || session.wants_values() => Vec::new(),
        None => vec![Line::styled("t: hint   v: values of moves", FAINT)],
    };
    lines.resize(4, Line::raw(""));
    lines
}

/// A bar for each move, the value of the best, and what each other loses.
fn bars(answer: &Answer) -> Vec<Line<'static>> {
    let best = answer.value().unwrap_or(0.0);
    let losses = answer.moves.iter().flatten().map(|found| best - found.value);
    let most = losses.fold(0.02 * best.abs(), f32::max).max(f32::MIN_POSITIVE);
    let line = |(i, direction): (usize, Direction)| {
        let chosen = answer.best == Some(direction);
        let style = if chosen { BOLD } else { Default::default() };
        let name = styled(format!("{} {direction:<6}", ["↑", "→", "↓", "←"][i]), style);
        let Some(found) = answer.moves[i] else {
            return Line::from(vec![name, styled("not legal", FAINT)]);
        };
        let share = 1.0 - 0.9 * f64::from((best - found.value) / most);
        let color = if chosen { palette::GOOD } else { palette::PLAIN };
        let value = match chosen {
            true => format!("best {}", grouped(f64::from(found.value), 0)),
            false => loss(best - found.value),
        };
        Line::from(vec![
            name,
            styled(format!("{:<9}", bar(share, 9)), color),
            styled(format!("{value:>14}"), style),
        ])
    };
    Direction::ALL.into_iter().enumerate().map(line).collect()
}

/// A loss as it is read: `-1,234`, and below a hundred `-23.4`.
fn loss(loss: f32) -> String {
    let decimals = usize::from(loss < 99.95);
    if loss < 0.05 { "as good".into() } else { grouped(-f64::from(loss), decimals) }
}

/// The name of a model without the directories above it.
fn last_part(name: &str) -> &str {
    name.trim_end_matches('/').rsplit('/').next().unwrap_or(name)
}

/// The player and its depth, or what is loading; whose turn it is.
fn player<G: Game>(session: &Session<'_, G>) -> Vec<Line<'static>> {
    let speed = match SPEEDS[session.speed] {
        100_000 => "as fast as it can".to_string(),
        1 => "1 move a second".to_string(),
        speed => format!("{} moves a second", grouped(f64::from(speed), 0)),
    };
    let turn = match (session.over(), session.auto) {
        (true, _) => "the game is over".to_string(),
        (_, true) => format!("AI plays, {speed}"),
        (_, false) => "your turn".to_string(),
    };
    match &session.helper {
        Helper::Loading(what, taken) => {
            let then = match (session.auto, session.wants_values()) {
                (true, _) => "the AI plays then",
                (_, true) => "the hint comes then",
                _ => "you can play meanwhile",
            };
            vec![Line::raw(loading(what, *taken)), Line::styled(then, FAINT)]
        }
        Helper::Ready(engine) => {
            let less = if session.auto && session.pace.less > 0 { " to keep up" } else { "" };
            let depth = match session.budget() {
                Some(budget) if budget.time.is_some() => {
                    format!(", {} ms a move", budget.time.unwrap_or_default().as_millis())
                }
                Some(budget) if engine.searches() => format!(", {}-ply{less}", budget.ply),
                _ => String::new(),
            };
            let name = engine.model.as_deref().map_or(engine.player.name(), last_part);
            let room = usize::from(WIDTH).saturating_sub(depth.chars().count());
            let name: String = name.chars().take(room).collect();
            let mut lines = vec![Line::styled(name + &depth, FAINT), Line::styled(turn, FAINT)];
            if engine.other_rules.is_some() {
                lines.push(Line::styled("it learned other rules than these", FAINT));
            }
            lines
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_of_nothing_is_no_number() {
        assert_eq!([0.0, 0.04, -0.01].map(loss), ["as good"; 3]);
        assert_eq!([0.25, 99.9, 99.96, 1234.56].map(loss), ["-0.2", "-99.9", "-100", "-1,235"]);
    }

    #[test]
    fn models_are_named_by_their_last_part() {
        assert_eq!(["builtin:2048", "runs/mine/", "a/b.w"].map(last_part), ["builtin:2048", "mine", "b.w"]);
    }
}
