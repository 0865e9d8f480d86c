//! `serve`: the page and the HTTP API.

use crate::interrupt::Interrupt;
use crate::{cli, output};
use afterstate_serve::{Options, Server, StartError};

pub(crate) fn run(args: &cli::Serve) -> anyhow::Result<()> {
    let mut options = Options {
        addr: args.addr,
        models: args.model.clone(),
        runs: args.runs.clone(),
        hosts: args.host.clone(),
        ply: args.ply,
        endgames: args.endgames.clone(),
        ..Options::default()
    };
    if let Some(searches) = args.searches {
        options.limits.searches = searches.into();
    }
    if let Some(queue) = args.queue {
        options.limits.queue = queue.into();
    }
    let server = Server::bind(options).map_err(|error| match error {
        StartError::Model(error) => super::advised(error),
        StartError::Bind(..) => {
            anyhow::anyhow!("{error}; choose another address with --addr")
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
    output::text(&format!("listening on http://{}/\n{}\n", server.addr(), server.about()))?;
    Ok(server.run(move || interrupt.asked())?)
}
