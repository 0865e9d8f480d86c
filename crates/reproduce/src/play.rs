//! Games of evaluations, kept one on each line: what was played is never played again.

use super::ReproduceError;
use super::reporter::{TargetReporter, Task};
use super::setting::Setting;
use super::target::Way;
use super::training::TrainedRun;
use afterstate::episode::Record;
use afterstate::evaluate::{GameObserver, Plan, Played, Summary, evaluate};
use afterstate::game::Game;
use afterstate::game::catalogue::AnyGame;
use afterstate::network::stage::Stages;
use afterstate::with_game;
use afterstate_lab::engine::{Engine, EngineError, EngineOptions, Judging, PlayerName, SearchBudget};
use afterstate_lab::model::{self, Format, Model};
use afterstate_lab::run::files::at;
use afterstate_lab::variant::{ConfiguredGame, Variant};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// Seed of evaluations.
pub(super) const SEED: u64 = 1;

/// Games that were played.
#[derive(Clone, Debug)]
pub(super) struct PlayedGames {
    pub(super) game: AnyGame,
    pub(super) played: Vec<Played>,
    /// The time of all games together, as if they were played one after the other.
    pub(super) nanoseconds: u64,
}

impl PlayedGames {
    /// Their summary.
    pub(super) fn summary(&self) -> Option<Summary> {
        with_game!(&self.game, game => Summary::of(game, &self.played))
    }

    /// These and others.
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.played.extend(&other.played);
        self.nanoseconds += other.nanoseconds;
        self
    }

    /// Moves per second of one thread.
    pub(super) fn speed(&self) -> f64 {
        let moves: u64 = self.played.iter().map(|played| played.moves).sum();
        moves as f64 / (self.nanoseconds as f64 * 1e-9).max(1e-9)
    }
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct KeptGame {
    game: u64,
    score: u64,
    moves: u64,
    rank: u8,
    nanoseconds: u64,
}

/// The file of the games of a trained network.
pub(super) fn file(place: &Path, ply: u8, way: Way) -> PathBuf {
    place.join(format!("played/ply-{ply}{}.jsonl", way.suffix()))
}

/// The file of games of a player without a run directory.
pub(super) fn own_file(out: &Path, seat: &Seat) -> PathBuf {
    out.join("played").join(format!("{}.jsonl", seat.name()))
}

/// A player of games for a table: a model, or a player by name.
pub(super) struct Seat(Box<Engine>);

impl Seat {
    fn open(options: &EngineOptions) -> Result<Self, ReproduceError> {
        Ok(Self(Box::new(Engine::open(options)?)))
    }

    /// The network of a run, or what is used of it.
    pub(super) fn trained(run: &TrainedRun, ply: u8, way: Way) -> Result<Self, ReproduceError> {
        let budget = Some(SearchBudget::ply(ply));
        let whole = EngineOptions { model: Some(run.model()), budget, ..EngineOptions::default() };
        Self::open(&match way {
            Way::Whole => whole,
            Way::LeafJudges => EngineOptions { judging: Some(Judging::Leaf), ..whole },
            Way::FirstStages(stages) => EngineOptions { model: Some(first_stages(run, stages)?), ..whole },
        })
    }

    /// The model of the command line, the built-in one of the game without it.
    pub(super) fn given(setting: &Setting, ply: u8) -> Result<Self, ReproduceError> {
        let game = setting.game.as_deref().map(configured).transpose()?;
        let (model, budget) = (setting.model.clone(), Some(SearchBudget::ply(ply)));
        Self::open(&EngineOptions { model, game, budget, ..EngineOptions::default() })
    }

    /// The published search on a game, less deep if asked.
    pub(super) fn expectimax(game: &str, ply: Option<u8>) -> Result<Self, ReproduceError> {
        let (player, game) = (Some(PlayerName::MayerHirshfeld), Some(configured(game)?));
        let budget = ply.map(SearchBudget::ply);
        Self::open(&EngineOptions { player, game, budget, ..EngineOptions::default() })
    }

    /// A name for the file of games of a player without a run directory.
    pub(super) fn name(&self) -> String {
        let Self(engine) = self;
        let game = with_game!(self.game(), game => game.id()).replace('/', "-");
        let ply = engine.budget.ply;
        match engine.fingerprint() {
            Some(weights) => format!("model-{weights}_{game}_ply-{ply}"),
            None => format!("{}-{game}_depth-{ply}", engine.player.name()),
        }
    }

    /// The game it plays.
    pub(super) fn game(&self) -> &AnyGame {
        &self.0.game.rules
    }
}

/// The game of this name in its usual variant.
pub(super) fn configured(game: &str) -> Result<ConfiguredGame, EngineError> {
    Ok(ConfiguredGame::parse(game, Variant::default())?)
}

/// A model with the first stages of a run's: made once, kept beside it.
fn first_stages(run: &TrainedRun, stages: u8) -> Result<PathBuf, ReproduceError> {
    let path = run.place.join(format!("first-{stages}.afterstate"));
    if !path.exists() {
        let Model { network, metadata, .. } = model::load(&run.model()).map_err(EngineError::from)?;
        let mut structure = network.structure().clone();
        let splits = structure.stages.splits().iter().take(usize::from(stages.max(1)) - 1);
        let kept = Stages::new(splits.cloned().collect());
        structure.stages = kept.judging_by(structure.stages.judged_by()).expect("splits leave the choice");
        let banks: Vec<usize> = (0..structure.banks()).collect();
        let network = network.regrouped(structure, &banks).map_err(EngineError::from)?;
        let model = Model { network, metadata, sums: Vec::new(), visits: Vec::new() };
        model::save(&path, &model, Format::OursSparse).map_err(EngineError::from)?;
    }
    Ok(path)
}

