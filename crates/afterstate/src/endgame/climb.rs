//! One table: the chance to make the goal, from every board of a formation.

use super::formation::Formation;
use super::lines::{Keys, Lines};
use super::numbering::Numbering;
use crate::budget::{self, OutOfMemory, Reserved};
use crate::game::twenty48::{SpawnTable, Twenty48};
use crate::threads;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering::Relaxed};
use thiserror::Error;

/// A chance of one: chances are stored as whole numbers up to this.
pub(super) const CERTAIN: u16 = u16::MAX;

/// Largest sum of the tiles beyond the goal, in tiles of rank 1: fuller boards count as lost.
pub(super) const SPARE: usize = 32;

/// High halves that a thread takes at a time.
const TOGETHER: usize = 1024;

/// Why there is no such table.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum EndgameError {
    /// The game is played on another board.
    #[error("the formation is of another board than the game")]
    Shape,
    /// The goal cannot be made: tiles stop merging before, or chance adds tiles as large.
    #[error("the goal cannot be made from the tiles of this game")]
    Goal,
    /// More boards than a table may hold; how many, if that can be counted.
    #[error("the table would be {}; hold more tiles or choose a smaller goal", too_large(*.0))]
    TooLarge(Option<u64>),
    /// The observer stopped the work.
    #[error("stopped before the table was finished")]
    Stopped,
    /// There is no memory for it.
    #[error("{0}; hold more tiles or choose a smaller goal")]
    Memory(OutOfMemory),
}

fn too_large(boards: Option<u64>) -> String {
    match boards {
        Some(boards) => format!("too large: {boards} boards, where {} are the most", u32::MAX),
        None => "far too large".into(),
    }
}

/// The chance to make one more tile like the smallest held one, from every board of a formation.
///
/// Held tiles stay where they are. Only if no move would leave them there may they be moved, and
/// then the next move must bring them back: a *detour*. Whatever else can be done is not counted,
/// so a chance is a little too low.
#[derive(Clone, Debug)]
pub struct Climb {
    formation: Formation,
    spawn: SpawnTable,
    numbering: Numbering,
    values: Vec<u16>,
    /// Their part of the budget; clones share it.
    _reserved: Arc<Reserved>,
}

/// Hears how many boards are done, of how many, and may stop the work.
pub type ClimbObserver<'a> = dyn FnMut(u64, u64) -> ControlFlow<()> + 'a;

impl Climb {
    /// Number of boards of a formation's table; each takes two bytes.
    pub fn boards(formation: &Formation) -> Option<u64> {
        Numbering::count(formation.free().count(), formation.goal(), most(formation))
    }

    /// Checks that the game can have such a table.
    pub fn check(game: &Twenty48<16>, formation: &Formation) -> Result<(), EndgameError> {
        if game.shape != formation.shape() {
            return Err(EndgameError::Shape);
        }
        let goal = formation.goal();
        if game.cap_rank < goal || game.spawn.tiles().iter().any(|&(rank, _)| rank >= goal) {
            return Err(EndgameError::Goal);
        }
        match Self::boards(formation) {
            Some(boards) if boards <= u64::from(u32::MAX) => Ok(()),
            boards => Err(EndgameError::TooLarge(boards)),
        }
    }

    /// Computes the table, with so many threads; the result does not depend on how many.
    ///
    /// By layers of the tile sum, the largest first: a new tile raises the sum, a slide keeps it.
    ///
    /// ```text
    /// V(afterstate) = Σ p · V(state)              over cells and tiles
    /// V(state)      = max V(afterstate)           over slides that keep the held tiles; 1 if one makes the goal
    ///               = max Σ p · V(afterstate)     over detours, if there is no such slide or none has a chance
    /// ```
    pub fn solve(
        game: &Twenty48<16>,
        formation: Formation,
        threads: usize,
        observer: &mut ClimbObserver<'_>,
    ) -> Result<Self, EndgameError> {
        Self::check(game, &formation)?;
        let numbering = numbering(&formation)?;
        let ranks: Vec<u8> = game.spawn.tiles().iter().map(|&(rank, _)| rank).collect();
        let lines = Lines::new(&formation, &numbering, &ranks);
        let free: Vec<usize> = formation.free().collect();
        let reserved = budget::reserve(2 * numbering.len() as u64).map_err(EndgameError::Memory)?;
        let mut values = Vec::new();
        values
            .try_reserve_exact(numbering.len())
            .map_err(|_| EndgameError::Memory(refused(numbering.len())))?;
        values.resize_with(numbering.len(), || AtomicU16::new(0));
        let solver =
            Solver { numbering: &numbering, lines: &lines, spawn: &game.spawn, free: &free, values: &values };
        let mut done = 0;
        for sum in (0..=numbering.most()).rev() {
            done += solver.layer(sum, threads);
            if observer(done, numbering.len() as u64).is_break() {
                return Err(EndgameError::Stopped);
            }
        }
        let values = values.into_iter().map(AtomicU16::into_inner).collect();
        Ok(Self { formation, spawn: game.spawn.clone(), numbering, values, _reserved: Arc::new(reserved) })
    }

