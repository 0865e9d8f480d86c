//! Yeh et al. 2016: Tables 1 to 6.

use super::super::target::{Given, PaperTarget, Play, Player, Quantity, Training, Way, within};
use super::yeh2016::{PAPER, SHARED, THREES};
use super::{by_player, target, trained};

/// Games of an evaluation.
const GAMES: u64 = 10_000;
const PLIES: [(&str, u8); 3] = [("1-ply", 1), ("2-ply", 2), ("3-ply", 3)];

/// A quantity with what the paper found in each column, and its interval.
type Row<const N: usize> = (Quantity, [(f64, f64); N]);

/// A table of one training at 1- to 3-ply.
struct ByPly<'a> {
    number: u8,
    shows: &'a str,
    says: &'static str,
    recipe: &'static str,
    rows: &'a [Row<3>],
}

/// A table of several trainings at 3-ply.
struct ByTraining<'a, const N: usize> {
    number: u8,
    shows: &'a str,
    says: &'static str,
    networks: [(&'a str, &'static str, Way); N],
    rows: &'a [Row<N>],
}

fn given<const N: usize>(rows: &[Row<N>]) -> Vec<(Quantity, Vec<Option<Given>>)> {
    let row = |(quantity, found): &Row<N>| {
        (*quantity, found.iter().map(|&(value, margin)| within(value, margin)).collect())
    };
    rows.iter().map(row).collect()
}

impl ByPly<'_> {
    fn target(&self) -> PaperTarget {
        let training = Training::of(self.recipe);
        let columns = PLIES.map(|(name, ply)| (name, trained(&training, ply, GAMES)));
        made(
            self.number,
            self.shows,
            self.says,
            self.recipe,
            by_player(&caption(self.shows), &columns, &given(self.rows)),
        )
    }
}

impl<const N: usize> ByTraining<'_, N> {
    fn target(&self) -> PaperTarget {
        let play = |recipe, way| Play { player: Player::Trained(Training::of(recipe), 3, way), games: GAMES };
        let columns = self.networks.map(|(name, recipe, way)| (name, play(recipe, way)));
        let part = by_player(&caption(self.shows), &columns, &given(self.rows));
        made(self.number, self.shows, self.says, self.networks[0].1, part)
    }
}

fn caption(shows: &str) -> String {
    format!("Results of {shows}. The maximum is the average of the maxima of 100 games each.")
}

fn made(number: u8, shows: &str, says: &'static str, recipe: &str, part: super::Part) -> PaperTarget {
    let remarks = match number {
        _ if recipe.contains("threes") => vec![THREES],
        3 => vec![SHARED],
        _ => Vec::new(),
    };
    PaperTarget { remarks, ..target(&PAPER, &format!("Table {number}"), shows, says, vec![part]) }
}

const IMPROVED: &str = "When incorporating expectimax search, the performance for MS-TD learning was clearly improved in terms of the \
    32768-tile reaching rates and the maximum scores. Particularly, with 3-ply search, MS-TD learning significantly improved the maximum score \
    from 374,458 to 599,645, and the reaching rate of 32768-tiles from 0% to 13.78%.";
const THREES_IMPROVED: &str = "The results showed that the performance of MS-TD learning clearly outperformed that of the original TD \
    learning. Especially, when using 3-ply expectimax search, the one with MS-TD learning significantly improved the 6144-tile reaching \
    rates from 0.45% to 7.83%.";