/// Games to play, and the file that keeps them.
pub(super) struct Order {
    pub(super) game: AnyGame,
    pub(super) file: PathBuf,
    pub(super) games: u64,
    pub(super) threads: usize,
    /// The player, for people.
    pub(super) who: String,
}

/// Plays the games that are missing in a file, with a player who is made only then; `None` if it
/// was asked to stop.
pub(super) fn games(
    order: Order,
    open: impl FnOnce() -> Result<Seat, ReproduceError>,
    reporter: &dyn TargetReporter,
) -> Result<Option<PlayedGames>, ReproduceError> {
    let Order { game, file: path, games: wanted, threads, who } = order;
    let mut kept = read(&path)?;
    let missing = missing(&kept, wanted);
    if !missing.is_empty() {
        let left = missing.iter().map(|range| range.end - range.start).sum::<u64>();
        reporter.begin(&Task::Play { who: &who, games: left });
        if let Some(place) = path.parent() {
            fs::create_dir_all(place).map_err(at("cannot create", place))?;
        }
        let keeper = Keeper {
            lines: Mutex::new((append(&path)?, None)),
            failed: AtomicBool::new(false),
            reporter,
            done: AtomicU64::new(0),
            left,
        };
        let seat = open()?;
        for games in missing {
            let plan = Plan { games, threads, ..Plan::new(0, SEED) };
            with_game!(&game, game => drop(evaluate(game, || seat.0.player(0), &plan, &keeper)));
        }
        let (_, failed) = keeper.lines.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(error) = failed {
            return Err(at("cannot write", &path)(error).into());
        }
        kept = read(&path)?;
    }
    kept.retain(|&game, _| game < wanted);
    if (kept.len() as u64) < wanted {
        return Ok(None);
    }
    Ok(Some(together(game, &kept)))
}

/// The games that are kept in a file, however many there are; `None` if there are none.
pub(super) fn kept(game: AnyGame, path: &Path) -> Result<Option<PlayedGames>, ReproduceError> {
    let kept = read(path)?;
    Ok((!kept.is_empty()).then(|| together(game, &kept)))
}

fn together(game: AnyGame, kept: &BTreeMap<u64, KeptGame>) -> PlayedGames {
    let nanoseconds = kept.values().map(|line| line.nanoseconds).sum();
    let played = kept.values().map(|line| Played {
        index: line.game,
        score: line.score,
        moves: line.moves,
        max_rank: line.rank,
        goal: false,
    });
    PlayedGames { game, played: played.collect(), nanoseconds }
}

/// The games of a file, by number; a half line at its end is left out.
fn read(path: &Path) -> Result<BTreeMap<u64, KeptGame>, ReproduceError> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        read => read.map_err(at("cannot read", path))?,
    };
    let lines = text.lines().filter_map(|line| serde_json::from_str::<KeptGame>(line).ok());
    Ok(lines.map(|line| (line.game, line)).collect())
}

/// Opens a file for more lines; what was half written ends there.
fn append(path: &Path) -> Result<File, ReproduceError> {
    let half = fs::read(path).is_ok_and(|bytes| bytes.last().is_some_and(|&last| last != b'\n'));
    let file = OpenOptions::new().create(true).append(true).open(path);
    let file = file.and_then(|mut file| if half { file.write_all(b"\n").map(|()| file) } else { Ok(file) });
    Ok(file.map_err(at("cannot write", path))?)
}

/// The stretches of games that are not there yet.
fn missing<T>(kept: &BTreeMap<u64, T>, wanted: u64) -> Vec<Range<u64>> {
    let (mut stretches, mut from) = (Vec::new(), 0);
    for &game in kept.keys().filter(|&&game| game < wanted) {
        if game > from {
            stretches.push(from..game);
        }
        from = game + 1;
    }
    if from < wanted {
        stretches.push(from..wanted);
    }
    stretches
}

/// Writes every game down as it ends.
struct Keeper<'a> {
    /// The file, and the first error of writing to it.
    lines: Mutex<(File, Option<std::io::Error>)>,
    failed: AtomicBool,
    reporter: &'a dyn TargetReporter,
    done: AtomicU64,
    left: u64,
}

thread_local! {
    /// When the game of this thread began.
    static BEGAN: Cell<Option<Instant>> = const { Cell::new(None) };
}

impl<G: Game> GameObserver<G> for Keeper<'_> {
    fn begins(&self, _: u64) {
        BEGAN.set(Some(Instant::now()));
    }

    fn ended(&self, played: &Played, _: Option<Record<G::State>>) {
        let nanoseconds = BEGAN.get().map_or(0, |began| began.elapsed().as_nanos() as u64);
        let Played { index: game, score, moves, max_rank: rank, .. } = *played;
        let line =
            serde_json::to_string(&KeptGame { game, score, moves, rank, nanoseconds }).expect("plain data");
        let mut lines = self.lines.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Err(error) = lines.0.write_all(format!("{line}\n").as_bytes()) {
            lines.1.get_or_insert(error);
            self.failed.store(true, Ordering::Relaxed);
        }
        drop(lines);
        self.reporter.played(self.done.fetch_add(1, Ordering::Relaxed) + 1, self.left);
    }

    fn stop(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || self.reporter.stop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_missing_games_are_played() {
        let kept: BTreeMap<u64, ()> = [0, 1, 4, 9].into_iter().map(|game| (game, ())).collect();
        assert_eq!(missing(&kept, 8), [2..4, 5..8]);
        assert_eq!(missing(&kept, 2), []);
        assert_eq!(missing::<()>(&BTreeMap::new(), 3).first(), Some(&(0..3)));
    }
}
