//! All games by name: `2048`, `2048-3x3`, `1024`, `threes`, `threes-app`, `threes-course-2x3` …
//!
//! Inside the library code is generic over [`Game`]; at its edge a name becomes an
//! [`AnyGame`], and [`with_game!`](crate::with_game) leads from there back inside.

use super::Game;
use super::threes::{self, Rules, Threes};
use super::twenty48::{SpawnTable, Twenty48};
use crate::grid::{MAX_RANK, Shape};
use thiserror::Error;

/// Any game of the catalogue: boards of up to 16 cells, and larger ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyGame {
    /// 2048 or 1024 on up to 16 cells.
    Twenty48(Twenty48<16>),
    /// 2048 or 1024 on a larger board.
    LargeTwenty48(Twenty48<64>),
    /// Threes on up to 16 cells.
    Threes(Threes<16>),
    /// Threes on a larger board.
    LargeThrees(Threes<64>),
}

/// Runs an expression that works for every [`Game`] on the game in an
/// [`AnyGame`](crate::game::catalogue::AnyGame).
///
/// ```
/// use afterstate::game::{Game, catalogue::GameSpec};
/// use afterstate::{random::Random, with_game};
/// let any = GameSpec::parse("threes-2x3").unwrap().build().unwrap();
/// let score = with_game!(&any, game => {
///     let start = game.start(&mut Random::new(1));
///     game.start_score(&start)
/// });
/// assert!(score <= 9);
/// ```
#[macro_export]
macro_rules! with_game {
    ($any:expr, $game:ident => $body:expr) => {
        match $any {
            $crate::game::catalogue::AnyGame::Twenty48($game) => $body,
            $crate::game::catalogue::AnyGame::LargeTwenty48($game) => $body,
            $crate::game::catalogue::AnyGame::Threes($game) => $body,
            $crate::game::catalogue::AnyGame::LargeThrees($game) => $body,
        }
    };
}

impl AnyGame {
    /// The name with the version of the rules, as [`Game::id`].
    pub fn id(&self) -> String {
        with_game!(self, game => game.id())
    }

    /// Rows and columns.
    pub fn shape(&self) -> Shape {
        with_game!(self, game => game.shape())
    }
}

/// A family of games that differ only in the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// 2048.
    Twenty48,
    /// 1024: 2048 with labels and scores halved.
    TenTwentyFour,
    /// Threes as in the paper.
    Threes,
    /// Threes as in the app.
    ThreesApp,
    /// Threes as in a university course.
    ThreesCourse,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 5] =
        [Self::Twenty48, Self::TenTwentyFour, Self::Threes, Self::ThreesApp, Self::ThreesCourse];

    /// The name without a board.
    pub fn name(self) -> &'static str {
        match self {
            Self::Twenty48 => "2048",
            Self::TenTwentyFour => "1024",
            Self::Threes => "threes",
            Self::ThreesApp => "threes-app",
            Self::ThreesCourse => "threes-course",
        }
    }

    fn rules(self) -> Option<Rules> {
        match self {
            Self::Twenty48 | Self::TenTwentyFour => None,
            Self::Threes => Some(Rules::PAPER),
            Self::ThreesApp => Some(Rules::APP),
            Self::ThreesCourse => Some(Rules::COURSE),
        }
    }
}

/// One line of the list of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The name; `RxC` in it stands for rows and columns.
    pub name: &'static str,
    /// Description.
    pub description: &'static str,
}

