//! Scale of a reproduction: seeds, and what is lowered so that a smaller run still shows something.

use super::target::{Play, Player, Training};
use afterstate_lab::recipe::{PerPly, Recipe, RecipeError};
use std::path::{Path, PathBuf};

/// Games of an evaluation below which nothing can be said.
const FEWEST: u64 = 100;

/// Games of a line of the log.
const WINDOW: u64 = 1_000;

/// Options of a reproduction.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The share of the paper's training games, boards and evaluation games; 1 is the paper's
    /// budget.
    pub scale: f64,
    /// Number of trainings, with seeds 1, 2, …
    pub seeds: u64,
    /// Games of evaluations at 1-ply, 2-ply, …, the last for all further ones; empty for the
    /// paper's number times the scale.
    pub games: Vec<u64>,
    /// Ranks added to the splits of stages, instead of what the scale calls for.
    pub shift: Option<i32>,
    /// True if everything is made as small as it can be: 4-tuples, low splits, a thousand games.
    pub miniature: bool,
    /// Threads of evaluations. Trainings have one, so that they can be repeated.
    pub threads: usize,
    /// The model of the tournament card; without it the built-in one.
    pub model: Option<PathBuf>,
    /// Moves that the expectimax of Mayer-Hirshfeld et al. looks ahead, instead of 9, 7 and 6.
    pub ply: Option<u8>,
    /// The game of the tournament card; without it the model's, else 2048.
    pub game: Option<String>,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            scale: 1.0,
            seeds: 1,
            games: Vec::new(),
            shift: None,
            miniature: false,
            threads: 1,
            model: None,
            ply: None,
            game: None,
        }
    }
}

/// A number as a fraction where that is easier to read: `1/50 (0.02)`.
pub fn fraction(scale: f64) -> String {
    let under = 1.0 / scale;
    let whole = (under - under.round()).abs() < 1e-6 * under;
    if scale < 1.0 && whole { format!("1/{under:.0} ({scale})") } else { format!("{scale}") }
}

impl Setting {
    /// The recipe of a training, scaled and lowered.
    pub fn recipe(&self, training: &Training, seed: u64) -> Result<Recipe, RecipeError> {
        let mut training = training.clone();
        if self.miniature && training.evaluates() {
            training = training.with("evaluate.games=10");
        }
        let mut recipe = training.recipe()?;
        recipe.run.seed = seed;
        recipe.run.threads = 1;
        recipe.checkpoint.keep = 1;
        recipe.last.games = Some(PerPly::Same(0));
        if !training.evaluates() {
            // Most curves are of the training games.
            recipe.evaluate.every = 0;
        }
        if self.miniature {
            return Ok(self.shrunk(recipe));
        }
        recipe.scale(self.scale);
        match self.shift.filter(|_| recipe.is_one_by_one()) {
            Some(shift) => recipe.stages.shift = shift,
            None => recipe.lower_splits(self.scale),
        }
        Ok(recipe)
    }

    /// As small as it can be.
    fn shrunk(&self, mut recipe: Recipe) -> Recipe {
        let games = match recipe.game.as_str() {
            "2048-5x5" => 100,
            "2048-6x6" => 10,
            _ => 2_000,
        };
        let network = &mut recipe.network;
        network.patterns = match (recipe.game.as_str(), network.shared) {
            // Networks that are compared with each other stay different.
            ("2048", true) if network.patterns == "szubert" => "lines4".into(),
            ("2048" | "threes", true) => "4x4".into(),
            ("2048" | "threes", false) if network.patterns.contains("squares") => network.patterns.clone(),
            _ => "lines4".into(),
        };
        recipe.run.games = games;
        if recipe.is_one_by_one() {
            recipe.stages.shift = self.shift.unwrap_or(-6);
            recipe.stages.boards = 100;
        }
        recipe.evaluate.every = if recipe.evaluate.every == 0 { 0 } else { games / 4 };
        recipe
    }

    /// Ranks the splits of this training are lowered by.
    pub fn shift(&self, training: &Training) -> i32 {
        self.recipe(training, 1).map_or(0, |recipe| recipe.stages.shift)
    }

    /// Games that are played.
    pub fn games(&self, play: &Play) -> u64 {
        let (ply, expectimax) = match play.player {
            Player::Trained(_, ply, _) | Player::Given(ply) => (usize::from(ply), false),
            Player::Expectimax(_) => (usize::MAX, true),
        };
        if let Some(last) = self.games.last() {
            return *self.games.get(ply - 1).unwrap_or(last);
        }
        let scaled = (play.games as f64 * self.scale).round() as u64;
        match (self.miniature, ply) {
            (true, 1) => 100.min(play.games),
            (true, 2) => 10,
            (true, 4..) => 1, // expectimax too
            (true, _) => 3,
            (false, _) if matches!(play.player, Player::Given(_)) => play.games,
            (false, _) => scaled.max(if expectimax { 2 } else { FEWEST.min(play.games) }),
        }
    }

