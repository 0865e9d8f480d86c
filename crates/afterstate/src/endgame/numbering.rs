//! Boards as numbers without gaps: those whose tiles add up to no more than a limit.
//!
//! The free cells are cut into two halves. Each half by itself is a number in the radix of its
//! ranks. The *low* halves are put in the order of their sums, so that those which fit beside a
//! given *high* half are the first of them:
//!
//! ```text
//! number      = start[high] + rank[low]
//! start[high] = Σ over smaller high halves of how many low ones fit beside them
//! ```
//!
//! Two look-ups number a board, and the boards of one sum lie in runs.

use std::ops::Range;

/// The numbers of all boards of some cells and ranks whose sum is within a limit.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    radix: usize,
    most: usize,
    /// The cells of each half, the lowest digit first.
    high: Vec<usize>,
    low: Vec<usize>,
    /// The sums of the high halves.
    sums: Vec<u32>,
    start: Vec<u32>,
    rank: Vec<u32>,
    /// The low halves in the order of their sums, and where each sum begins.
    ordered: Vec<u32>,
    first: Vec<u32>,
    len: usize,
}

/// The cells of the low half.
const LOW: usize = 4;

/// A tile of rank 1 counts 1, of rank 2 counts 2, of rank 3 counts 4.
#[inline]
pub(super) fn weight(rank: u8) -> usize {
    if rank == 0 { 0 } else { 1 << (rank - 1) }
}

impl Numbering {
    /// Numbers the boards of these cells with ranks below `radix` and sums up to `most`.
    ///
    /// `None` if 32 bits are not enough.
    pub(super) fn new(cells: &[usize], radix: u8, most: usize) -> Option<Self> {
        let (high, low) = cells.split_at(cells.len().saturating_sub(LOW));
        let radix = usize::from(radix);
        // A high half may be as long as its number has 28 bits, which lines rely on.
        radix.checked_pow(high.len() as u32).filter(|&halves| halves < 1 << 28)?;
        let sums = sums(high.len(), radix);
        let low_sums = self::sums(low.len(), radix);
        let mut ordered: Vec<u32> = (0..low_sums.len() as u32).collect();
        ordered.sort_by_key(|&half| (low_sums[half as usize], half));
        let mut rank = vec![0; ordered.len()];
        for (place, &half) in ordered.iter().enumerate() {
            rank[half as usize] = place as u32;
        }
        let begins = |sum: usize| ordered.partition_point(|&half| (low_sums[half as usize] as usize) < sum);
        let first: Vec<u32> = (0..=most + 1).map(|sum| begins(sum) as u32).collect();
        let mut start = Vec::with_capacity(sums.len());
        let mut len = 0u64;
        for &sum in &sums {
            start.push(u32::try_from(len).ok()?);
            len += most.checked_sub(sum as usize).map_or(0, |left| u64::from(first[left + 1]));
        }
        let len = usize::try_from(u32::try_from(len).ok()?).ok()?;
        let (high, low) = (high.to_vec(), low.to_vec());
        Some(Self { radix, most, high, low, sums, start, rank, ordered, first, len })
    }

    /// Number of boards, without the tables that number them; `None` above 64 bits.
    pub(super) fn count(cells: usize, radix: u8, most: usize) -> Option<u64> {
        let mut ways = vec![0u64; most + 1];
        ways[0] = 1;
        for _ in 0..cells {
            let mut more = vec![0u64; most + 1];
            for (sum, &count) in ways.iter().enumerate().filter(|&(_, &count)| count > 0) {
                for weight in (0..radix).map(weight).take_while(|weight| sum + weight <= most) {
                    more[sum + weight] = more[sum + weight].checked_add(count)?;
                }
            }
            ways = more;
        }
        ways.iter().try_fold(0u64, |all, &count| all.checked_add(count))
    }

    /// Number of boards.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The largest sum.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// Amount that a tile of rank 1 in this cell adds to the numbers of the two halves.
    pub(super) fn digit(&self, cell: usize) -> (u64, u64) {
        let place = |half: &[usize]| {
            let place = half.iter().position(|&other| other == cell)?;
            Some((self.radix as u64).pow(place as u32))
        };
        (place(&self.high).unwrap_or(0), place(&self.low).unwrap_or(0))
    }

