//! Work cut into parts for several machines, and results of evaluations joined again.
//!
//! ShardIndex `i/n` of an evaluation plays the `i`-th of `n` stretches of its games. Game `k` takes
//! its chance from `Random::stream(seed, k)` wherever it is played, and a shard keeps every game's
//! result, so that what [`merge`] reports is exactly what one machine would have.

pub use crate::shard_index::ShardIndex;

use crate::results::{Circumstances, Evaluation};
use crate::variant::Variant;
use afterstate::evaluate::{Played, Summary};
use afterstate::game::catalogue::GameSpec;
use afterstate::network::Network;
use afterstate::random::split_mix;
use afterstate::statistics::Distribution;
use afterstate::with_game;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The name of the format; it changes when the meaning of a field does.
pub const FORMAT: &str = "afterstate-shard-v1";

/// Setting shared by all shards of an evaluation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// The game with the version of its rules.
    pub game: String,
    /// Options that make a variant of it.
    #[serde(flatten)]
    pub variant: Variant,
    /// The player.
    pub player: String,
    /// A number that tells the weights of the model from others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Depth of its searches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<u8>,
    /// Seconds for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_per_move: Option<f64>,
    /// Seed of all chance.
    pub seed: u64,
    /// Games of all shards together.
    pub games: u64,
}

/// The results of one part of an evaluation, game by game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shard {
    /// [`FORMAT`].
    pub format: String,
    /// Index of the shard.
    pub part: ShardIndex,
    /// Setting shared by all shards.
    pub setting: Setting,
    /// The file of the model, which may lie elsewhere on every machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Seconds of playing.
    pub seconds: f64,
    /// The points of each game, in the order of their numbers.
    pub score: Vec<u64>,
    /// Their moves.
    pub moves: Vec<u64>,
    /// The ranks of their largest tiles.
    pub rank: Vec<u8>,
    /// Their durations.
    pub nanoseconds: Vec<u64>,
}

/// Why shards cannot be joined.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MergeError {
    /// There are none.
    #[error("there are no shards to merge; name the files of all parts")]
    Nothing,
    /// Text that is no shard.
    #[error("{0} is no shard: {1}; write one by evaluating a part of the games")]
    Format(String, String),
    /// Shards of different evaluations.
    #[error("{first} and {second} are not of one evaluation: {what} differs")]
    Different {
        /// One of them.
        first: String,
        /// The other.
        second: String,
        /// In what.
        what: String,
    },
    /// Some parts are not there.
    #[error("{count} of {of} shards are missing: {}; play them and merge again", missing.join(", "))]
    Missing {
        /// Their number.
        count: u64,
        /// Their numbers, at most ten, then dots.
        missing: Vec<String>,
        /// Of how many.
        of: u64,
    },
    /// One part is there twice.
    #[error("part {0} is there twice; name each shard once")]
    Twice(ShardIndex),
    /// A shard that was stopped early.
    #[error("part {0} holds {1} of its {2} games: it was interrupted; play it again")]
    Short(ShardIndex, u64, u64),
    /// A game this program does not know.
    #[error("the shards are of {0}, which this program cannot play: {1}")]
    Game(String, String),
}

impl Shard {
    /// The results of a part; `played` and `nanoseconds` in the order of the games.
    pub fn new(
        part: ShardIndex,
        setting: Setting,
        model: Option<String>,
        played: &[Played],
        nanoseconds: &[u64],
        seconds: f64,
    ) -> Self {
        Self {
            format: FORMAT.into(),
            part,
            setting,
            model,
            seconds,
            score: played.iter().map(|p| p.score).collect(),
            moves: played.iter().map(|p| p.moves).collect(),
            rank: played.iter().map(|p| p.max_rank).collect(),
            nanoseconds: nanoseconds.to_vec(),
        }
    }

