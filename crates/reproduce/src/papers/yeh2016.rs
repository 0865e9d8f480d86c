//! Yeh et al. 2016: figures, and the final versions; the tables are in a file of their own.

use super::super::target::{
    Curves, Follow, Paper, PaperTarget, Part, Play, Player, Quantity, Source, Training, Way, plain,
};
use super::yeh2016_tables::tables;
use super::{by_player, drawings, target, trained};

pub(super) static PAPER: Paper = Paper {
    key: "yeh2016",
    citation: "K.-H. Yeh, I-C. Wu, C.-H. Hsueh, C.-C. Chang, C.-C. Liang, H. Chiang, Multi-Stage Temporal Difference Learning for 2048-like Games, 2016",
    says_games: true,
    remarks: &[
        "All leaves of a search are judged by the weights of the stage the game is in, as in the paper; `yeh2016-judging` compares.",
        "Tables hold 16 ranks; boards with larger tiles are searched as lowered copies (tile downgrading), which the paper does not have.",
        "Speeds are of one thread on different machines, and of searches with and without transposition tables: compare their order only.",
        "Intervals of ours are those of the games of one network (or of all seeds together); the paper does not say how its own were found.",
    ],
};

/// Notes on Threes alone.
pub(super) const THREES: &str = "The rules are those the paper states. The network sees the hint; the paper has \"some specific features for \
    Threes, such as the hint tiles\" and does not name the others.";

/// Games of a point of most curves.
const SAMPLE: u64 = 100_000;

/// Why three strategies are one training.
pub(super) const SHARED: &str = "Strategies 2, 3 and 4 begin with the same splits, and a stage does not know which stages follow: Strategies 2 and 3 are the \
    first four and five stages of the training of Strategy 4. In the paper they have the same rates up to 16384 too.";

/// TD for as long as one stage.
fn td(game: &str) -> Training {
    Training::of(if game == "2048" { "yeh2016-2048-td" } else { "yeh2016-threes-td" })
        .with("run.games=5000000")
}

pub(super) fn targets() -> Vec<PaperTarget> {
    let mut targets = drawings(&PAPER, "[21]");
    targets.extend([networks(5, Follow::Average), networks(6, Follow::Maximum)]);
    for strategy in &STRATEGIES {
        targets.extend([strategy.figure(Follow::Average), strategy.figure(Follow::Maximum)]);
    }
    targets.extend([improvements_of_2048(), improvements_of_threes()]);
    targets.sort_by_key(|target| target.place.trim_start_matches("Fig. ").parse::<u8>().unwrap_or(0));
    targets.extend(tables());
    targets.push(judging());
    targets.extend(finals());
    targets
}

