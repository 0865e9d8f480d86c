//! View of a session: the board, the numbers, the four moves as bars, the keys.

use super::palette;
use super::screen::{Screen, Style};
use super::session::{SPEEDS, Session};
use crate::terminal::{bar, grouped};
use afterstate::game::{Game, Hint};
use afterstate::grid::Direction;

/// The least a window must have.
const LEAST: (usize, usize) = (48, 12);
/// The columns of the numbers beside the board.
const PANEL: usize = 31;

const KEYS: [&str; 4] = [
    "arrows wasd hjkl slide · space AI plays · +/- speed",
    "t hint · v values · u undo · y redo · n new game",
    "p/P looks further or less far · g game · b board",
    "q quit",
];

/// Draws everything on a screen of this size.
pub(crate) fn draw<G: Game>(session: &Session<'_, G>, width: usize, height: usize) -> Screen {
    let mut screen = Screen::new(width, height);
    let (plain, faint, bold) = (Style::default(), faint(), Style { bold: true, ..Style::default() });
    if width < LEAST.0 || height < LEAST.1 {
        screen.write(0, 0, &format!("make the window at least {} x {}", LEAST.0, LEAST.1), plain);
        return screen;
    }
    let shape = session.game.shape();
    let id = session.game.id();
    let name = id.trim_end_matches("-v1");
    screen.write(1, 0, name, bold);
    let keys = if height >= 20 { KEYS.len() } else { 1 };
    let room = (width - PANEL - 3, height - 3 - keys);
    let tile = tile_size(session, room);
    let board_width = tile.0 * shape.cols() + shape.cols() + 1;
    board(&mut screen, session, (1, 2), tile);
    panel(&mut screen, session, board_width + 3, 2);
    if !session.message.is_empty() {
        screen.write(2 + name.len() + 1, 0, &format!("  {}", session.message), bold);
    }
    for (i, line) in KEYS[..keys].iter().enumerate() {
        let line =
            if keys == 1 { "arrows slide · space AI plays · t hint · u undo · q quit" } else { line };
        screen.write(1, height - keys + i, line, faint);
    }
    screen
}

fn faint() -> Style {
    Style { fore: Some(palette::FAINT), ..Style::default() }
}

/// Columns and rows of a tile: as large as fits, and wide enough for the numbers.
fn tile_size<G: Game>(session: &Session<'_, G>, room: (usize, usize)) -> (usize, usize) {
    let shape = session.game.shape();
    let cells = session.game.state_view(session.state()).cells;
    let widest = cells.iter().map(|&rank| session.game.label(rank).to_string().len()).max().unwrap_or(1);
    let gaps = shape.cols() + 1;
    let width = (room.0.saturating_sub(gaps) / shape.cols()).clamp(widest.max(3), 8.max(widest));
    let height = (room.1.saturating_sub(1) / shape.rows()).clamp(1, 4);
    (width, if height > 1 { height - 1 } else { 1 })
}

fn board<G: Game>(
    screen: &mut Screen,
    session: &Session<'_, G>,
    (x, y): (usize, usize),
    (width, height): (usize, usize),
) {
    let shape = session.game.shape();
    let threes = is_threes(session);
    let cells = session.game.state_view(session.state()).cells;
    // A line between tiles where there is room for one.
    let gap = usize::from(height > 1 || shape.rows() <= 4);
    let frame = Style { back: Some(palette::BOARD), ..Style::default() };
    screen.fill(x, y, (width + 1) * shape.cols() + 1, (height + gap) * shape.rows() + gap, frame);
    for (cell, &rank) in cells[..shape.cells()].iter().enumerate() {
        let (row, col) = (cell / shape.cols(), cell % shape.cols());
        let (left, top) = (x + 1 + col * (width + 1), y + gap + row * (height + gap));
        let style = palette::tile(threes, rank);
        screen.fill(left, top, width, height, style);
        if rank > 0 {
            let label = session.game.label(rank).to_string();
            screen.write(left + (width.saturating_sub(label.len())) / 2, top + height / 2, &label, style);
        }
    }
}

fn is_threes<G: Game>(session: &Session<'_, G>) -> bool {
    session.game.setup(session.state()).hint.is_some()
}

fn panel<G: Game>(screen: &mut Screen, session: &Session<'_, G>, x: usize, y: usize) {
    let (plain, bold) = (Style::default(), Style { bold: true, ..Style::default() });
    let mut line = y;
    screen.write(x, line, &format!("score {}", grouped(session.score() as f64, 0)), bold);
    screen.write(x, line + 1, &format!("moves {}", grouped(session.moves() as f64, 0)), plain);
    line += 2;
    line = next_tile(screen, session, x, line);
    line = bars(screen, session, x, line + 1);
    let depth = match session.budget.time {
        Some(time) => format!("{} ms a move", time.as_millis()),
        None => format!("{} ply", session.budget.ply),
    };
    screen.write(x, line + 1, &format!("{}, {depth}", session.engine.player.name()), faint());
    let speed = match SPEEDS[session.speed] {
        100_000 => "as fast as it can".to_string(),
        speed => format!("{speed} a second"),
    };
    let auto = if session.auto { format!("AI plays, {speed}") } else { format!("your turn (AI: {speed})") };
    screen.write(x, line + 2, &auto, faint());
}

