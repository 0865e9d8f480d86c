//! Work of one thread: a game from its start, and all that follows it.

use super::{Method, Played, lock};
use crate::game::Game;
use crate::learn::Learner;
use crate::learn::greedy::{Choice, Chooser, Staging, ValueKind};
use crate::learn::replicas::Joins;
use crate::learn::stage_starts::{Keep, StageStart, StageStarts};
use crate::learn::start::{Start, StartPoint};
use crate::learn::target::{Rule, Target, learn_expectations};
use crate::network::replica::Replica;
use crate::player::{Player, SearchPlayer};
use crate::processor::{Work, fastest};
use crate::random::Random;
use crate::search::Limits;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Data that all threads share.
pub(super) struct Shared<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) method: &'a Method<G::State>,
    pub(super) learner: &'a Learner,
    /// The number of the next start, when games start from given or generated boards.
    pub(super) next_start: &'a AtomicU64,
    pub(super) stage_starts: &'a Mutex<StageStarts<G::State>>,
}

/// Data of one thread, away from the cache lines of the others: all of it changes with every
/// move.
#[repr(align(128))]
pub(super) struct Worker<G: Game> {
    random: Random,
    chooser: Chooser,
    /// The replica it learns in, if it has one.
    joins: Option<Joins>,
    rule: Box<dyn Rule>,
    /// Every position of the game under way, if there are restarts.
    path: Vec<StartPoint<G::State>>,
    /// For the target [`Target::Expected`]: the afterstates of the game under way, with their stages.
    afters: Vec<(G::Afterstate, u8)>,
    /// The first boards of later stages in the game under way.
    entered: Vec<StartPoint<G::State>>,
}

impl<G: Game> Worker<G> {
    pub(super) fn new(method: &Method<G::State>, random: Random) -> Self {
        Self {
            random,
            chooser: Chooser::new(method.value_kind, method.staging),
            joins: None,
            rule: method.target.rule(),
            path: Vec::new(),
            afters: Vec::new(),
            entered: Vec::new(),
        }
    }

    pub(super) fn random(&self) -> &Random {
        &self.random
    }

    /// Learns in a replica from now on, if there is one, after so many moves of all threads.
    pub(super) fn use_replica(&mut self, replica: Option<Replica>, moves: u64) {
        self.chooser.use_replica(replica);
        self.joins = replica.map(|replica| Joins::new(replica, moves));
    }

    /// Brings its replica up to date.
    pub(super) fn begin(&mut self, learner: &Learner) {
        if let Some(joins) = &mut self.joins {
            joins.begin(learner);
        }
    }

    /// Joins what was learned in its replica.
    pub(super) fn finish(&mut self, learner: &Learner) {
        if let Some(joins) = &mut self.joins {
            joins.finish(learner);
        }
    }

    /// One game from its start, its restarts, and a turn of the carousel.
    pub(super) fn play(&mut self, shared: &Shared<'_, G>) -> Played {
        let number = || shared.next_start.fetch_add(1, Relaxed);
        let start = match &shared.method.start {
            Start::Boards(boards) => boards[(number() % boards.len() as u64) as usize],
            Start::Generated(generator) => {
                let state = generator.start(shared.game, number(), &mut self.random);
                let stages = &shared.learner.network.structure().stages;
                StartPoint { state, stage: stages.implied(shared.game.state_view(&state).cells), score: 0 }
            }
            Start::Fresh | Start::Restart { .. } | Start::Searched { .. } => {
                fresh(shared.game, &mut self.random)
            }
        };
        let mut played = self.episode(shared, start);
        played.extra_moves += self.after(shared, played.score);
        if shared.method.carousel {
            for stage in 1..shared.learner.network.structure().stages.count() as u8 {
                let Some(start) = lock(shared.stage_starts).pick(stage, &mut self.random) else { continue };
                let turn = self.episode(shared, start);
                played.extra_moves += turn.moves + self.after(shared, turn.score);
            }
        }
        played
    }

    fn episode(&mut self, shared: &Shared<'_, G>, start: StartPoint<G::State>) -> Played {
        fastest(Episode { worker: self, shared, start })
    }

    /// Keeps the first boards of a game that is over, and plays its restarts; returns their moves.
    fn after(&mut self, shared: &Shared<'_, G>, last: u64) -> u64 {
        let mut moves = 0;
        if !self.entered.is_empty() {
            let mut starts = lock(shared.stage_starts);
            self.entered.drain(..).for_each(|start| starts.add(StageStart { start, last }));
        }
        if let Start::Restart { shortest } = shared.method.start {
            while self.path.len() >= shortest.max(2) {
                let middle = self.path[self.path.len() / 2];
                moves += self.episode(shared, middle).moves;
            }
            self.entered.clear();
        }
        if let Start::Searched { ply, starts } = shared.method.start {
            let path = self.searched(shared, ply);
            for _ in 0..starts {
                let start = path[self.random.below(path.len() as u64) as usize];
                moves += self.episode(shared, start).moves;
            }
            self.entered.clear();
        }
        moves
    }

