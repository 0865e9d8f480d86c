//! `merge`: the parts of an evaluation, joined.

use super::evaluate::page;
use crate::{cli, output, wire};
use afterstate_lab::atomic;
use afterstate_lab::shard::{Shard, merge};
use anyhow::Context;
use std::fs;
use std::io::Write;

pub(crate) fn run(args: &cli::Merge) -> anyhow::Result<()> {
    let mut shards = Vec::new();
    for path in &args.shards {
        let name = path.display().to_string();
        let text = fs::read(path).with_context(|| format!("cannot read {name}"))?;
        shards.push((name.clone(), Shard::parse(&name, &String::from_utf8_lossy(&text))?));
    }
    let (summary, about) = merge(&shards)?;
    let report = wire::Evaluation::of(&summary, &about);
    if let Some(path) = &args.out {
        let text = serde_json::to_string_pretty(&report)? + "\n";
        atomic::write(path, |out| out.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if args.json {
        return output::json(&report);
    }
    output::text(&page(&summary, &about))
}
