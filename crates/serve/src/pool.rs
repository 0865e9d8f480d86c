//! Searches: a few at a time, short ones never behind long ones, and given up when nobody waits for
//! them any more.
//!
//! A hint and the analysis of a whole game have queues and turns of their own. Long work runs on
//! threads that the system puts behind others, gives its turn back while nobody reads what it has
//! found, and, where others wait, after a quarter of a second, in the midst of a search. What one
//! address may have waiting or under way is limited, so that nobody can fill a queue alone.

use crate::client::{Client, Crowds, OneOf};
use crate::metrics::Metrics;
use crate::options::Limits;
use crate::problem::Problem;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// So long a long work keeps its turn while others wait for one.
const SLICE: Duration = Duration::from_millis(250);

/// Length of a work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Length {
    /// A hint, a move, a game read.
    Short,
    /// A deep search, the analysis of a whole game.
    Long,
}

/// True if the client of a search has gone.
#[derive(Clone, Default)]
pub(crate) struct Gone(Arc<AtomicBool>);

impl Gone {
    pub(crate) fn is_gone(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// What a search asks now and then.
pub(crate) struct Watch {
    gone: Gone,
    turn: Option<Mutex<LongTurn>>,
}

impl Watch {
    /// True if nobody waits for the search any more; a long one lets others have their turn before.
    pub(crate) fn is_gone(&self) -> bool {
        if let Some(turn) = &self.turn {
            turn.lock().unwrap_or_else(PoisonError::into_inner).breathe();
        }
        self.gone.is_gone()
    }
}

/// Says so when the request is dropped: hyper drops it when the connection closes.
struct Waiting(Gone);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.0.store(true, Relaxed);
    }
}

/// Work of one length: its turns, its queue, its clients.
struct Lane {
    turns: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    under_way: Arc<AtomicUsize>,
    /// The most requests that wait or are under way.
    most: usize,
    /// And of one address, where addresses tell clients apart.
    each: usize,
    crowds: Crowds,
}

/// A place among the requests of a lane, held until its work is done.
pub(crate) struct Place {
    under_way: Arc<AtomicUsize>,
    _own: OneOf,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.under_way.fetch_sub(1, Relaxed);
    }
}

/// One more who waits.
struct Waits(Arc<AtomicUsize>);

impl Waits {
    fn among(waiting: &Arc<AtomicUsize>) -> Self {
        waiting.fetch_add(1, Relaxed);
        Self(Arc::clone(waiting))
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Lane {
    fn new(turns: usize, queue: usize, each: usize) -> Self {
        Self {
            turns: Arc::new(Semaphore::new(turns)),
            waiting: Arc::default(),
            under_way: Arc::default(),
            most: turns + queue,
            each,
            crowds: Crowds::default(),
        }
    }

    fn enter(&self, client: Client) -> Result<Place, Problem> {
        let own = self.crowds.enter(client, self.each).ok_or_else(|| {
            Problem::too_many(&format!("{} requests of your address wait already", self.each))
        })?;
        let place = Place { under_way: Arc::clone(&self.under_way), _own: own };
        if self.under_way.fetch_add(1, Relaxed) >= self.most {
            return Err(Problem::busy(&format!("{} requests wait already", self.waiting.load(Relaxed))));
        }
        Ok(place)
    }

    async fn turn(&self, patience: Duration) -> Result<OwnedSemaphorePermit, Problem> {
        let _waits = Waits::among(&self.waiting);
        match timeout(patience, Arc::clone(&self.turns).acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) => Err(Problem::busy("the server is stopping")),
            Err(_) => Err(Problem::busy("no search ended in time")),
        }
    }
}

/// The right to work on something long, which can be given back for a while.
pub(crate) struct LongTurn {
    turns: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    permit: Option<OwnedSemaphorePermit>,
    since: Instant,
    runtime: Handle,
    _place: Place,
}

impl LongTurn {
    /// Waits for something without the turn.
    pub(crate) fn pause<T>(&mut self, wait: impl FnOnce() -> T) -> T {
        self.permit = None;
        let waited = wait();
        let _waits = Waits::among(&self.waiting);
        self.permit = self.runtime.block_on(Arc::clone(&self.turns).acquire_owned()).ok();
        self.since = Instant::now();
        waited
    }