    /// A game played with search, from which nothing is learned: the positions it came to.
    fn searched(&mut self, shared: &Shared<'_, G>, ply: u8) -> Vec<StartPoint<G::State>> {
        let game = shared.game;
        let mut player = SearchPlayer::new(&shared.learner.network, Limits::ply(ply));
        let mut at = fresh(game, &mut self.random);
        let mut path = vec![at];
        while let Some(choice) = player.choose(game, &at.state) {
            let outcome = game.spawn(&choice.slide.afterstate, &mut self.random);
            let score = at.score + choice.slide.reward + outcome.reward;
            at = StartPoint { state: outcome.state, stage: player.stage(), score };
            path.push(at);
        }
        path
    }

    /// Remembers the board if a later stage has begun with it.
    #[cold]
    fn notice(
        &mut self,
        shared: &Shared<'_, G>,
        choice: &Choice<G::Afterstate>,
        before: &StartPoint<G::State>,
    ) {
        let stages = &shared.learner.network.structure().stages;
        let next = match shared.method.staging {
            Staging::Follow => choice.stage,
            Staging::Hold if !self.entered.is_empty() => before.stage,
            Staging::Hold => {
                let next = stages.advance(before.stage, shared.game.view(&choice.slide.afterstate).cells);
                next.min(before.stage + 1)
            }
        };
        // Nobody can start from where the game is over.
        if next > before.stage && !shared.game.is_over(&before.state) {
            self.entered.push(StartPoint { stage: next, ..*before });
        }
    }
}

fn fresh<G: Game>(game: &G, random: &mut Random) -> StartPoint<G::State> {
    let state = game.start(random);
    StartPoint { state, stage: 0, score: game.start_score(&state) }
}

/// One game to its end, or to its goal.
struct Episode<'a, G: Game> {
    worker: &'a mut Worker<G>,
    shared: &'a Shared<'a, G>,
    start: StartPoint<G::State>,
}

impl<G: Game> Work for Episode<'_, G> {
    type Result = Played;

    #[inline(always)]
    fn run(self) -> Played {
        let Self { worker, shared, start } = self;
        let Shared { game, method, learner, .. } = *shared;
        let StartPoint { mut state, mut stage, mut score } = start;
        let keep_path = matches!(method.start, Start::Restart { .. });
        let of_afterstates = method.value_kind == ValueKind::Afterstates;
        let notices = method.keep != Keep::Nothing;
        let (expects, explore) = match method.target {
            // Half of the games explore; the others see where good play leads.
            Target::Expected { explore } if explore > 0.0 => (true, explore * worker.random.below(2) as f32),
            Target::Expected { .. } => (true, 0.0),
            _ => (false, 0.0),
        };
        worker.path.clear();
        worker.afters.clear();
        worker.entered.clear();
        let mut moves = 0;
        let mut since = 0.0; // reward since the last point
        let mut made = None; // the largest tile of the goal, once the goal is there
        while let Some(mut choice) = worker.chooser.choose(game, &learner.network, &state, stage) {
            if explore > 0.0 && worker.random.unit() < f64::from(explore) {
                choice = worker
                    .chooser
                    .any(game, &learner.network, &state, stage, &mut worker.random)
                    .unwrap_or(choice);
            }
            if keep_path {
                worker.path.push(StartPoint { state, stage, score });
            }
            let reward = choice.slide.reward;
            // An afterstate is visited after its slide was paid for, a state or an action before.
            let before = if of_afterstates { reward as f32 } else { 0.0 };
            moves += 1;
            if let Some(goal) = &method.goal
                && goal.is_on(game.view(&choice.slide.afterstate).cells)
            {
                // Cut, not lost: the board with the goal on it is worth what the network says.
                since += before + choice.value;
                score += reward;
                made = goal.ranks().last().copied();
                break;
            }
            if let Some(joins) = &mut worker.joins {
                joins.follow(learner, worker.chooser.point());
            }
            worker.rule.visit(learner, worker.chooser.point(), since + before, choice.value);
            if expects {
                worker.afters.push((choice.slide.afterstate, choice.stage));
            }
            let outcome = game.spawn(&choice.slide.afterstate, &mut worker.random);
            since = if of_afterstates { outcome.reward as f32 } else { (reward + outcome.reward) as f32 };
            score += reward + outcome.reward;
            state = outcome.state;
            if notices {
                worker.notice(shared, &choice, &StartPoint { state, stage, score });
            }
            stage = choice.stage;
        }
        let last = if method.forfeit { -(score as f32) } else { since };
        worker.rule.end(learner, last);
        if expects {
            learn_expectations(game, learner, &mut worker.chooser, &worker.afters);
        }
        let cells = game.state_view(&state).cells;
        let largest = cells.iter().copied().max().unwrap_or(0).max(made.unwrap_or(0));
        Played { score, largest, moves, extra_moves: 0, goal: made.is_some() }
    }
}
