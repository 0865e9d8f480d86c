//! Options and limits of the server.

use afterstate_lab::api::Bounds;
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
    /// Time for a search instead.
    pub time_per_move: Option<Duration>,
    /// A directory of endgame tables, for the games they fit.
    pub endgames: Option<PathBuf>,
    /// The tile from which on they are followed; by default always.
    pub endgames_from: Option<u64>,
    /// False to load the player of the default game at the start.
    pub lazy: bool,
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
            time_per_move: None,
            endgames: None,
            endgames_from: None,
            lazy: false,
            limits: Limits::default(),
        }
    }
}

/// Limits on what clients can cost, alone and together.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The largest request body, in bytes.
    pub body: usize,
    /// Limits of one request about a game.
    pub bounds: Bounds,
    /// Searches at a time.
    pub searches: usize,
    /// Requests that may wait for their search; one more is told that the server is busy.
    pub queue: usize,
    /// Short requests of one address that may wait or be under way; loopback addresses excepted.
    pub short_each: usize,
    /// Long works that may wait or rest; those under way are half as many as searches.
    pub long_queue: usize,
    /// Long works of one address, likewise.
    pub long_each: usize,
    /// Connections of one address, likewise.
    pub connections_each: usize,
    /// The longest a request waits for its search.
    pub queue_time: Duration,
    /// The longest a request waits for a model to be loaded.
    pub loading_time: Duration,
    /// Connections at a time.
    pub connections: usize,
    /// Clients that may follow runs at a time.
    pub followers: usize,
    /// Longest time a client may take to send its request, the head and the body each.
    pub request_time: Duration,
    /// Longest time a client may leave an answer unread.
    pub unread_time: Duration,
    /// Engines kept ready, besides those of the models, while memory allows; each takes [`Limits::table_bytes`].
    pub engines: usize,
    /// Bytes of the transposition table of each engine.
    pub table_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 1 << 20,
            bounds: Bounds::default(),
            searches: std::thread::available_parallelism().map_or(2, usize::from),
            queue: 128,
            short_each: 32,
            long_queue: 32,
            long_each: 4,
            connections_each: 64,
            queue_time: Duration::from_secs(10),
            loading_time: Duration::from_secs(60),
            connections: 256,
            followers: 32,
            request_time: Duration::from_secs(10),
            unread_time: Duration::from_secs(30),
            engines: 16,
            table_bytes: 16 << 20,
        }
    }
}
