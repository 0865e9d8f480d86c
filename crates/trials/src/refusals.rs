//! Memory that is refused: the n-th large allocation of training, conversion and evaluation fails,
//! for every n. Each ends with an error that says so, nothing is lost, and with memory again it
//! goes on. And whole processes under `ulimit -v`: they end with a message or do their work.

use crate::place::{complaint, put, same, temporary_in_memory, word};
use crate::{Setup, Trial, failed};
use afterstate::budget::fault;
use afterstate::with_game;
use afterstate_lab::api::{self, Bounds, Chosen};
use afterstate_lab::engine::{Engine, EngineOptions, SearchBudget};
use afterstate_lab::model::{self, Format};
use afterstate_lab::pack;
use afterstate_lab::recipe::Recipe;
use afterstate_lab::run::{Reporter, RunOptions, train};
use afterstate_lab::variant::{ConfiguredGame, Variant};
use std::path::Path;
use std::process::Command;

/// Two stages, so that one is promoted, and sums.
const RECIPE: &str = r#"
game = "2048-3x3"
[network]
patterns = "0123 345"
[learning]
step = "coherence"
[stages]
split = "64"
[evaluate]
every = 20
games = 2
plies = [1, 3]
[run]
games = 40
threads = 1
"#;

struct Quiet;
impl Reporter for Quiet {}

/// All of it.
pub fn run(setup: &Setup) -> Trial {
    let place = temporary_in_memory()?;
    let at = |name: &str| place.path().join(name);
    put(&at("recipe.toml"), RECIPE)?;
    let recipe = Recipe::parse("recipe", RECIPE, &[]).map_err(|error| error.to_string())?;
    let learn = |name: &str, resume: bool| {
        train(&recipe, &at(name), RunOptions { resume, ..RunOptions::default() }, &Quiet)
            .map_err(|error| error.to_string())
    };
    learn("good", false)?;
    let model = at("good/model.afterstate");

    let trained = every("training", |n| {
        let name = format!("run-{n}");
        let done = learn(&name, false);
        let asked = fault::calm();
        if let Err(error) = &done {
            // With memory again it goes on, or begins, and ends as if nothing had happened.
            let begun = at(&name).join("config.toml").exists();
            learn(&name, begun).map_err(|again| format!("{error}; then: {again}"))?;
        }
        same(&at("good"), &at(&name))?;
        std::fs::remove_dir_all(at(&name)).map_err(failed("cannot remove a run"))?;
        Ok((done.map(drop), asked))
    })?;
    let loaded = every("loading", |_| {
        let done = model::load(&model).map(drop).map_err(|error| error.to_string());
        Ok((done, fault::calm()))
    })?;
    let converted = every("conversion", |n| {
        let out = at(&format!("packed-{n}.afterstate"));
        let done = convert(&model, &out);
        let asked = fault::calm();
        match (&done, out.exists()) {
            (Ok(()), true) | (Err(_), false) => Ok((done, asked)),
            _ => Err("half a conversion is left".into()),
        }
    })?;
    let evaluated = every("evaluation", |_| {
        let done = evaluate(&model);
        Ok((done, fault::calm()))
    })?;
    let hinted = every("a hint", |_| {
        let done = hint();
        Ok((done, fault::calm()))
    })?;
    let mut lines = vec![format!(
        "refused, one after the other: {trained} allocations of a training, {loaded} of loading, {converted} of a \
         conversion, {evaluated} of an evaluation, {hinted} of a hint by a built-in model as the server gives it; \
         each said so, and nothing was lost"
    )];
    lines.push(under_limits(setup, place.path())?);
    Ok(lines)
}

/// Refuses the n-th allocation of some work, for every n until there is none; how many there were.
/// The work tells how it went and how many allocations it asked for.
fn every(
    name: &str,
    mut work: impl FnMut(u64) -> Result<(Result<(), String>, u64), String>,
) -> Result<u64, String> {
    for n in 1..10_000 {
        fault::refuse_at(n);
        let worked = work(n);
        fault::calm();
        let (done, asked) = worked.map_err(|what| format!("{name}, allocation {n}: {what}"))?;
        match done {
            Ok(()) if asked < n => return Ok(n - 1),
            // Some memory is only for speed; work goes on without.
            Ok(()) => {}
            Err(error) if error.contains("not enough memory") && !error.contains('\n') => {}
            Err(error) => return Err(format!("{name}, allocation {n}: {error}")),
        }
    }
    Err(format!("{name} has no end"))
}

