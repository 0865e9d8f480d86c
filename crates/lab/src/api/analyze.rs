//! Judgement of a position, and of every position of a game.

use super::record::Checked;
use super::wire::Judged;
use super::{
    Analysis, Analyze, Bounds, Chosen, JudgedGame, JudgedMove, Line, Record, Refusal, budget, game, position,
};
use crate::analysis::{Analysed, Loss, Losses};
use crate::engine::{Cancelled, Engine, SearchBudget};
use crate::host;
use crate::variant::ConfiguredGame;
use afterstate::game::{Game, notation};
use afterstate::search::Workspace;
use afterstate::value::Stage;
use afterstate::with_game;
use std::sync::Arc;
use std::time::Duration;

impl Analyze {
    /// True if it asks for a search deeper than is usual on its board, or longer than this; where it
    /// says nothing, if the engine's usual one is.
    pub fn exceeds(&self, engine: &Engine, time: Duration) -> bool {
        let asked = match (self.ply, self.time_ms) {
            (None, None) => engine.budget.time.ok_or(engine.budget.ply.into()),
            (Some(ply), _) => Err(ply),
            (None, Some(ms)) => Ok(Duration::from_millis(ms)),
        };
        let usual = SearchBudget::usual(engine.game.rules.shape()).ply;
        asked.map_or_else(|ply| ply > usual.into(), |asked| asked > time)
    }

    /// True if it names neither a depth nor a time.
    fn is_usual(&self) -> bool {
        self.ply.is_none() && self.time_ms.is_none()
    }

    /// The game that is asked for, if the position is one of its.
    pub fn checked(&self) -> Result<ConfiguredGame, Refusal> {
        let game = game(&self.game, &self.variant)?;
        with_game!(&game.rules, game => position(game, &self.position).map(drop))?;
        Ok(game)
    }
}

/// Values of the moves of a position.
pub fn judge_position(
    asked: &Analyze,
    game: &ConfiguredGame,
    chosen: Chosen<'_>,
    bounds: &Bounds,
    cancelled: Cancelled<'_>,
) -> Result<Analysis, Refusal> {
    let engine = chosen.engine;
    let budget = budget(bounds, engine, asked.ply, asked.time_ms)?.unless(cancelled);
    let judged = with_game!(&game.rules, game => {
        let state = position(game, &asked.position)?;
        let stage = engine.implied_stage(game, &state);
        let answer = engine.search(game, &state, stage, budget, &mut Workspace::default());
        let analysed = Analysed::of(notation::write(game, &state), &answer);
        let analysed = match engine.endgame_chances(game, &state) {
            Some(advice) => analysed.with_chances(advice.chances, game.label(advice.goal)),
            None => analysed,
        };
        Judged { analysed, complete: answer.complete }
    });
    Ok(Analysis {
        game: game.spec.name(),
        variant: game.variant.clone(),
        model: chosen.id.into(),
        warning: chosen.warning(),
        usual: asked.is_usual(),
        judged,
    })
}

/// Lines of the analysis of a game; each is searched when it is asked for.
pub type JudgedLines<'a> = Box<dyn Iterator<Item = Line> + 'a>;

/// Judgement of every move of a game, then of the whole, which is the last line.
pub fn judge_game<'a>(
    asked: &Record,
    game: &ConfiguredGame,
    engine: Arc<Engine>,
    id: String,
    bounds: &Bounds,
    cancelled: Cancelled<'a>,
) -> Result<JudgedLines<'a>, Refusal> {
    let budget = budget(bounds, &engine, asked.effort.ply, asked.effort.time_ms)?.unless(cancelled);
    with_game!(&game.rules, game => {
        let record = asked.checked(game, bounds)?;
        let warning = Chosen { engine: &engine, id: &id }.warning();
        let whole = JudgedGame { done: true, moves: 0, model: id, warning, losses: Losses::default() };
        Ok(Box::new(Reader {
            stage: engine.implied_stage(game, &record.start),
            game: game.clone(),
            engine,
            budget,
            record,
            end: host::now() + bounds.game_time,
            work: Workspace::default(),
            whole: Some(whole),
        }))
    })
}

/// Analyses the positions of a game one by one.
struct Reader<'a, G: Game> {
    game: G,
    engine: Arc<Engine>,
    budget: SearchBudget<'a>,
    record: Checked<G>,
    stage: Stage,
    end: Duration,
    work: Workspace<G>,
    /// The game as far as it is judged, until it is told.
    whole: Option<JudgedGame>,
}

impl<G: Game> Iterator for Reader<'_, G> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        let mut whole = self.whole.take()?;
        let Some(step) = self.record.steps.get(whole.moves) else { return Some(Line::Game(whole)) };
        if whole.moves > 0 && host::now() >= self.end {
            return Some(Line::Game(JudgedGame { done: false, ..whole }));
        }
        let state = match whole.moves.checked_sub(1) {
            Some(before) => &self.record.steps[before].state,
            None => &self.record.start,
        };
        let answer = self.engine.search(&self.game, state, self.stage, self.budget, &mut self.work);
        let values = answer.moves.map(|found| found.map(|found| found.value));
        whole.moves += 1;
        let Loss { loss, mistake } =
            whole.losses.add(whole.moves, answer.value(), values[step.direction as usize]);
        let line = JudgedMove {
            number: whole.moves,
            direction: step.direction.name(),
            best: answer.best.map(|best| best.name()),
            value: answer.value(),
            values,
            loss,
            mistake,
        };
        self.stage = self.engine.next_stage(&self.game, self.stage, &step.afterstate);
        self.whole = Some(whole);
        Some(Line::Move(line))
    }
}
