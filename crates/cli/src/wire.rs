//! Every JSON type the program writes. The fields are the contract; add, never rename.

pub(crate) use afterstate_lab::results::{Circumstances, Evaluation, Mean, Spread, Tile};

use afterstate::evaluate::Summary;
use afterstate::statistics::{Interval, Moments, Proportion};
use afterstate_lab::analysis::{self, Losses};
use afterstate_lab::climbs;
use afterstate_lab::compare::{Comparison, Sample, TileRates, Verdict};
use afterstate_lab::run::{self, Finished};
use afterstate_lab::shard::Shard;
use afterstate_lab::variant::Variant;
use afterstate_reproduce::{self as reproduce, Made, PaperTarget, Setting};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::PathBuf;

/// The answer of `train`.
#[derive(Serialize)]
pub(crate) struct Training {
    games: u64,
    moves: u64,
    seconds: f64,
    moves_per_second: f64,
    score: TrainingScore,
    model: String,
    complete: bool,
    /// The evaluations at its end, by ply; of a run of a set they stand beside its result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) finals: Vec<FinalScore>,
}

/// The average of the last games of a training run.
#[derive(Serialize)]
pub(crate) struct TrainingScore {
    mean: f64,
}

impl Training {
    pub(crate) fn of(finished: &Finished) -> Self {
        Self {
            games: finished.games,
            moves: finished.moves,
            seconds: finished.seconds,
            moves_per_second: finished.moves as f64 / finished.seconds.max(1e-9),
            score: TrainingScore { mean: finished.mean },
            model: finished.model.display().to_string(),
            complete: finished.complete,
            finals: finished.finals.iter().map(FinalScore::of).collect(),
        }
    }
}

/// The answer of `train` with a sweep: sums over all runs, and every run.
#[derive(Serialize)]
pub(crate) struct TrainingSet {
    pub(crate) games: u64,
    pub(crate) moves: u64,
    pub(crate) seconds: f64,
    pub(crate) complete: bool,
    /// The directory of the set.
    pub(crate) set: String,
    pub(crate) runs: Vec<TrainingPoint>,
}

/// One run of a set.
#[derive(Serialize)]
pub(crate) struct TrainingPoint {
    pub(crate) name: String,
    pub(crate) settings: BTreeMap<String, String>,
    /// `None` if it has not begun.
    pub(crate) result: Option<Training>,
    /// The evaluations at its end, by ply.
    pub(crate) finals: Vec<FinalScore>,
}

/// A final evaluation in short; the whole is in the run directory.
#[derive(Serialize)]
pub(crate) struct FinalScore {
    ply: u8,
    games: u64,
    score: Estimate,
}

impl FinalScore {
    fn of(found: &run::FinalScore) -> Self {
        let score = Estimate { mean: found.score.mean, ci95: found.score.ci95 };
        Self { ply: found.ply, games: found.games, score }
    }
}

/// The answer of `train --dry-run`.
#[derive(Serialize)]
pub(crate) struct TrainingPlan {
    pub(crate) place: String,
    pub(crate) runs: Vec<PlannedRun>,
    /// Training games of all runs.
    pub(crate) games: u64,
    /// Bytes of free room where the runs will be.
    pub(crate) free_bytes: Option<u64>,
}

/// One run that would be trained.
#[derive(Serialize)]
pub(crate) struct PlannedRun {
    pub(crate) name: String,
    pub(crate) settings: BTreeMap<String, String>,
    pub(crate) games: u64,
    pub(crate) weights: u64,
    /// Memory of weights and what the step size keeps.
    pub(crate) memory_bytes: u64,
    /// The most its files can take.
    pub(crate) disk_bytes: u64,
}

/// The answer of `evaluate --shard`: the report of the part, and every game of it for `merge`.
#[derive(Serialize)]
pub(crate) struct PartOfEvaluation {
    #[serde(flatten)]
    pub(crate) report: Evaluation,
    pub(crate) shard: Shard,
}

/// The answer of `perft`.
#[derive(Serialize)]
pub(crate) struct Perft {
    pub(crate) game: String,
    pub(crate) position: String,
    pub(crate) depths: Vec<PerftDepth>,
}

/// One depth of `perft`.
#[derive(Serialize)]
pub(crate) struct PerftDepth {
    pub(crate) depth: usize,
    pub(crate) leaves: u128,
    pub(crate) distinct: usize,
    pub(crate) legal: u128,
    pub(crate) dead: u128,
    pub(crate) reward: u128,
    pub(crate) value: f64,
}

