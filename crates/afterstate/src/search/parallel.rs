//! Several threads for one position.

use super::expectimax::{Context, Nodes};
use super::frontier::Workspace;
use crate::game::Game;
use crate::threads::start;
use crate::value::Value;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Number of pieces each thread should find: enough that none waits long for the last one.
const PIECES: usize = 8;

impl<G: Game, L: Value<G>> Context<'_, G, L> {
    /// [`Context::chance_nodes`] by several threads, each taking the next piece of the list.
    ///
    /// A value does not depend on who computes it, and every value has its place: the
    /// result is that of one thread.
    pub(super) fn chance_nodes_parallel(
        &self,
        work: &mut Workspace<G>,
        nodes: &Nodes<'_, G>,
        values: &mut Vec<f32>,
    ) {
        let Nodes { list, probabilities, layers, threads } = *nodes;
        let piece = list.len().div_ceil(threads * PIECES).max(1);
        let next = AtomicUsize::new(0);
        let take = |work: &mut Workspace<G>| {
            let mut found = Vec::new();
            loop {
                let from = next.fetch_add(piece, Relaxed).min(list.len());
                let to = (from + piece).min(list.len());
                if from == to {
                    return found;
                }
                let probabilities = probabilities.get(from..to).unwrap_or(&[]);
                let part = Nodes { list: &list[from..to], probabilities, layers, threads: 1 };
                let mut values = Vec::with_capacity(piece);
                self.chance_nodes(work, &part, &mut values);
                found.push((from, values));
            }
        };
        let mut others = std::mem::take(&mut work.others);
        others.resize_with(threads - 1, Workspace::default);
        values.clear();
        values.resize(list.len(), 0.0);
        let mut keep = |pieces: Vec<(usize, Vec<f32>)>| {
            for (from, piece) in pieces {
                // A piece given up is short; then all values are worthless anyway.
                values[from..from + piece.len()].copy_from_slice(&piece);
            }
        };
        let take = &take;
        std::thread::scope(|scope| {
            let others: Vec<_> =
                others.iter_mut().map_while(|work| start(scope, move || take(work))).collect();
            keep(take(work));
            for other in others {
                keep(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
        });
        work.others = others;
    }
}
