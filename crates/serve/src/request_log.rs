//! A line for each request, for whoever runs the server:
//! `2026-11-19T19:25:11.042Z 192.0.2.7 POST /api/v1/analyze 200 2.3 ms`.
//!
//! Lines are written by a thread of their own. Where it cannot follow, lines are left out, and the
//! next one says how many: no request waits for a full disk or a slow terminal.

use crate::client::Client;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Lines that may wait to be written.
const WAITING: usize = 1024;
/// Characters of an address that are told.
const LONGEST: usize = 200;

/// The log, if one is kept.
pub(crate) struct RequestLog {
    sender: SyncSender<String>,
    left_out: AtomicU64,
}

impl RequestLog {
    /// Writes lines with `write`, until the server ends; `None` without a thread to do so.
    pub(crate) fn start(mut write: impl FnMut(&str) + Send + 'static) -> Option<Self> {
        let (sender, lines) = sync_channel::<String>(WAITING);
        let writing = std::thread::Builder::new().name("log".into());
        let writing = writing.spawn(move || lines.iter().for_each(|line| write(&line)));
        writing.is_ok().then(|| Self { sender, left_out: AtomicU64::new(0) })
    }

    /// Adds a request that was answered.
    pub(crate) fn add(&self, client: Client, method: &str, path: &str, status: u16, time: Duration) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let shown: String = path.chars().take(LONGEST).collect();
        let mut line = format!(
            "{} {client} {} {} {status} {:.1} ms",
            moment(now),
            method.escape_debug(),
            shown.escape_debug(),
            time.as_secs_f64() * 1e3
        );
        let left_out = self.left_out.swap(0, Relaxed);
        if left_out > 0 {
            let _ = write!(line, " ({left_out} requests before it are not told)");
        }
        if self.sender.try_send(line).is_err() {
            self.left_out.fetch_add(left_out + 1, Relaxed);
        }
    }
}

/// A moment since 1970 as a date and a time of day, UTC.
fn moment(since: Duration) -> String {
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    // Years that begin in March: the leap day is the last.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = 400 * era + year + next;
    let milliseconds = since.subsec_millis();
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn moments_are_those_of_the_calendar() {
        for (seconds, told) in [
            (0, "1970-01-01T00:00:00.007Z"),
            (951_782_399, "2000-02-28T23:59:59.007Z"),
            (951_782_400, "2000-02-29T00:00:00.007Z"),
            (951_868_800, "2000-03-01T00:00:00.007Z"),
            (1_763_580_311, "2025-11-19T19:25:11.007Z"),
            (4_107_542_400, "2100-03-01T00:00:00.007Z"),
        ] {
            assert_eq!(moment(Duration::from_secs(seconds) + Duration::from_millis(7)), told);
        }
    }

    #[test]
    fn a_writer_that_is_behind_holds_nobody_up() {
        let (go, wait) = channel::<()>();
        let (tell, told) = channel::<String>();
        let log = RequestLog::start(move |line| {
            let _ = wait.recv();
            let _ = tell.send(line.to_owned());
        });
        let log = log.expect("a thread");
        let add = || {
            let client = Client::of([192, 0, 2, 7].into());
            log.add(client, "GET", "/a\n\u{1b}b", 200, Duration::from_millis(2));
        };
        (0..WAITING + 10).for_each(|_| add());
        drop(go);
        let first = told.recv().expect("a line");
        assert!(first.ends_with(r"192.0.2.7 GET /a\n\u{1b}b 200 2.0 ms"), "{first}");
        (1..WAITING).for_each(|_| drop(told.recv().expect("a line")));
        add();
        let rest: Vec<String> =
            std::iter::from_fn(|| told.recv_timeout(Duration::from_secs(1)).ok()).collect();
        assert!(rest.iter().any(|line| line.contains("requests before it are not told")), "{rest:?}");
    }
}