/// The list of games.
pub const GAMES: [Entry; 10] = [
    Entry { name: "2048", description: "2048 on 4x4: slide, merge equal tiles, get a 2 (9 in 10) or a 4" },
    Entry { name: "2048-RxC", description: "2048 on R rows and C columns, 1 to 8 each, at least 2 cells" },
    Entry { name: "1024", description: "2048 with every number and score halved; 1024 wins" },
    Entry { name: "1024-RxC", description: "1024 on another board" },
    Entry {
        name: "threes",
        description: "Threes as in the literature: hint 1, 2, 3 or +, 12 tiles in the bag",
    },
    Entry { name: "threes-RxC", description: "the same on another board" },
    Entry { name: "threes-app", description: "Threes as sold: hints show up to 3 candidates, 12288 ends it" },
    Entry { name: "threes-app-RxC", description: "the same on another board" },
    Entry {
        name: "threes-course",
        description: "Threes of a course: 3 tiles in the bag, any free edge cell",
    },
    Entry { name: "threes-course-RxC", description: "the same on another board; no bonus tiles below 4x4" },
];

/// A game by name, with the options that make variants of it.
///
/// ```
/// use afterstate::game::catalogue::GameSpec;
/// let spec = GameSpec::parse("2048-3x3").unwrap();
/// assert_eq!(spec.build().unwrap().id(), "2048-3x3-v1");
/// let error = GameSpec::parse("treees").unwrap_err().to_string();
/// assert!(error.contains("did you mean 'threes'?"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSpec {
    /// The game.
    pub family: Family,
    /// On which board.
    pub shape: Shape,
    /// Tiles on the board at the start, if not the usual number.
    pub start_tiles: Option<usize>,
    /// Tiles that appear, if not the usual ones (2048 only).
    pub spawn: Option<SpawnTable>,
    /// The number on tiles that no longer merge, if not the usual one.
    pub merge_cap: Option<u64>,
}

/// Why there is no such game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CatalogueError {
    /// No game of this name; the second is a similar one.
    #[error("there is no game '{}'{} (`games` lists all)", .0, did_you_mean(.1))]
    Unknown(String, Option<String>),
    /// A game of this name, but not on such a board.
    #[error("'{0}' has no board; write rows x columns, 1 to 8 each and at least 2 cells, like 2048-3x4")]
    Shape(String),
    /// An id of other rules than ours.
    #[error("'{0}' has rules of another version; this program knows v1")]
    Version(String),
    /// More start tiles than cells, or none.
    #[error("{wanted} start tiles do not fit on {shape}; choose from 1 to {}", shape.cells())]
    StartTiles {
        /// Number asked for.
        wanted: usize,
        /// The board.
        shape: Shape,
    },
    /// A spawn table for a game that has a bag.
    #[error("Threes draws its tiles from a bag; leave the spawn table out")]
    Spawn,
    /// A merge cap that is not a tile, with an example of one.
    #[error("{0} cannot be the merge cap: it is not a tile that could merge; write one like {1}")]
    MergeCap(u64, &'static str),
}

fn did_you_mean(name: &Option<String>) -> String {
    name.as_ref().map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}

impl GameSpec {
    /// The usual game of a family on a board.
    pub fn new(family: Family, shape: Shape) -> Self {
        Self { family, shape, start_tiles: None, spawn: None, merge_cap: None }
    }

    /// The game of this name; the id of [`Game::id`] is a name too.
    pub fn parse(name: &str) -> Result<Self, CatalogueError> {
        let text = name.trim().to_ascii_lowercase();
        let unversioned = match text.rsplit_once("-v") {
            Some((_, version)) if version.is_empty() || !version.bytes().all(|b| b.is_ascii_digit()) => &text,
            Some((rest, "1")) => rest,
            Some(_) => return Err(CatalogueError::Version(quote(name))),
            None => text.as_str(),
        };
        let family = |name: &str| Family::ALL.into_iter().find(|family| family.name() == name);
        if let Some(family) = family(unversioned) {
            return Ok(Self::new(family, Shape::FOUR));
        }
        if let Some((base, board)) = unversioned.rsplit_once('-')
            && let Some(family) = family(base)
            && let Some((rows, cols)) = board.split_once('x')
        {
            let side =
                |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten();
            let shape = side(rows).zip(side(cols)).and_then(|(rows, cols)| Shape::new(rows, cols));
            let shape = shape.ok_or_else(|| CatalogueError::Shape(quote(name)))?;
            return Ok(Self::new(family, shape));
        }
        Err(CatalogueError::Unknown(quote(name), similar_game(unversioned)))
    }

