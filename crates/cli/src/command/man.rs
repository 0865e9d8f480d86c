//! `man`: manual pages.

use crate::{cli, output};
use afterstate_lab::{atomic, disk};
use anyhow::Context;
use std::io::{self, Write};

pub(crate) fn run(args: &cli::Man) -> anyhow::Result<()> {
    let cannot = || format!("cannot write manual pages to {}", args.out.display());
    disk::create_dir_all(&args.out).with_context(cannot)?;
    let pages = cli::Man::pages()?;
    for page in &pages {
        let write = |out: &mut atomic::Out| -> io::Result<()> { out.write_all(&page.text) };
        atomic::write(&args.out.join(&page.file), write).with_context(cannot)?;
    }
    output::text(&format!("{} manual pages in {}\n", pages.len(), args.out.display()))
}
