//! `evaluate --save`: every game as one line of JSON, in the order of the games' numbers.

use afterstate::episode::Record;
use afterstate::evaluate::Played;
use afterstate::game::{Game, notation};
use afterstate_lab::engine::Engine;
use afterstate_lab::replay::ours;
use anyhow::Context;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes records as soon as all earlier games are written.
pub(crate) struct Saver {
    path: PathBuf,
    out: BufWriter<File>,
    next: u64,
    /// Games that ended before an earlier one did.
    waiting: BTreeMap<u64, String>,
    failed: Option<io::Error>,
}

impl Saver {
    /// Opens the file, so that a wrong path is known before the first game.
    ///
    /// `first` is the number of the first game.
    pub(super) fn create(path: &Path, first: u64) -> anyhow::Result<Self> {
        let file = File::create(path).with_context(|| {
            format!("cannot write {}; give --save a file in a directory that exists", path.display())
        })?;
        let out = BufWriter::new(file);
        Ok(Self { path: path.into(), out, next: first, waiting: BTreeMap::new(), failed: None })
    }

    /// Takes a game.
    pub(super) fn add<G: Game>(
        &mut self,
        game: &G,
        engine: &Engine,
        seed: u64,
        played: &Played,
        record: &Record<G::State>,
    ) {
        let line = ours::ReplayLine {
            format: ours::FORMAT.into(),
            game: game.id(),
            variant: engine.game.variant.clone(),
            player: Some(engine.player.name().into()),
            seed: Some(seed),
            index: Some(played.index),
            start: record.start.map(|start| notation::write(game, &start)).unwrap_or_default(),
            moves: ours::letters(&record.steps),
            spawns: ours::spawns(&record.steps),
            score: Some(played.score),
            largest: Some(game.label(played.max_rank)),
        };
        let line = serde_json::to_string(&line).map_err(io::Error::from);
        match line {
            Ok(line) => drop(self.waiting.insert(played.index, line)),
            Err(error) => self.failed = Some(error),
        }
        while let Some(line) = self.waiting.remove(&self.next) {
            self.write(&line);
            self.next += 1;
        }
    }

    fn write(&mut self, line: &str) {
        if self.failed.is_none() {
            self.failed = writeln!(self.out, "{line}").err();
        }
    }

    /// Writes what is left; an evaluation that was broken off may have left gaps.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        for line in std::mem::take(&mut self.waiting).into_values() {
            self.write(&line);
        }
        let done = self.failed.take().map_or_else(|| self.out.flush(), Err);
        done.with_context(|| format!("writing {} failed; is the disk full?", self.path.display()))
    }
}
