//! Learning written from the equations: a game is kept whole, and every target is spelt out.

use crate::naive_network::{Key, NaiveNetwork};
use afterstate::game::Game;
use afterstate::grid::{Direction, View};
use afterstate::learn::greedy::{Staging, ValueKind};
use afterstate::learn::stage_starts::Keep;
use afterstate::learn::start::{Start, StartPoint};
use afterstate::learn::step_size::StepRule;
use afterstate::learn::target::Target;
use afterstate::network::Sets;
use afterstate::network::stage::{Judging, Rule as StageRule};
use afterstate::player::{Player, SearchPlayer};
use afterstate::random::Random;
use afterstate::search::Limits;
use afterstate::train::Method;
use afterstate::value::{Stage, Staged, Value};
use std::collections::HashMap;

/// Plays and learns on its own.
pub(crate) struct NaiveLearner<G: Game> {
    pub(crate) game: G,
    pub(crate) method: Method<G::State>,
    pub(crate) step: StepRule,
    pub(crate) network: NaiveNetwork,
    pub(crate) random: Random,
    /// Scores and moves of the games played, restarts included.
    pub(crate) log: Vec<(u64, u64)>,
    next_board: usize,
    /// The first boards of each stage, all of them.
    pub(crate) entries: Vec<Vec<StartPoint<G::State>>>,
    sums: HashMap<Key, (f32, f32)>,
    visits: HashMap<Key, u32>,
}

/// A point of a game: xₜ.
struct Point {
    keys: Vec<Key>,
    /// rₜ: since the point before.
    reward: f32,
    /// V(xₜ) when it was visited.
    value: f32,
}

/// A move that was found best.
struct Best<A> {
    total: f32,
    after: A,
    reward: u64,
    stage: u8,
    keys: Vec<Key>,
}

impl<G: Game> NaiveLearner<G> {
    pub(crate) fn new(
        game: G,
        method: Method<G::State>,
        step: StepRule,
        network: NaiveNetwork,
        seed: u64,
    ) -> Self {
        Self {
            game,
            method,
            step,
            network,
            random: Random::stream(seed, 0),
            log: Vec::new(),
            next_board: 0,
            entries: vec![Vec::new(); 64],
            sums: HashMap::new(),
            visits: HashMap::new(),
        }
    }

    /// One game from its start, with its restarts.
    pub(crate) fn play(&mut self) {
        let begun = match &self.method.start {
            Start::Boards(boards) => boards[self.next_board % boards.len()],
            Start::Generated(generator) => {
                let state = generator.start(&self.game, self.next_board as u64, &mut self.random);
                let stage = self.advance(0, self.game.state_view(&state).cells);
                StartPoint { state, stage, score: 0 }
            }
            _ => {
                let state = self.game.start(&mut self.random);
                StartPoint { state, stage: 0, score: self.game.start_score(&state) }
            }
        };
        self.next_board += 1;
        self.chain(begun);
        if let (true, Keep::Last(keep)) = (self.method.carousel, self.method.keep) {
            for stage in 1..self.network.structure.stages.count() {
                let all = &self.entries[stage];
                let last = &all[all.len().saturating_sub(keep)..];
                if !last.is_empty() {
                    let begun = last[self.random.below(last.len() as u64) as usize];
                    self.chain(begun);
                }
            }
        }
    }

    /// One game and its restarts; the first boards of its later stages are remembered.
    fn chain(&mut self, begun: StartPoint<G::State>) {
        let mut path = self.episode(begun);
        for pair in path.windows(2).filter(|pair| pair[1].stage > pair[0].stage) {
            self.entries[usize::from(pair[1].stage)].push(pair[1]);
        }
        if let Start::Restart { shortest } = self.method.start {
            // A path of one state has no middle to go back to.
            while path.len() >= shortest && path.len() >= 2 {
                path = self.episode(path[path.len() / 2]);
            }
        }
        if let Start::Searched { ply, starts } = self.method.start {
            let path = self.searched(ply);
            for _ in 0..starts {
                let begun = path[self.random.below(path.len() as u64) as usize];
                self.episode(begun);
            }
        }
    }

