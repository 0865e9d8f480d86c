//! Plays games and learns from them, on one thread or several.
//!
//! A [`Trainer`] is asked for a round of games at a time. Between rounds nothing is in
//! flight, so that is when a checkpoint is taken: the weights, the sums of the step
//! size, and [`Trainer::progress`] are all there is to know. With one thread a run is a
//! pure function of its seed, however it is cut into rounds.

use crate::game::Game;
use crate::learn::Learner;
use crate::learn::entries::{Entries, Entry, Keep};
use crate::learn::start::{Begun, Start};
use crate::learn::subject::{Choice, Chooser, Staging, Subject};
use crate::learn::target::{Rule, Target, learn_expectations};
use crate::lookahead::SearchPlayer;
use crate::player::Player;
use crate::processor::{Work, fastest};
use crate::random::Random;
use crate::search::{Limits, Points};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};

/// The choices that make up a learning algorithm; the step size belongs to the [`Learner`].
#[derive(Clone, Debug, PartialEq)]
pub struct Method<S> {
    /// What is valued.
    pub subject: Subject,
    /// What values are pulled towards.
    pub target: Target,
    /// Where games start.
    pub start: Start<S>,
    /// Whether stages follow the tiles.
    pub staging: Staging,
    /// Whether losing costs the whole score (Mayer-Hirshfeld et al.); otherwise the end is worth nothing.
    pub forfeit: bool,
    /// Which first boards of later stages are kept. Of a stage that is held, those of the next.
    pub keep: Keep,
    /// After every game from the start, one from a kept board of each later stage (Jaśkowski 2016).
    pub carousel: bool,
}

impl<S> Default for Method<S> {
    /// TD(0) of afterstates, every game from the start.
    fn default() -> Self {
        Self {
            subject: Subject::Afterstates,
            target: Target::td0(),
            start: Start::Fresh,
            staging: Staging::Follow,
            forfeit: false,
            keep: Keep::Nothing,
            carousel: false,
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
}

/// Where a run stands, apart from weights and sums.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Progress {
    /// Games played, restarts not counted.
    pub games: u64,
    /// Moves made, restarts included.
    pub moves: u64,
    /// The next board to start from, when games start from boards.
    pub next_board: u64,
    /// The generator of each thread.
    pub randoms: Vec<[u64; 4]>,
}

/// Is told every game, from the thread that played it, and may stop the round.
pub trait Observer: Sync {
    /// A game was played.
    fn game(&self, played: &Played);
    /// Whether to stop after the games under way.
    fn stop(&self) -> bool {
        false
    }
}

/// Nobody follows.
impl Observer for () {
    fn game(&self, _: &Played) {}
}

/// A learner at play.
pub struct Trainer<G: Game> {
    game: G,
    method: Method<G::State>,
    workers: Vec<Worker<G>>,
    games: u64,
    moves: u64,
    next_board: AtomicU64,
    entries: Mutex<Entries<G::State>>,
}

/// What one thread owns, away from the cache lines of the others: all of it changes with every move.
#[repr(align(128))]
struct Worker<G: Game> {
    random: Random,
    chooser: Chooser,
    rule: Box<dyn Rule>,
    path: Vec<Begun<G::State>>,
    /// For the target [`Target::Expected`]: the afterstates of the game under way, with their stages.
    afters: Vec<(G::Afterstate, u8)>,
    /// The first boards of later stages in the game under way.
    entered: Vec<Begun<G::State>>,
}

impl<G: Game> Trainer<G> {
    /// A trainer with `threads` workers whose generators come from `seed`.
    pub fn new(game: G, method: Method<G::State>, threads: usize, seed: u64) -> Self {
        let randoms = (0..threads as u64).map(|i| Random::stream(seed, i).save()).collect();
        let progress = Progress { randoms, ..Progress::default() };
        Self::resume(game, method, &progress).expect("fresh generators are valid")
    }

