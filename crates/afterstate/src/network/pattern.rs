//! Tuples of cells, the sets of them the literature uses, and their images under symmetry.

use crate::grid::Shape;
use std::fmt;
use thiserror::Error;

/// A tuple of cells; the first is the least significant digit of the index into its table.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Pattern {
    cells: Vec<u8>,
    alphabet: u8,
}

/// Why a pattern or a set of them was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct PatternError(String);

/// Longest tuple: its index must fit in 32 bits.
const MAX_CELLS: usize = 8;

/// The sets known by name on a 4×4 board, with the literature they come from.
const NAMED: &[(&str, &str)] = &[
    ("4x6", "012345 456789 012456 45689a"), // Wu et al. 2014, Yeh et al. 2016
    ("5x6", "012345 456789 012456 45689a 89abcd"),
    ("8x6", "012456 456789 012345 234569 01259a 345678 134567 01489a"), // Matsuzaki 2016
    ("4x5", "01234 45678 01245 45689"),
    ("2x7", "0123456 456789a"),
    ("2x8", "01234567 456789ab"),
    ("szubert", "0123 4567 012456 45689a"), // Szubert & Jaśkowski 2014, the large network
    ("4x4", "0123 4567 0145 1256"),         // small, for quick tests: lines and squares
];

impl Pattern {
    /// A tuple of these cells whose ranks run from 0 to `alphabet` − 1.
    ///
    /// Larger ranks read as the largest of the alphabet.
    pub fn new(cells: &[u8], alphabet: u8) -> Result<Self, PatternError> {
        let repeated = cells.iter().enumerate().any(|(i, cell)| cells[..i].contains(cell));
        if cells.is_empty() || cells.len() > MAX_CELLS || repeated {
            return Err(PatternError(format!(
                "a pattern has 1 to {MAX_CELLS} different cells, not {cells:?}"
            )));
        }
        if !(2..=64).contains(&alphabet) {
            return Err(PatternError(format!("an alphabet has 2 to 64 ranks, not {alphabet}")));
        }
        if u64::from(alphabet).pow(cells.len() as u32) > 1 << 31 {
            return Err(PatternError(format!(
                "{} cells of {alphabet} ranks make a table too large; use fewer cells or ranks",
                cells.len()
            )));
        }
        Ok(Self { cells: cells.to_vec(), alphabet })
    }

    /// The cells, least significant digit first.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// Number of ranks a cell can show.
    pub fn alphabet(&self) -> u8 {
        self.alphabet
    }

    /// The number of weights in its table.
    pub fn table_len(&self) -> usize {
        usize::from(self.alphabet).pow(self.cells.len() as u32)
    }

    /// The distinct cell lists that the symmetries of the board turn this one into, itself first.
    pub fn images(&self, shape: Shape) -> Vec<Vec<u8>> {
        let mut images: Vec<Vec<u8>> = Vec::new();
        for map in shape.symmetries() {
            let image: Vec<u8> = self.cells.iter().map(|&cell| map[usize::from(cell)]).collect();
            if !images.contains(&image) {
                images.push(image);
            }
        }
        images
    }

    /// The tuple on the transposed board; `shape` is the board before.
    #[must_use]
    pub fn transposed(&self, shape: Shape) -> Self {
        let turn = |&cell: &u8| {
            let (row, col) = (usize::from(cell) / shape.cols(), usize::from(cell) % shape.cols());
            (col * shape.rows() + row) as u8
        };
        Self { cells: self.cells.iter().map(turn).collect(), alphabet: self.alphabet }
    }

    /// The index into its table for these cells: Σ rankᵢ · alphabetⁱ. The definition, not the fast
    /// way.
    pub fn index(&self, image: &[u8], cells: &[u8]) -> usize {
        let top = self.alphabet - 1;
        let digit = |cell: &u8| usize::from(cells[usize::from(*cell)].min(top));
        image.iter().rev().fold(0, |index, cell| index * usize::from(self.alphabet) + digit(cell))
    }
}

