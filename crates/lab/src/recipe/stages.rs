//! The stages of a recipe: presets by name, and how the stages are trained.

use super::build::{require, wrong};
use super::{BuildError, Recipe, Start};
use afterstate::game::Game;
use afterstate::game::catalogue::AnyGame;
use afterstate::network::stage::{Judging as By, MAX_STAGES, Rule, Stages as Rules};
use afterstate::with_game;
use serde::{Deserialize, Serialize};

/// The stages of the game, each with weights of its own, and how they are trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Stages {
    /// Splits: a preset, or sets of tiles like `16384 16384+8192`.
    pub split: String,
    /// Ranks added to every tile of the splits: −2 makes 4096 of 16384.
    pub shift: i32,
    /// Training procedure of the stages.
    pub procedure: Procedure,
    /// For `one-by-one`: training games of every stage after the first; as many as of the first if
    /// not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// For `one-by-one`: when a stage has been trained.
    pub until: Until,
    /// For `one-by-one`: when the boards of the next stage are collected.
    pub collect: Collect,
    /// For `one-by-one`: how many boards are collected.
    pub boards: u64,
    /// For `collect = "after"`: the most games a collection plays; as many as the training of its
    /// stage if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Initial weights of a later stage.
    pub weights: StageWeights,
    /// For `online`: games start evenly from the latest first boards of every stage.
    pub carousel: bool,
    /// The stage that judges a board that a player looks ahead to; walls are always judged by the
    /// game's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judging: Option<Judging>,
}

/// The stage that judges a board that a player looks ahead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judging {
    /// The board's own.
    Leaf,
    /// That of the position the player is in (Wu et al. 2014, Yeh et al. 2016).
    Game,
}

impl From<Judging> for By {
    fn from(judging: Judging) -> Self {
        match judging {
            Judging::Leaf => Self::Leaf,
            Judging::Game => Self::Game,
        }
    }
}

/// Training procedure of stages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Procedure {
    /// All at once, values bootstrapping across the boundaries.
    #[default]
    Online,
    /// One after the other, each from boards collected with the one before (Wu et al. 2014, Yeh et
    /// al. 2016).
    OneByOne,
}

/// When a stage has been trained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// After its number of games.
    #[default]
    Games,
    /// When it is saturated, but after its number of games at the latest.
    Saturated,
}

/// When the boards of the next stage are collected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Collect {
    /// After training, with frozen weights (Yeh et al. 2016).
    #[default]
    After,
    /// From the training games (Wu et al. 2014), the last of them.
    During,
}

/// Initial weights of a later stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StageWeights {
    /// Zero, or the optimistic value.
    #[default]
    Zero,
    /// Those of the stage before, until they are touched (Jaśkowski 2016).
    Promoted,
}

impl Default for Stages {
    fn default() -> Self {
        Self {
            split: "none".into(),
            shift: 0,
            procedure: Procedure::default(),
            games: None,
            until: Until::default(),
            collect: Collect::default(),
            boards: 100_000,
            limit: None,
            weights: StageWeights::default(),
            carousel: false,
            judging: None,
        }
    }
}

impl Recipe {
    /// Training games of a stage, counted from 0.
    pub fn stage_games(&self, stage: u8) -> u64 {
        if stage == 0 { self.run.games } else { self.stages.games.unwrap_or(self.run.games) }
    }

    /// The most games spent on collecting the boards that follow a stage.
    pub fn collection_limit(&self, stage: u8) -> u64 {
        self.stages.limit.unwrap_or(self.stage_games(stage))
    }

    /// Lowers the splits of a run that was made `factor` times as long, so that its games still
    /// come to them: by one rank for every factor of ten, of stages trained one after the other.
    /// `stages.shift` says by how many.
    pub fn lower_splits(&mut self, factor: f64) {
        let written = self.stages.shift;
        if !self.is_one_by_one() || factor >= 1.0 {
            return;
        }
        let ranks = factor.log10().round().max(-60.0) as i32;
        let possible = (written.saturating_add(ranks)..written).find(|&shift| {
            self.stages.shift = shift;
            self.build().is_ok()
        });
        self.stages.shift = possible.unwrap_or(written);
    }

    /// True if stages are trained one after the other.
    pub fn is_one_by_one(&self) -> bool {
        self.stages.procedure == Procedure::OneByOne
    }

