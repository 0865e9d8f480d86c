//! Evaluation: many games in parallel, and their summary.
//!
//! Game `i` takes its chance from `Random::stream(seed, i)`, whichever thread plays
//! it, and results come back in the order of `i`: the numbers are the same for any
//! number of threads.

use crate::episode::{Episode, Record, Witness, play, play_on};
use crate::game::{Game, Outcome};
use crate::player::{Choice, Player};
use crate::random::Random;
use crate::statistics::{Distribution, Proportion};
use crate::task::{Goal, Task};
use crate::threads;
use std::ops::{ControlFlow, Range};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Games to play.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The numbers of the games; a shard plays a part of them.
    pub games: Range<u64>,
    /// Seed of all chance.
    pub seed: u64,
    /// Games played at the same time.
    pub threads: usize,
    /// True if observers receive every game's record.
    pub record: bool,
    /// Start and end of games, if not as the rules say.
    pub task: Task,
}

impl Plan {
    /// The first `games` games under a seed, one at a time, without records.
    pub fn new(games: u64, seed: u64) -> Self {
        Self { games: 0..games, seed, threads: 1, record: false, task: Task::default() }
    }
}

/// The result of one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// The number of the game.
    pub index: u64,
    /// The points at the end.
    pub score: u64,
    /// Number of moves of the player.
    pub moves: u64,
    /// The rank of the largest tile.
    pub max_rank: u8,
    /// True if it came to the goal of its task.
    pub goal: bool,
}

/// Someone who follows an evaluation from all its threads: shows progress, stamps time, stops it.
pub trait GameObserver<G: Game>: Sync {
    /// A game begins, on the thread that calls.
    fn begins(&self, index: u64) {
        let _ = index;
    }

    /// A game is over, on the thread that played it.
    fn ended(&self, played: &Played, record: Option<Record<G::State>>) {
        let _ = (played, record);
    }

    /// Asked before every move: whether to break everything off. Games under way are dropped.
    fn stop(&self) -> bool {
        false
    }
}

/// Nobody follows.
impl<G: Game> GameObserver<G> for () {}

/// Plays the games of a plan, each thread with its own player.
///
/// The results are in the order of the games' numbers; there are fewer than
/// planned only if the observer stopped the evaluation.
pub fn evaluate<G: Game, P: Player<G>>(
    game: &G,
    player: impl Fn() -> P + Sync,
    plan: &Plan,
    observer: &impl GameObserver<G>,
) -> Vec<Played> {
    let next = AtomicU64::new(plan.games.start);
    let results = Mutex::new(Vec::new());
    let work = || {
        let mut player = player();
        let mut mine = Vec::new();
        while !observer.stop() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= plan.games.end {
                break;
            }
            observer.begins(index);
            let record = plan.record.then(Record::default);
            let mut watch =
                EpisodeWitness { observer, record, goal: plan.task.goal.as_ref(), reached: false };
            let mut random = Random::stream(plan.seed, index);
            let episode = match &plan.task.start {
                None => play(game, &mut player, &mut random, &mut watch),
                Some(generator) => {
                    player.begin(game, Random::new(random.next_u64()));
                    let start = generator.start(game, index, &mut random);
                    play_on(game, &mut player, start, &mut random, &mut watch)
                }
            };
            if episode.truncated && !watch.reached {
                break;
            }
            let Episode { score, moves, max_rank, .. } = episode;
            let played = Played { index, score, moves, max_rank, goal: watch.reached };
            observer.ended(&played, watch.record);
            mine.push(played);
        }
        results.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).append(&mut mine);
    };
    threads::together(plan.threads, work);
    let mut results = results.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    results.sort_unstable_by_key(|played| played.index);
    results
}

/// Records a game if asked to, cuts it at its goal, and passes on the wish to stop.
struct EpisodeWitness<'a, O, S> {
    observer: &'a O,
    record: Option<Record<S>>,
    goal: Option<&'a Goal>,
    reached: bool,
}

impl<G: Game, O: GameObserver<G>> Witness<G> for EpisodeWitness<'_, O, G::State> {
    fn start(&mut self, game: &G, state: &G::State) {
        if let Some(record) = &mut self.record {
            record.start(game, state);
        }
    }

    fn step(
        &mut self,
        game: &G,
        choice: &Choice<G::Afterstate>,
        outcome: &Outcome<G::State>,
    ) -> ControlFlow<()> {
        if self.observer.stop() {
            return ControlFlow::Break(());
        }
        self.reached = self.goal.is_some_and(|goal| goal.is_on(game.view(&choice.slide.afterstate).cells));
        if let Some(record) = &mut self.record {
            record.step(game, choice, outcome)?;
        }
        if self.reached { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Summary of many games.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Number of games.
    pub games: u64,
    /// Their scores.
    pub score: Distribution,
    /// Their numbers of moves.
    pub moves: Distribution,
    /// The labels of their largest tiles.
    pub largest: Distribution,
    /// Games that reached the winning tile.
    pub win: Proportion,
    /// Games that reached the goal of their task; none without one.
    pub goal: Proportion,
    /// One entry for every tile, from rank 1 to the largest seen or the winning one.
    pub tiles: Vec<Reached>,
}

/// Rate of games that reached one tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached {
    /// The tile's rank.
    pub rank: u8,
    /// The tile's label.
    pub label: u64,
    /// Games in which it was the largest.
    pub largest: u64,
    /// Games whose largest tile was this or a larger one.
    pub reached: Proportion,
}

impl Summary {
    /// Sums up games in the order they are given; `None` if there are none.
    pub fn of<G: Game>(game: &G, played: &[Played]) -> Option<Self> {
        let all = |f: &dyn Fn(&Played) -> u64| Distribution::of(&played.iter().map(f).collect::<Vec<_>>());
        let games = played.len() as u64;
        let reach = |rank| Proportion {
            hits: played.iter().filter(|p| p.max_rank >= rank).count() as u64,
            trials: games,
        };
        let largest = played.iter().map(|p| p.max_rank).max()?;
        let tiles = (1..=largest.max(game.win_rank())).map(|rank| Reached {
            rank,
            label: game.label(rank),
            largest: played.iter().filter(|p| p.max_rank == rank).count() as u64,
            reached: reach(rank),
        });
        Some(Self {
            games,
            score: all(&|p| p.score)?,
            moves: all(&|p| p.moves)?,
            largest: all(&|p| game.label(p.max_rank))?,
            win: reach(game.win_rank()),
            goal: Proportion { hits: played.iter().filter(|p| p.goal).count() as u64, trials: games },
            tiles: tiles.collect(),
        })
    }
}