impl fmt::Display for Pattern {
    /// Base-36 digits, as in the papers; cells from 36 on as `.36`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cells.iter().try_for_each(|&cell| match char::from_digit(cell.into(), 36) {
            Some(digit) => write!(f, "{digit}"),
            None => write!(f, ".{cell}"),
        })
    }
}

/// Reads a set of patterns: a name, or cell lists separated by spaces or commas.
///
/// Names: `4x6`, `5x6`, `8x6`, `4x5`, `2x7`, `2x8`, `szubert`, `4x4` (4×4 boards);
/// `lines3` and `lines4` (every straight line of three or four), `rectangles` (every 2×3 and
/// 3×2), `squares` (every 2×2) on any board that has room, and `a+b` for both. A cell list is
/// one base-36 digit per cell, `.36` and so on for later cells.
///
/// ```
/// use afterstate::{grid::Shape, network::pattern::parse_patterns};
/// let yeh = parse_patterns("4x6", Shape::FOUR, 16).unwrap();
/// assert_eq!(yeh[2].to_string(), "012456");
/// let mine = parse_patterns("0123 4567", Shape::FOUR, 12).unwrap();
/// assert_eq!(mine[1].table_len(), 12usize.pow(4));
/// ```
pub fn parse_patterns(text: &str, shape: Shape, alphabet: u8) -> Result<Vec<Pattern>, PatternError> {
    let mut patterns = Vec::new();
    for part in text.split([' ', ',', '+']).filter(|part| !part.is_empty()) {
        if let Some((_, set)) = NAMED.iter().find(|(name, _)| *name == part) {
            if shape != Shape::FOUR {
                return Err(PatternError(format!(
                    "the patterns '{part}' belong to a 4x4 board; on {shape} use lines4+rectangles or list cells"
                )));
            }
            patterns.extend(parse_patterns(set, shape, alphabet)?);
        } else if let Some(set) = automatic(part, shape) {
            if set.is_empty() {
                return Err(PatternError(format!("a {shape} board has no room for '{part}'")));
            }
            for cells in set {
                patterns.push(Pattern::new(&cells, alphabet)?);
            }
        } else {
            patterns.push(Pattern::new(&parse_cells(part, shape)?, alphabet)?);
        }
    }
    if patterns.is_empty() {
        return Err(PatternError("no patterns given; try 4x6 or 0123 4567".into()));
    }
    Ok(patterns)
}

fn parse_cells(text: &str, shape: Shape) -> Result<Vec<u8>, PatternError> {
    let wrong = || {
        PatternError(format!(
            "'{text}' is neither a known pattern set nor a list of cells of a {shape} board (0 to {})",
            shape.cells() - 1
        ))
    };
    let mut cells = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c == '.' {
            let digits: String = rest[1..].chars().take(2).collect();
            cells.push(digits.parse::<u8>().map_err(|_| wrong())?);
            rest = rest.get(3..).ok_or_else(wrong)?;
        } else {
            cells.push(c.to_digit(36).ok_or_else(wrong)? as u8);
            rest = &rest[c.len_utf8()..];
        }
    }
    if cells.iter().any(|&cell| usize::from(cell) >= shape.cells()) {
        return Err(wrong());
    }
    Ok(cells)
}

/// Every placement of a small rectangle, as cell lists.
fn placements(shape: Shape, rows: usize, cols: usize) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for top in 0..(shape.rows() + 1).saturating_sub(rows) {
        for left in 0..(shape.cols() + 1).saturating_sub(cols) {
            let cell = |i: usize| ((top + i / cols) * shape.cols() + left + i % cols) as u8;
            all.push((0..rows * cols).map(cell).collect());
        }
    }
    all
}

/// The sets that exist on any board: Mayer-Hirshfeld's lines and rectangles, and squares.
fn automatic(name: &str, shape: Shape) -> Option<Vec<Vec<u8>>> {
    let kinds: &[(usize, usize)] = match name {
        "lines4" => &[(1, 4), (4, 1)],
        "lines3" => &[(1, 3), (3, 1)],
        "rectangles" => &[(2, 3), (3, 2)],
        "squares" => &[(2, 2)],
        _ => return None,
    };
    Some(kinds.iter().flat_map(|&(rows, cols)| placements(shape, rows, cols)).collect())
}

