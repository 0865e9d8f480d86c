//! The greedy step: a move by values of afterstates, states or actions (Szubert & Jaśkowski 2014).

use crate::game::{Game, Slide};
use crate::grid::{Direction, View};
use crate::network::replica::Replica;
use crate::network::stage::{Judging, Stage};
use crate::network::{Active, Network, Sets};
use crate::random::Random;

/// Kind of the values that are learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// V(s′): play argmax r + V(s′).
    Afterstates,
    /// V(s): play argmax r + Σ P(s″) V(s″). As in the paper, a dead s″ is valued like any other
    /// when choosing.
    States,
    /// Qₐ(s), a set of weights for each action: play argmax Qₐ(s).
    Actions,
}

impl ValueKind {
    /// The sets of weights this needs, at least.
    pub fn sets(self) -> Sets {
        if self == Self::Actions { Sets::Actions } else { Sets::One }
    }
}

/// A move and the point it is remembered by.
#[derive(Debug)]
pub struct Choice<A> {
    /// The move.
    pub direction: Direction,
    /// Its result.
    pub slide: Slide<A>,
    /// V of the point, see [`Chooser::point`].
    pub value: f32,
    /// The stage after the slide.
    pub stage: Stage,
}

/// Change of the stage during a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Staging {
    /// It follows the tiles (see [`crate::network::stage::Stages`]).
    Follow,
    /// It stays what it was at the start: a stage trained on its own plays its games to the end.
    Hold,
}

/// Chooses moves greedily; owns the buffers this needs.
#[derive(Debug)]
pub struct Chooser {
    value_kind: ValueKind,
    staging: Staging,
    candidates: [Active; 4],
    chosen: usize,
    /// The replica of hot entries that points are found in.
    replica: Option<Replica>,
}

impl Chooser {
    /// A chooser of moves by this kind of value.
    pub fn new(value_kind: ValueKind, staging: Staging) -> Self {
        Self { value_kind, staging, candidates: Default::default(), chosen: 0, replica: None }
    }

    /// Chooses by the values of a replica from now on.
    pub(crate) fn use_replica(&mut self, replica: Option<Replica>) {
        self.replica = replica;
    }

    /// The entries of the point of the last choice; the caller may swap them out and keep them.
    #[inline]
    pub fn point(&mut self) -> &mut Active {
        &mut self.candidates[self.chosen]
    }

    /// The best move by the network's values, the first of equals; `None` when the game is over.
    #[inline(always)]
    pub fn choose<G: Game>(
        &mut self,
        game: &G,
        network: &Network,
        state: &G::State,
        stage: Stage,
    ) -> Option<Choice<G::Afterstate>> {
        let slides = game.slides(state);
        if self.value_kind != ValueKind::Afterstates {
            return self.by_move_values(game, network, state, &slides, stage);
        }
        let Valued { values, totals, stages } = self.afterstates(game, network, &slides, stage);
        let d = best(&slides, &totals)?;
        self.chosen = d;
        Some(Choice { direction: Direction::ALL[d], slide: slides[d]?, value: values[d], stage: stages[d] })
    }

    /// Any legal move, all with equal chance: for who explores. Nothing is valued: the value is 0,
    /// and there is no point.
    pub fn any<G: Game>(
        &self,
        game: &G,
        network: &Network,
        state: &G::State,
        stage: Stage,
        random: &mut Random,
    ) -> Option<Choice<G::Afterstate>> {
        let slides = game.slides(state);
        let legal = Direction::ALL.into_iter().zip(slides).filter_map(|(d, slide)| Some((d, slide?)));
        let (direction, slide) = legal.clone().nth(random.below(legal.count().max(1) as u64) as usize)?;
        let stage = self.next_stage(game, network, &slide.afterstate, stage);
        Some(Choice { direction, slide, value: 0.0, stage })
    }

    #[inline(always)]
    fn next_stage<G: Game>(&self, game: &G, network: &Network, after: &G::Afterstate, stage: Stage) -> Stage {
        match self.staging {
            Staging::Follow => network.structure().stages.advance(stage, game.view(after).cells),
            Staging::Hold => stage,
        }
    }

