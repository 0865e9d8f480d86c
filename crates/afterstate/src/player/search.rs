//! The player who searches: expectimax within limits, a transposition table, downgrading, endgame
//! tables.

use super::{Choice, Player, legal};
use crate::endgame::Endgames;
use crate::game::Game;
use crate::random::Random;
use crate::search::{Answer, Limits, Search, TranspositionTable, Workspace, downgraded};
use crate::value::{Stage, Value};

/// Asked again and again during a search; `true` ends it with the deepest answer completed.
pub type Stop<'a> = Option<&'a (dyn Fn() -> bool + Sync)>;

/// Looks several moves ahead, within limits.
///
/// It carries the stage of its game along. A forced move is played at once.
#[derive(Debug)]
pub struct SearchPlayer<'a, G: Game, L> {
    leaf: &'a L,
    limits: Limits<'a>,
    table: Option<&'a TranspositionTable>,
    largest: Option<u8>,
    endgames: Option<&'a Endgames>,
    stage: Stage,
    work: Workspace<G>,
}

impl<'a, G: Game, L: Value<G>> SearchPlayer<'a, G, L> {
    /// A player with these limits.
    pub fn new(leaf: &'a L, limits: Limits<'a>) -> Self {
        Self {
            leaf,
            limits,
            table: None,
            largest: None,
            endgames: None,
            stage: 0,
            work: Workspace::default(),
        }
    }

    /// Adds a transposition table, which belongs to this game and leaf.
    #[must_use]
    pub fn with_table(self, table: &'a TranspositionTable) -> Self {
        Self { table: Some(table), ..self }
    }

    /// Searches downgraded copies of boards with ranks above `largest`.
    #[must_use]
    pub fn with_downgrading(self, largest: u8) -> Self {
        Self { largest: Some(largest), ..self }
    }

    /// Follows these endgame tables where they have advice.
    #[must_use]
    pub fn with_endgames(self, endgames: &'a Endgames) -> Self {
        Self { endgames: Some(endgames), ..self }
    }

    /// The stage its game is in.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Goes on with a game that is in this stage already.
    pub fn set_stage(&mut self, stage: Stage) {
        self.stage = stage;
    }

    /// Searches a state, or its copy under downgrading, in the stage of the game.
    pub fn search(&mut self, game: &G, state: &G::State) -> Answer {
        self.search_until(game, state, None)
    }

    fn search_until(&mut self, game: &G, state: &G::State, stop: Stop<'_>) -> Answer {
        let lowered = self.largest.and_then(|largest| downgraded(game, state, largest));
        let mut search = Search::new(game, self.leaf);
        if let Some(table) = self.table {
            search = search.with_table(table);
        }
        self.stage = self.leaf.stage_of(game, self.stage, state);
        // A copy has no history: its tiles say which stage it is in.
        let stage = lowered.as_ref().map_or(self.stage, |copy| self.leaf.implied(game, copy));
        let seen = lowered.as_ref().unwrap_or(state);
        match stop {
            None => search.run(seen, stage, &self.limits, &mut self.work),
            Some(_) => search.run(seen, stage, &Limits { stop, ..self.limits.clone() }, &mut self.work),
        }
    }

    /// Chooses a move; where `stop` is given, it replaces that of the limits for this move.
    pub fn choose_until(
        &mut self,
        game: &G,
        state: &G::State,
        stop: Stop<'_>,
    ) -> Option<Choice<G::Afterstate>> {
        let mut choices = legal(game, state);
        let first = choices.next()?;
        let choice = match choices.next() {
            None => first,
            Some(_) => {
                let advice = self.endgames.and_then(|endgames| endgames.advise(game, state));
                let best = match advice {
                    Some(advice) => advice.best,
                    None => self.search_until(game, state, stop).best?,
                };
                legal(game, state).find(|choice| choice.direction == best)?
            }
        };
        // The stage grows by what the leaf has seen: the copy, where there is one.
        let lowered = self.largest.and_then(|largest| downgraded(game, state, largest));
        let seen = lowered.and_then(|copy| game.slide(&copy, choice.direction)).unwrap_or(choice.slide);
        self.stage = self.leaf.advance(game, self.stage, &seen.afterstate);
        Some(choice)
    }
}

impl<G: Game, L: Value<G>> Player<G> for SearchPlayer<'_, G, L> {
    fn begin(&mut self, _: &G, _: Random) {
        self.stage = 0;
    }

    fn choose(&mut self, game: &G, state: &G::State) -> Option<Choice<G::Afterstate>> {
        self.choose_until(game, state, None)
    }
}
