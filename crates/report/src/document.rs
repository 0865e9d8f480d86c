//! Contents of a report, without its looks: headings, text, tables, figures, games.
//!
//! Pages in HTML and Markdown and the figures are made from this alone, so code that has something to
//! show fills in a [`Document`] and calls [`Document::write`](super::Document::write).

use afterstate_lab::replay::Replay;

/// A whole report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Its title.
    pub title: String,
    /// Summary in a few sentences.
    pub summary: String,
    /// Everything below, in order.
    pub blocks: Vec<Block>,
}

impl Document {
    /// An empty report.
    pub fn new(title: impl Into<String>, summary: impl Into<String>) -> Self {
        Self { title: title.into(), summary: summary.into(), blocks: Vec::new() }
    }

    /// Adds a block.
    pub fn push(&mut self, block: impl Into<Block>) {
        self.blocks.push(block.into());
    }

    /// Adds a heading of a part.
    pub fn heading(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Heading(text.into()));
    }

    /// Adds a paragraph.
    pub fn text(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Text(text.into()));
    }
}

/// A piece of a report. In texts and cells, what stands between `` ` `` is code; all else is plain.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// The title of a part.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A table.
    Table(Table),
    /// A figure.
    Figure(Figure),
    /// A game to watch.
    Game(Game),
    /// Settings and their values.
    Settings(Settings),
    /// Lines as they are: commands, recipes.
    Code(String),
    /// Something that is shown when asked for.
    Folded {
        /// Its description.
        title: String,
        /// Its contents.
        blocks: Vec<Block>,
    },
}

/// A table. The first column is what a row is about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Caption, with games, seeds and the meaning of intervals.
    pub caption: String,
    /// The heads of the columns.
    pub columns: Vec<String>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows yet.
    pub fn new<S: Into<String>>(caption: impl Into<String>, columns: impl IntoIterator<Item = S>) -> Self {
        let columns = columns.into_iter().map(Into::into).collect();
        Self { caption: caption.into(), columns, rows: Vec::new() }
    }

    /// Adds a row; missing cells at its end are filled in.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let mut row: Vec<Cell> = cells.into_iter().collect();
        row.resize(self.columns.len().max(row.len()), Cell::Missing);
        self.rows.push(row);
    }
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number, with what follows its ± if that is known.
    Number {
        /// The number.
        value: f64,
        /// Half the width of its 95 % interval.
        margin: Option<f64>,
        /// Digits after the point.
        digits: usize,
    },
    /// A share of games, from 0 to 1, shown in percent.
    Share {
        /// The share.
        share: f64,
        /// Its 95 % interval.
        interval: Option<[f64; 2]>,
    },
    /// Nothing is known.
    Missing,
}

impl Cell {
    /// A number without an interval, as a paper prints it or a count is.
    pub fn number(value: f64, digits: usize) -> Self {
        Self::Number { value, margin: None, digits }
    }

    /// A mean with its 95 % interval `[low, high]`.
    pub fn mean(value: f64, interval: Option<[f64; 2]>, digits: usize) -> Self {
        Self::Number { value, margin: interval.map(|[low, high]| (high - low) / 2.0), digits }
    }

    /// A number, or nothing.
    pub fn maybe(value: Option<f64>, digits: usize) -> Self {
        value.map_or(Self::Missing, |value| Self::number(value, digits))
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// Settings and their values, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Their subject.
    pub caption: String,
    /// Name and value.
    pub pairs: Vec<(String, String)>,
}

/// A figure with a name of its own, which its files bear.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The name of its files: letters, digits, dashes.
    pub name: String,
    /// Its caption.
    pub caption: String,
    /// The drawing.
    pub chart: Chart,
}

/// The drawing.
#[derive(Clone, Debug, PartialEq)]
pub enum Chart {
    /// Curves with bands.
    Lines {
        /// To the right.
        x: Axis,
        /// Upwards.
        y: Axis,
        /// The curves.
        series: Vec<Series>,
    },
    /// Groups of bars with intervals.
    Bars {
        /// Upwards.
        y: Axis,
        /// Groups, each with its label.
        groups: Vec<String>,
        /// Label of all groups: "largest tile at least".
        label: String,
        /// One bar in each group.
        bars: Vec<Bars>,
    },
    /// Histogram, as shares of each sample.
    Histogram {
        /// To the right.
        x: Axis,
        /// The samples.
        samples: Vec<Sample>,
    },
}

/// An axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Quantity with its unit: "average score", "training games".
    pub label: String,
    /// Format of its numbers.
    pub unit: Unit,
    /// True if zero must be on it.
    pub zero: bool,
    /// True if equal steps are equal factors.
    pub logarithmic: bool,
}

impl Axis {
    /// An axis of plain numbers that begins at zero.
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), unit: Unit::Number, zero: true, logarithmic: false }
    }

    /// An axis of shares from 0 to 1, written in percent.
    pub fn share(label: impl Into<String>) -> Self {
        Self { unit: Unit::Share, ..Self::new(label) }
    }
}

/// Format of the numbers of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// As they are.
    #[default]
    Number,
    /// In percent.
    Share,
}

/// A curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Its points from left to right.
    pub points: Vec<Point>,
    /// True if it is something to compare with, drawn thin and dashed: a paper's number, a
    /// normalised score.
    pub reference: bool,
}

impl Series {
    /// A curve without bands.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let points = points.into_iter().map(|(x, y)| Point { x, y, band: None }).collect();
        Self { name: name.into(), points, reference: false }
    }

    /// A level line to compare with.
    pub fn level(name: impl Into<String>, from: f64, to: f64, y: f64) -> Self {
        Self { reference: true, ..Self::new(name, [(from, y), (to, y)]) }
    }
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
    /// The lower and the upper end of its 95 % interval.
    pub band: Option<(f64, f64)>,
}

/// The bars of one kind, one for each group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// Its name.
    pub name: String,
    /// The height in each group, and the interval; `None` where nothing is known.
    pub values: Vec<Option<Bar>>,
    /// True if it is something to compare with: a paper's number.
    pub reference: bool,
}

/// One bar.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bar {
    /// Height.
    pub value: f64,
    /// The lower and the upper end of its 95 % interval.
    pub band: Option<(f64, f64)>,
}

/// Values of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// Its name.
    pub name: String,
    /// The values.
    pub values: Vec<f64>,
}

/// A game to watch.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The game, and the reason why it is worth watching.
    pub caption: String,
    /// The game.
    pub replay: Replay,
}

impl From<Table> for Block {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}

impl From<Figure> for Block {
    fn from(figure: Figure) -> Self {
        Self::Figure(figure)
    }
}

impl From<Settings> for Block {
    fn from(settings: Settings) -> Self {
        Self::Settings(settings)
    }
}

impl From<Game> for Block {
    fn from(game: Game) -> Self {
        Self::Game(game)
    }
}
