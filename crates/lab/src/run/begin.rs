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

/// A fresh learner with the weights of this model. What its learning kept beside them begins anew.
pub(super) fn learner(recipe: &Recipe, built: &Built, model: Option<Model>) -> Result<Learner, RunError> {
    let learner = recipe.learner(built.structure.clone());
    match model {
        Some(model) if !learner.network.begin_as(&model.network) => Err(RunError::Unusable(
            "learning.from: the model has other patterns, features or values, or more stages than the recipe; \
             `inspect` shows what it has"
                .into(),
        )),
        _ => Ok(learner),
    }
}
