//! Slides of whole boards as sums over their lines.
//!
//! What a slide does to one line does not depend on the others, and the number of a board is a sum
//! over its cells ([`Numbering`]). So each line's share of the result is looked up by what the line
//! shows, and the shares are added: four additions slide a board of 4×4 and number the result. A
//! share is a number of 64 bits:
//!
//! ```text
//!  bit 0 …   number of the high half
//! bit 28 …   number of the low half
//! bit 48 …   lines in which something moved
//! bit 52 …   lines in which a held tile is not where it should be
//! bit 56 …   lines in which the goal was made
//! ```

use super::formation::Formation;
use super::numbering::Numbering;
use crate::game::twenty48::slide_board;
use crate::grid::{Board, Direction, MAX_RANK, Shape};

/// The sum of the shares of all lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slid(u64);

const LOW: u32 = 28;
const MOVED: u64 = 1 << 48;
const BROKEN: u64 = 1 << 52;
const MADE: u64 = 1 << 56;
/// Eight lines may add up in each of these.
const COUNT: u64 = 15;

impl Slid {
    /// True if anything moved.
    #[inline(always)]
    pub(super) fn moved(self) -> bool {
        self.0 & (MOVED * COUNT) != 0
    }

    /// True if all held tiles are where they should be.
    #[inline(always)]
    pub(super) fn keeps(self) -> bool {
        self.0 & (BROKEN * COUNT) == 0
    }

    /// True if the goal was made.
    #[inline(always)]
    pub(super) fn made(self) -> bool {
        self.0 & (MADE * COUNT) != 0
    }

    /// The numbers of the two halves, if the held tiles are kept and the goal is not made.
    #[inline(always)]
    pub(super) fn halves(self) -> (usize, usize) {
        ((self.0 & ((1 << LOW) - 1)) as usize, (self.0 >> LOW & 0xffff) as usize)
    }
}

/// Contents of the free cells of every line: rows first, then columns.
pub(super) type Keys = [[u32; MAX_LINES]; 2];

const MAX_LINES: usize = 8;

/// Successor of a line, and the tables of a detour.
#[derive(Clone, Debug)]
struct Line {
    /// By key: the share after the slide.
    slides: Vec<u64>,
    /// By key: the share after the slide and the slide back, with no tile in between.
    back: Vec<u64>,
    /// By key, place and tile: the same with that tile in that place; [`NO_ROOM`] if the place is
    /// taken.
    back_with: Vec<u64>,
    /// Places times tiles.
    ways: usize,
}

const NO_ROOM: u64 = u64::MAX;

/// The slides of all boards of a formation.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    directions: [Vec<Line>; 4],
    /// By cell: for row and column its line, and what a tile of rank 1 adds to the key.
    places: Vec<[(usize, u32); 2]>,
    tiles: usize,
}

/// Held tiles are shown to the rules as ranks from here on, all different.
const HELD: u8 = 40;

impl Lines {
    /// Tables for a formation whose boards have these numbers, when chance adds these ranks.
    pub(super) fn new(formation: &Formation, numbering: &Numbering, tiles: &[u8]) -> Self {
        let radix = u32::from(formation.goal());
        let mut places = vec![[(0, 0); 2]; formation.shape().cells()];
        for (axis, direction) in [Direction::Left, Direction::Up].into_iter().enumerate() {
            for (index, cells) in formation.lines(direction).enumerate() {
                let free = cells.into_iter().filter(|&cell| !formation.holds(cell));
                for (digit, cell) in free.enumerate() {
                    places[cell][axis] = (index, radix.pow(digit as u32));
                }
            }
        }
        let directions = Direction::ALL.map(|direction| {
            let axis = axis(direction);
            let line = |cells: Vec<usize>| {
                Build { formation, numbering, tiles, places: &places, axis, cells }.line()
            };
            formation.lines(direction).map(line).collect()
        });
        Self { directions, places, tiles: tiles.len() }
    }

    /// The keys of a board's lines.
    #[inline]
    pub(super) fn keys(&self, cells: &[u8]) -> Keys {
        let mut keys = Keys::default();
        for (cell, &rank) in cells.iter().enumerate().take(self.places.len()) {
            self.place(&mut keys, cell, rank);
        }
        keys
    }

