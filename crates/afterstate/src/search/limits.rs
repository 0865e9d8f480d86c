//! Limits of a search; they combine.

use std::fmt;

/// The deepest search anyone may ask for.
pub const MAX_PLY: u8 = 20;

/// The limits of one search. The first that is reached ends it.
///
/// | limit | changes the values? |
/// |---|---|
/// | [`ply`](Self::ply), [`by_empty`](Self::by_empty) | yes: they are what is computed |
/// | [`stop`](Self::stop), [`nodes`](Self::nodes) | only through the depth reached: the answer is exactly that of a search with `ply` = [`super::Answer::ply`] |
/// | [`cut_off`](Self::cut_off) | yes: unlikely branches are judged earlier |
/// | [`deeper_hits`](Self::deeper_hits), [`any_probability_hits`](Self::any_probability_hits) | yes, and by what the table happens to hold |
/// | [`threads`](Self::threads), a table otherwise | no |
#[derive(Clone)]
pub struct Limits<'a> {
    /// Layers of our moves: 1 looks at the slides only, `p` has `p − 1` layers of chance.
    pub ply: u8,
    /// Other depths for positions with few empty cells: `(most empty cells, ply)`.
    ///
    /// The first entry whose number is at least the position's replaces `ply`.
    pub by_empty: Vec<(u8, u8)>,
    /// Asked again and again; `true` ends the search with the deepest answer completed.
    ///
    /// With it (or `nodes`) the search deepens step by step. One ply is always completed.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// About how many leaves may be judged, all iterations together.
    pub nodes: Option<u64>,
    /// States reached with a smaller probability than this are judged at once; 0 for none.
    pub cut_off: f32,
    /// Accept table entries of deeper searches than asked for.
    pub deeper_hits: bool,
    /// Under a cut-off, accept table entries that were reached with another probability.
    pub any_probability_hits: bool,
    /// Threads that search one position together, from 3-ply on.
    pub threads: usize,
}

impl Default for Limits<'_> {
    /// One ply, one thread, nothing that approximates.
    fn default() -> Self {
        Self {
            ply: 1,
            by_empty: Vec::new(),
            stop: None,
            nodes: None,
            cut_off: 0.0,
            deeper_hits: false,
            any_probability_hits: false,
            threads: 1,
        }
    }
}

impl Limits<'_> {
    /// A plain `ply`-ply search.
    pub fn ply(ply: u8) -> Self {
        Self { ply, ..Self::default() }
    }

    /// The depth for a position with this many empty cells, within `1 ..= MAX_PLY`.
    pub fn depth(&self, empty: usize) -> u8 {
        let special = self.by_empty.iter().find(|&&(most, _)| empty <= most.into());
        special.map_or(self.ply, |&(_, ply)| ply).clamp(1, MAX_PLY)
    }

    /// True if the search must be ready to give up, and so deepens step by step.
    pub(super) fn may_stop(&self) -> bool {
        self.stop.is_some() || self.nodes.is_some()
    }
}

impl fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits")
            .field("ply", &self.ply)
            .field("by_empty", &self.by_empty)
            .field("stop", &self.stop.map(|_| "asked"))
            .field("nodes", &self.nodes)
            .field("cut_off", &self.cut_off)
            .field("deeper_hits", &self.deeper_hits)
            .field("any_probability_hits", &self.any_probability_hits)
            .field("threads", &self.threads)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_empty_cells_may_ask_for_another_depth() {
        let limits = Limits { ply: 2, by_empty: vec![(1, 5), (4, 3)], ..Limits::default() };
        let depths: Vec<u8> = [0, 1, 2, 4, 5, 16].map(|empty| limits.depth(empty)).to_vec();
        assert_eq!(depths, [5, 5, 3, 3, 2, 2]);
        assert_eq!(Limits::ply(0).depth(3), 1);
        assert_eq!(Limits::ply(200).depth(3), MAX_PLY);
    }
}
