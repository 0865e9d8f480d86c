//! The backward pass: what the positions are worth.

use super::code::Code;
use super::forward::Layer;
use super::{
    Objective, Phase, Solvable, SolveError, SolveObserver, SolveOptions, SolveProgress, Values, parallel,
};

/// Gives every position its values, from the last layer to the first, and returns those of the
/// start.
///
/// Without `keep`, layers are emptied as soon as nothing looks into them any more.
pub(super) fn evaluate<G: Solvable>(
    code: &Code<G>,
    options: &SolveOptions,
    keep: bool,
    layers: &mut [Layer],
    total: u64,
    observer: &mut SolveObserver<'_>,
) -> Result<Values, SolveError> {
    let mut done = 0;
    for index in (0..layers.len()).rev() {
        let (earlier, later) = layers.split_at_mut(index + 1);
        let layer = &mut earlier[index];
        let next: Vec<&Layer> = later.iter().filter(|l| layer.next.contains(&l.sum)).collect();
        layer.afterstate_values = parallel::map(&layer.afterstates, options.threads, |&number| {
            chance(code, options.objective, &code.to_afterstate(number), &next)
        });
        layer.values = parallel::map(&layer.states, options.threads, |&number| {
            choice(code, options, &code.to_state(number), layer)
        });
        done += layer.states.len() as u64;
        let sum = layer.sum;
        if !keep {
            layer.afterstates = Vec::new();
            layer.afterstate_values = Vec::new();
            for l in later.iter_mut().filter(|l| l.first_source >= sum && !l.states.is_empty()) {
                l.states = Vec::new();
                l.values = Vec::new();
            }
        }
        let progress =
            SolveProgress { phase: Phase::Backward, layer: sum, states: done, total: total as f64 };
        if observer(&progress).is_break() {
            return Err(SolveError::Stopped);
        }
    }
    Ok(from_start(code, options.objective, layers))
}

/// `V(afterstate) = Σ p · (r + V(state))`.
fn chance<G: Solvable>(
    code: &Code<G>,
    objective: Objective,
    afterstate: &G::Afterstate,
    next: &[&Layer],
) -> Values {
    let mut sum = Values::default();
    code.game.outcomes(afterstate, |outcome| {
        let target = code.sum(code.game.state_view(&outcome.state).cells);
        let layer = next.iter().find(|l| l.sum == target).expect("the forward pass listed the next layers");
        let values = layer.state_values(code.state(&outcome.state)).expect("the forward pass listed it");
        let reward = points(objective, outcome.reward);
        let ways = outcome.ways as f64;
        sum.optimal += ways * (reward + values.optimal);
        sum.random += ways * (reward + values.random);
    });
    let ways = code.game.ways(afterstate) as f64;
    Values { optimal: sum.optimal / ways, random: sum.random / ways }
}

/// `V(state) = max (r + V(afterstate))`, or the mean for random play.
fn choice<G: Solvable>(code: &Code<G>, options: &SolveOptions, state: &G::State, layer: &Layer) -> Values {
    if code.is_won(state, options.objective) {
        return Values { optimal: 1.0, random: 1.0 };
    }
    let mut best: Option<f64> = None;
    let mut sum = 0.0;
    let mut legal = 0.0;
    for slide in code.game.slides(state).iter().flatten() {
        let afterstate = code.afterstate(&slide.afterstate);
        let values = layer.afterstate_values(afterstate).expect("the forward pass listed it");
        let reward = points(options.objective, slide.reward);
        let value = reward + values.optimal;
        best = Some(best.map_or(value, |b| b.max(value)));
        sum += reward + values.random;
        legal += 1.0;
    }
    best.map_or(Values::default(), |optimal| Values { optimal, random: sum / legal })
}

/// The mean over the start positions, with the score they bring along.
fn from_start<G: Solvable>(code: &Code<G>, objective: Objective, layers: &[Layer]) -> Values {
    let mut sum = Values::default();
    let mut all = 0.0;
    code.game.starts(&mut |state, ways| {
        let target = code.sum(code.game.state_view(&state).cells);
        let layer = layers.iter().find(|l| l.sum == target).expect("start positions have a layer");
        let values = layer.state_values(code.state(&state)).expect("start positions are listed");
        let score = points(objective, code.game.start_score(&state));
        let ways = ways as f64;
        sum.optimal += ways * (score + values.optimal);
        sum.random += ways * (score + values.random);
        all += ways;
    });
    Values { optimal: sum.optimal / all, random: sum.random / all }
}

/// Points count for the score only.
pub(super) fn points(objective: Objective, reward: u64) -> f64 {
    match objective {
        Objective::Score => reward as f64,
        Objective::Tile(_) => 0.0,
    }
}
