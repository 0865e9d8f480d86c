//! Evaluations, wherever they were written down: in a run's `eval/`, by `evaluate`, or by `merge`.

use afterstate::evaluate::Played;
use afterstate::game::catalogue::GameSpec;
use afterstate::statistics::{Moments, Proportion, maxima};
use afterstate::with_game;
use afterstate_lab::shard::Shard;
use serde::Deserialize;
use serde_json::Value;

/// Result of an evaluation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Evaluation {
    /// Training games before it.
    pub(super) trained: u64,
    /// True if it is the last word on a run.
    pub(super) last: bool,
    pub(super) games: u64,
    pub(super) seed: u64,
    pub(super) ply: Option<u8>,
    pub(super) mean: f64,
    pub(super) ci95: Option<[f64; 2]>,
    pub(super) median: Option<f64>,
    pub(super) best: Option<f64>,
    /// The average maximum of 100 games.
    pub(super) max_of_100: Option<f64>,
    /// Shares of games whose largest tile was at least this one.
    pub(super) tiles: Vec<(u64, Proportion)>,
    pub(super) moves_per_second: Option<f64>,
    /// Every game, where they were kept.
    pub(super) played: Vec<Played>,
}

/// The fields of all formats.
#[derive(Deserialize)]
struct Fields {
    #[serde(default)]
    trained_games: u64,
    #[serde(default, rename = "final")]
    last: bool,
    games: u64,
    seed: u64,
    #[serde(default)]
    ply: Option<u8>,
    score: Score,
    #[serde(default)]
    tiles: Value,
    #[serde(default)]
    moves_per_second: Option<f64>,
}

#[derive(Deserialize)]
struct Score {
    mean: f64,
    #[serde(default)]
    ci95: Option<[f64; 2]>,
    #[serde(default)]
    median: Option<f64>,
    #[serde(default)]
    max: Option<f64>,
    #[serde(default)]
    max_of_100: Option<Value>,
}

impl Evaluation {
    /// Reads one; with every game, if it holds them.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let shard = value.get_mut("shard").map(Value::take).filter(Value::is_object);
        let fields: Fields = serde_json::from_value(value).map_err(|error| error.to_string())?;
        let hits = |rate: f64| Proportion {
            hits: (rate * fields.games as f64).round() as u64,
            trials: fields.games,
        };
        let mut found = Self {
            trained: fields.trained_games,
            last: fields.last,
            games: fields.games,
            seed: fields.seed,
            ply: fields.ply,
            mean: fields.score.mean,
            ci95: fields.score.ci95,
            median: fields.score.median,
            best: fields.score.max,
            max_of_100: fields.score.max_of_100.and_then(|value| value.get("mean").and_then(Value::as_f64)),
            tiles: tiles(&fields.tiles).into_iter().map(|(tile, rate)| (tile, hits(rate))).collect(),
            moves_per_second: fields.moves_per_second,
            played: Vec::new(),
        };
        if let Some(shard) = shard {
            let shard = Shard::parse("it", &shard.to_string()).map_err(|error| error.to_string())?;
            let moves: u64 = shard.moves.iter().sum();
            found.moves_per_second = Some(moves as f64 / shard.seconds.max(1e-9));
            found.know(games(&shard));
        }
        Ok(found)
    }

    /// An evaluation known by its games alone.
    pub(super) fn of_games(game: &GameSpec, seed: u64, ply: Option<u8>, played: Vec<Played>) -> Self {
        let label = |rank: u8| label(game, rank);
        let mut found = Self { last: true, games: played.len() as u64, seed, ply, ..Self::default() };
        let scores: Moments = played.iter().map(|game| game.score as f64).collect();
        (found.mean, found.ci95) = (scores.mean(), scores.ci95().map(|ci| [ci.low, ci.high]));
        let top = played.iter().map(|game| game.max_rank).max().unwrap_or(0);
        found.tiles = (1..=top)
            .map(|rank| {
                let hits = played.iter().filter(|game| game.max_rank >= rank).count() as u64;
                (label(rank), Proportion { hits, trials: found.games })
            })
            .collect();
        found.know(played);
        found
    }

    /// Adds what single games tell.
    pub(super) fn know(&mut self, played: Vec<Played>) {
        let scores: Vec<u64> = played.iter().map(|game| game.score).collect();
        self.best = scores.iter().max().map(|&best| best as f64).or(self.best);
        self.median = afterstate::statistics::median(&scores).or(self.median);
        let blocks: Moments = maxima(&scores).map(|max| max as f64).collect();
        self.max_of_100 = (blocks.count() > 0).then(|| blocks.mean()).or(self.max_of_100);
        self.played = played;
    }

    /// Result of a part of the games: the best of all is not known by it.
    pub(super) fn know_some(&mut self, played: Vec<Played>) {
        let (best, median, blocks) = (self.best, self.median, self.max_of_100);
        let whole = played.len() as u64 == self.games;
        self.know(played);
        if !whole {
            (self.best, self.median, self.max_of_100) = (best, median, blocks);
        }
    }

    /// The share of games that made a tile; those not listed are made by all, or by none if they
    /// are larger.
    pub(super) fn share(&self, tile: u64) -> Proportion {
        let listed = self.tiles.iter().find(|(label, _)| *label == tile).map(|(_, share)| *share);
        let largest = self.tiles.iter().map(|(label, _)| *label).max().unwrap_or(0);
        let hits = if tile > largest { 0 } else { self.games };
        listed.unwrap_or(Proportion { hits, trials: self.games })
    }
}