    /// The states of a game with search, which has a reference of its own; here it judges by the
    /// naive network.
    fn searched(&mut self, ply: u8) -> Vec<StartPoint<G::State>> {
        let state = self.game.start(&mut self.random);
        let mut path = vec![StartPoint { state, stage: 0, score: self.game.start_score(&state) }];
        let mut player = SearchPlayer::new(&*self, Limits::ply(ply));
        let mut random = self.random.clone();
        while let Some(choice) = player.choose(&self.game, &path[path.len() - 1].state) {
            let outcome = self.game.spawn(&choice.slide.afterstate, &mut random);
            let score = path[path.len() - 1].score + choice.slide.reward + outcome.reward;
            path.push(StartPoint { state: outcome.state, stage: player.stage(), score });
        }
        self.random = random;
        path
    }

    /// One game to its end; the positions in which a move was made.
    fn episode(&mut self, begun: StartPoint<G::State>) -> Vec<StartPoint<G::State>> {
        let StartPoint { mut state, mut stage, mut score } = begun;
        let mut path = Vec::new();
        let mut points: Vec<Point> = Vec::new();
        let mut errors: Vec<f32> = Vec::new();
        let mut since = 0;
        let mut afters = Vec::new();
        let explore = match self.method.target {
            Target::Expected { explore } if explore > 0.0 && self.random.below(2) == 1 => explore,
            _ => 0.0,
        };
        while let Some(mut best) = self.best(&state, stage) {
            if explore > 0.0 && self.random.unit() < f64::from(explore) {
                best = self.any(&state, stage);
            }
            path.push(StartPoint { state, stage, score });
            let (before, after) = if self.method.value_kind == ValueKind::Afterstates {
                (best.reward, 0)
            } else {
                (0, best.reward)
            };
            let value = self.network.value(&best.keys);
            if self.made_goal(&best.after) {
                score += best.reward;
                self.learn_at_end(&points, &mut errors, (since + before) as f32 + value);
                self.log.push((score, path.len() as u64));
                return path;
            }
            afters.push((best.after, best.stage));
            points.push(Point { keys: best.keys, reward: (since + before) as f32, value });
            self.learn_during(&points, &mut errors);
            let outcome = self.game.spawn(&best.after, &mut self.random);
            since = after + outcome.reward;
            score += best.reward + outcome.reward;
            state = outcome.state;
            stage = best.stage;
        }
        let last = if self.method.forfeit { -(score as f32) } else { since as f32 };
        self.learn_at_end(&points, &mut errors, last);
        if matches!(self.method.target, Target::Expected { .. }) {
            for ((after, stage), point) in afters.iter().zip(&points).rev() {
                let target = self.expected(after, *stage);
                self.pull(&point.keys, target);
            }
        }
        self.log.push((score, path.len() as u64));
        path
    }

    /// True if every tile of the goal can be taken from the board, one after the other.
    fn made_goal(&self, after: &G::Afterstate) -> bool {
        let Some(goal) = &self.method.goal else { return false };
        let mut left = self.game.view(after).cells.to_vec();
        goal.ranks().iter().all(|rank| {
            let found = left.iter().position(|tile| tile == rank);
            found.map(|cell| left.swap_remove(cell)).is_some()
        })
    }

    /// Σ P(s″) (r″ + max (r + V(s′))).
    fn expected(&self, after: &G::Afterstate, stage: u8) -> f32 {
        let mut expected = 0.0;
        self.game.outcomes(after, |outcome| {
            let best = self.best(&outcome.state, stage).map_or(0.0, |best| best.total);
            expected += outcome.ways as f32 * (outcome.reward as f32 + best);
        });
        expected / self.game.ways(after) as f32
    }

    /// One of the legal moves.
    fn any(&mut self, state: &G::State, stage: u8) -> Best<G::Afterstate> {
        let legal: Vec<_> = Direction::ALL.iter().filter_map(|&d| self.game.slide(state, d)).collect();
        let slide = legal[self.random.below(legal.len() as u64) as usize];
        let view = self.game.view(&slide.afterstate);
        let stage = match self.method.staging {
            Staging::Hold => stage,
            Staging::Follow => self.advance(stage, view.cells),
        };
        let keys = keys_in_stage(&self.network, &view, stage);
        Best { total: 0.0, after: slide.afterstate, reward: slide.reward, stage, keys }
    }

