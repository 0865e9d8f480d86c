//! Everything that may follow an afterstate: what chance does, and what the player answers.
//!
//! ```text
//! afterstate ──outcomes──▶ (states) ──slides──▶ afterstates
//! ```
//!
//! A search expands millions of afterstates, and most slides after an outcome are those after
//! another one: a tile that appears anywhere in a gap slides to the same place, and moves
//! nothing in the other lines. [`Game::expand`] lets a game use what it knows of this. It asks
//! for the *number* of an afterstate once and writes it wherever the afterstate is reached.

use super::Game;

/// Stands for a slide that would move nothing.
pub const NO_SLIDE: u32 = u32::MAX;

/// One thing chance can do, with the slides after it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OutcomeMoves {
    /// In how many of the [`Game::ways`] it happens.
    pub ways: f32,
    /// Reward of the new tile.
    pub reward: f32,
    /// By direction: the number of the afterstate, or [`NO_SLIDE`].
    pub slides: [u32; 4],
    /// By direction: the points of the slide.
    pub rewards: [f32; 4],
}

impl OutcomeMoves {
    /// Something that leaves the player without a move.
    #[inline]
    pub fn dead(ways: u64, reward: u64) -> Self {
        Self { ways: ways as f32, reward: reward as f32, slides: [NO_SLIDE; 4], rewards: [0.0; 4] }
    }
}

/// Appends what follows an afterstate, by listing outcomes and sliding each: the definition of
/// [`Game::expand`].
pub fn expand_by_outcomes<G: Game>(
    game: &G,
    afterstate: &G::Afterstate,
    outcomes: &mut Vec<OutcomeMoves>,
    mut number: impl FnMut(G::Afterstate) -> u32,
) {
    game.outcomes(afterstate, |outcome| {
        let mut moves = OutcomeMoves::dead(outcome.ways, outcome.reward);
        for (direction, slide) in game.slides(&outcome.state).into_iter().enumerate() {
            let Some(slide) = slide else { continue };
            moves.slides[direction] = number(slide.afterstate);
            moves.rewards[direction] = slide.reward as f32;
        }
        outcomes.push(moves);
    });
}
