//! Comparisons of two players: scores, difference, verdict.
//!
//! Both samples are independent: each player has streams of chance of its own. The same chance for
//! both would not help, as games differ from their first different move on.

use crate::engine::PlayerName;
use crate::model_source::{self, ModelSource, SourceError};
use crate::replay::ours;
use crate::shard::Shard;
use crate::variant::{Variant, game_name};
use crate::{model, sweep};
use afterstate::evaluate::{Played, Summary};
use afterstate::game::catalogue::AnyGame;
use afterstate::statistics::{Difference, Interval, Proportion, games_to_settle, rate_difference};
use afterstate::with_game;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why two things cannot be compared.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum CompareError {
    /// Neither a file nor a directory nor a player.
    #[error(
        "{0} is neither a model, a run directory, stored games of an evaluation, builtin, nor a player (random, greedy, corner, heuristic)"
    )]
    Unknown(String),
    /// No such built-in model.
    #[error("{0}")]
    BuiltIn(String),
    /// A set of runs.
    #[error("{0} is a set of runs; name one of those in {0}/runs, or see them all with `report {0}`")]
    Set(String),
    /// A run without what is asked for.
    #[error("{0} has no {1}; {2}")]
    Missing(String, String, String),
    /// Results that cannot be read.
    #[error("{0}: {1}")]
    Results(String, String),
    /// Two games.
    #[error("{0} is of {1}, {2} of {3}: scores of different games cannot be compared")]
    Games(String, String, String, String),
    /// Too few games for an interval.
    #[error("{0} has {1} games; two at least are needed for an interval, and a hundred to trust it")]
    Few(String, u64),
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Side {
    /// A model that is to play.
    Model(PathBuf),
    /// A player by name that is to play.
    Player(PlayerName),
    /// Games that were played.
    Stored(Box<Sample>),
}

/// Games that were played, and by whom.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Name given by the user.
    pub name: String,
    /// The game with the version of its rules, and its variant.
    pub game: String,
    /// Depth of the search, if known.
    pub ply: Option<u8>,
    /// Seed of all chance, if known.
    pub seed: Option<u64>,
    /// Summary of the games.
    pub summary: Summary,
}

/// Finds out what a word of the user means; `stored` are the final games of a run at this ply,
/// rather than its model.
pub fn find(name: &str, stored: Option<u8>) -> Result<Side, CompareError> {
    let path = Path::new(name);
    if sweep::is_set(path) {
        return Err(CompareError::Set(name.into()));
    }
    if path.is_dir() {
        return run(name, path, stored);
    }
    match ModelSource::find(path) {
        Ok(ModelSource::BuiltIn(_)) => return Ok(Side::Model(path.into())),
        Err(error @ SourceError::UnknownBuiltIn { .. }) => {
            return Err(CompareError::BuiltIn(error.to_string()));
        }
        _ => {}
    }
    if !path.exists() {
        let player = PlayerName::parse(name).map_err(|_| CompareError::Unknown(name.into()));
        return player.map(Side::Player);
    }
    let mut begins = [0; 16];
    let read = fs::File::open(path).and_then(|mut file| file.read(&mut begins));
    let length = read.map_err(|error| CompareError::Results(name.into(), error.to_string()))?;
    if model::Format::of_contents(&begins[..length]).is_some() {
        return Ok(Side::Model(path.into()));
    }
    results(name, path).map(Box::new).map(Side::Stored)
}

/// A run directory: its model, or its final games.
fn run(name: &str, path: &Path, stored: Option<u8>) -> Result<Side, CompareError> {
    let missing = |what: &str, next: String| CompareError::Missing(name.into(), what.into(), next);
    let Some(ply) = stored else {
        let found = model_source::of_run(path).map_err(|_| missing("model yet", "train it first".into()))?;
        return Ok(Side::Model(found));
    };
    let file = path.join(format!("eval/final-ply{ply}.json"));
    if !file.exists() {
        let next = format!("play now, or resume the run with final.plies=[{ply}] and final.games=1000");
        return Err(missing("final games at this ply", next));
    }
    results(name, &file).map(Box::new).map(Side::Stored)
}

/// Stored games of any kind.
fn results(name: &str, path: &Path) -> Result<Sample, CompareError> {
    let wrong = |what: String| CompareError::Results(name.into(), what);
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    if text.lines().next().is_some_and(|line| line.contains(ours::FORMAT)) {
        return saved(name, &text);
    }
    let shard = Shard::parse(name, &text).map_err(|error| {
        CompareError::Results(
            name.into(),
            format!("{error}; comparable are saved games, and the shard of a whole evaluation"),
        )
    })?;
    let setting = &shard.setting;
    let played = (0..shard.score.len()).map(|i| Played {
        index: i as u64,
        score: shard.score[i],
        moves: shard.moves[i],
        max_rank: shard.rank[i],
        goal: false,
    });
    let game = Rules { name: &setting.game, variant: &setting.variant };
    game.sample(name, setting.ply, Some(setting.seed), &played.collect::<Vec<_>>())
}

