//! View of a session: the board, the numbers, the four moves as bars, the keys that apply.

mod board;
mod keys;
mod panel;

use super::palette::{BOLD, FAINT};
use super::session::Session;
use afterstate::game::Game;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Widget};
use std::time::Duration;

/// The least a window must have.
const LEAST: (u16, u16) = (48, 12);

/// Draws everything.
pub(crate) fn draw<G: Game>(session: &Session<'_, G>, buffer: &mut Buffer) {
    let area = buffer.area;
    if area.width < LEAST.0 || area.height < LEAST.1 {
        let text = format!("make the window at least {} x {}", LEAST.0, LEAST.1);
        return Paragraph::new(text).render(area, buffer);
    }
    // As many lines as the keys may ever need: the board keeps its place when others apply.
    let most = if area.height >= 20 { 3 } else { 1 };
    let mut keys = keys::lines(session, area.width - 2, usize::from(most));
    keys.splice(..0, vec![Line::raw(""); usize::from(most).saturating_sub(keys.len())]);
    let rows = [Constraint::Length(2), Constraint::Min(0), Constraint::Length(most)];
    let [head, middle, foot] = Layout::vertical(rows).areas(inset(area));
    Paragraph::new(title(session)).render(head, buffer);
    let tile = board::tile_size(session, (middle.width - panel::WIDTH - 2, middle.height));
    let width = board::width(session, tile);
    let columns = [Constraint::Length(width), Constraint::Length(2), Constraint::Min(0)];
    let [left, _, right] = Layout::horizontal(columns).areas(middle);
    board::draw(session, tile, left, buffer);
    Paragraph::new(panel::lines(session)).render(right, buffer);
    Paragraph::new(keys).style(FAINT).render(foot, buffer);
}

/// The window while a model is loading that knows which game will be played.
pub(crate) fn draw_loading(what: &str, taken: Duration, buffer: &mut Buffer) {
    let text = vec![Line::raw(loading(what, taken)), Line::raw(""), Line::styled("q quit", FAINT)];
    Paragraph::new(text).render(inset(buffer.area), buffer);
}

/// `loading the model of 2048 …`, with the seconds it has taken.
fn loading(what: &str, taken: Duration) -> String {
    match taken.as_secs() {
        0 => format!("loading {what} …"),
        seconds => format!("loading {what} … {seconds} s"),
    }
}

/// A column is left free on both sides.
fn inset(area: Rect) -> Rect {
    Rect { x: area.x + area.width.min(1), width: area.width.saturating_sub(2), ..area }
}

fn title<G: Game>(session: &Session<'_, G>) -> Line<'static> {
    let id = session.game.id();
    let name = id.trim_end_matches("-v1").to_string();
    let mut line = Line::styled(name, BOLD);
    let message = session.message();
    if !message.is_empty() {
        line.push_span(ratatui::text::Span::styled(format!("   {message}"), BOLD));
    }
    line
}

/// A text of this style.
fn styled(text: impl Into<String>, style: Style) -> ratatui::text::Span<'static> {
    ratatui::text::Span::styled(text.into(), style)
}

#[cfg(test)]
mod tests {
    use super::super::colors::Colors;
    use super::super::session::{Action, Session};
    use super::*;
    use afterstate::with_game;
    use afterstate_lab::engine::{Engine, PlayerName};
    use afterstate_lab::variant::ConfiguredGame;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::style::Color;

    /// The window after these keys, with an engine that is there or still loading.
    fn shown(game: &str, actions: &[Action], (width, height): (u16, u16), ready: bool) -> Buffer {
        let game = ConfiguredGame::parse(game, Default::default()).unwrap();
        let engine = Engine::of_player(PlayerName::Heuristic, game.clone(), None).unwrap();
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        with_game!(&game.rules, game => {
            let mut session = Session::new(game, "the model of this game".into(), 7, false, 10);
            if ready {
                session.arrive(engine, true);
            }
            for &action in actions {
                session.act(action);
                session.pass(Duration::from_millis(1500), &|| true, None);
            }
            terminal.draw(|frame| draw(&session, frame.buffer_mut())).unwrap();
        });
        terminal.backend().buffer().clone()
    }

    fn text(buffer: &Buffer) -> String {
        let rows = buffer.content.chunks(usize::from(buffer.area.width));
        let row = |cells: &[ratatui::buffer::Cell]| {
            cells.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_string()
        };
        rows.map(row).collect::<Vec<_>>().join("\n")
    }

    /// The background behind the first place where this text stands.
    fn background(buffer: &Buffer, text: &str) -> Option<Color> {
        let symbols: Vec<String> = text.chars().map(String::from).collect();
        let cells = &buffer.content;
        (0..cells.len() - symbols.len())
            .find(|&i| symbols.iter().enumerate().all(|(j, symbol)| cells[i + j].symbol() == symbol))
            .map(|i| cells[i].bg)
    }