    /// Lets others have their turn, if they wait and this one was long.
    pub(crate) fn breathe(&mut self) {
        if self.waiting.load(Relaxed) > 0 && self.since.elapsed() >= SLICE {
            self.pause(|| ());
        }
    }
}

/// All searches.
pub(crate) struct Pool {
    short: Lane,
    long: Lane,
    patience: Duration,
}

impl Pool {
    pub(crate) fn new(limits: &Limits) -> Self {
        let searches = limits.searches.max(1);
        Self {
            short: Lane::new(searches, limits.queue, limits.short_each),
            long: Lane::new(searches.div_ceil(2), limits.long_queue, limits.long_each),
            patience: limits.queue_time,
        }
    }

    /// Number of waiting requests.
    pub(crate) fn waiting(&self) -> usize {
        self.short.waiting.load(Relaxed) + self.long.waiting.load(Relaxed)
    }

    /// Runs a search on a thread of its own when its turn has come.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        length: Length,
        client: Client,
        metrics: &Metrics,
        work: impl FnOnce(&Watch) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let gone = Gone::default();
        let waiting = Waiting(gone.clone());
        let answer = match length {
            Length::Short => {
                let place = counted(self.short.enter(client), metrics)?;
                let turn = counted(self.short.turn(self.patience).await, metrics)?;
                let working = tokio::task::spawn_blocking(move || {
                    let _held = (place, turn);
                    work(&Watch { gone, turn: None })
                });
                working.await.map_err(|error| Problem::defect(format!("a search ended early: {error}")))
            }
            Length::Long => {
                let (told, answer) = tokio::sync::oneshot::channel();
                let working = move |turn: LongTurn| {
                    drop(told.send(work(&Watch { gone, turn: Some(Mutex::new(turn)) })));
                };
                self.start(client, metrics, working).await?;
                answer.await.map_err(|_| Problem::defect("a search ended early"))
            }
        };
        drop(waiting);
        answer?
    }

    /// Starts a long work when its turn has come, on a thread that others go before.
    pub(crate) async fn start(
        &self,
        client: Client,
        metrics: &Metrics,
        work: impl FnOnce(LongTurn) + Send + 'static,
    ) -> Result<(), Problem> {
        let place = counted(self.long.enter(client), metrics)?;
        let permit = counted(self.long.turn(self.patience).await, metrics)?;
        let turn = LongTurn {
            turns: Arc::clone(&self.long.turns),
            waiting: Arc::clone(&self.long.waiting),
            permit: Some(permit),
            since: Instant::now(),
            runtime: Handle::current(),
            _place: place,
        };
        let working = std::thread::Builder::new().name("long".into()).spawn(move || {
            step_back();
            work(turn);
        });
        working.map(drop).map_err(|_| Problem::busy("the system gives no more threads"))
    }
}

fn counted<T>(found: Result<T, Problem>, metrics: &Metrics) -> Result<T, Problem> {
    found.inspect_err(|_| metrics.busy())
}

