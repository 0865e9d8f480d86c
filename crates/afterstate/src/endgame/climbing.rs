//! A search for the best chance: what stands at its leaves are chances from a table.

use super::{Endgames, MAX_CELLS, Turned};
use crate::game::Game;
use crate::search::{Answer, Leaf, Limits, Search, Workspace};
use crate::value::Staged;

/// A player follows the tables where they give the best move at least this chance; who has less had better rebuild.
pub const ENOUGH: f32 = 0.5;

/// How far ahead a search for the best chance looks at most: tables are exact but for what they do not count.
const MOST_PLY: u8 = 2;

/// The leaves of a search that begins where a table knows the position.
///
/// Chances, not points: 1 once the goal is made, the table's chance where the large tiles stand in formation, and elsewhere
/// that of bringing them back with the next move. So even one move is looked at with its way back, as the table does.
#[derive(Clone, Copy, Debug)]
pub struct Climbing<'a> {
    turned: &'a Turned,
    /// The sum of the large tiles when the climb began: it grows when the goal is made.
    before: u64,
}

/// The cells with ranks from `goal` on, and the sum of these tiles.
#[inline]
fn large(cells: &[u8], goal: u8) -> (u16, u64) {
    cells.iter().enumerate().fold((0, 0), |(set, sum), (cell, &rank)| {
        if rank >= goal { (set | 1 << cell, sum + (1 << rank)) } else { (set, sum) }
    })
}

impl Endgames {
    /// The chances of the moves, where a table knows the position and the best move has chance [`ENOUGH`].
    ///
    /// `ply` is how far ahead the player looks who asks; nothing is gained by looking far.
    pub fn climb<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        ply: u8,
        work: &mut Workspace<G>,
    ) -> Option<Answer> {
        let climbing = self.climbing(game, state)?;
        let answer = Search::new(game, climbing).run(state, 0, &Limits::ply(ply.min(MOST_PLY)), work);
        Some(answer).filter(|answer| answer.value() >= Some(ENOUGH))
    }

    /// The search that a position asks for: its large tiles are all different, the smallest is the goal of a table, and they
    /// stand in formation, now or after a move. `None` elsewhere, and where the goal can be made at once.
    pub fn climbing<G: Game>(&self, game: &G, state: &G::State) -> Option<Climbing<'_>> {
        let cells = &game.state_view(state).cells;
        self.climbs.iter().find_map(|turned| turned.climbing(game, state, &cells[..game.shape().cells()]))
    }
}

impl Turned {
    fn climbing<G: Game>(&self, game: &G, state: &G::State, cells: &[u8]) -> Option<Climbing<'_>> {
        let formation = self.climb.formation();
        let (set, before) = large(cells, formation.goal());
        // As many bits as tiles: no two are the same.
        let held = formation.held().count_ones();
        if set.count_ones() != held || before.count_ones() != held || !cells.contains(&formation.goal()) {
            return None;
        }
        let climbing = Climbing { turned: self, before };
        let slides = game.slides(state);
        let mut after = slides.iter().flatten().map(|slide| game.view(&slide.afterstate).cells);
        let stands = self.images.iter().any(|&(image, _)| image == set);
        let comes = || after.clone().any(|cells| climbing.chance(cells).is_some());
        ((stands || comes()) && !after.any(|cells| climbing.is_made(cells))).then_some(climbing)
    }
}

impl Climbing<'_> {
    /// Whether the goal has been made: large tiles are never lost, they merge.
    #[inline]
    fn is_made(&self, cells: &[u8]) -> bool {
        large(cells, self.turned.climb.formation().goal()).1 > self.before
    }

    /// The chance from an afterstate; `None` if the large tiles are not in formation.
    #[inline]
    fn chance(&self, cells: &[u8]) -> Option<f32> {
        let climb = &self.turned.climb;
        if self.is_made(cells) {
            return Some(1.0);
        }
        let (set, _) = large(&cells[..climb.formation().shape().cells()], climb.formation().goal());
        let (_, map) = self.turned.images.iter().find(|(image, _)| *image == set)?;
        let mut turned = [0; MAX_CELLS];
        for (to, &from) in turned.iter_mut().zip(map) {
            *to = cells[usize::from(from)];
        }
        // A board fuller than the table knows is lost.
        Some(climb.chance(&turned).unwrap_or(0.0))
    }
}

impl Climbing<'_> {
    /// The chance from an afterstate out of formation: the mean over new tiles of the best move that comes back.
    fn returning<G: Game>(&self, game: &G, afterstate: &G::Afterstate) -> f32 {
        let mut total = 0.0;
        game.outcomes(afterstate, |outcome| {
            let slides = game.slides(&outcome.state);
            let chances =
                slides.iter().flatten().filter_map(|slide| self.chance(game.view(&slide.afterstate).cells));
            total += outcome.ways as f64 * f64::from(chances.fold(0.0, f32::max));
        });
        (total / game.ways(afterstate) as f64) as f32
    }
}

impl<G: Game> Leaf<G> for Climbing<'_> {
    fn afterstates(&self, game: &G, at: &[Staged<G::Afterstate>], values: &mut Vec<f32>) {
        values.clear();
        values.extend(at.iter().map(|one| {
            let chance = self.chance(game.view(&one.afterstate).cells);
            chance.unwrap_or_else(|| self.returning(game, &one.afterstate))
        }));
    }

    fn counts_rewards(&self) -> bool {
        false
    }
}