    /// A trainer that goes on where [`Trainer::progress`] was taken; `None` if a generator's state is impossible.
    ///
    /// # Panics
    /// If expectations are wanted of anything but afterstates, or with forfeit.
    pub fn resume(game: G, method: Method<G::State>, progress: &Progress) -> Option<Self> {
        let expects = matches!(method.target, Target::Expected { .. });
        assert!(
            !expects || method.subject == Subject::Afterstates && !method.forfeit,
            "expectations are of afterstates, without forfeit"
        );
        let worker = |&random: &[u64; 4]| {
            Some(Worker {
                random: Random::restore(random)?,
                chooser: Chooser::new(method.subject, method.staging),
                rule: method.target.rule(),
                path: Vec::new(),
                afters: Vec::new(),
                entered: Vec::new(),
            })
        };
        let workers = progress.randoms.iter().map(worker).collect::<Option<Vec<_>>>()?;
        let (games, moves) = (progress.games, progress.moves);
        let next_board = AtomicU64::new(progress.next_board);
        let entries = Mutex::new(Entries::new(method.keep));
        Some(Self { game, method, workers, games, moves, next_board, entries })
    }

    /// Where the run stands.
    pub fn progress(&self) -> Progress {
        Progress {
            games: self.games,
            moves: self.moves,
            next_board: self.next_board.load(Relaxed),
            randoms: self.workers.iter().map(|worker| worker.random.save()).collect(),
        }
    }

    /// The first boards of later stages that are kept; between rounds they are part of where the run stands.
    pub fn entries(&self) -> MutexGuard<'_, Entries<G::State>> {
        lock(&self.entries)
    }

    /// The game being learned.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The algorithm.
    pub fn method(&self) -> &Method<G::State> {
        &self.method
    }

    /// Plays and learns up to `games` games, fewer if the observer stops it or enough boards were kept.
    pub fn round(&mut self, learner: &Learner, games: u64, observer: &dyn Observer) {
        let left = AtomicU64::new(games);
        let (game, method, entries) = (&self.game, &self.method, &self.entries);
        let next_board = &self.next_board;
        let enough = || method.keep != Keep::Nothing && lock(entries).is_enough();
        let work = |worker: &mut Worker<G>| {
            let (mut games, mut moves) = (0, 0);
            while !observer.stop()
                && !enough()
                && left.fetch_update(Relaxed, Relaxed, |n| n.checked_sub(1)).is_ok()
            {
                let played = worker.play(game, method, learner, next_board, entries);
                games += 1;
                moves += played.moves + played.extra_moves;
                observer.game(&played);
            }
            (games, moves)
        };
        let done: Vec<(u64, u64)> = match &mut self.workers[..] {
            [only] => vec![work(only)],
            workers => std::thread::scope(|scope| {
                let threads: Vec<_> = workers.iter_mut().map(|worker| scope.spawn(|| work(worker))).collect();
                threads.into_iter().map(|thread| thread.join().expect("a training thread panicked")).collect()
            }),
        };
        for (games, moves) in done {
            self.games += games;
            self.moves += moves;
        }
    }
}

impl<G: Game> Worker<G> {
    /// One game from its start, and its restarts.
    fn play(
        &mut self,
        game: &G,
        method: &Method<G::State>,
        learner: &Learner,
        next_board: &AtomicU64,
        entries: &Mutex<Entries<G::State>>,
    ) -> Played {
        let begun = match &method.start {
            Start::Boards(boards) => {
                boards[(next_board.fetch_add(1, Relaxed) % boards.len() as u64) as usize]
            }
            _ => {
                let state = game.start(&mut self.random);
                Begun { state, stage: 0, score: game.start_score(&state) }
            }
        };
        let mut played = fastest(Episode { worker: self, game, method, learner, begun });
        played.extra_moves += self.after(game, method, learner, entries, played.score);
        if method.carousel {
            for stage in 1..learner.network.structure().stages.count() as u8 {
                let Some(begun) = lock(entries).pick(stage, &mut self.random) else { continue };
                let turn = fastest(Episode { worker: self, game, method, learner, begun });
                played.extra_moves += turn.moves + self.after(game, method, learner, entries, turn.score);
            }
        }
        played
    }

