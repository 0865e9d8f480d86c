//! Work cut into parts for several machines.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// One of several parts of some work, counted from 1: `2/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ShardIndex {
    /// Number of the part, from 1.
    pub index: u64,
    /// Of how many.
    pub of: u64,
}

impl ShardIndex {
    /// All of it.
    pub const WHOLE: ShardIndex = ShardIndex { index: 1, of: 1 };

    /// The numbers of this part among `total` pieces of work; together the parts cover each of them
    /// once.
    ///
    /// ```
    /// use afterstate_lab::shard_index::ShardIndex;
    /// let parts = ["1/3", "2/3", "3/3"].map(|part| part.parse::<ShardIndex>().unwrap().range(10));
    /// assert_eq!(parts, [0..3, 3..6, 6..10]);
    /// ```
    pub fn range(self, total: u64) -> Range<u64> {
        let cut = |i: u64| (u128::from(total) * u128::from(i) / u128::from(self.of)) as u64;
        cut(self.index - 1)..cut(self.index)
    }
}

impl FromStr for ShardIndex {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let part = text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match part {
            Some((index, of)) if 1 <= index && index <= of => Ok(Self { index, of }),
            _ => Err(format!("'{text}' is no part; write which one of how many, from 1/8 to 8/8")),
        }
    }
}

impl fmt::Display for ShardIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_everything_once() {
        for (total, of) in [(10, 3), (1, 4), (1000, 7), (100_000_000, 1024)] {
            let mut next = 0;
            for index in 1..=of {
                let range = ShardIndex { index, of }.range(total);
                assert_eq!(range.start, next);
                next = range.end;
            }
            assert_eq!(next, total);
        }
        for wrong in ["", "0/3", "4/3", "1/0", "a/b", "1", "-1/3", "1/3/4"] {
            assert!(wrong.parse::<ShardIndex>().unwrap_err().contains("1/8"), "{wrong}");
        }
    }
}