fn label(game: &GameSpec, rank: u8) -> u64 {
    game.build().map_or(0, |game| with_game!(&game, game => afterstate::game::Game::label(game, rank)))
}

/// The games of a shard, numbered as in the whole evaluation.
pub(super) fn games(shard: &Shard) -> Vec<Played> {
    let first = shard.part.range(shard.setting.games).start;
    let one = |i: usize| Played {
        index: first + i as u64,
        score: shard.score[i],
        moves: shard.moves[i],
        max_rank: shard.rank[i],
        goal: false,
    };
    (0..shard.score.len()).map(one).collect()
}

/// Tiles as pairs, as runs write them, or by name, as `evaluate` does.
fn tiles(value: &Value) -> Vec<(u64, f64)> {
    let pairs = value.as_array().into_iter().flatten();
    let pairs = pairs.filter_map(|pair| Some((pair.get(0)?.as_u64()?, pair.get(1)?.as_f64()?)));
    let named = value.as_object().into_iter().flatten();
    let named = named.filter_map(|(tile, about)| Some((tile.parse().ok()?, about.get("rate")?.as_f64()?)));
    let mut all: Vec<(u64, f64)> = pairs.chain(named).collect();
    all.sort_by_key(|(tile, _)| *tile);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_write_tiles_and_both_ages_of_files_are_read() {
        let old = r#"{"games":200,"ply":1,"score":{"ci95":[90.0,110.0],"mean":100.0,"median":99.0},"seed":1,"tiles":[[2,1.0],[256,0.5]],"trained_games":5000}"#;
        let found = Evaluation::parse(old).unwrap();
        assert_eq!((found.trained, found.last, found.share(256).hits), (5000, false, 100));
        assert_eq!((found.share(128).hits, found.share(512).hits), (200, 0));
        let new = r#"{"games":3,"seed":5,"final":true,"score":{"mean":2.0,"ci95":null},"tiles":{"4":{"rate":1.0}},
            "shard":{"format":"afterstate-shard-v1","part":{"index":1,"of":1},"setting":{"game":"2048-4x4-v1","player":"model","seed":5,"games":3},
            "seconds":2.0,"score":[1,2,3],"moves":[10,10,20],"rank":[2,2,2],"nanoseconds":[1,1,1]}}"#;
        let found = Evaluation::parse(new).unwrap();
        assert_eq!((found.best, found.median, found.moves_per_second), (Some(3.0), Some(2.0), Some(20.0)));
        assert!(found.last && found.played.len() == 3 && found.ci95.is_none());
        assert!(Evaluation::parse("{\"games\":1").is_err() && Evaluation::parse("[]").is_err());
    }
}
