//! Formations: tiles that stay where they are.

use crate::grid::{Direction, Shape};
use std::fmt;

/// Cells whose tiles are to stay there until a second tile like the smallest of them is made.
///
/// ```
/// use afterstate::endgame::Formation;
/// use afterstate::grid::Shape;
/// // 16384  2048  4096  8192     Six tiles from 512 on stay; the other ten cells are free
/// //     .     .   512  1024     to make one more 512, which brings them all together.
/// //     .     .     .     .
/// //     .     .     .     .
/// let formation = Formation::parse(Shape::FOUR, "####/..##/..../....", 9).unwrap();
/// assert_eq!(formation.free().count(), 10);
/// assert_eq!(formation.to_string(), "####/..##/..../....");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Formation {
    shape: Shape,
    held: u16,
    goal: u8,
}

/// Boards have at most this many cells here.
pub const MAX_CELLS: usize = 16;
/// The largest goal: tables for larger ones would not fit anywhere.
pub const MAX_GOAL: u8 = 12;

impl Formation {
    /// Held cells as a bit set, and the rank of the smallest held tile, which is to be made once
    /// more.
    ///
    /// `None` if the board has more than 16 cells or only one line, nothing or everything is held,
    /// or the goal is none.
    pub fn new(shape: Shape, held: u16, goal: u8) -> Option<Self> {
        let cells = shape.cells();
        let all = if cells >= MAX_CELLS { u16::MAX } else { (1 << cells) - 1 };
        let wide = shape.rows() > 1 && shape.cols() > 1;
        let sound = cells <= MAX_CELLS && wide && held & !all == 0 && held != 0 && held != all;
        (sound && (3..=MAX_GOAL).contains(&goal)).then_some(Self { shape, held, goal })
    }

    /// Reads rows of `#` (held) and `.` (free) between slashes.
    pub fn parse(shape: Shape, text: &str, goal: u8) -> Option<Self> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != shape.rows() || rows.iter().any(|row| row.len() != shape.cols()) {
            return None;
        }
        let mut held = 0;
        for (cell, letter) in rows.concat().chars().enumerate().take(MAX_CELLS) {
            held |= match letter {
                '#' => 1 << cell,
                '.' => 0,
                _ => return None,
            };
        }
        Self::new(shape, held, goal)
    }

    /// The board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The rank that is to be made once more.
    pub fn goal(&self) -> u8 {
        self.goal
    }

    /// True if the tile in a cell is to stay.
    #[inline]
    pub fn holds(&self, cell: usize) -> bool {
        self.held >> cell & 1 == 1
    }

    /// The held cells as a bit set.
    pub fn held(&self) -> u16 {
        self.held
    }

    /// The cells that are free, in order.
    pub fn free(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.shape.cells()).filter(|&cell| !self.holds(cell))
    }

    /// The lines of the board along which a direction slides, each from the wall on that side.
    pub(super) fn lines(&self, direction: Direction) -> impl Iterator<Item = Vec<usize>> {
        let shape = self.shape;
        (0..shape.lines(direction)).map(move |index| shape.line(direction, index).collect())
    }
}

impl fmt::Display for Formation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in 0..self.shape.cells() {
            if cell > 0 && cell % self.shape.cols() == 0 {
                f.write_str("/")?;
            }
            f.write_str(if self.holds(cell) { "#" } else { "." })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_formation_is_refused() {
        let parse = |text, goal| Formation::parse(Shape::FOUR, text, goal);
        assert!(parse("####/..../..../....", 5).is_some());
        for text in ["####/..../....", "####/..../..../...", "####/x.../..../....", "....", ""] {
            assert_eq!(parse(text, 5), None, "{text}");
        }
        assert_eq!(parse("..../..../..../....", 5), None, "nothing is held");
        assert_eq!(parse("####/####/####/####", 5), None, "nothing is free");
        assert_eq!(parse("####/..../..../....", 2), None, "chance makes that by itself");
        assert_eq!(parse("####/..../..../....", MAX_GOAL + 1), None);
        let five = Shape::new(5, 5).unwrap();
        assert_eq!(Formation::new(five, 1, 5), None, "too many cells");
        let text = "#../...";
        assert_eq!(Formation::parse(Shape::new(2, 3).unwrap(), text, 4).unwrap().to_string(), text);
    }
}
