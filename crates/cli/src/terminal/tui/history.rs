//! A game from its start position to the one on the board, with undo and redo.

use afterstate::episode::Spawn;
use afterstate::game::{Game, notation};
use afterstate::grid::Direction;
use afterstate::random::Random;
use afterstate::value::Stage;
use afterstate_lab::replay::ours;
use afterstate_lab::variant::Variant;

/// Author of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mover {
    Person,
    Ai,
}

/// A position, and the move that led to it.
#[derive(Clone, Copy)]
struct Node<S> {
    state: S,
    score: u64,
    stage: Stage,
    made: Option<(Direction, Spawn, Mover)>,
}

/// The positions of a game.
pub(super) struct History<G: Game> {
    nodes: Vec<Node<G::State>>,
    at: usize,
}

impl<G: Game> History<G> {
    /// A new game.
    pub(super) fn start(game: &G, random: &mut Random) -> Self {
        let state = game.start(random);
        let first = Node { state, score: game.start_score(&state), stage: 0, made: None };
        Self { nodes: vec![first], at: 0 }
    }

    pub(super) fn state(&self) -> &G::State {
        &self.nodes[self.at].state
    }

    pub(super) fn score(&self) -> u64 {
        self.nodes[self.at].score
    }

    pub(super) fn stage(&self) -> Stage {
        self.nodes[self.at].stage
    }

    pub(super) fn moves(&self) -> usize {
        self.at
    }

    /// Makes a move; false if it is not legal. `stage` follows the stages of a network.
    pub(super) fn slide(
        &mut self,
        game: &G,
        direction: Direction,
        by: Mover,
        random: &mut Random,
        stage: impl Fn(Stage, &G::Afterstate) -> Stage,
    ) -> bool {
        let now = self.nodes[self.at];
        let Some(slide) = game.slide(&now.state, direction) else { return false };
        let outcome = game.spawn(&slide.afterstate, random);
        let spawn = Spawn::between(game, &slide.afterstate, &outcome.state);
        self.nodes.truncate(self.at + 1);
        self.nodes.push(Node {
            state: outcome.state,
            score: now.score + slide.reward + outcome.reward,
            stage: stage(now.stage, &slide.afterstate),
            made: Some((direction, spawn, by)),
        });
        self.at += 1;
        true
    }

    /// Follows the stages of a network that came when the game was under way.
    pub(super) fn follow(&mut self, game: &G, stage: impl Fn(Stage, &G::Afterstate) -> Stage) {
        for i in 1..self.nodes.len() {
            let before = self.nodes[i - 1];
            let slide = self.nodes[i].made.and_then(|(move_made, ..)| game.slide(&before.state, move_made));
            if let Some(slide) = slide {
                self.nodes[i].stage = stage(before.stage, &slide.afterstate);
            }
        }
    }

    pub(super) fn can_undo(&self) -> bool {
        self.at > 0
    }

    pub(super) fn can_redo(&self) -> bool {
        self.at + 1 < self.nodes.len()
    }

    pub(super) fn undo(&mut self) {
        self.at = self.at.saturating_sub(1);
    }

    pub(super) fn redo(&mut self) {
        self.at = (self.at + 1).min(self.nodes.len() - 1);
    }

    /// The game up to the position on the board, as `evaluate --save` writes games; `ai` is the
    /// name of the player who helped.
    pub(super) fn record(&self, game: &G, variant: &Variant, ai: &str) -> ours::ReplayLine {
        let made = || self.nodes[..=self.at].iter().filter_map(|node| node.made);
        let steps: Vec<(Direction, Spawn)> = made().map(|(direction, spawn, _)| (direction, spawn)).collect();
        let by_ai = made().filter(|(.., by)| *by == Mover::Ai).count();
        let player = match by_ai {
            0 => "person".to_string(),
            all if all == steps.len() => ai.to_string(),
            _ => format!("person and {ai}"),
        };
        let largest = game.state_view(self.state()).cells.iter().copied().max().unwrap_or(0);
        ours::ReplayLine {
            format: ours::FORMAT.into(),
            game: game.id(),
            variant: variant.clone(),
            player: Some(player),
            seed: None,
            index: None,
            start: notation::write(game, &self.nodes[0].state),
            moves: ours::letters(&steps),
            spawns: ours::spawns(&steps),
            score: Some(self.score()),
            largest: Some(game.label(largest)),
        }
    }
}
