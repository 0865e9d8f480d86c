//! The whole expectation: what chance could do counts, not what it did.

use crate::game::Game;
use crate::learn::Learner;
use crate::learn::greedy::Chooser;
use crate::network::stage::Stage;
use crate::network::{Active, Network};

/// Moves the afterstates of a game, each with its stage, towards their whole expectations, from the
/// last to the first.
pub fn learn_expectations<G: Game>(
    game: &G,
    learner: &Learner,
    chooser: &mut Chooser,
    afters: &[(G::Afterstate, u8)],
) {
    let network = &learner.network;
    let mut point = Active::default();
    for (after, stage) in afters.iter().rev() {
        let target = expectation(game, network, chooser, after, *stage);
        let view = game.view(after);
        network.activate(&view, network.bank_of(&view, *stage), &mut point);
        learner.learn(&point, target);
    }
}

/// The expectation of an afterstate by the values of its successors:
///
/// ```text
/// Σ P(s″) (r″ + max (r + V(s′)))      over outcomes s″ and the slides from them; 0 without one
/// ```
///
/// TD(0) learns this mean from samples. Here every sample is the mean, so that errors are those of
/// the values alone: temporal coherence then lowers its steps where values are settled, not where
/// the outcomes of chance differ much. It costs as many choices as there are outcomes, so it is for
/// small boards.
fn expectation<G: Game>(
    game: &G,
    network: &Network,
    chooser: &mut Chooser,
    after: &G::Afterstate,
    stage: Stage,
) -> f32 {
    let mut sum = 0.0;
    game.outcomes(after, |outcome| {
        let best = chooser.choose(game, network, &outcome.state, stage);
        let best = best.map_or(0.0, |choice| choice.slide.reward as f32 + choice.value);
        sum += outcome.ways as f32 * (outcome.reward as f32 + best);
    });
    sum / game.ways(after) as f32
}