    /// Reads a shard: the object itself, or an answer of `evaluate --shard` with the shard in it.
    pub fn parse(name: &str, text: &str) -> Result<Self, MergeError> {
        let wrong = |what: String| MergeError::Format(name.into(), what);
        let mut value: serde_json::Value = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
        if let Some(inside) = value.get_mut("shard") {
            value = inside.take();
        }
        match value.get("format").and_then(|format| format.as_str()) {
            Some(FORMAT) => {}
            Some(other) => return Err(wrong(format!("its format is '{}'", other.escape_debug()))),
            None => return Err(wrong("it has no results of single games".into())),
        }
        let shard: Self = serde_json::from_value(value).map_err(|e| wrong(e.to_string()))?;
        let ShardIndex { index, of } = shard.part;
        if !(1 <= index && index <= of) {
            return Err(wrong(format!("there is no part {index}/{of}")));
        }
        let games = shard.score.len();
        if [shard.moves.len(), shard.rank.len(), shard.nanoseconds.len()] != [games; 3] {
            return Err(wrong("its lists have different lengths".into()));
        }
        if shard.rank.iter().any(|&rank| rank > afterstate::grid::MAX_RANK) {
            return Err(wrong("it holds ranks that do not exist".into()));
        }
        Ok(shard)
    }

    /// Number of games of the whole part.
    pub fn wanted(&self) -> u64 {
        let range = self.part.range(self.setting.games);
        range.end - range.start
    }
}

/// A number that tells the weights of a network from others'.
pub fn fingerprint(network: &Network) -> String {
    let mut hash = network.structure().weights() as u64;
    for bank in 0..network.structure().banks() {
        for (entry, weight) in network.bank(bank as u8).entries().iter().enumerate() {
            let bits = weight.load(std::sync::atomic::Ordering::Relaxed);
            if bits != 0 {
                let mut mixed = hash ^ (entry as u64) << 32 ^ u64::from(bits);
                hash = split_mix(&mut mixed);
            }
        }
    }
    format!("{hash:016x}")
}

/// Joins all shards of an evaluation into the report of the whole. `seconds` is the time of all
/// machines together.
pub fn merge(shards: &[(String, Shard)]) -> Result<(Summary, Circumstances), MergeError> {
    let (first_name, first) = shards.first().ok_or(MergeError::Nothing)?;
    for (name, shard) in shards {
        let what = difference(first, shard);
        if let Some(what) = what {
            return Err(MergeError::Different { first: first_name.clone(), second: name.clone(), what });
        }
        if shard.score.len() as u64 != shard.wanted() {
            return Err(MergeError::Short(shard.part, shard.score.len() as u64, shard.wanted()));
        }
    }
    let mut ordered: Vec<&Shard> = shards.iter().map(|(_, shard)| shard).collect();
    ordered.sort_by_key(|shard| shard.part);
    if let Some(pair) = ordered.windows(2).find(|pair| pair[0].part == pair[1].part) {
        return Err(MergeError::Twice(pair[0].part));
    }
    let of = first.part.of;
    if ordered.len() as u64 != of {
        let there = |index| ordered.iter().any(|shard| shard.part.index == index);
        let count = of - ordered.len() as u64;
        let missing =
            (1..=of).filter(|&index| !there(index)).map(|index| ShardIndex { index, of }.to_string());
        let mut missing: Vec<String> = missing.take(10).collect();
        missing.extend((count > 10).then(|| "…".to_string()));
        return Err(MergeError::Missing { count, missing, of });
    }
    report(&ordered)
}

fn difference(a: &Shard, b: &Shard) -> Option<String> {
    let (x, y) = (&a.setting, &b.setting);
    let what = match () {
        () if x.game != y.game => "the game",
        () if x.variant != y.variant => "the variant",
        () if x.player != y.player => "the player",
        () if x.fingerprint != y.fingerprint => "the model",
        () if (x.ply, x.time_per_move) != (y.ply, y.time_per_move) => "the depth",
        () if x.seed != y.seed => "the seed",
        () if x.games != y.games => "the number of games",
        () if a.part.of != b.part.of => "the number of parts",
        () => return None,
    };
    Some(what.into())
}

/// The report of complete shards in order.
fn report(shards: &[&Shard]) -> Result<(Summary, Circumstances), MergeError> {
    let setting = &shards[0].setting;
    let unknown = |why: String| MergeError::Game(setting.game.clone(), why);
    let spec = GameSpec::parse(&setting.game).map_err(|e| unknown(e.to_string()))?;
    let game = spec.build().map_err(|e| unknown(e.to_string()))?;
    let mut played = Vec::new();
    let mut nanoseconds = Vec::new();
    for shard in shards {
        for i in 0..shard.score.len() {
            let index = played.len() as u64;
            let (score, moves, max_rank) = (shard.score[i], shard.moves[i], shard.rank[i]);
            played.push(Played { index, score, moves, max_rank, goal: false });
        }
        nanoseconds.extend_from_slice(&shard.nanoseconds);
    }
    let summary = with_game!(&game, game => Summary::of(game, &played)).ok_or(MergeError::Nothing)?;
    let about = Circumstances {
        game: setting.game.clone(),
        variant: setting.variant.clone(),
        player: setting.player.clone(),
        model: shards[0].model.clone(),
        ply: setting.ply,
        time_per_move: setting.time_per_move,
        seed: setting.seed,
        seconds: shards.iter().map(|shard| shard.seconds).sum(),
        nanoseconds_per_game: Distribution::of(&nanoseconds).ok_or(MergeError::Nothing)?,
        interrupted: false,
        goal: None,
    };
    Ok((summary, about))
}