    /// The rules of the stages.
    pub(super) fn stage_rules(&self, game: &AnyGame) -> Result<Rules, BuildError> {
        let stages = &self.stages;
        let rules = match stages.split.trim() {
            "none" | "" => Rules::default(),
            split => preset(game, split).map_or_else(|| tiles(game, split), Ok)?,
        };
        let rules = rules.shifted(stages.shift).ok_or_else(|| {
            wrong(
                "stages.shift",
                format!("{} leaves the game no such tiles; use one nearer to 0", stages.shift),
            )
        })?;
        let promoted = stages.weights == StageWeights::Promoted || stages.procedure == Procedure::OneByOne;
        let rules = rules.promoting(|_| promoted);
        match stages.judging {
            None => Ok(rules),
            Some(judging) => rules.judging_by(judging.into()).ok_or_else(|| {
                wrong(
                    "stages.judging",
                    "walls are counted on the board and judged by the game's stage; leave it out",
                )
            }),
        }
    }

    /// Refuses what cannot go together.
    pub(super) fn check_stages(&self, rules: &Rules) -> Result<(), BuildError> {
        let stages = &self.stages;
        let single = rules.count() == 1;
        if self.is_one_by_one() {
            let key = "stages.procedure";
            require(!single, key, "one-by-one needs stages; name them with stages.split")?;
            let what =
                "one-by-one starts games afresh, and from what it collects; use learning.start = \"fresh\"";
            require(self.learning.start == Start::Fresh, key, what)?;
        }
        let carousel = !stages.carousel || !single && !self.is_one_by_one();
        let what = "needs several stages (stages.split) and stages.procedure = \"online\"";
        require(carousel, "stages.carousel", what)?;
        let numbers = [("games", stages.games), ("limit", stages.limit), ("boards", Some(stages.boards))];
        for (key, number) in numbers {
            require(number != Some(0), &format!("stages.{key}"), "must be at least 1")?;
        }
        require(stages.boards <= 10_000_000, "stages.boards", "must be at most 10,000,000")
    }
}

/// Splits as ranks.
type Ranks = &'static [&'static [u8]];

/// The presets in 2048 and in Threes, by name.
const PRESETS: [(&str, Ranks, Ranks); 5] = [
    ("simple", &[&[14], &[14, 13]], &[&[12], &[13]]),
    ("strategy1", &[&[13], &[14], &[14, 13]], &[&[11], &[12], &[13]]),
    ("strategy2", &[&[14], &[14, 13], &[14, 13, 12]], &[&[12], &[13], &[13, 12]]),
    ("strategy3", &[&[14], &[14, 13], &[14, 13, 12], &[14, 13, 12, 11]], &[]),
    ("strategy4", &[&[14], &[14, 13], &[14, 13, 12], &[14, 13, 12, 11], &[14, 13, 12, 11, 10]], &[]),
];

/// The largest tile that counts: 32768, or 6144 of Threes.
const LARGEST: [u8; 2] = [15, 14];

fn is_threes(game: &AnyGame) -> bool {
    with_game!(game, g => g.rank_of(3)).is_some()
}

/// Stages by name.
fn preset(game: &AnyGame, name: &str) -> Option<Rules> {
    let threes = is_threes(game);
    if let Some((_, twenty48, of_threes)) = PRESETS.iter().find(|(known, ..)| *known == name) {
        let splits = if threes { of_threes } else { twenty48 };
        return (!splits.is_empty()).then(|| Rules::new(splits.iter().map(|split| split.to_vec()).collect()));
    }
    if let Some(bits) = name.strip_prefix("largest-") {
        let bits: u8 = bits.parse().ok().filter(|bits| (1..=6).contains(bits))?;
        return Some(presence(LARGEST[usize::from(threes)], bits));
    }
    let (kind, rest) = name.split_once('-')?;
    let (tile, stages) = rest.split_once('-')?;
    let from = with_game!(game, g => g.rank_of(tile.parse().ok()?))?;
    let stages = stages.parse().ok().filter(|stages| (2..=MAX_STAGES as u8).contains(stages))?;
    match kind {
        "counted" => Some(Rules::by(Rule::Counted { from, stages })),
        "walls" => Some(Rules::by(Rule::Walls { from, stages })),
        _ => None,
    }
}

/// By the presence of the `bits` largest tiles, read as a binary number (Jaśkowski 2016): 2ᵇⁱᵗˢ
/// stages.
fn presence(largest: u8, bits: u8) -> Rules {
    let tiles = |number: u32| (0..bits).filter(move |bit| number >> (bits - 1 - bit) & 1 == 1);
    let split = |number: u32| tiles(number).map(|bit| largest - bit).collect();
    Rules::new((1..1 << bits).map(split).collect())
}

