//! Szubert & Jaśkowski 2014.

use super::super::target::{
    Cell, Curves, Follow, Measure, Paper, PaperTable, PaperTarget, Part, Quantity, Source, Training,
};
use super::super::target::{Given, plain, within};
use super::{target, trained};

static PAPER: Paper = Paper {
    key: "szubert2014",
    citation: "M. Szubert, W. Jaśkowski, Temporal Difference Learning of N-Tuple Networks for the Game 2048, 2014",
    says_games: false,
    remarks: &[
        "The paper averages several runs; ours are as many as the seeds, one unless `--seeds` says otherwise.",
        "CPU times are of different machines and programs: compare their order only.",
    ],
};

/// Games of an evaluation.
const GAMES: u64 = 1_000;

/// The three of the comparison with the learning rate each was best at.
const METHODS: [(&str, &str, f64); 3] = [
    ("Q-learning (actions)", "szubert2014-actions", 0.005),
    ("TD-state", "szubert2014-states", 0.0025),
    ("TD-afterstate", "szubert2014-afterstates", 0.0025),
];

pub(super) fn targets() -> Vec<PaperTarget> {
    vec![comparison(), learning_rates(), large()]
}

fn comparison() -> PaperTarget {
    let found: [[Option<Given>; 3]; 3] = [
        [within(49.80, 0.78), within(20_504.6, 163.5), within(3_136.8, 61.7)],
        [within(86.72, 1.22), within(48_929.6, 702.5), within(24_334.7, 405.7)],
        [within(90.62, 0.51), within(51_320.9, 358.4), within(7_967.5, 165.3)],
    ];
    let quantities = [Quantity::Wins, Quantity::Average, Quantity::Seconds];
    let row = |((name, recipe, _), found): (&(&str, &'static str, f64), &[Option<Given>; 3])| {
        let play = trained(&Training::of(recipe), 1, GAMES);
        let cell = |(quantity, paper): (Quantity, Option<Given>)| Cell {
            measure: Measure::One(play.clone(), quantity),
            paper,
        };
        (name.to_string(), quantities.into_iter().zip(*found).map(cell).collect())
    };
    let table = Part::Table(PaperTable {
        caption: "Comparison of learning methods after 0.5 M training games, 17 unshared 4-tuples.".into(),
        about: "algorithm".into(),
        columns: ["winning rate", "total score", "CPU time (s)"].map(String::from).into(),
        rows: METHODS.iter().zip(&found).map(row).collect(),
    });
    let curves = |caption: &str, follow| {
        Part::Curves(Curves {
            caption: caption.into(),
            follow,
            source: Source::Training,
            sample: 10_000,
            lines: METHODS.iter().map(|(name, recipe, _)| (name.to_string(), Training::of(recipe))).collect(),
        })
    };
    PaperTarget {
        remarks: vec![
            "The curves are of the training games themselves; the slides do not say what theirs are of, nor how they were sampled: \
             10,000 games a point are ours.",
        ],
        ..target(
            &PAPER,
            "comparison",
            "values of actions, states and afterstates: winning rate, score, CPU time, learning curves",
            "Learned a very quick agent …: afterstate value function for environments where the agent can simulate \
             the immediate effects of its moves, but it is difficult to obtain the entire state transition.",
            vec![
                table,
                curves("Winning rate (2048 reached) of training games.", Follow::Reached(2048)),
                curves("Average score of training games.", Follow::Average),
            ],
        )
    }
}

fn learning_rates() -> PaperTarget {
    let rates: [(f64, [Option<Given>; 3]); 5] = [
        (0.0010, [within(16.72, 2.62), within(86.22, 0.59), within(88.21, 0.68)]),
        (0.0025, [within(47.96, 0.58), within(86.72, 1.22), within(90.62, 0.51)]),
        (0.0050, [within(49.80, 0.78), within(86.60, 1.20), within(89.52, 0.89)]),
        (0.0075, [within(46.58, 0.90), within(82.53, 1.31), within(88.67, 0.77)]),
        (0.0100, [within(44.38, 1.03), within(80.83, 1.70), within(86.01, 0.90)]),
    ];
    let training = |recipe: &'static str, usual: f64, rate: f64| {
        let plain = Training::of(recipe);
        // The best rate is that of the comparison: the same run.
        if rate == usual { plain } else { plain.with(format!("learning.alpha={rate}")) }
    };
    let row = |(rate, found): &(f64, [Option<Given>; 3])| {
        let cell = |((_, recipe, usual), paper): (&(&str, &'static str, f64), &Option<Given>)| Cell {
            measure: Measure::One(trained(&training(recipe, *usual, *rate), 1, GAMES), Quantity::Wins),
            paper: *paper,
        };
        (format!("{rate:.4}"), METHODS.iter().zip(found).map(cell).collect())
    };
    let table = Part::Table(PaperTable {
        caption: "Winning rate after 0.5 M training games, by learning rate.".into(),
        about: "learning rate".into(),
        columns: METHODS.iter().map(|(name, ..)| name.to_string()).collect(),
        rows: rates.iter().map(row).collect(),
    });
    target(
        &PAPER,
        "learning-rates",
        "five learning rates of the three algorithms: winning rate",
        "Winning rate of learning agents after 0.5 mln training games with 95% confidence interval.",
        vec![table],
    )
}

fn large() -> PaperTarget {
    let (small, large) = (Training::of("szubert2014-afterstates"), Training::of("szubert2014-large"));
    let columns = [("small", trained(&small, 1, GAMES)), ("large", trained(&large, 1, GAMES))];
    let table = super::by_player(
        "The small network (17 unshared 4-tuples, 0.5 M games) and the large one (two 4-tuples, two 6-tuples, symmetric, 1 M games).",
        &columns,
        &[
            (Quantity::Wins, vec![plain(91.0), plain(98.0)]),
            (Quantity::Average, vec![within(51_320.9, 358.4), plain(100_178.0)]),
            (Quantity::Maximum, vec![None, plain(261_526.0)]),
        ],
    );
    let curves = Part::Curves(Curves {
        caption: "Winning rate (2048 reached) of training games.".into(),
        follow: Follow::Reached(2048),
        source: Source::Training,
        sample: 10_000,
        lines: vec![("small".into(), small), ("large".into(), large)],
    });
    PaperTarget {
        remarks: vec![
            "100,178 and 261,526 are the average and the maximum score that Wu et al. and Yeh et al. quote from the paper; the slides \
             say that the best policy scores at least 99,916. Neither says over how many games the maximum was taken.",
        ],
        ..target(
            &PAPER,
            "large",
            "the agent that wins 98 %: two 4-tuples and two 6-tuples, shared by symmetry",
            "Winning rate: \"Small\": ≈ 91%, \"Large\": ≈ 98%.",
            vec![table, curves],
        )
    }
}