/// The answer of `solve`. With a tile, `optimal` and `probability` are the same number.
#[derive(Serialize)]
pub(crate) struct Solved {
    pub(crate) game: String,
    pub(crate) states: u64,
    pub(crate) afterstates: u64,
    pub(crate) terminal: u64,
    pub(crate) raw_states: u64,
    pub(crate) optimal: f64,
    pub(crate) random: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tile: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) probability: Option<f64>,
}

/// The answer of `endgames`.
#[derive(Serialize)]
pub(crate) struct Endgames {
    pub(crate) game: String,
    pub(crate) tables: Vec<Endgame>,
}

/// One table; the chance from an empty board only where it was computed now.
#[derive(Serialize)]
pub(crate) struct Endgame {
    pub(crate) hold: String,
    pub(crate) goal: u64,
    pub(crate) boards: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) chance: Option<f32>,
    pub(crate) file: String,
}

/// The answer of `games`.
#[derive(Serialize)]
pub(crate) struct Games {
    pub(crate) games: Vec<GameEntry>,
}

/// One game of the catalogue.
#[derive(Serialize)]
pub(crate) struct GameEntry {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
}

/// The answer of `analyze`.
#[derive(Serialize)]
pub(crate) struct Analysis {
    pub(crate) game: String,
    pub(crate) variant: Variant,
    pub(crate) player: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ply: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) time_per_move: Option<f64>,
    pub(crate) positions: Vec<Analysed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) replays: Vec<Replayed>,
}

/// One position of `analyze`.
#[derive(Serialize)]
pub(crate) struct Analysed {
    #[serde(flatten)]
    pub(crate) analysed: analysis::Analysed,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rollouts: Option<Rollouts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) played: Option<PlayedMove>,
}

impl Deref for Analysed {
    type Target = analysis::Analysed;

    fn deref(&self) -> &Self::Target {
        &self.analysed
    }
}

/// The move that was played in a replay.
#[derive(Serialize)]
pub(crate) struct PlayedMove {
    /// Index into `replays`, from 0.
    pub(crate) replay: usize,
    /// The number of the move in its game, counted from 1.
    pub(crate) number: usize,
    #[serde(rename = "move")]
    pub(crate) direction: &'static str,
    pub(crate) loss: f32,
    pub(crate) mistake: bool,
}

/// A whole replay of `analyze`.
#[derive(Serialize)]
pub(crate) struct Replayed {
    pub(crate) source: String,
    pub(crate) format: &'static str,
    pub(crate) moves: usize,
    pub(crate) score: u64,
    #[serde(flatten)]
    pub(crate) losses: Losses,
}

/// Games played on from a position.
#[derive(Serialize)]
pub(crate) struct Rollouts {
    pub(crate) games: u64,
    /// The points from here to the end; in Threes those of the tiles on the board count too.
    pub(crate) score: Option<Mean>,
    pub(crate) tiles: BTreeMap<u64, Tile>,
}

impl Rollouts {
    pub(crate) fn of(summary: &Summary) -> Self {
        Self {
            games: summary.games,
            score: Mean::of(&summary.score.moments),
            tiles: summary.tiles.iter().map(|t| (t.label, Tile::of(t))).collect(),
        }
    }
}

/// The answer of `bench`.
#[derive(Serialize)]
pub(crate) struct Bench {
    /// Sixteen hexadecimal digits.
    pub(crate) signature: String,
    pub(crate) train_moves_per_second: f64,
    pub(crate) evaluate_moves_per_second: f64,
    /// Moves per second by depth.
    pub(crate) search: BTreeMap<u8, f64>,
}

/// The answer of `compare`.
#[derive(Serialize)]
pub(crate) struct Compared {
    pub(crate) game: String,
    pub(crate) a: ComparedSide,
    pub(crate) b: ComparedSide,
    /// Mean score of B minus that of A.
    pub(crate) difference: Estimate,
    /// By tile, for those that not all games reached.
    pub(crate) tiles: BTreeMap<u64, ComparedTile>,
    /// `a is stronger`, `b is stronger` or `no difference found`.
    pub(crate) verdict: &'static str,
    /// `a`, `b` or nothing.
    pub(crate) stronger: Option<&'static str>,
    /// Games of each side that would find such a difference four times in five.
    pub(crate) games_to_settle: Option<u64>,
    /// The difference that games like these find four times in five.
    pub(crate) detectable: f64,
}

/// One side of `compare`.
#[derive(Serialize)]
pub(crate) struct ComparedSide {
    pub(crate) name: String,
    pub(crate) games: u64,
    pub(crate) ply: Option<u8>,
    pub(crate) seed: Option<u64>,
    pub(crate) score: Spread,
}

