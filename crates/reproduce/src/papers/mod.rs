//! The papers, each as data in a file of its own.

mod claims;
mod mayer_hirshfeld;
mod szubert2014;
mod tournament;
mod wu2014;
mod yeh2016;
mod yeh2016_tables;

use super::target::{
    Cell, Given, Measure, Paper, PaperTable, PaperTarget, Part, Play, Player, Quantity, Training, Way,
};

/// All targets, paper by paper.
pub(super) fn all() -> Vec<PaperTarget> {
    [
        szubert2014::targets(),
        wu2014::targets(),
        yeh2016::targets(),
        mayer_hirshfeld::targets(),
        tournament::targets(),
    ]
    .concat()
}

pub(super) use claims::claims;

/// A target without remarks.
fn target(
    paper: &'static Paper,
    place: &str,
    shows: impl Into<String>,
    says: &'static str,
    parts: Vec<Part>,
) -> PaperTarget {
    let short =
        place.to_ascii_lowercase().replace("table ", "table").replace("fig. ", "fig").replace(' ', "-");
    PaperTarget {
        name: format!("{}-{short}", paper.key),
        paper,
        place: place.into(),
        shows: shows.into(),
        says,
        parts,
        remarks: Vec::new(),
    }
}

/// A drawing that measures nothing.
fn diagram(paper: &'static Paper, place: &str, shows: &str, instead: &'static str) -> PaperTarget {
    target(paper, place, shows, "", vec![Part::Diagram(instead)])
}

/// The four drawings with which both papers on stages begin; `older` are the tuples of others in
/// the last of them.
fn drawings(paper: &'static Paper, older: &str) -> Vec<PaperTarget> {
    let tuples = format!("the tuples of {older} and of the paper");
    [
        ("Fig. 1", "examples of boards", "the rules are in docs/1-games.md"),
        ("Fig. 2", "an expectimax search tree", "docs/4-search.md draws one (\"What p-ply means\")"),
        ("Fig. 3", "states, afterstates and the transition between them", "explained in docs/1-games.md"),
        ("Fig. 4", &tuples, "docs/2-networks.md draws the sets `szubert` and `4x6` (\"Patterns\")"),
    ]
    .map(|(place, shows, instead)| diagram(paper, place, shows, instead))
    .to_vec()
}

/// A trained network that looks ahead.
fn trained(training: &Training, ply: u8, games: u64) -> Play {
    Play { player: Player::Trained(training.clone(), ply, Way::Whole), games }
}

/// Name of a quantity in the first column.
fn label(quantity: Quantity) -> String {
    match quantity {
        Quantity::Reached(tile) => format!("{tile} reached"),
        Quantity::Wins => "winning rate".into(),
        Quantity::Average => "average score".into(),
        Quantity::MaxOf100 => "maximum score of 100 games".into(),
        Quantity::Maximum => "maximum score".into(),
        Quantity::Speed => "speed (moves/s)".into(),
        Quantity::MedianTile => "median of the largest tiles".into(),
        Quantity::LargestTile => "largest tile".into(),
        Quantity::LargestRate => "largest tile reached".into(),
        Quantity::Seconds => "CPU time (s)".into(),
    }
}

/// A table whose columns are players and whose rows are quantities.
fn by_player(caption: &str, columns: &[(&str, Play)], rows: &[(Quantity, Vec<Option<Given>>)]) -> Part {
    let row = |(quantity, given): &(Quantity, Vec<Option<Given>>)| {
        let cell = |(i, (_, play)): (usize, &(&str, Play))| Cell {
            measure: Measure::One(play.clone(), *quantity),
            paper: given.get(i).copied().flatten(),
        };
        (label(*quantity), columns.iter().enumerate().map(cell).collect())
    };
    Part::Table(PaperTable {
        caption: caption.into(),
        about: "quantity".into(),
        columns: columns.iter().map(|(name, _)| name.to_string()).collect(),
        rows: rows.iter().map(row).collect(),
    })
}
