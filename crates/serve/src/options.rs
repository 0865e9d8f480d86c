//! Options and limits of the server.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// Everything that can be set. The defaults serve one person on their own machine.
#[derive(Clone, Debug)]
pub struct Options {
    /// Address to listen on.
    pub addr: SocketAddr,
    /// Models to play with; other games are played by built-in models or the heuristic player.
    pub models: Vec<PathBuf>,
    /// Run directories are looked for below this one; nothing outside is ever read.
    pub runs: PathBuf,
    /// Names under which clients may call this server, besides `localhost` and plain addresses.
    pub hosts: Vec<String>,
    /// Moves to look ahead where a request does not say.
    pub ply: Option<u8>,
    /// A directory of endgame tables, for the games they fit.
    pub endgames: Option<PathBuf>,
    /// Limits on what one client can cost.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            addr: SocketAddr::from((Ipv4Addr::LOCALHOST, 2048)),
            models: Vec::new(),
            runs: PathBuf::from("runs"),
            hosts: Vec::new(),
            ply: None,
            endgames: None,
            limits: Limits::default(),
        }
    }
}

/// Limits on what clients can cost, alone and together.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The largest request body, in bytes.
    pub body: usize,
    /// The longest any one search may take.
    pub search_time: Duration,
    /// The longest a whole game may be analysed.
    pub game_time: Duration,
    /// The longest one batch of moves may be played.
    pub batch_time: Duration,
    /// The most moves of one batch.
    pub batch_moves: u64,
    /// The most moves of a replay.
    pub replay_moves: usize,
    /// Searches at a time.
    pub searches: usize,
    /// Requests that may wait for their search; one more is told that the server is busy.
    pub queue: usize,
    /// The longest a request waits for its search.
    pub queue_time: Duration,
    /// Connections at a time.
    pub connections: usize,
    /// Clients that may follow runs at a time.
    pub followers: usize,
    /// Longest time a client may take to send its request, the head and the body each.
    pub request_time: Duration,
    /// Longest time a client may leave an answer unread.
    pub unread_time: Duration,
    /// Engines kept ready, besides those of the models; each takes [`Limits::table_bytes`].
    pub engines: usize,
    /// Bytes of the transposition table of each engine.
    pub table_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 1 << 20,
            search_time: Duration::from_secs(10),
            game_time: Duration::from_secs(120),
            batch_time: Duration::from_millis(400),
            batch_moves: 1000,
            replay_moves: 50_000,
            searches: std::thread::available_parallelism().map_or(2, usize::from),
            queue: 128,
            queue_time: Duration::from_secs(10),
            connections: 256,
            followers: 32,
            request_time: Duration::from_secs(10),
            unread_time: Duration::from_secs(30),
            engines: 6,
            table_bytes: 16 << 20,
        }
    }
}