    /// Games of a point of a curve: the paper's number times the scale, but whole windows of the
    /// log.
    pub fn sample(&self, games: u64) -> u64 {
        let scale = if self.miniature { 0.0 } else { self.scale };
        ((games as f64 * scale / WINDOW as f64).round() as u64).max(1) * WINDOW
    }

    /// Suffix of the directories of runs at this scale.
    fn suffix(&self) -> String {
        if self.miniature { "miniature".into() } else { format!("scale-{}", self.scale) }
    }

    /// The depth of the published expectimax, if it is not the paper's.
    pub(super) fn expectimax_ply(&self) -> Option<u8> {
        self.ply.or(self.miniature.then_some(1))
    }

    /// The directory of a run.
    pub fn place(&self, out: &Path, training: &Training, seed: u64) -> PathBuf {
        let shift = match self.shift(training) {
            0 => String::new(),
            shift => format!("_shift{shift}"),
        };
        out.join("runs").join(format!("{}_{}{shift}_seed-{seed}", training.name(), self.suffix()))
    }

    /// The scale in words.
    pub fn words(&self) -> String {
        match (self.miniature, self.scale) {
            (true, _) => {
                "in miniature: small networks, low splits, at most 2,000 training games a stage; the numbers \
                          show that everything works, and nothing else"
                    .into()
            }
            (false, 1.0) => "at scale 1, the paper's budget".into(),
            (false, scale) => {
                format!("at scale {}: that share of the paper's training games", fraction(scale))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Way;

    fn staged() -> Training {
        Training::of("yeh2016-2048-3stage")
    }

    #[test]
    fn splits_fall_with_the_scale_unless_told() {
        let shift = |scale, shift| Setting { scale, shift, ..Setting::default() }.shift(&staged());
        assert_eq!([1.0, 0.2, 0.02, 0.005, 0.0001].map(|scale| shift(scale, None)), [0, -1, -2, -2, -4]);
        assert_eq!(shift(0.02, Some(0)), 0);
        let plain = Training::of("yeh2016-2048-td");
        assert_eq!(Setting { scale: 0.001, ..Setting::default() }.shift(&plain), 0);
    }

    #[test]
    fn scale_one_is_the_recipe_of_the_paper() {
        let setting = Setting::default();
        let (recipe, own) = (setting.recipe(&staged(), 3).unwrap(), staged().recipe().unwrap());
        assert_eq!((recipe.run.games, recipe.stages.boards), (own.run.games, own.stages.boards));
        assert_eq!((recipe.run.seed, &recipe.network, &recipe.learning), (3, &own.network, &own.learning));
    }

    #[test]
    fn games_of_evaluations() {
        let play = |ply| Play { player: Player::Trained(staged(), ply, Way::Whole), games: 10_000 };
        let setting = |scale| Setting { scale, ..Setting::default() };
        assert_eq!((setting(1.0).games(&play(3)), setting(0.02).games(&play(3))), (10_000, 200));
        assert_eq!(setting(0.001).games(&play(1)), 100);
        let asked = Setting { games: vec![9, 7], ..setting(1.0) };
        assert_eq!([1, 2, 3].map(|ply| asked.games(&play(ply))), [9, 7, 7]);
    }

    #[test]
    fn places_tell_runs_apart() {
        let setting = Setting { scale: 0.02, ..Setting::default() };
        let place = |training: &Training, seed| setting.place(Path::new("out"), training, seed);
        assert_eq!(place(&staged(), 2), Path::new("out/runs/yeh2016-2048-3stage_scale-0.02_shift-2_seed-2"));
        let other = Training::of("szubert2014-states").with("learning.alpha=0.001");
        assert_eq!(place(&other, 1), Path::new("out/runs/szubert2014-states_alpha-0.001_scale-0.02_seed-1"));
    }

    /// A thousandth of 100,000 games is less than the log tells apart.
    #[test]
    fn points_of_curves_are_over_the_papers_games() {
        let sample = |scale, games| Setting { scale, ..Setting::default() }.sample(games);
        assert_eq!((sample(1.0, 1_000), sample(1.0, 100_000)), (1_000, 100_000));
        assert_eq!((sample(0.02, 100_000), sample(0.001, 100_000)), (2_000, 1_000));
    }

    /// Networks that a figure compares are different ones, in miniature too.
    #[test]
    fn miniatures_compare_different_networks() {
        let setting = Setting { miniature: true, ..Setting::default() };
        for target in crate::targets() {
            let made: Vec<_> = target
                .trainings()
                .iter()
                .map(|training| setting.recipe(training, 1).unwrap())
                .map(|recipe| {
                    let parts = (recipe.network, recipe.stages, recipe.learning);
                    format!("{} {parts:?}", recipe.game)
                })
                .collect();
            let different: std::collections::BTreeSet<&String> = made.iter().collect();
            assert_eq!(different.len(), made.len(), "{}: {made:#?}", target.name);
        }
    }

    #[test]
    fn fractions_read_well() {
        assert_eq!([1.0, 0.02, 0.03].map(fraction), ["1", "1/50 (0.02)", "0.03"]);
    }
}
