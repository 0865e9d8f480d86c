//! Results of evaluations that stand alone: games of `--save`, answers of `--json`, shards.

use super::evaluation::Evaluation;
use super::source::ReportedRun;
use super::{ReportError, name_of};
use afterstate::evaluate::Played;
use afterstate::game::catalogue::GameSpec;
use afterstate_lab::replay::{self, ours};
use afterstate_lab::shard::{Shard, merge};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Reads files of results; shards of one evaluation become one.
pub(super) fn read(files: &[PathBuf]) -> Result<Vec<ReportedRun>, ReportError> {
    let mut runs = Vec::new();
    let mut shards: Vec<(String, Shard, usize)> = Vec::new();
    for path in files {
        let unread = |source| ReportError::Read { path: path.clone(), source };
        let file = fs::File::open(path).map_err(unread)?;
        let mut first = Vec::new();
        BufReader::new(file).read_until(b'\n', &mut first).map_err(unread)?;
        let first = String::from_utf8_lossy(&first);
        if first.contains(ours::FORMAT) {
            runs.push(games(path)?);
            continue;
        }
        let text = fs::read(path).map_err(unread)?;
        let text = String::from_utf8_lossy(&text);
        let value: Value = serde_json::from_str(&text).map_err(|error| wrong(path, &error.to_string()))?;
        let is_shard = value.get("shard").is_some() || value.get("format").is_some();
        if is_shard && let Ok(shard) = Shard::parse(&name_of(path), &text) {
            if shard.part.of > 1 {
                shards.push((name_of(path), shard, runs.len()));
                continue;
            }
            runs.push(joined(&[(name_of(path), shard)]).map_err(|why| wrong(path, &why))?);
            continue;
        }
        runs.push(answer(path, &text, &value)?);
    }
    runs.extend(
        parts(shards)
            .map_err(|why| ReportError::Nothing(format!("the shards do not fit together: {why}")))?,
    );
    Ok(runs)
}

fn wrong(path: &Path, why: &str) -> ReportError {
    ReportError::NoResults { path: path.into(), why: why.into() }
}

/// The evaluations that shards are parts of.
fn parts(mut shards: Vec<(String, Shard, usize)>) -> Result<Vec<ReportedRun>, String> {
    let mut runs = Vec::new();
    while let Some((_, first, _)) = shards.first() {
        let key = (first.setting.clone(), first.part.of);
        let (mine, others): (Vec<_>, Vec<_>) =
            shards.into_iter().partition(|(_, shard, _)| (shard.setting.clone(), shard.part.of) == key);
        shards = others;
        let mine: Vec<(String, Shard)> = mine.into_iter().map(|(name, shard, _)| (name, shard)).collect();
        runs.push(joined(&mine)?);
    }
    Ok(runs)
}

/// Complete shards as one evaluation.
fn joined(shards: &[(String, Shard)]) -> Result<ReportedRun, String> {
    let (_, about) = merge(shards).map_err(|error| error.to_string())?;
    let spec = GameSpec::parse(&about.game).map_err(|error| error.to_string())?;
    let mut played: Vec<Played> =
        shards.iter().flat_map(|(_, shard)| super::evaluation::games(shard)).collect();
    played.sort_by_key(|game| game.index);
    let moves: u64 = played.iter().map(|game| game.moves).sum();
    let mut found = Evaluation::of_games(&spec, about.seed, about.ply, played);
    found.moves_per_second = Some(moves as f64 / about.seconds.max(1e-9));
    let name = shards[0].0.trim_end_matches(".json").to_string();
    let model = about.model.clone();
    Ok(alone(name, &about.game, &about.player, model, found))
}

/// An evaluation without a run.
fn alone(name: String, game: &str, player: &str, model: Option<String>, found: Evaluation) -> ReportedRun {
    let mut run =
        ReportedRun { name, game: game.into(), spec: GameSpec::parse(game).ok(), ..ReportedRun::default() };
    let mut set =
        |key: &str, value: Option<String>| value.map(|value| run.settings.insert(key.into(), value));
    set("game", Some(game.into()));
    set("player", Some(player.into()));
    set("model", model);
    set("ply", found.ply.map(|ply| ply.to_string()));
    set("run.seed", Some(found.seed.to_string()));
    run.seed = Some(found.seed);
    run.evaluations.push(found);
    run
}

/// Answer of `evaluate --json` or `merge --out`.
fn answer(path: &Path, text: &str, value: &Value) -> Result<ReportedRun, ReportError> {
    let mut found = Evaluation::parse(text).map_err(|why| wrong(path, &why))?;
    found.last = true;
    let word = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_string);
    let game = word("game").unwrap_or_else(|| "2048".into());
    let player = word("player").unwrap_or_else(|| "model".into());
    let name = name_of(path).trim_end_matches(".json").to_string();
    let model = word("model");
    let mut run = alone(name, &game, &player, model.clone(), found);
    run.model = model.map(PathBuf::from).filter(|model| model.is_file());
    run.notes.push("it holds no single games: how scores are spread is not known".into());
    Ok(run)
}

/// Games of `evaluate --save`.
fn games(path: &Path) -> Result<ReportedRun, ReportError> {
    let file = fs::File::open(path).map_err(|source| ReportError::Read { path: path.into(), source })?;
    let (mut played, mut first, mut cut) = (Vec::new(), None, 0);
    for (number, line) in (0..).zip(BufReader::new(file).split(b'\n')) {
        let line = line.map_err(|source| ReportError::Read { path: path.into(), source })?;
        let Ok(found) = serde_json::from_slice::<ours::ReplayLine>(&line) else {
            cut += u64::from(!line.is_empty());
            continue;
        };
        let known = first.get_or_insert_with(|| found.clone());
        let (Some(score), Some(largest)) = (found.score, found.largest) else { continue };
        let spec = GameSpec::parse(&known.game).map_err(|error| wrong(path, &error.to_string()))?;
        let moves = found.moves.len() as u64;
        played.push(Played { index: number, score, moves, max_rank: rank(&spec, largest), goal: false });
    }
    let first = first.ok_or_else(|| wrong(path, "it has no whole line"))?;
    let spec = GameSpec::parse(&first.game).map_err(|error| wrong(path, &error.to_string()))?;
    let found = Evaluation::of_games(&spec, first.seed.unwrap_or(0), None, played);
    let name = name_of(path).trim_end_matches(".jsonl").to_string();
    let mut run = alone(name, &first.game, first.player.as_deref().unwrap_or("unknown"), None, found);
    run.replays = Some(path.into());
    if cut > 0 {
        run.notes.push(format!("{cut} of its games cannot be read and were left out"));
    }
    Ok(run)
}

fn rank(spec: &GameSpec, label: u64) -> u8 {
    let rank = spec
        .build()
        .ok()
        .and_then(|game| afterstate::with_game!(&game, game => afterstate::game::Game::rank_of(game, label)));
    rank.unwrap_or(0)
}

/// One game of a file of games, by its line.
pub(super) fn game_at(path: &Path, line: u64) -> Option<replay::Replay> {
    let file = fs::File::open(path).ok()?;
    let text = BufReader::new(file).split(b'\n').nth(usize::try_from(line).ok()?)?.ok()?;
    replay::read(&String::from_utf8_lossy(&text), None).ok().map(|(replay, _)| replay)
}
