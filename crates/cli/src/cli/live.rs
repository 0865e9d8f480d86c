//! The options of `play`, `watch` and `serve`.

use super::EngineArgs;
use clap::Args;
use std::path::PathBuf;

/// Play a game on this terminal: colours, hints, values of moves, undo, and the AI plays if you
/// like.
///
/// Keys: arrows, WASD or HJKL slide; space lets the AI play, + and - set its speed; t hint; v
/// values; u undo; y redo; n new game; p and P look further or less far ahead; g next game; b next
/// board; q quits. The AI looks three moves ahead unless --ply says otherwise, two on boards of more
/// than 20 cells, one on more than 36.
#[derive(Args)]
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

/// Open the page and the HTTP API: play, watch, analyse.
///
/// Listens on this machine only, unless --addr says otherwise. Ctrl-C ends it.
#[derive(Args)]
#[command(after_help = "Examples:
  afterstate serve
  afterstate serve --model model.afterstate --runs runs
  afterstate serve --addr 0.0.0.0:8080 --host box.lan")]
pub(crate) struct Serve {
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:2048")]
    pub(crate) addr: std::net::SocketAddr,
    /// A model of any format; may be given several times, for several games
    #[arg(long, value_name = "M")]
    pub(crate) model: Vec<PathBuf>,
    /// Moves to look ahead where a request does not say
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=i64::from(afterstate::search::MAX_PLY)))]
    pub(crate) ply: Option<u8>,
    /// Follow the endgame tables of this directory where they fit, and show their chances; see
    /// `afterstate endgames`
    #[arg(long, value_name = "DIR")]
    pub(crate) endgames: Option<PathBuf>,
    /// The directory whose runs may be watched; nothing outside it is read
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub(crate) runs: PathBuf,
    /// A name under which clients may call this server, besides localhost and plain addresses
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
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
