//! Initial weights: zeros, a constant, or those of a model.

use super::files::RunError;
use crate::model::{self, Model};
use crate::recipe::{Built, Recipe};
use afterstate::learn::Learner;
use afterstate::learn::step_size::StepSize;
use afterstate::network::memory::Memory;
use std::path::Path;

/// The model whose weights the recipe begins with, if it names one.
pub(super) fn model(recipe: &Recipe) -> Result<Option<Model>, RunError> {
    let load = |name: &String| {
        model::load(Path::new(name)).map_err(|error| match error.out_of_memory() {
            Some(memory) => RunError::Memory(memory),
            None => RunError::Unusable(error.to_string()),
        })
    };
    recipe.learning.from.as_ref().map(load).transpose()
}

/// A learner with the weights of this model, and with what its learning kept beside them, if the
/// file has that: checkpoints do, finished models do not. Nothing is to be learned in banks before
/// `first`.
pub(super) fn learner(
    recipe: &Recipe,
    built: &Built,
    model: Option<Model>,
    first: usize,
) -> Result<Learner, RunError> {
    let Some(model) = model else { return Ok(recipe.learner(built.structure.clone())?) };
    let keep = recipe.learning.keep_sums;
    for sums in model.sums.iter().filter(|_| keep < 1.0) {
        (0..sums.len() as u32)
            .for_each(|entry| sums.set_pair(entry, sums.get_pair(entry).map(|sum| keep * sum)));
    }
    let no_sums = model.sums.is_empty();
    let learner = regrouped(recipe, built, model)?;
    if no_sums && recipe.learning.coherence < 1.0 {
        learner.step_size.assume(&learner.network, first, recipe.learning.coherence, keep);
    }
    if recipe.learning.guess {
        learner.network.guess_unmet();
    }
    Ok(learner)
}