    /// The number of a board from those of its halves; its sum must be within the limit.
    #[inline(always)]
    pub(super) fn number(&self, high: usize, low: usize) -> usize {
        self.start[high] as usize + self.rank[low] as usize
    }

    /// The number of a board, if its free cells show ranks and a sum within the limits.
    pub(super) fn of(&self, cells: &[u8]) -> Option<usize> {
        let half = |places: &[usize]| {
            places.iter().rev().try_fold((0, 0), |(number, sum), &cell| {
                let rank = usize::from(cells[cell]);
                (rank < self.radix).then(|| (number * self.radix + rank, sum + weight(cells[cell])))
            })
        };
        let ((high, above), (low, below)) = (half(&self.high)?, half(&self.low)?);
        (above + below <= self.most).then(|| self.number(high, low))
    }

    /// Number of high halves.
    pub(super) fn halves(&self) -> usize {
        self.sums.len()
    }

    /// The numbers of all boards with this high half and this sum.
    pub(super) fn run(&self, high: usize, sum: usize) -> Range<usize> {
        let start = self.start[high] as usize;
        match sum.checked_sub(self.sums[high] as usize) {
            Some(left) => start + self.first[left] as usize..start + self.first[left + 1] as usize,
            None => 0..0,
        }
    }

    /// Shows the ranks of a high half in its cells.
    pub(super) fn show_high(&self, high: usize, cells: &mut [u8]) {
        show(high, self.radix, &self.high, cells);
    }

    /// Shows the ranks of the low half of a board, given its number and its high half.
    #[inline]
    pub(super) fn show_low(&self, high: usize, number: usize, cells: &mut [u8]) {
        let half = self.ordered[number - self.start[high] as usize];
        show(half as usize, self.radix, &self.low, cells);
    }
}

/// The ranks of a half in its cells.
#[inline]
fn show(mut half: usize, radix: usize, places: &[usize], cells: &mut [u8]) {
    for &cell in places {
        cells[cell] = (half % radix) as u8;
        half /= radix;
    }
}

/// The sums of all halves of so many cells.
fn sums(cells: usize, radix: usize) -> Vec<u32> {
    let mut sums = vec![0u32];
    for _ in 0..cells {
        // The next digit is above those so far.
        sums =
            (0..radix as u8).flat_map(|rank| sums.iter().map(move |sum| sum + weight(rank) as u32)).collect();
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every board of seven cells within the limit has a number of its own, below their count, and
    /// is shown again by it.
    #[test]
    fn numbers_have_no_gaps() {
        let cells = [0, 2, 3, 5, 6, 7, 8];
        for (radix, most) in [(4u8, 3usize), (4, 11), (4, 1000), (5, 20), (3, 0)] {
            let numbering = Numbering::new(&cells, radix, most).unwrap();
            let mut seen = vec![false; numbering.len()];
            let mut boards = 0;
            for code in 0..usize::from(radix).pow(7) {
                let mut board = [9; 16];
                show(code, radix.into(), &cells, &mut board);
                let sum: usize = cells.iter().map(|&cell| weight(board[cell])).sum();
                match numbering.of(&board) {
                    Some(number) => {
                        assert!(sum <= most && !seen[number]);
                        seen[number] = true;
                        boards += 1;
                    }
                    None => assert!(sum > most),
                }
            }
            assert_eq!(boards, numbering.len());
            assert_eq!(Numbering::count(7, radix, most), Some(boards as u64));
        }
        let numbering = Numbering::new(&cells, 4, 11).unwrap();
        assert_eq!(numbering.of(&[4; 16]), None, "a rank beyond the radix");
    }

    #[test]
    fn runs_are_the_boards_of_one_sum() {
        let cells = [1, 4, 5, 6, 9, 10];
        let numbering = Numbering::new(&cells, 4, 9).unwrap();
        let mut listed = 0;
        for sum in 0..=9 {
            for high in 0..numbering.halves() {
                for number in numbering.run(high, sum) {
                    let mut board = [0; 16];
                    numbering.show_high(high, &mut board);
                    numbering.show_low(high, number, &mut board);
                    assert_eq!(numbering.of(&board), Some(number));
                    assert_eq!(board.iter().map(|&rank| weight(rank)).sum::<usize>(), sum);
                    listed += 1;
                }
            }
        }
        assert_eq!(listed, numbering.len());
    }
}
