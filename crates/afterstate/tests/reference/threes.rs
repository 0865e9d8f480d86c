//! Threes as slowly and plainly as possible: tile values in nested lists, one tile moved
//! at a time, probabilities as fractions. Shares no code and no idea with the library.

use std::collections::BTreeMap;

/// Rows of tile values, 0 for empty.
pub(crate) type Grid = Vec<Vec<u64>>;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Version {
    Paper,
    App,
    Course,
}

/// A position; `next` lists the values the announced tile may have.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Position {
    pub(crate) grid: Grid,
    /// The tiles in the bag one by one, sorted.
    pub(crate) bag: Vec<u64>,
    pub(crate) next: Vec<u64>,
    pub(crate) bonuses: i64,
    pub(crate) draws: i64,
}

/// A slide's result: grid, gain, and cells (row, column) where a tile may enter.
pub(crate) type Slid = (Grid, u64, Vec<(usize, usize)>);

pub(crate) fn tile_score(value: u64) -> u64 {
    let mut score = 3;
    let mut tile = 3;
    if value < 3 {
        return 0;
    }
    while tile < value {
        tile *= 2;
        score *= 3;
    }
    score
}

pub(crate) fn largest(grid: &Grid) -> u64 {
    grid.iter().flatten().copied().max().unwrap()
}

/// `direction`: 0 up, 1 right, 2 down, 3 left.
pub(crate) fn slide(version: Version, grid: &Grid, direction: usize) -> Option<Slid> {
    let (rows, cols) = (grid.len() as i32, grid[0].len() as i32);
    let (dr, dc) = [(-1, 0), (0, 1), (1, 0), (0, -1)][direction];
    if version == Version::App && largest(grid) == 12288 {
        return None;
    }
    let inside = |r: i32, c: i32| (0..rows).contains(&r) && (0..cols).contains(&c);
    let mut cells: Vec<(i32, i32)> = (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c))).collect();
    // Nearest to the wall first.
    cells.sort_by_key(|&(r, c)| -(r * dr + c * dc));

    let mut new = grid.clone();
    let mut gain = 0;
    let mut moved_lines = Vec::new();
    for &(r, c) in &cells {
        let (ahead_r, ahead_c) = (r + dr, c + dc);
        let tile = new[r as usize][c as usize];
        if tile == 0 || !inside(ahead_r, ahead_c) {
            continue;
        }
        let ahead = new[ahead_r as usize][ahead_c as usize];
        let made = if ahead == 0 {
            tile
        } else if ahead + tile == 3 {
            3
        } else if ahead == tile && tile >= 3 && (tile < 6144 || version == Version::App) {
            2 * tile
        } else {
            continue;
        };
        if ahead != 0 {
            gain += tile_score(made) - tile_score(ahead) - tile_score(tile);
        }
        new[ahead_r as usize][ahead_c as usize] = made;
        new[r as usize][c as usize] = 0;
        moved_lines.push(if dr == 0 { r } else { c });
    }
    if moved_lines.is_empty() {
        return None;
    }
    // The far edge: cells with no neighbour behind them.
    let edge = cells.iter().filter(|&&(r, c)| !inside(r - dr, c - dc));
    let slots = edge.filter(|&&(r, c)| match version {
        Version::Course => new[r as usize][c as usize] == 0,
        _ => moved_lines.contains(if dr == 0 { &r } else { &c }),
    });
    let slots = slots.map(|&(r, c)| (r as usize, c as usize)).collect();
    Some((new, gain, slots))
}

/// A probability as a fraction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Fraction(pub(crate) u128, pub(crate) u128);

impl Fraction {
    fn times(self, numerator: usize, denominator: usize) -> Self {
        Self(self.0 * numerator as u128, self.1 * denominator as u128).reduced()
    }

    fn plus(self, other: Self) -> Self {
        Self(self.0 * other.1 + other.0 * self.1, self.1 * other.1).reduced()
    }

    fn reduced(self) -> Self {
        let (mut a, mut b) = (self.0, self.1);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Self(self.0 / a, self.1 / a)
    }
}

/// Every position that may follow, with the placed tile's score and the probability.
pub(crate) fn outcomes(
    version: Version,
    before: &Position,
    slid: &Slid,
) -> BTreeMap<(Position, u64), Fraction> {
    let (grid, _, slots) = slid;
    let mut all = BTreeMap::new();
    for &(r, c) in slots {
        for &tile in &before.next {
            let mut placed = before.clone();
            placed.grid = grid.clone();
            placed.grid[r][c] = tile;
            let share = Fraction(1, 1).times(1, slots.len()).times(1, before.next.len());
            for (position, probability) in draws(version, &placed) {
                let probability = Fraction(share.0 * probability.0, share.1 * probability.1).reduced();
                let sum = all.entry((position, tile_score(tile))).or_insert(Fraction(0, 1));
                *sum = sum.plus(probability);
            }
        }
    }
    all
}

/// Draws the next announcement: tile by tile of the bag, window by window of the bonus.
pub(crate) fn draws(version: Version, position: &Position) -> Vec<(Position, Fraction)> {
    let cells = position.grid.len() * position.grid[0].len();
    let max = largest(&position.grid);
    let bonus = match version {
        _ if max < 48 => Fraction(0, 1),
        Version::Course if cells < 16 => Fraction(0, 1),
        Version::Course if 21 * (position.bonuses + 1) < position.draws => Fraction(1, 1),
        Version::Course => Fraction(0, 1),
        _ => Fraction(1, 21),
    };
    let mut counted = position.clone();
    if version == Version::Course && cells >= 16 && max >= 48 {
        counted.draws += 1;
    }
    let mut list = Vec::new();
    if bonus.0 > 0 {
        let windows = windows(version, max);
        for window in &windows {
            let mut next = counted.clone();
            next.next = window.clone();
            next.bonuses += i64::from(version == Version::Course);
            list.push((next, bonus.times(1, windows.len())));
        }
    }
    let rest = Fraction(bonus.1 - bonus.0, bonus.1);
    if rest.0 > 0 {
        for i in 0..position.bag.len() {
            let mut next = counted.clone();
            next.next = vec![next.bag.remove(i)];
            if next.bag.is_empty() {
                next.bag = full(version);
            }
            list.push((next, rest.times(1, position.bag.len())));
        }
    }
    list
}

pub(crate) fn full(version: Version) -> Vec<u64> {
    let copies = if version == Version::Course { 1 } else { 4 };
    [1, 2, 3].into_iter().flat_map(|tile| vec![tile; copies]).collect()
}

/// The sets of tiles a bonus may be announced as.
pub(crate) fn windows(version: Version, max: u64) -> Vec<Vec<u64>> {
    let doubling = |from: u64, to: u64| {
        let mut values = Vec::new();
        let mut value = from;
        while value <= to {
            values.push(value);
            value *= 2;
        }
        values
    };
    match (version, max) {
        (Version::App, 48) => vec![vec![6]],
        (Version::App, 96) => vec![vec![6, 12]],
        (Version::App, _) => doubling(6, max / 32).into_iter().map(|low| doubling(low, 4 * low)).collect(),
        _ => vec![doubling(6, max / 8)],
    }
}
