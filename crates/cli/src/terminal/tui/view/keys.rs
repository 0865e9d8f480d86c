//! The keys that do something now.

use super::super::session::Session;
use afterstate::game::Game;
use afterstate_lab::engine::Engine;
use ratatui::text::Line;

/// Keys and what they do, the most useful ones first.
fn apply<G: Game>(session: &Session<'_, G>) -> Vec<&'static str> {
    let (over, auto) = (session.over(), session.auto);
    let searches = session.engine().is_some_and(Engine::searches);
    let all = [
        (!over && !auto, "arrows slide (or WASD, HJKL)"),
        (auto, "space stops the AI"),
        (!over && !auto, "space AI plays"),
        (auto, "+/- speed"),
        (over, "n new game"),
        (!over && !auto, "t hint"),
        (session.can_undo(), "u undo"),
        (session.can_redo(), "y redo"),
        (!over, if session.always_values { "v hide values" } else { "v values" }),
        (!over && searches, "p/P look further, less far"),
        (!over, "n new game"),
        (true, "g game"),
        (true, "b board"),
    ];
    all.into_iter().filter(|(applies, _)| *applies).map(|(_, key)| key).collect()
}

/// The keys in lines of this width, `q quit` always among them.
pub(super) fn lines<G: Game>(session: &Session<'_, G>, width: u16, most: usize) -> Vec<Line<'static>> {
    const QUIT: &str = "q quit";
    let mut lines = vec![String::new()];
    for key in apply(session) {
        let last = lines.len() == most;
        let line = lines.last_mut().expect("it begins with one");
        let joined = if line.is_empty() { key.to_string() } else { format!("{line} · {key}") };
        let room = usize::from(width) - if last { QUIT.len() + 3 } else { 0 };
        match joined.chars().count() <= room {
            true => *line = joined,
            false if last => {}
            false => lines.push(key.into()),
        }
    }
    let last = lines.last_mut().expect("it begins with one");
    match last.chars().count() + QUIT.len() + 3 <= usize::from(width) {
        true => *last += &format!(" · {QUIT}"),
        false => lines.push(QUIT.into()),
    }
    lines.into_iter().map(Line::raw).collect()
}
