//! Connections: their number, their timeouts, and the end of the server.

use crate::client::{Client, Crowds};
use crate::engine_pool::EnginePool;
use crate::options::Options;
use crate::pool::Pool;
use crate::problem::Problem;
use crate::request_log::RequestLog;
use crate::write_timeout::WriteTimeout;
use crate::{App, api, engine_pool, run_files};
use afterstate_lab::engine::EngineError;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::fmt;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

/// Why the server could not start.
#[derive(Debug)]
pub enum StartError {
    /// The address is taken or not ours.
    Bind(SocketAddr, io::Error),
    /// A model cannot be used.
    Model(EngineError),
    /// The operating system gives no threads.
    Threads(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bind(addr, error) => {
                write!(f, "cannot listen on {addr}: {error}")
            }
            Self::Model(error) => error.fmt(f),
            Self::Threads(error) => write!(f, "cannot start threads: {error}"),
        }
    }
}

impl std::error::Error for StartError {}

/// A server that listens, but does not answer yet.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    told: Option<Told>,
}

/// Listener to the news that the player of the default game is ready, or why it is not.
type Told = Box<dyn FnOnce(&str) + Send>;

impl Server {
    /// Loads the models and takes the address.
    pub fn bind(options: Options) -> Result<Self, StartError> {
        let bind = |error| StartError::Bind(options.addr, error);
        let listener = TcpListener::bind(options.addr).map_err(bind)?;
        listener.set_nonblocking(true).map_err(bind)?;
        let engines = EnginePool::open(&options).map_err(StartError::Model)?;
        let app = App {
            engines,
            pool: Pool::new(&options.limits),
            metrics: crate::metrics::Metrics::default(),
            files: crate::run_files::Files::default(),
            ready: std::sync::OnceLock::new(),
            log: std::sync::OnceLock::new(),
            followers: Arc::new(Semaphore::new(options.limits.followers)),
            options,
        };
        Ok(Self { app: Arc::new(app), listener, told: None })
    }

    /// Address it listens on: with the port it was given, where 0 was asked for.
    pub fn addr(&self) -> SocketAddr {
        self.listener.local_addr().unwrap_or(self.app.options.addr)
    }

    /// Tells somebody when the player of the default game is ready, or why it is not.
    #[must_use]
    pub fn when_ready(self, told: impl FnOnce(&str) + Send + 'static) -> Self {
        Self { told: Some(Box::new(told)), ..self }
    }

    /// Writes a line for each request, on a thread of its own.
    #[must_use]
    pub fn with_request_log(self, write: impl FnMut(&str) + Send + 'static) -> Self {
        if let Some(log) = RequestLog::start(write) {
            let _ = self.app.log.set(log);
        }
        self
    }

    /// Models and players of the server, for people.
    pub fn about(&self) -> String {
        self.app.engines.about()
    }

    /// Answers until `stop` says so; asked ten times a second.
    pub fn run(mut self, stop: impl Fn() -> bool + Send + Sync + 'static) -> Result<(), StartError> {
        let limits = &self.app.options.limits;
        // Threads for short searches, for files (some may hang) and for models; each kind has a
        // limit of its own, so that none takes the threads of another.
        let blocking = limits.searches + run_files::TOGETHER + engine_pool::MADE_TOGETHER;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(blocking)
            .thread_name("serve")
            .enable_io()
            .enable_time()
            .build()
            .map_err(StartError::Threads)?;
        let told = self.told.take();
        let bind = |error| StartError::Bind(self.addr(), error);
        let done = runtime.block_on(async {
            let listener = self.listener.try_clone().and_then(tokio::net::TcpListener::from_std);
            let listener = listener.map_err(bind)?;
            if !self.app.options.lazy {
                let app = Arc::clone(&self.app);
                tokio::spawn(async move {
                    let ready = engine_pool::warm_up(&app).await.map_err(|problem| problem.message);
                    if let Some(told) = told {
                        told(ready.as_deref().unwrap_or_else(|why| why));
                    }
                    let _ = app.ready.set(ready);
                });
            }
            accept(listener, Arc::clone(&self.app), stop).await;
            Ok(())
        });
        // Requests under way are dropped, which gives up their searches.
        runtime.shutdown_timeout(Duration::from_secs(2));
        done
    }
}

async fn accept(listener: tokio::net::TcpListener, app: Arc<App>, stop: impl Fn() -> bool) {
    let router = api::router(Arc::clone(&app));
    let free = Arc::new(Semaphore::new(app.options.limits.connections));
    let crowds = Crowds::default();
    while !stop() {
        let Ok(accepted) = tokio::time::timeout(Duration::from_millis(100), listener.accept()).await else {
            continue;
        };
        let Ok((stream, peer)) = accepted else {
            // Out of files, most likely: connections must end first.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let client = Client::of(peer.ip());
        let own = crowds.enter(client, app.options.limits.connections_each);
        match own.zip(Arc::clone(&free).try_acquire_owned().ok()) {
            Some(held) => {
                let (router, app) = (router.clone().layer(Extension(client)), Arc::clone(&app));
                tokio::spawn(async move {
                    let _held = held;
                    converse(stream, router, &app).await;
                });
            }
            None => {
                app.metrics.busy();
                if let Ok(mut plain) = stream.into_std() {
                    refuse(&mut plain, &Problem::busy("too many connections"));
                }
            }
        }
    }
}

/// All requests of one connection.
async fn converse(stream: TcpStream, router: Router, app: &App) {
    let limits = &app.options.limits;
    let _ = stream.set_nodelay(true);
    let Ok(plain) = stream.into_std() else { return };
    // A second handle, to say why a request that never arrives whole is not answered.
    let Ok(mut second) = plain.try_clone() else { return };
    let Ok(stream) = TcpStream::from_std(plain) else { return };
    let io = TokioIo::new(WriteTimeout::new(stream, limits.unread_time));
    let talk = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.request_time)
        .max_buf_size(64 << 10)
        .serve_connection(io, TowerToHyperService::new(router));
    if talk.await.is_err_and(|error| error.is_timeout()) {
        refuse(&mut second, &Problem::too_slow());
    }
}

/// An answer to somebody whose request was not read; whoever does not take it at once goes without.
fn refuse(stream: &mut std::net::TcpStream, problem: &Problem) {
    let body = problem.json();
    let _ = write!(
        stream,
        "HTTP/1.1 {} {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n{}\r\n{body}",
        problem.status.as_u16(),
        problem.status.canonical_reason().unwrap_or(""),
        body.len(),
        if problem.status.as_u16() == 503 { "retry-after: 1\r\n" } else { "" },
    );
}