/// The games of `evaluate --save`.
fn saved(name: &str, text: &str) -> Result<Sample, CompareError> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |what: String| CompareError::Results(format!("{name}:{number}"), what);
        let line: ours::ReplayLine = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        if line.score.is_none() || line.largest.is_none() {
            return Err(wrong("the game has no score".into()));
        }
        lines.push(line);
    }
    let first = lines.first().ok_or_else(|| CompareError::Few(name.into(), 0))?.clone();
    if let Some(other) = lines.iter().find(|line| line.game != first.game) {
        let what = format!("holds games of {} and of {}", first.game, other.game);
        return Err(CompareError::Results(name.into(), what));
    }
    let rules = Rules { name: &first.game, variant: &first.variant };
    let game = rules.game().map_err(|what| CompareError::Results(name.into(), what))?;
    let rank = |label| with_game!(&game, g => afterstate::game::Game::rank_of(g, label)).unwrap_or(0);
    let played = lines.iter().enumerate().map(|(i, line)| Played {
        index: i as u64,
        score: line.score.unwrap_or(0),
        moves: line.moves.len() as u64,
        max_rank: rank(line.largest.unwrap_or(0)),
        goal: false,
    });
    rules.sample(name, None, first.seed, &played.collect::<Vec<_>>())
}

/// A game as results name it.
struct Rules<'a> {
    name: &'a str,
    variant: &'a Variant,
}

impl Rules<'_> {
    fn game(&self) -> Result<AnyGame, String> {
        let spec = self.variant.spec(self.name).map_err(|error| error.to_string())?;
        spec.build().map_err(|error| error.to_string())
    }

    fn sample(
        &self,
        name: &str,
        ply: Option<u8>,
        seed: Option<u64>,
        played: &[Played],
    ) -> Result<Sample, CompareError> {
        let wrong = |what: String| CompareError::Results(name.into(), what);
        let game = self.game().map_err(wrong)?;
        let summary = with_game!(&game, game => Summary::of(game, played));
        let summary = summary.ok_or_else(|| CompareError::Few(name.into(), 0))?;
        Ok(Sample { name: name.into(), game: game_name(self.name, self.variant), ply, seed, summary })
    }
}

/// Comparison of two samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The difference of the mean scores, second minus first.
    pub score: Difference,
    /// Games of each side that would find such a difference four times in five; `None` if none was
    /// seen.
    pub games_to_settle: Option<u64>,
    /// The tiles that not all games of both sides reached, from the smallest on.
    pub tiles: Vec<TileRates>,
}

/// Rates at which both sides reached a tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileRates {
    /// The tile.
    pub label: u64,
    /// Rate of each side.
    pub rates: [Proportion; 2],
    /// Difference of the rates, second less first.
    pub difference: f64,
    /// Its 95 % interval.
    pub ci95: Interval,
}

/// Verdict by the mean score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The first.
    First,
    /// The second.
    Second,
    /// The games do not tell.
    Neither,
}

impl Comparison {
    /// Compares two samples of one game.
    pub fn of(first: &Sample, second: &Sample) -> Result<Self, CompareError> {
        if first.game != second.game {
            let [a, b] = [first, second].map(|side| (side.name.clone(), side.game.clone()));
            return Err(CompareError::Games(a.0, a.1, b.0, b.1));
        }
        if let Some(few) = [first, second].into_iter().find(|side| side.summary.games < 2) {
            return Err(CompareError::Few(few.name.clone(), few.summary.games));
        }
        let [a, b] = [&first.summary.score.moments, &second.summary.score.moments];
        Ok(Self {
            score: Difference::of(a, b).expect("there are two games of each"),
            games_to_settle: games_to_settle(a, b),
            tiles: tiles(&first.summary, &second.summary),
        })
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        match self.score.is_found() {
            false => Verdict::Neither,
            true if self.score.mean > 0.0 => Verdict::Second,
            true => Verdict::First,
        }
    }
}

