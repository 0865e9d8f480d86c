//! Progress of the staged procedure: training a stage, or collecting start boards for the next.

use crate::recipe::{Collect, Recipe, Until};
use serde::{Deserialize, Serialize};

/// Phase of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// The stage whose weights play, from 0 on; always 0 when stages are trained all at once.
    pub stage: u8,
    /// True if boards of the next stage are collected with frozen weights, rather than learned
    /// from.
    pub collecting: bool,
    /// Games of all kinds before it.
    pub began: u64,
    /// Training games before it.
    pub trained: u64,
    /// The share of games from the start that reach the stage.
    pub reach: f64,
    /// The average final score of the games the boards of this stage come from: what the stage
    /// before makes of them, the "normalised score" of Yeh et al.
    pub normalised: Option<f64>,
    /// True if no stage can follow, because no game came to it.
    pub stranded: bool,
}

impl Default for Phase {
    fn default() -> Self {
        Self {
            stage: 0,
            collecting: false,
            began: 0,
            trained: 0,
            reach: 1.0,
            normalised: None,
            stranded: false,
        }
    }
}

/// Successor of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Nothing: the run is finished.
    Nothing,
    /// Boards of the next stage are collected.
    Collection,
    /// The next stage is trained.
    Stage,
}

impl Phase {
    /// Training games so far, when all games so far are `games`.
    pub fn training_games(&self, games: u64) -> u64 {
        self.trained + if self.collecting { 0 } else { games - self.began }
    }

    /// Largest number of games.
    pub fn most_games(&self, recipe: &Recipe) -> u64 {
        if self.collecting { recipe.collection_limit(self.stage) } else { recipe.stage_games(self.stage) }
    }

    /// True if it is over after all these games: they were enough, or learning is `saturated`, or
    /// there are `enough` boards.
    pub fn is_over(&self, recipe: &Recipe, games: u64, saturated: bool, enough: bool) -> bool {
        let early = if self.collecting {
            enough
        } else {
            recipe.is_one_by_one() && recipe.stages.until == Until::Saturated && saturated
        };
        self.stranded || early || games - self.began >= self.most_games(recipe)
    }

    /// Its successor, in a run of `stages` stages.
    pub fn next(&self, recipe: &Recipe, stages: usize) -> Next {
        let last = usize::from(self.stage) + 1 == stages;
        match (recipe.is_one_by_one(), self.collecting, recipe.stages.collect) {
            _ if self.stranded || last => Next::Nothing,
            (false, ..) => Next::Nothing,
            (true, false, Collect::After) => Next::Collection,
            (true, ..) => Next::Stage,
        }
    }

    /// Collecting with the weights of the same stage.
    pub fn collection(&self, games: u64) -> Self {
        Self { collecting: true, began: games, trained: self.training_games(games), ..self.clone() }
    }

    /// The next stage: `share` of the games came to it, those that did scored `normalised` on
    /// average.
    pub fn next_stage(&self, games: u64, share: f64, normalised: f64) -> Self {
        Self {
            stage: self.stage + 1,
            collecting: false,
            began: games,
            trained: self.training_games(games),
            reach: self.reach * share,
            normalised: Some(normalised),
            stranded: false,
        }
    }

    /// Games of a sample of `size` that compare with `size` games from the start: as many as reach
    /// this stage.
    pub fn comparable(&self, size: u64) -> u64 {
        ((size as f64 * self.reach).round() as u64).clamp(1, size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe(sets: &[&str]) -> Recipe {
        let text = "[network]\npatterns = \"0123\"\n[stages]\nsplit = \"simple\"\nprocedure = \"one-by-one\"\nboards = 5\n[run]\ngames = 10\n";
        let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
        Recipe::parse("m", text, &sets).unwrap()
    }

    #[test]
    fn stages_are_trained_and_collected_from_in_turn() {
        let recipe = recipe(&["stages.games=20", "stages.limit=7"]);
        let first = Phase::default();
        assert!(!first.is_over(&recipe, 9, true, false) && first.is_over(&recipe, 10, false, false));
        assert_eq!(first.next(&recipe, 3), Next::Collection);
        let collecting = first.collection(10);
        assert_eq!((collecting.training_games(14), collecting.most_games(&recipe)), (10, 7));
        assert!(
            !collecting.is_over(&recipe, 14, false, false) && collecting.is_over(&recipe, 14, false, true)
        );
        assert!(collecting.is_over(&recipe, 17, false, false), "the limit");
        assert_eq!(collecting.next(&recipe, 3), Next::Stage);
        let second = collecting.next_stage(14, 0.5, 100.0);
        assert_eq!((second.stage, second.training_games(20), second.reach), (1, 16, 0.5));
        assert!(!second.is_over(&recipe, 33, false, false) && second.is_over(&recipe, 34, false, false));
        let third = second.collection(34).next_stage(40, 0.5, 100.0);
        assert_eq!(
            (third.reach, third.training_games(40), third.next(&recipe, 3)),
            (0.25, 30, Next::Nothing)
        );
    }

    #[test]
    fn boards_may_be_collected_during_training_and_stages_may_end_early() {
        let during = recipe(&["stages.collect=during", "stages.until=saturated"]);
        let first = Phase::default();
        assert_eq!(first.next(&during, 3), Next::Stage);
        assert!(first.is_over(&during, 3, true, false) && !first.is_over(&during, 3, false, true));
        let stranded = Phase { stranded: true, ..first };
        assert!(stranded.is_over(&during, 1, false, false));
        assert_eq!(stranded.next(&during, 3), Next::Nothing);
    }

    /// Yeh et al.: if 30 % of the games reach a stage, maxima are taken over 30,000 of 100,000
    /// games.
    #[test]
    fn maxima_of_a_later_stage_are_over_the_share_of_games_that_reach_it() {
        let second = Phase::default().next_stage(0, 0.3, 0.0);
        assert_eq!((second.comparable(100_000), second.comparable(1_000)), (30_000, 300));
        assert_eq!(second.next_stage(0, 0.1, 0.0).comparable(100_000), 3_000);
        assert_eq!(second.next_stage(0, 1e-9, 0.0).comparable(1_000), 1);
        assert_eq!(Phase::default().comparable(1_000), 1_000);
    }
}