    /// A table whose values are known already, one for each board.
    pub(super) fn of_values(
        formation: Formation,
        spawn: SpawnTable,
        values: Vec<u16>,
        reserved: Reserved,
    ) -> Option<Self> {
        let numbering = numbering(&formation).ok()?;
        let _reserved = Arc::new(reserved);
        (values.len() == numbering.len()).then_some(Self { formation, spawn, numbering, values, _reserved })
    }

    /// Tiles that stay.
    pub fn formation(&self) -> &Formation {
        &self.formation
    }

    /// Tiles that appear.
    pub fn spawn(&self) -> &SpawnTable {
        &self.spawn
    }

    /// The values by the numbers of the boards.
    pub(super) fn values(&self) -> &[u16] {
        &self.values
    }

    /// The chance from an afterstate, by what its free cells show; `None` if the table does not
    /// know it.
    #[inline]
    pub fn chance(&self, cells: &[u8]) -> Option<f32> {
        let number = self.numbering.of(cells)?;
        Some(f32::from(self.values[number]) / f32::from(CERTAIN))
    }
}

/// The refusal of memory for so many boards by the system.
pub(super) fn refused(boards: usize) -> OutOfMemory {
    OutOfMemory { wanted: 2 * boards as u64, taken: budget::taken(), limit: u64::MAX }
}

/// The largest sum of free tiles.
fn most(formation: &Formation) -> usize {
    super::numbering::weight(formation.goal()) + SPARE
}

fn numbering(formation: &Formation) -> Result<Numbering, EndgameError> {
    let free: Vec<usize> = formation.free().collect();
    Numbering::new(&free, formation.goal(), most(formation))
        .ok_or_else(|| EndgameError::TooLarge(Climb::boards(formation)))
}

/// State shared by all threads.
struct Solver<'a> {
    numbering: &'a Numbering,
    lines: &'a Lines,
    spawn: &'a SpawnTable,
    free: &'a [usize],
    values: &'a [AtomicU16],
}

impl Solver<'_> {
    /// Gives the boards of one sum their values, and tells how many they are.
    fn layer(&self, sum: usize, threads: usize) -> u64 {
        let next = AtomicUsize::new(0);
        let boards = AtomicUsize::new(0);
        let work = || {
            loop {
                let from = next.fetch_add(TOGETHER, Relaxed);
                if from >= self.numbering.halves() {
                    return;
                }
                for high in from..(from + TOGETHER).min(self.numbering.halves()) {
                    let run = self.numbering.run(high, sum);
                    if run.is_empty() {
                        continue;
                    }
                    boards.fetch_add(run.len(), Relaxed);
                    let mut cells = [0; super::formation::MAX_CELLS];
                    self.numbering.show_high(high, &mut cells);
                    for number in run {
                        self.numbering.show_low(high, number, &mut cells);
                        self.values[number].store(self.afterstate(&cells, sum), Relaxed);
                    }
                }
            }
        };
        threads::together(threads, work);
        boards.into_inner() as u64
    }

    /// The mean over cells and tiles. A full board is no afterstate: it has no value.
    fn afterstate(&self, cells: &[u8], sum: usize) -> u16 {
        let keys = self.lines.keys(cells);
        let (mut total, mut ways) = (0, 0);
        for &cell in self.free.iter().filter(|&&cell| cells[cell] == 0) {
            for &(rank, weight) in self.spawn.tiles() {
                let mut keys = keys;
                self.lines.place(&mut keys, cell, rank);
                total += weight * u64::from(self.state(&keys, sum + super::numbering::weight(rank)));
            }
            ways += self.spawn.total();
        }
        mean(total, ways)
    }

    /// The best slide that keeps the held tiles, or else the best detour.
    fn state(&self, keys: &Keys, sum: usize) -> u16 {
        let slides: [_; 4] = std::array::from_fn(|direction| self.lines.slide(keys, direction));
        let kept = slides.iter().filter(|slid| slid.moved() && slid.keeps());
        let best = kept.map(|&slid| self.value(slid, sum)).max().unwrap_or(0);
        if best > 0 {
            return best;
        }
        let left = |direction: &usize| slides[*direction].moved() && !slides[*direction].keeps();
        (0..4).filter(left).map(|direction| self.detour(keys, direction, sum)).max().unwrap_or(0)
    }

    /// The mean over what may happen on the way there and back.
    #[inline(never)]
    fn detour(&self, keys: &Keys, direction: usize, sum: usize) -> u16 {
        let (mut total, mut ways) = (0, 0);
        self.lines.detour(keys, direction, |tile, slid| {
            let (rank, weight) = self.spawn.tiles()[tile];
            if slid.keeps() {
                total += weight * u64::from(self.value(slid, sum + super::numbering::weight(rank)));
            }
            ways += weight;
        });
        mean(total, ways)
    }

    /// The value of an afterstate in which the held tiles are where they should be.
    #[inline(always)]
    fn value(&self, slid: super::lines::Slid, sum: usize) -> u16 {
        if slid.made() {
            CERTAIN
        } else if sum > self.numbering.most() {
            0
        } else {
            let (high, low) = slid.halves();
            self.values[self.numbering.number(high, low)].load(Relaxed)
        }
    }
}

/// The mean, rounded; 0 of nothing.
fn mean(total: u64, ways: u64) -> u16 {
    (total + ways / 2).checked_div(ways).unwrap_or(0) as u16
}