/// The report as JSON, as `evaluate` prints it.
pub fn merged_report(shards: &[(String, Shard)]) -> Result<Evaluation, MergeError> {
    merge(shards).map(|(summary, about)| Evaluation::of(&summary, &about))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard(index: u64, of: u64, games: u64) -> (String, Shard) {
        let part = ShardIndex { index, of };
        let setting = Setting {
            game: "2048-4x4-v1".into(),
            player: "random".into(),
            games,
            seed: 1,
            ..Setting::default()
        };
        let played: Vec<Played> = part
            .range(games)
            .map(|index| Played {
                index,
                score: index * index % 97,
                moves: index % 7,
                max_rank: (index % 5 + 3) as u8,
                goal: false,
            })
            .collect();
        let nanoseconds = vec![5; played.len()];
        (format!("{index}.json"), Shard::new(part, setting, None, &played, &nanoseconds, 1.5))
    }

    fn text(shards: &[(String, Shard)]) -> String {
        serde_json::to_string(&merged_report(shards).unwrap()).unwrap().replace("1.5", "").replace("4.5", "")
    }

    #[test]
    fn parts_in_any_order_report_what_the_whole_would() {
        let whole = merge(&[shard(1, 1, 250)]).unwrap().0;
        let parts = [shard(3, 3, 250), shard(1, 3, 250), shard(2, 3, 250)];
        assert_eq!(merge(&parts).unwrap().0, whole);
        // And through the files.
        let written: Vec<_> = parts
            .iter()
            .map(|(name, shard)| {
                let text = serde_json::json!({"games": 1, "shard": shard}).to_string();
                (name.clone(), Shard::parse(name, &text).unwrap())
            })
            .collect();
        assert_eq!(text(&written), text(&parts));
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        let error = |shards: &[(String, Shard)]| merge(shards).unwrap_err().to_string();
        assert!(error(&[]).contains("no shards"));
        assert!(error(&[shard(1, 3, 9), shard(3, 3, 9)]).contains("1 of 3 shards are missing: 2/3;"));
        let many = error(&[shard(1, 64, 64)]);
        assert!(
            many.contains("63 of 64 shards are missing: 2/64, 3/64") && many.contains("11/64, …;"),
            "{many}"
        );
        assert!(error(&[shard(1, 2, 9), shard(1, 2, 9)]).contains("1/2 is there twice"));
        assert!(error(&[shard(1, 2, 9), shard(2, 2, 10)]).contains("number of games differs"));
        assert!(error(&[shard(1, 2, 9), shard(2, 3, 9)]).contains("number of parts"));
        let mut other = shard(2, 2, 9);
        other.1.setting.seed = 2;
        assert!(error(&[shard(1, 2, 9), other]).contains("seed differs"));
        let mut short = shard(2, 2, 9);
        for list in [&mut short.1.score, &mut short.1.moves, &mut short.1.nanoseconds] {
            list.pop();
        }
        short.1.rank.pop();
        assert!(error(&[shard(1, 2, 9), short]).contains("interrupted"));
    }

    #[test]
    fn files_that_are_no_shards_say_so() {
        let (_, good) = shard(1, 1, 9);
        let mut lists = serde_json::to_value(&good).unwrap();
        lists["moves"] = serde_json::json!([1]);
        let mut part = serde_json::to_value(&good).unwrap();
        part["part"]["index"] = 7.into();
        for text in ["", "[]", "{}", "{\"format\": \"x\"}", &lists.to_string(), &part.to_string()] {
            let error = Shard::parse("f.json", text).unwrap_err().to_string();
            assert!(
                error.starts_with("f.json is no shard") && error.contains("a part of the games"),
                "{error}"
            );
        }
    }
}
