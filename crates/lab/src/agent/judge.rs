//! What moves are worth to an agent.

use super::{Agent, Depth, Judge};
use afterstate::endgame::Advice;
use afterstate::game::Game;
use afterstate::grid::Direction;
use afterstate::learned::move_values;
use afterstate::network::Network;
use afterstate::search::{Answer, Leaf, Limits, MoveValue, Search, Table, Workspace, downgraded};
use afterstate::value::Stage;
use std::ops::Deref;
use std::time::Instant;

/// Asked again and again while a search goes on: whether nobody waits for it any more.
pub type Cancelled<'a> = Option<&'a (dyn Fn() -> bool + Sync)>;

/// How much is done to judge one position.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// How far it looks ahead.
    pub depth: Depth,
    /// How many threads share a deep search.
    pub threads: usize,
    /// Who may call it off.
    pub cancelled: Cancelled<'a>,
}

impl<'a> Effort<'a> {
    /// One thread that looks so far ahead.
    pub fn of(depth: Depth) -> Self {
        Self { depth, threads: 1, cancelled: None }
    }

    /// The same, given up as soon as nobody wants to know any more. Shallow searches are over before anybody could say so.
    #[must_use]
    pub fn unless(self, cancelled: Cancelled<'a>) -> Self {
        Self { cancelled: cancelled.filter(|_| self.depth.ply > 2), ..self }
    }
}

impl<P: Deref<Target = Network> + Send + Sync> Agent<P> {
    /// What every move of a state is worth at the agent's own depth, `None` where it is not legal.
    pub fn values<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        stage: Stage,
        work: &mut Workspace<G>,
    ) -> [Option<f32>; 4] {
        self.judge(game, state, stage, Effort::of(self.depth), work)
            .moves
            .map(|found| found.map(|found| found.value))
    }

    /// What every move of a position is worth; one ply is always answered.
    ///
    /// Positions with ranks beyond the model's are judged by a lowered copy; rewards are always the real ones. Where endgame tables
    /// have advice, they decide: the best move is worth what the search says, others whose chance they know in proportion to it.
    pub fn judge<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        stage: Stage,
        effort: Effort<'_>,
        work: &mut Workspace<G>,
    ) -> Answer {
        match &self.judge {
            Judge::Values(leaf, largest) => {
                let lowered = largest.and_then(|largest| downgraded(game, state, largest));
                let seen = lowered.as_ref().unwrap_or(state);
                let stage = lowered.as_ref().map_or(stage, |copy| leaf.implied(game, copy));
                let mut answer = self.search(game, leaf, seen, stage, effort, &self.table, work);
                if lowered.is_some() {
                    for (found, slide) in answer.moves.iter_mut().zip(game.slides(state)) {
                        *found = found
                            .zip(slide)
                            .map(|(found, slide)| MoveValue { reward: slide.reward, ..found });
                    }
                }
                match self.endgames.as_ref().and_then(|endgames| endgames.advise(game, state)) {
                    Some(advice) => in_points(answer, &advice),
                    None => answer,
                }
            }
            Judge::Heuristic(leaf) => {
                self.search(game, leaf.as_ref(), state, stage, effort, &self.table, work)
            }
            Judge::MayerHirshfeld(leaf) => {
                // Threads that share a table that any probability hits would answer by chance.
                let (effort, table) = (Effort { threads: 1, ..effort }, self.fresh(effort.depth));
                self.search(game, leaf.as_ref(), state, stage, effort, &table, work)
            }
            Judge::Learned(network, subject) => {
                let values = move_values(game, network, *subject, state, stage);
                answer_of(
                    values.map(|value| value.unwrap_or(0.0)),
                    game.slides(state).map(|s| s.map(|s| s.reward)),
                )
            }
            // Without judgement a move is worth its reward.
            Judge::None(_) => {
                let rewards = game.slides(state).map(|slide| slide.map(|slide| slide.reward));
                answer_of(rewards.map(|reward| reward.unwrap_or(0) as f32), rewards)
            }
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "a position, how it is judged, and what the search works with"
    )]
    fn search<G: Game, L: Leaf<G>>(
        &self,
        game: &G,
        leaf: &L,
        state: &G::State,
        stage: Stage,
        effort: Effort<'_>,
        table: &Table,
        work: &mut Workspace<G>,
    ) -> Answer {
        let Effort { depth, threads, cancelled } = effort;
        let deadline = depth.budget.map(|budget| Instant::now() + budget);
        let ask = || {
            deadline.is_some_and(|deadline| Instant::now() >= deadline) || cancelled.is_some_and(|ask| ask())
        };
        let limited = deadline.is_some() || cancelled.is_some();
        let stop: Option<&(dyn Fn() -> bool + Sync)> = if limited { Some(&ask) } else { None };
        // Below four moves a search is over before a second thread has begun.
        let threads = if depth.ply > 3 { threads } else { 1 };
        let limits = Limits { stop, threads, ..self.limits(depth.ply) };
        let mut search = Search::new(game, leaf);
        if self.remembers(depth.ply) {
            search = search.with_table(table);
        }
        search.run(state, stage, &limits, work)
    }
}

/// The values of a search for points, put right where a table knows chances; none is worth more than the best was.
fn in_points(points: Answer, advice: &Advice) -> Answer {
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
