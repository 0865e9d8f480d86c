//! What learning begins with: zeros, a constant, or the weights of a model.

use super::files::RunError;
use crate::model::{self, Model};
use crate::recipe::{Built, Recipe};
use afterstate::learn::Learner;
use std::path::Path;

/// The model whose weights the recipe begins with, if it names one.
pub(super) fn model(recipe: &Recipe) -> Result<Option<Model>, RunError> {
    let load = |name: &String| model::load(Path::new(name)).map_err(|e| RunError::Unusable(e.to_string()));
    recipe.learning.from.as_ref().map(load).transpose()
}

/// A learner with the weights of this model, and with what its learning kept beside them, if the file has that:
/// checkpoints do, finished models do not.
pub(super) fn learner(recipe: &Recipe, built: &Built, model: Option<Model>) -> Result<Learner, RunError> {
    let mut learner = recipe.learner(built.structure.clone());
    let Some(model) = model else { return Ok(learner) };
    if !learner.network.begin_as(&model.network) {
        return Err(RunError::Unusable(
            "learning.from: the model has other patterns, features or values, or more stages than the recipe; \
             `inspect` shows what it has"
                .into(),
        ));
    }
    learner.step_size.begin_as(&learner.network, model.network.structure(), &model.sums, &model.visits);
    Ok(learner)
}