/// Puts this thread behind others who want the processor. Elsewhere than on Linux this would be the
/// whole process.
fn step_back() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(10);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn client(number: u8) -> Client {
        Client::of(Ipv4Addr::new(192, 0, 2, number).into())
    }

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
    }

    #[test]
    fn a_dropped_request_ends_its_search_and_a_full_queue_is_busy() {
        for length in [Length::Short, Length::Long] {
            runtime().block_on(async {
                let limits = Limits { searches: 1, queue: 1, long_queue: 1, ..Limits::default() };
                let (pool, metrics) = (Arc::new(Pool::new(&limits)), Arc::new(Metrics::default()));
                let ended = Arc::new(AtomicBool::new(false));
                let endless = {
                    let (pool, metrics, ended) =
                        (Arc::clone(&pool), Arc::clone(&metrics), Arc::clone(&ended));
                    tokio::spawn(async move {
                        pool.run(length, client(1), &metrics, move |gone| {
                            while !gone.is_gone() {
                                std::thread::sleep(Duration::from_millis(1));
                            }
                            ended.store(true, Relaxed);
                            Ok(())
                        })
                        .await
                    })
                };
                tokio::time::sleep(Duration::from_millis(20)).await;
                let second = {
                    let (pool, metrics) = (Arc::clone(&pool), Arc::clone(&metrics));
                    tokio::spawn(async move { pool.run(length, client(2), &metrics, |_| Ok(7)).await })
                };
                tokio::time::sleep(Duration::from_millis(20)).await;
                assert_eq!(pool.waiting(), 1);
                let third = pool.run(length, client(3), &metrics, |_| Ok(())).await.unwrap_err();
                assert_eq!(third.status.as_u16(), 503);
                endless.abort();
                assert_eq!(second.await.unwrap().unwrap(), 7);
                assert!(ended.load(Relaxed), "the search went on for nobody");
                assert_eq!(pool.waiting(), 0);
            });
        }
    }

    #[test]
    fn short_work_never_waits_for_long_work() {
        runtime().block_on(async {
            let limits = Limits { searches: 1, ..Limits::default() };
            let (pool, metrics) = (Arc::new(Pool::new(&limits)), Arc::new(Metrics::default()));
            let stop = Gone::default();
            for number in 1..=3 {
                let (pool, metrics, stop) = (Arc::clone(&pool), Arc::clone(&metrics), stop.clone());
                tokio::spawn(async move {
                    let work = move |_: LongTurn| {
                        while !stop.is_gone() {
                            std::thread::sleep(Duration::from_millis(1));
                        }
                    };
                    pool.start(client(number), &metrics, work).await
                });
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
            let asked = Instant::now();
            assert_eq!(pool.run(Length::Short, client(9), &metrics, |_| Ok(7)).await.unwrap(), 7);
            assert!(asked.elapsed() < Duration::from_millis(500), "{:?}", asked.elapsed());
            stop.0.store(true, Relaxed);
        });
    }

    #[test]
    fn a_turn_is_given_back_while_nobody_reads() {
        runtime().block_on(async {
            let limits = Limits { searches: 1, ..Limits::default() };
            let (pool, metrics) = (Arc::new(Pool::new(&limits)), Metrics::default());
            let (read, unread) = std::sync::mpsc::channel::<()>();
            pool.start(client(1), &metrics, move |mut turn| {
                turn.pause(|| unread.recv().is_err());
            })
            .await
            .unwrap();
            let other = pool.run(Length::Long, client(2), &metrics, |_| Ok(7));
            assert_eq!(timeout(Duration::from_secs(5), other).await.unwrap().unwrap(), 7);
            drop(read);
        });
    }

    /// Works as long as nobody says stop, and lets others have their turn.
    fn endless(mut turn: LongTurn, stop: &Gone) {
        while !stop.is_gone() {
            std::thread::sleep(Duration::from_millis(1));
            turn.breathe();
        }
    }

    #[test]
    fn long_searches_take_turns() {
        runtime().block_on(async {
            let limits = Limits { searches: 1, ..Limits::default() };
            let (pool, metrics) = (Arc::new(Pool::new(&limits)), Arc::new(Metrics::default()));
            let first = {
                let (pool, metrics) = (Arc::clone(&pool), Arc::clone(&metrics));
                tokio::spawn(async move {
                    let deep = |gone: &Watch| {
                        while !gone.is_gone() {
                            std::thread::sleep(Duration::from_millis(1));
                        }
                        Ok(())
                    };
                    pool.run(Length::Long, client(1), &metrics, deep).await
                })
            };
            tokio::time::sleep(Duration::from_millis(20)).await;
            let other = pool.run(Length::Long, client(2), &metrics, |_| Ok(7));
            assert_eq!(timeout(Duration::from_secs(5), other).await.unwrap().unwrap(), 7);
            assert!(!first.is_finished());
            first.abort();
        });
    }

    #[test]
    fn whoever_gave_a_turn_back_gets_one_again() {
        runtime().block_on(async {
            let limits = Limits { searches: 1, ..Limits::default() };
            let (pool, metrics, stop) = (Pool::new(&limits), Metrics::default(), Gone::default());
            let (read, unread) = std::sync::mpsc::channel::<()>();
            let (told, back) = tokio::sync::oneshot::channel();
            let paused = move |mut turn: LongTurn| {
                turn.pause(|| unread.recv().is_err());
                told.send(()).ok();
            };
            pool.start(client(1), &metrics, paused).await.unwrap();
            let until = stop.clone();
            pool.start(client(2), &metrics, move |turn| endless(turn, &until)).await.unwrap();
            drop(read);
            let back = timeout(Duration::from_secs(5), back).await;
            stop.0.store(true, Relaxed);
            back.expect("one who waits again is one who waits").unwrap();
        });
    }

    #[test]
    fn one_address_cannot_fill_a_queue() {
        let limits = Limits { searches: 1, long_queue: 100, long_each: 2, ..Limits::default() };
        let pool = Pool::new(&limits);
        let held: Vec<Place> = (0..2).map(|_| pool.long.enter(client(1)).unwrap()).collect();
        assert_eq!(pool.long.enter(client(1)).map(drop).unwrap_err().status.as_u16(), 429);
        pool.long.enter(client(2)).unwrap();
        let own = Client::of(Ipv4Addr::LOCALHOST.into());
        let many: Result<Vec<Place>, _> = (0..5).map(|_| pool.long.enter(own)).collect();
        assert!(many.is_ok(), "behind a proxy all have one address");
        drop(held);
        pool.long.enter(client(1)).unwrap();
    }
}