/// The model itself goes on, in the stages and sets of the recipe: a large one is in memory only
/// once.
fn regrouped(recipe: &Recipe, built: &Built, model: Model) -> Result<Learner, RunError> {
    let Model { network, sums, visits, .. } = model;
    let Some(origins) = built.structure.origins(network.structure()) else {
        return Err(RunError::Unusable(
            "learning.from: the model has other patterns, features or values, or more stages than the recipe; \
             `inspect` shows what it has"
                .into(),
        ));
    };
    let network = network.regrouped(built.structure.clone(), &origins)?;
    let kind = recipe.step_rule(&network);
    let sums = if sums.is_empty() { sums } else { Memory::redistribute(sums, &origins)? };
    let visits = if visits.is_empty() { visits } else { Memory::redistribute(visits, &origins)? };
    let step_size = match StepSize::with_sums(kind, &network, sums, visits) {
        Some(step_size) => step_size,
        None => StepSize::try_new(kind, &network)?,
    };
    Ok(Learner { network, step_size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterstate::grid::View;
    use afterstate::network::Active;
    use std::collections::BTreeMap;

    /// A recipe, and a model as it is after one step of learning by it.
    fn learned(keep: f32) -> (Recipe, Built, Model) {
        let text = format!(
            "[network]\npatterns = \"0123\"\n[learning]\nstep = \"coherence\"\nkeep_sums = {keep:?}\n[run]\ngames = 1\n"
        );
        let recipe = Recipe::parse("r", &text, &[]).unwrap();
        let built = recipe.build().unwrap();
        let learner = recipe.learner(built.structure.clone()).unwrap();
        let mut point = Active::default();
        learner.network.activate(&View { cells: &[0; 16], hint: 0, bag: [0; 3] }, 0, &mut point);
        learner.step_size.update(&learner.network, &point, 2.0);
        let Learner { network, step_size } = learner;
        let sums = step_size.sums().iter().map(|sums| {
            let copy = afterstate::network::memory::Memory::new(sums.len());
            (0..sums.len() as u32).for_each(|entry| copy.set_pair(entry, sums.get_pair(entry)));
            copy
        });
        let model = Model { metadata: BTreeMap::new(), sums: sums.collect(), visits: Vec::new(), network };
        (recipe, built, model)
    }

    #[test]
    fn weights_go_on_and_so_does_the_part_of_the_sums_that_is_wanted() {
        for keep in [1.0, 0.25, 0.0] {
            let (recipe, built, model) = learned(keep);
            let entry = model.network.table_entries(0).next().unwrap();
            let (weight, [e, a]) = (model.network.bank(0).get(entry), model.sums[0].get_pair(entry));
            assert!(weight > 0.0 && e > 0.0 && a > 0.0);
            let learner = learner(&recipe, &built, Some(model), 0).unwrap();
            assert_eq!(learner.network.bank(0).get(entry), weight);
            assert_eq!(learner.step_size.sums()[0].get_pair(entry), [keep * e, keep * a]);
        }
    }

    #[test]
    fn weights_without_sums_get_the_coherence_that_is_assumed() {
        for keep in [1.0, 0.25] {
            let (recipe, built, model) = learned(keep);
            let entry = model.network.table_entries(0).next().unwrap();
            let weight = model.network.bank(0).get(entry);
            let others = model.network.bank_len() as u32 - 1;
            let recipe = Recipe {
                learning: crate::recipe::Learning { coherence: 0.1, ..recipe.learning.clone() },
                ..recipe
            };
            let bare = Model { sums: Vec::new(), ..model };
            let learner = learner(&recipe, &built, Some(bare), 0).unwrap();
            let e = keep * learner.network.active() as f32 * weight;
            let sums = &learner.step_size.sums()[0];
            assert_eq!(sums.get_pair(entry), [e, e / 0.1]);
            let zero = |&entry: &u32| learner.network.bank(0).get(entry) == 0.0;
            assert!((0..=others).filter(zero).all(|entry| sums.get_pair(entry) == [0.0, 0.0]));
        }
    }

    /// Stages in which nothing is learned need no sums.
    #[test]
    fn no_sums_are_assumed_before_the_first_bank_that_learns() {
        let (recipe, _, model) = learned(1.0);
        let split = ["stages.split=16384".to_string(), "learning.coherence=0.1".into()];
        let staged = Recipe::parse("r", &recipe.to_toml(), &split).unwrap();
        let built = staged.build().unwrap();
        let entry = model.network.table_entries(0).next().unwrap();
        let bare = Model { sums: Vec::new(), ..model };
        let learner = learner(&staged, &built, Some(bare), 1).unwrap();
        let sums = learner.step_size.sums();
        assert_eq!(learner.network.bank(0).get(entry), learner.network.bank(1).get(entry));
        assert_eq!(sums[0].get_pair(entry), [0.0, 0.0]);
        assert!(sums[1].get_pair(entry)[1] > 0.0);
    }

    #[test]
    fn weights_never_met_are_guessed_if_wanted_and_have_no_sums() {
        for guess in [false, true] {
            let (recipe, built, model) = learned(1.0);
            let entries: Vec<u32> = model.network.table_entries(0).collect();
            // Two cells of rank 1; beside it, one of them of rank 2.
            let (unmet, beside) = (entries[1 + 16], [entries[2 + 16], entries[1 + 2 * 16]]);
            model.network.bank(0).set(beside[0], 8.0);
            model.network.bank(0).set(beside[1], 4.0);
            let recipe =
                Recipe { learning: crate::recipe::Learning { guess, ..recipe.learning.clone() }, ..recipe };
            let learner = learner(&recipe, &built, Some(model), 0).unwrap();
            let found = (learner.network.bank(0).get(unmet), learner.step_size.sums()[0].get_pair(unmet));
            assert_eq!(found, (if guess { 6.0 } else { 0.0 }, [0.0, 0.0]));
        }
    }
}
