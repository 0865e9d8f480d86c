//! The forward pass: which positions play can reach.

use super::code::Code;
use super::parallel::in_parts;

use super::{Phase, Solvable, SolveError, SolveObserver, SolveOptions, SolveProgress, Summary, Values};
use std::collections::BTreeMap;

/// The positions of one tile sum, each list in order and without repetition.
pub(super) struct Layer {
    /// The tile sum.
    pub(super) sum: u64,
    /// The smallest tile sum from which this layer is reached; 0 with start positions.
    pub(super) first_source: u64,
    /// The tile sums its afterstates lead to.
    pub(super) next: Vec<u64>,
    pub(super) states: Vec<u64>,
    pub(super) afterstates: Vec<u64>,
    /// Filled in by the backward pass, in the order of the states.
    pub(super) values: Vec<Values>,
    /// Filled in by the backward pass, in the order of the afterstates.
    pub(super) afterstate_values: Vec<Values>,
}

impl Layer {
    /// The values of a canonical state, if it is here and has them.
    #[inline]
    pub(super) fn state_values(&self, state: u64) -> Option<Values> {
        let index = self.states.binary_search(&state).ok()?;
        self.values.get(index).copied()
    }

    /// The values of a canonical afterstate, if it is here and has them.
    #[inline]
    pub(super) fn afterstate_values(&self, afterstate: u64) -> Option<Values> {
        let index = self.afterstates.binary_search(&afterstate).ok()?;
        self.afterstate_values.get(index).copied()
    }
}

/// States on their way to a layer: lists in order, each from one part of the work.
struct Arriving {
    first_source: u64,
    lists: Vec<Vec<u64>>,
}

/// Findings of one thread among the states of a layer.
struct SlideFindings {
    afterstates: Vec<u64>,
    terminal: u64,
    raw: u64,
}

/// Lists every reachable position; the layers come in the order of their sums.
pub(super) fn explore<G: Solvable>(
    code: &Code<G>,
    options: &SolveOptions,
    keep: bool,
    expected: f64,
    observer: &mut SolveObserver<'_>,
) -> Result<(Vec<Layer>, Summary), SolveError> {
    let mut arriving: BTreeMap<u64, Arriving> = BTreeMap::new();
    code.game.starts(&mut |state, _| {
        let sum = code.sum(code.game.state_view(&state).cells);
        let at = arriving.entry(sum).or_insert_with(|| Arriving { first_source: 0, lists: vec![vec![]] });
        at.lists[0].push(code.state(&state));
    });

    let mut layers = Vec::new();
    let mut summary = Summary::default();
    let mut bytes = 0;
    while let Some((sum, Arriving { first_source, lists })) = arriving.pop_first() {
        let states = united(lists);
        let found = in_parts(&states, options.threads, |part| slide_all(code, options, part));
        summary.states += states.len() as u64;
        summary.terminal += found.iter().map(|f| f.terminal).sum::<u64>();
        summary.raw_states += found.iter().map(|f| f.raw).sum::<u64>();
        let afterstates = united(found.into_iter().map(|f| f.afterstates).collect());
        summary.afterstates += afterstates.len() as u64;

        let mut next = Vec::new();
        for lists in in_parts(&afterstates, options.threads, |part| spawn_all(code, part)) {
            for (target, list) in lists {
                let at = arriving
                    .entry(target)
                    .or_insert_with(|| Arriving { first_source: sum, lists: Vec::new() });
                at.first_source = at.first_source.min(sum);
                at.lists.push(list);
                next.push(target);
            }
        }
        next.sort_unstable();
        next.dedup();

        bytes += bytes_of(states.len(), afterstates.len(), keep);
        layers.push(Layer {
            sum,
            first_source,
            next,
            states,
            afterstates,
            values: Vec::new(),
            afterstate_values: Vec::new(),
        });
        if bytes > options.memory {
            return Err(SolveError::OutOfMemory { states: summary.states, bytes, limit: options.memory });
        }
        let progress =
            SolveProgress { phase: Phase::Forward, layer: sum, states: summary.states, total: expected };
        if observer(&progress).is_break() {
            return Err(SolveError::Stopped);
        }
    }
    Ok((layers, summary))
}

/// The memory that positions take to the end of the forward pass, and with `keep` their values too.
pub(super) fn bytes_of(states: usize, afterstates: usize, keep: bool) -> u64 {
    let each = size_of::<u64>() + if keep { size_of::<Values>() } else { 0 };
    ((states + afterstates) * each) as u64
}

/// The afterstates of some states of a layer.
fn slide_all<G: Solvable>(code: &Code<G>, options: &SolveOptions, states: &[u64]) -> SlideFindings {
    let mut found = SlideFindings { afterstates: Vec::with_capacity(states.len() * 2), terminal: 0, raw: 0 };
    for &number in states {
        let state = code.to_state(number);
        found.raw += code.orbit(&state);
        if code.is_won(&state, options.objective) {
            continue;
        }
        let slides = code.game.slides(&state);
        found.afterstates.extend(slides.iter().flatten().map(|slide| code.afterstate(&slide.afterstate)));
        found.terminal += u64::from(slides.iter().all(Option::is_none));
    }
    found.afterstates.sort_unstable();
    found.afterstates.dedup();
    found
}

/// The states that follow some afterstates of a layer, by tile sum.
fn spawn_all<G: Solvable>(code: &Code<G>, afterstates: &[u64]) -> Vec<(u64, Vec<u64>)> {
    let mut lists: Vec<(u64, Vec<u64>)> = Vec::new();
    for &number in afterstates {
        code.game.outcomes(&code.to_afterstate(number), |outcome| {
            let target = code.sum(code.game.state_view(&outcome.state).cells);
            let state = code.state(&outcome.state);
            match lists.iter_mut().find(|(sum, _)| *sum == target) {
                Some((_, list)) => list.push(state),
                None => lists.push((target, vec![state])),
            }
        });
    }
    for (_, list) in &mut lists {
        list.sort_unstable();
        list.dedup();
        list.shrink_to_fit();
    }
    lists
}

/// All members of some lists, in order and without repetition.
fn united(mut lists: Vec<Vec<u64>>) -> Vec<u64> {
    if lists.len() == 1 {
        let mut only = lists.remove(0);
        if !only.is_sorted() {
            only.sort_unstable();
        }
        only.dedup();
        only.shrink_to_fit();
        return only;
    }
    let mut all = lists.concat();
    drop(lists);
    // The lists are in order already: the stable sort finds the runs and merges them.
    all.sort();
    all.dedup();
    all.shrink_to_fit();
    all
}