fn tiles(first: &Summary, second: &Summary) -> Vec<TileRates> {
    let at = |side: &Summary, i: usize| {
        let none = Proportion { hits: 0, trials: side.games };
        side.tiles.get(i).map_or(none, |tile| tile.reached)
    };
    let longer = if first.tiles.len() > second.tiles.len() { &first.tiles } else { &second.tiles };
    let rows = longer.iter().enumerate().map(|(i, tile)| {
        let rates = [at(first, i), at(second, i)];
        let (difference, ci95) = rate_difference(&rates[0], &rates[1]);
        TileRates { label: tile.label, rates, difference, ci95 }
    });
    let told = |row: &TileRates| {
        row.rates.iter().any(|rate| rate.hits < rate.trials) && row.rates.iter().any(|rate| rate.hits > 0)
    };
    rows.filter(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(name: &str, scores: &[u64], ranks: &[u8]) -> Sample {
        let played: Vec<Played> = scores
            .iter()
            .zip(ranks)
            .map(|(&score, &max_rank)| Played { index: 0, score, moves: 1, max_rank, goal: false })
            .collect();
        let rules = Rules { name: "2048-4x4-v1", variant: &Variant::default() };
        rules.sample(name, Some(1), Some(1), &played).unwrap()
    }

    #[test]
    fn equals_are_equal_and_the_stronger_is_stronger() {
        let weak = sample("weak", &[100, 120, 90, 110, 105, 95], &[5, 5, 4, 5, 5, 4]);
        let strong = sample("strong", &[300, 310, 290, 305, 295, 300], &[7, 7, 6, 7, 6, 6]);
        let same = Comparison::of(&weak, &weak).unwrap();
        assert_eq!((same.verdict(), same.games_to_settle), (Verdict::Neither, None));
        assert_eq!(Comparison::of(&weak, &strong).unwrap().verdict(), Verdict::Second);
        let turned = Comparison::of(&strong, &weak).unwrap();
        assert_eq!(turned.verdict(), Verdict::First);
        // All games reached 16; tiles above 128 were reached by none.
        let labels: Vec<u64> = turned.tiles.iter().map(|tile| tile.label).collect();
        assert_eq!(labels, [32, 64, 128]);
        assert_eq!((turned.tiles[2].rates[0].hits, turned.tiles[2].difference), (3, -0.5));
        assert!(turned.tiles[1].ci95.high < 0.0, "{:?}", turned.tiles[1]);
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        let one = sample("one", &[1, 2], &[1, 1]);
        let other = Sample { game: "threes-4x4-v1".into(), name: "other".into(), ..one.clone() };
        let error = Comparison::of(&one, &other).unwrap_err().to_string();
        assert!(error.contains("one is of 2048-4x4-v1") && error.contains("other of threes"), "{error}");
        let few = sample("few", &[1], &[1]);
        assert_eq!(Comparison::of(&one, &few), Err(CompareError::Few("few".into(), 1)));
        assert!(matches!(find("no-such-thing", None), Err(CompareError::Unknown(_))));
        assert_eq!(find("builtin:2048", None).unwrap(), Side::Model("builtin:2048".into()));
        assert!(find("builtin:2084", None).unwrap_err().to_string().contains("builtin:threes"));
        assert_eq!(find("greedy", None).unwrap(), Side::Player(PlayerName::Greedy));
        let place = tempfile::tempdir().unwrap();
        let name = place.path().to_str().unwrap();
        assert!(find(name, None).unwrap_err().to_string().contains("has no model"));
        assert!(find(name, Some(2)).unwrap_err().to_string().contains("final.plies=[2]"));
        fs::write(place.path().join("sweep.json"), "{}").unwrap();
        assert_eq!(find(name, None), Err(CompareError::Set(name.into())));
        let file = place.path().join("notes.txt");
        fs::write(&file, "hello").unwrap();
        let error = find(file.to_str().unwrap(), None).unwrap_err().to_string();
        assert!(error.contains("saved games"), "{error}");
    }

    #[test]
    fn stored_games_are_read_as_they_were_played() {
        let place = tempfile::tempdir().unwrap();
        let line = |score: u64, largest: u64| {
            serde_json::json!({
                "format": ours::FORMAT, "game": "2048-4x4-v1", "seed": 5, "index": 0, "start": "0000/0000/0000/0011",
                "moves": "ul", "spawns": [], "score": score, "largest": largest
            })
        };
        let file = place.path().join("games.jsonl");
        fs::write(&file, format!("{}\n{}\n", line(100, 16), line(300, 32))).unwrap();
        let Side::Stored(found) = find(file.to_str().unwrap(), None).unwrap() else { panic!() };
        assert_eq!(
            (found.seed, found.summary.games, found.summary.score.moments.mean()),
            (Some(5), 2, 200.0)
        );
        assert_eq!(found.summary.tiles[4].reached.hits, 1);
    }
}