    #[test]
    fn a_game_fits_80_by_24() {
        let screen = shown("2048", &[Action::Hint], (80, 24), true);
        let text = text(&screen);
        for part in [
            "2048-4x4",
            "score 0",
            "moves 0",
            "hint: ",
            "↑ up",
            "← left",
            "█ ",
            " best ",
            "heuristic, 2-ply",
            "q quit",
        ] {
            assert!(text.contains(part), "{part} is missing from\n{text}");
        }
        assert!(!text.contains("-0.0"), "{text}");
        assert_eq!(text.lines().count(), 24);
        let tile = background(&screen, " 2 ");
        assert_eq!(tile, Some(Color::Rgb(0xee, 0xe4, 0xda)), "the colour of the real game\n{text}");
    }

    /// Without colours, lines make the board.
    #[test]
    fn the_grid_is_there_without_colours() {
        let mut screen = shown("2048", &[], (80, 24), true);
        Colors::None.apply(&mut screen);
        assert!(screen.content.iter().all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset)));
        let text = text(&screen);
        let lines = |c: char| text.chars().filter(|&found| found == c).count();
        assert_eq!([lines('┌'), lines('┼'), lines('┘')], [1, 9, 1], "{text}");
    }

    #[test]
    fn the_board_grows_with_the_window() {
        let rows = |size| text(&shown("2048", &[], size, true)).lines().filter(|l| l.contains('│')).count();
        assert_eq!([rows((48, 12)), rows((80, 24)), rows((120, 40))], [4, 12, 28]);
        let text = text(&shown("2048", &[], (120, 40), true));
        let widest = text.lines().filter(|line| line.contains('┌')).map(|line| line.chars().count()).max();
        assert!(widest.is_some_and(|width| width > 60), "{text}");
    }

    /// With more keys to name, the board used to shrink.
    #[test]
    fn the_board_keeps_its_place_when_other_keys_apply() {
        for height in 20..32 {
            let rows = |actions: &[Action]| {
                let text = text(&shown("2048", actions, (80, height), true));
                text.lines().filter(|line| line.contains('│')).count()
            };
            assert_eq!(
                rows(&[]),
                rows(&[Action::Values, Action::Auto, Action::Auto, Action::Undo]),
                "{height}"
            );
        }
    }

    #[test]
    fn keys_are_shown_where_they_apply() {
        let keys = |actions: &[Action]| {
            let text = text(&shown("2048-2x2", actions, (80, 24), true));
            text.lines().skip(20).collect::<Vec<_>>().join("\n")
        };
        let start = keys(&[]);
        assert!(start.contains("arrows slide") && !start.contains("undo"), "{start}");
        let played = keys(&[Action::Auto, Action::Auto, Action::Undo]);
        assert!(played.contains("y redo"), "{played}");
        let watched = keys(&[Action::Auto]);
        assert!(watched.contains("space stops the AI") && watched.contains("+/- speed"), "{watched}");
        assert!(!watched.contains("hint"), "{watched}");
        let over = keys(&[Action::Auto; 201]);
        assert!(over.contains("n new game") && !over.contains("slide"), "{over}");
    }

    #[test]
    fn a_model_that_is_loading_is_named() {
        let text = text(&shown("2048", &[Action::Hint], (80, 24), false));
        assert!(text.contains("loading the model of this game … 1 s"), "{text}");
        assert!(text.contains("the hint comes then") && text.contains("score 0"), "{text}");
    }

    #[test]
    fn threes_shows_its_hint_and_bag_in_its_colours() {
        let screen = shown("threes", &[Action::Values], (80, 24), true);
        let text = text(&screen);
        assert!(text.contains("next ") && text.contains("bag  "), "{text}");
        assert_eq!(background(&screen, " 1 "), Some(Color::Rgb(0x66, 0xcc, 0xff)), "{text}");
        assert_eq!(background(&screen, " 2 "), Some(Color::Rgb(0xff, 0x7a, 0x90)), "{text}");
    }

    #[test]
    fn every_board_and_window_is_drawn() {
        for game in ["2048-8x8", "2048-1x2", "threes-8x3", "threes-app", "1024-6x6"] {
            for size in [(80, 24), (48, 12), (200, 60), (10, 3), (1, 1)] {
                let text = text(&shown(game, &[Action::Hint], size, true));
                if size.0 >= 80 {
                    assert!(text.contains("score") && text.contains("quit"), "{game}\n{text}");
                }
            }
        }
        // The whole of the largest board stands in the smallest usual window.
        let large = text(&shown("2048-8x8", &[], (80, 24), true));
        assert_eq!(large.lines().filter(|line| line.contains('│')).count(), 8, "{large}");
        assert!(large.contains('└'), "{large}");
        assert!(text(&shown("2048", &[], (10, 3), true)).contains("make the"));
    }
}