    /// Values of the afterstates of all legal moves, where training spends its time.
    #[inline(always)]
    fn afterstates<G: Game>(
        &mut self,
        game: &G,
        network: &Network,
        slides: &[Option<Slide<G::Afterstate>>; 4],
        stage: Stage,
    ) -> Valued {
        let (mut stages, mut banks) = ([stage; 4], [0; 4]);
        for (d, slide) in slides.iter().enumerate() {
            if let Some(slide) = slide {
                stages[d] = self.next_stage(game, network, &slide.afterstate, stage);
                let view = game.view(&slide.afterstate);
                banks[d] = network.bank_of(&view, judging(network, stage, stages[d]));
            }
        }
        let (mut values, mut totals) = ([0.0; 4], [f32::NEG_INFINITY; 4]);
        let at_once = network.sums_at_once();
        if !at_once {
            // All entries are found, and their cache lines asked for, before the first sum.
            for (d, slide) in slides.iter().enumerate() {
                if let Some(slide) = slide {
                    let view = game.view(&slide.afterstate);
                    network.activate_in(&view, banks[d], self.replica, &mut self.candidates[d]);
                    if network.is_large() {
                        network.prefetch(&self.candidates[d]);
                    }
                }
            }
        }
        for (d, slide) in slides.iter().enumerate() {
            if let Some(slide) = slide {
                let point = &mut self.candidates[d];
                values[d] = if at_once {
                    network.activate_and_sum(&game.view(&slide.afterstate), banks[d], self.replica, point)
                } else {
                    network.sum(point)
                };
                totals[d] = slide.reward as f32 + values[d];
            }
        }
        Valued { values, totals, stages }
    }

    /// The step by values of states or of actions.
    #[inline(never)]
    fn by_move_values<G: Game>(
        &mut self,
        game: &G,
        network: &Network,
        state: &G::State,
        slides: &[Option<Slide<G::Afterstate>>; 4],
        stage: Stage,
    ) -> Option<Choice<G::Afterstate>> {
        let values = self.move_values(game, network, state, slides, stage);
        let totals = values.map(|value| value.unwrap_or(f32::NEG_INFINITY));
        let d = best(slides, &totals)?;
        let (slide, mut value) = (slides[d]?, totals[d]);
        self.chosen = d;
        if self.value_kind == ValueKind::States {
            let view = game.state_view(state);
            value = self.value_of(d, network, &view, network.bank_of(&view, stage));
        }
        let stage = self.next_stage(game, network, &slide.afterstate, stage);
        Some(Choice { direction: Direction::ALL[d], slide, value, stage })
    }

    /// Values of the legal moves, indexed by direction: the greedy step takes the largest.
    pub fn move_values<G: Game>(
        &mut self,
        game: &G,
        network: &Network,
        state: &G::State,
        slides: &[Option<Slide<G::Afterstate>>; 4],
        stage: Stage,
    ) -> [Option<f32>; 4] {
        if self.value_kind == ValueKind::Afterstates {
            let totals = self.afterstates(game, network, slides, stage).totals;
            return std::array::from_fn(|d| slides[d].map(|_| totals[d]));
        }
        std::array::from_fn(|d| {
            let slide = slides[d]?;
            if self.value_kind == ValueKind::Actions {
                let bank = Sets::action_bank(stage, Direction::ALL[d]);
                return Some(self.value_of(d, network, &game.state_view(state), bank));
            }
            let next = self.next_stage(game, network, &slide.afterstate, stage);
            let mut weighted = 0.0;
            game.outcomes(&slide.afterstate, |outcome| {
                let view = game.state_view(&outcome.state);
                let bank = network.bank_of(&view, judging(network, stage, next));
                let future = self.value_of(d, network, &view, bank);
                weighted += outcome.ways as f32 * (outcome.reward as f32 + future);
            });
            Some(slide.reward as f32 + weighted / game.ways(&slide.afterstate) as f32)
        })
    }

    /// The value of a position in a bank; its entries become those of candidate `d`.
    fn value_of(&mut self, d: usize, network: &Network, view: &View<'_>, bank: u8) -> f32 {
        network.activate_in(view, bank, self.replica, &mut self.candidates[d]);
        network.sum(&self.candidates[d])
    }
}

/// Afterstates of the four moves with their values; of illegal moves, totals of −∞.
struct Valued {
    values: [f32; 4],
    /// Rewards and values.
    totals: [f32; 4],
    stages: [Stage; 4],
}

/// The legal move of the largest total, the first of equals.
#[inline(always)]
fn best<A>(slides: &[Option<Slide<A>>; 4], totals: &[f32; 4]) -> Option<usize> {
    // A tournament rather than a search: which is best cannot be foreseen.
    let (a, b) = (usize::from(totals[1] > totals[0]), 2 + usize::from(totals[3] > totals[2]));
    let best = if totals[b] > totals[a] { b } else { a };
    if slides[best].is_some() { Some(best) } else { slides.iter().position(Option::is_some) }
}

/// The stage that judges a board whose game was in `stage` and would then be in `next`.
#[inline(always)]
fn judging(network: &Network, stage: Stage, next: Stage) -> Stage {
    match network.structure().stages.judged_by() {
        Judging::Leaf => next,
        // Only walls have stages that fall.
        Judging::Game => stage.min(next),
    }
}
