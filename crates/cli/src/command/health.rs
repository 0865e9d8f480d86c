//! `health`: whether a server is well.

use crate::{cli, output};
use anyhow::Context;
use std::time::Duration;

/// A server that takes longer is not well.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) fn run(args: &cli::Health) -> anyhow::Result<()> {
    let said = afterstate_serve::health(args.addr, PATIENCE)
        .with_context(|| format!("the server at {} is not well", args.addr))?;
    output::text(&said)
}
