//! Replicas joined while their threads play on, a cache line at a time.
//!
//! With every move a thread joins lines of the points it comes to, those of one entry after the
//! other, so that a line is joined the more often the more is learned in it. Weights and sums
//! (E and A of coherence, visit counts) are joined alike: what was added in the replica is added to
//! what all share. Other ways, and how much is learned a game, are in `docs/log.md`.

use super::Learner;
use super::step_size::StepSize;
use crate::network::Active;
use crate::network::replica::{HotLine, Replica};

/// Lines that are joined with every move at most.
const MOST: usize = 4;

/// The replica of a thread, and which of its lines are to be joined next.
#[derive(Debug)]
pub(crate) struct Joins {
    replica: Replica,
    /// Lines that are joined with every move.
    lines: usize,
    /// Number of entries that were chosen.
    turn: usize,
    chosen: [Option<HotLine>; MOST],
}

impl Joins {
    /// A replica to learn in, by a network that was learned in `moves` moves. A young network changes
    /// fast, and what the others learned counts: more lines are joined with every move.
    pub(crate) fn new(replica: Replica, moves: u64) -> Self {
        let lines = match moves {
            ..1_000_000 => MOST,
            1_000_000..4_000_000 => MOST / 2,
            _ => 1,
        };
        Self { replica, lines, turn: 0, chosen: [None; MOST] }
    }

    /// Takes over what all share.
    pub(crate) fn begin(&self, learner: &Learner) {
        self.each_line(learner, |line| {
            if line.is_outdated(learner.network.bank(line.bank)) || learner.step_size.is_outdated(line) {
                line.distribute(learner.network.bank(line.bank));
                learner.step_size.distribute(line);
            }
        });
    }

    /// Joins the lines that were chosen last time, and chooses others, of a point.
    #[inline(always)]
    pub(crate) fn follow(&mut self, learner: &Learner, point: &Active) {
        for chosen in &mut self.chosen[..self.lines] {
            if let Some(line) = chosen {
                join(learner, *line);
            }
            // Their lines are asked for now and joined a move later.
            let entries = point.entries();
            self.turn = if self.turn + 1 < entries.len() { self.turn + 1 } else { 0 };
            *chosen = learner.network.hot_line(self.replica, point.bank(), entries[self.turn]);
            if let Some(line) = chosen {
                line.prefetch(learner.network.bank(line.bank));
                learner.step_size.prefetch_line(*line);
            }
        }
    }

    /// Joins all that was learned in the replica.
    pub(crate) fn finish(&mut self, learner: &Learner) {
        self.chosen = [None; MOST];
        self.each_line(learner, |line| {
            if line.has_learned(learner.network.bank(line.bank)) || learner.step_size.has_learned(line) {
                join(learner, line);
            }
        });
    }

    fn each_line(&self, learner: &Learner, mut work: impl FnMut(HotLine)) {
        for bank in 0..learner.network.structure().banks() as u8 {
            learner.network.hot_lines(self.replica, bank).for_each(&mut work);
        }
    }
}

#[inline(always)]
fn join(learner: &Learner, line: HotLine) {
    line.join(learner.network.bank(line.bank));
    learner.step_size.join(line);
}

/// The sums that belong to a line, of one kind or the other.
macro_rules! with_sums {
    ($step_size:expr, $line:expr, $work:ident) => {{
        let bank = usize::from($line.bank);
        if let Some(sums) = $step_size.sums().get(bank) {
            $line.$work(sums)
        } else if let Some(visits) = $step_size.visits().get(bank) {
            $line.$work(visits)
        } else {
            Default::default()
        }
    }};
}

impl StepSize {
    #[inline(always)]
    fn prefetch_line(&self, line: HotLine) {
        with_sums!(self, line, prefetch)
    }

    #[inline(always)]
    fn join(&self, line: HotLine) {
        with_sums!(self, line, join)
    }

    fn distribute(&self, line: HotLine) {
        with_sums!(self, line, distribute)
    }

    fn has_learned(&self, line: HotLine) -> bool {
        with_sums!(self, line, has_learned)
    }

