//! Games worth watching: the best, the median and the worst of an evaluation, played again from
//! their seeds.

use super::super::text::number;
use super::super::{Document, Game};
use super::group::Group;
use super::results::game_at;
use super::source::ReportedRun;
use afterstate::episode::{Record, play as play_game};
use afterstate::evaluate::{GameObserver, Plan, Played, evaluate};
use afterstate::game::Game as Rules;
use afterstate::game::catalogue::GameSpec;
use afterstate::random::Random;
use afterstate::with_game;
use afterstate_lab::engine::{Engine, EngineOptions, SearchBudget};
use afterstate_lab::replay::Replay;
use afterstate_lab::variant::Variant;
use std::path::Path;

/// The most games played again of an evaluation that kept no results of single games.
const AGAIN: u64 = 100;
/// The most kinds of runs whose games are shown.
const RUNS: usize = 3;

/// A game to show.
pub(super) struct Watched {
    run: String,
    why: &'static str,
    played: Played,
    seed: u64,
    of: u64,
    replay: Replay,
}

/// Finds the games worth watching and plays them again: of the first run of each of the best
/// groups. Runs learn what their games were, if they did not know.
pub(super) fn play(groups: &mut [Group], threads: usize) -> Vec<Watched> {
    for run in groups.iter_mut().filter_map(|group| group.runs.first_mut()) {
        if !run.evaluations.is_empty() && run.model.is_none() && run.replays.is_none() {
            run.notes.push("its games are not shown: it has no model, and its games were not kept".into());
        }
    }
    let showable =
        |run: &ReportedRun| !run.evaluations.is_empty() && (run.model.is_some() || run.replays.is_some());
    let evaluated = |group: &Group| group.runs.iter().position(showable);
    let mut order: Vec<(usize, usize)> =
        groups.iter().enumerate().filter_map(|(i, group)| Some((i, evaluated(group)?))).collect();
    let mean =
        |&(i, k): &(usize, usize)| groups[i].runs[k].evaluations.last().map_or(0.0, |found| found.mean);
    order.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    order.truncate(RUNS);
    order.sort_unstable();
    let mut all = Vec::new();
    for (i, k) in order {
        let run = &mut groups[i].runs[k];
        match of_run(run, threads) {
            Ok(found) => all.extend(found),
            Err(why) => run.notes.push(format!("its games are not shown: {why}")),
        }
    }
    all
}

/// The games of the last evaluation of a run.
fn of_run(run: &mut ReportedRun, threads: usize) -> Result<Vec<Watched>, String> {
    let name = run.name.clone();
    let last = run.evaluations.len() - 1;
    let (seed, ply) = (run.evaluations[last].seed, run.evaluations[last].ply);
    let watched = |why, played, replay, of| Watched { run: name.clone(), why, played, seed, of, replay };
    if let Some(path) = run.replays.clone() {
        let games = &run.evaluations[last].played;
        let find = |(why, played): (&'static str, Played)| {
            Some(watched(why, played, game_at(&path, played.index)?, games.len() as u64))
        };
        return Ok(chosen(games).into_iter().filter_map(find).collect());
    }
    let model = run.model.clone().ok_or("there is no model.afterstate beside its results")?;
    let engine = open(&model, run, ply)?;
    let known = !run.evaluations[last].played.is_empty();
    if !known {
        let games = run.evaluations[last].games.min(AGAIN);
        let played = with_game!(&engine.game.rules, game => again(game, &engine, seed, games, threads));
        run.evaluations[last].know_some(played);
    }
    let games = &run.evaluations[last].played;
    let mut found = Vec::new();
    for (why, played) in chosen(games) {
        let replay = with_game!(&engine.game.rules, game => record(game, &engine, run, seed, &played))?;
        found.push(watched(why, played, replay, games.len() as u64));
    }
    Ok(found)
}

fn open(model: &Path, run: &ReportedRun, ply: Option<u8>) -> Result<Engine, String> {
    let ply = ply.filter(|&ply| ply > 1);
    let budget = ply.map(SearchBudget::ply);
    let options = EngineOptions { model: Some(model.into()), budget, ..EngineOptions::default() };
    let engine = Engine::open(&options).map_err(|error| error.to_string())?;
    if !run.game.is_empty() && engine.game.rules.id() != run.game {
        return Err(format!("the model beside it is of {}", engine.game.rules.id()));
    }
    Ok(engine)
}

/// The best, the median and the worst game.
fn chosen(games: &[Played]) -> Vec<(&'static str, Played)> {
    let mut order: Vec<Played> = games.to_vec();
    order.sort_by_key(|game| (game.score, game.index));
    match &order[..] {
        [] => Vec::new(),
        [one] => vec![("the only game", *one)],
        [worst, .., best] => {
            let median = (order.len() > 2).then(|| ("the median game", order[order.len() / 2]));
            [("the best game", *best)].into_iter().chain(median).chain([("the worst game", *worst)]).collect()
        }
    }
}

/// Plays the first games of an evaluation again.
fn again<G: Rules>(game: &G, engine: &Engine, seed: u64, games: u64, threads: usize) -> Vec<Played> {
    struct Nobody;
    impl<G: Rules> GameObserver<G> for Nobody {}
    let plan = Plan { threads: threads.max(1), ..Plan::new(games, seed) };
    evaluate(game, || engine.player::<G>(0), &plan, &Nobody)
}

/// Plays one game again, which must end as it did.
fn record<G: Rules>(
    game: &G,
    engine: &Engine,
    run: &ReportedRun,
    seed: u64,
    wanted: &Played,
) -> Result<Replay, String> {
    let mut record = Record::default();
    let mut player = engine.player::<G>(0);
    let episode = play_game(game, &mut *player, &mut Random::stream(seed, wanted.index), &mut record);
    if (episode.score, episode.moves) != (wanted.score, wanted.moves) {
        let why = "the model has learned since its last evaluation, or is another";
        return Err(format!(
            "game {} ended with {} points instead of {}: {why}",
            wanted.index, episode.score, wanted.score
        ));
    }
    let spec = run.spec.as_ref().ok_or("its game is not known")?;
    let mut replay = Replay::of(game, variant(spec, run)?, &record);
    replay.chance = Some([seed, wanted.index]);
    Ok(replay)
}

/// The game with the options of the run.
fn variant(spec: &GameSpec, run: &ReportedRun) -> Result<GameSpec, String> {
    let number = |key: &str| run.settings.get(key).and_then(|value| value.parse::<u64>().ok());
    let variant = Variant {
        start_tiles: number("variant.start_tiles").map(|tiles| tiles as usize),
        spawn: run.settings.get("variant.spawn").cloned(),
        merge_cap: number("variant.merge_cap"),
    };
    variant.spec(&spec.name()).map_err(|error| error.to_string())
}

/// Adds the games to the document.
pub(super) fn show(document: &mut Document, groups: &[Group], watched: Vec<Watched>) {
    if watched.is_empty() {
        return;
    }
    document.heading("Games worth watching");
    let several = groups.iter().map(|group| group.runs.len()).sum::<usize>() > 1;
    for Watched { run, why, played, seed, of, replay } in watched {
        let who = if several { format!("{run}: ") } else { String::new() };
        let caption = format!(
            "{who}{why} of {}, {} points in {} moves (seed {seed}, game {}).",
            number(of as f64, 0),
            number(played.score as f64, 0),
            number(played.moves as f64, 0),
            played.index
        );
        document.push(Game { caption, replay });
    }
}