/// One way to split, with a figure of averages and the next one of maxima.
struct Strategy {
    recipe: &'static str,
    name: &'static str,
    /// Stages, the first of those of the recipe.
    stages: u8,
    /// The number of the figure of averages.
    figure: u8,
    /// Averages and maxima of the paper.
    says: [&'static str; 2],
}

const SHOW: &str = "These figures show that MS-TD learning indeed improved the performances. Particularly, the average scores in \
    Strategy 4 were close to 450,000. And the maximum scores in Strategy 3 and Strategy 4 reached 500,000 very often and some were close to 600,000.";
const FIRST: &str = "Similarly, both show the improvement, especially for the maximum scores. However, when compared with Fig. 7 and Fig. 8, \
    Fig. 9 and Fig. 10 show that Strategy 1 did not perform better, that is, adding one more splitting at T8k did not help.";
const THREES_STRATEGIES: &str = "Fig. 20 to Fig. 23 demonstrate the improvements of MS-TD learning for the learning curves. However, when \
    incorporated into expectimax search, these strategies did not perform better compared with the simple 3-stage strategy.";
const THREES_SIMPLE: &str = "Both figures show that the learning in Stage 2 and Stage 3 did improve, especially for maximum scores. In Fig. 19, \
    the curve for Stage 3 does appear more often around 250,000 than Stage 1 and Stage 2.";

const SIMPLE: [&str; 2] = [
    "The learning curve of Stage 2 grows higher than normalized 1-2 after about two million games. Similarly, the learning curve of \
     Stage 3 grows higher than normalized 2-3 after about 1.5 million games.",
    "The curve for the third stage does go up to 500,000 often, which actually indicates to reach 32768-tiles. In contrast, the \
     curves for the first and the second stages rarely reach 500,000 points.",
];

/// A row of the table below, the fields in their order.
const fn strategy(
    recipe: &'static str,
    name: &'static str,
    stages: u8,
    figure: u8,
    says: [&'static str; 2],
) -> Strategy {
    Strategy { recipe, name, stages, figure, says }
}

const STRATEGIES: [Strategy; 8] = [
    strategy("yeh2016-2048-3stage", "2048, the simple 3-stage strategy", 3, 7, SIMPLE),
    strategy("yeh2016-2048-strategy1", "2048, Strategy 1", 4, 9, [FIRST; 2]),
    strategy("yeh2016-2048-strategy4", "2048, Strategy 2", 4, 11, [SHOW; 2]),
    strategy("yeh2016-2048-strategy4", "2048, Strategy 3", 5, 13, [SHOW; 2]),
    strategy("yeh2016-2048-strategy4", "2048, Strategy 4", 6, 15, [SHOW; 2]),
    strategy("yeh2016-threes-3stage", "Threes, the simple 3-stage strategy", 3, 18, [THREES_SIMPLE; 2]),
    strategy("yeh2016-threes-strategy1", "Threes, Strategy 1", 4, 20, [THREES_STRATEGIES; 2]),
    strategy("yeh2016-threes-strategy2", "Threes, Strategy 2", 4, 22, [THREES_STRATEGIES; 2]),
];

impl Strategy {
    fn figure(&self, follow: Follow) -> PaperTarget {
        let maximum = follow == Follow::Maximum;
        let what = if maximum { "maximum" } else { "average" };
        let curves = Part::Curves(Curves {
            caption: format!("The {what} scores of training games, stage by stage: {}.", self.name),
            follow,
            source: Source::Stages(self.stages),
            sample: SAMPLE,
            lines: vec![(self.name.into(), Training::of(self.recipe))],
        });
        let place = format!("Fig. {}", self.figure + u8::from(maximum));
        let remarks = match self.recipe {
            recipe if recipe.contains("threes") => vec![THREES],
            "yeh2016-2048-strategy4" => vec![SHARED],
            _ => Vec::new(),
        };
        PaperTarget {
            remarks,
            ..target(
                &PAPER,
                &place,
                format!("{what} scores of the stages: {}", self.name),
                self.says[usize::from(maximum)],
                vec![curves],
            )
        }
    }
}

/// A network of the comparisons over 2 M games, which shows at every tenth how it plays at 1- and
/// 2-ply.
///
/// Curves of training games hide what a search makes of values; evaluations do not change the
/// network.
pub(super) fn network(recipe: &'static str) -> Training {
    Training::of(recipe)
        .with("run.games=2000000")
        .with("evaluate.every=200000")
        .with("evaluate.plies=[1, 2]")
        .with("evaluate.games=[1000, 200]")
}

/// Curves of evaluations at every tenth of a training, and what the trained networks do.
pub(super) fn played(lines: &[(String, Training)]) -> Vec<Part> {
    let evaluations = |ply: u8, follow: Follow| {
        let (what, games) = (
            if follow == Follow::Average { "The average scores" } else { "The games that reached 2048" },
            if ply == 1 { "1,000" } else { "200" },
        );
        Part::Curves(Curves {
            caption: format!("{what} at {ply}-ply, {games} games at every tenth of the training."),
            follow,
            source: Source::Evaluations(ply),
            sample: 1_000,
            lines: lines.to_vec(),
        })
    };
    let plays: Vec<(String, Play)> = lines
        .iter()
        .flat_map(|(name, training)| {
            [1, 2].map(|ply| (format!("{name}, {ply}-ply"), trained(training, ply, 1_000)))
        })
        .collect();
    let columns: Vec<(&str, Play)> = plays.iter().map(|(name, play)| (name.as_str(), play.clone())).collect();
    let quantities = [
        Quantity::Average,
        Quantity::Reached(2048),
        Quantity::Reached(4096),
        Quantity::Reached(8192),
        Quantity::Reached(16384),
    ];
    let rows: Vec<_> = quantities.map(|quantity| (quantity, Vec::new())).into();
    vec![
        evaluations(1, Follow::Average),
        evaluations(2, Follow::Average),
        evaluations(2, Follow::Reached(2048)),
        by_player("What the networks do when learning is over; the paper does not say.", &columns, &rows),
    ]
}

/// All combinations of (i) new tuples and (ii) large tiles.
fn networks(number: u8, follow: Follow) -> PaperTarget {
    let what = if follow == Follow::Average { "average" } else { "maximum" };
    let lines = vec![
        ("neither".to_string(), network("szubert2014-large")),
        (
            "(ii) large tiles".to_string(),
            network("szubert2014-large").with("network.features=[\"large-11\"]"),
        ),
        ("(i) new tuples".to_string(), network("yeh2016-2048-td").with("network.features=[]")),
        ("(i) and (ii)".to_string(), network("yeh2016-2048-td")),
    ];
    let mut parts = vec![Part::Curves(Curves {
        caption: format!(
            "The {what} scores of training games with all combinations of (i) the new tuples and (ii) large-tile features."
        ),
        follow,
        source: Source::Training,
        sample: 1_000,
        lines: lines.clone(),
    })];
    parts.extend(played(&lines));
    PaperTarget {
        remarks: vec![
            "The games at every tenth are ours: at small budgets the large-tile feature does harm that shows in search, not in training \
             games (docs/results/large-tiles.md).",
        ],
        ..target(
            &PAPER,
            &format!("Fig. {number}"),
            format!(
                "{what} scores of TD learning with all combinations of (i) new tuples and (ii) large tiles"
            ),
            "The n-tuple network with both (i) and (ii) outperformed others in terms of both average and maximum scores.",
            parts,
        )
    }
}

/// The networks of Tables 2 and 5, leaves judged by the game's stage as in the papers, and by their
/// own.
fn judging() -> PaperTarget {
    let table = |recipe: &'static str, name: &str, tiles: [u64; 2]| {
        let play = |ply: u8, way: Way| Play {
            player: Player::Trained(Training::of(recipe), ply, way),
            games: 10_000,
        };
        let columns: Vec<(String, Play)> = (1..=3)
            .flat_map(|ply| {
                [("game", Way::Whole), ("leaf", Way::LeafJudges)]
                    .map(|(name, way)| (format!("{ply}-ply, {name}"), play(ply, way)))
            })
            .collect();
        let columns: Vec<(&str, Play)> =
            columns.iter().map(|(name, play)| (name.as_str(), play.clone())).collect();
        let quantities = [Quantity::Reached(tiles[0]), Quantity::Reached(tiles[1]), Quantity::Average];
        let rows: Vec<_> = quantities.map(|quantity| (quantity, Vec::new())).into();
        by_player(&format!("{name}: whose stage judges a leaf, the game's or the leaf's."), &columns, &rows)
    };
    target(
        &PAPER,
        "judging",
        "whose stage judges a leaf, the game's as in the papers or its own, at 1- to 3-ply",
        "When playing a game, we also divide the process into three stages in the following way. 1. Before T16k, use Stage-1 feature \
         weights to play. 2. After T16k and before T16+8k, use Stage-2 feature weights to play.",
        vec![
            table("yeh2016-2048-3stage", "2048, three stages", [16384, 32768]),
            table("yeh2016-threes-3stage", "Threes, three stages", [3072, 6144]),
        ],
    )
}

/// The first stage of 2048, improved step by step.
pub(super) fn improved() -> Vec<(String, Training)> {
    vec![
        ("TD(0)".into(), td("2048")),
        ("(a)".into(), Training::of("yeh2016-2048-final-a")),
        ("(a) (b)".into(), Training::of("yeh2016-2048-final-ab")),
        ("(a) (b) (c)".into(), Training::of("yeh2016-2048-final-abc")),
    ]
}

fn improvements_of_2048() -> PaperTarget {
    let lines = improved();
    let columns: Vec<(&str, Play)> =
        lines.iter().map(|(name, training)| (name.as_str(), trained(training, 1, 1_000))).collect();
    let table = by_player(
        "What the networks do at 1-ply when learning is over; the paper does not say.",
        &columns,
        &[(Quantity::Average, Vec::new()), (Quantity::Reached(16384), Vec::new())],
    );
    let curves = Part::Curves(Curves {
        caption: "Average scores of training games of the first stage: TD(0), and with (a) more features, (b) a tenth of the step after 5 M games, \
                  (c) truncated TD(.5), one after the other."
            .into(),
        follow: Follow::Average,
        source: Source::Training,
        sample: SAMPLE,
        lines: lines.clone(),
    });
    target(
        &PAPER,
        "Fig. 17",
        "improvements of the first stage of 2048: more features, smaller steps, TD(λ)",
        "First, (a) improved the training in terms of average score. Second, while (a) was applied, (b) helped to raise the average score \
         significantly. Third, (c) helped reach to a higher average score after (b) was applied.",
        vec![curves, table],
    )
}

fn improvements_of_threes() -> PaperTarget {
    let tuned =
        Training::of("yeh2016-threes-final").with("stages.split=none").with("stages.procedure=online");
    let curves = Part::Curves(Curves {
        caption:
            "Average scores of training games of the first stage of Threes: TD(0), and with (a), (b) and (c)."
                .into(),
        follow: Follow::Average,
        source: Source::Training,
        sample: SAMPLE,
        lines: vec![("TD(0)".into(), td("threes")), ("(a) (b) (c)".into(), tuned)],
    });
    PaperTarget {
        remarks: vec![THREES],
        ..target(
            &PAPER,
            "Fig. 24",
            "improvements of the first stage of Threes, all of (a), (b), (c)",
            "Fig. 24 shows the improvement over un-tuned TD(0) training during the first stage.",
            vec![curves],
        )
    }
}

/// Statements of the text about the final versions.
fn finals() -> Vec<PaperTarget> {
    let of_2048 = by_player(
        "The final version of 2048 (Strategy 3 with (a), (b), (c)) at 3-ply.",
        &[("3-ply", trained(&Training::of("yeh2016-2048-final"), 3, 10_000))],
        &[
            (Quantity::Reached(32768), vec![plain(31.75)]),
            (Quantity::MaxOf100, vec![plain(793_835.0)]),
            (Quantity::Average, vec![plain(443_526.0)]),
            (Quantity::Speed, vec![plain(500.0)]),
        ],
    );
    let of_threes = by_player(
        "The final version of Threes (three stages with (a), (b), (c)) at 3-ply.",
        &[("3-ply", trained(&Training::of("yeh2016-threes-final"), 3, 10_000))],
        &[
            (Quantity::Reached(6144), vec![plain(8.91)]),
            (Quantity::MaxOf100, vec![plain(709_712.0)]),
            (Quantity::Average, vec![plain(234_490.0)]),
            (Quantity::Speed, vec![plain(288.0)]),
        ],
    );
    let tuned = "The paper's version has \"some other fine tunes\" that it does not name, and does not say how many games follow the change of α: \
                 ours has 5 M with .0025, which the paper calls saturated, and 2.5 M with .00025 in each stage.";
    vec![
        PaperTarget {
            remarks: vec![tuned],
            ..target(
                &PAPER,
                "final 2048",
                "the final version of 2048: five stages, more features, smaller steps, TD(λ)",
                "We obtained the following results for this new version in 10,000 games: a 32768-tile reaching rate of 31.75%, the average \
                 score 443,526, the maximum score 793,835, and a speed of 500 moves/sec.",
                vec![of_2048],
            )
        },
        PaperTarget {
            remarks: vec![tuned, THREES],
            ..target(
                &PAPER,
                "final Threes",
                "the final version of Threes: three stages, more features, smaller steps, TD(λ)",
                "We extended this version with the simple 3-stage strategy, and obtained the following results in 10,000 games: a 6144-tile \
                 reaching rate of 8.91%, the average score 234,490, the maximum score 709,712, and a speed of 288 moves/sec.",
                vec![of_threes],
            )
        },
    ]
}
