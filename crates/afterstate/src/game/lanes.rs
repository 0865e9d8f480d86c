//! A 4×4 board as sixteen lines side by side, for slides in all four directions at once.
//!
//! The four slides have 16 lines together, one *lane* each: lane 4·direction + line.
//! Position `p` of all lines, counted from the wall, is one vector of 16 bytes, so that a
//! slide is element-wise arithmetic on four vectors. Plain loops over whole lanes are what
//! compilers turn into vector instructions; iterator adaptors and `array::map` are not.

/// One position of all 16 lines.
pub(super) type Lanes = [u8; 16];

/// Lane `4·direction + line` at position `p` is cell `CELL[p][lane]`.
pub(super) const CELL: [Lanes; 4] = {
    let mut table = [[0; 16]; 4];
    let mut p = 0;
    while p < 4 {
        let mut line = 0;
        while line < 4 {
            table[p][line] = (4 * p + line) as u8; // up
            table[p][4 + line] = (4 * line + 3 - p) as u8; // right
            table[p][8 + line] = (4 * (3 - p) + line) as u8; // down
            table[p][12 + line] = (4 * line + p) as u8; // left
            line += 1;
        }
        p += 1;
    }
    table
};

/// Cell `c` of the board slid in direction `d` is byte `BACK[d][c]` of its four positions' four
/// lanes in a row.
pub(super) const BACK: [Lanes; 4] = {
    let mut table = [[0; 16]; 4];
    let mut d = 0;
    while d < 4 {
        let mut i = 0;
        while i < 16 {
            table[d][CELL[i / 4][4 * d + i % 4] as usize] = i as u8;
            i += 1;
        }
        d += 1;
    }
    table
};

/// The four positions of all lines.
#[inline(always)]
pub(super) fn gather(cells: &Lanes) -> [Lanes; 4] {
    let mut at = [[0; 16]; 4];
    for p in 0..4 {
        for i in 0..16 {
            at[p][i] = cells[CELL[p][i] as usize];
        }
    }
    at
}

/// The boards of the four directions.
#[inline(always)]
pub(super) fn scatter(at: &[Lanes; 4]) -> [Lanes; 4] {
    let mut boards = [[0; 16]; 4];
    for d in 0..4 {
        let mut row = [0; 16];
        for p in 0..4 {
            for line in 0..4 {
                row[4 * p + line] = at[p][4 * d + line];
            }
        }
        for i in 0..16 {
            boards[d][i] = row[BACK[d][i] as usize];
        }
    }
    boards
}

/// True if a cell holds more than `rank`; ranks are below 128.
#[inline(always)]
pub(super) fn any_above(cells: &Lanes, rank: u8) -> bool {
    // SWAR: adding 127 − rank sets the top bit of a byte iff it exceeds `rank`.
    let more = u64::from_le_bytes([127 - rank; 8]);
    let (eights, _) = cells.as_chunks::<8>();
    eights.iter().any(|&eight| u64::from_le_bytes(eight).wrapping_add(more) & 0x8080_8080_8080_8080 != 0)
}

/// All ones for true.
#[inline(always)]
pub(super) fn mask(condition: bool) -> u8 {
    0u8.wrapping_sub(condition as u8)
}

/// The sum of each direction's four lanes.
#[inline(always)]
pub(super) fn sum_lines(each: &[u32; 16]) -> [u32; 4] {
    let mut sums = [0; 4];
    for d in 0..4 {
        sums[d] = (each[4 * d] + each[4 * d + 1]) + (each[4 * d + 2] + each[4 * d + 3]);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Direction, Shape};

    #[test]
    fn a_cell_above_is_found_wherever_it_is() {
        for cell in 0..16 {
            for rank in 0..=63 {
                let mut cells = [0; 16];
                cells[cell] = rank;
                assert_eq!(any_above(&cells, 27), rank > 27);
            }
        }
    }

    #[test]
    fn lanes_are_the_lines_from_the_wall_and_scatter_undoes_gather() {
        let cells: Lanes = std::array::from_fn(|i| i as u8);
        let at = gather(&cells);
        for direction in Direction::ALL {
            for line in 0..4 {
                let lane = 4 * direction as usize + line;
                let expected: Vec<usize> = Shape::FOUR.line(direction, line).collect();
                assert_eq!((0..4).map(|p| usize::from(at[p][lane])).collect::<Vec<_>>(), expected);
            }
        }
        assert_eq!(scatter(&at), [cells; 4]);
    }
}
