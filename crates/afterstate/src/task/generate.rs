//! Start positions made to order: large tiles in their places, small ones anywhere.

use crate::game::{Game, Setup};
use crate::grid::Shape;
use crate::random::Random;

/// Generator of start positions.
///
/// The large tiles lie along a snake from a corner: along the first row, back along the second, and
/// so on. The other cells are empty or hold small tiles. A goal that is far away is hardly ever
/// reached, and what is never reached is never learned; so some starts are *on the way*: the first
/// of the tiles that will be built next are there already.
#[derive(Clone, Debug, PartialEq)]
pub struct Generator {
    /// The ranks of the large tiles, in the order of the snake.
    pub large: Vec<u8>,
    /// The ranks of the tiles built next, largest first: the first k of them follow the large ones,
    /// k uniform from none to all.
    pub way: Vec<u8>,
    /// The share of starts whose tiles lie anywhere.
    pub anywhere: f64,
    /// The largest rank of the small tiles.
    pub small: u8,
    /// So many starts are used again and again; 0 makes a new one for every game.
    pub pool: u64,
    /// After so many games the oldest start of the pool gives way to a new one; 0 keeps them all.
    pub renew: u64,
    /// Seed of the pool of starts.
    pub seed: u64,
}

impl Generator {
    /// A start for game number `number`.
    ///
    /// With a pool this is a start of the pool as it is at that time, which depends on seed and
    /// number alone.
    pub fn start<G: Game>(&self, game: &G, number: u64, random: &mut Random) -> G::State {
        if self.pool == 0 {
            return self.make(game, random);
        }
        let slot = random.below(self.pool);
        let renewed = number.checked_div(self.renew).unwrap_or(0);
        // Slot 0 is renewed first, then slot 1, and so on around.
        let age = (renewed + self.pool - 1 - slot) / self.pool;
        self.make(game, &mut Random::stream(self.seed, slot + self.pool * age))
    }

    /// A new start: tried until it is a position of the game in which there is a move.
    fn make<G: Game>(&self, game: &G, random: &mut Random) -> G::State {
        loop {
            let ranks = self.ranks(game.shape(), random);
            if let Ok(state) = game.position(&Setup { ranks, ..Setup::default() })
                && !game.is_over(&state)
            {
                return state;
            }
        }
    }

    fn ranks(&self, shape: Shape, random: &mut Random) -> Vec<u8> {
        let cells = shape.cells();
        let on_the_way = random.below(self.way.len() as u64 + 1) as usize;
        let tiles = self.large.iter().chain(&self.way[..on_the_way]);
        let mut places = snake(shape);
        if random.unit() < self.anywhere {
            for i in (1..cells).rev() {
                places.swap(i, random.below(i as u64 + 1) as usize);
            }
        }
        let mut ranks = vec![0; cells];
        let mut free = places.into_iter();
        tiles.zip(free.by_ref()).for_each(|(&rank, cell)| ranks[cell] = rank);
        for cell in free {
            if random.below(2) == 0 {
                ranks[cell] = 1 + random.below(u64::from(self.small)) as u8;
            }
        }
        ranks
    }

    /// True if starts can be made for a board of this shape: there is room for the tiles, and a
    /// small one to move.
    pub fn fits(&self, shape: Shape) -> bool {
        self.small >= 1 && self.large.len() + self.way.len() < shape.cells()
    }
}

/// All cells along a snake: the first row from the left, the second from the right, and so on.
fn snake(shape: Shape) -> Vec<usize> {
    let (rows, cols) = (shape.rows(), shape.cols());
    let cell = |row: usize, i: usize| row * cols + if row.is_multiple_of(2) { i } else { cols - 1 - i };
    (0..rows).flat_map(|row| (0..cols).map(move |i| cell(row, i))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::twenty48::Twenty48;

    fn generator() -> Generator {
        Generator {
            large: vec![14, 12],
            way: vec![11, 10, 9],
            anywhere: 0.0,
            small: 4,
            pool: 0,
            renew: 0,
            seed: 3,
        }
    }

    fn boards(generator: &Generator, games: std::ops::Range<u64>) -> Vec<[u8; 16]> {
        let game = Twenty48::<16>::new(Shape::FOUR);
        let mut random = Random::new(1);
        games.map(|number| generator.start(&game, number, &mut random).0.0).collect()
    }

    #[test]
    fn tiles_follow_the_snake_and_the_rest_is_small() {
        let mut on_the_way = [0; 4];
        for board in boards(&generator(), 0..4000) {
            assert_eq!((board[0], board[1]), (14, 12));
            let next = [board[2], board[3], board[7]];
            let there = next.iter().zip([11, 10, 9]).take_while(|(have, want)| **have == *want).count();
            on_the_way[there] += 1;
            assert!(board.iter().filter(|&&rank| rank > 4).count() == 2 + there, "{board:?}");
        }
        assert!(on_the_way.iter().all(|count| (900..1100).contains(count)), "{on_the_way:?}");
    }

    #[test]
    fn some_lie_anywhere() {
        let loose = Generator { anywhere: 0.25, ..generator() };
        let in_order =
            boards(&loose, 0..4000).iter().filter(|board| board[0] == 14 && board[1] == 12).count();
        assert!((2950..3100).contains(&in_order), "{in_order}");
    }

    #[test]
    fn a_pool_is_small_and_renewed_one_by_one() {
        let pool = Generator { pool: 10, renew: 100, ..generator() };
        let distinct = |games: std::ops::Range<u64>| {
            let mut all = boards(&pool, games);
            all.sort_unstable();
            all.dedup();
            all
        };
        let (first, second, later) = (distinct(0..100), distinct(100..200), distinct(1000..1100));
        assert_eq!([first.len(), second.len(), later.len()], [10; 3]);
        assert_eq!(second.iter().filter(|board| first.contains(board)).count(), 9);
        assert_eq!(later.iter().filter(|board| first.contains(board)).count(), 0);
    }
}
