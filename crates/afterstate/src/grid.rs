//! Boards: their shape, their cells, the four directions and the symmetries.
//!
//! A cell holds a tile's *rank*, one byte, 0 for empty. What a rank is worth is
//! the business of a game. Cells are numbered row by row from the top left.

use std::fmt;

/// The largest rank a typed-in position may hold.
pub const MAX_RANK: u8 = 60;

/// Rows and columns of a board, 1×2 to 8×8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Shape {
    rows: u8,
    cols: u8,
}

impl Shape {
    /// The board everybody knows.
    pub const FOUR: Shape = Shape { rows: 4, cols: 4 };

    /// A shape, if it has one to eight rows and columns and at least two cells.
    pub fn new(rows: usize, cols: usize) -> Option<Self> {
        let fits = (1..=8).contains(&rows) && (1..=8).contains(&cols) && rows * cols >= 2;
        fits.then_some(Self { rows: rows as u8, cols: cols as u8 })
    }

    /// Number of rows.
    #[inline]
    pub fn rows(self) -> usize {
        self.rows.into()
    }

    /// Number of columns.
    #[inline]
    pub fn cols(self) -> usize {
        self.cols.into()
    }

    /// Number of cells.
    #[inline]
    pub fn cells(self) -> usize {
        self.rows() * self.cols()
    }

    /// Transposed board.
    pub fn transposed(self) -> Self {
        Self { rows: self.cols, cols: self.rows }
    }

    /// The cells of one line as a tile sliding in `direction` meets them: the wall first.
    pub fn line(self, direction: Direction, index: usize) -> impl Iterator<Item = usize> + Clone {
        let (rows, cols) = (self.rows(), self.cols());
        let (first, stride, length) = match direction {
            Direction::Left => (index * cols, 1, cols),
            Direction::Right => (index * cols + cols - 1, -1, cols),
            Direction::Up => (index, cols as isize, rows),
            Direction::Down => ((rows - 1) * cols + index, -(cols as isize), rows),
        };
        (0..length as isize).map(move |i| (first as isize + i * stride) as usize)
    }

    /// Number of lines a slide in `direction` moves: rows for left and right, columns for up and
    /// down.
    #[inline]
    pub fn lines(self, direction: Direction) -> usize {
        match direction {
            Direction::Left | Direction::Right => self.rows(),
            Direction::Up | Direction::Down => self.cols(),
        }
    }

    /// The symmetries of the board as permutations: image cell `i` shows cell `map[i]`.
    ///
    /// Eight for a square, four for any other rectangle; the identity comes first.
    /// On boards one cell wide some coincide and are listed once.
    pub fn symmetries(self) -> Vec<Vec<u8>> {
        let (rows, cols) = (self.rows(), self.cols());
        let mut all: Vec<Vec<u8>> = Vec::new();
        for transpose in [false, true] {
            if transpose && rows != cols {
                continue;
            }
            for (flip_rows, flip_cols) in [(false, false), (false, true), (true, true), (true, false)] {
                let map = (0..self.cells())
                    .map(|cell| {
                        let (mut r, mut c) = (cell / cols, cell % cols);
                        if flip_rows {
                            r = rows - 1 - r;
                        }
                        if flip_cols {
                            c = cols - 1 - c;
                        }
                        if transpose {
                            (r, c) = (c, r);
                        }
                        (r * cols + c) as u8
                    })
                    .collect();
                if !all.contains(&map) {
                    all.push(map);
                }
            }
        }
        all
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

/// One of the four moves. The numbering 0 up, 1 right, 2 down, 3 left holds in every interface.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Direction {
    /// Towards the first row.
    Up = 0,
    /// Towards the last column.
    Right = 1,
    /// Towards the last row.
    Down = 2,
    /// Towards the first column.
    Left = 3,
}

impl Direction {
    /// All four, in the order of their numbers.
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Right, Direction::Down, Direction::Left];

    /// The name used on the command line and in every interface.
    pub fn name(self) -> &'static str {
        ["up", "right", "down", "left"][self as usize]
    }

    /// The direction of this name (`up`, `UP`, `u`).
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        Self::ALL.into_iter().find(|d| d.name() == text || d.name()[..1] == text)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The cells of a board: the first [`Shape::cells`] of `N` bytes, the rest zero.
///
/// `N` is 16 for boards of up to 16 cells, among them 4×4, so that a board is one
/// machine register; and 64 for all others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(C, align(16))]
pub struct Board<const N: usize>(pub [u8; N]);

impl<const N: usize> Board<N> {
    /// The board without tiles.
    pub const EMPTY: Self = Board([0; N]);

    /// A board from its cells, row by row.
    ///
    /// # Panics
    /// If there are more than `N` of them.
    pub fn from_cells(cells: &[u8]) -> Self {
        let mut board = Self::EMPTY;
        board.0[..cells.len()].copy_from_slice(cells);
        board
    }

