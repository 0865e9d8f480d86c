//! Values of the moves of one position.

use super::{Engine, Evaluator, SearchBudget};
use crate::host;
use afterstate::endgame::Advice;
use afterstate::game::Game;
use afterstate::grid::Direction;
use afterstate::network::Network;
use afterstate::player::move_values;
use afterstate::search::{Answer, Limits, MoveValue, Search, TranspositionTable, Workspace, downgraded};
use afterstate::value::{Stage, Value};
use std::ops::Deref;

/// A position to search, and the budget for it.
struct Query<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    stage: Stage,
    budget: SearchBudget<'a>,
}

impl<N: Deref<Target = Network> + Send + Sync> Engine<N> {
    /// Values of the four moves of a state at the engine's own depth, `None` where a move is not
    /// legal.
    pub fn values<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        stage: Stage,
        work: &mut Workspace<G>,
    ) -> [Option<f32>; 4] {
        self.search(game, state, stage, self.budget, work).moves.map(|found| found.map(|found| found.value))
    }

    /// Searches a position. One ply is always completed.
    ///
    /// Positions with ranks beyond the network's alphabet are searched as a downgraded copy;
    /// rewards are always the real ones. Where endgame tables have advice, they decide: the best
    /// move keeps the value of the search, others whose chance is known are worth their share of
    /// it.
    pub fn search<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        stage: Stage,
        budget: SearchBudget<'_>,
        work: &mut Workspace<G>,
    ) -> Answer {
        let query = Query { game, state, stage, budget };
        match &self.evaluator {
            Evaluator::Afterstates(network, largest) => {
                self.search_values(&query, &**network, *largest, work)
            }
            Evaluator::Quantized(network, largest) => self.search_values(&query, &**network, *largest, work),
            Evaluator::Heuristic(leaf) => self.expectimax(&query, leaf.as_ref(), &self.table, work),
            Evaluator::MayerHirshfeld(leaf) => {
                // Threads that share a table that any probability hits would answer by chance.
                let query = Query { budget: budget.with_threads(1), ..query };
                self.expectimax(&query, leaf.as_ref(), &self.empty_table(budget), work)
            }
            Evaluator::Greedy(network, value_kind) => {
                let values = move_values(game, network, *value_kind, state, stage);
                answer_of(
                    values.map(|value| value.unwrap_or(0.0)),
                    game.slides(state).map(|s| s.map(|s| s.reward)),
                )
            }
            // Without values a move is worth its reward.
            Evaluator::None => {
                let rewards = game.slides(state).map(|slide| slide.map(|slide| slide.reward));
                answer_of(rewards.map(|reward| reward.unwrap_or(0) as f32), rewards)
            }
        }
    }

    /// Chances of the moves of a position that an endgame table knows.
    pub fn endgame_chances<G: Game>(&self, game: &G, state: &G::State) -> Option<Advice> {
        self.endgames.as_ref()?.chances(game, state)
    }

    /// A search over values of afterstates, of a downgraded copy where the board needs one.
    fn search_values<G: Game, L: Value<G>>(
        &self,
        query: &Query<'_, G>,
        leaf: &L,
        largest: Option<u8>,
        work: &mut Workspace<G>,
    ) -> Answer {
        let Query { game, state, stage, budget } = *query;
        let lowered = largest.and_then(|largest| downgraded(game, state, largest));
        let seen = lowered.as_ref().unwrap_or(state);
        let stage = lowered.as_ref().map_or(stage, |copy| leaf.implied(game, copy));
        let query = Query { game, state: seen, stage, budget };
        let mut answer = self.expectimax(&query, leaf, &self.table, work);
        if lowered.is_some() {
            for (found, slide) in answer.moves.iter_mut().zip(game.slides(state)) {
                *found = found.zip(slide).map(|(found, slide)| MoveValue { reward: slide.reward, ..found });
            }
        }
        match self.endgames.as_ref().and_then(|endgames| endgames.advise(game, state)) {
            Some(advice) => rescaled(answer, &advice),
            None => answer,
        }
    }

    fn expectimax<G: Game, L: Value<G>>(
        &self,
        query: &Query<'_, G>,
        leaf: &L,
        table: &TranspositionTable,
        work: &mut Workspace<G>,
    ) -> Answer {
        let SearchBudget { ply, time, threads, cancelled } = query.budget;
        let cancelled = cancelled.filter(|_| ply > 2);
        let deadline = time.map(|time| host::now() + time);
        let ask =
            || deadline.is_some_and(|deadline| host::now() >= deadline) || cancelled.is_some_and(|ask| ask());
        let limited = deadline.is_some() || cancelled.is_some();
        let stop: Option<&(dyn Fn() -> bool + Sync)> = if limited { Some(&ask) } else { None };
        let threads = if ply > 3 { threads } else { 1 };
        let limits = Limits { stop, threads, ..self.limits(ply) };
        let mut search = Search::new(query.game, leaf);
        if self.uses_table(ply) {
            search = search.with_table(table);
        }
        search.run(query.state, query.stage, &limits, work)
    }
}

/// Rescales search values by the chances of an endgame table; the best move keeps its value.
fn rescaled(points: Answer, advice: &Advice) -> Answer {
    let scale = points.value().unwrap_or(0.0) / advice.chance();
    let moves = std::array::from_fn(|d| {
        let value = |found: MoveValue| advice.chances[d].map_or(found.value, |chance| scale * chance);
        points.moves[d].map(|found| MoveValue { value: value(found), ..found })
    });
    Answer { moves, best: Some(advice.best), ..points }
}

/// One-ply values as the answer of a search: the first of the best moves.
fn answer_of(values: [f32; 4], rewards: [Option<u64>; 4]) -> Answer {
    let moves: [Option<MoveValue>; 4] =
        std::array::from_fn(|d| rewards[d].map(|reward| MoveValue { reward, value: values[d] }));
    let legal = Direction::ALL.into_iter().filter_map(|d| moves[d as usize].map(|found| (d, found.value)));
    let best = legal.clone().reduce(|best, next| if next.1 > best.1 { next } else { best });
    let leaves = legal.count() as u64;
    Answer { moves, best: best.map(|(d, _)| d), leaves, ply: u8::from(leaves > 0), complete: true }
}
