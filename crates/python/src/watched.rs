//! Long work without the interpreter's lock: Python goes on, and Ctrl-C stops it.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Interval at which the calling thread looks for Ctrl-C.
const TICK: Duration = Duration::from_millis(50);

/// Does the work on another thread; meanwhile the calling one handles signals and calls `tick` now
/// and then.
///
/// If either raises, the work is told to stop, and the exception is raised when it has stopped.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
    mut tick: impl FnMut(Python<'_>) -> PyResult<bool> + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, wait) = channel();
            let stop = &stop;
            let worker = scope.spawn(move || {
                let result = work(stop);
                let _ = done.send(());
                result
            });
            let mut raised = None;
            while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let went_well = Python::attach(|py| py.check_signals().and_then(|()| tick(py)));
                match went_well {
                    _ if raised.is_some() => {}
                    Ok(true) => {}
                    Ok(false) => stop.store(true, Relaxed),
                    Err(error) => {
                        stop.store(true, Relaxed);
                        raised = Some(error);
                    }
                }
            }
            let result = match worker.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            raised.map_or(Ok(result), Err)
        })
    })
}
