//! The slide of 2048 on any board, line by line.

use crate::grid::{Board, Direction, Shape};

/// Slides a board; the new board and the points, or `None` if nothing moves.
///
/// Each line is read from the wall outwards with one tile held back, waiting for
/// an equal one: when it comes they merge, else the held tile is laid down. Points beyond
/// 64 bits, possible only on typed-in boards full of tiles of rank 59, stay at the maximum.
pub fn slide_board<const N: usize>(
    board: &Board<N>,
    shape: Shape,
    direction: Direction,
    cap_rank: u8,
) -> Option<(Board<N>, u64)> {
    let (first, step, stride, length) = geometry(shape, direction);
    let mut result = Board::EMPTY;
    let mut points = 0;
    for line in 0..shape.lines(direction) {
        let start = (first + line as isize * step) as usize;
        let mut from = start;
        let mut to = start;
        let mut held = 0;
        for _ in 0..length {
            let rank = board.0[from];
            from = from.wrapping_add_signed(stride);
            if rank == 0 {
                continue;
            }
            if rank == held && rank < cap_rank {
                result.0[to] = rank + 1;
                points = u64::saturating_add(points, 2 << rank);
                held = 0;
                to = to.wrapping_add_signed(stride);
            } else {
                if held != 0 {
                    result.0[to] = held;
                    to = to.wrapping_add_signed(stride);
                }
                held = rank;
            }
        }
        if held != 0 {
            result.0[to] = held;
        }
    }
    (result != *board).then_some((result, points))
}

/// The wall cell of line 0, the step to the next line's, the step along a line, and a line's length.
fn geometry(shape: Shape, direction: Direction) -> (isize, isize, isize, usize) {
    let (rows, cols) = (shape.rows() as isize, shape.cols() as isize);
    match direction {
        Direction::Up => (0, 1, cols, shape.rows()),
        Direction::Right => (cols - 1, cols, -1, shape.cols()),
        Direction::Down => ((rows - 1) * cols, 1, -cols, shape.rows()),
        Direction::Left => (0, cols, 1, shape.cols()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_beyond_64_bits_stay_at_the_maximum() {
        let shape = Shape::new(8, 8).unwrap();
        let full = Board::<64>([59; 64]);
        let (board, points) = slide_board(&full, shape, Direction::Left, 60).unwrap();
        assert_eq!(points, u64::MAX);
        assert_eq!(board.0[..8], [60, 60, 60, 60, 0, 0, 0, 0]);
    }
}
