//! Everything that may follow an afterstate: what chance does, and what the player answers.
//!
//! ```text
//! afterstate ──outcomes──▶ (states) ──slides──▶ afterstates
//! ```
//!
//! A search expands millions of afterstates, and most slides after an outcome are those after
//! another one: a tile that appears anywhere in a gap slides to the same place, and moves
//! nothing in the other lines. A game that knows this tells it in a [`Fan`].

use super::Game;

/// Stands for a slide that would move nothing.
pub const NO_SLIDE: u32 = u32::MAX;

/// One thing chance can do, with the slides after it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Answered {
    /// In how many of the [`Game::ways`] it happens.
    pub ways: f32,
    /// What the new tile is worth at once.
    pub reward: f32,
    /// By direction: a number in [`Fan::afterstates`], or [`NO_SLIDE`].
    pub slides: [u32; 4],
    /// By direction: the points of the slide.
    pub rewards: [f32; 4],
}

/// The outcomes after an afterstate, and the afterstates their slides lead to.
#[derive(Clone, PartialEq, Debug)]
pub struct Fan<A> {
    /// In the order of [`Game::outcomes`].
    pub outcomes: Vec<Answered>,
    /// Each at least once; repetitions are allowed.
    pub afterstates: Vec<A>,
}

impl<A> Default for Fan<A> {
    fn default() -> Self {
        Self { outcomes: Vec::new(), afterstates: Vec::new() }
    }
}

impl<A: Copy> Fan<A> {
    /// Forgets all, and keeps the room.
    #[inline]
    pub fn clear(&mut self) {
        self.outcomes.clear();
        self.afterstates.clear();
    }

    /// What follows an afterstate, by listing outcomes and sliding each: the definition.
    pub fn spread<G: Game<Afterstate = A>>(&mut self, game: &G, afterstate: &A) {
        self.clear();
        game.outcomes(afterstate, |outcome| {
            let mut answered = Answered {
                ways: outcome.ways as f32,
                reward: outcome.reward as f32,
                slides: [NO_SLIDE; 4],
                rewards: [0.0; 4],
            };
            for (direction, slide) in game.slides(&outcome.state).into_iter().enumerate() {
                let Some(slide) = slide else { continue };
                answered.slides[direction] = self.afterstates.len() as u32;
                answered.rewards[direction] = slide.reward as f32;
                self.afterstates.push(slide.afterstate);
            }
            self.outcomes.push(answered);
        });
    }
}