    /// Keeps the first boards of a game that is over, and plays its restarts; returns their moves.
    fn after(
        &mut self,
        game: &G,
        method: &Method<G::State>,
        learner: &Learner,
        entries: &Mutex<Entries<G::State>>,
        last: u64,
    ) -> u64 {
        let mut moves = 0;
        if !self.entered.is_empty() {
            let mut entries = lock(entries);
            self.entered.drain(..).for_each(|begun| entries.add(Entry { begun, last }));
        }
        if let Start::Restart { shortest } = method.start {
            while self.path.len() >= shortest.max(2) {
                let middle = self.path[self.path.len() / 2];
                moves += fastest(Episode { worker: self, game, method, learner, begun: middle }).moves;
            }
            self.entered.clear();
        }
        if let Start::Searched { ply, starts } = method.start {
            let path = self.searched(game, learner, ply);
            for _ in 0..starts {
                let begun = path[self.random.below(path.len() as u64) as usize];
                moves += fastest(Episode { worker: self, game, method, learner, begun }).moves;
            }
            self.entered.clear();
        }
        moves
    }

    /// A game played with search, from which nothing is learned: the positions it came to.
    fn searched(&mut self, game: &G, learner: &Learner, ply: u8) -> Vec<Begun<G::State>> {
        let leaf = Points(&learner.network);
        let mut player = SearchPlayer::new(&leaf, Limits::ply(ply));
        let state = game.start(&mut self.random);
        let mut at = Begun { state, stage: 0, score: game.start_score(&state) };
        let mut path = vec![at];
        while let Some(choice) = player.choose(game, &at.state) {
            let outcome = game.spawn(&choice.slide.afterstate, &mut self.random);
            let score = at.score + choice.slide.reward + outcome.reward;
            at = Begun { state: outcome.state, stage: player.stage(), score };
            path.push(at);
        }
        path
    }

    /// Remembers the board if a later stage has begun with it.
    #[cold]
    fn notice(
        &mut self,
        game: &G,
        method: &Method<G::State>,
        learner: &Learner,
        choice: &Choice<G::Afterstate>,
        before: &Begun<G::State>,
    ) {
        let stages = &learner.network.structure().stages;
        let next = match method.staging {
            Staging::Follow => choice.stage,
            Staging::Hold if !self.entered.is_empty() => before.stage,
            Staging::Hold => {
                let next = stages.advance(before.stage, game.view(&choice.slide.afterstate).cells);
                next.min(before.stage + 1)
            }
        };
        // Nobody can start from where the game is over.
        if next > before.stage && !game.is_over(&before.state) {
            self.entered.push(Begun { stage: next, ..*before });
        }
    }
}

/// One game to its end.
struct Episode<'a, G: Game> {
    worker: &'a mut Worker<G>,
    game: &'a G,
    method: &'a Method<G::State>,
    learner: &'a Learner,
    begun: Begun<G::State>,
}

impl<G: Game> Work for Episode<'_, G> {
    type Result = Played;

    #[inline(always)]
    fn run(self) -> Played {
        let Self { worker, game, method, learner, begun } = self;
        let Begun { mut state, mut stage, mut score } = begun;
        let keep_path = matches!(method.start, Start::Restart { .. });
        let of_afterstates = method.subject == Subject::Afterstates;
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
        while let Some(mut choice) = worker.chooser.choose(game, &learner.network, &state, stage) {
            if explore > 0.0 && worker.random.unit() < f64::from(explore) {
                choice = worker
                    .chooser
                    .any(game, &learner.network, &state, stage, &mut worker.random)
                    .unwrap_or(choice);
            }
            if keep_path {
                worker.path.push(Begun { state, stage, score });
            }
            let reward = choice.slide.reward;
            // An afterstate is visited after its slide was paid for, a state or an action before.
            let before = if of_afterstates { reward as f32 } else { 0.0 };
            worker.rule.visit(learner, worker.chooser.point(), since + before, choice.value);
            if expects {
                worker.afters.push((choice.slide.afterstate, choice.stage));
            }
            let outcome = game.spawn(&choice.slide.afterstate, &mut worker.random);
            since = if of_afterstates { outcome.reward as f32 } else { (reward + outcome.reward) as f32 };
            score += reward + outcome.reward;
            state = outcome.state;
            if notices {
                worker.notice(game, method, learner, &choice, &Begun { state, stage, score });
            }
            stage = choice.stage;
            moves += 1;
        }
        let last = if method.forfeit { -(score as f32) } else { since };
        worker.rule.end(learner, last);
        if expects {
            learn_expectations(game, learner, &mut worker.chooser, &worker.afters);
        }
        let cells = game.state_view(&state).cells;
        Played { score, largest: cells.iter().copied().max().unwrap_or(0), moves, extra_moves: 0 }
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
