//! The options of `play`, `watch`, `serve` and `site`.

use super::engine::judges;
use super::{EngineArgs, duration};
use afterstate_lab::api::Bounds;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// Play a game on this terminal: colours, hints, values of moves, undo, and the AI plays if you
/// like.
///
/// Keys: arrows, WASD or HJKL slide; space lets the AI play, + and - set its speed; t hint; v
/// values; u undo; y redo; n new game; p and P look further or less far ahead; g next game; b next
/// board; q quits. The AI looks three moves ahead unless --ply says otherwise, two on boards of more
/// than 20 cells, one on more than 36.
#[derive(Args)]
#[command(mut_arg("player", |player| player.value_parser(judges())))]
#[command(after_help = "Examples:
  afterstate play
  afterstate play --game threes
  afterstate play --save games.jsonl
  afterstate play --game 2048-5x5 --model model.afterstate --ply 2")]
pub(crate) struct Play {
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// Seed of all chance [default: the clock]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// Moves a second when the AI plays
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) speed: u32,
    /// Append the games to this file, as `evaluate --save` writes them; `analyze` and the page read it
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
}

/// Watch the AI play on this terminal; the keys of `play` work here too.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate watch
  afterstate watch --game threes --ply 3 --speed 5
  afterstate watch --model model.afterstate --time-per-move 50ms")]
pub(crate) struct Watch {
    #[command(flatten)]
    pub(crate) play: Play,
}

/// A size of memory.
fn size(text: &str) -> Result<u64, String> {
    let bytes = afterstate_lab::memory::parse_size(text).filter(|&bytes| bytes >= 128 << 20);
    bytes.ok_or_else(|| "write a size of at least 128M, like 2G or 512M".into())
}

/// A time that one search of the server may take.
fn short_time(text: &str) -> Result<Duration, String> {
    let most = Bounds::default().search_time;
    let time = duration(text)?;
    if time > most { Err(format!("at most {} s", most.as_secs())) } else { Ok(time) }
}

/// Open the page and the HTTP API: play, watch, analyse.
///
/// Listens on this machine only, unless --addr says otherwise. Ctrl-C ends it.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate serve
  afterstate serve --port 8080 --memory-limit 2G --log
  afterstate serve --model model.afterstate --runs runs
  afterstate serve --addr 0.0.0.0:8080 --host box.lan")]
pub(crate) struct Serve {
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:2048")]
    pub(crate) addr: std::net::SocketAddr,
    /// Another port of that address; 0 for any that is free
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) port: Option<u16>,
    /// A model: a file of any format, a run directory, or one like builtin:2048; may be given several
    /// times, for several games
    #[arg(long, value_name = "M")]
    pub(crate) model: Vec<PathBuf>,
    /// Moves to look ahead where a request does not say
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=i64::from(afterstate::search::MAX_PLY)))]
    pub(crate) ply: Option<u8>,
    /// Time for a search where a request does not say, like 50ms; at most 10s
    #[arg(long, value_name = "T", allow_hyphen_values = true, conflicts_with = "ply")]
    #[arg(value_parser = short_time)]
    pub(crate) time_per_move: Option<Duration>,
    /// Follow the endgame tables of this directory where they fit, and show their chances; see
    /// `afterstate endgames`
    #[arg(long, value_name = "DIR")]
    pub(crate) endgames: Option<PathBuf>,
    /// Follow them only where this tile or a larger one is on the board, like 32768
    #[arg(long, value_name = "TILE", requires = "endgames")]
    pub(crate) endgames_from: Option<u64>,
    /// The directory whose runs may be watched; nothing outside it is read
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub(crate) runs: PathBuf,
    /// A name under which clients may call this server, besides localhost and plain addresses
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
    /// The most memory the server takes, as 2G or 512M [default: what the machine or its container
    /// has]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory_limit: Option<u64>,
    /// Write a line for each request to standard error
    #[arg(long)]
    pub(crate) log: bool,
    /// Load the player of the first game at the first request, not at the start
    #[arg(long)]
    pub(crate) lazy: bool,
    /// Searches at a time [default: one for each processor]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) searches: Option<u16>,
    /// Requests that may wait for their search before others are told that the server is busy
    /// [default: 128]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=10_000))]
    pub(crate) queue: Option<u16>,
}

/// Write the page as a directory of files that any web server can serve, with the engine and its
/// model inside: no server of ours is needed, and after the first visit no network.
///
/// A model larger than --pack is packed, which takes minutes and gigabytes for the built-in one of
/// 2048. Games without a model are played by the heuristic player.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate site --out site
  afterstate site --out site --model mine.afterstate --model builtin:2048-6x6
  python3 -m http.server --directory site")]
pub(crate) struct Site {
    /// The directory to write to; files of the same names are replaced
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// A model: a file of any format, a run directory, or one like builtin:2048; may be given several
    /// times, for several games [default: builtin:2048]
    #[arg(long, value_name = "M")]
    pub(crate) model: Vec<PathBuf>,
    /// The most MiB that each model may have; a larger one is packed
    #[arg(long, value_name = "MIB", default_value_t = 5.9)]
    pub(crate) pack: f64,
    /// The engine, as `tools/wasm` builds it [default: the one inside this program]
    #[arg(long, value_name = "FILE")]
    pub(crate) engine: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