/// Rates at which both sides reached a tile.
#[derive(Serialize)]
pub(crate) struct ComparedTile {
    pub(crate) a: Rate,
    pub(crate) b: Rate,
    /// B minus A.
    pub(crate) difference: Rate,
}

/// A share with its interval.
#[derive(Serialize)]
pub(crate) struct Rate {
    pub(crate) rate: f64,
    pub(crate) ci95: [f64; 2],
}

impl Compared {
    pub(crate) fn of(a: &Sample, b: &Sample, comparison: &Comparison) -> Self {
        let side = |sample: &Sample| ComparedSide {
            name: sample.name.clone(),
            games: sample.summary.games,
            ply: sample.ply,
            seed: sample.seed,
            score: Spread::of(&sample.summary.score),
        };
        let range = |i: Interval| [i.low, i.high];
        let tile = |tile: &TileRates| {
            let [a, b] = tile.rates.map(|rate| Rate { rate: rate.rate(), ci95: range(rate.ci95()) });
            (
                tile.label,
                ComparedTile { a, b, difference: Rate { rate: tile.difference, ci95: range(tile.ci95) } },
            )
        };
        let (verdict, stronger) = match comparison.verdict() {
            Verdict::First => ("a is stronger", Some("a")),
            Verdict::Second => ("b is stronger", Some("b")),
            Verdict::Neither => ("no difference found", None),
        };
        Self {
            game: a.game.clone(),
            a: side(a),
            b: side(b),
            difference: Estimate { mean: comparison.score.mean, ci95: Some(range(comparison.score.ci95())) },
            tiles: comparison.tiles.iter().map(tile).collect(),
            verdict,
            stronger,
            games_to_settle: comparison.games_to_settle,
            detectable: comparison.score.detectable(),
        }
    }
}

/// The answer of `convert`.
#[derive(Serialize)]
pub(crate) struct Converted {
    /// The format that was read.
    pub(crate) from: &'static str,
    /// The format that was written.
    pub(crate) to: &'static str,
    pub(crate) weights: u64,
    /// The size of the new file.
    pub(crate) bytes: u64,
    /// Contents that the new file does not hold.
    pub(crate) left_out: Vec<String>,
    /// The model card that was written beside it, if its recipe is known.
    pub(crate) card: Option<String>,
}

/// The answer of `site`: its files and models, each with its bytes.
#[derive(Serialize)]
pub(crate) struct Site {
    pub(crate) bytes: usize,
    pub(crate) files: BTreeMap<String, usize>,
    pub(crate) models: BTreeMap<String, usize>,
}

/// The answer of `convert` for replays.
#[derive(Serialize)]
pub(crate) struct ConvertedReplays {
    /// The format of the first replay.
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    pub(crate) replays: usize,
}

/// A mean with its interval.
#[derive(Serialize)]
pub(crate) struct Estimate {
    pub(crate) mean: f64,
    pub(crate) ci95: Option<[f64; 2]>,
}

/// Values of two stages on the same boards: part of the answer of `inspect --jumps`.
#[derive(Serialize)]
pub(crate) struct Jump {
    /// The stage after the boundary, from 2 on.
    pub(crate) stage: u8,
    /// The tiles it begins with.
    pub(crate) begins: String,
    pub(crate) boards: u64,
    /// True if its run collected the boards; else new games reached them.
    pub(crate) collected: bool,
    /// Average values by the stage before and by the stage itself.
    pub(crate) before: Estimate,
    pub(crate) after: Estimate,
    /// The difference, board by board.
    pub(crate) jump: Estimate,
    /// Points that games brought from these boards on.
    pub(crate) earned: Estimate,
}

/// The answer of `inspect`.
#[derive(Serialize)]
pub(crate) struct Inspected {
    pub(crate) format: &'static str,
    /// The name in the catalogue, if the model says it.
    pub(crate) game: Option<String>,
    pub(crate) board: String,
    /// The cells of each pattern, one base-36 digit each.
    pub(crate) patterns: Vec<String>,
    /// Ranks that the cells of each pattern can show.
    pub(crate) ranks: Vec<u8>,
    pub(crate) features: Vec<String>,
    /// True if mirror images share weights.
    pub(crate) shared: bool,
    pub(crate) stages: usize,
    /// The ranks that begin stages 1, 2, …
    pub(crate) splits: Vec<Vec<u8>>,
    /// Splits in words, also where stages begin otherwise.
    #[serde(skip)]
    pub(crate) begins: String,
    pub(crate) banks_per_stage: usize,
    pub(crate) weights: u64,
    /// `None` if the model could not be read to its end.
    pub(crate) weights_used: Option<u64>,
    pub(crate) coherence_sums: bool,
    pub(crate) visit_counts: bool,
    pub(crate) trained_games: Option<u64>,
    /// `None` for formats without checksums.
    pub(crate) checksum_ok: Option<bool>,
    /// Everything the model says about itself.
    pub(crate) metadata: BTreeMap<String, String>,
    /// Gaps between stages, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) jumps: Option<Vec<Jump>>,
}

