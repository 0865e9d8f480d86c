//! `serve`: the page and the HTTP API.

use crate::interrupt::Interrupt;
use crate::{cli, output};
use afterstate_serve::{Options, Server, StartError};

pub(crate) fn run(args: &cli::Serve) -> anyhow::Result<()> {
    let mut addr = args.addr;
    addr.set_port(args.port.unwrap_or(addr.port()));
    let mut options = Options {
        addr,
        models: args.model.clone(),
        runs: args.runs.clone(),
        hosts: args.host.clone(),
        ply: args.ply,
        time_per_move: args.time_per_move,
        endgames: args.endgames.clone(),
        endgames_from: args.endgames_from,
        lazy: args.lazy,
        ..Options::default()
    };
    if let Some(searches) = args.searches {
        options.limits.searches = searches.into();
    }
    if let Some(queue) = args.queue {
        options.limits.queue = queue.into();
        options.limits.long_queue = options.limits.long_queue.min(queue.into());
    }
    if args.memory_limit.is_some() {
        afterstate_lab::memory::set_limit(args.memory_limit);
    }
    let server = Server::bind(options).map_err(|error| match error {
        StartError::Model(error) => super::advised(error),
        StartError::Bind(..) => {
            anyhow::anyhow!("{error}; choose another port with --port, or another address with --addr")
        }
        StartError::Threads(_) => error.into(),
    })?;
    crate::failure::survive_panics();
    let interrupt = Interrupt::watch()?;
    if !server.addr().ip().is_loopback() {
        let addr = server.addr();
        crate::failure::complain(&format!(
            "everybody who reaches {addr} can use this server: it asks for no password"
        ));
    }
    let mut server = server.when_ready(crate::failure::complain);
    if args.log {
        server = server.with_request_log(crate::failure::note);
    }
    output::text(&format!("listening on http://{}/\n{}\n", server.addr(), server.about()))?;
    Ok(server.run(move || interrupt.asked())?)
}