/// Reads `16384 16384+8192` as ranks of the game.
fn tiles(game: &AnyGame, splits: &str) -> Result<Rules, BuildError> {
    let rank = |text: &str| {
        let label = text.parse().ok();
        label.and_then(|label| with_game!(game, g => g.rank_of(label))).ok_or_else(|| {
            let presets =
                "none, simple, strategy1 to strategy4 (strategy2 in Threes), largest-4, counted-4096-16, walls-4096-4";
            let what = format!("'{text}' in '{splits}' is neither a tile of this game nor a preset");
            wrong("stages.split", format!("{what}; write like 16384 16384+8192, or one of {presets}"))
        })
    };
    let splits: Vec<Vec<u8>> = splits
        .split_whitespace()
        .map(|split| split.split('+').map(rank).collect())
        .collect::<Result<_, _>>()?;
    let most = MAX_STAGES - 1;
    require(splits.len() <= most, "stages.split", &format!("at most {most} splitting times"))?;
    Ok(Rules::new(splits))
}

/// Tiles that begin a stage (counted from 0), in the labels of the game: `16384+8192`.
pub fn begins<G: Game>(game: &G, rules: &Rules, stage: u8) -> String {
    match (rules.rule(), usize::from(stage).checked_sub(1)) {
        (_, None) => "the start".into(),
        (Rule::Splits(splits), Some(split)) => {
            splits[split].iter().map(|&rank| game.label(rank).to_string()).collect::<Vec<_>>().join("+")
        }
        (Rule::Counted { from, .. }, Some(_)) => format!("{stage}×{}", game.label(*from)),
        (Rule::Walls { from, .. }, Some(_)) => format!("{} walls from {}", stage + 1, game.label(*from)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::BUILT_IN;

    fn rules(game: &str, split: &str, shift: i32) -> Result<Rules, String> {
        let text = format!(
            "game = \"{game}\"\n[network]\npatterns = \"0123\"\n[stages]\nsplit = \"{split}\"\nshift = {shift}\n[run]\ngames = 1\n"
        );
        let built = Recipe::parse("m", &text, &[]).unwrap().build();
        built.map(|built| built.structure.stages).map_err(|e| e.to_string())
    }

    #[test]
    fn presets_are_the_strategies_of_the_papers() {
        let text = |game, split, shift| rules(game, split, shift).unwrap().to_string();
        assert_eq!(text("2048", "simple", 0), "14 14+13");
        assert_eq!(text("1024", "simple", 0), "14 14+13");
        assert_eq!(text("2048", "strategy1", 0), "13 14 14+13");
        assert_eq!(text("2048", "strategy2", 0), "14 14+13 14+13+12");
        assert_eq!(text("2048", "strategy3", 0), "14 14+13 14+13+12 14+13+12+11");
        assert_eq!(text("2048", "strategy4", -3), "11 11+10 11+10+9 11+10+9+8 11+10+9+8+7");
        assert_eq!(text("threes", "simple", 0), "12 13"); // 1536, 3072
        assert_eq!(text("threes", "strategy1", 0), "11 12 13"); // and 768
        assert_eq!(text("threes", "strategy2", 0), "12 13 13+12");
        assert_eq!(text("2048", "largest-2", 0), "14 15 15+14");
        assert_eq!(rules("2048", "largest-4", 0).unwrap().count(), 16);
        assert_eq!(text("2048", "counted-4096-16", 0), "16 by tiles counted from rank 12");
        assert_eq!(text("2048", "walls-4096-4", 0), "4 by walls from rank 12");
        assert_eq!(text("threes", "384 768+384", 1), "11 12+11");
        assert_eq!(rules("2048", "none", -5).unwrap().count(), 1);
    }

    #[test]
    fn whose_stage_judges_is_a_choice_but_of_walls() {
        let rules = |split: &str, judging: &str| {
            let text = format!(
                "[network]\npatterns = \"0123\"\n[stages]\nsplit = \"{split}\"\n{judging}\n[run]\ngames = 1\n"
            );
            let built = Recipe::parse("m", &text, &[]).map_err(|e| e.to_string())?.build();
            built.map(|built| built.structure.stages.judged_by()).map_err(|e| e.to_string())
        };
        assert_eq!(rules("simple", ""), Ok(By::Leaf));
        assert_eq!(rules("simple", "judging = \"leaf\""), Ok(By::Leaf));
        assert_eq!(rules("simple", "judging = \"game\""), Ok(By::Game));
        assert_eq!(rules("walls-4096-4", ""), Ok(By::Game));
        assert!(
            rules("walls-4096-4", "judging = \"leaf\"").unwrap_err().starts_with("stages.judging: walls")
        );
        assert!(rules("simple", "judging = \"me\"").is_err());
        for paper in
            BUILT_IN.iter().filter(|recipe| ["yeh2016", "wu2014"].iter().any(|p| recipe.name.starts_with(p)))
        {
            let stages = paper.recipe(&[]).unwrap().build().unwrap().structure.stages;
            assert_eq!(stages.judged_by() == By::Game, stages.count() > 1, "{}", paper.name);
        }
    }

    #[test]
    fn stages_by_the_largest_tiles_are_passed_one_after_the_other() {
        let rules = rules("2048", "largest-4", 0).unwrap();
        // What a game shows as it grows, and the binary number of its 32768, 16384, 8192 and 4096.
        let boards: &[&[u8]] = &[
            &[11],
            &[12],
            &[12, 12],
            &[13],
            &[13, 12],
            &[13, 12, 12],
            &[13, 13],
            &[14],
            &[14, 12],
            &[14, 13],
        ];
        let mut stage = 0;
        let stages: Vec<u8> = boards
            .iter()
            .map(|cells| {
                stage = rules.advance(stage, cells);
                stage
            })
            .collect();
        assert_eq!(stages, [0, 1, 1, 2, 3, 3, 3, 4, 5, 6]);
    }

    #[test]
    fn what_is_no_split_is_refused_by_name() {
        for (game, split, shift) in [
            ("2048", "strategy5", 0),
            ("threes", "strategy3", 0),
            ("2048", "16384+3", 0),
            ("2048", "largest-9", 0),
        ] {
            let error = rules(game, split, shift).unwrap_err();
            assert!(error.starts_with("stages.split: ") && error.contains("simple"), "{error}");
        }
        assert!(rules("2048", "simple", -13).unwrap_err().starts_with("stages.shift: -13"));
    }

    #[test]
    fn shorter_runs_have_lower_splits() {
        let shift = |split: &str, procedure: &str, shift: i32, factor: f64| {
            let text = format!(
                "[network]\npatterns = \"0123\"\n[stages]\nsplit = \"{split}\"\nprocedure = \"{procedure}\"\nshift = {shift}\n[run]\ngames = 1\n"
            );
            let mut recipe = Recipe::parse("m", &text, &[]).unwrap();
            recipe.lower_splits(factor);
            recipe.stages.shift
        };
        let of_a_preset = |factor| shift("simple", "one-by-one", 0, factor);
        assert_eq!([10.0, 1.0, 0.5, 0.2, 0.02, 0.002].map(of_a_preset), [0, 0, 0, -1, -2, -3]);
        assert_eq!(shift("simple", "one-by-one", -1, 0.1), -2, "lower than the recipe has them");
        assert_eq!(shift("simple", "online", 0, 0.002), 0, "nothing is collected");
        // There is no tile below rank 1: 8 becomes 2, and no less.
        assert_eq!(shift("8 16", "one-by-one", 0, 1e-9), -2);
        assert_eq!(shift("2 4", "one-by-one", 0, 1e-9), 0);
    }

    #[test]
    fn only_what_is_collected_is_scaled() {
        let boards = |procedure: &str| {
            let text = format!(
                "[network]\npatterns = \"0123\"\n[stages]\nsplit = \"simple\"\nprocedure = \"{procedure}\"\nboards = 500\n[run]\ngames = 100\n"
            );
            let mut recipe = Recipe::parse("m", &text, &[]).unwrap();
            recipe.scale(0.1);
            (recipe.run.games, recipe.stages.boards)
        };
        assert_eq!([boards("one-by-one"), boards("online")], [(10, 50), (10, 500)]);
    }

    #[test]
    fn what_begins_a_stage_is_said_in_tiles() {
        let game = afterstate::game::twenty48::Twenty48::<16>::new(afterstate::grid::Shape::FOUR);
        let simple = rules("2048", "simple", -3).unwrap();
        assert_eq!([0, 1, 2].map(|k| begins(&game, &simple, k)), ["the start", "2048", "2048+1024"]);
    }
}
