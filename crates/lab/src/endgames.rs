//! Endgame tables in files: made once, then read by every player.
//!
//! A directory holds one file for each table; all that fit the game are used.

use crate::atomic;
use afterstate::budget::OutOfMemory;
use afterstate::endgame::{Climb, ClimbObserver, EndgameError, Endgames, Formation, file};
use afterstate::game::Game;
use afterstate::game::catalogue::AnyGame;
use afterstate::game::twenty48::Twenty48;
use afterstate::grid::Shape;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use thiserror::Error;

/// Files of tables end in this.
const EXTENSION: &str = "endgame";

/// Why there are no tables.
#[derive(Debug, Error)]
pub enum EndgamesError {
    /// The game has none.
    #[error("endgame tables are for 2048 and 1024 on boards of up to 16 cells")]
    Game,
    /// It cannot be computed.
    #[error(transparent)]
    Solve(#[from] EndgameError),
    /// A file or directory cannot be used.
    #[error("cannot use {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file holds no table.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The defect.
        source: file::FileError,
    },
    /// Tables are to be followed from something on that is no tile.
    #[error("{0} is no tile of this game; write one like 32768")]
    From(u64),
    /// No file fits.
    #[error("{place} holds no endgame tables of {game}")]
    Nothing {
        /// The directory.
        place: PathBuf,
        /// The game.
        game: String,
    },
}

impl EndgamesError {
    /// The refusal of memory, if that is why.
    pub fn out_of_memory(&self) -> Option<OutOfMemory> {
        match self {
            Self::Solve(EndgameError::Memory(error))
            | Self::File { source: file::FileError::Memory(error), .. } => Some(*error),
            _ => None,
        }
    }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> EndgamesError + '_ {
    move |source| EndgamesError::Io { path: path.into(), source }
}

/// The rules of a game that has endgame tables.
pub fn rules(game: &AnyGame) -> Result<&Twenty48<16>, EndgamesError> {
    match game {
        AnyGame::Twenty48(game) => Ok(game),
        _ => Err(EndgamesError::Game),
    }
}

/// The tables to make where nobody says which: on 4×4 those that hold six tiles, a row and half of
/// the next, in which [`crate::builtin`]'s model nearly always keeps them; none on other boards.
pub fn usual(shape: Shape) -> Vec<Formation> {
    let goals: &[u8] = if shape == Shape::FOUR { &[9, 8, 7] } else { &[] };
    let held = "####/##../..../....";
    goals.iter().filter_map(|&goal| Formation::parse(shape, held, goal)).collect()
}

/// The file of a table in a directory.
pub fn path(place: &Path, game: &Twenty48<16>, formation: &Formation) -> PathBuf {
    let held = formation.to_string().replace('/', "-").replace('.', "o").replace('#', "x");
    let goal = game.label(formation.goal());
    let tiles: Vec<String> =
        game.spawn.tiles().iter().map(|(rank, weight)| format!("{rank}_{weight}")).collect();
    place.join(format!("{}-{held}-{goal}-{}.{EXTENSION}", formation.shape(), tiles.join("-")))
}

/// Makes a table and writes it; the chance from an empty board.
pub fn make(
    place: &Path,
    game: &Twenty48<16>,
    formation: Formation,
    threads: usize,
    observer: &mut ClimbObserver<'_>,
) -> Result<f32, EndgamesError> {
    Climb::check(game, &formation)?;
    fs::create_dir_all(place).map_err(at(place))?;
    let climb = Climb::solve(game, formation, threads, observer)?;
    let path = path(place, game, &formation);
    atomic::write(&path, |out| file::write(&climb, out)).map_err(at(&path))?;
    Ok(climb.chance(&[0; 16]).unwrap_or(0.0))
}

/// True if a directory has this table already, as far as the beginning of its file tells.
pub fn exists(place: &Path, game: &Twenty48<16>, formation: &Formation) -> bool {
    let found = File::open(path(place, game, formation)).ok();
    let header = found.and_then(|found| file::read_header(&mut BufReader::new(found)).ok());
    header.is_some_and(|header| header.formation == *formation && header.spawn == game.spawn)
}

