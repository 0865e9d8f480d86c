//! Advice of the tables on the moves of a position.

use super::{Climb, Endgames, MAX_CELLS};
use crate::game::Game;
use crate::grid::Direction;

/// Tables are followed where they give the best move at least this chance; who has less had better
/// rebuild.
pub const ENOUGH: f32 = 0.5;

/// The chances of the moves of a position that a table knows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Advice {
    /// By direction; `None` where a move is not legal or leaves the formation for nothing.
    pub chances: [Option<f32>; 4],
    /// The move with the largest chance, the first of equals.
    pub best: Direction,
    /// The rank of which one more tile is to be made.
    pub goal: u8,
}

impl Advice {
    /// The chance of the best move.
    pub fn chance(&self) -> f32 {
        self.chances[self.best as usize].unwrap_or(0.0)
    }
}

/// The cells with ranks from `goal` on.
#[inline]
fn large(cells: &[u8], goal: u8) -> u16 {
    cells.iter().enumerate().fold(0, |set, (cell, &rank)| set | u16::from(rank >= goal) << cell)
}

impl Endgames {
    /// The moves of a position whose large tiles stand in formation, all different, the smallest of
    /// them the goal.
    ///
    /// `None` elsewhere; where no tile is as large as [`Endgames::followed_from`] asks; where the
    /// best move has less than [`ENOUGH`] of a chance; and where it cannot fail, or makes the goal:
    /// then it matters what else becomes of the board, of which a table knows nothing.
    pub fn advise<G: Game>(&self, game: &G, state: &G::State) -> Option<Advice> {
        if self.from > 0 && game.state_view(state).cells.iter().all(|&rank| rank < self.from) {
            return None;
        }
        self.chances(game, state).filter(|advice| advice.chance() >= ENOUGH && advice.chance() < 1.0)
    }

    /// The chances of the moves of a position that a table knows, whether they are worth following
    /// or not.
    pub fn chances<G: Game>(&self, game: &G, state: &G::State) -> Option<Advice> {
        let cells = &game.state_view(state).cells;
        self.climbs.iter().find_map(|turned| {
            let (goal, cells) = (turned.climb.formation().goal(), &cells[..game.shape().cells()]);
            let set = large(cells, goal);
            let (_, map) = turned.images.iter().find(|(image, _)| *image == set)?;
            let fits = cells.contains(&goal) && all_different(cells, goal);
            let held = Held { climb: &turned.climb, set, map };
            fits.then(|| held.advise(game, state))?
        })
    }
}

/// Large tiles in formation: where they stand they are to stay. In another image of the formation
/// they would be in another order.
struct Held<'a> {
    climb: &'a Climb,
    /// The cells they stand in,
    set: u16,
    /// and the map that turns the board so that the table knows it.
    map: &'a [u8],
}

impl Held<'_> {
    fn advise<G: Game>(&self, game: &G, state: &G::State) -> Option<Advice> {
        let mut chances = game.slides(state).map(|slide| self.chance(game.view(&slide?.afterstate).cells));
        if chances.iter().flatten().all(|&chance| chance == 0.0) {
            chances = Direction::ALL.map(|direction| self.detour(game, state, direction));
        }
        let known = Direction::ALL.into_iter().filter(|&direction| chances[direction as usize].is_some());
        let larger = |best, next| if chances[next as usize] > chances[best as usize] { next } else { best };
        let goal = self.climb.formation().goal();
        Some(Advice { chances, best: known.reduce(larger)?, goal })
    }

    /// The chance from an afterstate: 1 if there is one large tile more, `None` if one of the
    /// others has moved.
    fn chance(&self, cells: &[u8]) -> Option<f32> {
        let formation = self.climb.formation();
        let set = large(&cells[..formation.shape().cells()], formation.goal());
        if set != self.set {
            return (set & self.set == self.set).then_some(1.0);
        }
        let mut turned = [0; MAX_CELLS];
        for (to, &from) in turned.iter_mut().zip(self.map) {
            *to = cells[usize::from(from)];
        }
        // A board fuller than the table knows is lost.
        Some(self.climb.chance(&turned).unwrap_or(0.0))
    }

    /// The chance of leaving the formation in a direction, and coming back with the next move.
    fn detour<G: Game>(&self, game: &G, state: &G::State, direction: Direction) -> Option<f32> {
        let away = game.slide(state, direction)?.afterstate;
        let back = Direction::ALL[(direction as usize + 2) % 4];
        let mut total = 0.0;
        game.outcomes(&away, |outcome| {
            let returned = game.slide(&outcome.state, back);
            let chance = returned.and_then(|slide| self.chance(game.view(&slide.afterstate).cells));
            total += outcome.ways as f64 * f64::from(chance.unwrap_or(0.0));
        });
        Some((total / game.ways(&away) as f64) as f32)
    }
}

/// True if no two tiles from `goal` on are equal.
fn all_different(cells: &[u8], goal: u8) -> bool {
    let mut seen = 0u64;
    cells.iter().filter(|&&rank| rank >= goal).all(|&rank| {
        let new = seen >> rank & 1 == 0;
        seen |= 1 << rank;
        new
    })
}
