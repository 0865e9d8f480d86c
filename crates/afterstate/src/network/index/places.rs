//! Places in memory of the indices of the definition, whose order files keep.

use super::{Order, Plan, Table};

/// Places of the entries of a clustered table.
///
/// What the digits add to a place is independent, so two short lists say it: one of the first
/// digits, one of the others.
#[derive(Clone, Debug)]
pub(super) struct Places {
    first: Vec<u32>,
    others: Vec<u32>,
}

impl Places {
    pub(super) fn new(order: &Order, alphabet: u32) -> Self {
        let digits = order.positions.len() as u32;
        let list = |from: u32, to: u32| {
            let place = |index: u32| {
                let rank = |digit| index / alphabet.pow(digit - from) % alphabet;
                (from..to).map(|digit| order.adds(digit as usize, rank(digit))).sum()
            };
            (0..alphabet.pow(to - from)).map(place).collect()
        };
        Self { first: list(0, digits / 2), others: list(digits / 2, digits) }
    }

    #[inline]
    pub(super) fn of(&self, index: usize) -> usize {
        let (index, first) = (index as u32, self.first.len() as u32);
        (self.first[(index % first) as usize] + self.others[(index / first) as usize]) as usize
    }
}

impl Plan {
    /// Places of the entries of a table, asked for in ascending order of their indices: faster than
    /// [`Plan::place`] for each.
    pub(in crate::network) fn ascending(&self, table: usize) -> impl FnMut(u32) -> usize + '_ {
        let Table { offset, places, .. } = &self.tables[table];
        let (mut start, mut base) = (0, 0);
        let first = places.as_ref().map_or(u32::MAX, |places| places.first.len() as u32);
        if let Some(places) = places {
            base = places.others[0];
        }
        move |index| {
            if index.wrapping_sub(start) >= first {
                start = index - index % first;
                base = places.as_ref().map_or(0, |places| places.others[(index / first) as usize]);
            }
            let rest = index - start;
            (offset + base + places.as_ref().map_or(rest, |places| places.first[rest as usize])) as usize
        }
    }
}