pub(super) fn tables() -> [PaperTarget; 6] {
    use Quantity::{Average, MaxOf100, Reached, Speed};
    [
        ByPly {
            number: 1,
            shows: "expectimax search with TD learning in 2048, 15 M training games",
            says: IMPROVED,
            recipe: "yeh2016-2048-td",
            rows: &[
                (Reached(2048), [(96.88, 0.34), (99.84, 0.08), (99.97, 0.03)]),
                (Reached(4096), [(90.99, 0.56), (99.51, 0.14), (99.86, 0.07)]),
                (Reached(8192), [(71.46, 0.89), (97.02, 0.33), (99.04, 0.19)]),
                (Reached(16384), [(26.33, 0.86), (79.86, 0.79), (90.95, 0.56)]),
                (Reached(32768), [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]),
                (MaxOf100, [(371_595.0, 15_086.0), (374_675.0, 2_274.0), (374_458.0, 3_344.0)]),
                (Average, [(159_565.0, 6_843.0), (290_381.0, 6_066.0), (321_496.0, 2_859.0)]),
                (Speed, [(280_882.0, 22_334.0), (13_861.0, 2_102.0), (1_256.0, 118.0)]),
            ],
        }
        .target(),
        ByPly {
            number: 2,
            shows: "expectimax search with MS-TD learning in three stages in 2048, 3 × 5 M training games",
            says: IMPROVED,
            recipe: "yeh2016-2048-3stage",
            rows: &[
                (Reached(2048), [(96.60, 0.36), (99.81, 0.09), (99.99, 0.02)]),
                (Reached(4096), [(90.05, 0.59), (99.47, 0.14), (99.87, 0.07)]),
                (Reached(8192), [(67.48, 0.92), (96.24, 0.37), (98.79, 0.21)]),
                (Reached(16384), [(17.87, 0.75), (74.36, 0.86), (87.68, 0.64)]),
                (Reached(32768), [(0.06, 0.05), (5.50, 0.45), (13.78, 0.68)]),
                (MaxOf100, [(431_847.0, 78_795.0), (554_090.0, 57_640.0), (599_645.0, 33_701.0)]),
                (Average, [(143_958.0, 5_620.0), (301_280.0, 6_996.0), (350_394.0, 8_579.0)]),
                (Speed, [(213_729.0, 51_528.0), (13_884.0, 2_652.0), (1_257.0, 144.0)]),
            ],
        }
        .target(),
        ByTraining {
            number: 3,
            shows: "3-ply search with MS-TD learning, Strategies 1 to 4 in 2048",
            says: "Strategy 4 was the best in terms of average score, while Strategy 3 was the best in terms of maximum score and 32768-tile \
                   reaching rate. … This showed that the benefit of splitting extra stage was diminishing.",
            // A stage does not know which follow: the first stages of Strategy 4 are Strategies 2
            // and 3.
            networks: [
                ("Strategy 1", "yeh2016-2048-strategy1", Way::Whole),
                ("Strategy 2", "yeh2016-2048-strategy4", Way::FirstStages(4)),
                ("Strategy 3", "yeh2016-2048-strategy4", Way::FirstStages(5)),
                ("Strategy 4", "yeh2016-2048-strategy4", Way::Whole),
            ],
            rows: &[
                (Reached(16384), [(87.23, 0.65), (87.68, 0.64), (87.68, 0.64), (87.68, 0.64)]),
                (Reached(32768), [(14.15, 0.68), (15.30, 0.71), (18.31, 0.76), (16.82, 0.73)]),
                (MaxOf100, [(594_716.0, 51_886.0), (579_996.0, 40_583.0), (614_204.0, 10_053.0), (610_011.0, 13_720.0)]),
                (Average, [(349_996.0, 3_433.0), (350_150.0, 9_097.0), (361_395.0, 9_892.0), (364_438.0, 9_448.0)]),
                (Speed, [(1_152.0, 93.0), (1_165.0, 114.0), (1_106.0, 106.0), (1_078.0, 104.0)]),
            ],
        }
        .target(),
        ByPly {
            number: 4,
            shows: "expectimax search with TD learning in Threes, 15 M training games",
            says: THREES_IMPROVED,
            recipe: "yeh2016-threes-td",
            rows: &[
                (Reached(3072), [(0.08, 0.06), (17.59, 0.75), (38.90, 0.96)]),
                (Reached(6144), [(0.0, 0.0), (0.02, 0.03), (0.45, 0.13)]),
                (MaxOf100, [(95_577.0, 5_491.0), (262_684.0, 9_105.0), (388_180.0, 31_093.0)]),
                (Average, [(33_591.0, 1_589.0), (102_390.0, 2_827.0), (139_351.0, 4_839.0)]),
                (Speed, [(153_132.0, 700.0), (16_107.0, 331.0), (359.0, 1.0)]),
            ],
        }
        .target(),
        ByPly {
            number: 5,
            shows: "expectimax search with MS-TD learning in three stages in Threes, 3 × 5 M training games",
            says: THREES_IMPROVED,
            recipe: "yeh2016-threes-3stage",
            rows: &[
                (Reached(3072), [(0.46, 0.13), (47.03, 0.98), (67.84, 0.96)]),
                (Reached(6144), [(0.0, 0.0), (1.40, 0.23), (7.83, 0.53)]),
                (MaxOf100, [(135_069.0, 10_880.0), (518_348.0, 28_006.0), (700_181.0, 13_817.0)]),
                (Average, [(33_808.0, 1_687.0), (157_025.0, 5_272.0), (220_393.0, 12_393.0)]),
                (Speed, [(141_822.0, 749.0), (14_742.0, 252.0), (288.0, 9.0)]),
            ],
        }
        .target(),
        ByTraining {
            number: 6,
            shows: "3-ply search with MS-TD learning, Strategies 1 and 2 in Threes",
            says: "These strategies did not perform better compared with the simple 3-stage strategy, especially in terms of 6144-tile \
                   reaching rates, shown in Table 6. This also showed that the benefit of splitting extra stages was diminishing.",
            networks: [
                ("Strategy 1", "yeh2016-threes-strategy1", Way::Whole),
                ("Strategy 2", "yeh2016-threes-strategy2", Way::Whole),
            ],
            rows: &[
                (Reached(3072), [(66.86, 0.92), (67.84, 0.92)]),
                (Reached(6144), [(6.29, 0.48), (6.07, 0.47)]),
                (MaxOf100, [(665_494.0, 13_606.0), (664_485.0, 12_194.0)]),
                (Average, [(213_059.0, 8_537.0), (214_277.0, 8_450.0)]),
                (Speed, [(286.0, 10.0), (302.0, 29.0)]),
            ],
        }
        .target(),
    ]
}