/// The answer of `reproduce TARGET`.
#[derive(Serialize)]
pub(crate) struct Reproduced {
    target: String,
    scale: f64,
    miniature: bool,
    seeds: u64,
    complete: bool,
    /// The report, if all was done.
    html: Option<String>,
    markdown: Option<String>,
    runs: Vec<String>,
}

impl Reproduced {
    pub(crate) fn of(target: &str, setting: &Setting, made: &Made) -> Self {
        let report = made.report.as_ref();
        Self {
            target: target.into(),
            scale: setting.scale,
            miniature: setting.miniature,
            seeds: setting.seeds,
            complete: report.is_some(),
            html: report.map(|report| report.html.display().to_string()),
            markdown: report.map(|report| report.markdown.display().to_string()),
            runs: made.runs.iter().map(|place| place.display().to_string()).collect(),
        }
    }
}

/// The answer of `reproduce` without a target.
#[derive(Serialize)]
pub(crate) struct ReproduceList {
    scale: f64,
    targets: Vec<ReproduceTarget>,
}

/// One target.
#[derive(Serialize)]
pub(crate) struct ReproduceTarget {
    name: String,
    paper: &'static str,
    place: String,
    shows: String,
    /// For drawings that measure nothing: where to look instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    drawing: Option<&'static str>,
    training_games: u64,
    games: u64,
    estimated_seconds: f64,
}

impl ReproduceList {
    pub(crate) fn of(all: &[(PaperTarget, reproduce::Estimate)], setting: &Setting) -> Self {
        let target = |(target, estimate): &(PaperTarget, reproduce::Estimate)| ReproduceTarget {
            name: target.name.clone(),
            paper: target.paper.citation,
            place: target.place.clone(),
            shows: target.shows.clone(),
            drawing: target.diagram(),
            training_games: estimate.training_games,
            games: estimate.games,
            estimated_seconds: estimate.seconds,
        };
        Self { scale: setting.scale, targets: all.iter().map(target).collect() }
    }
}

/// The answer of `report`.
#[derive(Serialize)]
pub(crate) struct Report {
    title: String,
    html: PathBuf,
    markdown: PathBuf,
    figures: Vec<PathBuf>,
}

impl Report {
    pub(crate) fn of(title: &str, written: &afterstate_report::Written) -> Self {
        Self {
            title: title.into(),
            html: written.html.clone(),
            markdown: written.markdown.clone(),
            figures: written.figures.clone(),
        }
    }
}

/// The answer of `climbs`.
#[derive(Serialize)]
pub(crate) struct Climbs {
    game: String,
    games: u64,
    climbs: Vec<Climb>,
}

/// A split, and what became of the games that came to it.
#[derive(Serialize)]
struct Climb {
    split: String,
    /// The games that came to it.
    games: u64,
    /// The share of all games.
    reached: Rate,
    /// The share of these games that came to the next split.
    #[serde(skip_serializing_if = "Option::is_none")]
    goes_on: Option<Rate>,
    /// Their average score when they came to it.
    score: Option<f64>,
    ended: Ended,
}

/// The games that did not come to the next split.
#[derive(Serialize)]
struct Ended {
    games: u64,
    /// Their average score at the end.
    score: Option<f64>,
}

impl Climbs {
    pub(crate) fn of(climbs: &climbs::Climbs, found: &[climbs::Climb]) -> Self {
        let rate = |share: Proportion| {
            let Interval { low, high } = share.ci95();
            Rate { rate: share.rate(), ci95: [low, high] }
        };
        let mean = |moments: &Moments| (moments.count() > 0).then(|| moments.mean());
        let climb = |climb: &climbs::Climb| Climb {
            split: climb.split.clone(),
            games: climb.reached.hits,
            reached: rate(climb.reached),
            goes_on: climb.went_on.filter(|went_on| went_on.trials > 0).map(rate),
            score: mean(&climb.score),
            ended: Ended { games: climb.ended.count(), score: mean(&climb.ended) },
        };
        Self { game: climbs.game(), games: climbs.games(), climbs: found.iter().map(climb).collect() }
    }
}
