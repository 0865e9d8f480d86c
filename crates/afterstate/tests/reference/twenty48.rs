//! 2048 as one would explain it to a child: numbers on a grid, moved one tile and one
//! cell at a time. Nothing here uses the library.

/// The numbers on the board, row by row; 0 is an empty cell.
pub(crate) type Grid = Vec<Vec<u64>>;

/// Up, right, down, left as steps of row and column.
pub(crate) const STEPS: [(isize, isize); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// The grid and the points after a slide, or `None` if nothing changes.
///
/// Tiles showing `cap` or more do not merge.
pub(crate) fn slide(grid: &Grid, step: (isize, isize), cap: u64) -> Option<(Grid, u128)> {
    let mut now = grid.clone();
    let mut made_now: Vec<Vec<bool>> = grid.iter().map(|row| vec![false; row.len()]).collect();
    let mut points = 0;
    for start in nearest_the_wall_first(grid, step) {
        let mut at = start;
        if now[at.0][at.1] == 0 {
            continue;
        }
        while let Some(ahead) = neighbour(grid, at, step) {
            let tile = now[at.0][at.1];
            if now[ahead.0][ahead.1] == 0 {
                now[ahead.0][ahead.1] = tile;
                now[at.0][at.1] = 0;
                at = ahead;
            } else if now[ahead.0][ahead.1] == tile && tile < cap && !made_now[ahead.0][ahead.1] {
                now[ahead.0][ahead.1] = 2 * tile;
                now[at.0][at.1] = 0;
                made_now[ahead.0][ahead.1] = true;
                points += u128::from(2 * tile);
                break;
            } else {
                break;
            }
        }
    }
    (now != *grid).then_some((now, points))
}

/// True if a slide is legal, told without sliding: some tile has a gap or its equal right ahead.
pub(crate) fn legal(grid: &Grid, step: (isize, isize), cap: u64) -> bool {
    nearest_the_wall_first(grid, step).into_iter().any(|at| {
        let tile = grid[at.0][at.1];
        let ahead = neighbour(grid, at, step).map(|ahead| grid[ahead.0][ahead.1]);
        tile != 0 && (ahead == Some(0) || (ahead == Some(tile) && tile < cap))
    })
}

/// Every grid chance can make of this one, with its weight; `spawn` lists numbers with weights.
pub(crate) fn outcomes(grid: &Grid, spawn: &[(u64, u64)]) -> Vec<(Grid, u64)> {
    let mut all = Vec::new();
    for row in 0..grid.len() {
        for column in 0..grid[row].len() {
            for &(tile, weight) in spawn {
                if grid[row][column] == 0 {
                    let mut next = grid.clone();
                    next[row][column] = tile;
                    all.push((next, weight));
                }
            }
        }
    }
    all
}

fn neighbour(grid: &Grid, at: (usize, usize), step: (isize, isize)) -> Option<(usize, usize)> {
    let row = at.0.checked_add_signed(step.0)?;
    let column = at.1.checked_add_signed(step.1)?;
    (row < grid.len() && column < grid[row].len()).then_some((row, column))
}

/// All cells, those with the fewest cells ahead of them first.
fn nearest_the_wall_first(grid: &Grid, step: (isize, isize)) -> Vec<(usize, usize)> {
    let mut cells: Vec<_> = (0..grid.len()).flat_map(|r| (0..grid[r].len()).map(move |c| (r, c))).collect();
    cells.sort_by_key(|&cell| {
        let mut distance = 0;
        let mut at = cell;
        while let Some(ahead) = neighbour(grid, at, step) {
            at = ahead;
            distance += 1;
        }
        distance
    });
    cells
}