/// The announced tile of Threes and what is left in the bag.
fn next_tile<G: Game>(screen: &mut Screen, session: &Session<'_, G>, x: usize, y: usize) -> usize {
    let setup = session.game.setup(session.state());
    let Some(hint) = setup.hint else { return y };
    let ranks: Vec<Option<u8>> = match hint {
        Hint::Tile(rank) => vec![Some(rank)],
        Hint::Bonus => vec![None],
        Hint::Candidates { low, high } => (low..=high).map(Some).collect(),
    };
    let mut at = screen.write(x, y, "next ", Style::default());
    for rank in ranks {
        let text = rank.map_or(" + ".to_string(), |rank| format!(" {} ", session.game.label(rank)));
        at = screen.write(at, y, &text, palette::tile(true, rank.unwrap_or(9))) + 1;
    }
    if let Some([a, b, c]) = setup.bag {
        screen.write(x, y + 1, &format!("bag  {a} × 1  {b} × 2  {c} × 3"), Style::default());
    }
    y + 2
}

/// The four moves: a bar, the value, and what each loses.
fn bars<G: Game>(screen: &mut Screen, session: &Session<'_, G>, x: usize, y: usize) -> usize {
    let wanted = session.always_values || session.message.starts_with("hint");
    let shown = if session.auto { session.thought } else { session.values.filter(|_| wanted) };
    let Some(answer) = shown else {
        screen.write(x, y, "t: hint   v: values of moves", faint());
        return y + 4;
    };
    let best = answer.value().unwrap_or(0.0);
    let losses = answer.moves.iter().flatten().map(|found| best - found.value);
    let most = losses.fold(0.02 * best.abs(), f32::max).max(f32::MIN_POSITIVE);
    for (i, direction) in Direction::ALL.into_iter().enumerate() {
        let arrow = ["↑", "→", "↓", "←"][i];
        let chosen = answer.best == Some(direction);
        let style = Style { bold: chosen, ..Style::default() };
        screen.write(x, y + i, &format!("{arrow} {direction:<5}"), style);
        match answer.moves[i] {
            None => drop(screen.write(x + 8, y + i, "not legal", faint())),
            Some(found) => {
                let share = 1.0 - 0.9 * f64::from((best - found.value) / most);
                let color = if chosen { palette::GOOD } else { palette::PLAIN };
                let colored = Style { fore: Some(color), ..Style::default() };
                screen.write(x + 8, y + i, &bar(share, 10), colored);
                let text = if chosen {
                    grouped(f64::from(found.value), 0)
                } else {
                    format!("-{}", grouped(f64::from(best - found.value), 1))
                };
                screen.write(x + 20, y + i, &format!("{text:>10}"), style);
            }
        }
    }
    y + 4
}

#[cfg(test)]
mod tests {
    use super::super::session::Action;
    use super::*;
    use afterstate::with_game;
    use afterstate_lab::engine::{Engine, PlayerName};
    use afterstate_lab::variant::ConfiguredGame;

    fn shown(game: &str, actions: &[Action], width: usize, height: usize) -> Screen {
        let game = ConfiguredGame::parse(game, Default::default()).unwrap();
        let engine = Engine::of_player(PlayerName::Heuristic, game, None).unwrap();
        with_game!(&engine.game.rules, game => {
            let mut session = Session::new(game, &engine, 7, false, 10);
            for &action in actions {
                session.act(action, None);
            }
            draw(&session, width, height)
        })
    }

    #[test]
    fn a_game_fits_80_by_24() {
        let screen = shown("2048", &[Action::Hint], 80, 24);
        let text = screen.text();
        for part in
            ["2048-4x4", "score 0", "moves 0", "hint: ", "↑ up", "← left", "█", "heuristic, 2 ply", "q quit"]
        {
            assert!(text.contains(part), "{part} is missing from\n{text}");
        }
        assert_eq!(text.lines().count(), 24);
        assert_eq!(screen.background(" 2 "), Some([0xee, 0xe4, 0xda]), "the colour of the real game\n{text}");
    }

    #[test]
    fn threes_shows_its_hint_and_bag_in_its_colours() {
        let screen = shown("threes", &[Action::Values], 80, 24);
        let text = screen.text();
        assert!(text.contains("next ") && text.contains("bag  "), "{text}");
        assert_eq!(screen.background(" 1 "), Some([0x66, 0xcc, 0xff]), "{text}");
        assert_eq!(screen.background(" 2 "), Some([0xff, 0x7a, 0x90]), "{text}");
    }

    #[test]
    fn every_board_and_window_is_drawn() {
        for game in ["2048-8x8", "2048-1x2", "threes-8x3", "threes-app", "1024-6x6"] {
            for (width, height) in [(80, 24), (48, 12), (200, 60), (10, 3), (1, 1)] {
                let screen = shown(game, &[Action::Hint], width, height);
                assert_eq!((screen.width, screen.height), (width, height));
                if width >= 80 {
                    assert!(screen.text().contains("score"), "{game}\n{}", screen.text());
                    assert!(screen.text().contains("quit"), "{game}\n{}", screen.text());
                }
            }
        }
        // The whole of the largest board stands in the smallest usual window: eight rows of tiles.
        let text = shown("2048-8x8", &[], 80, 24).text();
        assert!(text.lines().count() == 24, "{text}");
        assert!(shown("2048", &[], 10, 3).text().contains("make the"));
    }
}
