//! `analyze FILE`: every move of a game, what it gave away, and the mistakes.

use super::{Item, Session};
use crate::failure::usage;
use crate::{cli, wire};
use afterstate::episode::replay as play_again;
use afterstate::game::Game;
use afterstate::game::catalogue::GameSpec;
use afterstate_lab::replay::{self, Format, Replay};
use anyhow::{Context, bail};
use std::io::Cursor;
use std::path::Path;

/// A move that gives away this share of what the best one is worth is a mistake.
const MISTAKE: f32 = 0.01;

/// Opens a file of replays, one per line; a file whose first line is none holds positions.
pub(super) fn open(path: &Path, args: &cli::Analyze, items: &mut Vec<Item>) -> anyhow::Result<()> {
    let source = path.display().to_string();
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {source}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let lines: Vec<(usize, &str)> =
        (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).collect();
    let spec = args.thinker.game.as_deref().map(GameSpec::parse).transpose().map_err(usage)?;
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

/// Whether a line is a replay rather than a position or the header of a table.
fn is_replay(line: &str) -> bool {
    match Format::of_line(line) {
        // Almost everything is made of its symbols; only a replay also follows the rules.
        Some(Format::League) => replay::league::read(line).is_ok_and(|replay| {
            let game = replay.game.build();
            game.is_ok_and(|game| {
                afterstate::with_game!(&game, game => {
                    !replay.steps.is_empty() && replay.record(game).is_ok_and(|record| play_again(game, &record).is_ok())
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
        if replay.game.name() != self.mind_game() {
            bail!(
                "it is a game of {}, analysed was {}; analyse games of one kind at a time, or name it by --game",
                replay.game.name(),
                self.mind_game()
            );
        }
        let record = replay.record(self.game)?;
        let whole = play_again(self.game, &record)?;
        let Some(mut state) = record.start else { bail!("it has no start position") };
        let mut stage = self.mind.implied_stage(self.game, &state);
        let mut told = wire::Replayed {
            source: source.into(),
            format: format.name(),
            moves: record.steps.len(),
            score: whole.score,
            total_loss: 0.0,
            best_moves: 0,
            mistakes: Vec::new(),
        };
        for (number, &(direction, spawn)) in (1..).zip(&record.steps) {
            let mut found = self.judge(&state, stage);
            let best = found.value.unwrap_or(0.0);
            let loss = found.moves[direction as usize].loss.unwrap_or(0.0);
            let mistake = loss > MISTAKE * best.abs();
            told.total_loss += f64::from(loss);
            told.best_moves += usize::from(loss <= 0.0);
            if mistake {
                told.mistakes.push(number);
            }
            let (replay, direction_name) = (answer.replays.len(), direction.name());
            found.played =
                Some(wire::PlayedMove { replay, number, direction: direction_name, loss, mistake });
            answer.positions.push(found);
            // The game was played again above: the move is legal and the tile possible.
            let Some(slide) = self.game.slide(&state, direction) else { break };
            stage = self.mind.next_stage(self.game, stage, &slide.afterstate);
            self.game.outcomes(&slide.afterstate, |outcome| {
                if afterstate::episode::Spawn::between(self.game, &slide.afterstate, &outcome.state) == spawn
                {
                    state = outcome.state;
                }
            });
        }
        answer.replays.push(told);
        Ok(())
    }

    fn mind_game(&self) -> String {
        GameSpec::parse(&self.game.id()).map_or_else(|_| self.game.id(), |spec| spec.name())
    }
}
