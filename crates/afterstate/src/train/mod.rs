//! Plays games and learns from them, on one thread or several.
//!
//! A [`Trainer`] is asked for a round of games at a time. Between rounds nothing is in
//! flight, so that is when a checkpoint is taken: the weights, the sums of the step
//! size, and [`Trainer::progress`] are all there is to know. With one thread a run is a
//! pure function of its seed, however it is cut into rounds.

mod worker;

use crate::game::Game;
use crate::learn::Learner;
use crate::learn::greedy::{Staging, ValueKind};
use crate::learn::stage_starts::{Keep, StageStarts};
use crate::learn::start::Start;
use crate::learn::target::Target;
use crate::random::Random;
use crate::task::Goal;
use crate::threads::start;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};
use std::thread::ScopedJoinHandle;
use worker::{Shared, Worker};

/// The choices that make up a learning algorithm; the step size belongs to the [`Learner`].
#[derive(Clone, Debug, PartialEq)]
pub struct Method<S> {
    /// Kind of values.
    pub value_kind: ValueKind,
    /// Target of the updates.
    pub target: Target,
    /// Start positions of games.
    pub start: Start<S>,
    /// True if stages follow the tiles.
    pub staging: Staging,
    /// True if losing costs the whole score (Mayer-Hirshfeld et al.); otherwise the end is worth
    /// nothing.
    pub forfeit: bool,
    /// Number of stage-entry positions to keep; under [`Staging::Hold`], only entries into the next
    /// stage.
    pub keep: Keep,
    /// After every game from the start, one from a kept board of each later stage (Jaśkowski 2016).
    pub carousel: bool,
    /// With which tiles a game is cut.
    pub goal: Option<Goal>,
}

impl<S> Default for Method<S> {
    /// TD(0) of afterstates, every game from the start.
    fn default() -> Self {
        Self {
            value_kind: ValueKind::Afterstates,
            target: Target::td0(),
            start: Start::Fresh,
            staging: Staging::Follow,
            forfeit: false,
            keep: Keep::Nothing,
            carousel: false,
            goal: None,
        }
    }
}

/// One training game from its start, and the restarts that followed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Played {
    /// The final score of the game from the start position (or board).
    pub score: u64,
    /// Its largest rank.
    pub largest: u8,
    /// Its moves.
    pub moves: u64,
    /// Moves of the restarts that followed, from its middle or from the path of a search.
    pub extra_moves: u64,
    /// True if it came to its goal.
    pub goal: bool,
}

/// Progress of a training, apart from weights and sums.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Progress {
    /// Games played, restarts not counted.
    pub games: u64,
    /// Moves made, restarts included.
    pub moves: u64,
    /// The number of the next start, when games start from given or generated boards.
    pub next_board: u64,
    /// The generator of each thread.
    pub randoms: Vec<[u64; 4]>,
}

/// Is told every game, from the thread that played it, and may stop the round.
pub trait TrainObserver: Sync {
    /// A game was played.
    fn game(&self, played: &Played);
    /// True to stop after the games under way.
    fn stop(&self) -> bool {
        false
    }
}

/// Nobody follows.
impl TrainObserver for () {
    fn game(&self, _: &Played) {}
}

/// A learner at play.
pub struct Trainer<G: Game> {
    game: G,
    method: Method<G::State>,
    workers: Vec<Worker<G>>,
    games: u64,
    moves: u64,
    next_start: AtomicU64,
    stage_starts: Mutex<StageStarts<G::State>>,
}

impl<G: Game> Trainer<G> {
    /// A trainer with `threads` workers whose generators come from `seed`.
    pub fn new(game: G, method: Method<G::State>, threads: usize, seed: u64) -> Self {
        let randoms = (0..threads as u64).map(|i| Random::stream(seed, i).save()).collect();
        let progress = Progress { randoms, ..Progress::default() };
        Self::resume(game, method, &progress).expect("fresh generators are valid")
    }

    /// A trainer that goes on where [`Trainer::progress`] was taken; `None` if a generator's state
    /// is impossible.
    ///
    /// # Panics
    /// If expectations are wanted of anything but afterstates, or with forfeit.
    pub fn resume(game: G, method: Method<G::State>, progress: &Progress) -> Option<Self> {
        let expects = matches!(method.target, Target::Expected { .. });
        assert!(
            !expects || method.value_kind == ValueKind::Afterstates && !method.forfeit,
            "expectations are of afterstates, without forfeit"
        );
        let worker = |&random: &[u64; 4]| Some(Worker::new(&method, Random::restore(random)?));
        let workers = progress.randoms.iter().map(worker).collect::<Option<Vec<_>>>()?;
        let (games, moves) = (progress.games, progress.moves);
        let next_start = AtomicU64::new(progress.next_board);
        let stage_starts = Mutex::new(StageStarts::new(method.keep));
        Some(Self { game, method, workers, games, moves, next_start, stage_starts })
    }

    /// Progress of the training.
    pub fn progress(&self) -> Progress {
        Progress {
            games: self.games,
            moves: self.moves,
            next_board: self.next_start.load(Relaxed),
            randoms: self.workers.iter().map(|worker| worker.random().save()).collect(),
        }
    }

    /// The first boards of later stages that are kept; between rounds they are part of where the
    /// run stands.
    pub fn stage_starts(&self) -> MutexGuard<'_, StageStarts<G::State>> {
        lock(&self.stage_starts)
    }

    /// The game being learned.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The algorithm.
    pub fn method(&self) -> &Method<G::State> {
        &self.method
    }

    /// Plays and learns up to `games` games, fewer if the observer stops it, enough boards were kept,
    /// or learning has [diverged](crate::learn::step_size::StepSize::diverged).
    pub fn round(&mut self, learner: &Learner, games: u64, observer: &dyn TrainObserver) {
        let left = AtomicU64::new(games);
        let (game, method, stage_starts) = (&self.game, &self.method, &self.stage_starts);
        let shared = Shared { game, method, learner, next_start: &self.next_start, stage_starts };
        let enough = || method.keep != Keep::Nothing && lock(stage_starts).is_enough();
        // Expectations are learned in the arrays themselves.
        let replicated =
            !matches!(method.target, Target::Expected { .. }) && learner.has_replicas(self.workers.len());
        for (number, worker) in self.workers.iter_mut().enumerate() {
            worker.use_replica(if replicated { learner.network.replica(number) } else { None }, self.moves);
        }
        let work = |worker: &mut Worker<G>| {
            let (mut games, mut moves) = (0, 0);
            worker.begin(learner);
            while !observer.stop()
                && !enough()
                && learner.step_size.diverged().is_none()
                && left.fetch_update(Relaxed, Relaxed, |n| n.checked_sub(1)).is_ok()
            {
                let played = worker.play(&shared);
                games += 1;
                moves += played.moves + played.extra_moves;
                observer.game(&played);
            }
            worker.finish(learner);
            (games, moves)
        };
        let done: Vec<(u64, u64)> = match &mut self.workers[..] {
            [only] => vec![work(only)],
            [] => Vec::new(),
            [own, others @ ..] => std::thread::scope(|scope| {
                // Where the system gives no more threads, fewer play.
                let spawn = |worker| start(scope, move || work(worker));
                let threads: Vec<_> = others.iter_mut().map_while(spawn).collect();
                let own = work(own);
                let join =
                    |thread: ScopedJoinHandle<'_, _>| thread.join().expect("a training thread panicked");
                std::iter::once(own).chain(threads.into_iter().map(join)).collect()
            }),
        };
        for (games, moves) in done {
            self.games += games;
            self.moves += moves;
        }
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