    /// Adds a tile in an empty cell; held cells change nothing.
    #[inline(always)]
    pub(super) fn place(&self, keys: &mut Keys, cell: usize, rank: u8) {
        for (axis, &(line, weight)) in self.places[cell].iter().enumerate() {
            keys[axis][line] += u32::from(rank) * weight;
        }
    }

    /// Slides the board with these keys.
    #[inline(always)]
    pub(super) fn slide(&self, keys: &Keys, direction: usize) -> Slid {
        let keys = &keys[direction & 1 ^ 1];
        Slid(self.directions[direction].iter().zip(keys).map(|(line, &key)| line.slides[key as usize]).sum())
    }

    /// Slides, lets each tile appear in each empty cell, and slides back: tells the number of the
    /// tile and the result.
    #[inline]
    pub(super) fn detour(&self, keys: &Keys, direction: usize, mut each: impl FnMut(usize, Slid)) {
        let lines = &self.directions[direction];
        let keys = &keys[direction & 1 ^ 1];
        let all: u64 = lines.iter().zip(keys).map(|(line, &key)| line.back[key as usize]).sum();
        for (line, &key) in lines.iter().zip(keys) {
            let key = key as usize;
            let others = all - line.back[key];
            for (way, &share) in line.back_with[key * line.ways..][..line.ways].iter().enumerate() {
                if share != NO_ROOM {
                    each(way % self.tiles, Slid(others + share));
                }
            }
        }
    }
}

/// 0 for slides along rows, 1 for slides along columns.
fn axis(direction: Direction) -> usize {
    match direction {
        Direction::Left | Direction::Right => 0,
        Direction::Up | Direction::Down => 1,
    }
}

/// Builds the tables of one line, whose cells are listed from the wall on.
struct Build<'a> {
    formation: &'a Formation,
    numbering: &'a Numbering,
    tiles: &'a [u8],
    places: &'a [[(usize, u32); 2]],
    axis: usize,
    cells: Vec<usize>,
}

impl Build<'_> {
    fn line(&self) -> Line {
        let radix = usize::from(self.formation.goal());
        let free = self.cells.iter().filter(|&&cell| !self.formation.holds(cell)).count();
        let keys = radix.pow(free as u32);
        let ways = self.cells.len() * self.tiles.len();
        let mut line = Line { slides: Vec::new(), back: Vec::new(), back_with: Vec::new(), ways };
        for key in 0..keys {
            let before = self.shown(key);
            let after = self.slid(&before, Direction::Left);
            let moved = if after == before { 0 } else { MOVED };
            line.slides.push(self.share(&after) + moved);
            line.back.push(self.share(&self.slid(&after, Direction::Right)));
            for place in 0..self.cells.len() {
                for &tile in self.tiles {
                    line.back_with.push(match after.get(place) {
                        0 => self.share(&self.slid(&after.with(place, tile), Direction::Right)),
                        _ => NO_ROOM,
                    });
                }
            }
        }
        line
    }

    /// The line that a key shows.
    fn shown(&self, key: usize) -> Board<16> {
        let radix = u32::from(self.formation.goal());
        let mut line = Board::EMPTY;
        for (place, &cell) in self.cells.iter().enumerate() {
            line.0[place] = if self.formation.holds(cell) {
                HELD + place as u8
            } else {
                (key as u32 / self.places[cell][self.axis].1 % radix) as u8
            };
        }
        line
    }

    /// The line slid to its wall, or away from it.
    fn slid(&self, line: &Board<16>, direction: Direction) -> Board<16> {
        let shape = Shape::new(1, self.cells.len()).expect("formations have lines of two cells and more");
        slide_board(line, shape, direction, MAX_RANK).map_or(*line, |(slid, _)| slid)
    }

    /// Contribution of a line to the sum. Slides back are encoded alike: what counts is what they
    /// leave.
    fn share(&self, line: &Board<16>) -> u64 {
        let mut share = 0;
        for (place, &cell) in self.cells.iter().enumerate() {
            let rank = line.get(place);
            let holds = self.formation.holds(cell);
            if holds != (rank >= HELD) {
                return BROKEN;
            }
            if rank == self.formation.goal() {
                share |= MADE;
            } else if !holds {
                let (high, low) = self.numbering.digit(cell);
                share += u64::from(rank) * (high + (low << LOW));
            }
        }
        share
    }
}
