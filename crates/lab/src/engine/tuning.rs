//! Limits of a search beside depth and time.

use afterstate::search::MAX_PLY;
use std::fmt;

/// Limits of a search beside its budget: cut-off, depths by empty cells, and its memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuning {
    /// Positions reached with a smaller probability than this are judged at once.
    pub cut_off: Option<f32>,
    /// Other depths for positions with few empty cells: `(most empty cells, moves)`.
    pub by_empty: Vec<(u8, u8)>,
    /// Bytes of the transposition table at any depth; 0 for none worth the name.
    pub table: Option<usize>,
}

impl Tuning {
    /// True if nothing is asked for.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The deepest search of a player whose usual depth is `ply`.
    pub fn deepest(&self, ply: u8) -> u8 {
        self.by_empty.iter().map(|&(_, ply)| ply).fold(ply, u8::max)
    }

    /// Puts its depths in order, fewest empty cells first, as the search reads them.
    #[must_use]
    pub(super) fn ordered(mut self) -> Self {
        self.by_empty.sort_unstable();
        self
    }
}

/// Reads a depth for few empty cells, `4:5`: with at most four empty cells five moves.
pub fn depth_by_empty(text: &str) -> Result<(u8, u8), String> {
    let parts = text.split_once(':').and_then(|(empty, ply)| {
        Some((empty.trim().parse().ok()?, ply.trim().parse().ok().filter(|ply| (1..=MAX_PLY).contains(ply))?))
    });
    parts.ok_or_else(|| format!("write EMPTY:PLY like 4:5, at most 4 empty cells, 5 moves of 1 to {MAX_PLY}"))
}

/// Reads a probability from 0 up to 1.
pub fn probability(text: &str) -> Result<f32, String> {
    let number = text.trim().parse().ok().filter(|p| (0.0..1.0).contains(p));
    number.ok_or_else(|| "write a probability from 0 up to 1, like 0.0001 or 1e-4".into())
}

impl fmt::Display for Tuning {
    /// Every part that changes values, each after a comma: `, cut-off 0.0001, 5-ply up to 4 empty
    /// cells`. The table changes no value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(cut_off) = self.cut_off {
            write!(f, ", cut-off {cut_off}")?;
        }
        self.by_empty.iter().try_for_each(|(empty, ply)| write!(f, ", {ply}-ply up to {empty} empty cells"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_and_probabilities_are_read_or_refused() {
        assert_eq!(depth_by_empty("4:5"), Ok((4, 5)));
        for wrong in ["", "4", "4:", ":5", "4:0", "4:21", "-1:2", "300:2", "four:5"] {
            assert!(depth_by_empty(wrong).unwrap_err().contains("EMPTY:PLY"), "{wrong}");
        }
        assert_eq!((probability("1e-4"), probability("0")), (Ok(1e-4), Ok(0.0)));
        for wrong in ["", "1", "-0.1", "NaN", "inf", "little"] {
            assert!(probability(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_changes_values_is_said() {
        let tuning = Tuning { cut_off: Some(1e-4), by_empty: vec![(8, 3), (4, 5)], table: Some(1 << 20) };
        assert_eq!(tuning.deepest(2), 5);
        let said = tuning.ordered().to_string();
        assert_eq!(said, ", cut-off 0.0001, 5-ply up to 4 empty cells, 3-ply up to 8 empty cells");
        assert_eq!(Tuning { table: Some(0), ..Tuning::default() }.to_string(), "");
    }
}