/// Keeps one pattern of each orbit under the board's symmetries: the set to use with shared
/// weights.
pub fn one_per_orbit(patterns: Vec<Pattern>, shape: Shape) -> Vec<Pattern> {
    let mut kept: Vec<Pattern> = Vec::new();
    let mut covered: Vec<Vec<u8>> = Vec::new();
    for pattern in patterns {
        let mut set = pattern.cells.clone();
        set.sort_unstable();
        if covered.contains(&set) {
            continue;
        }
        for mut image in pattern.images(shape) {
            image.sort_unstable();
            covered.push(image);
        }
        kept.push(pattern);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systematic_network_has_17_tuples_and_860625_weights() {
        let set = parse_patterns("lines4+squares", Shape::FOUR, 15).unwrap();
        assert_eq!(set.len(), 17);
        assert_eq!(set.iter().map(Pattern::table_len).sum::<usize>(), 860_625);
    }

    #[test]
    fn the_large_network_of_szubert_has_22882500_weights() {
        let set = parse_patterns("szubert", Shape::FOUR, 15).unwrap();
        assert_eq!(set.iter().map(Pattern::table_len).sum::<usize>(), 22_882_500);
    }

    #[test]
    fn every_named_set_parses_and_has_eight_images() {
        for (name, text) in NAMED {
            let alphabet = if *name == "2x8" { 12 } else { 16 };
            let set = parse_patterns(name, Shape::FOUR, alphabet).unwrap();
            assert_eq!(set.len(), text.split(' ').count());
            for pattern in set {
                assert_eq!(pattern.images(Shape::FOUR).len(), 8);
            }
        }
    }

    #[test]
    fn mayer_hirshfeld_sets_on_larger_boards() {
        let six = Shape::new(6, 6).unwrap();
        assert_eq!(parse_patterns("lines4", six, 15).unwrap().len(), 36);
        assert_eq!(parse_patterns("rectangles", six, 15).unwrap().len(), 40);
        let kept = one_per_orbit(parse_patterns("lines4+rectangles", six, 15).unwrap(), six);
        assert_eq!(kept.len(), 12);
    }

    #[test]
    fn a_rectangle_of_2x3_and_its_turned_image_are_one_orbit() {
        let kept = one_per_orbit(parse_patterns("rectangles", Shape::FOUR, 16).unwrap(), Shape::FOUR);
        assert_eq!(kept.iter().map(Pattern::to_string).collect::<Vec<_>>(), ["012456", "45689a"]);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "00", "01g", "zz", "4x9", "012345678", "é", ".1", "0.", "lines5"] {
            assert!(parse_patterns(text, Shape::FOUR, 16).is_err(), "{text}");
        }
        assert!(parse_patterns("4x6", Shape::new(5, 5).unwrap(), 16).is_err());
        assert!(parse_patterns("lines4", Shape::new(2, 2).unwrap(), 16).is_err());
        assert!(parse_patterns("01234567", Shape::FOUR, 64).is_err());
    }

    #[test]
    fn cells_beyond_base_36_can_be_written() {
        let eight = Shape::new(8, 8).unwrap();
        let set = parse_patterns("z.36.63", eight, 10).unwrap();
        assert_eq!(set[0].cells(), [35, 36, 63]);
        assert_eq!(set[0].to_string(), "z.36.63");
    }

    #[test]
    fn the_first_cell_is_the_least_significant_digit_and_large_ranks_are_clamped() {
        let pattern = Pattern::new(&[0, 1, 4], 10).unwrap();
        let mut cells = [0; 16];
        (cells[0], cells[1], cells[4]) = (3, 2, 1);
        assert_eq!(pattern.index(pattern.cells(), &cells), 123);
        cells[4] = 17;
        assert_eq!(pattern.index(pattern.cells(), &cells), 923);
    }
}
