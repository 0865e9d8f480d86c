//! Targets as data: the runs, games and numbers of a paper that belong together.

use afterstate_lab::recipe::{BuiltIn, Recipe, RecipeError};

/// Source of targets.
#[derive(Debug, PartialEq, Eq)]
pub struct Paper {
    /// Prefix of the names of its targets.
    pub key: &'static str,
    /// Authors, year, title.
    pub citation: &'static str,
    /// True if it says how many games its evaluations had.
    pub says_games: bool,
    /// In what all reproductions differ from it.
    pub remarks: &'static [&'static str],
}

/// One table or figure, or something else a paper measured.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperTarget {
    /// Name on the command line.
    pub name: String,
    /// Its paper.
    pub paper: &'static Paper,
    /// Place in the paper: `Table 1`.
    pub place: String,
    /// Caption in a line.
    pub shows: String,
    /// Statement of the paper about it.
    pub says: &'static str,
    /// Its parts, in order.
    pub parts: Vec<Part>,
    /// In what ours differs, beside the remarks of the paper.
    pub remarks: Vec<&'static str>,
}

/// A piece of what is made.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// A drawing that measures nothing; where to find what it explains.
    Diagram(&'static str),
    /// Our numbers beside the paper's.
    Table(PaperTable),
    /// Learning curves.
    Curves(Curves),
    /// A quantity of several players as bars.
    Bars(Bars),
    /// Shares of the largest tiles, and the scores, of several players.
    Spread(Spread),
    /// Seconds of a move by depth.
    Times(Times),
    /// The parameters of the runs.
    Parameters,
}

/// A network to be trained: a built-in recipe with changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Training {
    /// The built-in recipe.
    pub recipe: &'static str,
    /// Its changes, like `learning.alpha=0.001`.
    pub sets: Vec<String>,
}

impl Training {
    /// As the recipe says.
    pub fn of(recipe: &'static str) -> Self {
        Self { recipe, sets: Vec::new() }
    }

    /// Adds a change to the training.
    #[must_use]
    pub fn with(mut self, set: impl Into<String>) -> Self {
        self.sets.push(set.into());
        self
    }

    /// Says whether games are played without learning in between.
    pub fn evaluates(&self) -> bool {
        self.recipe.starts_with("mayer-hirshfeld") || self.sets.iter().any(|set| set.starts_with("evaluate."))
    }

    /// A name for files, different for different trainings: evaluations in between leave a network
    /// as it is.
    pub fn name(&self) -> String {
        let sets = self.sets.iter().filter(|set| !set.starts_with("evaluate."));
        sets.fold(self.recipe.to_string(), |name, set| {
            let (key, value) = set.split_once('=').unwrap_or((set, ""));
            let key = key.rsplit('.').next().unwrap_or(key);
            let value: String =
                value.chars().filter(|c| c.is_ascii_alphanumeric() || ".+-".contains(*c)).collect();
            format!("{name}_{key}-{value}")
        })
    }

    /// The recipe at the paper's budget.
    pub fn recipe(&self) -> Result<Recipe, RecipeError> {
        BuiltIn::find(self.recipe)?.recipe(&self.sets)
    }
}

/// The player.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Player {
    /// A trained network that looks so many moves ahead.
    Trained(Training, u8, Way),
    /// The expectimax search of Mayer-Hirshfeld et al. on this game.
    Expectimax(&'static str),
    /// The model of the command line, or the built-in one, looking so many moves ahead.
    Given(u8),
}

/// The part of a trained network that plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// All of it, as its recipe says.
    #[default]
    Whole,
    /// The weights of its first stages only: one is what TD learning without stages made in as many
    /// games.
    FirstStages(u8),
    /// All of it, a leaf judged by its own stage instead of the game's.
    LeafJudges,
}

impl Way {
    /// A part of the names of files of its games.
    pub(super) fn suffix(self) -> String {
        match self {
            Self::Whole => String::new(),
            Self::FirstStages(stages) => format!("_first-{stages}"),
            Self::LeafJudges => "_leaf".into(),
        }
    }

    /// Words that follow the name of the network.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Whole => "",
            Self::FirstStages(1) => ", the first stage alone",
            Self::FirstStages(_) => ", the first stages alone",
            Self::LeafJudges => ", leaves judged by their own stage",
        }
    }
}

impl Player {
    /// The training its network comes from.
    pub fn training(&self) -> Option<&Training> {
        match self {
            Self::Trained(training, ..) => Some(training),
            Self::Expectimax(_) | Self::Given(_) => None,
        }
    }
}

/// A player and its number of games.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Play {
    /// The player.
    pub player: Player,
    /// Games in the paper.
    pub games: u64,
}

/// Quantity read off games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The share of games whose largest tile is at least this.
    Reached(u64),
    /// The share of games that reached the winning tile.
    Wins,
    /// The average score.
    Average,
    /// The average of the largest scores of 100 games each.
    MaxOf100,
    /// The largest score.
    Maximum,
    /// Moves per second of one thread.
    Speed,
    /// The median of the largest tiles.
    MedianTile,
    /// The largest tile of all games.
    LargestTile,
    /// The share of games that reached the largest tile of all games.
    LargestRate,
    /// Seconds of training.
    Seconds,
}

impl Quantity {
    /// True if it is a share of games, shown in percent.
    pub fn is_share(self) -> bool {
        matches!(self, Self::Reached(_) | Self::Wins | Self::LargestRate)
    }
}

/// Value of the paper: in percent where the quantity is a share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Given {
    /// The number.
    pub value: f64,
    /// Its margin.
    pub margin: Option<f64>,
}