    /// argmax over the legal moves, the first of equals.
    fn best(&self, state: &G::State, stage: u8) -> Option<Best<G::Afterstate>> {
        let mut best: Option<Best<G::Afterstate>> = None;
        for direction in Direction::ALL {
            let Some(slide) = self.game.slide(state, direction) else { continue };
            let next = match self.method.staging {
                Staging::Hold => stage,
                Staging::Follow => self.advance(stage, self.game.view(&slide.afterstate).cells),
            };
            let reward = slide.reward as f32;
            let by_game = self.network.structure.stages.judged_by() == Judging::Game;
            let judging = if by_game { stage.min(next) } else { next };
            let (total, keys) = match self.method.value_kind {
                ValueKind::Afterstates => {
                    let keys = keys_in_stage(&self.network, &self.game.view(&slide.afterstate), judging);
                    (reward + self.network.value(&keys), keys)
                }
                ValueKind::States => {
                    let mut expected = 0.0;
                    self.game.outcomes(&slide.afterstate, |o| {
                        let keys = keys_in_stage(&self.network, &self.game.state_view(&o.state), judging);
                        expected += o.ways as f32 * (o.reward as f32 + self.network.value(&keys));
                    });
                    let keys = keys_in_stage(&self.network, &self.game.state_view(state), stage);
                    (reward + expected / self.game.ways(&slide.afterstate) as f32, keys)
                }
                ValueKind::Actions => {
                    let bank = 4 * stage + direction as u8;
                    let keys = self.network.keys(&self.game.state_view(state), bank);
                    (self.network.value(&keys), keys)
                }
            };
            if best.as_ref().is_none_or(|b| total > b.total) {
                best = Some(Best { total, after: slide.afterstate, reward: slide.reward, stage: next, keys });
            }
        }
        best
    }

    /// A split is passed when each of its ranks is there as often as it is listed.
    fn advance(&self, stage: u8, cells: &[u8]) -> u8 {
        if let StageRule::Walls { from, stages } = self.network.structure.stages.rule() {
            let walls = cells.iter().filter(|&rank| rank >= from).count();
            return [0, 0, 1, 2, 3][walls.min(4)].min(stages - 1);
        }
        let splits = self.network.structure.stages.splits();
        let mut stage = usize::from(stage);
        while stage < splits.len() {
            let mut left = cells.to_vec();
            let all_there = splits[stage].iter().all(|rank| {
                let found = left.iter().position(|r| r == rank);
                found.map(|cell| left.swap_remove(cell)).is_some()
            });
            if !all_there {
                break;
            }
            stage += 1;
        }
        stage as u8
    }

    /// Updates while the game goes on, its newest point just visited.
    fn learn_during(&mut self, points: &[Point], errors: &mut Vec<f32>) {
        let newest = points.len() - 1;
        match self.method.target.clone() {
            Target::Returns { weights, after_game: false } => {
                if let Some(t) = newest.checked_sub(weights.len()) {
                    let target = mixture(&weights, points, t, None);
                    self.pull(&points[t].keys, target);
                }
            }
            Target::Delayed { lambda, horizon } => {
                if let Some(t) = newest.checked_sub(1) {
                    let target = points[newest].reward + points[newest].value;
                    errors.push(target - self.network.value(&points[t].keys));
                }
                if let Some(t) = newest.checked_sub(horizon) {
                    self.update(&points[t].keys, discounted(&errors[t..], lambda, horizon));
                }
            }
            _ => {}
        }
    }

    /// Updates when the game is over.
    fn learn_at_end(&mut self, points: &[Point], errors: &mut Vec<f32>, last: f32) {
        match self.method.target.clone() {
            Target::Returns { weights, after_game } => {
                let first = if after_game { 0 } else { points.len().saturating_sub(weights.len()) };
                for t in first..points.len() {
                    let target = mixture(&weights, points, t, Some(last));
                    self.pull(&points[t].keys, target);
                }
            }
            Target::Backward { lambda } => {
                let mut z = last;
                for point in points.iter().rev() {
                    self.pull(&point.keys, z);
                    z = point.reward + lambda * z + (1.0 - lambda) * self.network.value(&point.keys);
                }
            }
            Target::Delayed { lambda, horizon } => {
                if let Some(point) = points.last() {
                    errors.push(last - self.network.value(&point.keys));
                }
                for t in points.len().saturating_sub(horizon)..points.len() {
                    self.update(&points[t].keys, discounted(&errors[t..], lambda, horizon));
                }
            }
            Target::Expected { .. } | Target::Nothing => {}
        }
    }

