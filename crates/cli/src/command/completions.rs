//! `completions`: what a shell completes.

use crate::{cli, output};

pub(crate) fn run(args: &cli::Completions) -> anyhow::Result<()> {
    output::text(&String::from_utf8(args.script())?)
}