/// A number without an interval.
pub(super) fn plain(value: f64) -> Option<Given> {
    Some(Given { value, margin: None })
}

/// A number with its interval.
pub(super) fn within(value: f64, margin: f64) -> Option<Given> {
    Some(Given { value, margin: Some(margin) })
}

/// Measurement of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// A quantity of one player.
    One(Play, Quantity),
    /// The average score of one over that of another.
    Ratio(Play, Play),
}

/// A cell: ours is measured, the paper's is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The quantity.
    pub measure: Measure,
    /// Result of the paper.
    pub paper: Option<Given>,
}

/// A table; every column becomes two, ours and the paper's.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperTable {
    /// Its caption.
    pub caption: String,
    /// Subject of the rows.
    pub about: String,
    /// The heads of the columns.
    pub columns: Vec<String>,
    /// The rows with their labels.
    pub rows: Vec<(String, Vec<Cell>)>,
}

/// Quantity of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// The average score.
    Average,
    /// The largest score.
    Maximum,
    /// The share of games that reach a tile.
    Reached(u64),
}

/// Source of the points of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The training games themselves.
    Training,
    /// Games played without learning in between, looking so many moves ahead.
    Evaluations(u8),
    /// The training games of each of the first stages from its beginning on, with what the stage
    /// before makes of the same boards.
    Stages(u8),
}

/// A figure of learning curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// Its caption.
    pub caption: String,
    /// Quantity of the curves.
    pub follow: Follow,
    /// Their source.
    pub source: Source,
    /// The games of a point: averages and maxima are taken over as many games as the paper takes
    /// them over.
    pub sample: u64,
    /// The curves with their names.
    pub lines: Vec<(String, Training)>,
}

/// Player of a bar, and the paper's result.
pub(super) type Height = (Play, Option<Given>);

/// A figure of bars: groups, and in each a bar of every kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// Its caption.
    pub caption: String,
    /// The quantity.
    pub quantity: Quantity,
    /// The groups.
    pub groups: Vec<String>,
    /// The kinds: a name, and for each group who plays and what the paper found.
    pub kinds: Vec<(String, Vec<Height>)>,
}

/// Quantity shown of all games of several players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpreadShape {
    /// Bars: how often each tile was the largest.
    Tiles,
    /// A histogram of scores.
    Scores,
}

/// A figure about all games of several players.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// Its caption.
    pub caption: String,
    /// The quantity.
    pub shape: SpreadShape,
    /// The players, with their names.
    pub players: Vec<(String, Play)>,
}

/// A figure of seconds per move.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// Its caption.
    pub caption: String,
    /// The deepest search.
    pub deepest: u8,
    /// The curves: a name, a game, a cut-off probability.
    pub lines: Vec<(String, &'static str, f32)>,
}

impl PaperTarget {
    /// The trainings it needs, each once.
    pub fn trainings(&self) -> Vec<Training> {
        let mut all: Vec<Training> = Vec::new();
        for part in &self.parts {
            if let Part::Curves(curves) = part {
                all.extend(curves.lines.iter().map(|(_, training)| training.clone()));
            }
        }
        all.extend(self.plays().iter().filter_map(|play| play.player.training().cloned()));
        once(all)
    }

    /// The games it plays, each once.
    pub fn plays(&self) -> Vec<Play> {
        let cell = |cell: &Cell| match &cell.measure {
            Measure::One(_, Quantity::Seconds) => Vec::new(),
            Measure::One(play, _) => vec![play.clone()],
            Measure::Ratio(a, b) => vec![a.clone(), b.clone()],
        };
        once(
            self.parts
                .iter()
                .flat_map(|part| match part {
                    Part::Table(table) => {
                        table.rows.iter().flat_map(|(_, cells)| cells).flat_map(cell).collect()
                    }
                    Part::Bars(bars) => {
                        bars.kinds.iter().flat_map(|(_, plays)| plays).map(|(play, _)| play.clone()).collect()
                    }
                    Part::Spread(spread) => spread.players.iter().map(|(_, play)| play.clone()).collect(),
                    Part::Diagram(_) | Part::Curves(_) | Part::Times(_) | Part::Parameters => Vec::new(),
                })
                .collect(),
        )
    }

    /// Why there is nothing to measure, if so.
    pub fn diagram(&self) -> Option<&'static str> {
        self.parts.iter().find_map(|part| match part {
            Part::Diagram(what) => Some(*what),
            _ => None,
        })
    }
}

/// Each once, in the order of their first appearance.
fn once<T: PartialEq>(all: Vec<T>) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for one in all {
        if !kept.contains(&one) {
            kept.push(one);
        }
    }
    kept
}

/// A claim of a paper, and how it is tried.
pub(super) struct Claim {
    /// The place in the paper.
    pub(super) place: &'static str,
    /// The claim in a sentence.
    pub(super) says: &'static str,
    /// The targets that carry out what it needs.
    pub(super) targets: &'static [&'static str],
    /// Conditions that must hold, each with a name: at which depth, compared with whom.
    pub(super) checks: Vec<(&'static str, Check)>,
}

/// A condition.
pub(super) enum Check {
    /// The first has more of it than the second; the paper's numbers for both.
    More(Quantity, [Play; 2], [Option<Given>; 2]),
    /// The first has not more of it than the second.
    NotMore(Quantity, [Play; 2], [Option<Given>; 2]),
    /// It has as much of it as the paper found.
    Reaches(Quantity, Play, Given),
    /// The last tenth of a stage's training earns more than the stage before does with the same
    /// boards.
    Improves(Training, u8),
}