    fn is_outdated(&self, line: HotLine) -> bool {
        with_sums!(self, line, is_outdated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Shape, View};
    use crate::learn::step_size::StepRule;
    use crate::network::{Network, Structure};

    const RULES: [StepRule; 4] = [
        StepRule::Fixed { per_weight: 0.25 },
        StepRule::Coherence { beta: 1.0, kept: 1.0 },
        StepRule::Credit { beta: 1.0, kept: 1.0 },
        StepRule::VisitCount { eta: 1.0 },
    ];

    fn learner(rule: StepRule) -> Learner {
        let network = Network::new(Structure::tuples(Shape::FOUR, "01245 45689", 16).unwrap());
        let step_size = StepSize::new(rule, &network);
        let mut learner = Learner { network, step_size };
        learner.replicate(2);
        assert_eq!(learner.network.replicas(), 2);
        learner
    }

    fn joins(learner: &Learner) -> [Joins; 2] {
        [0, 1].map(|number| Joins::new(learner.network.replica(number).unwrap(), 0))
    }

    /// A board without symmetries, all ranks below 8.
    fn point(learner: &Learner, replica: Option<Replica>) -> Active {
        let cells = [1, 2, 3, 4, 5, 6, 7, 1, 1, 3, 2, 5, 4, 7, 6, 2];
        let mut point = Active::default();
        learner.network.activate_in(&View { cells: &cells, hint: 0, bag: [0; 3] }, 0, replica, &mut point);
        point
    }

    /// Shared values of the entries of a point: weights, and both kinds of sums.
    fn shared(learner: &Learner) -> (Vec<f32>, Vec<[f32; 2]>, Vec<f32>) {
        let point = point(learner, None);
        let entries = || point.entries().iter();
        let step_size = &learner.step_size;
        (
            entries().map(|&entry| learner.network.bank(0).get(entry)).collect(),
            step_size.sums().iter().flat_map(|sums| entries().map(|&entry| sums.get_pair(entry))).collect(),
            step_size.visits().iter().flat_map(|visits| entries().map(|&entry| visits.get(entry))).collect(),
        )
    }

    #[test]
    fn steps_and_sums_of_all_threads_add_up() {
        for rule in RULES {
            let learner = learner(rule);
            let joins = joins(&learner);
            let own = [0, 1].map(|number| point(&learner, learner.network.replica(number)));
            joins.iter().for_each(|joins| joins.begin(&learner));
            // The first steps of both, from zero and apart from each other.
            learner.step_size.update(&learner.network, &own[0], 16.0);
            learner.step_size.update(&learner.network, &own[1], -4.0);
            assert!(shared(&learner).0.iter().all(|&weight| weight == 0.0), "{rule:?}");
            joins.into_iter().for_each(|mut joins| joins.finish(&learner));

            let step = match rule {
                StepRule::Fixed { .. } => 4.0 - 1.0,
                StepRule::VisitCount { .. } => 4.0 - 2.0,
                StepRule::Coherence { .. } | StepRule::Credit { .. } => 12.0 / 16.0,
            };
            let (weights, sums, visits) = shared(&learner);
            assert!(weights.iter().all(|&weight| weight == step), "{rule:?} {weights:?}");
            assert!(sums.iter().all(|&pair| pair == [12.0, 20.0]), "{rule:?} {sums:?}");
            assert!(visits.iter().all(|&visits| visits == 2.0), "{rule:?} {visits:?}");
            // Who was joined last knows all; the other takes it over when it goes on.
            assert_eq!(learner.network.sum(&own[1]), 16.0 * step);
            self::joins(&learner)[0].begin(&learner);
            assert_eq!(learner.network.sum(&own[0]), 16.0 * step);
        }
    }

    #[test]
    fn lines_are_joined_on_the_way() {
        for (rule, moves) in [(RULES[0], 0), (RULES[1], 10_000_000), (RULES[3], 2_000_000)] {
            let learner = learner(rule);
            let replica = learner.network.replica(0).unwrap();
            let mut joins = Joins::new(replica, moves);
            joins.begin(&learner);
            let own = point(&learner, Some(replica));
            learner.step_size.update(&learner.network, &own, 8.0);
            let value = learner.network.sum(&own);
            // Every entry has its turn, and is joined a move after it was chosen.
            (0..own.entries().len() / joins.lines).for_each(|_| joins.follow(&learner, &own));
            let some = learner.network.sum(&point(&learner, None));
            assert!(some < value, "{rule:?}: the last ones are only chosen yet");
            joins.follow(&learner, &own);
            assert_eq!(learner.network.sum(&point(&learner, None)), value, "{rule:?}");
            assert_eq!(shared(&learner).1.first().copied().unwrap_or([8.0; 2]), [8.0; 2]);
            // Nothing is counted twice.
            joins.finish(&learner);
            assert_eq!(learner.network.sum(&point(&learner, None)), value, "{rule:?}");
        }
    }

    #[test]
    fn what_others_changed_is_taken_over() {
        let learner = learner(RULES[1]);
        let [first, _] = joins(&learner);
        first.begin(&learner);
        let shared = point(&learner, None);
        let entry = shared.entries()[3];
        learner.network.bank(0).set(entry, 5.0);
        // A line whose sums alone have changed is taken over too.
        learner.step_size.sums()[0].set_pair(shared.entries()[7], [1.0, 2.0]);
        first.begin(&learner);
        let own = point(&learner, learner.network.replica(0));
        assert_eq!(learner.network.sum(&own), learner.network.sum(&shared));
        assert_eq!(own.sum_of_pairs(&learner.step_size.sums()[0], |[e, a]| e + a), 3.0);
    }
}
