//! Taking a run up at a checkpoint: what may change, and what must stay.

use super::boards;
use super::checkpoint::{self, RunState};
use super::files::{Directory, RunError};
use crate::metadata;
use crate::recipe::{Built, Recipe};
use afterstate::game::Game;
use afterstate::learn::Learner;
use afterstate::learn::step_size::StepSize;
use afterstate::random::Random;
use afterstate::train::{Method, Progress, Trainer};
use toml::{Table, Value};

/// Keys that may change when a run is resumed: its length, and what does not touch learning.
const FREE: [&str; 9] = [
    "about",
    "run.games",
    "run.threads",
    "run.logs",
    "stages.games",
    "stages.limit",
    "evaluate.",
    "final.",
    "checkpoint.",
];

/// Refuses a recipe that describes another experiment than the one the run began as.
fn check_same(begun: &Recipe, now: &Recipe) -> Result<(), RunError> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    flatten("", &table(begun), &mut before);
    flatten("", &table(now), &mut after);
    let missing = |list: &[(String, String)], key: &str| {
        list.iter().find(|(k, _)| k == key).map_or("nothing".to_string(), |(_, value)| value.clone())
    };
    let mut keys: Vec<&String> = before.iter().chain(&after).map(|(key, _)| key).collect();
    keys.sort();
    keys.dedup();
    let changes: Vec<String> = keys
        .into_iter()
        .filter(|key| !FREE.iter().any(|free| key.starts_with(free)))
        .map(|key| (key, missing(&before, key), missing(&after, key)))
        .filter(|(_, before, after)| before != after)
        .map(|(key, before, after)| format!("{key} from {before} to {after}"))
        .collect();
    if changes.is_empty() {
        return Ok(());
    }
    Err(RunError::Changed(format!(
        "a resumed run goes on as it began, but this would change {}",
        changes.join(", ")
    )))
}

fn table(recipe: &Recipe) -> Table {
    recipe.to_toml().parse().expect("a recipe writes itself as TOML")
}

/// Every value with its path, `learning.beta`.
fn flatten(path: &str, table: &Table, out: &mut Vec<(String, String)>) {
    for (key, value) in table {
        match value {
            Value::Table(inner) => flatten(&format!("{path}{key}."), inner, out),
            value => out.push((format!("{path}{key}"), value.to_string())),
        }
    }
}

/// The progress of a checkpoint, with as many generators as the recipe wants threads (0: as many as
/// there were).
///
/// More threads get streams that no thread of the run has used.
fn with_threads(mut progress: Progress, recipe: &Recipe) -> Progress {
    let (before, games) = (progress.randoms.len(), progress.games);
    let wanted = if recipe.run.threads == 0 { before } else { recipe.run.threads };
    progress.randoms.truncate(wanted);
    let fresh = |i: usize| Random::stream(recipe.run.seed, ((games + 1) << 16) + i as u64).save();
    progress.randoms.extend((before..wanted).map(fresh));
    progress
}

/// State of a session, restored from a checkpoint.
pub(super) type TakenUp<G> = (Option<Learner>, Trainer<G>, Option<RunState>);

/// Refuses another recipe than the one the run began with.
pub(super) fn check_recipe(recipe: &Recipe, found: &checkpoint::LoadedCheckpoint) -> Result<(), RunError> {
    let begun = metadata::recipe(&found.loaded.metadata);
    begun.map_or(Ok(()), |begun| check_same(&begun, recipe))
}

/// Goes on from a checkpoint.
pub(super) fn take_up<G: Game>(
    game: G,
    recipe: &Recipe,
    built: &Built,
    directory: &Directory,
    method: Method<G::State>,
    found: checkpoint::LoadedCheckpoint,
) -> Result<TakenUp<G>, RunError> {
    let (loaded, state) = (found.loaded, found.state);
    let different = |what: &str| {
        RunError::Unusable(format!(
            "the recipe's {what} differs from the checkpoint's; resume with the recipe of the run"
        ))
    };
    // Which stages are promoted changes as they are trained.
    let mut structure = loaded.network.structure().clone();
    let promoted = &built.structure.stages;
    structure.stages = structure.stages.promoting(|stage| promoted.is_promoted(stage));
    if structure != built.structure {
        return Err(different("network"));
    }
    let kind = recipe.step_rule(&loaded.network);
    let step_size = StepSize::with_sums(kind, &loaded.network, loaded.sums, loaded.visits);
    let step_size = step_size.ok_or_else(|| different("step size"))?;
    step_size.set_factor(state.factor);
    let progress = with_threads(state.progress(), recipe);
    let keep = method.keep;
    let trainer = Trainer::resume(game.clone(), method, &progress)
        .ok_or_else(|| RunError::Unusable("the checkpoint's generators are impossible".into()))?;
    if state.boards {
        let path = checkpoint::boards_path(directory, state.games);
        *trainer.stage_starts() = boards::read(&path, &game, keep)?;
    }
    Ok((Some(Learner { network: loaded.network, step_size }), trainer, Some(state)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe(sets: &[&str]) -> Recipe {
        let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
        Recipe::parse("m", "[network]\npatterns = \"4x4\"\n[run]\ngames = 10\n", &sets).unwrap()
    }

    #[test]
    fn only_what_does_not_touch_learning_may_change() {
        let begun = recipe(&[]);
        let free = ["run.games=20", "run.threads=2", "evaluate.every=5", "checkpoint.keep=7", "about=x"];
        check_same(&begun, &recipe(&free)).unwrap();
        for (set, says) in [
            ("run.seed=2", "run.seed from 1 to 2"),
            ("learning.alpha=0.5", "learning.alpha from nothing to 0.5"),
            ("network.patterns=4x6", "network.patterns from \"4x4\" to \"4x6\""),
            ("game=threes", "game from \"2048\" to \"threes\""),
            ("variant.merge_cap=2048", "variant.merge_cap"),
        ] {
            let error = check_same(&begun, &recipe(&[set])).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn threads_are_kept_dropped_or_added() {
        let two = Progress { games: 5, randoms: vec![[1, 2, 3, 4], [5, 6, 7, 8]], ..Progress::default() };
        assert_eq!(with_threads(two.clone(), &recipe(&[])), two);
        assert_eq!(with_threads(two.clone(), &recipe(&["run.threads=1"])).randoms, two.randoms[..1]);
        let four = with_threads(two.clone(), &recipe(&["run.threads=4"])).randoms;
        assert_eq!((four.len(), &four[..2]), (4, &two.randoms[..]));
        assert_ne!(four[2], four[3]);
    }
}