    fn pull(&mut self, keys: &[Key], target: f32) {
        let error = target - self.network.value(keys);
        self.update(keys, error);
    }

    /// Each weight is moved by its own step, in the order of the keys.
    fn update(&mut self, keys: &[Key], error: f32) {
        let m = keys.len() as f32;
        let settled = |sums: Option<&(f32, f32)>| match sums {
            Some((e, a)) if *a > 0.0 => e.abs() / a,
            _ => 1.0,
        };
        // Floats are added in the order that is defined for it: eight sums side by side, those left
        // over to the first.
        let mut lanes = [0.0; 8];
        let whole = keys.len() / 8 * 8;
        for (i, key) in keys.iter().enumerate() {
            lanes[if i < whole { i % 8 } else { 0 }] += settled(self.sums.get(key));
        }
        let all: f32 = lanes.iter().sum();
        for key in keys {
            let step = match self.step {
                StepRule::Fixed { per_weight } => per_weight * error,
                StepRule::Coherence { beta, kept } | StepRule::Credit { beta, kept } => {
                    let coherence = settled(self.sums.get(key));
                    let (e, a) = self.sums.entry(key.clone()).or_insert((0.0, 0.0));
                    *e = kept * *e + error;
                    *a = kept * *a + error.abs();
                    match self.step {
                        StepRule::Coherence { .. } => beta / m * error * coherence,
                        _ if all == 0.0 => 0.0,
                        _ => beta / all * error * coherence * coherence,
                    }
                }
                StepRule::VisitCount { eta } => {
                    let n = self.visits.entry(key.clone()).or_insert(0);
                    *n += 1;
                    let root = (eta * error.abs()).sqrt();
                    (if error < 0.0 { -root } else { root }) / (*n as f32).sqrt()
                }
            };
            let weight = self.network.weight(key) + step;
            self.network.set(key, weight);
        }
    }
}

impl<G: Game> Value<G> for NaiveLearner<G> {
    fn value(&self, game: &G, at: &Staged<G::Afterstate>) -> f32 {
        self.network.value(&keys_in_stage(&self.network, &game.view(&at.afterstate), at.stage))
    }

    fn advance(&self, game: &G, stage: Stage, afterstate: &G::Afterstate) -> Stage {
        Self::advance(self, stage, game.view(afterstate).cells)
    }
}

/// Σ wₖ Rᵏₜ; the returns that reach the end of the game are all the same one.
fn mixture(weights: &[f32], points: &[Point], t: usize, end: Option<f32>) -> f32 {
    let inside = weights.len().min(points.len() - 1 - t);
    let rewards = |k: usize| points[t + 1..=t + k].iter().map(|p| p.reward).sum::<f32>();
    let mut target = 0.0;
    for k in 1..=inside {
        target += weights[k - 1] * (rewards(k) + points[t + k].value);
    }
    if inside < weights.len() {
        let last = end.expect("only a finished game has returns to its end");
        target += weights[inside..].iter().sum::<f32>() * (rewards(inside) + last);
    }
    target
}

/// Σ λᵏ δₖ over the first `horizon` errors, added up from the far end.
fn discounted(errors: &[f32], lambda: f32, horizon: usize) -> f32 {
    errors.iter().take(horizon).rev().fold(0.0, |sum, error| error + lambda * sum)
}

/// The weights that judge a position of a stage: where each announced tile has a set, those of its
/// own.
fn keys_in_stage(network: &NaiveNetwork, view: &View<'_>, stage: u8) -> Vec<Key> {
    match (network.structure.sets, view.hint) {
        (Sets::Hints, tile @ 1..=3) => network.keys(view, 4 * stage + (tile - 1)),
        (Sets::Hints, _) => network.keys(view, 4 * stage + 3),
        _ => network.keys(view, stage),
    }
}
