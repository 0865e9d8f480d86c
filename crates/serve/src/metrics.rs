//! Numbers for those who watch the server, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The upper ends of the classes of response times, in seconds.
const CLASSES: [f64; 9] = [0.0005, 0.001, 0.002, 0.005, 0.02, 0.05, 0.2, 1.0, 10.0];

/// Requests to one route.
#[derive(Default)]
struct Route {
    by_status: BTreeMap<u16, u64>,
    classes: [u64; CLASSES.len()],
    seconds: f64,
    count: u64,
}

/// Everything that is counted. Routes are a fixed list, so it does not grow.
#[derive(Default)]
pub(crate) struct Metrics {
    routes: Mutex<BTreeMap<String, Route>>,
    busy: AtomicU64,
    searches: AtomicU64,
    moves: AtomicU64,
}

impl Metrics {
    pub(crate) fn busy(&self) {
        self.busy.fetch_add(1, Relaxed);
    }

    /// A search that ended, and how many moves it decided.
    pub(crate) fn searched(&self, moves: u64) {
        self.searches.fetch_add(1, Relaxed);
        self.moves.fetch_add(moves, Relaxed);
    }

    pub(crate) fn answered(&self, route: &str, status: u16, time: Duration) {
        let mut routes = self.routes.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if !routes.contains_key(route) {
            routes.insert(route.into(), Route::default());
        }
        let Some(found) = routes.get_mut(route) else { return };
        let seconds = time.as_secs_f64();
        *found.by_status.entry(status).or_default() += 1;
        for (count, limit) in found.classes.iter_mut().zip(CLASSES) {
            *count += u64::from(seconds <= limit);
        }
        found.seconds += seconds;
        found.count += 1;
    }

    /// The whole page.
    pub(crate) fn page(&self, waiting: usize, followers: usize) -> String {
        let mut text = String::new();
        let routes = self.routes.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        text +=
            "# HELP afterstate_requests_total Requests answered.\n# TYPE afterstate_requests_total counter\n";
        for (route, found) in routes.iter() {
            for (status, count) in &found.by_status {
                let _ = writeln!(
                    text,
                    "afterstate_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}"
                );
            }
        }
        text += "# HELP afterstate_request_seconds Time until the answer began.\n# TYPE afterstate_request_seconds histogram\n";
        for (route, found) in routes.iter() {
            for (limit, count) in CLASSES.iter().zip(found.classes) {
                let _ = writeln!(
                    text,
                    "afterstate_request_seconds_bucket{{route=\"{route}\",le=\"{limit}\"}} {count}"
                );
            }
            let _ = writeln!(
                text,
                "afterstate_request_seconds_bucket{{route=\"{route}\",le=\"+Inf\"}} {0}\n\
                 afterstate_request_seconds_sum{{route=\"{route}\"}} {1}\n\
                 afterstate_request_seconds_count{{route=\"{route}\"}} {0}",
                found.count, found.seconds
            );
        }
        let counters = [
            (
                "afterstate_busy_total",
                "counter",
                "Requests refused because too many waited.",
                self.busy.load(Relaxed),
            ),
            ("afterstate_searches_total", "counter", "Requests that searched.", self.searches.load(Relaxed)),
            ("afterstate_moves_total", "counter", "Moves decided or judged.", self.moves.load(Relaxed)),
            ("afterstate_waiting", "gauge", "Requests waiting for their search.", waiting as u64),
            ("afterstate_followers", "gauge", "Clients following runs.", followers as u64),
            ("process_resident_memory_bytes", "gauge", "Memory in use.", resident()),
        ];
        for (name, kind, help, value) in counters {
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}");
        }
        text
    }
}

/// The memory this process holds, as Linux tells it; 0 elsewhere.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}
