//! `analyze FILE`: every move of a game, its loss, and the mistakes.

use super::{Item, Session};
use crate::failure::usage;
use crate::{cli, wire};
use afterstate::episode::retrace;
use afterstate::game::Game;
use afterstate::game::catalogue::GameSpec;
use afterstate_lab::analysis::{Loss, Losses};
use afterstate_lab::replay::{self, Format, Replay};
use anyhow::{Context, bail};
use std::io::Cursor;
use std::path::Path;

/// Opens a file of replays, one per line; a file whose first line is none holds positions.
pub(super) fn open(path: &Path, args: &cli::Analyze, items: &mut Vec<Item>) -> anyhow::Result<()> {
    let source = path.display().to_string();
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {source}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let lines: Vec<(usize, &str)> =
        (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).collect();
    let spec = args.engine.game.as_deref().map(GameSpec::parse).transpose().map_err(usage)?;
    let Some((_, first)) = lines.first() else {
        bail!("{source} is empty; it should hold replays or positions")
    };
    if !is_replay(first) {
        items.push(Item::Lines(Box::new(Cursor::new(text.as_bytes().to_vec())), source));
        return Ok(());
    }
    for (number, line) in lines {
        let (replay, format) =
            replay::read(line, spec.as_ref()).with_context(|| format!("{source}, line {number}"))?;
        items.push(Item::Replay {
            source: format!("{source}, line {number}"),
            replay: Box::new(replay),
            format,
        });
    }
    Ok(())
}

/// True if a line is a replay rather than a position or the header of a table.
fn is_replay(line: &str) -> bool {
    match Format::of_line(line) {
        // Almost everything is made of its symbols; only a replay also follows the rules.
        Some(Format::League) => replay::league::read(line).is_ok_and(|replay| {
            let game = replay.game.build();
            game.is_ok_and(|game| {
                afterstate::with_game!(&game, game => {
                    !replay.steps.is_empty() && replay.record(game).is_ok_and(|record| afterstate::episode::replay(game, &record).is_ok())
                })
            })
        }),
        Some(_) => true,
        None => false,
    }
}

impl<G: Game> Session<'_, G> {
    /// Judges every move of a game that was played by the rules.
    pub(super) fn replay(
        &mut self,
        source: &str,
        replay: &Replay,
        format: Format,
        answer: &mut wire::Analysis,
    ) -> anyhow::Result<()> {
        let (own, played) = (self.engine.game.spec.name(), replay.game.name());
        if played != own {
            bail!(
                "it is a game of {played}, analysed was {own}; analyse games of one kind at a time, or name it by --game"
            );
        }
        let record = replay.record(self.game)?;
        let mut steps = Vec::with_capacity(record.steps.len());
        let whole = retrace(self.game, &record, |choice, outcome| steps.push((*choice, outcome.state)))?;
        let Some(mut state) = record.start else { bail!("it has no start position") };
        let mut stage = self.engine.implied_stage(self.game, &state);
        let mut losses = Losses::default();
        for (number, (choice, next)) in (1..).zip(&steps) {
            let mut found = self.analyse(&state, stage);
            let played = found.moves[choice.direction as usize].value;
            let Loss { loss, mistake } = losses.add(number, found.value, played);
            found.played = Some(wire::PlayedMove {
                replay: answer.replays.len(),
                number,
                direction: choice.direction.name(),
                loss,
                mistake,
            });
            answer.positions.push(found);
            stage = self.engine.next_stage(self.game, stage, &choice.slide.afterstate);
            state = *next;
        }
        answer.replays.push(wire::Replayed {
            source: source.into(),
            format: format.name(),
            moves: steps.len(),
            score: whole.score,
            losses,
        });
        Ok(())
    }
}