fn convert(from: &Path, to: &Path) -> Result<(), String> {
    let mut model = model::load(from).map_err(|error| error.to_string())?;
    let packed = pack::pack(&mut model, 1 << 20).map_err(|error| error.to_string())?;
    let afterstate::network::file::Encoding::Packed { step, relative } = packed.encoding else {
        return Err("it is not packed".into());
    };
    model::save(to, &model, Format::OursPacked { step, relative }).map_err(|error| error.to_string())
}

fn evaluate(model: &Path) -> Result<(), String> {
    let engine = Engine::open(&EngineOptions {
        model: Some(model.into()),
        budget: Some(SearchBudget::ply(3)),
        ..EngineOptions::default()
    });
    let engine = engine.map_err(|error| error.to_string())?;
    with_game!(&engine.game.rules, game => {
        let mut player = engine.player(0);
        let mut random = afterstate::random::Random::new(1);
        afterstate::episode::play(game, &mut player, &mut random, &mut ());
    });
    Ok(())
}

/// A hint as the server gives it, the model included.
fn hint() -> Result<(), String> {
    let game = ConfiguredGame::parse("2048-3x3", Variant::default()).map_err(|error| error.to_string())?;
    let options = EngineOptions { game: Some(game.clone()), ..EngineOptions::default() };
    let engine = Engine::open_for_analysis(&options).map_err(|error| error.to_string())?;
    let asked = api::parse(br#"{"game": "2048-3x3", "position": "121/330/004"}"#);
    let chosen = Chosen { engine: &engine, id: "builtin:2048-3x3" };
    asked
        .and_then(|asked| api::judge_position(&asked, &game, chosen, &Bounds::default(), None))
        .map(drop)
        .map_err(|refusal| refusal.to_string())
}

/// Whole processes with fewer addresses than they want.
fn under_limits(setup: &Setup, place: &Path) -> Result<String, String> {
    let model = word(&place.join("good/model.afterstate"));
    let recipe = word(&place.join("recipe.toml"));
    let within = |mib: u64, words: &[&str]| {
        let shell = format!("ulimit -v {}; exec \"$0\" \"$@\"", mib << 10);
        let mut command = Command::new("sh");
        command.args(["-c", &shell]).arg(&setup.program).args(words);
        command.output().map_err(failed("cannot start sh"))
    };
    let (mut done, mut refused, mut too_few) = (0, 0, 0);
    let limits: &[u64] =
        if setup.short { &[150, 700] } else { &[60, 90, 120, 150, 200, 300, 500, 700, 1500] };
    for &mib in limits {
        // The models lie inside the program: where they find no room the system cannot start it.
        if !within(mib, &["--version"])?.status.success() {
            too_few += 1;
            continue;
        }
        let run = word(&place.join(format!("limited-{mib}")));
        let works: [&[&str]; 4] = [
            &["train", &recipe, "--run", &run],
            &["evaluate", "--model", &model, "--games", "2"],
            &["evaluate", "--game", "2048", "--games", "1"],
            &["inspect", &model],
        ];
        for words in works {
            let output = within(mib, words)?;
            match output.status.code() {
                Some(0) => done += 1,
                // A message, from us or (for what is small) from the language.
                _ if !complaint(&output).trim().is_empty() && !complaint(&output).contains("a defect") => {
                    refused += 1;
                }
                _ => {
                    return Err(format!(
                        "{words:?} within {mib} MiB: {}: {}",
                        output.status,
                        complaint(&output)
                    ));
                }
            }
        }
    }
    if too_few == limits.len() {
        return Err("the program cannot be started within any of the limits".into());
    }
    Ok(format!(
        "under ulimit -v ({} limits, {too_few} more too small for the program itself): {refused} processes \
         ended with a message, {done} did their work",
        limits.len() - too_few
    ))
}