    /// The rank in a cell.
    #[inline]
    pub fn get(&self, cell: usize) -> u8 {
        self.0[cell]
    }

    /// Copy with another rank in one cell.
    #[inline(always)]
    #[must_use]
    pub fn with(mut self, cell: usize, rank: u8) -> Self {
        // Eight cells are written together, so that they can be read together at once.
        let (eights, _) = self.0.as_chunks_mut::<8>();
        for (i, eight) in eights.iter_mut().enumerate() {
            let here = if cell / 8 == i { 0xff << (8 * (cell % 8)) } else { 0 };
            let ranks = u64::from_le_bytes([rank; 8]);
            *eight = (u64::from_le_bytes(*eight) & !here | ranks & here).to_le_bytes();
        }
        self
    }

    /// The largest rank on the board.
    #[inline]
    pub fn max_rank(&self) -> u8 {
        self.0.iter().copied().max().unwrap_or(0)
    }

    /// The empty cells among the first `cells`, as a bit set.
    #[inline(always)]
    pub fn empty_cells(&self, cells: usize) -> u64 {
        // Ranks are below 128, so 128 − rank keeps its top bit for rank 0 alone; the product
        // then collects those bits, 0x01 of byte i becoming bit i of the top byte.
        const TOP: u64 = 0x8080_8080_8080_8080;
        let (eights, _) = self.0.as_chunks::<8>();
        let set = eights.iter().rev().fold(0, |set, &eight| {
            let zeros = (TOP - u64::from_le_bytes(eight)) & TOP;
            set << 8 | (zeros >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
        });
        set & (u64::MAX >> (64 - cells))
    }

    /// The board as a symmetry of [`Shape::symmetries`] shows it.
    #[must_use]
    pub fn permuted(&self, map: &[u8]) -> Self {
        let mut image = Self::EMPTY;
        for (to, &from) in image.0.iter_mut().zip(map) {
            *to = self.0[usize::from(from)];
        }
        image
    }
}

impl<const N: usize> fmt::Debug for Board<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.0.iter().rposition(|&r| r != 0).map_or(0, |i| i + 1);
        write!(f, "Board({:?})", &self.0[..last])
    }
}

/// View of a position, as a value function sees it: the cells, and for Threes the tile to come and
/// the bag.
///
/// It does not know which game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View<'a> {
    /// The ranks, row by row; 16 or 64 bytes, zero beyond the last cell.
    pub cells: &'a [u8],
    /// The tile to come: 0 unknown, 1, 2, 3, or from 4 on a larger one (4 is the smallest such).
    pub hint: u8,
    /// Numbers of 1s, 2s and 3s left in the bag.
    pub bag: [u8; 3],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_limits() {
        assert!(Shape::new(1, 1).is_none());
        assert!(Shape::new(0, 4).is_none());
        assert!(Shape::new(9, 2).is_none());
        assert_eq!(Shape::new(1, 2).unwrap().cells(), 2);
        assert_eq!(Shape::new(8, 8).unwrap().cells(), 64);
    }

    #[test]
    fn lines_start_at_the_wall() {
        let shape = Shape::new(2, 3).unwrap();
        let line = |d, i| shape.line(d, i).collect::<Vec<_>>();
        assert_eq!(line(Direction::Left, 1), [3, 4, 5]);
        assert_eq!(line(Direction::Right, 0), [2, 1, 0]);
        assert_eq!(line(Direction::Up, 2), [2, 5]);
        assert_eq!(line(Direction::Down, 0), [3, 0]);
    }

    #[test]
    fn symmetries_form_a_group() {
        for (rows, cols, expected) in [(4, 4, 8), (2, 3, 4), (1, 4, 2), (6, 6, 8), (2, 2, 8)] {
            let all = Shape::new(rows, cols).unwrap().symmetries();
            assert_eq!(all.len(), expected);
            assert!(all[0].iter().enumerate().all(|(i, &c)| i == usize::from(c)));
            for a in &all {
                for b in &all {
                    let product: Vec<u8> = a.iter().map(|&i| b[usize::from(i)]).collect();
                    assert!(all.contains(&product));
                }
            }
        }
    }

    #[test]
    fn one_cell_is_replaced_and_no_other() {
        let board = Board::<16>(std::array::from_fn(|cell| cell as u8));
        for cell in 0..16 {
            let mut expected = board;
            expected.0[cell] = 63;
            assert_eq!(board.with(cell, 63), expected);
        }
        assert_eq!(Board::<64>::EMPTY.with(63, 5).0[63], 5);
    }

    #[test]
    fn empty_cells_are_a_set_within_the_shape() {
        let board = Board::<16>::from_cells(&[1, 0, 2, 0]);
        assert_eq!(board.empty_cells(4), 0b1010);
        assert_eq!(Board::<64>::EMPTY.empty_cells(64), u64::MAX);
    }
}