    /// The shortest name of the game; [`GameSpec::parse`] gives it back, but for the options.
    pub fn name(&self) -> String {
        let family = self.family.name();
        if self.shape == Shape::FOUR { family.into() } else { format!("{family}-{}", self.shape) }
    }

    /// The game itself.
    pub fn build(&self) -> Result<AnyGame, CatalogueError> {
        let shape = self.shape;
        match (self.family.rules(), shape.cells() <= 16) {
            (None, true) => Ok(AnyGame::Twenty48(self.twenty48()?)),
            (None, false) => Ok(AnyGame::LargeTwenty48(self.twenty48()?)),
            (Some(rules), true) => Ok(AnyGame::Threes(self.threes(rules)?)),
            (Some(rules), false) => Ok(AnyGame::LargeThrees(self.threes(rules)?)),
        }
    }

    fn twenty48<const N: usize>(&self) -> Result<Twenty48<N>, CatalogueError> {
        let mut game = match self.family {
            Family::TenTwentyFour => Twenty48::halved(self.shape),
            _ => Twenty48::new(self.shape),
        };
        if let Some(value) = self.merge_cap {
            let rank = game.rank_of(value).filter(|&rank| rank < MAX_RANK);
            game.cap_rank = rank.ok_or(CatalogueError::MergeCap(value, "2048"))?;
        }
        if let Some(spawn) = &self.spawn {
            game.spawn = spawn.clone();
        }
        game.start_tiles = self.start_tiles(game.start_tiles)?;
        Ok(game)
    }

    fn threes<const N: usize>(&self, rules: Rules) -> Result<Threes<N>, CatalogueError> {
        if self.spawn.is_some() {
            return Err(CatalogueError::Spawn);
        }
        let mut game = Threes::new(self.shape, rules);
        if let Some(value) = self.merge_cap {
            let rank = (3..=MAX_THREES_CAP).find(|&rank| threes::label(rank) == value);
            game.rules.cap_rank = rank.ok_or(CatalogueError::MergeCap(value, "6144"))?;
        }
        game.start_tiles = self.start_tiles(game.start_tiles)?;
        Ok(game)
    }

    fn start_tiles(&self, usual: usize) -> Result<usize, CatalogueError> {
        let wanted = self.start_tiles.unwrap_or(usual);
        let fits = (1..=self.shape.cells()).contains(&wanted);
        fits.then_some(wanted).ok_or(CatalogueError::StartTiles { wanted, shape: self.shape })
    }
}

/// Scores grow as 3^rank: with tiles up to this rank the sum over any board fits in 64 bits.
const MAX_THREES_CAP: u8 = 30;

/// A name of the catalogue like this one; a board at the end of it is kept.
fn similar_game(name: &str) -> Option<String> {
    let (base, board) = match name.rsplit_once('-') {
        Some((base, board)) if is_board(board) => (base, Some(board)),
        _ => (name, None),
    };
    let family = similar(base, Family::ALL.into_iter().map(Family::name))?;
    Some(board.map_or(family.into(), |board| format!("{family}-{board}")))
}

/// The word most like this one, if at most half of it differs.
pub fn similar<T: AsRef<str>>(word: &str, words: impl Iterator<Item = T>) -> Option<T> {
    let nearest = words.min_by_key(|other| distance(word, other.as_ref()));
    nearest.filter(|other| 2 * distance(word, other.as_ref()) <= word.chars().count())
}

fn is_board(text: &str) -> bool {
    let side = |text: &str| text.parse().unwrap_or(0);
    text.split_once('x').is_some_and(|(rows, cols)| Shape::new(side(rows), side(cols)).is_some())
}

/// Levenshtein distance of two words.
pub fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

/// The start of a name, on one line, for a message.
fn quote(name: &str) -> String {
    name.chars().take(40).collect::<String>().escape_debug().to_string()
}
