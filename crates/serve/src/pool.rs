//! Searches: a few at a time, a short queue, and given up when nobody waits for them any more.

use crate::metrics::Metrics;
use crate::options::Limits;
use crate::problem::Problem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// True if the client of a search has gone.
#[derive(Clone, Default)]
pub(crate) struct Gone(Arc<AtomicBool>);

impl Gone {
    pub(crate) fn is_gone(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// Says so when the request is dropped: hyper drops it when the connection closes.
struct Waiting(Gone);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.0.store(true, Relaxed);
    }
}

/// The right to search.
pub(crate) struct Turn {
    _permit: OwnedSemaphorePermit,
}

/// Queue of the searches.
pub(crate) struct Pool {
    turns: Arc<Semaphore>,
    waiting: AtomicUsize,
    queue: usize,
    queue_time: Duration,
}

/// One place in the queue.
struct Place<'a>(&'a AtomicUsize);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Pool {
    pub(crate) fn new(limits: &Limits) -> Self {
        let turns = Arc::new(Semaphore::new(limits.searches.max(1)));
        Self { turns, waiting: AtomicUsize::new(0), queue: limits.queue, queue_time: limits.queue_time }
    }

    /// Number of waiting requests.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Relaxed)
    }

    /// Waits for a turn, in the order of arrival; with too many waiting the server is busy.
    pub(crate) async fn turn(&self, metrics: &Metrics) -> Result<Turn, Problem> {
        let ahead = self.waiting.fetch_add(1, Relaxed);
        let _place = Place(&self.waiting);
        if ahead >= self.queue {
            metrics.busy();
            return Err(Problem::busy(&format!("{ahead} requests wait already")));
        }
        match timeout(self.queue_time, Arc::clone(&self.turns).acquire_owned()).await {
            Ok(Ok(permit)) => Ok(Turn { _permit: permit }),
            Ok(Err(_)) => Err(Problem::busy("the server is stopping")),
            Err(_) => {
                metrics.busy();
                Err(Problem::busy("no search ended in time"))
            }
        }
    }

    /// Runs a search on a thread of its own when its turn has come.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        metrics: &Metrics,
        work: impl FnOnce(&Gone) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let turn = self.turn(metrics).await?;
        let gone = Gone::default();
        let waiting = Waiting(gone.clone());
        let answer = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work(&gone)
        })
        .await;
        drop(waiting);
        answer.map_err(|error| Problem::defect(format!("a search ended early: {error}")))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_request_ends_its_search_and_a_full_queue_is_busy() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let limits = Limits { searches: 1, queue: 1, ..Limits::default() };
            let (pool, metrics) = (Arc::new(Pool::new(&limits)), Arc::new(Metrics::default()));
            let ended = Arc::new(AtomicBool::new(false));
            let endless = {
                let (pool, metrics, ended) = (Arc::clone(&pool), Arc::clone(&metrics), Arc::clone(&ended));
                tokio::spawn(async move {
                    pool.run(&metrics, move |gone| {
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
                tokio::spawn(async move { pool.run(&metrics, |_| Ok(7)).await })
            };
            tokio::time::sleep(Duration::from_millis(20)).await;
            assert_eq!(pool.waiting(), 1);
            let third = pool.run(&metrics, |_| Ok(())).await.unwrap_err();
            assert_eq!(third.status.as_u16(), 503);
            endless.abort();
            assert_eq!(second.await.unwrap().unwrap(), 7);
            assert!(ended.load(Relaxed), "the search went on for nobody");
            assert_eq!(pool.waiting(), 0);
        });
    }
}