/// The files of tables in a directory, in a fixed order, whatever the directory's: of two tables
/// that know a position the first is asked.
fn files(place: &Path) -> Result<Vec<PathBuf>, EndgamesError> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(place).map_err(at(place))? {
        let path = entry.map_err(at(place))?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// All tables of a directory that fit the game.
pub fn load(place: &Path, game: &AnyGame) -> Result<Endgames, EndgamesError> {
    let rules = rules(game)?;
    let mut endgames = Endgames::default();
    for path in files(place)? {
        let open =
            || File::open(&path).map(|found| BufReader::with_capacity(1 << 18, found)).map_err(at(&path));
        let unreadable = |source| EndgamesError::File { path: path.clone(), source };
        let header = file::read_header(&mut open()?).map_err(unreadable)?;
        if header.formation.shape() == rules.shape && header.spawn == rules.spawn {
            endgames.add(file::read(&mut open()?).map_err(unreadable)?);
        }
    }
    if endgames.is_empty() {
        return Err(EndgamesError::Nothing { place: place.into(), game: game.id() });
    }
    Ok(endgames)
}

/// Tables in use.
struct Loaded {
    place: PathBuf,
    /// The game whose they are.
    rules: Twenty48<16>,
    /// The rank from which on they are followed.
    from: u8,
    tables: Weak<Endgames>,
}

static IN_USE: Mutex<Vec<Loaded>> = Mutex::new(Vec::new());

/// All tables of a directory that fit the game, followed where the tile `from` or a larger one is on
/// the board; in memory once for all who play with them at the same time.
pub fn shared(place: &Path, game: &AnyGame, from: Option<u64>) -> Result<Arc<Endgames>, EndgamesError> {
    let rules = rules(game)?;
    let rank = |tile: u64| rules.rank_of(tile).ok_or(EndgamesError::From(tile));
    let from = from.map(rank).transpose()?.unwrap_or(0);
    let fits =
        |of: &Loaded| of.place == place && of.rules.shape == rules.shape && of.rules.spawn == rules.spawn;
    let mut all = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|loaded| loaded.tables.strong_count() > 0);
    let related = all.iter().filter(|loaded| fits(loaded)).max_by_key(|loaded| loaded.from == from);
    let tables = match related.and_then(|loaded| Some((loaded.from, loaded.tables.upgrade()?))) {
        Some((known, tables)) if known == from => return Ok(tables),
        Some((_, tables)) => tables.followed_from(from),
        None => load(place, game)?.followed_from(from),
    };
    let tables = Arc::new(tables);
    let (place, rules) = (place.into(), rules.clone());
    all.push(Loaded { place, rules, from, tables: Arc::downgrade(&tables) });
    Ok(tables)
}

/// The games a directory has tables of, as far as the beginnings of its files tell; an error if
/// there are none.
pub fn boards(place: &Path) -> Result<Vec<Shape>, EndgamesError> {
    let mut boards = Vec::new();
    for path in files(place)? {
        let unreadable = |source| EndgamesError::File { path: path.clone(), source };
        let mut file = BufReader::new(File::open(&path).map_err(at(&path))?);
        let shape = file::read_header(&mut file).map_err(unreadable)?.formation.shape();
        if !boards.contains(&shape) {
            boards.push(shape);
        }
    }
    match boards.is_empty() {
        true => Err(EndgamesError::Nothing { place: place.into(), game: "2048".into() }),
        false => Ok(boards),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;

    fn game(spawn: &str) -> AnyGame {
        let spawn = afterstate::game::twenty48::SpawnTable::parse(spawn).unwrap();
        AnyGame::Twenty48(Twenty48 { spawn, ..Twenty48::new(Shape::new(2, 3).unwrap()) })
    }

    #[test]
    fn tables_are_found_by_those_whom_they_fit() {
        let place = tempfile::tempdir().unwrap();
        let (usual, other) = (game("2:.9,4:.1"), game("2:1"));
        let formation = Formation::parse(Shape::new(2, 3).unwrap(), "#../...", 4).unwrap();
        let nothing = load(place.path(), &usual).unwrap_err().to_string();
        assert!(nothing.contains("no endgame tables of 2048-2x3"), "{nothing}");
        assert!(matches!(boards(place.path()), Err(EndgamesError::Nothing { .. })));
        let rules = rules(&usual).unwrap();
        assert!(!exists(place.path(), rules, &formation));
        let mut told = 0;
        let chance = make(place.path(), rules, formation, 1, &mut |done, all| {
            assert!(done <= all);
            told += 1;
            ControlFlow::Continue(())
        });
        assert!(chance.unwrap() > 0.1 && told > 1);
        assert!(exists(place.path(), rules, &formation));
        assert_eq!(load(place.path(), &usual).unwrap().climbs().len(), 1);
        assert_eq!(boards(place.path()).unwrap(), [Shape::new(2, 3).unwrap()]);
        let shared = |from| shared(place.path(), &usual, from);
        let (one, other_player) = (shared(None).unwrap(), shared(None).unwrap());
        assert!(Arc::ptr_eq(&one, &other_player), "all who play share one copy");
        let late = shared(Some(32)).unwrap();
        assert!(!Arc::ptr_eq(&one, &late), "followed from another tile on");
        let first = |tables: &Endgames| std::ptr::from_ref(tables.climbs().next().unwrap());
        assert_eq!(first(&one), first(&late), "the tables are the same");
        assert_eq!(
            shared(Some(33)).unwrap_err().to_string(),
            "33 is no tile of this game; write one like 32768"
        );
        assert!(load(place.path(), &other).is_err(), "other tiles appear there");
        let threes = crate::variant::ConfiguredGame::parse("threes", Default::default()).unwrap().rules;
        assert!(matches!(load(place.path(), &threes), Err(EndgamesError::Game)));
    }

    #[test]
    fn a_damaged_table_is_named() {
        let place = tempfile::tempdir().unwrap();
        let any = game("2:.9,4:.1");
        let formation = Formation::parse(Shape::new(2, 3).unwrap(), "##./...", 4).unwrap();
        let rules = rules(&any).unwrap();
        make(place.path(), rules, formation, 1, &mut |_, _| ControlFlow::Continue(())).unwrap();
        let path = path(place.path(), rules, &formation);
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let error = load(place.path(), &any).unwrap_err().to_string();
        assert!(error.contains("xxo-ooo-16") && error.contains("make the table again"), "{error}");
        fs::write(&path, &bytes[..middle]).unwrap();
        assert!(load(place.path(), &any).unwrap_err().to_string().contains("ends too early"));
    }
}
